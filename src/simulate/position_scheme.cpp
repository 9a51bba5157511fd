#include "simulate/position_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collapse/core/error.hpp"
#include "collapse/model/path.hpp"
#include "simulate/impact.hpp"

namespace collapse::simulate {
namespace {

/// Gaps and joints fit if they are met to this share of the touch tolerance.
constexpr double kFitShare = 0.01;
/// Of the programs, free of units: relative to what a body falls in a step.
constexpr double kProgramTolerance = 1e-11;
/// The same where something moves: the last digits are only to tell rest from motion.
constexpr double kMovingTolerance = 1e-9;
/// Programs per step at most. Most steps need one to three.
constexpr int kRounds = 40;
/// From this round on rows are only added: a row that comes and goes must not keep the step from settling.
constexpr int kSettledRows = 6;
/// From this round on σ only goes down, so that friction that has not settled lifts a little and does not let
/// penetrate.
constexpr int kSettling = 34;
/// Rounds before the iteration for σ is accelerated: few, so that steps with little friction need no more.
constexpr int kWholeWay = 2;
/// A round in which σ changes more than the least so far by this factor was led astray by the acceleration.
constexpr double kAstray = 3.0;
/// Contacts that push less than this share of what falls in a step count as open.
constexpr double kCarries = 1e-6;
/// Of what falls in a step: what a body at rest moves by no more than this is not known to move at all.
constexpr double kStill = 1e-8;
/// Of what falls in a step: a body that was at rest and moves by less may be at rest, which takes the last digits to
/// tell.
constexpr double kNearlyStill = 1e-3;
/// From this round on the last digits are given up: beside a body that stays where it is gaps may contradict each other
/// in them.
constexpr int kPatientRounds = 10;
/// Share of the inverse mass at a contact: the compliance of the programs. It is counted from the multipliers of the
/// last program, so that it vanishes as the rounds settle; it makes multipliers unique and programs well behaved.
constexpr double kCompliance = 1e-5;
/// Inverse masses at contacts count for the compliance up to this multiple of the least one.
constexpr double kMassRatio = 100.0;
/// A program with a larger residual is solved again from scratch, and reported if that does not help.
constexpr double kTrusted = 1e-7;
/// Programs at most to take away overlap.
constexpr int kOverlapRounds = 8;
/// Of the soft program that takes the place of one without solution: share of the inverse mass at a contact.
constexpr double kSoftness = 1e-3;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

SolverOptions solver_options(const SimulationOptions& options) {
  SolverOptions out;
  out.threads = options.threads;
  out.interrupt = options.interrupt;
  out.tolerance = out.complementarity_tolerance = kProgramTolerance;
  return out;
}

}  // namespace

PositionScheme::PositionScheme(const Scene<2>& scene, const SimulationOptions& options,
                               Friction friction)
    : options_(options),
      smooth_(friction == Friction::none),
      world_(scene, options),
      finder_(scene, options.touch),
      freezer_(scene),
      solver_(solver_options(options)),
      impact_solver_(solver_options(options)) {}

void PositionScheme::forget() {
  solver_ = Solver(solver_options(options_));
  impact_solver_ = Solver(solver_options(options_));
  rests_ = false;
  held_.clear();
  gains_.clear();
  freezer_.wake_all();
}

double PositionScheme::tolerance(double size) const { return kFitShare * options_.touch * size; }

double PositionScheme::inverse_mass(const ContactTerms& terms) const {
  double inverse = 0.0;
  for (const auto& [body, row] : {std::pair(terms.a, terms.normal_a), {terms.b, terms.normal_b}}) {
    if (blocks_[index(body)] < 0) continue;
    inverse += row.cwiseProduct(world_.mass_matrix(body).diagonal().cwiseInverse()).dot(row);
  }
  return inverse;
}

double PositionScheme::joint_softness(const MovingJointRow& joint) const {
  const Joint<2>& source = world_.scene().joints[index(joint.joint)];
  double inverse = 0.0;
  for (const auto& [body, row] :
       {std::pair(source.a, joint.row.on_a), {source.b, joint.row.on_b}}) {
    if (block_of(body) < 0) continue;
    inverse += row.cwiseProduct(world_.mass_matrix(body).diagonal().cwiseInverse()).dot(row);
  }
  return kSoftness * inverse;
}

double PositionScheme::way_of(int body, const Twist<2>& x) const {
  const Body<2>& solid = world_.scene().bodies[index(body)];
  return x.head<2>().norm() + std::abs(x[2]) * solid.shape.reach(solid.mass.centre);
}

bool PositionScheme::carries(const Entry& entry) const {
  return entry.push > kCarries * (near_ + tolerance(entry.row.size));
}

StepReport PositionScheme::step(State<2>& state, double time, double h) {
  if (h == h_ && is_repeat(state, time)) return rest_;
  StepReport report;
  begin(state, time, h);
  report.settled = false;
  for (int round = 0; round < kRounds && !report.settled; ++round) {
    round_ = round;
    if (round == 0 || !rows_are_current()) find_rows(round >= kSettledRows);
    linearise();
    update_sigma(round);
    build_program(Stiffness::normal);
    if (!solve_program(report)) {
      report.interrupted = true;
      return report;
    }
    report.settled = fits();
    // Rest is for ever: to be seen twice.
    if (report.settled && round == 0 && something_stopped_) report.settled = false;
  }
  if (!report.settled && !give_way(report)) {
    report.interrupted = true;
    return report;
  }
  bounce(state, report);
  remove_overlap(report);
  finish(state, report);
  rests_ = state.poses == start_;
  if (rests_) {
    rest_ = report;
    rest_.programs = rest_.iterations = 0;
  }
  return report;
}

/// A step from rest that ended where it began ends there again.
bool PositionScheme::is_repeat(const State<2>& state, double time) const {
  if (!rests_ || state.poses != start_) return false;
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    if (!state.velocities[i].isZero(0.0)) return false;
    const bool driven = !world_.scene().bodies[i].motion.empty();
    if (driven && !(path_pose(world_.scene().bodies[i], time + h_) == start_[i])) return false;
  }
  return true;
}

