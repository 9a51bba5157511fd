#include "simulate/event_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formulation/accelerated.hpp"
#include "formulation/painleve.hpp"
#include "simulate/event_collisions.hpp"
#include "simulate/row_contact.hpp"
#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Share of a body's size by which it moves on to see which edge a corner will be on.
constexpr double kAhead = 1e-8;
/// Share of a size beyond the end of an edge: rounding.
constexpr double kBeyondEdge = 1e-12;
/// Share of the accelerations without contacts: slower than that contacts do not close.
constexpr double kClosing = 1e-10;

/// Of Coulomb's law: where it has no answer there is no end.
constexpr int kCoulombRounds = 50;

/// So many contacts at most are searched for paradoxes together with the others.
constexpr std::size_t kSearchedContacts = 40;

}  // namespace

// --- measures ---------------------------------------------------------------------------------

template <int Dim>
EventScales<Dim>::EventScales(const World<Dim>& world, const SimulationOptions& options)
    : gravity_(world.acceleration().norm()),
      share_(1e-2 * options.event.tolerance),
      still_(std::max(1e-11, 4.0 * options.event.event_tolerance)) {
  const Scene<Dim>& scene = world.scene();
  const State<Dim> start = initial_state(scene);
  std::vector<Twist<Dim>> forces;
  world.external(start.poses, forces);
  double fastest = 0.0;
  double pushed = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const double size = scene.bodies[i].shape.size();
    sizes_.push_back(size);
    fastest = std::max(fastest, start.velocities[i].template head<Dim>().norm());
    if (!scene.bodies[i].free()) continue;
    pushed = std::max(pushed, forces[i].template head<Dim>().norm() / scene.bodies[i].mass.mass);
    const double distance = start.centre(scene, static_cast<int>(i)).norm();
    far_ = std::max(far_, 8.0 * std::numeric_limits<double>::epsilon() * distance);
  }
  const double smallest = std::isfinite(world.smallest_size()) ? world.smallest_size() : 1.0;
  if (gravity_ == 0.0) gravity_ = pushed;
  if (gravity_ == 0.0) gravity_ = fastest > 0.0 ? fastest * fastest / smallest : 1.0;
  time_ = std::sqrt(smallest / gravity_);
}

template <int Dim>
double EventScales<Dim>::speed(double size) const {
  return std::sqrt(gravity_ * size);
}

template <int Dim>
double EventScales<Dim>::touch(double size) const {
  return std::max(share_ * size, 10.0 * rounding(size));
}

template <int Dim>
double EventScales<Dim>::still(double size) const {
  return still_ * speed(size);
}

// --- what touches -----------------------------------------------------------------------------

double inside_edge(const contacts::MotionRow<2>& row, std::span<const Pose<2>> poses) {
  if (row.round || !std::isfinite(row.length)) return std::numeric_limits<double>::infinity();
  const Vec<2> point = poses[slot_of(row.point_body())].apply(row.point);
  const Pose<2>& line = poses[slot_of(row.line_body())];
  const Vec<2> along = line.turn(Vec<2>(-row.normal.y(), row.normal.x()));
  const double place = along.dot(point - line.apply(row.anchor));
  return std::min(place, row.length - place) / row.size;
}

double inside_edge(const contacts::MotionRow<3>& /*row*/, std::span<const Pose<3>> /*poses*/) {
  return std::numeric_limits<double>::infinity();
}

template <int Dim>
EventContacts<Dim>::EventContacts(const World<Dim>& world, const SimulationOptions& options,
                                  const EventScales<Dim>& scales)
    : world_(world), options_(options), scales_(scales), finder_(world.scene(), options.touch) {}

template <int Dim>
TouchingRow<Dim> EventContacts<Dim>::placed_at(const contacts::MotionRow<Dim>& row,
                                               const State<Dim>& state) const {
  TouchingRow<Dim> out{row, contacts::placed(row, state.poses), {}, 0.0};
  out.terms = ContactTerms<Dim>(world_, row, out.placed, state.poses);
  out.speed = out.terms.along_normal(state.velocities);
  return out;
}

