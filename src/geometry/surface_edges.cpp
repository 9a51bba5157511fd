/// Edges and vertices of a surface whose faces are known.

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "collapse/core/check.hpp"
#include "collapse/geometry/pose.hpp"
#include "geometry/surface_parts.hpp"

namespace collapse {

namespace {

/// A side of a face between the vertices low < high; `forward` if the face runs from low to high.
struct FaceSide {
  int low = 0;
  int high = 0;
  bool forward = true;
  int face = 0;

  [[nodiscard]] bool operator<(const FaceSide& other) const {
    return std::pair(low, high) < std::pair(other.low, other.high);
  }
};

std::vector<FaceSide> sides_of(const Surface& surface) {
  std::vector<FaceSide> sides;
  for (std::size_t f = 0; f < surface.faces.size(); ++f) {
    for (const std::vector<int>& loop : surface.faces[f].loops) {
      for (std::size_t i = 0; i < loop.size(); ++i) {
        const int a = loop[i];
        const int b = loop[(i + 1) % loop.size()];
        sides.push_back({std::min(a, b), std::max(a, b), a < b, static_cast<int>(f)});
      }
    }
  }
  std::stable_sort(sides.begin(), sides.end());
  return sides;
}

/// The line through two points, the same numbers for every two points on it: with k the first axis that it is not
/// across, its direction with entry 1 at k and its point with entry 0 there.
struct LineKey {
  int axis = 0;
  std::array<Rational, 4> numbers;
  std::array<double, 4> rounded;

  LineKey(const ExactVec<3>& p, const ExactVec<3>& q) {
    while (p[axis] == q[axis]) ++axis;
    const Rational length = q[axis] - p[axis];
    std::size_t next = 0;
    for (int k = 0; k < 3; ++k) {
      if (k == axis) continue;
      const Rational slope = (q[k] - p[k]) / length;
      numbers[next] = slope;
      numbers[next + 1] = p[k] - slope * p[axis];
      next += 2;
    }
    for (std::size_t k = 0; k < 4; ++k) rounded[k] = to_double(numbers[k]);
  }

  [[nodiscard]] bool operator<(const LineKey& other) const {
    // Doubles that differ are in the order of the numbers they were rounded from.
    if (axis != other.axis) return axis < other.axis;
    return rounded != other.rounded ? rounded < other.rounded : numbers < other.numbers;
  }
};

class FaceConnector {
 public:
  FaceConnector(Surface& surface, const std::vector<FlatPlane>& planes)
      : surface_(surface), planes_(planes) {}

  void find_edges() {
    const std::vector<FaceSide> sides = sides_of(surface_);
    for (const std::vector<FaceSide>& line : by_line(sides)) add_edges_on_line(line);
    std::sort(surface_.edges.begin(), surface_.edges.end(),
              [](const Surface::Edge& a, const Surface::Edge& b) {
                return std::array{a.from, a.to, a.left} < std::array{b.from, b.to, b.left};
              });
  }

 private:
  [[nodiscard]] const ExactVec<3>& point(int vertex) const {
    return surface_.exact[static_cast<std::size_t>(vertex)];
  }
  [[nodiscard]] const ExactVec<3>& normal(int face) const {
    return planes_[static_cast<std::size_t>(face)].normal();
  }

  [[nodiscard]] std::vector<std::vector<FaceSide>> by_line(
      const std::vector<FaceSide>& sides) const {
    struct Segment {
      LineKey line;
      std::size_t begin;
      std::size_t end;
    };
    std::vector<Segment> segments;
    for (std::size_t begin = 0; begin < sides.size();) {
      std::size_t end = begin;
      while (end < sides.size() && !(sides[begin] < sides[end])) ++end;
      segments.push_back({LineKey(point(sides[begin].low), point(sides[begin].high)), begin, end});
      begin = end;
    }
    std::vector<std::size_t> order(segments.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return segments[i].line < segments[j].line;
    });
    std::vector<std::vector<FaceSide>> lines;
    const Segment* before = nullptr;
    for (const std::size_t i : order) {
      if (!before || before->line < segments[i].line) lines.emplace_back();
      before = &segments[i];
      const auto at = [&](std::size_t k) { return sides.begin() + static_cast<std::ptrdiff_t>(k); };
      lines.back().insert(lines.back().end(), at(segments[i].begin), at(segments[i].end));
    }
    return lines;
  }

