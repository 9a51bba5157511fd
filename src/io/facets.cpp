#include "io/facets.hpp"

#include <cmath>
#include <numbers>

namespace collapse {
namespace {

/// A circle of a surface of revolution: how far along the axis, how wide, and which way the normal points (along the
/// axis, and away from it).
struct Circle {
  double along = 0.0;
  double radius = 0.0;
  Vec<2> normal = Vec<2>::Zero();
};

/// From circle to circle, outwards to the right of the way along the axis.
class Turner {
 public:
  Turner(Facets& facets, const Vec<3>& foot, const Vec<3>& axis, int sides)
      : facets_(facets), foot_(foot), axis_(axis), across_(tangents_of<3>(axis)), sides_(sides) {}

  void turn(const std::vector<Circle>& circles) {
    const auto first = static_cast<int>(facets_.points.size());
    for (const Circle& circle : circles) {
      for (int i = 0; i < sides_; ++i) {
        const Vec<3> out = outwards(i);
        facets_.points.emplace_back(foot_ + circle.along * axis_ + circle.radius * out);
        facets_.normals.emplace_back(circle.normal.x() * axis_ + circle.normal.y() * out);
      }
    }
    for (std::size_t c = 0; c + 1 < circles.size(); ++c) {
      for (int i = 0; i < sides_; ++i) {
        const int next = (i + 1) % sides_;
        const int lower = first + static_cast<int>(c) * sides_;
        const int upper = lower + sides_;
        if (circles[c].radius == 0.0) {
          facets_.polygons.push_back({lower + i, upper + next, upper + i});
        } else if (circles[c + 1].radius == 0.0) {
          facets_.polygons.push_back({lower + i, lower + next, upper + i});
        } else {
          facets_.polygons.push_back({lower + i, lower + next, upper + next, upper + i});
        }
      }
    }
  }

  /// A flat end, with its rim as an edge.
  void disk(double along, double radius, double side) {
    std::vector<int> corners;
    for (int i = 0; i < sides_; ++i) {
      corners.push_back(static_cast<int>(facets_.points.size()));
      facets_.points.emplace_back(foot_ + along * axis_ + radius * outwards(side > 0.0 ? i : -i));
      facets_.normals.emplace_back(side * axis_);
    }
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const auto at = [&](std::size_t k) {
        return facets_.points[static_cast<std::size_t>(corners[k % corners.size()])];
      };
      facets_.edges.emplace_back(at(i), at(i + 1));
    }
    facets_.polygons.push_back(std::move(corners));
  }

 private:
  [[nodiscard]] Vec<3> outwards(int i) const {
    const double angle = 2.0 * std::numbers::pi * i / sides_;
    return std::cos(angle) * across_.col(0) + std::sin(angle) * across_.col(1);
  }

  Facets& facets_;
  Vec<3> foot_;
  Vec<3> axis_;
  Eigen::Matrix<double, 3, 2> across_;
  int sides_;
};

/// A part of a sphere about `middle`, from one angle above the equator to another, in right angles.
void add_cap(std::vector<Circle>& circles, double middle, double radius, int from, int to,
             int steps) {
  for (int i = 0; i <= steps; ++i) {
    const double share = from + static_cast<double>((to - from) * i) / steps;
    const double angle = 0.5 * std::numbers::pi * share;
    const Vec<2> normal(std::sin(angle), std::abs(share) == 1.0 ? 0.0 : std::cos(angle));
    circles.push_back({middle + radius * normal.x(), radius * normal.y(), normal});
  }
}

void add_polyhedron(Facets& facets, const Surface& surface) {
  for (const Surface::Face& face : surface.faces) {
    for (const std::vector<int>& piece : face.pieces) {
      std::vector<int> corners;
      for (const int point : piece) {
        corners.push_back(static_cast<int>(facets.points.size()));
        facets.points.push_back(surface.points[static_cast<std::size_t>(point)]);
        facets.normals.push_back(face.normal);
      }
      facets.polygons.push_back(std::move(corners));
    }
  }
  for (const auto& [from, to] : drawn_edges(surface)) {
    facets.edges.emplace_back(surface.points[static_cast<std::size_t>(from)],
                              surface.points[static_cast<std::size_t>(to)]);
  }
}

void add_capsule(Facets& facets, const Capsule& capsule, int sides) {
  const Vec<3> way = capsule.to - capsule.from;
  const double length = way.stableNorm();
  const Vec<3> axis = length > 0.0 ? Vec<3>(way / length) : Vec<3>(Vec<3>::UnitZ());
  std::vector<Circle> circles;
  add_cap(circles, 0.0, capsule.radius, -1, 0, sides / 4);
  if (!(length > 0.0)) circles.pop_back();
  add_cap(circles, length, capsule.radius, 0, 1, sides / 4);
  Turner(facets, capsule.from, axis, sides).turn(circles);
}

}  // namespace

