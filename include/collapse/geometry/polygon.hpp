#pragma once
/// Exact plane geometry of polygons. Orientation tests are decided in floating point where the
/// rounding error cannot matter and in rational arithmetic otherwise.

#include <string>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse {

/// A closed polygon: vertices in order, the last joined to the first, the solid on the left of
/// every edge (outer boundaries run counter-clockwise, holes clockwise). Exact, with the doubles
/// beside.
class Loop {
 public:
  Loop() = default;
  explicit Loop(std::vector<ExactVec<2>> vertices);

  [[nodiscard]] int size() const { return static_cast<int>(vertices_.size()); }
  [[nodiscard]] int next(int i) const { return i + 1 == size() ? 0 : i + 1; }
  [[nodiscard]] int previous(int i) const { return i == 0 ? size() - 1 : i - 1; }
  [[nodiscard]] const std::vector<ExactVec<2>>& exact() const { return exact_; }
  [[nodiscard]] const std::vector<Vec<2>>& vertices() const { return vertices_; }

 private:
  std::vector<ExactVec<2>> exact_;
  std::vector<Vec<2>> vertices_;
};

/// +1 if a, b, c turn left, −1 if right, 0 if in line.
[[nodiscard]] int orientation(const ExactVec<2>& a, const ExactVec<2>& b, const ExactVec<2>& c);

/// ∫1, ∫x, ∫xxᵀ over the inside of the loops (holes counted negative).
struct AreaMoments {
  Rational area{0};
  ExactVec<2> first{Rational(0), Rational(0)};
  Eigen::Matrix<Rational, 2, 2> second = Eigen::Matrix<Rational, 2, 2>::Zero();
};
[[nodiscard]] AreaMoments area_moments(const std::vector<Loop>& loops);

/// What makes these vertices unusable as a polygon (fewer than three, repeated vertex, no area,
/// edges that cross or touch), in words and with the vertex or edge numbers; empty if nothing does.
[[nodiscard]] std::string polygon_fault(const std::vector<ExactVec<2>>& vertices);

/// Counter-clockwise, without vertices in the middle of a straight side.
[[nodiscard]] Loop tidy_loop(std::vector<ExactVec<2>> vertices);

/// A simple counter-clockwise polygon cut into convex polygons whose union it is, along diagonals.
[[nodiscard]] std::vector<Loop> convex_pieces(const Loop& polygon);

/// The boundary of the union of simple counter-clockwise polygons, which may overlap or share
/// sides: no trace of the sides between them remains, and no vertex in the middle of a straight
/// side.
[[nodiscard]] std::vector<Loop> union_boundary(const std::vector<Loop>& polygons);

/// Largest distance of two vertices.
[[nodiscard]] double diameter(const Loop& polygon);

}  // namespace collapse
