#pragma once
/// Random convex polyhedra and poses for the tests of distances, and a slow way to measure.

#include <cmath>
#include <memory>
#include <vector>

#include "collapse/core/random.hpp"
#include "contact/space/convex_distance.hpp"

namespace collapse::contacts {

/// A hull in the world with what `ConvexSolid` refers to.
struct PlacedSample {
  std::shared_ptr<const Hull> hull;
  Pose<3> pose;
  std::vector<Vec<3>> vertices;

  void place(const Pose<3>& at) {
    pose = at;
    vertices = placed_vertices(*hull, at);
  }
  [[nodiscard]] ConvexSolid solid() const {
    return ConvexSolid::polyhedron(*hull, vertices, pose.rotation);
  }
};

inline Vec<3> random_vector(Random& random, double size) {
  return {random.between(-size, size), random.between(-size, size), random.between(-size, size)};
}

inline Eigen::Matrix3d random_rotation(Random& random) {
  for (;;) {
    const Eigen::Vector4d q(random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                            random.between(-1.0, 1.0), random.between(-1.0, 1.0));
    if (q.squaredNorm() > 1.0 || q.squaredNorm() < 0.01) continue;
    return Eigen::Quaterniond(q).normalized().toRotationMatrix();
  }
}

inline std::shared_ptr<const Hull> hull_of(const std::vector<Vec<3>>& points) {
  std::vector<ExactVec<3>> exact;
  for (const Vec<3>& at : points) {
    exact.emplace_back(Rational(at.x()), Rational(at.y()), Rational(at.z()));
  }
  return std::make_shared<const Hull>(exact);
}

inline std::shared_ptr<const Hull> box_hull(const Vec<3>& sides) {
  std::vector<Vec<3>> corners;
  for (int i = 0; i < 8; ++i) {
    corners.emplace_back(((i & 1) != 0 ? 0.5 : -0.5) * sides.x(),
                         ((i & 2) != 0 ? 0.5 : -0.5) * sides.y(),
                         ((i & 4) != 0 ? 0.5 : -0.5) * sides.z());
  }
  return hull_of(corners);
}

/// A brick with sides down to `thinnest`, or the hull of random points, of size 1 or so.
inline std::shared_ptr<const Hull> random_hull(Random& random, double thinnest) {
  const auto side = [&] { return std::pow(thinnest, random.between(0.0, 1.0)); };
  const Vec<3> sides(side(), side(), side());
  if (random.below(2) == 0) return box_hull(sides);
  std::vector<Vec<3>> points;
  const int count = 4 + random.below(20);
  for (int i = 0; i < count; ++i) {
    points.emplace_back(random_vector(random, 1.0).cwiseProduct(sides));
  }
  return hull_of(points);
}

// ---------------------------------------------------------------------------------------------
// The slow way: all directions and all pairs of features, in long double.

using LongVec = Eigen::Matrix<long double, 3, 1>;

inline long double slow_gap(const PlacedSample& a, const PlacedSample& b, const LongVec& n) {
  long double high = n.dot(a.vertices[0].cast<long double>());
  long double low = n.dot(b.vertices[0].cast<long double>());
  for (const Vec<3>& at : a.vertices) high = std::max(high, n.dot(at.cast<long double>()));
  for (const Vec<3>& at : b.vertices) low = std::min(low, n.dot(at.cast<long double>()));
  return low - high;
}

inline LongVec slow_normal(const PlacedSample& a, std::size_t face) {
  const std::vector<int>& loop = a.hull->faces()[face].loop;
  LongVec normal = LongVec::Zero();
  const auto at = [&](std::size_t i) -> LongVec {
    return a.vertices[static_cast<std::size_t>(loop[i])].cast<long double>();
  };
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    normal += (at(i) - at(0)).cross(at(i + 1) - at(0));
  }
  return normal.normalized();
}

