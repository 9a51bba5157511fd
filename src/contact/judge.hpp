#pragma once
/// The comparisons that decide what touches: in floating point where rounding cannot change the
/// answer, in rational arithmetic otherwise (for bodies at their start poses, whose coordinates are
/// known without rounding).

#include "contact/placement.hpp"

namespace collapse::contacts {

/// A length to compare with: a double taken at its exact value, plus the radii of balls.
struct Limit {
  double slack = 0.0;
  const Ball<2>* first = nullptr;
  const Ball<2>* second = nullptr;

  [[nodiscard]] double value() const;
  [[nodiscard]] Rational exact() const;
};

/// Comparisons for one pair of bodies. Points and edges are those of the placement (an edge is
/// named by the point where it starts). Every comparison returns the sign of (quantity − limit).
class Judge {
 public:
  Judge(const Placement& placement, int a, int b);

  /// Of a point over the line of an edge, outwards positive.
  [[nodiscard]] int height(int point, int edge, const Limit& limit);
  /// Of a point's foot from the start of an edge, along it.
  [[nodiscard]] int along(int point, int edge, const Limit& limit);
  /// Of a point's foot from the end of an edge, against its direction.
  [[nodiscard]] int before_end(int point, int edge, const Limit& limit);
  [[nodiscard]] int distance(int point, int other, const Limit& limit);
  /// Of a point over the half plane that is one of the two bodies.
  [[nodiscard]] int plane_height(int point, int plane_body, const Limit& limit);

  /// The absolute value of `height` is at most `tolerance`.
  [[nodiscard]] bool near_line(int point, int edge, double tolerance) {
    return height(point, edge, {tolerance}) <= 0 && height(point, edge, {-tolerance}) >= 0;
  }

  /// to − from; without cancellation once the exact coordinates of the pair were needed.
  [[nodiscard]] Vec<2> difference(int to, int from) const;
  /// Height of a point over a half plane, likewise.
  [[nodiscard]] double plane_gap(int point, int plane_body) const;

  /// Bound on the rounding error of a coordinate difference.
  [[nodiscard]] double rounding() const { return rounding_; }
  /// Whether any comparison was too close to call in floating point.
  [[nodiscard]] bool used_exact() const { return used_exact_; }

 private:
  [[nodiscard]] const ExactVec<2>& exact(int point) const;
  template <class Exact>
  [[nodiscard]] int decide(double excess, double doubt, const Exact& exact_sign);
  [[nodiscard]] double doubt(const Vec<2>& offset, double edge_length) const;

  const Placement& placement_;
  int a_;
  int b_;
  double rounding_;
  bool exact_possible_;
  bool used_exact_ = false;
};

}  // namespace collapse::contacts
