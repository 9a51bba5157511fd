#include "contact/critical_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace collapse::contacts {
namespace {

/// Two polygons touch along facing edges only if these are opposed at least this much (cosine).
constexpr double kOpposed = -0.5;
/// Crossing times (shares of the step) and lengths (shares of `slip`) that differ by no more count as equal.
constexpr double kTie = 1e-6;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

int next(const MovingPolygon& polygon, int i) { return i + 1 == polygon.size() ? 0 : i + 1; }

Vec<2> outwards(const Vec<2>& p_i, const Vec<2>& p_j) {
  const Vec<2> along = (p_j - p_i).normalized();
  return {along.y(), -along.x()};
}

/// An edge as a candidate for the line that keeps the two polygons apart.
struct Axis {
  bool edge_of_b = false;
  int edge = 0;
  Vec<2> normal = Vec<2>::Zero();  ///< at the start
  double start = 0.0;              ///< least height of the other polygon's vertices over it
  double end = 0.0;
  double crossing =
      0.0;  ///< share of the step at which the other polygon reaches it; 2: not at all
};

double least_height(std::span<const Vec<2>> polygon, const Vec<2>& p_i, const Vec<2>& p_j) {
  const Vec<2> normal = outwards(p_i, p_j);
  double least = std::numeric_limits<double>::infinity();
  for (const Vec<2>& p : polygon) least = std::min(least, normal.dot(p - p_i));
  return least;
}

/// The latest to be crossed keeps the polygons apart for longest; those that are crossed together are told
/// apart by how much they separate at the end, and at the start. The last comparison is by direction, so
/// that a mirrored scene gets the mirrored answer.
bool better(const Axis& x, const Axis& y, double slip) {
  if (std::abs(x.crossing - y.crossing) > kTie) return x.crossing > y.crossing;
  if (std::abs(x.end - y.end) > kTie * slip) return x.end > y.end;
  if (std::abs(x.start - y.start) > kTie * slip) return x.start > y.start;
  return std::abs(x.normal.y()) > std::abs(y.normal.y()) + kTie;
}

class Rows {
 public:
  Rows(const MovingPolygon& a, const MovingPolygon& b, double slip, double reach,
       std::vector<VertexOnEdge>& rows)
      : a_(a), b_(b), slip_(slip), reach_(reach), rows_(rows) {}

  void find() {
    if (!choose_axis()) return;
    const MovingPolygon& owner = best_.edge_of_b ? b_ : a_;
    const MovingPolygon& other = best_.edge_of_b ? a_ : b_;
    for (int v = 0; v < other.size(); ++v) add(!best_.edge_of_b, v, best_.edge);
    // The ends of the edge against the edges of the other polygon that face it: where these overhang it.
    for (int f = 0; f < other.size(); ++f) {
      if (!other.on_boundary(f)) continue;
      const Vec<2> normal = outwards(other.start[index(f)], other.start[index(next(other, f))]);
      if (normal.dot(best_.normal) > kOpposed) continue;
      for (const int corner : {best_.edge, next(owner, best_.edge)})
        add(best_.edge_of_b, corner, f);
    }
  }

 private:
  [[nodiscard]] const MovingPolygon& owner_of_vertex(bool vertex_of_b) const {
    return vertex_of_b ? b_ : a_;
  }
  [[nodiscard]] const MovingPolygon& owner_of_edge(bool vertex_of_b) const {
    return vertex_of_b ? a_ : b_;
  }

  [[nodiscard]] bool choose_axis() {
    bool found = false;
    bool separated = false;
    Axis deepest;
    int standing = 0;  // axes that separate at the start
    for (const bool of_b : {false, true}) {
      const MovingPolygon& owner = of_b ? b_ : a_;
      const MovingPolygon& other = of_b ? a_ : b_;
      for (int e = 0; e < owner.size(); ++e) {
        if (!owner.on_boundary(e)) continue;
        const int f = next(owner, e);
        Axis axis{of_b,
                  e,
                  outwards(owner.start[index(e)], owner.start[index(f)]),
                  least_height(other.start, owner.start[index(e)], owner.start[index(f)]),
                  least_height(other.end, owner.end[index(e)], owner.end[index(f)]),
                  2.0};
        if (!found || axis.start > deepest.start) deepest = axis;
        found = true;
        if (axis.start < -slip_) continue;
        ++standing;
        if (axis.end < 0.0) {
          const double from = std::max(0.0, axis.start);
          axis.crossing = from / (from - axis.end);
        }
        if (!separated || better(axis, best_, slip_)) best_ = axis;
        separated = true;
      }
    }
    if (!separated) best_ = deepest;
    // A corner beside a corner: several lines separate them, and the motion does not cross the best of them.
    // Then it need not be kept to: a row for it might stand in the way of a motion across another.
    several_ = separated && best_.crossing > 1.0 && standing > 1 && has_other_direction();
    return found;
  }

  /// Whether an edge that is not parallel to the best one separates at the start too.
  [[nodiscard]] bool has_other_direction() const {
    for (const bool of_b : {false, true}) {
      const MovingPolygon& owner = of_b ? b_ : a_;
      const MovingPolygon& other = of_b ? a_ : b_;
      for (int e = 0; e < owner.size(); ++e) {
        if (!owner.on_boundary(e)) continue;
        const Vec<2>& p_i = owner.start[index(e)];
        const Vec<2>& p_j = owner.start[index(next(owner, e))];
        if (std::abs(outwards(p_i, p_j).dot(best_.normal)) > -kOpposed) continue;
        if (least_height(other.start, p_i, p_j) >= -slip_) return true;
      }
    }
    return false;
  }

  void add(bool vertex_of_b, int vertex, int edge) {
    const MovingPolygon& owner = owner_of_edge(vertex_of_b);
    const MovingPolygon& other = owner_of_vertex(vertex_of_b);
    struct Spot {
      double height;
      double along;
      double length;
    };
    const auto spot = [&](std::span<const Vec<2>> edges, std::span<const Vec<2>> vertices) {
      const Vec<2>& p_i = edges[index(edge)];
      const Vec<2> along = edges[index(next(owner, edge))] - p_i;
      const double length = along.norm();
      const Vec<2> offset = vertices[index(vertex)] - p_i;
      return Spot{(along.y() * offset.x() - along.x() * offset.y()) / length,
                  along.dot(offset) / length, length};
    };
    const Spot start = spot(owner.start, other.start);
    const Spot end = spot(owner.end, other.end);
    if (std::min(start.height, end.height) > reach_) return;
    // Where it is when it reaches the line: at the start if it lies on it.
    double when = 1.0;
    if (start.height <= slip_) {
      when = 0.0;
    } else if (end.height < 0.0) {
      when = start.height / (start.height - end.height);
    }
    const double along = start.along + when * (end.along - start.along);
    const double margin = several_ ? -slip_ : slip_;
    if (along < -margin || along > start.length + margin) return;
    rows_.push_back({vertex_of_b, vertex, edge});
  }

  const MovingPolygon& a_;
  const MovingPolygon& b_;
  double slip_;
  double reach_;
  std::vector<VertexOnEdge>& rows_;
  Axis best_;
  bool several_ = false;
};

}  // namespace

double height_over(const Vec<2>& p_i, const Vec<2>& p_j, const Vec<2>& p) {
  return outwards(p_i, p_j).dot(p - p_i);
}

void critical_rows(const MovingPolygon& a, const MovingPolygon& b, double slip, double reach,
                   std::vector<VertexOnEdge>& rows) {
  Rows(a, b, slip, reach, rows).find();
}

}  // namespace collapse::contacts
