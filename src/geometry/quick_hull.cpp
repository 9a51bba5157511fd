#include "geometry/quick_hull.hpp"

#include <cstddef>
#include <utility>

namespace collapse {

namespace {

/// Barber, Dobkin, Huhdanpaa, "The quickhull algorithm for convex hulls" (1996), with exact signs.
///
/// A triangle is seen from a point that is strictly above its plane. Points in a plane see no triangle in it: moved a
/// little towards the inside they would see the same triangles, so what is seen has an outline without gaps and
/// pinches, and no new triangle is without area, for a point in line with an edge sees no triangle at it.
class QuickHull {
 public:
  QuickHull(const ExactPoints& points, const std::array<int, 4>& first)
      : points_(points),
        next_point_(static_cast<std::size_t>(points.size()), -1),
        starting_at_(static_cast<std::size_t>(points.size()), -1) {
    begin_with(first);
    while (!waiting_.empty()) {
      const int facet = waiting_.back();
      waiting_.pop_back();
      if (at(facet).alive && at(facet).farthest >= 0) add_point(facet);
    }
  }

  [[nodiscard]] std::vector<HullTriangle> triangles() const {
    std::vector<int> number(facets_.size(), -1);
    int count = 0;
    for (std::size_t i = 0; i < facets_.size(); ++i) {
      if (facets_[i].alive) number[i] = count++;
    }
    std::vector<HullTriangle> result;
    result.reserve(static_cast<std::size_t>(count));
    for (const Facet& facet : facets_) {
      if (!facet.alive) continue;
      result.push_back(facet.triangle);
      for (int& beyond : result.back().beyond) beyond = number[static_cast<std::size_t>(beyond)];
    }
    return result;
  }

 private:
  struct Facet {
    HullTriangle triangle;
    Vec<3> normal;  ///< of any length, for choosing points only
    int first_point = -1;
    int farthest = -1;
    double height = 0.0;  ///< of the farthest
    bool alive = true;
    bool seen = false;
  };
  struct HorizonEdge {
    int from = 0;
    int to = 0;
    int beyond = 0;
    std::size_t beyond_edge = 0;
  };

  Facet& at(int facet) { return facets_[static_cast<std::size_t>(facet)]; }

  int new_facet(const std::array<int, 3>& corners) {
    Facet facet;
    facet.triangle.corners = corners;
    const Vec<3>& origin = points_.value(corners[0]);
    facet.normal = (points_.value(corners[1]) - origin).cross(points_.value(corners[2]) - origin);
    facets_.push_back(facet);
    return static_cast<int>(facets_.size()) - 1;
  }

  bool sees(int point, int facet) {
    const std::array<int, 3>& c = at(facet).triangle.corners;
    return points_.side(c[0], c[1], c[2], point) > 0;
  }

  void begin_with(const std::array<int, 4>& first) {
    const auto [a, b, c, d] = first;
    // d is below a, b, c.
    const int faces[4] = {new_facet({a, b, c}), new_facet({b, a, d}), new_facet({c, b, d}),
                          new_facet({a, c, d})};
    at(faces[0]).triangle.beyond = {faces[1], faces[2], faces[3]};
    at(faces[1]).triangle.beyond = {faces[0], faces[3], faces[2]};
    at(faces[2]).triangle.beyond = {faces[0], faces[1], faces[3]};
    at(faces[3]).triangle.beyond = {faces[0], faces[2], faces[1]};
    for (int point = 0; point < points_.size(); ++point) {
      if (point != a && point != b && point != c && point != d) give(point, 0);
    }
    for (const int facet : faces) {
      if (at(facet).farthest >= 0) waiting_.push_back(facet);
    }
  }

  /// Gives a point to one of the facets from number `begin` on that it sees. One that sees none is inside for good.
  void give(int point, std::size_t begin) {
    for (std::size_t i = begin; i < facets_.size(); ++i) {
      if (!sees(point, static_cast<int>(i))) continue;
      Facet& facet = facets_[i];
      const double height =
          facet.normal.dot(points_.value(point) - points_.value(facet.triangle.corners[0]));
      next_point_[static_cast<std::size_t>(point)] = facet.first_point;
      facet.first_point = point;
      if (facet.farthest < 0 || height > facet.height) {
        facet.farthest = point;
        facet.height = height;
      }
      return;
    }
  }