/// A moment later.
template <int Dim>
State<Dim> EventContacts<Dim>::ahead(const State<Dim>& state) const {
  double time = scales_.time();
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    const double speed = world_.way_of(static_cast<int>(i), state.velocities[i]);
    if (speed * time > scales_.sizes()[i]) time = scales_.sizes()[i] / speed;
  }
  State<Dim> later = state;
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    later.poses[i] = world_.moved(static_cast<int>(i), state.poses[i],
                                  Twist<Dim>(kAhead * time * state.velocities[i]));
  }
  return later;
}

template <int Dim>
std::vector<TouchingRow<Dim>> EventContacts<Dim>::touching(
    const State<Dim>& state, std::span<const contacts::MotionRow<Dim>> more) {
  const State<Dim> later = ahead(state);
  finder_.find({later.poses, later.poses, 0.0}, rows_);
  for (const contacts::MotionRow<Dim>& row : more) {
    const bool known = std::any_of(rows_.begin(), rows_.end(),
                                   [&](const auto& other) { return other.id == row.id; });
    if (!known) rows_.push_back(row);
  }
  std::sort(rows_.begin(), rows_.end(), [](const auto& x, const auto& y) { return x.id < y.id; });
  std::vector<TouchingRow<Dim>> out;
  for (const contacts::MotionRow<Dim>& row : rows_) {
    TouchingRow<Dim> one = placed_at(row, state);
    if (one.placed.gap > scales_.touch(row.size)) continue;
    if (inside_edge(row, later.poses) < -kBeyondEdge) continue;
    out.push_back(std::move(one));
  }
  return out;
}

template <int Dim>
const std::vector<contacts::MotionRow<Dim>>& EventContacts<Dim>::on_the_way(const State<Dim>& from,
                                                                            const State<Dim>& to,
                                                                            double near) {
  finder_.find({from.poses, to.poses, near}, rows_);
  return rows_;
}

namespace {

/// Whether only the search tells how far a row goes: in space, and of a ball on a corner.
bool ends_by_search(const contacts::MotionRow<2>& row) {
  return row.round && (row.id.feature_a.kind == FeatureKind::vertex ||
                       row.id.feature_b.kind == FeatureKind::vertex);
}
bool ends_by_search(const contacts::MotionRow<3>& /*row*/) { return true; }

}  // namespace

template <int Dim>
bool EventContacts<Dim>::stays_in_place(const contacts::MotionRow<Dim>& row) {
  return !ends_by_search(row);
}

template <int Dim>
double EventContacts<Dim>::inside_edges(const State<Dim>& state,
                                        std::span<const HeldContact<Dim>> held) {
  const auto searched = [](const HeldContact<Dim>& contact) { return ends_by_search(contact.row); };
  if (std::any_of(held.begin(), held.end(), searched)) {
    // In space a moment later, as where the mode began: rows of flat contacts change there.
    const State<Dim> at = Dim == 3 ? ahead(state) : state;
    finder_.find({at.poses, at.poses, 0.0}, rows_);
  }
  double least = std::numeric_limits<double>::infinity();
  for (const HeldContact<Dim>& contact : held) {
    least = std::min(least, inside_edge(contact.row, state.poses));
    if (!searched(contact)) continue;
    const bool given = std::any_of(rows_.begin(), rows_.end(),
                                   [&](const auto& row) { return row.id == contact.row.id; });
    if (!given) return -1.0;
  }
  return least;
}

// --- how it goes on ---------------------------------------------------------------------------

