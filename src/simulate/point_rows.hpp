#pragma once
/// The rows of the point model: lengths of bars and sides of edges (docs/theory/points.md).
///
/// Both loops linearise them about the positions p at the start of a step, in the displacements u = p⁺ − p:
///
///     bar (i, j):       r̂·(u_i − u_j) = b,                      r = p_i − p_j
///     side (i, j, k):   n̂·(u_k − (1−α) u_i − α u_j) ≥ b,        n = (p_j − p_i)^⊥
///
/// with r̂, n̂ of length one and the foot (1−α) p_i + α p_j of p_k. The edge runs from i to j with the free side
/// on its left, so that A(p_i, p_j, p_k) = (p_j − p_i) × (p_k − p_i) ≥ 0 there.

#include <utility>
#include <vector>

#include "simulate/point_model.hpp"

namespace collapse::simulate {

/// Point k has to stay on the free side of an edge, or outside a half plane.
struct SideRow {
  int k = 0;
  int i = -1;  ///< −1: of a half plane
  int j = 0;   ///< then its number
  int vertex_face = 0;
  int vertex = 0;     ///< of that face
  int edge_face = 0;  ///< not for a half plane
  int edge = 0;
  double size = 0.0;  ///< of the smaller face: what lengths are compared with
  // Linearised:
  Vec<2> normal = Vec<2>::Zero();
  double alpha = 0.0;

  [[nodiscard]] bool is_plane() const { return i < 0; }
};

/// Largest distance along any edge's normal that two faces are apart; negative: the depth of their overlap.
[[nodiscard]] double separation(const PointModel& model, const std::vector<Vec<2>>& positions,
                                int face_a, int face_b);

/// Pairs of faces that may touch and whose boxes, swept over the step and grown by `margin` of the smaller size
/// on each side, meet.
[[nodiscard]] std::vector<std::pair<int, int>> near_pairs(const PointModel& model,
                                                          const PointMotion& motion, double margin);

/// Appends the rows of these pairs, and of all points against half planes, that may become active in the step
/// and are not there yet. `touch` relative to the smaller size.
void add_sides(const PointModel& model, const PointMotion& motion,
               const std::vector<std::pair<int, int>>& pairs, double touch,
               std::vector<SideRow>& rows);

/// Sets normal and foot at the moment of the step in which k reaches the line: at the start if it is there.
void linearise(const PointModel& model, const PointMotion& motion, double touch, SideRow& row);

/// Height of point k over the line, at these displacements.
[[nodiscard]] double height(const PointModel& model, const std::vector<Vec<2>>& start,
                            const std::vector<Vec<2>>& shift, const SideRow& row);

/// The row's left-hand side at these displacements.
[[nodiscard]] double side_value(const std::vector<Vec<2>>& shift, const SideRow& row);

/// A(v_i, v_j, v_k): twice the signed area of the triangle. 0 for half planes, which do not turn.
[[nodiscard]] double doubled_area(const std::vector<Vec<2>>& points, const SideRow& row);

}  // namespace collapse::simulate
