#pragma once
/// The part of the position scheme that takes away overlap without a trace in the velocities: what is new (of a step
/// that has not settled) wholly, of what is left from before half in each step. For position_scheme.cpp.

#include <fmt/format.h>

#include <algorithm>

#include "collapse/core/error.hpp"
#include "simulate/position_scheme.hpp"

namespace collapse::simulate {
/// Programs at most to take away overlap.
inline constexpr int kOverlapRounds = 8;
/// A program with a larger residual is of no use.
inline constexpr double kUsefulParting = 1e-2;
/// Relative to the largest overlap: what may be left of it, where there is another round.
inline constexpr double kPartingTolerance = 1e-4;
/// Share of the inverse mass at a contact: in a crowd, whose programs are large, contacts part softly; and so they do
/// where there is no room for all of them, each as far as the others let it.
inline constexpr double kPartingSoftness = 1e-3;

/// Of a body's size: where more than this is left in a crowd after so many rounds, small bodies among large ones, the
/// rest is parted for good.
inline constexpr double kDeepInCrowd = 2e-5;
inline constexpr int kSoftRounds = 5;
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

/// Of what is to be taken away the deepest, relative to the bodies' sizes; places the contacts and notes penetration.
template <int Dim>
double PositionScheme<Dim>::measure_overlap(StepReport<Dim>& report) {
  double deepest = 0.0;
  report.penetration = 0.0;
  for (Entry& entry : entries_) {
    const contacts::PlacedRow<Dim> placed = contacts::placed(entry.row, poses_);
    entry.gap = placed.gap;
    entry.terms = ContactTerms<Dim>(world_, entry.row, placed, poses_);
    report.penetration = std::max(report.penetration, -placed.gap);
    deepest = std::max(deepest, (0.5 * entry.least_gap - placed.gap) / entry.row.size);
  }
  return deepest;
}

template <int Dim>
void PositionScheme<Dim>::remove_overlap(StepReport<Dim>& report) {
  std::vector<Entry> acting;
  if (Dim == 3) acting = entries_;
  bool squeezed = false;  // there is no room for all
  const bool crushed = report.crushed;
  for (int round = 0; round <= kOverlapRounds; ++round) {
    // A step that did not settle may have led to where nobody looked yet, and away from where rows were kept.
    const bool stale = !report.settled || round_ >= pace_.settled_rows;
    if (Dim == 3 && (round > 0 || stale)) find_rows(false);
    const double deepest = measure_overlap(report);
    const bool parted = deepest <= pace_.overlap * options_.touch;
    if ((parted && (Dim == 2 || joints_fit(pace_.joint_fit))) || crushed) break;
    if (round == kOverlapRounds) break;
    const bool deep = round >= kSoftRounds && deepest > kDeepInCrowd;
    if (part(squeezed || (is_crowd() && !deep), report)) continue;
    if (squeezed || is_crowd()) break;
    squeezed = true;
    if (!part(squeezed, report)) break;
  }
  // A hard program, which would tell for certain that there is no room, costs more than ten steps of a crowd.
  if (is_crowd()) name_crushed(report);
  if (Dim == 3) entries_ = std::move(acting);
}

template <int Dim>
std::string PositionScheme<Dim>::crushed_line(const ContactId& id) const {
  const Scene<Dim>& scene = world_.scene();
  const bool first = scene.bodies[slot_of(id.a)].free();
  return fmt::format("\"{}\" is crushed against \"{}\"",
                     printable(scene.body_name(first ? id.a : id.b)),
                     printable(scene.body_name(first ? id.b : id.a)));
}

/// Where bodies could not be parted.
template <int Dim>
void PositionScheme<Dim>::name_crushed(StepReport<Dim>& report) {
  const auto depth = [](const Entry& entry) { return -entry.gap / entry.row.size; };
  const auto deepest =
      std::max_element(entries_.begin(), entries_.end(),
                       [&](const Entry& x, const Entry& y) { return depth(x) < depth(y); });
  if (deepest == entries_.end() || depth(*deepest) <= kNoRoom) return;
  report.incidents.push_back(crushed_line(deepest->row.id));
  report.crushed = true;
}

/// What was crushed in a step before and has no room yet. `ray`: why, one number per contact, then the joints.
template <int Dim>
void PositionScheme<Dim>::name_squeezed(const Eigen::VectorXd& ray, StepReport<Dim>& report) {
  if (report.crushed) return;
  double largest = 0.0;
  const Entry* worst = nullptr;
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const double share = std::abs(ray[static_cast<Eigen::Index>(k)]);
    if (entries_[k].least_gap > -kNoRoom * entries_[k].row.size || share <= largest) continue;
    largest = share;
    worst = &entries_[k];
  }
  if (worst == nullptr) return;
  report.incidents.push_back(crushed_line(worst->row.id));
  report.crushed = true;
}

/// One program; false if it has no solution.
template <int Dim>
bool PositionScheme<Dim>::part(bool softly, StepReport<Dim>& report) {
  const std::vector<Twist<Dim>> none(start_.size(), Twist<Dim>::Zero());
  Program program;
  for (const int body : active_) {
    program.add_block(masses_[slot_of(body)], Twist<Dim>::Zero());
  }
  const double most = softly ? largest_softness() : 0.0;
  for (const Entry& entry : entries_) {
    const double least = entry.gap < 0.0 ? 0.5 * entry.least_gap : 0.0;
    Program::Traits traits;
    if (softly) {
      traits.compliance = kPartingSoftness * std::min(inverse_mass(entry.terms), most);
      traits.id = group_id(entry.row.id);
    }
    add_contact<Dim>(program, blocks_, none, entry.terms, 0.0, least - entry.gap, 0.0,
                     RowValues<Dim>::Zero(), traits);
  }
  world_.joint_rows(poses_, joints_);
  for (const MovingJointRow<Dim>& joint : joints_)
    add_joint<Dim>(program, world_, blocks_, joint, -joint.row.error, {});
  if (softly && is_crowd()) {
    overlap_solver_.set_tolerance(kPartingTolerance);
    overlap_solver_.begin_at(Eigen::VectorXd::Zero(program.variables()));
  } else {
    overlap_solver_ = Solver(solver_options(options_));
  }
  const Solution& solution = overlap_solver_.solve(program);
  report.count_effort(solution);
  if (solution.status == Status::infeasible) name_squeezed(solution.ray, report);
  if (solution.status != Status::optimal && !(solution.residuals.worst() <= kUsefulParting)) {
    return false;
  }
  for (const int body : active_) {
    poses_[slot_of(body)] = world_.moved(
        body, poses_[slot_of(body)],
        Twist<Dim>(solution.x.template segment<kDofs<Dim>>(kDofs<Dim> * blocks_[slot_of(body)])));
  }
  return true;
}

}  // namespace collapse::simulate
