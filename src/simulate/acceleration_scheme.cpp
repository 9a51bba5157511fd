#include "simulate/acceleration_scheme.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/model/path.hpp"
#include "simulate/impact.hpp"
#include "simulate/row_contact.hpp"
#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Times that a step is cut where a contact closes. Collisions after that penetrate and are dealt with in
/// the next step.
constexpr int kMaxClosures = 4;
/// Shorter parts of a step are not made.
constexpr double kShortestPart = 1e-3;
/// Contacts that push less than this share of what a body weighs count as open.
constexpr double kPushes = 1e-6;

/// Of the programs, free of units.
constexpr double kAccuracy = 1e-10;
/// Motions with a larger residual are taken, but the step counts as not settled.
constexpr double kTrustedMotion = 1e-7;

}  // namespace

AccelerationScheme::AccelerationScheme(const Scene<2>& scene, const SimulationOptions& options)
    : options_(options), world_(scene, options), finder_(scene, options.touch) {}

StepReport<2> AccelerationScheme::step(State<2>& state, double time, double h) {
  const State<2> before = state;
  StepReport<2> report;
  forces_.clear();
  closing_.clear();
  double done = 0.0;
  for (int closures = 0; done < h; ++closures) {
    double part = h - done;
    StepReport<2> trial = report;
    Attempt attempt = advance(state, time + done, part, trial);
    const double share =
        closures < kMaxClosures && !trial.interrupted ? until_closure(attempt, part) : 1.0;
    if (share < 1.0) {
      // Of what was tried only the cost remains.
      report.programs = trial.programs;
      report.iterations = trial.iterations;
      part = std::max(share * part, kShortestPart * h);
      attempt = advance(state, time + done, part, report);
    } else {
      report = std::move(trial);
    }
    if (report.interrupted) {
      state = before;
      return report;
    }
    // The last part ends where the step does, whatever its parts add up to.
    const bool last = h - done - part <= kShortestPart * h;
    finish_part(state, attempt, part, h, report);
    done = last ? h : done + part;
  }
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    if (world_.scene().bodies[i].motion.empty()) continue;
    state.poses[i] = path_pose(world_.scene().bodies[i], time + h);
  }
  measure_penetration(state, report);
  for (const ContactForce<2>& contact : forces_) report.contacts.push_back(contact);
  return report;
}

/// Velocities of the bodies on given paths, over a part of a step.
void AccelerationScheme::follow_paths(State<2>& state, double time, double h) const {
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    if (world_.scene().bodies[i].motion.empty()) continue;
    const int body = static_cast<int>(i);
    state.velocities[i] =
        world_.displacement(body, state.poses[i], path_pose(world_.scene().bodies[i], time + h)) /
        h;
  }
}

void AccelerationScheme::find_touching(const State<2>& state, std::vector<Touching>& touching) {
  finder_.find({state.poses, state.poses, 0.0}, rows_);
  touching.clear();
  for (const contacts::MotionRow<2>& row : rows_) {
    const contacts::PlacedRow<2> placed = contacts::placed(row, state.poses);
    const bool closing = std::binary_search(closing_.begin(), closing_.end(), row.id);
    if (placed.gap > options_.touch * row.size && !closing) continue;
    Touching contact;
    contact.row = row;
    contact.contact = contact_of<2>(row, placed);
    contact.facing = facing_of_row(row, placed, state.poses);
    touching.push_back(contact);
  }
}