void PositionScheme::begin(const State<2>& state, double time, double h) {
  h_ = h;
  near_ = 4.0 * h * h * world_.acceleration().norm();
  start_ = poses_ = state.poses;
  world_.external(start_, external_);
  const std::size_t bodies = start_.size();
  targets_.assign(bodies, Twist<2>::Zero());
  displacements_.assign(bodies, Twist<2>::Zero());
  blocks_.assign(bodies, -1);
  at_rest_.assign(bodies, 0);
  bool moves = false;
  const bool goes_on = gains_.size() == bodies && h == gained_in_;
  for (std::size_t i = 0; i < bodies; ++i) {
    const int body = static_cast<int>(i);
    const Body<2>& solid = world_.scene().bodies[i];
    if (solid.free()) {
      const Twist<2> way = h * state.velocities[i];
      targets_[i] = way;
      targets_[i].head<2>() += h * h / solid.mass.mass * external_[i].head<2>();
      targets_[i][2] += h * h / solid.mass.inertia(0, 0) * external_[i][2];
      displacements_[i] = way;
      // As in the last step, unless that was an impact. It is only where the rounds begin.
      if (goes_on && way_of(body, gains_[i]) <= near_) displacements_[i] += gains_[i];
      at_rest_[i] = way_of(body, way) <= kStill * near_ ? 1 : 0;
      moves = moves || at_rest_[i] == 0;
      poses_[i] = world_.moved(body, start_[i], displacements_[i]);
    } else if (!solid.motion.empty()) {
      poses_[i] = path_pose(solid, time + h);
      displacements_[i] = world_.displacement(body, start_[i], poses_[i]);
    }
  }
  solver_.set_tolerance(moves ? kMovingTolerance : kProgramTolerance);
  give_blocks();
  entries_.clear();
}

/// Frozen bodies have none: they are where they are.
void PositionScheme::give_blocks() {
  active_.clear();
  std::fill(blocks_.begin(), blocks_.end(), -1);
  still_.assign(blocks_.size(), 1);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Body<2>& solid = world_.scene().bodies[i];
    if (solid.free() && freezer_.frozen()[i] == 0) {
      blocks_[i] = static_cast<int>(active_.size());
      active_.push_back(static_cast<int>(i));
      still_[i] = 0;
    } else if (!solid.motion.empty() && !displacements_[i].isZero(0.0)) {
      still_[i] = 0;
    }
  }
}

/// Rows were found with room for bodies to end up a little beside where they were expected.
bool PositionScheme::rows_are_current() const {
  const double room = 0.25 * (near_ + contacts::MotionContacts::kNear * world_.smallest_size());
  for (const int body : active_) {
    if (way_of(body, displacements_[index(body)] - found_for_[index(body)]) > room) return false;
  }
  return true;
}

