#pragma once

#include "contact/space/motion_axis.hpp"

namespace collapse::contacts {

/// Rows of two convex polyhedra: what faces each other across the plane of `AxisChoice`. Keeps its scratch.
class PolyhedronRows {
 public:
  void find(const MovingPiece& a, const MovingPiece& b, const RowLimits& limits,
            const RowSink& sink);

 private:
  /// A face of `owner` and what of `other` comes near it.
  void across_face(const MovingPiece& owner, const MovingPiece& other, bool swapped, int face);
  void vertices_on(const MotionPiece::Face& face);
  [[nodiscard]] bool is_behind(double start) const;
  [[nodiscard]] bool is_held(const Vec<3>& corner) const;
  void edges_on(const MotionPiece::Face& face);
  void edge_over_side(const MotionPiece::Face& face, int side, int edge);
  void corners_under(const MotionPiece::Face& face);
  void across_edges(const MotionAxis& axis);
  void hold_apart(const MovingPiece& a, const MovingPiece& b, std::size_t first_row) const;
  void add_edges(bool swapped, int own, int other, const Vec<3>& normal) const;

  const MovingPiece* owner_ = nullptr;
  const MovingPiece* other_ = nullptr;
  bool swapped_ = false;  ///< the owner is the pair's second body
  RowLimits limits_;
  const RowSink* sink_ = nullptr;
  AxisChoice choice_;
  double margin_ = 0.0;        ///< beyond the border of a face that counts as on it
  double when_ = 0.0;          ///< share of the step at which the plane is crossed
  std::vector<Vec<3>> start_;  ///< other's vertices in the owner's coordinates
  std::vector<Vec<3>> end_;
  std::vector<Vec<3>> held_;           ///< feet of other's vertices that have a row
  std::vector<Vec<3>> corners_start_;  ///< the face's corners in other's coordinates
  std::vector<Vec<3>> corners_end_;
  std::vector<Vec<3>> normals_;  ///< other's faces in the owner's coordinates, at the start
};

}  // namespace collapse::contacts
