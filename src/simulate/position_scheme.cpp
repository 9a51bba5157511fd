#include "simulate/position_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "collapse/core/error.hpp"
#include "collapse/model/path.hpp"
#include "contact/space/motion_contacts_space.hpp"
#include "simulate/free_flight.hpp"
#include "simulate/impact.hpp"
#include "simulate/impact_energy.hpp"
#include "simulate/position_freezing.hpp"
#include "simulate/position_movers.hpp"
#include "simulate/position_overlap.hpp"
#include "simulate/position_parts.hpp"
#include "simulate/position_program.hpp"
#include "simulate/position_rows.hpp"

namespace collapse::simulate {
namespace {

/// Joints fit if they are met to this share of the touch tolerance.
constexpr double kFitShare = 0.01;
/// Of the programs, free of units: relative to what a body falls in a step.
constexpr double kProgramTolerance = 1e-11;
/// The same where something moves slowly, or joints have to fit.
constexpr double kSlowTolerance = 1e-9;
/// Programs per step at most, whatever the pace: joints have to fit.
constexpr int kMostRounds = 40;
/// Rounds before the iteration for σ is accelerated: few, so that steps with little friction need no more.
constexpr int kWholeWay = 2;
/// A round in which σ changes more than the least so far by this factor was led astray by the acceleration.
constexpr double kAstray = 3.0;
/// Contacts that push less than this share of what falls in a step count as open.
constexpr double kCarries = 1e-6;
/// Of what falls in a step: a body that was at rest and moves by less may be at rest, which takes the last digits to
/// tell.
constexpr double kNearlyStill = 1e-3;
/// From this round on the last digits are given up: beside a body that stays where it is gaps may contradict each other
/// in them.
constexpr int kPatientRounds = 10;
/// Steps in which a crowd has to stay where it is, with rounds that do not settle, to be at rest.
constexpr int kStaysForGood = 10;
/// A program with a larger residual, and one ten times its tolerance, is solved again from scratch, and reported if that
/// does not help.
constexpr double kTrusted = 1e-7;

/// Components of each body's motion that programs have. In crowds those of balls that no friction can
/// turn are their ways alone: half the variables, and factors so sparse that they take the place of
/// conjugate gradients.
template <int Dim>
std::vector<int> block_sizes(const Scene<Dim>& scene, bool smooth, bool crowd) {
  std::vector<int> sizes(scene.bodies.size(), kDofs<Dim>);
  if (!crowd) return sizes;
  const std::vector<std::uint8_t> round = round_bodies(scene);
  std::set<int> materials;
  for (const Body<Dim>& body : scene.bodies) materials.insert(body.material);
  const auto slips = [&](int material) {
    return smooth || std::all_of(materials.begin(), materials.end(), [&](int other) {
             return scene.friction(material, other).value == 0.0;
           });
  };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (round[i] != 0 && slips(scene.bodies[i].material)) sizes[i] = Dim;
  }
  return sizes;
}

}  // namespace

SolverOptions solver_options(const SimulationOptions& options) {
  SolverOptions out;
  out.threads = options.threads;
  out.interrupt = options.interrupt;
  out.tolerance = out.complementarity_tolerance = kProgramTolerance;
  return out;
}

template <int Dim>
PositionScheme<Dim>::PositionScheme(const Scene<Dim>& scene, const SimulationOptions& options,
                                    Friction friction)
    : options_(options),
      smooth_(friction == Friction::none),
      world_(scene, options),
      pace_(Dim == 2                                   ? kPlanePace
            : world_.free_bodies().size() > kCrowdSize ? kCrowdPace
                                                       : kSpacePace),
      sizes_(block_sizes(scene, smooth_, is_crowd())),
      finder_(scene, options.touch),
      freezer_(scene, is_crowd() ? FreezingUnit::body : FreezingUnit::island),
      solver_(solver_options(options)),
      impact_solver_(solver_options(options)),
      overlap_solver_(solver_options(options)) {}

