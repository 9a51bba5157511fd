#include "simulate/oba_scheme.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/model/path.hpp"
#include "simulate/free_flight.hpp"
#include "simulate/oba_energy.hpp"
#include "simulate/slot.hpp"
#include "simulate/together.hpp"
#include "solver/stopwatch.hpp"

namespace collapse::simulate {
namespace {

/// Of the touch tolerance: gaps up to this carry forces. What the position update parts it leaves a little further
/// apart; a pile whose bodies do not touch would fall together again, and so on for ever.
constexpr double kTouchShare = 10.0;
/// Of h g: what approaches more slowly does not count as a collision.
constexpr double kCollides = 1e-6;

/// From one velocity to another in a frame: along a parabola, or all the way with the velocity after contacts that
/// push, which may stop a body at once, its turn too: a brick that lands flat would go on to its other edge. What is to
/// be at rest at the end stays where it is.
Flight<3> fly(const Body<3>& body, const Pose<3>& pose, const Twist<3>& from, const Twist<3>& to,
              bool pushed, double h) {
  if (to.isZero(0.0)) return {Twist<3>::Zero(), Twist<3>::Zero()};
  if (pushed) return free_flight<3>(body.mass, pose, to, Twist<3>::Zero(), h);
  Twist<3> force = Twist<3>::Zero();
  force.tail<3>() = world_inertia<3>(body.mass.inertia, pose.rotation) * (to - from).tail<3>() / h;
  Flight<3> flight = free_flight<3>(body.mass, pose, from, force, h);
  flight.way.head<3>() = 0.5 * h * (from + to).head<3>();
  flight.velocity.head<3>() = to.head<3>();
  return flight;
}

}  // namespace

ObaScheme::ObaScheme(const Scene<3>& scene, const SimulationOptions& options)
    : options_(options),
      world_(scene, options),
      finder_(scene, options.touch),
      freezer_(world_, options),
      position_(world_, options),
      retroactive_(world_, options),
      momentum_(world_, options),
      static_(world_, options, momentum_),
      later_(scene.bodies.size(), Twist<3>::Zero()),
      pushed_(scene.bodies.size(), 0),
      held_(scene.bodies.size(), 0) {
  for (const int body : world_.free_bodies()) {
    largest_size_ = std::max(largest_size_, scene.bodies[slot_of(body)].shape.size());
  }
}

void ObaScheme::forget() {
  position_.forget();
  momentum_.forget();
  static_.forget();
}

StepReport<3> ObaScheme::step(State<3>& state, double time, double h) {
  StepReport<3> report;
  report.interrupted = !advance(state, time, h, report);
  crushed_ = report.crushed;
  // Forces without bound are no measure for those of the next frame.
  if (crushed_) forget();
  return report;
}

bool ObaScheme::advance(State<3>& state, double time, double h, StepReport<3>& report) {
  velocities_ = state.velocities;
  still_.assign(state.poses.size(), 0);
  if (!known_) {
    find_touching(state.poses, h);
    if (!respond(state, state.poses, time, h, report)) return false;
    known_ = true;
  }
  report.driven_work += coming_work_;
  if (options_.freezing) wake_in_the_way(state, time, h);
  set_targets(state, time, h);
  {
    const Stopwatch watch(report.crowd.position_seconds);
    if (options_.oba.hybrid_position) {
      retroactive_.bounce(start_, movable_, h, targets_, velocities_, report);
    }
    if (!position_.update({start_, targets_, movable_, h}, poses_, report)) return false;
    turn_spins();
    if (options_.oba.keep_energy) undo_lifts(state, h);
  }
  find_touching(poses_, h);
  release_held();
  if (!respond(state, poses_, time + h, h, report)) return false;
  if (options_.freezing) freeze(h);
  finish(state, h, report);
  return true;
}

/// Nothing stops a given body: what it comes to has to be able to give way, and what is behind that.
void ObaScheme::wake_in_the_way(const State<3>& state, double time, double h) {
  targets_ = state.poses;
  movable_.assign(targets_.size(), 0);
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const Body<3>& solid = world_.scene().bodies[i];
    movable_[i] = solid.free() && freezer_.frozen()[i] == 0 ? 1 : 0;
    if (!solid.free() && !solid.motion.empty()) targets_[i] = path_pose(solid, time + h);
  }
  for (const int body : position_.in_the_way({state.poses, targets_, movable_, h})) {
    freezer_.wake(body);
  }
}