/// Bodies that hit each other hard enough bounce, before they accelerate. All else that moves towards each
/// other is stopped by the acceleration program.
void AccelerationScheme::bounce(State<2>& state, const std::vector<Touching>& touching, double h,
                                StepReport<2>& report) {
  const double slow = h * world_.acceleration().norm();
  bool collides = false;
  Blocks blocks(state.poses.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = world_.block_of(static_cast<int>(i));
  std::vector<MovingJointRow<2>> joints;
  world_.joint_rows(state.poses, joints);
  SolverOptions solver_options;
  solver_options.threads = options_.threads;
  solver_options.interrupt = options_.interrupt;
  Solver solver(solver_options);
  Impact<2> impact(world_, options_, solver, {state.poses, blocks, joints});
  for (const Touching& one : touching) {
    ImpactContact<2> contact;
    contact.id = one.row.id;
    contact.terms = ContactTerms<2>(
        world_, one.row, {one.contact.point, one.contact.normal, one.contact.gap}, state.poses);
    contact.mu = one.row.friction;
    contact.restitution = one.row.restitution;
    const double approach = contact.terms.along_normal(state.velocities);
    if (approach < -slow) {
      contact.approach = approach;
      collides = collides || contact.restitution > 0.0 || options_.impact == ImpactRule::sequential;
    }
    impact.add(contact);
  }
  if (!collides) return;
  const std::vector<Twist<2>> velocities = state.velocities;
  impact.resolve(velocities, state.velocities, report);
}

/// Slower than the accuracy of the programs can tell from rest.
bool AccelerationScheme::is_still(int body, const Twist<2>& velocity, double h) const {
  const Body<2>& solid = world_.scene().bodies[slot_of(body)];
  const double speed =
      velocity.head<2>().norm() + std::abs(velocity[2]) * solid.shape.reach(solid.mass.centre);
  return speed <= kRestShare * 4.0 * h * world_.acceleration().norm();
}

AccelerationScheme::Attempt AccelerationScheme::advance(const State<2>& start, double time,
                                                        double h, StepReport<2>& report) {
  Attempt attempt{start, start, {}, {}};
  State<2>& state = attempt.start;
  follow_paths(state, time, h);
  find_touching(state, attempt.touching);
  bounce(state, attempt.touching, h, report);
  accelerate(attempt, h, report);
  attempt.end = state;
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    const int body = static_cast<int>(i);
    if (world_.block_of(body) >= 0) {
      Twist<2>& velocity = attempt.end.velocities[i];
      const bool rested = is_still(body, velocity, h);
      velocity += h * attempt.motion.x.segment<3>(3 * world_.block_of(body));
      if (rested && is_still(body, velocity, h)) velocity.setZero();
      attempt.end.poses[i] =
          world_.moved(body, state.poses[i], Twist<2>(h * attempt.end.velocities[i]));
    } else if (!world_.scene().bodies[i].motion.empty()) {
      attempt.end.poses[i] = path_pose(world_.scene().bodies[i], time + h);
    }
  }
  return attempt;
}

void AccelerationScheme::accelerate(Attempt& attempt, double h, StepReport<2>& report) {
  const Scene<2>& scene = world_.scene();
  const State<2>& state = attempt.start;
  const FreeBodies<2> free(scene, state);
  const std::vector<Twist<2>> external = external_forces(scene, state, free, options_.loads);
  Moment<2> moment{scene, state, free, external, {}, {}};
  for (const Touching& one : attempt.touching) {
    const ContactMotion<2> motion = contact_motion(scene, state, one.contact, one.facing);
    ContactTerm<2> term;
    if (one.contact.friction == 0.0) {
      term.rows = ContactRows::normal;
    } else if (options_.friction_law == FrictionLaw::coulomb) {
      term.rows = ContactRows::cone;
    }
    term.beta = motion.beta + motion.velocity / h;
    moment.contacts.push_back(one.contact);
    moment.terms.contacts.push_back(term);
  }
  for (const Joint<2>& joint : scene.joints) {
    const JointMotion<2> motion = joint_motion(scene, state, joint);
    moment.terms.joints.push_back(motion.gamma + motion.velocity / h);
  }
  AccelerationOptions options;
  options.tolerance = kAccuracy;
  options.settled = kTrustedMotion;
  options.threads = options_.threads;
  options.interrupt = options_.interrupt;
  attempt.motion = solve_acceleration(moment, options);
  count(attempt.motion, report);
  if (attempt.motion.status != Status::infeasible) return;
  // A body on a given path crushes something: it goes through, and that is said.
  report.crushed = true;
  std::vector<Touching> kept;
  for (const Touching& one : attempt.touching) {
    const auto given = [&](int body) { return !scene.bodies[slot_of(body)].motion.empty(); };
    if (!given(one.contact.id.a) && !given(one.contact.id.b)) {
      kept.push_back(one);
      continue;
    }
    const std::string what = world_.crushed_line(one.contact.id.a, one.contact.id.b);
    if (std::find(report.incidents.begin(), report.incidents.end(), what) ==
        report.incidents.end()) {
      report.incidents.push_back(what);
    }
  }
  if (kept.size() < attempt.touching.size()) {
    attempt.touching = std::move(kept);
    accelerate(attempt, h, report);
  } else {
    report.incidents.emplace_back("the joints and given paths leave no room");
  }
}