namespace {

/// A contact that slides and that more force would press together if it were alone.
template <int Dim>
std::optional<std::size_t> pressed_on_alone(const Moment<Dim>& moment) {
  for (std::size_t c = 0; c < moment.contacts.size(); ++c) {
    if (!moment.slides(c)) continue;
    const Contact<Dim>& contact = moment.contacts[c];
    const Vec<Dim> force = contact.normal + moment.terms.contacts[c].drag;
    double answer = 0.0;
    for (const int body : {contact.id.a, contact.id.b}) {
      if (moment.free.block_of(body) < 0) continue;
      const auto i = slot_of(body);
      const MassProperties<Dim>& mass = moment.scene.bodies[i].mass;
      const Vec<Dim> lever = contact.point - moment.free.centres[i];
      const Inertia<Dim> inertia = world_inertia<Dim>(mass.inertia, moment.state.poses[i].rotation);
      const Spin<Dim> turn = inertia.inverse() * torque_of<Dim>(lever, force);
      answer += contact.normal.dot(force / mass.mass + spin_velocity<Dim>(turn, lever));
    }
    if (answer <= 0.0) return c;
  }
  return std::nullopt;
}

}  // namespace

template <int Dim>
HeldContact<Dim> EventContacts<Dim>::as_it_moves(const TouchingRow<Dim>& one,
                                                 const State<Dim>& state, double still) const {
  HeldContact<Dim> held{one.row};
  if (one.row.friction == 0.0) return held;
  const Vec<Dim> sliding = one.terms.tangents * one.terms.along_tangents(state.velocities);
  const double speed = sliding.norm();
  const bool slides = speed > still;
  held.hold = slides ? Hold::sliding : Hold::sticking;
  if (slides) held.slide = sliding / speed;
  return held;
}

template <int Dim>
std::vector<HeldContact<Dim>> EventContacts<Dim>::as_they_move(
    const State<Dim>& state, std::span<const HeldContact<Dim>> held) const {
  std::vector<HeldContact<Dim>> out;
  for (const HeldContact<Dim>& contact : held) {
    out.push_back(
        as_it_moves(placed_at(contact.row, state), state, scales_.still(contact.row.size)));
    if (contact.hold == Hold::smooth) out.back().hold = Hold::smooth;
  }
  return out;
}

template <int Dim>
Onward<Dim> EventContacts<Dim>::onward(const State<Dim>& state,
                                       std::span<const TouchingRow<Dim>> touching, double blur,
                                       std::span<const HeldContact<Dim>> last,
                                       StepReport<Dim>& report) {
  std::vector<HeldContact<Dim>> candidates;
  for (const TouchingRow<Dim>& one : touching) {
    const double still = std::max(blur, scales_.still(one.row.size));
    if (one.speed <= still) candidates.push_back(as_it_moves(one, state, still));
  }
  return onward_of(state, candidates, last, report);
}

template <int Dim>
double EventContacts<Dim>::weight_of(const ContactId& id) const {
  double lightest = std::numeric_limits<double>::infinity();
  for (const int body : {id.a, id.b}) {
    if (world_.block_of(body) < 0) continue;
    lightest = std::min(lightest, world_.scene().bodies[slot_of(body)].mass.mass);
  }
  return lightest * scales_.gravity();
}

template <int Dim>
Onward<Dim> EventContacts<Dim>::onward_of(const State<Dim>& state,
                                          std::span<const HeldContact<Dim>> held,
                                          std::span<const HeldContact<Dim>> last,
                                          StepReport<Dim>& report) {
  Onward<Dim> out;
  out.slow.assign(held.begin(), held.end());
  out.reference = scales_.gravity();
  PivotScales scales;
  std::vector<HeldContact<Dim>> guess;
  for (const HeldContact<Dim>& contact : held) {
    const contacts::PlacedRow<Dim> placed = contacts::placed(contact.row, state.poses);
    const ContactMotion<Dim> motion =
        contact_motion(world_.scene(), state, contact_of<Dim>(contact.row, placed),
                       facing_of_row(contact.row, placed, state.poses));
    out.reference = std::max(out.reference, motion.beta.norm());
    scales.forces.push_back(weight_of(contact.row.id));
    const auto known = std::find_if(last.begin(), last.end(), [&](const auto& other) {
      return other.row.id == contact.row.id;
    });
    guess.push_back(known == last.end() ? contact : *known);
  }
  scales.motion = out.reference;
  scales.closing = kClosing * out.reference;
  EventMode<Dim> mode(world_);
  mode.hold(out.slow, state);
  const std::optional<HeldMotion<Dim>> found = mode.find_holds(state, guess, scales);
  if (!found) return by_program(std::move(out), state, report);
  out.accelerations = found->accelerations;
  out.held = mode.contacts();
  return out;
}

