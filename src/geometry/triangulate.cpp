#include "geometry/triangulate.hpp"

#include <algorithm>
#include <cstddef>

namespace collapse {

namespace {

/// Cuts off one corner after the other.
class FlatEarClipper {
 public:
  FlatEarClipper(const ExactPoints& points, const std::vector<int>& loop, int axis, int direction)
      : points_(points), loop_(loop), axis_(axis), direction_(direction) {}

  [[nodiscard]] std::vector<Triangle> triangles() {
    std::vector<Triangle> result;
    result.reserve(loop_.size());
    std::size_t at = 0;
    std::size_t tried = 0;
    while (loop_.size() > 3) {
      if (tried++ == loop_.size()) return {};
      const std::size_t i = at % loop_.size();
      if (!is_ear(i)) {
        at = i + 1;
        continue;
      }
      result.push_back({corner(i + loop_.size() - 1), corner(i), corner(i + 1)});
      loop_.erase(loop_.begin() + static_cast<std::ptrdiff_t>(i));
      tried = 0;
      at = i;
    }
    if (turn(loop_[0], loop_[1], loop_[2]) <= 0) return {};
    result.push_back({loop_[0], loop_[1], loop_[2]});
    return result;
  }

 private:
  [[nodiscard]] int corner(std::size_t i) const { return loop_[i % loop_.size()]; }
  [[nodiscard]] int turn(int a, int b, int c) const {
    return direction_ * points_.turn(a, b, c, axis_);
  }

  /// A corner to the left with no other vertex in its triangle or on its sides.
  [[nodiscard]] bool is_ear(std::size_t i) const {
    const int a = corner(i + loop_.size() - 1);
    const int b = corner(i);
    const int c = corner(i + 1);
    if (turn(a, b, c) <= 0) return false;
    return std::none_of(loop_.begin(), loop_.end(), [&](int p) {
      return p != a && p != b && p != c && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 &&
             turn(c, a, p) >= 0;
    });
  }

  const ExactPoints& points_;
  std::vector<int> loop_;
  int axis_;
  int direction_;
};

}  // namespace

int main_axis(const ExactPoints& points, const std::vector<int>& loop) {
  const Vec<3> normal = points.plane_of(loop).normal;
  int axis = 0;
  if (!(normal.cwiseAbs().maxCoeff(&axis) > 0.0)) return -1;
  return axis;
}

std::vector<Triangle> triangulated(const ExactPoints& points, const std::vector<int>& loop) {
  if (loop.size() < 3) return {};
  if (loop.size() == 3) {
    if (points.in_line(loop[0], loop[1], loop[2])) return {};
    return {{loop[0], loop[1], loop[2]}};
  }
  const Vec<3> normal = points.plane_of(loop).normal;
  int axis = 0;
  if (!(normal.cwiseAbs().maxCoeff(&axis) > 0.0)) return {};
  return FlatEarClipper(points, loop, axis, normal[axis] > 0 ? 1 : -1).triangles();
}

}  // namespace collapse
