#include "benchmarks/box_overlap.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace collapse::benchmarks {
namespace {

/// Half of what a box covers of a direction.
double radius_along(const PlacedBox& box, const Vec<3>& direction) {
  return box.half.dot((box.axes.transpose() * direction).cwiseAbs());
}

}  // namespace

double separation(const PlacedBox& a, const PlacedBox& b) {
  const Vec<3> between = b.centre - a.centre;
  double largest = -std::numeric_limits<double>::infinity();
  const auto try_axis = [&](const Vec<3>& axis) {
    largest = std::max(largest,
                       std::abs(between.dot(axis)) - radius_along(a, axis) - radius_along(b, axis));
  };
  for (int i = 0; i < 3; ++i) {
    try_axis(a.axes.col(i));
    try_axis(b.axes.col(i));
  }
  // Edges that are almost parallel have no axis of their own: it would be one of the faces', to the square of the
  // angle, and rounding would turn it.
  constexpr double kParallel = 1e-6;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec<3> axis = a.axes.col(i).cross(b.axes.col(j));
      const double sine = axis.norm();
      if (sine > kParallel) try_axis(axis / sine);
    }
  }
  return largest;
}

double separation(const SolidHalf& solid, const PlacedBox& box) {
  return solid.normal.dot(box.centre) - radius_along(box, solid.normal) - solid.offset;
}

std::vector<double> depths(std::span<const PlacedBox> boxes, std::span<const SolidHalf> halves) {
  std::vector<double> found;
  const auto note = [&](double apart) {
    if (apart < 0.0) found.push_back(-apart);
  };
  // Along x, a box is compared with those that begin before it ends.
  std::vector<double> reach(boxes.size());
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i < boxes.size(); ++i) reach[i] = boxes[i].half.norm();
  const auto begin_of = [&](std::size_t i) { return boxes[i].centre.x() - reach[i]; };
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return begin_of(i) < begin_of(j); });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const PlacedBox& box = boxes[order[k]];
    const double end = box.centre.x() + reach[order[k]];
    for (std::size_t l = k + 1; l < order.size() && begin_of(order[l]) < end; ++l) {
      const double near = reach[order[k]] + reach[order[l]];
      const PlacedBox& other = boxes[order[l]];
      if ((other.centre - box.centre).squaredNorm() < near * near) note(separation(box, other));
    }
    for (const SolidHalf& solid : halves) note(separation(solid, box));
  }
  return found;
}

}  // namespace collapse::benchmarks
