#pragma once
/// The part of the position scheme that takes away overlap without a trace in the velocities: what is new (of a step
/// that has not settled) wholly, of what is left from before half in each step. For position_scheme.cpp.

#include <algorithm>
#include <limits>
#include <utility>

#include "simulate/position_scheme.hpp"

namespace collapse::simulate {
/// Programs at most to take away overlap.
inline constexpr int kOverlapRounds = 16;
/// A program with a larger residual is of no use.
inline constexpr double kUsefulParting = 1e-2;
/// Of programs in which a crowd parts as a whole, where there is another round; and of the others, whose rows are of
/// many sizes.
inline constexpr double kPartingTolerance = 1e-4;
inline constexpr double kFineTolerance = 1e-8;
/// Share of the inverse mass at a contact: in a crowd, whose programs are large, contacts part softly; and so they do
/// where there is no room for all of them, each as far as the others let it.
inline constexpr double kPartingSoftness = 1e-3;
/// Likewise, where only a few are left to part.
inline constexpr double kPartingStiffly = 1e-5;
/// Radians that a body turns by in a round at most: rows are straight.
inline constexpr double kPartingTurn = 0.25;
/// After each round that parts less than half, of what is no crowd: how much harder bodies turn in the next one. What is
/// flat rocks on what is round, and no row knows how far.
inline constexpr double kTurnHarder = 10.0;
/// Rounds in which a crowd parts as a whole.
inline constexpr int kTogether = 3;
/// Share of a crowd: more are parted with all others, since in a pile those around them have to give way.
inline constexpr double kFew = 0.1;
/// Of a body's size: where there is no room, what overlaps more is crushed.
inline constexpr double kPressed = 1e-5;
/// Of a body's size: where more than this is left to part, there may be no room.
inline constexpr double kNoRoom = 1e-3;

template <int Dim>
double PositionScheme<Dim>::left_to_part() const {
  double left = 0.0;
  for (const Entry& entry : entries_) {
    const double gap = contacts::placed(entry.row, poses_).gap;
    left = std::max(left, (entry.least_gap - gap) / entry.row.size);
  }
  return left;
}

/// Of what is to be taken away the deepest, relative to what bodies may miss; places the contacts and notes penetration.
template <int Dim>
double PositionScheme<Dim>::measure_overlap(StepReport<Dim>& report) {
  double deepest = 0.0;
  report.penetration = 0.0;
  for (Entry& entry : entries_) {
    const contacts::PlacedRow<Dim> placed = contacts::placed(entry.row, poses_);
    entry.gap = placed.gap;
    entry.terms = ContactTerms<Dim>(world_, entry.row, placed, poses_);
    report.penetration = std::max(report.penetration, -placed.gap);
    deepest = std::max(deepest, to_part(entry));
  }
  return deepest;
}

template <int Dim>
void PositionScheme<Dim>::remove_overlap(StepReport<Dim>& report) {
  std::vector<Entry> acting;
  if (Dim == 3) acting = entries_;
  bool squeezed = report.crushed;  // there is no room for all
  double last = std::numeric_limits<double>::infinity();
  double inertia = 1.0;
  for (int round = 0; round <= kOverlapRounds; ++round) {
    // A step that did not settle may have led to where nobody looked yet, and away from where rows were kept.
    const bool stale = !report.settled || round_ >= pace_.settled_rows;
    if (Dim == 3 && (round > 0 || stale)) find_rows(false);
    const double deepest = measure_overlap(report);
    const bool parted = deepest <= pace_.overlap;
    if (parted && (Dim == 2 || joints_fit(pace_.joint_fit))) break;
    if (round == kOverlapRounds) break;
    if (is_crowd()) {
      if (part_crowd(round, report)) continue;
      break;
    }
    if (deepest > 0.5 * std::exchange(last, deepest)) inertia *= kTurnHarder;
    if (part(active_, squeezed ? kPartingSoftness : 0.0, inertia, report)) continue;
    if (squeezed) break;
    squeezed = true;
    if (!part(active_, kPartingSoftness, inertia, report)) break;
  }
  // A hard program, which would tell for certain that there is no room, costs more than ten steps of a crowd.
  if (is_crowd()) name_crushed(report);
  if (Dim == 3) entries_ = std::move(acting);
}

/// Where bodies could not be parted.
template <int Dim>
void PositionScheme<Dim>::name_crushed(StepReport<Dim>& report) {
  const auto depth = [](const Entry& entry) { return -entry.gap / entry.row.size; };
  const auto deepest =
      std::max_element(entries_.begin(), entries_.end(),
                       [&](const Entry& x, const Entry& y) { return depth(x) < depth(y); });
  if (deepest == entries_.end() || depth(*deepest) <= kNoRoom) return;
  report.incidents.push_back(world_.crushed_line(deepest->row.id.a, deepest->row.id.b));
  report.crushed = true;
}

/// What is wedged between bodies on paths may have room and yet no forces that the law of friction allows: the rounds find
/// ever larger ones. It is so until a step settles, or nothing pushes by more than a body's size.
template <int Dim>
void PositionScheme<Dim>::name_wedged(StepReport<Dim>& report) {
  const bool still = std::exchange(wedged_, report.crushed);
  if (report.settled || report.crushed) return;
  const double most = still ? 1.0 : kBeyondMeasure;
  const auto wedged = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return is_pushed(entry.row.id) && entry.push > most * (near_ + entry.row.size);
  });
  if (wedged == entries_.end()) return;
  report.incidents.push_back(world_.crushed_line(wedged->row.id.a, wedged->row.id.b));
  report.crushed = wedged_ = true;
}