template <int Dim>
void PositionScheme<Dim>::forget() {
  solver_ = Solver(solver_options(options_));
  impact_solver_ = Solver(solver_options(options_));
  overlap_solver_ = Solver(solver_options(options_));
  held_.clear();
  gains_.clear();
  freezer_.wake_all();
  unasked_ = 0;
  stayed_ = 0;
  wedged_ = false;
}

template <int Dim>
double PositionScheme<Dim>::tolerance(double size) const {
  return pace_.rest_fit * touch_of(size);
}

template <int Dim>
bool PositionScheme<Dim>::carries(const Entry& entry) const {
  return entry.push > kCarries * (near_ + tolerance(entry.row.size));
}

template <int Dim>
StepReport<Dim> PositionScheme<Dim>::step(State<Dim>& state, double time, double h) {
  return step_in_parts(state, time, h, Dim == 2 || smooth_ ? 0 : kMostHalvings);
}

/// False: it went astray, nothing was done. Only if it `may_fail`.
template <int Dim>
bool PositionScheme<Dim>::whole_step(State<Dim>& state, double time, double h, bool may_fail,
                                     StepReport<Dim>& report) {
  begin(state, time, h);
  report.settled = false;
  for (int round = 0; round < kMostRounds && !report.settled; ++round) {
    if (round >= pace_.rounds && joints_fit(kFitShare)) break;
    round_ = round;
    if (round == 0 || rows_missing_ || !rows_are_current()) {
      find_rows(round >= pace_.settled_rows);
    }
    rows_missing_ = false;
    if (!make_round(report)) return true;
    if (is_crowd() && comes_to_rest()) break;
    // Rest is for ever: to be seen twice.
    if (report.settled && round == 0 && something_stopped_) report.settled = false;
    // What is halved in the end need not be tried for long.
    if (Dim == 3 && may_fail && round >= kPatientRounds && overlaps_still(report)) break;
  }
  if (is_crowd() && !report.settled && !settle_movers(report)) return true;
  if (may_fail && (turned_far() || (!report.settled && went_astray()))) return false;
  const bool overlaps = overlaps_still(report);
  if (overlaps && !give_way(report)) {
    report.interrupted = true;
    return true;
  }
  if (may_fail && overlaps && !report.crushed) return false;
  bounce(state, report);
  remove_overlap(report);
  name_wedged(report);
  finish(state, report);
  const bool stays = state.poses == start_;
  const bool all_asked = active_.size() == world_.free_bodies().size();
  stayed_ = stays ? stayed_ + 1 : 0;
  report.repeats =
      stays && (!is_crowd() || (all_asked && (report.settled || stayed_ >= kStaysForGood)));
  if (stays && !report.repeats) unasked_ = kStepsUnasked;
  return true;
}

template <int Dim>
bool PositionScheme<Dim>::make_round(StepReport<Dim>& report) {
  linearise();
  update_sigma();
  build_program(Stiffness::normal);
  report.interrupted = !solve_program(report);
  if (!report.interrupted) report.settled = fits();
  return !report.interrupted;
}