void PositionScheme::find_rows(bool keep_all) {
  finder_.find({start_, poses_, near_, still_}, rows_);
  if (options_.freezing) wake_touched();
  found_for_ = displacements_;
  const auto by_id = [](const Entry& x, const Entry& y) { return x.row.id < y.row.id; };
  std::vector<Entry> old = std::move(entries_);
  entries_.clear();
  for (const contacts::MotionRow& row : rows_) {
    Entry entry;
    entry.row = row;
    const contacts::PlacedRow placed = contacts::placed(row, start_);
    entry.start_gap = placed.gap;
    entry.least_gap = std::min(0.0, placed.gap);
    const bool touches = placed.gap <= options_.touch * row.size;
    const bool rough = options_.friction_law == FrictionLaw::coulomb || touches;
    entry.mu = rough && !smooth_ ? row.friction : 0.0;
    entries_.push_back(entry);
  }
  for (Entry& entry : entries_) {
    const auto held =
        std::lower_bound(held_.begin(), held_.end(), entry.row.id,
                         [](const Held& x, const ContactId& id) { return x.id < id; });
    if (held != held_.end() && held->id == entry.row.id)
      entry.multipliers = h_ * h_ * held->multipliers;
    const auto same = std::lower_bound(old.begin(), old.end(), entry, by_id);
    if (same != old.end() && same->row.id == entry.row.id) {
      entry.sigma = same->sigma;
      entry.push = same->push;
      entry.multipliers = same->multipliers;
    }
  }
  if (keep_all) {
    const auto known = static_cast<std::ptrdiff_t>(entries_.size());
    for (const Entry& entry : old) {
      if (!std::binary_search(entries_.begin(), entries_.begin() + known, entry, by_id)) {
        entries_.push_back(entry);
      }
    }
    std::sort(entries_.begin(), entries_.end(), by_id);
  }
}

void PositionScheme::linearise() {
  for (Entry& entry : entries_) {
    const contacts::PlacedRow placed = contacts::placed(entry.row, poses_);
    entry.gap = placed.gap;
    entry.terms = ContactTerms(world_, entry.row, placed, poses_);
  }
  world_.joint_rows(poses_, joints_);
}

/// Coulomb's law asks for σ = |t·u|: a fixed point.
void PositionScheme::update_sigma(int round) {
  if (options_.friction_law == FrictionLaw::associated) {
    for (Entry& entry : entries_) entry.sigma = 0.0;
    return;
  }
  std::vector<Entry*> rough;
  std::vector<ContactId> which;
  for (Entry& entry : entries_) {
    if (entry.mu == 0.0) {
      entry.sigma = 0.0;
    } else {
      rough.push_back(&entry);
      which.push_back(entry.row.id);
    }
  }
  const bool same = which == rough_;
  rough_ = std::move(which);
  const auto count = static_cast<Eigen::Index>(rough.size());
  Eigen::VectorXd sigma(count);
  Eigen::VectorXd slid(count);
  double change = 0.0;
  for (Eigen::Index k = 0; k < count; ++k) {
    const Entry& entry = *rough[static_cast<std::size_t>(k)];
    slid[k] = std::abs(entry.terms.along_tangent(displacements_));
    // Where nothing pushes, any σ will do.
    sigma[k] = entry.sigma < 0.0 || (round > 0 && !carries(entry)) ? slid[k] : entry.sigma;
    if (entry.push > 0.0) change = std::max(change, std::abs(slid[k] - sigma[k]));
  }
  if (!same || round <= kWholeWay || change > kAstray * best_slip_) {
    anderson_.forget();
    best_slip_ = std::numeric_limits<double>::infinity();
  }
  best_slip_ = std::min(best_slip_, change);
  const Eigen::VectorXd next = round < kWholeWay ? slid : anderson_.next(sigma, slid);
  for (Eigen::Index k = 0; k < count; ++k) {
    Entry& entry = *rough[static_cast<std::size_t>(k)];
    entry.sigma = round >= kSettling ? std::min(sigma[k], slid[k]) : std::max(0.0, next[k]);
  }
}