/// Those that a round of parting moves. In a crowd, after the first rounds, what is left lies here and there: only what
/// is near moves, from round to round what is farther.
template <int Dim>
std::vector<int> PositionScheme<Dim>::bodies_to_part(int round) const {
  if (round < kTogether) return active_;
  std::vector<std::uint8_t> near(start_.size(), 0);
  for (const Entry& entry : entries_) {
    if (to_part(entry) > pace_.overlap)
      near[slot_of(entry.row.id.a)] = near[slot_of(entry.row.id.b)] = 1;
  }
  for (const MovingJointRow<Dim>& joint : joints_) {
    if (std::abs(joint.row.error) <= pace_.joint_fit * options_.touch * joint.size) continue;
    const Joint<Dim>& source = world_.scene().joints[slot_of(joint.joint)];
    for (const int body : {source.a, source.b}) {
      if (body != kWorld) near[slot_of(body)] = 1;
    }
  }
  for (int hop = 0; hop < (round + 1) / 2; ++hop) {
    const std::vector<std::uint8_t> inner = near;
    for (const Entry& entry : entries_) {
      const bool through_free =
          blocks_[slot_of(entry.row.id.a)] >= 0 && blocks_[slot_of(entry.row.id.b)] >= 0;
      if (through_free && (inner[slot_of(entry.row.id.a)] || inner[slot_of(entry.row.id.b)]))
        near[slot_of(entry.row.id.a)] = near[slot_of(entry.row.id.b)] = 1;
    }
  }
  std::vector<int> out;
  std::copy_if(active_.begin(), active_.end(), std::back_inserter(out),
               [&](int body) { return near[slot_of(body)] != 0; });
  return static_cast<double>(out.size()) <= kFew * static_cast<double>(active_.size()) ? out
                                                                                       : active_;
}

/// What has no room, in this step or since one before. `ray`: of the program that tells so.
template <int Dim>
void PositionScheme<Dim>::name_squeezed(const Eigen::VectorXd& ray, StepReport<Dim>& report) {
  if (report.crushed) return;
  double largest = 0.0;
  const Entry* worst = nullptr;
  for (const Entry& entry : entries_) {
    const bool overlaps = std::min(entry.gap, entry.least_gap) <= -kPressed * entry.row.size;
    if (!overlaps || entry.first_row < 0) continue;
    const double share = std::abs(ray[entry.first_row]);
    if (share <= largest) continue;
    largest = share;
    worst = &entry;
  }
  if (worst == nullptr) return;
  report.incidents.push_back(world_.crushed_line(worst->row.id.a, worst->row.id.b));
  report.crushed = true;
}