template <int Dim>
void PositionScheme<Dim>::begin(const State<Dim>& state, double time, double h) {
  h_ = h;
  near_ = 4.0 * h * h * world_.acceleration().norm();
  start_ = poses_ = state.poses;
  overlap_at_start_.reset();
  joint_forces_.clear();
  world_.external(start_, external_);
  const std::size_t bodies = start_.size();
  targets_.assign(bodies, Twist<Dim>::Zero());
  displacements_.assign(bodies, Twist<Dim>::Zero());
  drifts_.assign(bodies, Twist<Dim>::Zero());
  masses_.resize(bodies);
  inverse_masses_.resize(bodies);
  blocks_.assign(bodies, -1);
  at_rest_.assign(bodies, 0);
  bool moves = false;
  bool fast = false;
  const bool goes_on = gains_.size() == bodies && h == gained_in_;
  for (std::size_t i = 0; i < bodies; ++i) {
    const int body = static_cast<int>(i);
    const Body<Dim>& solid = world_.scene().bodies[i];
    if (solid.free()) {
      const Twist<Dim> way = h * state.velocities[i];
      const Flight<Dim> flight =
          free_flight<Dim>(solid.mass, start_[i], state.velocities[i], external_[i], h);
      targets_[i] = flight.way;
      drifts_[i] = flight.drift;
      masses_[i] = world_.mass_matrix(body, start_[i]);
      inverse_masses_[i] = world_.inverse_mass_matrix(body, start_[i]);
      displacements_[i] = way;
      // As in the last step, unless that was an impact. It is only where the rounds begin.
      if (goes_on && way_of(body, gains_[i]) <= near_) displacements_[i] += gains_[i];
      at_rest_[i] = way_of(body, way) <= still_way() ? 1 : 0;
      moves = moves || at_rest_[i] == 0;
      // Settling begins every step at rest: there the last step tells.
      const bool from_rest = smooth_ && is_crowd();
      fast = fast || way_of(body, from_rest ? displacements_[i] : way) > kFast * near_;
      poses_[i] = world_.moved(body, start_[i], displacements_[i]);
    } else if (!solid.motion.empty()) {
      poses_[i] = path_pose(solid, time + h);
      displacements_[i] = world_.displacement(body, start_[i], poses_[i]);
    }
  }
  const bool loosely = fast && world_.scene().joints.empty();
  moves_ = fast;
  accuracy_ = loosely ? pace_.moving_tolerance : moves ? kSlowTolerance : kProgramTolerance;
  solver_.set_tolerance(accuracy_);
  ask_frozen();
  give_blocks();
  entries_.clear();
}

/// Frozen bodies have none: they are where they are.
template <int Dim>
void PositionScheme<Dim>::give_blocks() {
  active_.clear();
  std::fill(blocks_.begin(), blocks_.end(), -1);
  still_.assign(blocks_.size(), 1);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Body<Dim>& solid = world_.scene().bodies[i];
    if (solid.free() && freezer_.frozen()[i] == 0) {
      blocks_[i] = static_cast<int>(active_.size());
      active_.push_back(static_cast<int>(i));
      still_[i] = 0;
    } else if (!solid.motion.empty() && !displacements_[i].isZero(0.0)) {
      still_[i] = 0;
    }
  }
}

/// Coulomb's law asks for σ = |t·u|: a fixed point.
template <int Dim>
void PositionScheme<Dim>::update_sigma() {
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
    slid[k] = entry.terms.slide(displacements_);
    // Where nothing pushes, any σ will do.
    sigma[k] = entry.sigma < 0.0 || (round_ > 0 && !carries(entry)) ? slid[k] : entry.sigma;
    if (entry.push > 0.0) change = std::max(change, std::abs(slid[k] - sigma[k]));
  }
  if (!same || round_ <= kWholeWay || change > kAstray * best_slip_) {
    anderson_.forget();
    best_slip_ = std::numeric_limits<double>::infinity();
  }
  best_slip_ = std::min(best_slip_, change);
  const bool accelerated = round_ >= kWholeWay && round_ < pace_.settling;
  const Eigen::VectorXd next = accelerated ? anderson_.next(sigma, slid) : slid;
  for (Eigen::Index k = 0; k < count; ++k) {
    Entry& entry = *rough[static_cast<std::size_t>(k)];
    entry.sigma = round_ >= pace_.settling ? std::min(sigma[k], slid[k]) : std::max(0.0, next[k]);
  }
}