/// Over all face normals and all products of edges. The depth where polyhedra overlap, and the sign in any case.
inline long double slow_separation(const PlacedSample& a, const PlacedSample& b) {
  long double best = -std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < a.hull->faces().size(); ++i) {
    best = std::max(best, slow_gap(a, b, slow_normal(a, i)));
  }
  for (std::size_t i = 0; i < b.hull->faces().size(); ++i) {
    best = std::max(best, slow_gap(a, b, LongVec(-slow_normal(b, i))));
  }
  const auto direction = [](const PlacedSample& s, const Hull::Edge& e) -> LongVec {
    return s.vertices[static_cast<std::size_t>(e.to)].cast<long double>() -
           s.vertices[static_cast<std::size_t>(e.from)].cast<long double>();
  };
  for (const Hull::Edge& e : a.hull->edges()) {
    const LongVec d = direction(a, e).normalized();
    for (const Hull::Edge& f : b.hull->edges()) {
      const LongVec n = d.cross(direction(b, f).normalized());
      if (n.norm() < 1e-12L) continue;
      best = std::max(best, slow_gap(a, b, n.normalized()));
      best = std::max(best, slow_gap(a, b, LongVec(-n.normalized())));
    }
  }
  return best;
}

inline long double segment_distance(const LongVec& p, const LongVec& u, const LongVec& q,
                                    const LongVec& v) {
  // Ends against the other segment, and the crossing of the lines if it is inside both.
  const auto to_segment = [](const LongVec& x, const LongVec& o, const LongVec& d) {
    const long double t = std::clamp((x - o).dot(d) / d.squaredNorm(), 0.0L, 1.0L);
    return LongVec(x - o - t * d).norm();
  };
  long double best = std::min(
      {to_segment(p, q, v), to_segment(p + u, q, v), to_segment(q, p, u), to_segment(q + v, p, u)});
  const LongVec n = u.cross(v);
  const long double square = n.squaredNorm();
  if (square > 1e-24L * u.squaredNorm() * v.squaredNorm()) {
    const long double s = (q - p).cross(v).dot(n) / square;
    const long double t = (q - p).cross(u).dot(n) / square;
    if (s > 0 && s < 1 && t > 0 && t < 1) {
      best = std::min(best, std::abs((q - p).dot(n)) / std::sqrt(square));
    }
  }
  return best;
}

/// Smallest height of a vertex of `a` over a face of `b` that has its foot inside.
inline long double vertices_over_faces(const PlacedSample& a, const PlacedSample& b) {
  long double best = std::numeric_limits<long double>::infinity();
  for (std::size_t f = 0; f < b.hull->faces().size(); ++f) {
    const LongVec n = slow_normal(b, f);
    const std::vector<int>& loop = b.hull->faces()[f].loop;
    const auto corner = [&](std::size_t i) -> LongVec {
      return b.vertices[static_cast<std::size_t>(loop[i % loop.size()])].cast<long double>();
    };
    for (const Vec<3>& vertex : a.vertices) {
      const LongVec x = vertex.cast<long double>();
      bool inside = true;
      for (std::size_t i = 0; inside && i < loop.size(); ++i) {
        inside = n.dot((corner(i + 1) - corner(i)).cross(x - corner(i))) >= 0;
      }
      if (inside) best = std::min(best, std::abs(n.dot(x - corner(0))));
    }
  }
  return best;
}

/// Distance, or minus the depth.
inline double slow_distance(const PlacedSample& a, const PlacedSample& b) {
  const long double separation = slow_separation(a, b);
  if (separation <= 0) return static_cast<double>(separation);
  long double best = std::min(vertices_over_faces(a, b), vertices_over_faces(b, a));
  const auto at = [](const PlacedSample& s, int i) -> LongVec {
    return s.vertices[static_cast<std::size_t>(i)].cast<long double>();
  };
  for (const Hull::Edge& e : a.hull->edges()) {
    for (const Hull::Edge& f : b.hull->edges()) {
      best = std::min(best, segment_distance(at(a, e.from), at(a, e.to) - at(a, e.from),
                                             at(b, f.from), at(b, f.to) - at(b, f.from)));
    }
  }
  return static_cast<double>(best);
}

}  // namespace collapse::contacts