void AccelerationScheme::count(const Accelerated<2>& motion, StepReport<2>& report) const {
  ++report.programs;
  report.iterations += motion.iterations;
  if (motion.status == Status::interrupted) report.interrupted = true;
  if (motion.status == Status::infeasible) return;
  report.worst_residual = std::max(report.worst_residual, motion.residual);
  report.settled = report.settled && motion.settled;
}

/// The share of the attempt after which the first contact closes that was open at its start; notes which.
double AccelerationScheme::until_closure(const Attempt& attempt, double h) {
  finder_.find({attempt.start.poses, attempt.end.poses, 0.0}, rows_);
  double first = 1.0;
  std::vector<std::pair<double, ContactId>> closures;
  for (const contacts::MotionRow<2>& row : rows_) {
    const contacts::PlacedRow<2> start = contacts::placed(row, attempt.start.poses);
    const double end = contacts::placed(row, attempt.end.poses).gap;
    if (start.gap <= options_.touch * row.size || end >= 0.0) continue;
    if (std::binary_search(closing_.begin(), closing_.end(), row.id)) continue;
    // A shorter part ends with another velocity: its gap is quadratic in its length.
    const double way = h * ContactTerms<2>(world_, row, start, attempt.start.poses)
                               .along_normal(attempt.start.velocities);
    const double curved = end - start.gap - way;
    const double root = std::sqrt(std::max(0.0, way * way - 4.0 * curved * start.gap));
    const double share = std::clamp(2.0 * start.gap / (root - way), 0.0, 1.0);
    closures.emplace_back(share, row.id);
    first = std::min(first, share);
  }
  // Those that close at the same time close together: both ends of a brick that lands flat.
  for (const auto& [share, id] : closures) {
    if (share <= first + kShortestPart) next_closing_.push_back(id);
  }
  return first;
}

void AccelerationScheme::finish_part(State<2>& state, const Attempt& attempt, double part, double h,
                                     StepReport<2>& report) {
  std::sort(next_closing_.begin(), next_closing_.end());
  closing_ = std::move(next_closing_);
  next_closing_.clear();
  std::vector<Twist<2>> displacements(state.poses.size(), Twist<2>::Zero());
  for (std::size_t i = 0; i < displacements.size(); ++i) {
    displacements[i] =
        world_.displacement(static_cast<int>(i), state.poses[i], attempt.end.poses[i]);
  }
  report.driven_work += world_.load_work(state.poses, displacements);
  double lightest = 0.0;
  for (const int body : world_.free_bodies()) {
    const double weight =
        world_.scene().bodies[slot_of(body)].mass.mass * world_.acceleration().norm();
    if (lightest == 0.0 || weight < lightest) lightest = weight;
  }
  for (std::size_t c = 0; c < attempt.touching.size(); ++c) {
    const Contact<2>& contact = attempt.touching[c].contact;
    const Vec<2>& force = attempt.motion.forces.contacts[c];
    if (force.norm() <= kPushes * lightest) continue;
    note_force({contact.id, contact.point, contact.normal, part / h * force});
    for (const auto& [body, sign] : {std::pair(contact.id.a, -1.0), {contact.id.b, 1.0}}) {
      if (world_.scene().bodies[slot_of(body)].motion.empty()) continue;
      const Vec<2> lever = contact.point - world_.centre(body, state.poses);
      report.driven_work -=
          wrench_of<2>(lever, Vec<2>(sign * force)).dot(displacements[slot_of(body)]);
    }
  }
  state = attempt.end;
}

/// Adds to what the contact carried in earlier parts of the step.
void AccelerationScheme::note_force(const ContactForce<2>& force) {
  const auto same = std::find_if(forces_.begin(), forces_.end(),
                                 [&](const auto& known) { return known.id == force.id; });
  if (same == forces_.end()) {
    forces_.push_back(force);
  } else {
    same->force += force.force;
  }
}

void AccelerationScheme::measure_penetration(const State<2>& state, StepReport<2>& report) {
  finder_.find({state.poses, state.poses, 0.0}, rows_);
  for (const contacts::MotionRow<2>& row : rows_) {
    report.penetration = std::max(report.penetration, -contacts::placed(row, state.poses).gap);
  }
}

std::unique_ptr<Scheme<2>> make_acceleration_scheme(const Scene<2>& scene,
                                                    const SimulationOptions& options) {
  return std::make_unique<AccelerationScheme>(scene, options);
}

}  // namespace collapse::simulate
