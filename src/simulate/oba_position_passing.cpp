/// What might pass through something on its way: where targets and programs lead that do not know all that is in it.

#include <algorithm>

#include "simulate/oba_position.hpp"
#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Of the thinner part's thickness: what gets deeper into another one may be pushed out on its far side.
constexpr double kDeepShare = 0.5;

}  // namespace

double ObaPosition::depth_to_be_through(int a, int b) const {
  return kDeepShare * std::min(parts_.part(a).thickness, parts_.part(b).thickness);
}

/// Whether the plane between two parts would have one of them on both sides at the targets: on its way a body may pass
/// through another one that is thin, and does not overlap it in the end.
bool ObaPosition::changes_sides(Candidate& candidate, double size) {
  const ConvexPart& a = parts_.part(candidate.a);
  const ConvexPart& b = parts_.part(candidate.b);
  if (a.kind == ConvexPart::Kind::half_space || b.kind == ConvexPart::Kind::half_space) {
    return false;
  }
  const double way = ways_[slot_of(a.body)] + ways_[slot_of(b.body)];
  const double gap = gap_beyond(parts_, candidate.a, candidate.b, way, &candidate.witness);
  if (gap > way) return false;
  const Vec<3> n = separating_plane(parts_, candidate.a, candidate.b, &candidate.witness).normal;
  return -target_parts_.reach(candidate.b, Vec<3>(-n)) - target_parts_.reach(candidate.a, n) <
         -tolerance(size);
}

/// Whether it moves a body further than anything wants to go, or needs to get out of the way: a body that is wedged gets
/// out only so, through a wall.
bool ObaPosition::leads_astray(const Solution& solution) const {
  const double longest = *std::max_element(ways_.begin(), ways_.end());
  return std::any_of(active_.begin(), active_.end(), [&](int body) {
    const double way = motion_of(body, solution).head<3>().norm();
    return way > 2.0 * longest + diameters_[slot_of(body)];
  });
}

std::vector<Twist<3>> ObaPosition::motions_by(const Solution& solution) const {
  std::vector<Twist<3>> motions(poses_.size(), Twist<3>::Zero());
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    const int body = static_cast<int>(i);
    if (block_of(body) >= 0) {
      motions[i] = motion_of(body, solution);
    } else if (movable_[i] == 0 && poses_[i] != targets_[i]) {
      motions[i] = world_.displacement(body, poses_[i], targets_[i]);
    }
  }
  return motions;
}

/// Whether parts of bodies get deep into each other although they are not in the program, since they were not near or
/// not in reach. They are from now on.
bool ObaPosition::passes_through(const Solution& solution) {
  const std::vector<Twist<3>> motions = motions_by(solution);
  bool outside = false;
  for (const int body : active_) {
    const Twist<3>& motion = motions[slot_of(body)];
    Twist<3> turn = motion;
    turn.head<3>().setZero();
    const double room = world_.way_of(body, turn);
    for (int i = parts_.first_part(body); i < parts_.first_part(body + 1); ++i) {
      Bounds<3> box = parts_.bounds(i);
      box.low += motion.head<3>();
      box.high += motion.head<3>();
      if (sweep_over(i, box.grown(room))) outside = true;
    }
  }
  if (outside) find_candidates();
  bool deep = false;
  for (ClosePair& pair : pairs_) {
    if (pair.first_row >= 0 || !gets_deep(pair.a, pair.b, motions, &pair.witness)) continue;
    pair.meets = deep = true;
  }
  const std::size_t known = pairs_.size();
  for (Candidate& candidate : candidates_) {
    if (candidate.close || !gets_deep(candidate.a, candidate.b, motions, &candidate.witness)) {
      continue;
    }
    candidate.meets = deep = true;
    add_pair(candidate);
  }
  if (pairs_.size() > known) give_blocks();
  for (std::size_t k = known; k < pairs_.size(); ++k) update_plane(pairs_[k]);
  return deep;
}

bool ObaPosition::gets_deep(int a, int b, std::span<const Twist<3>> motions,
                            contacts::WitnessCache* witness) const {
  const int body_a = parts_.part(a).body;
  const int body_b = parts_.part(b).body;
  const double way = world_.way_of(body_a, motions[slot_of(body_a)]) +
                     world_.way_of(body_b, motions[slot_of(body_b)]);
  const double deep = depth_to_be_through(a, b);
  if (way <= deep || gap_beyond(parts_, a, b, way - deep, witness) > way - deep) return false;
  const SeparatingPlane plane = separating_plane(parts_, a, b, witness);
  const auto along = [&](int body) {
    const Twist<3>& motion = motions[slot_of(body)];
    const Vec<3> lever = plane.at - world_.centre(body, poses_);
    return plane.normal.dot(motion.head<3>() + motion.tail<3>().cross(lever));
  };
  return plane.gap + along(body_b) - along(body_a) < -deep;
}

}  // namespace collapse::simulate