template <int Dim>
bool PositionScheme<Dim>::solve_program(StepReport<Dim>& report) {
  if (is_crowd() && moves_) {
    Eigen::VectorXd guess(program_.variables());
    for (const int body : active_) {
      put_motion<Dim>(program_, blocks_[slot_of(body)], displacements_[slot_of(body)], guess);
    }
    solver_.begin_at(std::move(guess));
  }
  const Solution* solution = &solver_.solve(program_);
  report.count(*solution);
  if (solution->status == Status::interrupted) return false;
  const double trusted = std::max(kTrusted, 10.0 * accuracy_);
  if (solution->status != Status::optimal && !(solution->residuals.worst() <= trusted)) {
    solver_ = Solver(solver_options(options_));
    solver_.set_tolerance(accuracy_);
    solution = &solver_.solve(program_);
    report.count(*solution);
    if (solution->status == Status::interrupted) return false;
    if (!(solution->residuals.worst() <= trusted) && solution->status != Status::infeasible) {
      report.incidents.push_back(
          fmt::format("a program was solved to {:.1e} only", solution->residuals.worst()));
    }
  }
  if (solution->x.allFinite() && solution->status != Status::infeasible) take_solution(*solution);
  return true;
}

/// Where the rounds do not settle, something given may leave no room. Then softly, so that the motion goes on and is
/// seen. False if it was interrupted.
template <int Dim>
bool PositionScheme<Dim>::give_way(StepReport<Dim>& report) {
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
    where = world_.crushed_line(entry.row.id.a, entry.row.id.b);
  }
  report.incidents.push_back(where);
  report.crushed = true;
  for (Entry& entry : entries_) entry.multipliers.setZero();
  build_program(Stiffness::soft);
  return solve_program(report);
}

template <int Dim>
void PositionScheme<Dim>::take_solution(const Solution& solution) {
  something_stopped_ = held_back_ = false;
  change_ = 0.0;
  for (const int body : active_) {
    Twist<Dim> x =
        motion_of<Dim>(program_, blocks_[slot_of(body)], solution.x, targets_[slot_of(body)]);
    if (is_still(body, x)) {
      something_stopped_ = something_stopped_ || !x.isZero(0.0);
      x.setZero();
    }
    const Twist<Dim> change = x - displacements_[slot_of(body)];
    const double turn = change.template tail<kSpins<Dim>>().norm();
    if (Dim == 3 && turn > kStraight && turn_matters(body)) {
      x = displacements_[slot_of(body)] + kStraight / turn * change;
      held_back_ = true;
    }
    const bool may_rest = at_rest_[slot_of(body)] != 0 && way_of(body, x) <= kNearlyStill * near_;
    if (may_rest) change_ = std::max(change_, way_of(body, x - displacements_[slot_of(body)]));
    displacements_[slot_of(body)] = x;
    poses_[slot_of(body)] = world_.moved(body, start_[slot_of(body)], x);
  }
  int row = 0;
  for (Entry& entry : entries_) {
    if (entry.rows == 0) continue;
    row = entry.first_row + entry.rows;
    entry.force =
        force_of<Dim>(entry.terms, entry.mu, solution.lambda, entry.first_row) / (h_ * h_);
    RowValues<Dim> multipliers = RowValues<Dim>::Zero();
    multipliers.head(entry.rows) = solution.lambda.segment(entry.first_row, entry.rows);
    entry.give = entry.compliance * (multipliers - entry.multipliers).cwiseAbs().maxCoeff();
    entry.multipliers = multipliers;
    entry.push = h_ * h_ * entry.force.norm() * inverse_mass(entry.terms);
  }
  take_joint_forces<Dim>(world_.scene(), blocks_, joints_, solution.lambda / (h_ * h_), row,
                         joint_forces_);
}