void PositionScheme::build_program(Stiffness stiffness) {
  const double share = stiffness == Stiffness::soft     ? kSoftness
                       : stiffness == Stiffness::normal ? kCompliance
                                                        : 0.0;
  program_.clear();
  for (const int body : active_) {
    const Eigen::Matrix3d M = world_.mass_matrix(body);
    program_.add_block(M, M * targets_[index(body)]);
  }
  // What a light body carries may be heavy: compliance by the light one's mass would not vanish in the rounds.
  double least = std::numeric_limits<double>::infinity();
  for (const int body : active_) {
    least = std::min(least, 1.0 / world_.scene().bodies[index(body)].mass.mass);
  }
  int row = 0;
  for (Entry& entry : entries_) {
    entry.first_row = row;
    Program::Traits traits;
    traits.id = group_id(entry.row.id);
    // What gives way in a first round must not tilt bodies that are small beside what falls in a step.
    const double small = near_ > 0.0 ? std::min(1.0, entry.row.size / near_) : 1.0;
    entry.compliance = traits.compliance = (stiffness == Stiffness::normal ? small : 1.0) * share *
                                           std::min(inverse_mass(entry.terms), kMassRatio * least);
    const double bound = entry.least_gap - entry.gap + entry.terms.along_normal(displacements_);
    entry.rows = add_contact(program_, blocks_, displacements_, entry.terms, entry.mu, bound,
                             entry.sigma, entry.compliance * entry.multipliers, traits);
    row += entry.rows;
  }
  for (const MovingJointRow& joint : joints_) {
    const Joint<2>& source = world_.scene().joints[index(joint.joint)];
    double bound = -joint.row.error;
    const int block_a = block_of(source.a);
    const int block_b = block_of(source.b);
    if (block_a >= 0) bound += joint.row.on_a.dot(displacements_[index(source.a)]);
    if (block_b >= 0) bound += joint.row.on_b.dot(displacements_[index(source.b)]);
    const auto id = static_cast<std::uint64_t>(joint.joint) * 8 +
                    static_cast<std::uint64_t>(joint.number) * 2 + 2;
    // Given up only where there is no room: joints are equations, and hard ones unless contacts are soft.
    const double compliance = stiffness == Stiffness::soft ? joint_softness(joint) : 0.0;
    add_joint(program_, world_, blocks_, joint, bound, {.compliance = compliance, .id = id});
  }
}

bool PositionScheme::solve_program(StepReport& report) {
  const Solution* solution = &solver_.solve(program_);
  report.count(*solution);
  if (solution->status == Status::interrupted) return false;
  if (solution->status != Status::optimal && !(solution->residuals.worst() <= kTrusted)) {
    solver_ = Solver(solver_options(options_));
    solution = &solver_.solve(program_);
    report.count(*solution);
    if (solution->status == Status::interrupted) return false;
    if (!(solution->residuals.worst() <= kTrusted) && solution->status != Status::infeasible) {
      report.incidents.push_back(
          fmt::format("a program was solved to {:.1e} only", solution->residuals.worst()));
    }
  }
  if (solution->x.allFinite() && solution->status != Status::infeasible) take_solution(*solution);
  return true;
}

/// Where the rounds do not settle, something given may leave no room. Then softly, so that the motion goes on and is
/// seen. False if it was interrupted.
bool PositionScheme::give_way(StepReport& report) {
  linearise();
  build_program(Stiffness::hard);
  const Solution solution = solve(program_, solver_options(options_));
  report.count(solution);
  if (solution.status == Status::interrupted) return false;
  if (solution.status != Status::infeasible) return true;
  std::string where = "joints and given paths leave no room";
  double largest = 0.0;
  for (const Entry& entry : entries_) {
    const double share = std::abs(solution.ray[entry.first_row]);
    if (share <= largest) continue;
    largest = share;
    int crushed = entry.row.id.a;
    int against = entry.row.id.b;
    if (!world_.scene().bodies[index(crushed)].free()) std::swap(crushed, against);
    where = fmt::format("\"{}\" is crushed against \"{}\"",
                        printable(world_.scene().body_name(crushed)),
                        printable(world_.scene().body_name(against)));
  }
  report.incidents.push_back(where);
  report.crushed = true;
  for (Entry& entry : entries_) entry.multipliers.setZero();
  build_program(Stiffness::soft);
  return solve_program(report);
}

