#include "contact/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace collapse::contacts {
namespace {

class OverlapTest {
 public:
  OverlapTest(const Placement& placement, Judge& judge, double tolerance)
      : placement_(placement), judge_(judge), tolerance_(tolerance) {}

  /// Separating axes: for convex polygons the best edge normal gives the exact depth.
  [[nodiscard]] double polygons(const PlacedPiece& a, const PlacedPiece& b) {
    if (!a.bounds.meets(b.bounds.grown(judge_.rounding()))) return 0.0;
    if (some_edge_separates(a, b) || some_edge_separates(b, a)) return 0.0;
    return -std::max(best_separation(a, b), best_separation(b, a));
  }

  [[nodiscard]] double balls(int a, const Ball<2>& ball_a, int b, const Ball<2>& ball_b) {
    if (judge_.distance(a, b, {-tolerance_, &ball_a, &ball_b}) >= 0) return 0.0;
    return ball_a.radius + ball_b.radius - judge_.difference(b, a).norm();
  }

  /// By the point of the polygon closest to the centre.
  [[nodiscard]] double ball_in_polygon(int centre, const Ball<2>& ball, const PlacedPiece& piece) {
    const Vec<2>& at = placement_.point(centre).at;
    const Bounds<2> reach = Bounds<2>{at, at}.grown(ball.radius + judge_.rounding());
    if (!reach.meets(piece.bounds)) return 0.0;
    double nearest = std::numeric_limits<double>::infinity();
    double highest = -nearest;  // over any edge: negative inside
    bool overlaps = false;
    const Limit limit{-tolerance_, &ball};
    for (int edge = piece.begin; edge < piece.end; ++edge) {
      const PlacedPoint& start = placement_.point(edge);
      const Vec<2> offset = judge_.difference(centre, edge);
      const double height = start.normal().dot(offset);
      const double along = start.direction.dot(offset);
      highest = std::max(highest, height);
      // At the ends both distances agree: which one is taken there needs no certainty.
      if (along < 0.0) {
        nearest = std::min(nearest, offset.norm());
        overlaps = overlaps || judge_.distance(centre, edge, limit) < 0;
      } else if (along <= start.length) {
        nearest = std::min(nearest, std::abs(height));
        overlaps = overlaps || (height > 0.0 && judge_.height(centre, edge, limit) < 0);
      }
    }
    if (highest <= 0.0) return ball.radius - highest;
    return overlaps ? ball.radius - nearest : 0.0;
  }

  [[nodiscard]] double polygon_in_plane(const PlacedPiece& piece, int plane_body) {
    double deepest = 0.0;
    for (int i = piece.begin; i < piece.end; ++i) {
      if (judge_.plane_height(i, plane_body, {-tolerance_}) >= 0) continue;
      deepest = std::max(deepest, -judge_.plane_gap(i, plane_body));
    }
    return deepest;
  }

  [[nodiscard]] double ball_in_plane(int centre, const Ball<2>& ball, int plane_body) {
    if (judge_.plane_height(centre, plane_body, {-tolerance_, &ball}) >= 0) return 0.0;
    return ball.radius - judge_.plane_gap(centre, plane_body);
  }

 private:
  /// An edge of `a` over which all of `b` is, but for the tolerance.
  [[nodiscard]] bool some_edge_separates(const PlacedPiece& a, const PlacedPiece& b) {
    for (int edge = a.begin; edge < a.end; ++edge) {
      bool separates = true;
      for (int i = b.begin; separates && i < b.end; ++i) {
        separates = judge_.height(i, edge, {-tolerance_}) >= 0;
      }
      if (separates) return true;
    }
    return false;
  }

  [[nodiscard]] double best_separation(const PlacedPiece& a, const PlacedPiece& b) const {
    double best = -std::numeric_limits<double>::infinity();
    for (int edge = a.begin; edge < a.end; ++edge) {
      const Vec<2> normal = placement_.point(edge).normal();
      double lowest = std::numeric_limits<double>::infinity();
      for (int i = b.begin; i < b.end; ++i) {
        lowest = std::min(lowest, normal.dot(judge_.difference(i, edge)));
      }
      best = std::max(best, lowest);
    }
    return best;
  }

  const Placement& placement_;
  Judge& judge_;
  double tolerance_;
};

}  // namespace

double overlap_depth(const Placement& placement, Judge& judge, int a, int b, double tolerance) {
  OverlapTest test(placement, judge, tolerance);
  if (placement.body(a).half_plane) std::swap(a, b);
  const PlacedBody& first = placement.body(a);
  const PlacedBody& second = placement.body(b);
  double depth = 0.0;
  if (second.half_plane) {
    for (int p = first.piece_begin; p < first.piece_end; ++p) {
      depth = std::max(depth, test.polygon_in_plane(placement.piece(p), b));
    }
    for (int c = first.ball_begin; c < first.ball_end; ++c) {
      depth = std::max(depth, test.ball_in_plane(c, placement.ball(a, c), b));
    }
    return depth;
  }
  for (int p = first.piece_begin; p < first.piece_end; ++p) {
    for (int q = second.piece_begin; q < second.piece_end; ++q) {
      depth = std::max(depth, test.polygons(placement.piece(p), placement.piece(q)));
    }
    for (int c = second.ball_begin; c < second.ball_end; ++c) {
      depth = std::max(depth, test.ball_in_polygon(c, placement.ball(b, c), placement.piece(p)));
    }
  }
  for (int c = first.ball_begin; c < first.ball_end; ++c) {
    for (int q = second.piece_begin; q < second.piece_end; ++q) {
      depth = std::max(depth, test.ball_in_polygon(c, placement.ball(a, c), placement.piece(q)));
    }
    for (int d = second.ball_begin; d < second.ball_end; ++d) {
      depth = std::max(depth, test.balls(c, placement.ball(a, c), d, placement.ball(b, d)));
    }
  }
  return depth;
}

}  // namespace collapse::contacts