/// Where nothing is known to move, the gap has no part in the answer; where it may be that nothing moves, it has to be
/// known better.
template <int Dim>
double PositionScheme<Dim>::give_tolerance(const Entry& entry) const {
  const double tol = tolerance(entry.row.size);
  bool moves = false;
  for (const int body : {entry.row.id.a, entry.row.id.b}) {
    if (blocks_[slot_of(body)] < 0) continue;
    const Twist<Dim>& x = displacements_[slot_of(body)];
    if (!at_rest_[slot_of(body)] || way_of(body, x) > kNearlyStill * near_) {
      return pace_.fit * touch_of(entry.row.size);
    }
    moves = moves || !x.isZero(0.0);
  }
  if (round_ >= kPatientRounds) return tol;
  return moves ? std::min(tol, 0.1 * still_way()) : std::numeric_limits<double>::infinity();
}

/// What was at rest and moves by no more than the accuracy of the programs stays where it is.
template <int Dim>
bool PositionScheme<Dim>::is_still(int body, const Twist<Dim>& x) const {
  return at_rest_[slot_of(body)] && way_of(body, x) <= still_way();
}

/// What the gap at the end may be wrong by: where bodies are at rest no less than tells that they are.
template <int Dim>
double PositionScheme<Dim>::fit_tolerance(const Entry& entry) const {
  const double give = give_tolerance(entry);
  const double least = tolerance(entry.row.size);
  return std::isfinite(give) ? std::max(least, give) : least;
}

template <int Dim>
bool PositionScheme<Dim>::joints_fit(double share) {
  world_.joint_rows(poses_, joints_);
  return std::all_of(joints_.begin(), joints_.end(), [&](const MovingJointRow<Dim>& joint) {
    return std::abs(joint.row.error) <= share * options_.touch * joint.size;
  });
}

template <int Dim>
bool PositionScheme<Dim>::fits() {
  if (held_back_) return false;
  // Forces act along normals of the last round: what is only a little tilted then is pushed aside.
  if (round_ < kPatientRounds && change_ > 0.1 * still_way()) return false;
  for (const Entry& entry : entries_) {
    const contacts::PlacedRow<Dim> placed = contacts::placed(entry.row, poses_);
    const double excess = placed.gap - entry.least_gap;
    const double tol = fit_tolerance(entry);
    double lift = 0.0;  // that the law of friction allows
    if (options_.friction_law == FrictionLaw::associated && entry.mu > 0.0) {
      lift = entry.mu * entry.terms.slide(displacements_);
    }
    if (excess < lift - tol || entry.give > give_tolerance(entry)) return false;
    // Where σ only goes down, friction may lift.
    if (is_crowd() && round_ > pace_.settling) continue;
    if (std::min(excess - lift, entry.push) > tol) return false;
  }
  if (!joints_fit(kFitShare)) return false;
  const bool current = rows_are_current();
  if (current && (Dim == 2 || is_crowd())) return true;
  // What is there now must fit, and where the motion went elsewhere, what carries must still be there.
  finder_.find({start_, poses_, near_, still_}, rows_);
  const double share = current ? 1.0 : pace_.rest_fit;
  for (const contacts::MotionRow<Dim>& row : rows_) {
    const double start = contacts::counted_start_gap(row, contacts::placed(row, start_).gap);
    const double least = std::min(0.0, start);
    if (contacts::placed(row, poses_).gap >= least - share * options_.touch * row.size) continue;
    rows_missing_ = true;
    return false;
  }
  if (current) return true;
  for (const Entry& entry : entries_) {
    if (!carries(entry)) continue;
    const bool there =
        std::binary_search(rows_.begin(), rows_.end(), entry.row,
                           [](const contacts::MotionRow<Dim>& x,
                              const contacts::MotionRow<Dim>& y) { return x.id < y.id; });
    if (!there) return false;
  }
  return true;
}

template <int Dim>
std::vector<double> PositionScheme<Dim>::driven_work() const {
  std::vector<double> work(start_.size(), 0.0);
  for (const Entry& entry : entries_) {
    if (!carries(entry)) continue;
    work[free_one(world_, entry.row.id.a, entry.row.id.b)] +=
        work_of_driven<Dim>(world_.scene(), entry.terms, entry.force, displacements_);
  }
  add_joint_work<Dim>(world_, joints_, joint_forces_, displacements_, work);
  return work;
}

