#include "contact/space/flat_end.hpp"

#include <algorithm>
#include <cmath>

namespace collapse::contacts {

FlatEndRegion::FlatEndRegion(const RoundCylinder& cylinder, double sign, const PlaneFrame& frame)
    : cylinder_(cylinder), frame_(frame) {
  for (int i = 0; i < kRimCorners; ++i) {
    circle_.push_back(frame.flat(cylinder.rim(sign, static_cast<double>(i) / kRimCorners)));
  }
}

void FlatEndRegion::add(const Vec<2>& at, int number) {
  points_.push_back(at);
  numbers_.push_back(number);
}

void FlatEndRegion::add_overlap(const FlatPolygon& polygon) {
  const double square = cylinder_.radius * cylinder_.radius;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec<2>& from = polygon[i];
    const Vec<2> side = polygon[i + 1 == polygon.size() ? 0 : i + 1] - from;
    if (from.squaredNorm() <= square) add(from, kRimCorners);
    // |from + t·side|² = r²
    const double length_square = side.squaredNorm();
    if (!(length_square > 0.0)) continue;
    const double middle = -from.dot(side) / length_square;
    const double rest = square - (from + middle * side).squaredNorm();
    if (rest < 0.0) continue;
    const double half = std::sqrt(rest / length_square);
    for (const double t : {middle - half, middle + half}) {
      if (t >= 0.0 && t <= 1.0) add(from + t * side, kRimCorners);
    }
  }
  for (int k = 0; k < kRimCorners; ++k) {
    const Vec<2>& at = circle_[at_index(k)];
    bool inside = true;
    for (std::size_t i = 0; inside && i < polygon.size(); ++i) {
      const Vec<2>& from = polygon[i];
      const Vec<2>& to = polygon[i + 1 == polygon.size() ? 0 : i + 1];
      inside = flat_cross(to - from, at - from) >= 0.0;
    }
    if (inside) add(at, k);
  }
}

void FlatEndRegion::add_overlap(const RoundCylinder& other, double other_sign) {
  const Vec<2> centre = frame_.flat(other.end(other_sign));
  const double distance = centre.norm();
  for (int k = 0; k < kRimCorners; ++k) {
    const Vec<2>& at = circle_[at_index(k)];
    if ((at - centre).norm() <= other.radius) add(at, k);
    const Vec<2> of_other =
        frame_.flat(other.rim(other_sign, static_cast<double>(k) / kRimCorners));
    if (of_other.norm() <= cylinder_.radius) add(of_other, kRimCorners);
  }
  // Where the circles cross.
  const double r = cylinder_.radius;
  if (!(distance > std::abs(r - other.radius)) || !(distance < r + other.radius)) return;
  const double along =
      (distance * distance + r * r - other.radius * other.radius) / (2.0 * distance);
  const double across = std::sqrt(std::max(0.0, r * r - along * along));
  const Vec<2> u = centre / distance;
  const Vec<2> v(-u.y(), u.x());
  add(along * u + across * v, kRimCorners);
  add(along * u - across * v, kRimCorners);
}

std::vector<FlatEndRegion::Corner> FlatEndRegion::corners(double tolerance) const {
  std::vector<Corner> corners;
  if (points_.size() < 3) return corners;
  const std::vector<int> hull = hull_corners(points_, tolerance);
  FlatPolygon outline;
  for (const int i : hull) outline.push_back(points_[at_index(i)]);
  if (outline.size() < 3 || width_of(outline) <= tolerance) return corners;
  int next = kRimCorners;
  for (const int i : hull) {
    const int number = numbers_[at_index(i)];
    corners.push_back(
        {frame_.lifted(points_[at_index(i)]), number < kRimCorners ? number : next++});
  }
  return corners;
}

}  // namespace collapse::contacts