std::vector<std::pair<int, int>> drawn_edges(const Surface& surface) {
  constexpr std::size_t kFewEdges = 100;
  constexpr double kSharp = 0.93;  // cosine of the turn from face to face
  std::vector<std::pair<int, int>> edges;
  for (const Surface::Edge& edge : surface.edges) {
    const Vec<3>& left = surface.faces[static_cast<std::size_t>(edge.left)].normal;
    const Vec<3>& right = surface.faces[static_cast<std::size_t>(edge.right)].normal;
    if (surface.edges.size() > kFewEdges && left.dot(right) > kSharp) continue;
    edges.emplace_back(edge.from, edge.to);
  }
  return edges;
}

Facets facets_of(const Shape<3>& shape, int sides) {
  Facets facets;
  add_polyhedron(facets, shape.boundary);
  for (const Ball<3>& ball : shape.balls) {
    std::vector<Circle> circles;
    add_cap(circles, 0.0, ball.radius, -1, 1, sides / 2);
    Turner(facets, ball.centre, Vec<3>::UnitZ(), sides).turn(circles);
  }
  for (const Cylinder& cylinder : shape.cylinders) {
    const double half = cylinder.half_height;
    Turner turner(facets, cylinder.centre, cylinder.axis, sides);
    turner.turn({{-half, cylinder.radius, {0.0, 1.0}}, {half, cylinder.radius, {0.0, 1.0}}});
    turner.disk(-half, cylinder.radius, -1.0);
    turner.disk(half, cylinder.radius, 1.0);
  }
  for (const Capsule& capsule : shape.capsules) add_capsule(facets, capsule, sides);
  return facets;
}

Facets box_facets(const Vec<3>& half) {
  Facets facets;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    for (const double side : {-1.0, 1.0}) {
      std::vector<int> corners;
      for (const auto& [x, y] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
        Vec<3> corner;
        corner[axis] = side * half[axis];
        corner[u] = side * x * half[u];  // mirrored on the far side: still counter-clockwise
        corner[v] = y * half[v];
        corners.push_back(static_cast<int>(facets.points.size()));
        facets.points.push_back(corner);
        facets.normals.emplace_back(side * Vec<3>::Unit(axis));
      }
      facets.polygons.push_back(std::move(corners));
    }
    for (const auto& [x, y] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
      Vec<3> from;
      from[axis] = -half[axis];
      from[u] = x * half[u];
      from[v] = y * half[v];
      Vec<3> to = from;
      to[axis] = half[axis];
      facets.edges.emplace_back(from, to);
    }
  }
  return facets;
}

Triangles triangles_of(const Facets& facets, const Vec<3>& origin) {
  double reach = 0.0;
  for (const Vec<3>& point : facets.points) {
    reach = std::max(reach, (point - origin).cwiseAbs().maxCoeff());
  }
  const double grid = reach > 0.0 ? std::ldexp(1.0, std::ilogb(reach) - 20) : 1.0;
  const auto rounded = [&](const Vec<3>& point) {
    // Adding 0 makes −0 the same as 0.
    const Vec<3> whole = ((point - origin) / grid).array().round().matrix();
    return Point3((grid * whole + Vec<3>::Zero()).cast<float>());
  };
  Triangles triangles;
  for (const Vec<3>& point : facets.points) triangles.points.push_back(rounded(point));
  for (const Vec<3>& normal : facets.normals) {
    triangles.normals.push_back(Point3(normal.cast<float>()).normalized());
  }
  for (const std::vector<int>& polygon : facets.polygons) {
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      for (const int corner : {polygon[0], polygon[i - 1], polygon[i]}) {
        triangles.triangles.push_back(static_cast<std::uint32_t>(corner));
      }
    }
  }
  for (const auto& [from, to] : facets.edges) {
    triangles.outline.push_back(rounded(from));
    triangles.outline.push_back(rounded(to));
  }
  return triangles;
}

}  // namespace collapse