  /// Vertices on a line are numbered in their order along it. Sides are cut where others end, so that each part has the
  /// same faces all along.
  void add_edges_on_line(const std::vector<FaceSide>& sides) {
    std::set<int> ends;
    for (const FaceSide& side : sides) ends.insert({side.low, side.high});
    std::vector<Surface::Edge> edges;
    for (auto low = ends.begin(), high = std::next(low); high != ends.end(); ++low, ++high) {
      std::vector<int> forward;
      std::vector<int> backward;
      for (const FaceSide& side : sides) {
        if (side.low > *low || side.high < *high) continue;
        (side.forward ? forward : backward).push_back(side.face);
      }
      add_edges_between(*low, *high, forward, backward, edges);
    }
    surface_.edges.insert(surface_.edges.end(), edges.begin(), edges.end());
  }

  /// An edge goes on where its two faces both do.
  void add_edges_between(int from, int to, const std::vector<int>& forward,
                         const std::vector<int>& backward, std::vector<Surface::Edge>& edges) {
    COLLAPSE_DEMAND(forward.size() == backward.size());
    const ExactVec<3> along = point(to) - point(from);
    for (const int left : forward) {
      const int right = partner_of(left, backward, along);
      const auto same = std::find_if(edges.begin(), edges.end(), [&](const Surface::Edge& edge) {
        return edge.to == from && edge.left == left && edge.right == right;
      });
      if (same != edges.end()) {
        same->to = to;
      } else {
        const bool convex = dot3(cross3(normal(left), normal(right)), along).sign() > 0;
        edges.push_back({from, to, left, right, convex});
      }
    }
  }

  /// The first face met on the way from `left` into the solid and around the edge: the two bound a wedge of it. Angles
  /// are those of (x, y) with y into the solid, in (0, 2π].
  [[nodiscard]] int partner_of(int left, const std::vector<int>& candidates,
                               const ExactVec<3>& along) const {
    if (candidates.size() == 1) return candidates.front();
    struct Direction {
      Rational x;
      Rational y;
      [[nodiscard]] int quarter() const { return y > 0 ? 0 : y < 0 ? 2 : x < 0 ? 1 : 3; }
      [[nodiscard]] bool before(const Direction& other) const {
        if (quarter() != other.quarter()) return quarter() < other.quarter();
        return x * other.y - y * other.x > 0;
      }
    };
    const ExactVec<3> into_left = cross3(normal(left), along);
    const auto direction_of_face = [&](int face) {
      const ExactVec<3> into = cross3(along, normal(face));
      return Direction{dot3(into, into_left), -dot3(into, normal(left))};
    };
    int best = candidates.front();
    Direction nearest = direction_of_face(best);
    for (const int face : candidates) {
      Direction direction = direction_of_face(face);
      if (!direction.before(nearest)) continue;
      nearest = std::move(direction);
      best = face;
    }
    return best;
  }

  Surface& surface_;
  const std::vector<FlatPlane>& planes_;
};

/// Whether some m has m·d > 0 for all directions.
class PointedCone {
 public:
  explicit PointedCone(std::vector<ExactVec<3>> directions) : exact_(std::move(directions)) {}

  /// Numbers the direction that is outermost as seen along m, or none: −1.
  [[nodiscard]] int outermost() const {
    ExactVec<3> m;
    if (exact_.size() < 3 || !find_axis(m)) return -1;
    // Where the directions cross the plane m·x = 1 the lexicographically greatest point is a corner of their hull.
    int best = 0;
    ExactVec<3> farthest = exact_[0] / dot3(m, exact_[0]);
    for (std::size_t i = 1; i < exact_.size(); ++i) {
      const ExactVec<3> point = exact_[i] / dot3(m, exact_[i]);
      if (!std::lexicographical_compare(farthest.begin(), farthest.end(), point.begin(),
                                        point.end())) {
        continue;
      }
      farthest = point;
      best = static_cast<int>(i);
    }
    return best;
  }

 private:
  [[nodiscard]] bool is_axis(const ExactVec<3>& m) const {
    return std::all_of(exact_.begin(), exact_.end(),
                       [&](const ExactVec<3>& d) { return dot3(m, d) > 0; });
  }