/// Where bodies would be at the end, and with which velocities, if nothing were in their way.
void ObaScheme::set_targets(const State<3>& state, double time, double h) {
  start_ = targets_ = state.poses;
  const std::size_t bodies = start_.size();
  movable_.assign(bodies, 0);
  still_.assign(bodies, 1);
  leaving_ = velocities_;
  for (std::size_t i = 0; i < bodies; ++i) {
    const int body = static_cast<int>(i);
    const Body<3>& solid = world_.scene().bodies[i];
    if (solid.free()) {
      still_[i] = 0;
      if (freezer_.frozen()[i] != 0) continue;
      movable_[i] = 1;
      if (held_[i] != 0 && velocities_[i].isZero(0.0)) continue;
      if (pushed_[i] != 0) leaving_[i] = later_[i];
      const Flight<3> flight = fly(solid, start_[i], velocities_[i], later_[i], pushed_[i] != 0, h);
      targets_[i] = world_.moved(body, start_[i], flight.way);
      velocities_[i] = flight.velocity;
    } else if (!solid.motion.empty()) {
      targets_[i] = path_pose(solid, time + h);
      velocities_[i] = world_.displacement(body, start_[i], targets_[i]) / h;
      if (!velocities_[i].isZero(0.0)) still_[i] = 0;
    }
  }
}

/// Spins are those of the targets. What ends turned otherwise spins about the same axis in its own frame: with the same
/// spin in the world a slim body would have another energy.
void ObaScheme::turn_spins() {
  for (const int body : world_.free_bodies()) {
    const std::size_t i = slot_of(body);
    if (movable_[i] == 0 || poses_[i].rotation == targets_[i].rotation) continue;
    const Vec<3> in_body = targets_[i].rotation.transpose() * velocities_[i].tail<3>();
    velocities_[i].tail<3>() = poses_[i].rotation * in_body;
  }
}

void ObaScheme::find_touching(std::span<const Pose<3>> poses, double h) {
  touching_.contacts.clear();
  touching_.touches.clear();
  const std::vector<Pose<3>> next = options_.oba.bounce_at_distance
                                        ? next_poses(poses, h)
                                        : std::vector<Pose<3>>(poses.begin(), poses.end());
  const double touch = kTouchShare * options_.touch;
  finder_.find({poses, next, touch * largest_size_, still_}, rows_);
  for (const contacts::MotionRow<3>& row : rows_) {
    const contacts::PlacedRow<3> placed = contacts::placed(row, poses);
    const bool touches = placed.gap <= touch * row.size;
    // Bounce at a distance: what would overlap in the next frame counts as touching now.
    const bool will_overlap =
        options_.oba.bounce_at_distance && contacts::placed(row, next).gap < 0.0;
    if (!touches && !will_overlap) continue;
    touching_.contacts.push_back(
        {row.id, ContactTerms<3>(world_, row, placed, poses), row.friction, row.restitution});
    touching_.touches.push_back(touches ? 1 : 0);
  }
  touching_.impulses.assign(touching_.contacts.size(), Vec<3>::Zero());
  world_.joint_rows(poses, touching_.joints);
}

/// Where the bodies will be a frame later if nothing is in their way.
std::vector<Pose<3>> ObaScheme::next_poses(std::span<const Pose<3>> poses, double h) const {
  std::vector<Pose<3>> next(poses.begin(), poses.end());
  for (std::size_t i = 0; i < next.size(); ++i) {
    const Body<3>& solid = world_.scene().bodies[i];
    Twist<3> way = h * velocities_[i];
    if (solid.free() && freezer_.frozen()[i] == 0) {
      way.head<3>() += 0.5 * h * h * world_.acceleration();
    }
    if (!solid.fixed) next[i] = world_.moved(static_cast<int>(i), next[i], way);
  }
  return next;
}