template <int Dim>
void PositionScheme<Dim>::bounce(const State<Dim>& state, StepReport<Dim>& report) {
  velocities_ = displacements_;
  for (std::size_t i = 0; i < velocities_.size(); ++i) {
    velocities_[i] /= h_;
    if (!displacements_[i].isZero(0.0)) velocities_[i] += drifts_[i];
  }
  if (is_crowd()) impact_solver_.set_tolerance(pace_.moving_tolerance);
  world_.joint_rows(poses_, joints_);
  Impact<Dim> impact(world_, options_, impact_solver_,
                     {poses_, blocks_, joints_, is_crowd(), sizes_});
  const double slow = h_ * world_.acceleration().norm();
  bool collides = false;
  std::vector<std::pair<int, int>> touching;
  for (const Entry& entry : entries_) {
    const contacts::PlacedRow<Dim> placed = contacts::placed(entry.row, poses_);
    const bool touches = carries(entry) || placed.gap <= options_.touch * entry.row.size;
    if (!touches) continue;
    ImpactContact<Dim> contact;
    contact.id = entry.row.id;
    contact.terms = ContactTerms<Dim>(world_, entry.row, placed, poses_);
    contact.mu = entry.mu;
    contact.restitution = entry.row.restitution;
    const double before = contact.terms.along_normal(state.velocities);
    if (before < -slow) {
      // When it hits, it has fallen freely for a part of the step.
      const double when = std::min(h_, std::max(0.0, entry.start_gap) / -before);
      double push = 0.0;
      for (const auto& [body, row] : {std::pair(entry.row.id.a, contact.terms.normal_a),
                                      {entry.row.id.b, contact.terms.normal_b}}) {
        if (blocks_[slot_of(body)] < 0) continue;
        push += row.dot(inverse_masses_[slot_of(body)] * external_[slot_of(body)]);
      }
      contact.approach = before + when * push;
      if (contact.approach < 0.0 && contact.restitution > 0.0) collides = true;
      if (contact.approach < 0.0 && options_.impact == ImpactRule::sequential) collides = true;
    }
    impact.add(contact);
    if (carries(entry)) touching.emplace_back(entry.row.id.a, entry.row.id.b);
  }
  const std::vector<Twist<Dim>> dull = velocities_;
  if (collides) impact.resolve(state.velocities, velocities_, report);
  const std::vector<double> work = driven_work();
  report.driven_work += std::accumulate(work.begin(), work.end(), 0.0);
  if constexpr (Dim == 3) {
    report.driven_work +=
        keep_from_gaining(world_,
                          {start_, poses_, state.velocities, displacements_, external_, dull,
                           touching, work, impact.driven_work(), h_},
                          velocities_);
  }
}

template <int Dim>
void PositionScheme<Dim>::finish(State<Dim>& state, StepReport<Dim>& report) {
  held_.clear();
  for (const Entry& entry : entries_)
    held_.push_back({entry.row.id, entry.multipliers / (h_ * h_)});
  report.driven_work += world_.load_work(start_, displacements_);
  for (const Entry& entry : entries_) {
    if (!carries(entry)) continue;
    report.contacts.push_back({entry.row.id, entry.terms.at, entry.terms.normal, entry.force});
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

template <int Dim>
std::unique_ptr<Scheme<Dim>> make_position_scheme(const Scene<Dim>& scene,
                                                  const SimulationOptions& options) {
  return std::make_unique<PositionScheme<Dim>>(scene, options);
}

template class PositionScheme<2>;
template class PositionScheme<3>;
template std::unique_ptr<Scheme<2>> make_position_scheme<2>(const Scene<2>&,
                                                            const SimulationOptions&);
template std::unique_ptr<Scheme<3>> make_position_scheme<3>(const Scene<3>&,
                                                            const SimulationOptions&);

}  // namespace collapse::simulate
