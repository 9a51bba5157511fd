/// The union as an exact arrangement: every side is split where others cross or touch it, the
/// pieces whose right side lies inside another polygon are dropped, and the rest is joined to
/// loops.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "collapse/core/check.hpp"
#include "collapse/geometry/polygon.hpp"
#include "collapse/geometry/pose.hpp"
#include "geometry/predicates.hpp"

namespace collapse {

namespace {

struct Point {
  explicit Point(ExactVec<2> coordinates)
      : exact(std::move(coordinates)), value(to_double<2>(exact)) {}

  [[nodiscard]] PointRef ref() const { return {exact, value}; }

  ExactVec<2> exact;
  Vec<2> value;
};

/// A side of one of the polygons, solid on its left, with the points that split it.
struct Side {
  PointRef from;
  PointRef to;
  int polygon = 0;
  std::vector<Point> cuts;
};

/// Where the lines of two sides that cross meet.
ExactVec<2> crossing(const Side& s, const Side& t) {
  const ExactVec<2> along_s = s.to.exact - s.from.exact;
  const ExactVec<2> along_t = t.to.exact - t.from.exact;
  const Rational fraction = cross(t.from.exact - s.from.exact, along_t) / cross(along_s, along_t);
  return s.from.exact + along_s * fraction;
}

void cut_each_other(Side& s, Side& t) {
  const int side_t_from = orientation(s.from, s.to, t.from);
  const int side_t_to = orientation(s.from, s.to, t.to);
  const int side_s_from = orientation(t.from, t.to, s.from);
  const int side_s_to = orientation(t.from, t.to, s.to);
  const auto cut_at_end = [](int side, PointRef end, Side& cut) {
    if (side == 0 && strictly_between(end, cut.from, cut.to)) cut.cuts.emplace_back(end.exact);
  };
  cut_at_end(side_t_from, t.from, s);
  cut_at_end(side_t_to, t.to, s);
  cut_at_end(side_s_from, s.from, t);
  cut_at_end(side_s_to, s.to, t);
  if (side_t_from * side_t_to < 0 && side_s_from * side_s_to < 0) {
    const Point point(crossing(s, t));
    s.cuts.push_back(point);
    t.cuts.push_back(point);
  }
}

std::vector<Side> sides_cut_at_each_other(const std::vector<Loop>& polygons) {
  std::vector<Side> sides;
  std::vector<LoopBounds> boxes;
  for (std::size_t k = 0; k < polygons.size(); ++k) {
    const Loop& polygon = polygons[k];
    for (int i = 0; i < polygon.size(); ++i) {
      sides.push_back(
          {point_of(polygon, i), point_of(polygon, polygon.next(i)), static_cast<int>(k), {}});
      boxes.emplace_back(sides.back().from.value, sides.back().to.value);
    }
  }
  for_each_meeting_pair(boxes, [&](int i, int j) {
    Side& s = sides[static_cast<std::size_t>(i)];
    Side& t = sides[static_cast<std::size_t>(j)];
    if (s.polygon != t.polygon) cut_each_other(s, t);
    return true;
  });
  return sides;
}

struct LexicographicOrder {
  bool operator()(const Point& a, const Point& b) const {
    return lexicographically_less(a.ref(), b.ref());
  }
};

/// Gives equal points the same number, in the order of their coordinates.
class PointNumbers {
 public:
  explicit PointNumbers(std::vector<Point> points) : points_(std::move(points)) {
    std::sort(points_.begin(), points_.end(), LexicographicOrder());
    const auto same = [](const Point& a, const Point& b) { return a.exact == b.exact; };
    points_.erase(std::unique(points_.begin(), points_.end(), same), points_.end());
  }

  [[nodiscard]] int number_of(const Point& point) const {
    const auto found =
        std::lower_bound(points_.begin(), points_.end(), point, LexicographicOrder());
    return static_cast<int>(found - points_.begin());
  }
  [[nodiscard]] const Point& operator[](int number) const {
    return points_[static_cast<std::size_t>(number)];
  }