/// Contacts at a distance are for collisions alone.
void ObaScheme::drop_distant_contacts() {
  std::size_t kept = 0;
  for (std::size_t c = 0; c < touching_.contacts.size(); ++c) {
    if (touching_.touches[c] == 0) continue;
    touching_.contacts[kept] = touching_.contacts[c];
    touching_.impulses[kept++] = touching_.impulses[c];
  }
  touching_.contacts.resize(kept);
  touching_.impulses.resize(kept);
}

bool ObaScheme::respond(const State<3>& state, std::span<const Pose<3>> poses, double time,
                        double h, StepReport<3>& report) {
  count_collisions(report);
  // What hits has the speed of where it hits, and what bounces at most what is left.
  const bool keep = known_ && options_.oba.keep_energy;
  if (keep) take_gain(state);
  const std::vector<Twist<3>> before = velocities_;
  {
    const Stopwatch watch(report.crowd.momentum_seconds);
    if (!momentum_.collide(touch(poses), h, freezer_, velocities_, touching_.impulses, report)) {
      return false;
    }
  }
  name_wedged(touching_.impulses, poses, h, report);
  if (keep) take_gain(state);
  drop_distant_contacts();
  if (report.crushed) hold_back(before, h, velocities_);
  if (!find_forces(poses, time, h, report)) return false;
  if (report.crushed) {
    hold_back(velocities_, h, later_);
    coming_work_ = work_beside_gravity(poses, h);
  }
  return true;
}

/// What is crushed is pushed by forces that have nothing to do with its motion: the energy that they bring is taken for
/// their work.
double ObaScheme::work_beside_gravity(std::span<const Pose<3>> poses, double h) const {
  double work = 0.0;
  for (const int body : world_.free_bodies()) {
    const MassMatrix<3> M = world_.mass_matrix(body, poses[slot_of(body)]);
    const Twist<3>& later = later_[slot_of(body)];
    Twist<3> alone = velocities_[slot_of(body)];
    alone.head<3>() += h * world_.acceleration();
    work += std::max(0.0, 0.5 * later.dot(M * later) - 0.5 * alone.dot(M * alone));
  }
  return work;
}

/// What is wedged between bodies on paths may have room and yet no impulses that the law of friction allows: programs
/// find ever larger ones. It ends when nothing pushes by more than a body's size.
void ObaScheme::name_wedged(const ObaImpulses& impulses, std::span<const Pose<3>> poses, double h,
                            StepReport<3>& report) const {
  const std::vector<Body<3>>& bodies = world_.scene().bodies;
  const double fall = h * h * world_.acceleration().norm();
  const double most = crushed_ ? 1.0 : kBeyondMeasure;
  for (std::size_t c = 0; c < touching_.contacts.size(); ++c) {
    const ContactTerms<3>& terms = touching_.contacts[c].terms;
    const auto is_pushed = [&](int body, int by, const Twist<3>& normal) {
      if (world_.block_of(body) < 0 || bodies[slot_of(by)].motion.empty()) return false;
      const Twist<3> gives =
          world_.inverse_mass_matrix(body, poses[slot_of(body)]) * normal * impulses[c].norm();
      const double size = bodies[slot_of(body)].shape.size();
      return h * world_.way_of(body, gives) > most * (fall + size);
    };
    if (!is_pushed(terms.a, terms.b, terms.normal_a) &&
        !is_pushed(terms.b, terms.a, terms.normal_b)) {
      continue;
    }
    if (!report.crushed) report.incidents.push_back(world_.crushed_line(terms.a, terms.b));
    report.crushed = true;
    return;
  }
}

void ObaScheme::count_collisions(StepReport<3>& report) const {
  const double slow = kCollides * world_.acceleration().norm() * options_.step;
  for (const ObaContact& contact : touching_.contacts) {
    if (contact.terms.along_normal(velocities_) < -slow) ++report.crowd.collisions;
  }
  report.crowd.contacts += static_cast<std::int64_t>(touching_.contacts.size());
}

