#include "io/mesh.hpp"

#include <cmath>
#include <numbers>
#include <span>

namespace collapse {
namespace {

constexpr int kSegments = 48;       ///< of a circle
constexpr int kArrowSegments = 12;  ///< around an arrow

using Point = Vec<2>;

/// Puts a mesh together from flat pieces and walls.
class Builder {
 public:
  explicit Builder(double depth) : half_(0.5 * depth) {}

  /// A convex piece on both sides.
  void plate(std::span<const Point> corners) {
    for (const double side : {1.0, -1.0}) {
      const auto first = static_cast<std::uint32_t>(mesh_.points.size());
      for (const Point& corner : corners) add(corner, side * half_, {0.0, 0.0, side});
      for (std::uint32_t i = 2; i < corners.size(); ++i) {
        const std::uint32_t a = first + i - 1;
        const std::uint32_t b = first + i;
        triangle(first, side > 0.0 ? a : b, side > 0.0 ? b : a);
      }
    }
  }

  /// Along a closed line with the solid on its left: flat from corner to corner, or round about `centre`.
  void wall(std::span<const Point> corners, const Point* centre) {
    const std::size_t n = corners.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Point& from = corners[i];
      const Point& to = corners[(i + 1) % n];
      const Point along = (to - from).stableNormalized();
      const Point across(along.y(), -along.x());
      const Point n_from = centre ? Point((from - *centre).stableNormalized()) : across;
      const Point n_to = centre ? Point((to - *centre).stableNormalized()) : across;
      const auto first = static_cast<std::uint32_t>(mesh_.points.size());
      add(from, -half_, {n_from.x(), n_from.y(), 0.0});
      add(to, -half_, {n_to.x(), n_to.y(), 0.0});
      add(to, half_, {n_to.x(), n_to.y(), 0.0});
      add(from, half_, {n_from.x(), n_from.y(), 0.0});
      triangle(first, first + 1, first + 2);
      triangle(first, first + 2, first + 3);
    }
  }

  /// Lines along both rims, a little off the solid so that they are seen.
  void outline(std::span<const Point> corners) {
    constexpr double kOff = 1.004;
    const std::size_t n = corners.size();
    for (const double z : {kOff * half_, -kOff * half_}) {
      for (std::size_t i = 0; i < n; ++i) {
        for (const Point* corner : {&corners[i], &corners[(i + 1) % n]}) {
          mesh_.outline.push_back(to_point(*corner, z));
        }
      }
    }
  }

  [[nodiscard]] Triangles take() { return std::move(mesh_); }

 private:
  static Point3 to_point(const Point& point, double z) {
    return Eigen::Vector3d(point.x(), point.y(), z).cast<float>();
  }
  void add(const Point& point, double z, const Eigen::Vector3d& normal) {
    mesh_.points.push_back(to_point(point, z));
    mesh_.normals.push_back(normal.cast<float>().normalized());
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh_.triangles.insert(mesh_.triangles.end(), {a, b, c});
  }

  double half_;
  Triangles mesh_;
};

std::vector<Point> circle(const Point& centre, double radius) {
  std::vector<Point> corners;
  for (int i = 0; i < kSegments; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kSegments;
    corners.push_back(centre + radius * Point(std::cos(angle), std::sin(angle)));
  }
  return corners;
}

/// Rounds to a grid that is fine in comparison with `size`.
class Rounding {
 public:
  explicit Rounding(double size) : grid_(std::ldexp(1.0, std::ilogb(size) - 20)) {}
  Point operator()(const Point& point) const {
    // Adding 0 makes −0 the same as 0.
    return (point / grid_).array().round().matrix() * grid_ + Point::Zero();
  }

 private:
  double grid_;
};

}  // namespace

Triangles extruded(const Shape<2>& shape, const Vec<2>& origin, double depth) {
  Builder builder(depth);
  const Rounding rounded(shape.reach(origin));
  const auto moved = [&](const Loop& loop) {
    std::vector<Point> corners;
    for (const Vec<2>& vertex : loop.vertices()) corners.push_back(rounded(vertex - origin));
    return corners;
  };
  for (const Loop& piece : shape.pieces) builder.plate(moved(piece));
  for (const Loop& loop : shape.boundary) {
    const std::vector<Point> corners = moved(loop);
    builder.wall(corners, nullptr);
    builder.outline(corners);
  }
  for (const Ball<2>& ball : shape.balls) {
    const Point centre = rounded(ball.centre - origin);
    const std::vector<Point> corners = circle(centre, ball.radius);
    builder.plate(corners);
    builder.wall(corners, &centre);
    builder.outline(corners);
  }
  return builder.take();
}

Triangles extruded(const std::vector<Vec<2>>& corners, double depth) {
  Builder builder(depth);
  builder.plate(corners);
  builder.wall(corners, nullptr);
  builder.outline(corners);
  return builder.take();
}

Triangles round_plate(double radius, double depth) {
  Builder builder(depth);
  const Point centre = Point::Zero();
  const std::vector<Point> corners = circle(centre, radius);
  builder.plate(corners);
  builder.wall(corners, &centre);
  return builder.take();
}

Triangles turn_mark(double radius, double depth) {
  constexpr double kProud = 1.01;
  Builder builder(kProud * depth);
  const double half = 0.03 * radius;
  const std::vector<Point> corners{
      {-half, 0.55 * radius}, {half, 0.55 * radius}, {half, 0.92 * radius}, {-half, 0.92 * radius}};
  builder.plate(corners);
  builder.wall(corners, nullptr);
  return builder.take();
}

Triangles arrow_mesh() {
  constexpr double kShaft = 0.055;
  constexpr double kHead = 0.15;
  constexpr double kNeck = 0.6;
  Triangles mesh;
  /// A band between two circles across the arrow; of radius 0 where it ends in a point.
  const auto band = [&](double x0, double r0, double x1, double r1) {
    const Vec<2> across = Vec<2>(r0 - r1, x1 - x0).normalized();
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    for (int i = 0; i <= kArrowSegments; ++i) {
      const double angle = 2.0 * std::numbers::pi * (i % kArrowSegments) / kArrowSegments;
      const double c = std::cos(angle);
      const double s = std::sin(angle);
      for (const auto& [x, r] : {std::pair{x0, r0}, std::pair{x1, r1}}) {
        mesh.points.push_back(Eigen::Vector3d(x, r * c, r * s).cast<float>());
        mesh.normals.push_back(
            Eigen::Vector3d(across.x(), across.y() * c, across.y() * s).cast<float>().normalized());
      }
      if (i == 0) continue;
      const std::uint32_t b = first + 2 * static_cast<std::uint32_t>(i);
      if (r0 > 0.0) mesh.triangles.insert(mesh.triangles.end(), {b - 2, b, b - 1});
      if (r1 > 0.0) mesh.triangles.insert(mesh.triangles.end(), {b, b + 1, b - 1});
    }
  };
  band(0.0, 0.0, 0.0, kShaft);
  band(0.0, kShaft, kNeck, kShaft);
  band(kNeck, kShaft, kNeck, kHead);
  band(kNeck, kHead, 1.0, 0.0);
  return mesh;
}

}  // namespace collapse
