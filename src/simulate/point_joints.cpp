#include "simulate/point_joints.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace collapse::simulate {
namespace {

Vec<2> across(const Vec<2>& v) { return {-v.y(), v.x()}; }

double doubled_triangle(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c) {
  return across(b - a).dot(c - a);
}

/// Three points of the body that span a large triangle: the two that are farthest apart, and the one farthest
/// from their line.
std::array<std::size_t, 3> wide_triangle(const std::vector<Vec<2>>& points) {
  std::array<std::size_t, 3> best{0, 1, 2};
  double distance = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const double d = (points[i] - points[j]).norm();
      if (d > distance) {
        distance = d;
        best[0] = i;
        best[1] = j;
      }
    }
  }
  double area = -1.0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double a = std::abs(doubled_triangle(points[best[0]], points[best[1]], points[k]));
    if (a > area) {
      area = a;
      best[2] = k;
    }
  }
  return best;
}

class PlaceFinder {
 public:
  PlaceFinder(const Scene<2>& scene, const PointModel& model) : scene_(scene), model_(model) {}

  /// The place on a body (or in the fixed frame) that is at `world` at the start.
  [[nodiscard]] PointPlace place(int body, const Vec<2>& world) const {
    PointPlace place;
    const auto part = std::find_if(model_.bodies.begin(), model_.bodies.end(),
                                   [&](const PointBody& other) { return other.body == body; });
    if (body == kWorld || part == model_.bodies.end()) {  // half planes, too, never move
      place.constant = world;
      return place;
    }
    const Pose<2>& pose = scene_.bodies[slot(body)].pose;
    const Vec<2> local = pose.rotation.transpose() * (world - pose.position);
    const auto corners = wide_triangle(part->local);
    const Vec<2>& a = part->local[corners[0]];
    const Vec<2>& b = part->local[corners[1]];
    const Vec<2>& c = part->local[corners[2]];
    const double all = doubled_triangle(a, b, c);
    const double of_a = doubled_triangle(local, b, c) / all;
    const double of_b = doubled_triangle(a, local, c) / all;
    const auto add = [&](std::size_t corner, double weight) {
      if (weight != 0.0) {
        place.terms.emplace_back(part->first + static_cast<int>(corner), weight);
      }
    };
    add(corners[0], of_a);
    add(corners[1], of_b);
    add(corners[2], 1.0 - of_a - of_b);
    return place;
  }

  [[nodiscard]] double size(int body) const {
    if (body == kWorld) return model_.size;
    return std::min(model_.size, scene_.bodies[slot(body)].shape.size());
  }

 private:
  const Scene<2>& scene_;
  const PointModel& model_;
};

}  // namespace

Vec<2> PointPlace::position(const std::vector<Vec<2>>& points) const {
  return constant + shift(points);
}

Vec<2> PointPlace::shift(const std::vector<Vec<2>>& shifts) const {
  Vec<2> sum = Vec<2>::Zero();
  for (const auto& [point, weight] : terms) sum += weight * shifts[slot(point)];
  return sum;
}

Vec<2> PointLink::along(const std::vector<Vec<2>>& positions) const {
  if (is_rod) return (a.position(positions) - b.position(positions)).normalized();
  if (!pivot) return direction;
  return across(b.position(positions) - pivot->position(positions)).normalized();
}

double PointLink::error(const Vec<2>& between, const Vec<2>& along) const {
  return is_rod ? between.norm() - length : along.dot(between);
}

std::vector<PointLink> point_links(const Scene<2>& scene, const PointModel& model) {
  const PlaceFinder finder(scene, model);
  std::vector<PointLink> links;
  for (const Joint<2>& joint : scene.joints) {
    PointLink link;
    link.a = finder.place(joint.a, joint.at_a.value);
    link.b = finder.place(joint.b, joint.at_b.value);
    link.size = std::min(finder.size(joint.a), finder.size(joint.b));
    if (joint.type == JointType::rod) {
      link.is_rod = true;
      link.length = joint.length;
      links.push_back(link);
      continue;
    }
    for (const Vec<2>& direction : {Vec<2>(Vec<2>::UnitX()), Vec<2>(Vec<2>::UnitY())}) {
      link.direction = direction;
      links.push_back(link);
    }
    if (joint.type == JointType::weld) {
      const Vec<2> beside = joint.at_a.value + link.size * Vec<2>::UnitX();
      link.pivot = link.b;
      link.a = finder.place(joint.a, beside);
      link.b = finder.place(joint.b, beside);
      links.push_back(link);
    }
  }
  return links;
}

}  // namespace collapse::simulate