bool ObaScheme::find_forces(std::span<const Pose<3>> poses, double time, double h,
                            StepReport<3>& report) {
  const Stopwatch watch(report.crowd.static_seconds);
  std::vector<Twist<3>> after = velocities_;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Body<3>& solid = world_.scene().bodies[i];
    if (!solid.motion.empty()) after[i] = path_velocity(solid, time);
  }
  ObaImpulses pushes(touching_.contacts.size(), Vec<3>::Zero());
  const double work = report.driven_work;
  if (!static_.apply(touch(poses), h, freezer_.frozen(), after, pushes, report)) return false;
  name_wedged(pushes, poses, h, report);
  coming_work_ = report.driven_work - work;
  report.driven_work = work;
  pushed_.assign(after.size(), 0);
  for (std::size_t c = 0; c < pushes.size(); ++c) {
    if (pushes[c].isZero(0.0)) continue;
    touching_.impulses[c] += pushes[c];
    pushed_[slot_of(touching_.contacts[c].id.a)] = 1;
    pushed_[slot_of(touching_.contacts[c].id.b)] = 1;
  }
  later_ = std::move(after);
  return true;
}

std::vector<std::pair<int, int>> ObaScheme::touching_pairs() const {
  std::vector<std::pair<int, int>> pairs;
  for (const ObaContact& contact : touching_.contacts) {
    pairs.emplace_back(contact.id.a, contact.id.b);
  }
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

std::vector<std::uint8_t> ObaScheme::driven_bodies() const {
  std::vector<std::uint8_t> driven(start_.size(), 0);
  for (std::size_t i = 0; i < driven.size(); ++i) {
    driven[i] = !world_.scene().bodies[i].motion.empty() && !velocities_[i].isZero(0.0) ? 1 : 0;
  }
  return driven;
}

/// What came close in the frame belongs together, too: a body that was lifted may have no speed to pay for it.
void ObaScheme::take_gain(const State<3>& state) {
  std::vector<std::pair<int, int>> pairs = touching_pairs();
  for (const ClosePair& pair : position_.pairs()) pairs.push_back(position_.bodies(pair));
  const std::vector<std::uint8_t> driven = driven_bodies();
  static_cast<void>(keep_energy(world_, {start_, state.velocities, leaving_, poses_, pairs, driven},
                                velocities_));
}

/// Unless others have taken their places.
void ObaScheme::undo_lifts(const State<3>& state, double h) {
  std::vector<std::pair<int, int>> pairs;
  for (const ClosePair& pair : position_.pairs()) pairs.push_back(position_.bodies(pair));
  const std::vector<std::uint8_t> driven = driven_bodies();
  std::vector<Pose<3>> without = poses_;
  const double small = h * h * world_.acceleration().norm();
  const EnergyFrame frame{start_, state.velocities, leaving_, poses_, pairs, driven};
  if (!undo_free_lifts(world_, frame, small, without) || position_.overlap_at(without)) return;
  for (std::size_t i = 0; i < without.size(); ++i) {
    if (without[i] == poses_[i]) continue;
    velocities_[i].setZero();
    held_[i] = 1;
  }
  poses_ = without;
}

/// Piles in which something has moved, or that something touches which moves.
void ObaScheme::release_held() {
  Together together(start_.size());
  const auto is_free = [&](int body) { return world_.block_of(body) >= 0; };
  std::vector<std::uint8_t> moves(start_.size(), 0);
  for (std::size_t i = 0; i < start_.size(); ++i) {
    moves[i] = poses_[i] != start_[i] || !velocities_[i].isZero(0.0) ? 1 : 0;
  }
  std::vector<std::uint8_t> stirred = moves;
  const auto touch_each_other = [&](int a, int b) {
    if (a == kWorld || b == kWorld) return;
    if (is_free(a) && is_free(b)) together.join(a, b);
    if (moves[slot_of(a)] != 0) stirred[slot_of(b)] = 1;
    if (moves[slot_of(b)] != 0) stirred[slot_of(a)] = 1;
  };
  for (const auto& [a, b] : touching_pairs()) touch_each_other(a, b);
  for (const Joint<3>& joint : world_.scene().joints) touch_each_other(joint.a, joint.b);
  for (const int body : world_.free_bodies()) {
    if (stirred[slot_of(body)] != 0) stirred[together.root(slot_of(body))] = 1;
  }
  for (const int body : world_.free_bodies()) {
    if (stirred[together.root(slot_of(body))] != 0) held_[slot_of(body)] = 0;
  }
}

/// Where there is no room, no velocity is right, and what is wedged in may be shot out: not faster than what was there.
void ObaScheme::hold_back(const std::vector<Twist<3>>& before, double h,
                          std::vector<Twist<3>>& velocities) const {
  double fastest = h * world_.acceleration().norm();
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    const Body<3>& solid = world_.scene().bodies[i];
    if (solid.motion.empty() || solid.shape.half_space) continue;
    fastest = std::max(fastest, world_.way_of(static_cast<int>(i), velocities[i]));
  }
  for (const int body : world_.free_bodies()) {
    Twist<3>& v = velocities[slot_of(body)];
    const double most = world_.way_of(body, before[slot_of(body)]) + 2.0 * fastest;
    const double speed = world_.way_of(body, v);
    if (speed > most) v *= most / speed;
  }
}

