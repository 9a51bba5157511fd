#pragma once
/// The bodies of a scene in world coordinates, as contact finding wants them: flat, each vertex
/// with its edge, transformed once. Exact coordinates follow on demand.

#include <memory>
#include <vector>

#include "collapse/contact/broad_phase.hpp"
#include "collapse/model/state.hpp"

namespace collapse::contacts {

/// A vertex of a boundary or of a convex piece with the edge that starts there, or a ball's centre.
struct PlacedPoint {
  Vec<2> at;
  Vec<2> direction;     ///< unit, of the edge; the solid is on its left
  double length = 0.0;  ///< of the edge
  int next = -1;        ///< points of the same loop; −1 for a ball's centre
  int previous = -1;
  bool convex = true;  ///< the solid's angle is below 180°

  /// Out of the solid.
  [[nodiscard]] Vec<2> normal() const { return {direction.y(), -direction.x()}; }
};

struct PlacedPiece {
  int begin = 0;  ///< points
  int end = 0;
  Bounds<2> bounds;
};

struct PlacedBody {
  int boundary_begin = 0;  ///< points; boundary_begin + i is vertex i of the features
  int boundary_end = 0;
  int ball_begin = 0;
  int ball_end = 0;
  int end = 0;          ///< of all points of the body
  int piece_begin = 0;  ///< pieces
  int piece_end = 0;
  Bounds<2> bounds;        ///< not for half planes
  double size = 0.0;       ///< Shape::size()
  double magnitude = 0.0;  ///< largest coordinate that enters a point: scale of the rounding errors
  bool at_start = false;   ///< at the pose of the scene, which is known without rounding
  bool half_plane = false;
  Vec<2> plane_normal = Vec<2>::Zero();
  double plane_offset = 0.0;
};

/// What a half plane is without rounding, in world coordinates.
struct ExactPlane {
  ExactVec<2> normal;
  Rational offset;
};

class Placement {
 public:
  Placement(const Scene<2>& scene, const State<2>& state);

  [[nodiscard]] const PlacedBody& body(int i) const { return bodies_[index(i)]; }
  [[nodiscard]] const PlacedPoint& point(int i) const { return points_[index(i)]; }
  [[nodiscard]] const PlacedPiece& piece(int i) const { return pieces_[index(i)]; }
  [[nodiscard]] const Ball<2>& ball(int body, int point) const {
    return scene_.bodies[index(body)].shape.balls[index(point - this->body(body).ball_begin)];
  }
  [[nodiscard]] int bodies() const { return static_cast<int>(bodies_.size()); }

  /// Only for bodies at their start. Worked out for all points of the body on the first call.
  [[nodiscard]] const ExactVec<2>& exact_point(int body, int point) const;
  [[nodiscard]] ExactPlane exact_plane(int body) const;

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  void add_loop(const Loop& loop, const Pose<2>& pose);
  void add_body(const Body<2>& body, const Pose<2>& pose);

  const Scene<2>& scene_;
  std::vector<PlacedPoint> points_;
  std::vector<PlacedPiece> pieces_;
  std::vector<PlacedBody> bodies_;
  mutable std::vector<std::unique_ptr<std::vector<ExactVec<2>>>> exact_;
};

/// Around the edge that starts at `edge`.
[[nodiscard]] inline Bounds<2> edge_bounds(const Placement& placement, int edge) {
  const Vec<2>& from = placement.point(edge).at;
  const Vec<2>& to = placement.point(placement.point(edge).next).at;
  return {from.cwiseMin(to), from.cwiseMax(to)};
}

}  // namespace collapse::contacts