  void add_point(int facet) {
    const int apex = at(facet).farthest;
    find_horizon(facet, apex);
    const std::size_t begin = facets_.size();
    for (const HorizonEdge& edge : horizon_) {
      const int made = new_facet({edge.from, edge.to, apex});
      at(made).triangle.beyond[0] = edge.beyond;
      at(edge.beyond).triangle.beyond[edge.beyond_edge] = made;
      starting_at_[static_cast<std::size_t>(edge.from)] = made;
    }
    for (std::size_t i = begin; i < facets_.size(); ++i) {
      const int after = starting_at_[static_cast<std::size_t>(facets_[i].triangle.corners[1])];
      facets_[i].triangle.beyond[1] = after;
      at(after).triangle.beyond[2] = static_cast<int>(i);
    }
    for (const int seen : seen_) {
      at(seen).alive = false;
      int point = at(seen).first_point;
      while (point >= 0) {
        const int following = next_point_[static_cast<std::size_t>(point)];
        if (point != apex) give(point, begin);
        point = following;
      }
    }
    for (std::size_t i = begin; i < facets_.size(); ++i) {
      if (facets_[i].farthest >= 0) waiting_.push_back(static_cast<int>(i));
    }
  }

  void find_horizon(int facet, int apex) {
    seen_.assign(1, facet);
    horizon_.clear();
    at(facet).seen = true;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const HullTriangle triangle = at(seen_[i]).triangle;
      for (std::size_t k = 0; k < 3; ++k) {
        const int beyond = triangle.beyond[k];
        if (at(beyond).seen) continue;
        if (sees(apex, beyond)) {
          at(beyond).seen = true;
          seen_.push_back(beyond);
          continue;
        }
        const int to = triangle.corners[(k + 1) % 3];
        std::size_t edge = 0;
        while (at(beyond).triangle.corners[edge] != to) ++edge;
        horizon_.push_back({triangle.corners[k], to, beyond, edge});
      }
    }
  }

  const ExactPoints& points_;
  std::vector<Facet> facets_;
  std::vector<int> waiting_;
  std::vector<int> next_point_;   ///< in the list of the facet that has it
  std::vector<int> starting_at_;  ///< the newest facet whose first corner a point is
  std::vector<int> seen_;
  std::vector<HorizonEdge> horizon_;
};

}  // namespace

std::optional<std::array<int, 4>> first_tetrahedron(const ExactPoints& points) {
  const int count = points.size();
  if (count < 4) return std::nullopt;
  // Far apart where doubles can tell: a large first tetrahedron leaves few points outside.
  const auto farthest = [&](const auto& measure) {
    int best = 0;
    for (int i = 1; i < count; ++i) {
      if (measure(i) > measure(best)) best = i;
    }
    return best;
  };
  const auto first_of = [&](int guess, const auto& good) {
    if (good(guess)) return guess;
    int i = 0;
    while (i < count && !good(i)) ++i;
    return i;
  };
  const int a = farthest([&](int i) { return -points.value(i)[0]; });
  const auto from_a = [&](int i) -> Vec<3> { return points.value(i) - points.value(a); };
  const int b = first_of(farthest([&](int i) { return from_a(i).squaredNorm(); }),
                         [&](int i) { return !points.coincide(a, i); });
  if (b == count) return std::nullopt;
  const Vec<3> along = from_a(b);
  const int c = first_of(farthest([&](int i) { return from_a(i).cross(along).squaredNorm(); }),
                         [&](int i) { return !points.in_line(a, b, i); });
  if (c == count) return std::nullopt;
  const Vec<3> across = along.cross(from_a(c));
  const int d = first_of(farthest([&](int i) { return std::abs(from_a(i).dot(across)); }),
                         [&](int i) { return points.side(a, b, c, i) != 0; });
  if (d == count) return std::nullopt;
  if (points.side(a, b, c, d) > 0) return std::array{b, a, c, d};
  return std::array{a, b, c, d};
}

std::vector<HullTriangle> quick_hull(const ExactPoints& points) {
  const std::optional<std::array<int, 4>> first = first_tetrahedron(points);
  return first ? QuickHull(points, *first).triangles() : std::vector<HullTriangle>();
}

}  // namespace collapse
