#include "contact/judge.hpp"

#include <cmath>
#include <limits>

namespace collapse::contacts {
namespace {

/// A placed coordinate errs by at most 5 units in the last place of the body's magnitude, the
/// quantities compared by a few times that: 64 leaves a factor of four.
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();

/// Sign of s − t·√q for q > 0, without the root.
int compare_with_root(const Rational& s, const Rational& t, const Rational& q) {
  const int sign_s = s.sign();
  const int sign_t = t.sign();
  if (sign_s != sign_t) return sign_s > sign_t ? 1 : -1;
  if (sign_s == 0) return 0;
  const Rational squares = s * s - t * t * q;
  return sign_s * squares.sign();
}

}  // namespace

double Limit::value() const {
  return slack + (first ? first->radius : 0.0) + (second ? second->radius : 0.0);
}

Rational Limit::exact() const {
  Rational sum(slack);
  if (first) sum += first->exact_radius;
  if (second) sum += second->exact_radius;
  return sum;
}

Judge::Judge(const Placement& placement, int a, int b)
    : placement_(placement),
      a_(a),
      b_(b),
      rounding_(kRounding * (placement.body(a).magnitude + placement.body(b).magnitude)),
      exact_possible_(placement.body(a).at_start && placement.body(b).at_start) {}

const ExactVec<2>& Judge::exact(int point) const {
  const PlacedBody& first = placement_.body(a_);
  const bool in_a = point >= first.boundary_begin && point < first.end;
  return placement_.exact_point(in_a ? a_ : b_, point);
}

template <class Exact>
int Judge::decide(double excess, double doubt, const Exact& exact_sign) {
  if (excess > doubt) return 1;
  if (excess < -doubt) return -1;
  if (!exact_possible_) return (excess > 0.0) - (excess < 0.0);
  used_exact_ = true;
  return exact_sign();
}

/// The direction of an edge errs by the rounding of its ends over its length.
double Judge::doubt(const Vec<2>& offset, double edge_length) const {
  return rounding_ * (1.0 + offset.lpNorm<1>() / edge_length);
}

int Judge::height(int point, int edge, const Limit& limit) {
  const PlacedPoint& start = placement_.point(edge);
  const Vec<2> offset = placement_.point(point).at - start.at;
  return decide(start.normal().dot(offset) - limit.value(), doubt(offset, start.length), [&] {
    const ExactVec<2> e = exact(start.next) - exact(edge);
    const ExactVec<2> d = exact(point) - exact(edge);
    return compare_with_root(e.y() * d.x() - e.x() * d.y(), limit.exact(), e.squaredNorm());
  });
}

int Judge::along(int point, int edge, const Limit& limit) {
  const PlacedPoint& start = placement_.point(edge);
  const Vec<2> offset = placement_.point(point).at - start.at;
  return decide(start.direction.dot(offset) - limit.value(), doubt(offset, start.length), [&] {
    const ExactVec<2> e = exact(start.next) - exact(edge);
    const ExactVec<2> d = exact(point) - exact(edge);
    return compare_with_root(e.dot(d), limit.exact(), e.squaredNorm());
  });
}

int Judge::before_end(int point, int edge, const Limit& limit) {
  const PlacedPoint& start = placement_.point(edge);
  const Vec<2> offset = placement_.point(start.next).at - placement_.point(point).at;
  return decide(start.direction.dot(offset) - limit.value(), doubt(offset, start.length), [&] {
    const ExactVec<2> e = exact(start.next) - exact(edge);
    const ExactVec<2> d = exact(start.next) - exact(point);
    return compare_with_root(e.dot(d), limit.exact(), e.squaredNorm());
  });
}

int Judge::distance(int point, int other, const Limit& limit) {
  const Vec<2> offset = placement_.point(point).at - placement_.point(other).at;
  const double length = std::hypot(offset.x(), offset.y());
  return decide(length - limit.value(), rounding_, [&] {
    const ExactVec<2> d = exact(point) - exact(other);
    const Rational bound = limit.exact();
    if (bound.sign() < 0) return 1;
    const Rational squares = d.squaredNorm() - bound * bound;
    return squares.sign();
  });
}

int Judge::plane_height(int point, int plane_body, const Limit& limit) {
  const PlacedBody& plane = placement_.body(plane_body);
  const double height = plane.plane_normal.dot(placement_.point(point).at) - plane.plane_offset;
  return decide(height - limit.value(), rounding_, [&] {
    const ExactPlane exact_plane = placement_.exact_plane(plane_body);
    const Rational over = exact_plane.normal.dot(exact(point)) - exact_plane.offset;
    return compare_with_root(over, limit.exact(), exact_plane.normal.squaredNorm());
  });
}

Vec<2> Judge::difference(int to, int from) const {
  if (!used_exact_) return placement_.point(to).at - placement_.point(from).at;
  return to_double<2>(exact(to) - exact(from));
}

double Judge::plane_gap(int point, int plane_body) const {
  const PlacedBody& plane = placement_.body(plane_body);
  if (!used_exact_) return plane.plane_normal.dot(placement_.point(point).at) - plane.plane_offset;
  const ExactPlane exact_plane = placement_.exact_plane(plane_body);
  const Vec<2> normal = to_double<2>(exact_plane.normal);
  return to_double(exact_plane.normal.dot(exact(point)) - exact_plane.offset) /
         std::hypot(normal.x(), normal.y());
}

}  // namespace collapse::contacts