void PositionScheme::take_solution(const Solution& solution) {
  something_stopped_ = false;
  change_ = 0.0;
  for (const int body : active_) {
    Twist<2> x = solution.x.segment<3>(3 * blocks_[index(body)]);
    if (is_still(body, x)) {
      something_stopped_ = something_stopped_ || !x.isZero(0.0);
      x.setZero();
    }
    const bool may_rest = at_rest_[index(body)] != 0 && way_of(body, x) <= kNearlyStill * near_;
    if (may_rest) change_ = std::max(change_, way_of(body, x - displacements_[index(body)]));
    displacements_[index(body)] = x;
    poses_[index(body)] = world_.moved(body, start_[index(body)], x);
  }
  for (Entry& entry : entries_) {
    entry.force = force_of(entry.terms, entry.mu, solution.lambda, entry.first_row) / (h_ * h_);
    Eigen::Vector2d multipliers = Eigen::Vector2d::Zero();
    multipliers.head(entry.rows) = solution.lambda.segment(entry.first_row, entry.rows);
    entry.give = entry.compliance * (multipliers - entry.multipliers).cwiseAbs().maxCoeff();
    entry.multipliers = multipliers;
    entry.push = h_ * h_ * entry.force.norm() * inverse_mass(entry.terms);
  }
}

/// Where nothing is known to move, the gap has no part in the answer; where it may be that nothing moves, it has to be
/// known better.
double PositionScheme::give_tolerance(const Entry& entry) const {
  const double tol = tolerance(entry.row.size);
  bool moves = false;
  for (const int body : {entry.row.id.a, entry.row.id.b}) {
    if (blocks_[index(body)] < 0) continue;
    const Twist<2>& x = displacements_[index(body)];
    if (!at_rest_[index(body)] || way_of(body, x) > kNearlyStill * near_) return tol;
    moves = moves || !x.isZero(0.0);
  }
  if (round_ >= kPatientRounds) return tol;
  return moves ? std::min(tol, 0.1 * kStill * near_) : std::numeric_limits<double>::infinity();
}

/// What was at rest and moves by no more than the accuracy of the programs stays where it is.
bool PositionScheme::is_still(int body, const Twist<2>& x) const {
  return at_rest_[index(body)] && way_of(body, x) <= kStill * near_;
}

bool PositionScheme::fits() {
  // Forces act along normals of the last round: what is only a little tilted then is pushed aside.
  if (round_ < kPatientRounds && change_ > 0.1 * kStill * near_) return false;
  for (const Entry& entry : entries_) {
    const contacts::PlacedRow placed = contacts::placed(entry.row, poses_);
    const double excess = placed.gap - entry.least_gap;
    const double tol = tolerance(entry.row.size);
    double lift = 0.0;  // that the law of friction allows
    if (options_.friction_law == FrictionLaw::associated && entry.mu > 0.0) {
      lift = entry.mu * std::abs(entry.terms.along_tangent(displacements_));
    }
    if (excess < lift - tol || entry.give > give_tolerance(entry)) return false;
    if (std::min(excess - lift, entry.push) > tol) return false;
  }
  world_.joint_rows(poses_, joints_);
  for (const MovingJointRow& joint : joints_) {
    if (std::abs(joint.row.error) > tolerance(joint.size)) return false;
  }
  if (rows_are_current()) return true;
  // The motion went elsewhere: what is there now must fit, and what carries must still be there.
  finder_.find({start_, poses_, near_, still_}, rows_);
  for (const contacts::MotionRow& row : rows_) {
    const double least = std::min(0.0, contacts::placed(row, start_).gap);
    if (contacts::placed(row, poses_).gap < least - tolerance(row.size)) return false;
  }
  for (const Entry& entry : entries_) {
    if (!carries(entry)) continue;
    const bool there = std::binary_search(
        rows_.begin(), rows_.end(), entry.row,
        [](const contacts::MotionRow& x, const contacts::MotionRow& y) { return x.id < y.id; });
    if (!there) return false;
  }
  return true;
}