 private:
  std::vector<Point> points_;
};

/// Polygons with the segment (low, high) on their boundary, by the direction in which they use it.
struct Users {
  std::vector<int> upwards;
  std::vector<int> downwards;
};
using Segments = std::map<std::pair<int, int>, Users>;

/// The points of a side in order, ends included.
std::vector<Point> points_along(const Side& side) {
  std::vector<Point> points = side.cuts;
  std::sort(points.begin(), points.end(), LexicographicOrder());
  if (lexicographically_less(side.to, side.from)) std::reverse(points.begin(), points.end());
  points.insert(points.begin(), Point(side.from.exact));
  points.emplace_back(side.to.exact);
  return points;
}

PointNumbers number_points(const std::vector<Side>& sides) {
  std::vector<Point> points;
  for (const Side& side : sides) {
    points.emplace_back(side.from.exact);
    points.insert(points.end(), side.cuts.begin(), side.cuts.end());
  }
  return PointNumbers(std::move(points));
}

Segments segments_of(const std::vector<Side>& sides, const PointNumbers& points) {
  Segments segments;
  for (const Side& side : sides) {
    int from = points.number_of(Point(side.from.exact));
    for (const Point& point : points_along(side)) {
      const int to = points.number_of(point);
      if (from < to) segments[{from, to}].upwards.push_back(side.polygon);
      if (to < from) segments[{to, from}].downwards.push_back(side.polygon);
      from = to;
    }
  }
  return segments;
}

/// A part of the union's boundary, solid on its left.
struct Edge {
  int from = 0;
  int to = 0;
};

/// Both sides of a segment that two polygons use in opposite directions are covered: a seam. Of the
/// others the left side is covered, and the right one is if a polygon has the segment inside.
std::vector<Edge> outline_edges(const Segments& segments, const PointNumbers& points,
                                const std::vector<Loop>& polygons) {
  std::vector<LoopBounds> boxes;
  for (const Loop& polygon : polygons) boxes.emplace_back(polygon);
  std::vector<Edge> edges;
  for (const auto& [ends, users] : segments) {
    if (!users.upwards.empty() && !users.downwards.empty()) continue;
    const bool up = !users.upwards.empty();
    const std::vector<int>& owners = up ? users.upwards : users.downwards;
    const Point middle((points[ends.first].exact + points[ends.second].exact) / Rational(2));
    const LoopBounds box(middle.value, middle.value);
    bool covered = false;
    for (std::size_t k = 0; k < polygons.size() && !covered; ++k) {
      covered = boxes[k].meets(box) &&
                std::find(owners.begin(), owners.end(), static_cast<int>(k)) == owners.end() &&
                is_inside(polygons[k], middle.ref());
    }
    if (covered) continue;
    edges.push_back(up ? Edge{ends.first, ends.second} : Edge{ends.second, ends.first});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  return edges;
}

/// Whether going on from `edge` to `a` turns further left than going on to `b`.
bool turns_further_left(const Edge& edge, int a, int b, const PointNumbers& points) {
  const PointRef from = points[edge.from].ref();
  const PointRef at = points[edge.to].ref();
  const int turn_a = orientation(from, at, points[a].ref());
  const int turn_b = orientation(from, at, points[b].ref());
  if (turn_a != turn_b) return turn_a > turn_b;
  return orientation(at, points[b].ref(), points[a].ref()) > 0;
}

/// The edge that follows each one around the same piece of solid: the sharpest turn to the left,
/// so that polygons which touch in a point stay apart.
std::vector<int> successors_of(const std::vector<Edge>& edges, const PointNumbers& points) {
  std::vector<int> successors;
  successors.reserve(edges.size());
  for (const Edge& edge : edges) {
    auto next = std::lower_bound(edges.begin(), edges.end(), edge.to,
                                 [](const Edge& e, int point) { return e.from < point; });
    COLLAPSE_DEMAND(next != edges.end() && next->from == edge.to);
    for (auto other = next + 1; other != edges.end() && other->from == edge.to; ++other) {
      if (turns_further_left(edge, other->to, next->to, points)) next = other;
    }
    successors.push_back(static_cast<int>(next - edges.begin()));
  }
  return successors;
}

/// Point numbers around each loop, from the smallest one. Where a walk along the solid comes back
/// to a point, as it does where a hole touches the outside, the part in between is a loop of its
/// own.
std::vector<std::vector<int>> simple_loops(const std::vector<Edge>& edges,
                                           const std::vector<int>& successors) {
  std::vector<std::vector<int>> loops;
  std::vector<bool> walked(edges.size(), false);
  for (std::size_t start = 0; start < edges.size(); ++start) {
    std::vector<int> path;
    for (std::size_t at = start; !walked[at]; at = static_cast<std::size_t>(successors[at])) {
      walked[at] = true;
      path.push_back(edges[at].from);
      const auto closing = std::find(path.begin(), path.end(), edges[at].to);
      if (closing == path.end()) continue;
      std::vector<int> loop(closing, path.end());
      path.erase(closing, path.end());
      std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
      loops.push_back(std::move(loop));
    }
    COLLAPSE_DEMAND(path.empty());
  }
  std::sort(loops.begin(), loops.end());
  return loops;
}

}  // namespace

std::vector<Loop> union_boundary(const std::vector<Loop>& polygons) {
  if (polygons.size() == 1) return {without_straight_vertices(polygons.front())};
  const std::vector<Side> sides = sides_cut_at_each_other(polygons);
  const PointNumbers points = number_points(sides);
  const std::vector<Edge> edges = outline_edges(segments_of(sides, points), points, polygons);

  std::vector<Loop> boundary;
  for (const std::vector<int>& loop : simple_loops(edges, successors_of(edges, points))) {
    std::vector<ExactVec<2>> vertices;
    for (const int point : loop) vertices.push_back(points[point].exact);
    boundary.push_back(without_straight_vertices(Loop(std::move(vertices))));
  }
  return boundary;
}

}  // namespace collapse
