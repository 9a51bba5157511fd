#include <algorithm>
#include <string>
#include <vector>

#include "collapse/geometry/polygon.hpp"
#include "geometry/predicates.hpp"

namespace collapse {

namespace {

std::string numbered(const char* things, int i, int j) {
  return std::string(things) + " " + std::to_string(std::min(i, j)) + " and " +
         std::to_string(std::max(i, j));
}

std::string repeated_vertex(const Loop& loop) {
  std::vector<int> order(static_cast<std::size_t>(loop.size()));
  for (int i = 0; i < loop.size(); ++i) order[static_cast<std::size_t>(i)] = i;
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    if (lexicographically_less(point_of(loop, i), point_of(loop, j))) return true;
    if (lexicographically_less(point_of(loop, j), point_of(loop, i))) return false;
    return i < j;
  });
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (point_of(loop, order[k - 1]).exact == point_of(loop, order[k]).exact) {
      return numbered("vertices", order[k - 1], order[k]) + " coincide";
    }
  }
  return "";
}

bool is_flat(const Loop& loop) {
  for (int i = 2; i < loop.size(); ++i) {
    if (orientation(point_of(loop, 0), point_of(loop, 1), point_of(loop, i)) != 0) return false;
  }
  return true;
}

/// Two edges with a common vertex meet elsewhere only if one folds back along the other.
std::string folded_edge(const Loop& loop) {
  for (int i = 0; i < loop.size(); ++i) {
    const PointRef before = point_of(loop, loop.previous(i));
    const PointRef after = point_of(loop, loop.next(i));
    const PointRef vertex = point_of(loop, i);
    if (orientation(before, vertex, after) == 0 && !strictly_between(vertex, before, after)) {
      return numbered("edges", loop.previous(i), i) + " fold back on each other at vertex " +
             std::to_string(i);
    }
  }
  return "";
}

/// What two edges without a common vertex have in common, in words.
std::string common_point(const Loop& loop, int i, int j) {
  const PointRef a = point_of(loop, i);
  const PointRef b = point_of(loop, loop.next(i));
  const PointRef c = point_of(loop, j);
  const PointRef d = point_of(loop, loop.next(j));
  const int side_c = orientation(a, b, c);
  const int side_d = orientation(a, b, d);
  if (side_c * side_d > 0) return "";
  const int side_a = orientation(c, d, a);
  const int side_b = orientation(c, d, b);
  if (side_a * side_b > 0) return "";
  const auto touch = [&](int vertex, int edge) {
    return "vertex " + std::to_string(vertex) + " lies on edge " + std::to_string(edge);
  };
  if (side_c == 0 && strictly_between(c, a, b)) return touch(j, i);
  if (side_d == 0 && strictly_between(d, a, b)) return touch(loop.next(j), i);
  if (side_a == 0 && strictly_between(a, c, d)) return touch(i, j);
  if (side_b == 0 && strictly_between(b, c, d)) return touch(loop.next(i), j);
  if (side_a * side_b < 0 && side_c * side_d < 0) return numbered("edges", i, j) + " cross";
  return "";
}

std::string meeting_edges(const Loop& loop) {
  std::vector<LoopBounds> boxes;
  boxes.reserve(static_cast<std::size_t>(loop.size()));
  for (int i = 0; i < loop.size(); ++i) {
    boxes.emplace_back(point_of(loop, i).value, point_of(loop, loop.next(i)).value);
  }
  std::string fault;
  for_each_meeting_pair(boxes, [&](int i, int j) {
    if (loop.next(i) != j && loop.next(j) != i) fault = common_point(loop, i, j);
    return fault.empty();
  });
  return fault;
}

}  // namespace

/// Vertices and edges are numbered from 0; edge i starts at vertex i.
std::string polygon_fault(const std::vector<ExactVec<2>>& vertices) {
  if (vertices.size() < 3) {
    return "only " + std::to_string(vertices.size()) +
           (vertices.size() == 1 ? " vertex" : " vertices");
  }
  const Loop loop(vertices);
  if (std::string fault = repeated_vertex(loop); !fault.empty()) return fault;
  if (is_flat(loop)) return "no area";
  if (std::string fault = folded_edge(loop); !fault.empty()) return fault;
  return meeting_edges(loop);
}

}  // namespace collapse
