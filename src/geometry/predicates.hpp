#pragma once
/// Signs of plane geometry, decided in doubles where their rounding cannot matter and exactly
/// otherwise.

#include <algorithm>
#include <vector>

#include "collapse/geometry/polygon.hpp"

namespace collapse {

/// A point that keeps its doubles beside its exact coordinates. Refers to both.
struct PointRef {
  const ExactVec<2>& exact;
  const Vec<2>& value;
};

[[nodiscard]] inline PointRef point_of(const Loop& loop, int i) {
  const auto at = static_cast<std::size_t>(i);
  return {loop.exact()[at], loop.vertices()[at]};
}

/// u × v = u_x v_y − u_y v_x
[[nodiscard]] inline Rational cross(const ExactVec<2>& u, const ExactVec<2>& v) {
  return u[0] * v[1] - u[1] * v[0];
}

[[nodiscard]] inline Rational dot(const ExactVec<2>& u, const ExactVec<2>& v) {
  return u[0] * v[0] + u[1] * v[1];
}

/// +1 if a, b, c turn left, −1 if right, 0 if in line.
[[nodiscard]] int orientation(PointRef a, PointRef b, PointRef c);

/// By x, then by y. Doubles that differ are in the order of the numbers they were rounded from.
[[nodiscard]] bool lexicographically_less(PointRef a, PointRef b);

/// Whether `p`, in line with a and b, lies strictly between them.
[[nodiscard]] bool strictly_between(PointRef p, PointRef a, PointRef b);

/// Whether `p` is strictly inside a simple polygon. Points on its boundary: either answer.
[[nodiscard]] bool is_inside(const Loop& polygon, PointRef p);

/// +1 if the vertices of a simple polygon run counter-clockwise, −1 if clockwise.
[[nodiscard]] int direction_of(const Loop& polygon);

/// Without the vertices in the middle of a straight side; the direction stays.
[[nodiscard]] Loop without_straight_vertices(const Loop& polygon);

/// An axis-aligned box around points given in doubles. Rounding keeps order, so boxes that are
/// disjoint hold exact points that are.
struct LoopBounds {
  Vec<2> low;
  Vec<2> high;

  LoopBounds(const Vec<2>& a, const Vec<2>& b) : low(a.cwiseMin(b)), high(a.cwiseMax(b)) {}
  explicit LoopBounds(const Loop& loop)
      : LoopBounds(loop.vertices().front(), loop.vertices().front()) {
    for (const Vec<2>& vertex : loop.vertices()) {
      low = low.cwiseMin(vertex);
      high = high.cwiseMax(vertex);
    }
  }

  [[nodiscard]] bool meets(const LoopBounds& other) const {
    return low[0] <= other.high[0] && other.low[0] <= high[0] && low[1] <= other.high[1] &&
           other.low[1] <= high[1];
  }
};

/// Calls visit(i, j), i < j, for all boxes that meet, until it returns false. Sweeps along x.
template <class Visit>
void for_each_meeting_pair(const std::vector<LoopBounds>& boxes, Visit visit) {
  std::vector<int> order(boxes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto box = [&](int i) -> const LoopBounds& { return boxes[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return box(i).low[0] != box(j).low[0] ? box(i).low[0] < box(j).low[0] : i < j;
  });
  for (auto first = order.begin(); first != order.end(); ++first) {
    for (auto second = first + 1;
         second != order.end() && box(*second).low[0] <= box(*first).high[0]; ++second) {
      if (!box(*first).meets(box(*second))) continue;
      if (!visit(std::min(*first, *second), std::max(*first, *second))) return;
    }
  }
}

}  // namespace collapse