void ObaScheme::freeze(double h) {
  freezer_.look(poses_, touching_pairs(), h, velocities_);
  for (const int body : world_.free_bodies()) {
    if (freezer_.frozen()[slot_of(body)] != 0) later_[slot_of(body)].setZero();
  }
}

/// Whether there are bodies that may still freeze.
bool ObaScheme::counts_calm_frames() const {
  const std::vector<int>& free = world_.free_bodies();
  return options_.freezing && std::any_of(free.begin(), free.end(), [&](int body) {
           return freezer_.frozen()[slot_of(body)] == 0;
         });
}

void ObaScheme::finish(State<3>& state, double h, StepReport<3>& report) {
  std::vector<Twist<3>> displacements(start_.size(), Twist<3>::Zero());
  for (std::size_t i = 0; i < start_.size(); ++i) {
    if (movable_[i] == 0) continue;
    displacements[i] = world_.displacement(static_cast<int>(i), start_[i], poses_[i]);
  }
  report.driven_work += world_.load_work(start_, displacements);
  for (std::size_t c = 0; c < touching_.contacts.size(); ++c) {
    const ObaContact& contact = touching_.contacts[c];
    if (touching_.impulses[c].isZero(0.0)) continue;
    report.contacts.push_back(
        {contact.id, contact.terms.at, contact.terms.normal, touching_.impulses[c] / h});
  }
  const auto stands = [](const Twist<3>& v) { return v.isZero(0.0); };
  report.repeats =
      poses_ == start_ && std::all_of(state.velocities.begin(), state.velocities.end(), stands) &&
      std::all_of(velocities_.begin(), velocities_.end(), stands) && !counts_calm_frames();
  state.poses = poses_;
  state.velocities = velocities_;
}

void ObaScheme::save(std::vector<double>& numbers) const {
  numbers.push_back(known_ ? 1.0 : 0.0);
  numbers.push_back(crushed_ ? 1.0 : 0.0);
  numbers.push_back(coming_work_);
  for (const Twist<3>& later : later_) {
    numbers.insert(numbers.end(), later.data(), later.data() + later.size());
  }
  numbers.insert(numbers.end(), pushed_.begin(), pushed_.end());
  numbers.insert(numbers.end(), held_.begin(), held_.end());
  freezer_.save(numbers);
}

const double* ObaScheme::load(const double* numbers) {
  known_ = *numbers++ != 0.0;
  crushed_ = *numbers++ != 0.0;
  coming_work_ = *numbers++;
  for (Twist<3>& later : later_) {
    std::copy_n(numbers, later.size(), later.data());
    numbers += later.size();
  }
  for (std::uint8_t& pushed : pushed_) pushed = *numbers++ != 0.0 ? 1 : 0;
  for (std::uint8_t& held : held_) held = *numbers++ != 0.0 ? 1 : 0;
  return freezer_.load(numbers);
}

std::unique_ptr<Scheme<3>> make_oba_scheme(const Scene<3>& scene,
                                           const SimulationOptions& options) {
  return std::make_unique<ObaScheme>(scene, options);
}

}  // namespace collapse::simulate