void PositionScheme::bounce(const State<2>& state, StepReport& report) {
  velocities_ = displacements_;
  for (Twist<2>& velocity : velocities_) velocity /= h_;
  Impact impact(world_, options_, impact_solver_, blocks_, joints_);
  const double slow = h_ * world_.acceleration().norm();
  bool collides = false;
  for (const Entry& entry : entries_) {
    const contacts::PlacedRow placed = contacts::placed(entry.row, poses_);
    const bool touches = carries(entry) || placed.gap <= options_.touch * entry.row.size;
    if (!touches) continue;
    ImpactContact contact;
    contact.terms = ContactTerms(world_, entry.row, placed, poses_);
    contact.mu = entry.mu;
    contact.restitution = entry.row.restitution;
    const double before = contact.terms.along_normal(state.velocities);
    if (before < -slow) {
      // When it hits, it has fallen freely for a part of the step.
      const double when = std::min(h_, std::max(0.0, entry.start_gap) / -before);
      double push = 0.0;
      for (const auto& [body, row] : {std::pair(entry.row.id.a, contact.terms.normal_a),
                                      {entry.row.id.b, contact.terms.normal_b}}) {
        if (blocks_[index(body)] < 0) continue;
        push += row.cwiseProduct(world_.mass_matrix(body).diagonal().cwiseInverse())
                    .dot(external_[index(body)]);
      }
      contact.approach = before + when * push;
      if (contact.approach < 0.0 && contact.restitution > 0.0) collides = true;
      if (contact.approach < 0.0 && options_.impact == ImpactRule::sequential) collides = true;
    }
    impact.add(contact);
  }
  if (collides) impact.resolve(state.velocities, velocities_, report);
}

/// Overlap without a trace in the velocities: what is new (of a step that has not settled) is taken away, of what
/// is left from before half in each step.
void PositionScheme::remove_overlap(StepReport& report) {
  const std::vector<Twist<2>> none(start_.size(), Twist<2>::Zero());
  for (int round = 0; round < kOverlapRounds; ++round) {
    double deepest = 0.0;
    report.penetration = 0.0;
    for (Entry& entry : entries_) {
      const contacts::PlacedRow placed = contacts::placed(entry.row, poses_);
      entry.gap = placed.gap;
      entry.terms = ContactTerms(world_, entry.row, placed, poses_);
      report.penetration = std::max(report.penetration, -placed.gap);
      deepest = std::max(deepest, (0.5 * entry.least_gap - placed.gap) / entry.row.size);
    }
    if (deepest <= 2.0 * kFitShare * options_.touch || report.crushed) return;
    Program program;
    for (const int body : active_) {
      program.add_block(world_.mass_matrix(body), Eigen::Vector3d::Zero());
    }
    for (const Entry& entry : entries_) {
      const double least = entry.gap < 0.0 ? 0.5 * entry.least_gap : 0.0;
      add_contact(program, blocks_, none, entry.terms, 0.0, least - entry.gap, 0.0,
                  Eigen::Vector2d::Zero(), {});
    }
    world_.joint_rows(poses_, joints_);
    for (const MovingJointRow& joint : joints_)
      add_joint(program, world_, blocks_, joint, -joint.row.error, {});
    const Solution solution = solve(program, solver_options(options_));
    report.count(solution);
    if (solution.status != Status::optimal && !(solution.residuals.worst() <= kTrusted)) return;
    for (const int body : active_) {
      poses_[index(body)] = world_.moved(body, poses_[index(body)],
                                         Twist<2>(solution.x.segment<3>(3 * blocks_[index(body)])));
    }
  }
}

void PositionScheme::finish(State<2>& state, StepReport& report) {
  held_.clear();
  for (const Entry& entry : entries_)
    held_.push_back({entry.row.id, entry.multipliers / (h_ * h_)});
  report.driven_work = world_.load_work(start_, displacements_);
  for (const Entry& entry : entries_) {
    if (!carries(entry)) continue;
    report.contacts.push_back({entry.row.id, entry.terms.at, entry.terms.normal, entry.force});
    for (const auto& [body, sign] : {std::pair(entry.row.id.a, -1.0), {entry.row.id.b, 1.0}}) {
      if (world_.scene().bodies[index(body)].motion.empty()) continue;
      const Vec<2> lever = entry.terms.at - world_.centre(body, poses_);
      report.driven_work -=
          wrench_of<2>(lever, Vec<2>(sign * entry.force)).dot(displacements_[index(body)]);
    }
  }
  if (options_.freezing) {
    report.contacts.insert(report.contacts.end(), freezer_.contacts().begin(),
                           freezer_.contacts().end());
    freeze();
  }
  gains_.resize(velocities_.size());
  gained_in_ = h_;
  for (std::size_t i = 0; i < gains_.size(); ++i) {
    gains_[i] = h_ * (velocities_[i] - state.velocities[i]);
  }
  state.poses = poses_;
  state.velocities = velocities_;
}

std::unique_ptr<Scheme> make_position_scheme(const Scene<2>& scene,
                                             const SimulationOptions& options) {
  return std::make_unique<PositionScheme>(scene, options);
}

}  // namespace collapse::simulate