/// Where pivoting finds nothing: the program finds more, and paradoxes are looked for.
template <int Dim>
Onward<Dim> EventContacts<Dim>::by_program(Onward<Dim> out, const State<Dim>& state,
                                           StepReport<Dim>& report) {
  const std::vector<HeldContact<Dim>>& held = out.slow;
  const Scene<Dim>& scene = world_.scene();
  const FreeBodies<Dim> free(scene, state);
  std::vector<Twist<Dim>> external = external_forces(scene, state, free, options_.loads);
  for (std::size_t i = 0; i < external.size(); ++i) {
    external[i].template tail<kSpins<Dim>>() += gyroscopic_torque(scene, state, free.bodies[i]);
  }
  Moment<Dim> moment{scene, state, free, external, {}, {}};
  for (const HeldContact<Dim>& contact : held) {
    const contacts::PlacedRow<Dim> placed = contacts::placed(contact.row, state.poses);
    const Contact<Dim> touching = contact_of<Dim>(contact.row, placed);
    const ContactMotion<Dim> motion =
        contact_motion(scene, state, touching, facing_of_row(contact.row, placed, state.poses));
    ContactTerm<Dim> term;
    term.rows = contact.hold == Hold::sticking ? ContactRows::cone : ContactRows::normal;
    term.beta = motion.beta;
    if (contact.hold == Hold::sliding) {
      const Vec<Dim> across = contact.slide - placed.normal.dot(contact.slide) * placed.normal;
      term.drag = -contact.row.friction * across.normalized();
    }
    moment.contacts.push_back(touching);
    moment.terms.contacts.push_back(term);
  }
  for (const Joint<Dim>& joint : scene.joints) {
    moment.terms.joints.push_back(joint_motion(scene, state, joint).gamma);
  }
  AccelerationOptions options;
  options.max_rounds = kCoulombRounds;
  options.threads = options_.threads;
  options.interrupt = options_.interrupt;
  const Accelerated<Dim> motion = solve_acceleration(moment, options);
  ++report.programs;
  report.iterations += motion.iterations;
  if (motion.status == Status::interrupted) report.interrupted = true;
  report.worst_residual = std::max(report.worst_residual, motion.residual);
  out.settled = motion.settled;
  out.accelerations = motion.x;
  const double zero = kNoMotion * out.reference;
  std::optional<std::size_t> paradox = pressed_on_alone(moment);
  if (held.size() <= kSearchedContacts && (paradox || !motion.settled)) {
    paradox = find_paradox(moment, motion, zero);
  } else if (motion.settled) {
    paradox.reset();
  }
  if (paradox) out.undecided = moment.contacts[*paradox].id;
  for (std::size_t c = 0; c < held.size(); ++c) {
    const Vec<Dim>& normal = moment.contacts[c].normal;
    const Vec<Dim> relative = moment.relative_acceleration(c, motion.x);
    if (normal.dot(relative) > zero) continue;
    HeldContact<Dim> contact = held[c];
    const Vec<Dim> across = relative - normal.dot(relative) * normal;
    if (contact.hold == Hold::sticking && across.norm() > zero) {
      contact.hold = Hold::sliding;
      contact.slide = across.normalized();
    }
    out.held.push_back(contact);
  }
  return out;
}

template class EventScales<2>;
template class EventScales<3>;
template class EventContacts<2>;
template class EventContacts<3>;

}  // namespace collapse::simulate