/// One program; false if it is of no use.
template <int Dim>
bool PositionScheme<Dim>::part_crowd(int round, StepReport<Dim>& report) {
  world_.joint_rows(poses_, joints_);
  const std::vector<int> bodies = bodies_to_part(round);
  if (bodies.empty()) return false;
  const double softness = round < kTogether ? kPartingSoftness : kPartingStiffly;
  return part(bodies, softness, 1.0, report);
}

/// Of bodies, the others stay. `softness`: 0 for a hard program; of what is no crowd what is on a path gives way first,
/// as in give_way. `inertia`: so many times their own, so that bodies rather move than turn.
template <int Dim>
bool PositionScheme<Dim>::part(const std::vector<int>& bodies, double softness, double inertia,
                               StepReport<Dim>& report) {
  std::vector<int> blocks(start_.size(), -1);
  const std::vector<Twist<Dim>> none(start_.size(), Twist<Dim>::Zero());
  Program program;
  for (const int body : bodies) {
    MassMatrix<Dim> mass = masses_[slot_of(body)];
    mass.template bottomRightCorner<kSpins<Dim>, kSpins<Dim>>() *= inertia;
    blocks[slot_of(body)] = add_body<Dim>(program, mass, Twist<Dim>::Zero(), sizes_[slot_of(body)]);
  }
  const double most = softness > 0.0 ? largest_softness() : 0.0;
  int rows = 0;
  for (Entry& entry : entries_) {
    entry.first_row = -1;
    if (blocks[slot_of(entry.row.id.a)] < 0 && blocks[slot_of(entry.row.id.b)] < 0) continue;
    entry.first_row = rows++;
    const double least = entry.gap < 0.0 ? 0.5 * entry.least_gap : 0.0;
    Program::Traits traits;
    if (softness > 0.0) {
      const double share = is_crowd() ? softness : compliance_share(entry, Stiffness::soft);
      traits.compliance = share * std::min(inverse_mass(entry.terms), most);
      traits.id = group_id(entry.row.id);
    }
    add_contact<Dim>(program, blocks, none, entry.terms, 0.0, least - entry.gap, 0.0,
                     RowValues<Dim>::Zero(), traits);
  }
  world_.joint_rows(poses_, joints_);
  for (const MovingJointRow<Dim>& joint : joints_)
    add_joint<Dim>(program, world_, blocks, joint, -joint.row.error, {});
  if (is_crowd()) {
    overlap_solver_.set_tolerance(softness < kPartingSoftness ? kFineTolerance : kPartingTolerance);
    overlap_solver_.begin_at(Eigen::VectorXd::Zero(program.variables()));
  } else {
    overlap_solver_ = Solver(solver_options(options_));
  }
  const Solution& solution = overlap_solver_.solve(program);
  report.count_effort(solution);
  if (solution.status == Status::infeasible) {
    name_squeezed(solution.ray, report);
    return false;
  }
  if (solution.status != Status::optimal && !(solution.residuals.worst() <= kUsefulParting)) {
    return false;
  }
  for (const int body : bodies) {
    Twist<Dim> x = motion_of<Dim>(program, blocks[slot_of(body)], solution.x, Twist<Dim>::Zero());
    const double turn = x.template tail<kSpins<Dim>>().norm();
    if (Dim == 3 && turn > kPartingTurn && turn_matters(body)) x *= kPartingTurn / turn;
    poses_[slot_of(body)] = world_.moved(body, poses_[slot_of(body)], x);
  }
  return true;
}

}  // namespace collapse::simulate
