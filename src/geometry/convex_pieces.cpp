/// Ear clipping, then removal of every diagonal that no reflex corner needs (Hertel and Mehlhorn:
/// at most four times as many pieces as necessary).

#include <algorithm>
#include <utility>
#include <vector>

#include "collapse/core/check.hpp"
#include "collapse/geometry/polygon.hpp"
#include "geometry/predicates.hpp"

namespace collapse {

namespace {

constexpr int kNone = -1;

/// Faces as cycles of half-edges.
class HalfEdges {
 public:
  struct HalfEdge {
    int origin = kNone;
    int next = kNone;
    int previous = kNone;
    int twin = kNone;  ///< the same diagonal seen from the other face; none on the boundary
  };

  /// Adds the triangle a b c; its half-edges are the result, the next one and the one after.
  int add_triangle(int a, int b, int c) {
    const int first = static_cast<int>(edges_.size());
    edges_.push_back({a, first + 1, first + 2, kNone});
    edges_.push_back({b, first + 2, first, kNone});
    edges_.push_back({c, first, first + 1, kNone});
    return first;
  }

  void pair(int edge, int twin) {
    at(edge).twin = twin;
    if (twin != kNone) at(twin).twin = edge;
  }

  /// Makes one face of the two beside a diagonal.
  void remove(int edge) {
    const HalfEdge removed = at(edge);
    const HalfEdge twin = at(removed.twin);
    link(removed.previous, twin.next);
    link(twin.previous, removed.next);
    at(removed.twin) = HalfEdge{};
    at(edge) = HalfEdge{};
  }

  [[nodiscard]] int count() const { return static_cast<int>(edges_.size()); }
  [[nodiscard]] const HalfEdge& operator[](int edge) const {
    return edges_[static_cast<std::size_t>(edge)];
  }
  [[nodiscard]] int target(int edge) const { return (*this)[(*this)[edge].next].origin; }

 private:
  HalfEdge& at(int edge) { return edges_[static_cast<std::size_t>(edge)]; }
  void link(int edge, int next) {
    at(edge).next = next;
    at(next).previous = edge;
  }

  std::vector<HalfEdge> edges_;
};

class EarClipper {
 public:
  explicit EarClipper(const Loop& polygon)
      : polygon_(polygon), corners_(static_cast<std::size_t>(polygon.size())) {
    for (int i = 0; i < polygon.size(); ++i) {
      at(i).next = polygon.next(i);
      at(i).previous = polygon.previous(i);
    }
    for (int i = 0; i < polygon.size(); ++i) {
      at(i).convex = is_convex(i);
      if (!at(i).convex) blockers_.push_back(i);
    }
    for (int i = 0; i < polygon.size(); ++i) at(i).ear = is_ear(i);
  }

  HalfEdges triangulate() {
    HalfEdges triangles;
    int left = polygon_.size();
    int corner = 0;
    int misses = 0;
    while (left > 3) {
      if (at(corner).ear) {
        clip(corner, triangles);
        --left;
        misses = 0;
      } else {
        ++misses;
      }
      // A simple polygon always has an ear, and the test for one is exact.
      COLLAPSE_DEMAND(misses <= left);
      corner = at(corner).next;
    }
    clip(corner, triangles);
    const int last = triangles.count() - 1;
    triangles.pair(last, at(at(corner).next).inner);
    return triangles;
  }

 private:
  struct Corner {
    int next = kNone;
    int previous = kNone;
    bool convex = false;
    bool ear = false;
    /// The half-edge of a clipped triangle along the side from here to the next corner.
    int inner = kNone;
  };

  Corner& at(int i) { return corners_[static_cast<std::size_t>(i)]; }

  bool is_convex(int i) {
    return orientation(point_of(polygon_, at(i).previous), point_of(polygon_, i),
                       point_of(polygon_, at(i).next)) > 0;
  }

  /// The corner is convex and its closed triangle holds no other vertex. Only vertices that are not
  /// convex can be the first to enter it.
  bool is_ear(int i) {
    if (!at(i).convex) return false;
    const int before = at(i).previous;
    const int after = at(i).next;
    const PointRef a = point_of(polygon_, before);
    const PointRef b = point_of(polygon_, i);
    const PointRef c = point_of(polygon_, after);
    LoopBounds box(a.value, b.value);
    box.low = box.low.cwiseMin(c.value);
    box.high = box.high.cwiseMax(c.value);
    return std::none_of(blockers_.begin(), blockers_.end(), [&](int k) {
      if (k == before || k == after) return false;
      const PointRef p = point_of(polygon_, k);
      return box.meets(LoopBounds(p.value, p.value)) && orientation(a, b, p) >= 0 &&
             orientation(b, c, p) >= 0 && orientation(c, a, p) >= 0;
    });
  }

  /// What is left only shrinks, so that no corner becomes an ear or ceases to be one except the two
  /// beside the clipped one.
  void clip(int i, HalfEdges& triangles) {
    const int before = at(i).previous;
    const int after = at(i).next;
    const int first = triangles.add_triangle(before, i, after);
    triangles.pair(first, at(before).inner);
    triangles.pair(first + 1, at(i).inner);
    at(before).inner = first + 2;
    at(before).next = after;
    at(after).previous = before;
    for (const int k : {before, after}) {
      if (at(k).convex || !is_convex(k)) continue;
      at(k).convex = true;
      std::erase(blockers_, k);
    }
    for (const int k : {before, after}) at(k).ear = is_ear(k);
  }

  const Loop& polygon_;
  std::vector<Corner> corners_;
  std::vector<int> blockers_;  ///< corners that are left and not convex
};

bool is_convex(const Loop& polygon) {
  for (int i = 0; i < polygon.size(); ++i) {
    if (orientation(point_of(polygon, polygon.previous(i)), point_of(polygon, i),
                    point_of(polygon, polygon.next(i))) < 0) {
      return false;
    }
  }
  return true;
}

void remove_needless_diagonals(const Loop& polygon, HalfEdges& faces) {
  // Whether the two faces beside `edge` together are convex at the origin of `edge`.
  const auto convex_at_origin = [&](int edge) {
    const int twin = faces[edge].twin;
    return orientation(point_of(polygon, faces[faces[edge].previous].origin),
                       point_of(polygon, faces[edge].origin),
                       point_of(polygon, faces.target(faces[twin].next))) >= 0;
  };
  for (int edge = 0; edge < faces.count(); ++edge) {
    const int twin = faces[edge].twin;
    if (twin != kNone && convex_at_origin(edge) && convex_at_origin(twin)) faces.remove(edge);
  }
}

}  // namespace

std::vector<Loop> convex_pieces(const Loop& polygon) {
  if (is_convex(polygon)) return {polygon};
  HalfEdges faces = EarClipper(polygon).triangulate();
  remove_needless_diagonals(polygon, faces);

  std::vector<Loop> pieces;
  std::vector<bool> seen(static_cast<std::size_t>(faces.count()), false);
  for (int start = 0; start < faces.count(); ++start) {
    if (faces[start].origin == kNone || seen[static_cast<std::size_t>(start)]) continue;
    std::vector<ExactVec<2>> vertices;
    int edge = start;
    do {
      seen[static_cast<std::size_t>(edge)] = true;
      vertices.push_back(point_of(polygon, faces[edge].origin).exact);
      edge = faces[edge].next;
    } while (edge != start);
    pieces.push_back(without_straight_vertices(Loop(std::move(vertices))));
  }
  return pieces;
}

}  // namespace collapse
