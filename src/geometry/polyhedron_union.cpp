/// What of each hull's faces no other hull covers, put together again.

#include <algorithm>
#include <utility>
#include <vector>

#include "collapse/geometry/pose.hpp"
#include "geometry/predicates.hpp"
#include "geometry/surface_parts.hpp"

namespace collapse {

namespace {

struct Bounds3 {
  Vec<3> low;
  Vec<3> high;

  template <class Points>
  explicit Bounds3(const Points& points) : low(points.front()), high(low) {
    for (const Vec<3>& point : points) {
      low = low.cwiseMin(point);
      high = high.cwiseMax(point);
    }
  }
  /// Rounding keeps order: boxes that are apart hold exact points that are.
  [[nodiscard]] bool meets(const Bounds3& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

/// The hull of points in the plane, counter-clockwise; empty if they are in line.
Loop hull_in_plane(std::vector<ExactVec<2>> points) {
  const auto less = [](const ExactVec<2>& a, const ExactVec<2>& b) {
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
  };
  std::sort(points.begin(), points.end(), less);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return Loop();
  std::vector<ExactVec<2>> chain;
  const auto add = [&](const ExactVec<2>& point, std::size_t least) {
    while (chain.size() > least && orientation(chain[chain.size() - 2], chain.back(), point) <= 0) {
      chain.pop_back();
    }
    chain.push_back(point);
  };
  for (const ExactVec<2>& point : points) add(point, 1);
  const std::size_t lower = chain.size();
  for (std::size_t i = points.size() - 1; i-- > 0;) add(points[i], lower);
  chain.pop_back();
  return chain.size() < 3 ? Loop() : Loop(std::move(chain));
}

/// Where the hull covers the front of a plane: its section if it reaches to the front, otherwise nothing.
Loop cover_of(const Hull& hull, const FlatPlane& plane) {
  std::vector<int> sides;
  bool in_front = false;
  for (std::size_t i = 0; i < hull.exact().size(); ++i) {
    sides.push_back(plane.side_of(hull.exact()[i], hull.vertices()[i]));
    in_front = in_front || sides.back() > 0;
  }
  if (!in_front) return Loop();
  std::vector<ExactVec<2>> points;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (sides[i] == 0) points.push_back(plane.flatten(hull.exact()[i]));
  }
  for (const Hull::Edge& edge : hull.edges()) {
    const auto from = static_cast<std::size_t>(edge.from);
    const auto to = static_cast<std::size_t>(edge.to);
    if (sides[from] * sides[to] >= 0) continue;
    const Rational height_from = plane.height_of(hull.exact()[from]);
    const Rational height_to = plane.height_of(hull.exact()[to]);
    const Rational share = height_from / (height_from - height_to);
    const ExactVec<2> start = plane.flatten(hull.exact()[from]);
    points.emplace_back(start + (plane.flatten(hull.exact()[to]) - start) * share);
  }
  return hull_in_plane(std::move(points));
}

/// Whether the line of some side of `a` has all of `b` on its outer side or on it.
bool some_side_separates(const Loop& a, const Loop& b) {
  for (int i = 0; i < a.size(); ++i) {
    bool outside = true;
    for (int k = 0; k < b.size() && outside; ++k) {
      outside = orientation(point_of(a, i), point_of(a, a.next(i)), point_of(b, k)) <= 0;
    }
    if (outside) return true;
  }
  return false;
}

/// A convex polygon's parts on the left and on the right of a line; without corners where there is none.
struct Halves {
  std::vector<ExactVec<2>> left;
  std::vector<ExactVec<2>> right;
};

Halves split(const Loop& polygon, PointRef a, PointRef b) {
  Halves halves;
  const ExactVec<2> along = b.exact - a.exact;
  for (int i = 0; i < polygon.size(); ++i) {
    const PointRef p = point_of(polygon, i);
    const PointRef q = point_of(polygon, polygon.next(i));
    const int side_p = orientation(a, b, p);
    const int side_q = orientation(a, b, q);
    if (side_p >= 0) halves.left.push_back(p.exact);
    if (side_p <= 0) halves.right.push_back(p.exact);
    if (side_p * side_q >= 0) continue;
    const Rational height_p = cross(along, ExactVec<2>(p.exact - a.exact));
    const Rational height_q = cross(along, ExactVec<2>(q.exact - a.exact));
    const ExactVec<2> point = p.exact + (q.exact - p.exact) * (height_p / (height_p - height_q));
    halves.left.push_back(point);
    halves.right.push_back(point);
  }
  return halves;
}

/// Adds the parts of one convex polygon that are outside another.
void add_uncovered(const Loop& polygon, const Loop& cover, std::vector<Loop>& parts) {
  if (some_side_separates(cover, polygon) || some_side_separates(polygon, cover)) {
    parts.push_back(polygon);
    return;
  }
  Loop rest = polygon;
  for (int i = 0; i < cover.size(); ++i) {
    const PointRef a = point_of(cover, i);
    const PointRef b = point_of(cover, cover.next(i));
    const bool all_left = [&] {
      for (int k = 0; k < rest.size(); ++k) {
        if (orientation(a, b, point_of(rest, k)) < 0) return false;
      }
      return true;
    }();
    if (all_left) continue;
    Halves halves = split(rest, a, b);
    if (halves.right.size() >= 3) parts.emplace_back(std::move(halves.right));
    rest = Loop(std::move(halves.left));
  }
}

void add_visible_patches(const std::vector<Hull>& pieces, std::size_t number,
                         const std::vector<Bounds3>& bounds, std::vector<Patch>& patches) {
  const Hull& hull = pieces[number];
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i != number && bounds[i].meets(bounds[number])) others.push_back(i);
  }
  for (const Hull::Face& face : hull.faces()) {
    std::vector<ExactVec<3>> corners;
    std::vector<Vec<3>> rounded;
    for (const int vertex : face.loop) {
      corners.push_back(hull.exact()[static_cast<std::size_t>(vertex)]);
      rounded.push_back(hull.vertices()[static_cast<std::size_t>(vertex)]);
    }
    const FlatPlane plane(corners);
    const Bounds3 box(rounded);
    std::vector<ExactVec<2>> outline;
    for (const ExactVec<3>& corner : corners) outline.push_back(plane.flatten(corner));
    std::vector<Loop> visible{Loop(std::move(outline))};
    for (const std::size_t other : others) {
      if (visible.empty()) break;
      if (!bounds[other].meets(box)) continue;
      const Loop cover = cover_of(pieces[other], plane);
      if (cover.size() == 0) continue;
      std::vector<Loop> left;
      for (const Loop& polygon : visible) add_uncovered(polygon, cover, left);
      visible = std::move(left);
    }
    for (Loop& polygon : visible) patches.push_back({plane, std::move(polygon)});
  }
}

}  // namespace

Surface union_surface(const std::vector<Hull>& pieces) {
  if (pieces.size() == 1) return surface_of(pieces.front());
  std::vector<Bounds3> bounds;
  bounds.reserve(pieces.size());
  for (const Hull& piece : pieces) bounds.emplace_back(piece.vertices());
  std::vector<Patch> patches;
  for (std::size_t i = 0; i < pieces.size(); ++i) add_visible_patches(pieces, i, bounds, patches);
  return surface_of_patches(std::move(patches));
}

}  // namespace collapse