  bool find_axis(ExactVec<3>& m) const {
    // A guess in doubles does for almost all, and is tested exactly.
    Vec<3> sum = Vec<3>::Zero();
    for (const ExactVec<3>& d : exact_) sum += to_double<3>(d).stableNormalized();
    if (sum.allFinite()) {
      m = ExactVec<3>(Rational(sum[0]), Rational(sum[1]), Rational(sum[2]));
      if (is_axis(m)) return true;
    }
    // The closed cone of all m with m·d ≥ 0 is spanned by its edges, which are across two of the directions; if it has
    // an inside at all, their sum is inside.
    m = ExactVec<3>::Zero();
    for (std::size_t i = 0; i < exact_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const ExactVec<3> across = cross3(exact_[i], exact_[j]);
        for (const ExactVec<3>& candidate : {across, ExactVec<3>(-across)}) {
          if (std::all_of(exact_.begin(), exact_.end(),
                          [&](const ExactVec<3>& d) { return dot3(candidate, d) >= 0; })) {
            m += candidate;
          }
        }
      }
    }
    return is_axis(m);
  }

  std::vector<ExactVec<3>> exact_;
};

/// Vertices where some face has an angle above 180°.
std::vector<bool> reflex_corners(const Surface& surface, const std::vector<FlatPlane>& planes) {
  std::vector<bool> reflex(surface.vertices.size(), false);
  for (std::size_t f = 0; f < surface.faces.size(); ++f) {
    for (const std::vector<int>& loop : surface.faces[f].loops) {
      for (std::size_t i = 0; i < loop.size(); ++i) {
        const auto flat = [&](std::size_t k) {
          return planes[f].flatten(surface.exact[static_cast<std::size_t>(loop[k % loop.size()])]);
        };
        if (orientation(flat(i + loop.size() - 1), flat(i), flat(i + 1)) < 0) {
          reflex[static_cast<std::size_t>(loop[i])] = true;
        }
      }
    }
  }
  return reflex;
}

/// All edges on one side of a plane and all faces with angles below 180° leave two cases: the solid is between them, a
/// spike, or around them, a pit. The outermost edge is convex in the first and not in the second.
bool is_spike(const Surface& surface, int vertex) {
  const std::vector<int>& edges = surface.vertices[static_cast<std::size_t>(vertex)].edges;
  std::vector<ExactVec<3>> directions;
  for (const int number : edges) {
    const Surface::Edge& edge = surface.edges[static_cast<std::size_t>(number)];
    const int other = edge.from == vertex ? edge.to : edge.from;
    directions.emplace_back(surface.exact[static_cast<std::size_t>(other)] -
                            surface.exact[static_cast<std::size_t>(vertex)]);
  }
  const int outermost = PointedCone(std::move(directions)).outermost();
  if (outermost < 0) return false;
  const int number = edges[static_cast<std::size_t>(outermost)];
  return surface.edges[static_cast<std::size_t>(number)].convex;
}

void find_vertices(Surface& surface, const std::vector<FlatPlane>& planes) {
  for (std::size_t e = 0; e < surface.edges.size(); ++e) {
    const Surface::Edge& edge = surface.edges[e];
    for (const int end : {edge.from, edge.to}) {
      Surface::Vertex& vertex = surface.vertices[static_cast<std::size_t>(end)];
      vertex.edges.push_back(static_cast<int>(e));
      vertex.faces.push_back(edge.left);
      vertex.faces.push_back(edge.right);
    }
  }
  const std::vector<bool> reflex = reflex_corners(surface, planes);
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
    Surface::Vertex& vertex = surface.vertices[v];
    std::sort(vertex.faces.begin(), vertex.faces.end());
    vertex.faces.erase(std::unique(vertex.faces.begin(), vertex.faces.end()), vertex.faces.end());
    vertex.convex = !reflex[v] && is_spike(surface, static_cast<int>(v));
  }
}

}  // namespace

void connect_faces(Surface& surface, const std::vector<FlatPlane>& planes) {
  FaceConnector(surface, planes).find_edges();
  find_vertices(surface, planes);
}

}  // namespace collapse
