#include "contact/space/simplex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace collapse::contacts {
namespace {

/// Triangles flatter than this (area over squared side) have no normal worth the name.
constexpr double kFlatTriangle = 1e-14;
/// Rounding of a product of three differences, relative to the product of their lengths.
constexpr double kDoubt = 1e-15;

SimplexPoint at_vertex(const Simplex& simplex, int i) {
  SimplexPoint best;
  best.at = simplex.points[static_cast<std::size_t>(i)];
  best.used[0] = i;
  best.weights[0] = 1.0;
  best.count = 1;
  return best;
}

SimplexPoint on_segment(const Simplex& simplex, int i, int j) {
  const Vec<3>& p = simplex.points[static_cast<std::size_t>(i)];
  const Vec<3>& q = simplex.points[static_cast<std::size_t>(j)];
  const Vec<3> side = q - p;
  const double square = side.squaredNorm();
  const double along = -p.dot(side);
  const double before = q.dot(side);
  if (!(square > 0.0) || along <= 0.0) return at_vertex(simplex, i);
  if (before <= 0.0) return at_vertex(simplex, j);
  SimplexPoint best;
  const double t = along / square;
  // From the nearer end: the far one would be cancelled away.
  best.at = along < before ? Vec<3>(p + t * side) : Vec<3>(q - (before / square) * side);
  // Close to the origin rounding turns it; square to the side again it bounds the distance well.
  best.at -= (best.at.dot(side) / square) * side;
  best.used = {i, j, 0, 0};
  best.weights = {before / square, t, 0.0, 0.0};
  best.count = 2;
  return best;
}

void keep_closer(SimplexPoint& best, double& square, const SimplexPoint& candidate) {
  const double other = candidate.at.squaredNorm();
  if (other < square) {
    square = other;
    best = candidate;
  }
}

SimplexPoint on_triangle(const Simplex& simplex, int i, int j, int k) {
  const Vec<3>& p = simplex.points[static_cast<std::size_t>(i)];
  const Vec<3>& q = simplex.points[static_cast<std::size_t>(j)];
  const Vec<3>& r = simplex.points[static_cast<std::size_t>(k)];
  const Vec<3> pq = q - p;
  const Vec<3> pr = r - p;
  const Vec<3> normal = pq.cross(pr);
  const double square = normal.squaredNorm();
  const double side = std::max({pq.squaredNorm(), pr.squaredNorm(), (r - q).squaredNorm()});
  if (square > kFlatTriangle * kFlatTriangle * side * side) {
    // Relative to the foot of the origin, so that a far triangle loses no digits.
    const Vec<3> foot = (p.dot(normal) / square) * normal;
    const Vec<3> to_p = p - foot;
    const Vec<3> to_q = q - foot;
    const Vec<3> to_r = r - foot;
    const double a = normal.dot(to_q.cross(to_r));
    const double b = normal.dot(to_r.cross(to_p));
    const double c = normal.dot(to_p.cross(to_q));
    if (a > 0.0 && b > 0.0 && c > 0.0) {
      SimplexPoint best;
      const double sum = a + b + c;
      best.at = foot;
      best.used = {i, j, k, 0};
      best.weights = {a / sum, b / sum, c / sum, 0.0};
      best.count = 3;
      return best;
    }
  }
  SimplexPoint best = on_segment(simplex, i, j);
  double nearest = best.at.squaredNorm();
  keep_closer(best, nearest, on_segment(simplex, j, k));
  keep_closer(best, nearest, on_segment(simplex, i, k));
  return best;
}

SimplexPoint in_tetrahedron(const Simplex& simplex) {
  const auto& [p, q, r, s] = simplex.points;
  const Vec<3> pq = q - p;
  const Vec<3> pr = r - p;
  const Vec<3> ps = s - p;
  const double sign = pq.cross(pr).dot(ps) > 0.0 ? 1.0 : -1.0;
  // Of the origin over the faces, times their area, positive on the side of the fourth vertex.
  const double over_s = -sign * pq.cross(pr).dot(p);
  const double over_q = -sign * pr.cross(ps).dot(p);
  const double over_r = -sign * ps.cross(pq).dot(p);
  const double over_p = sign * (r - q).cross(s - q).dot(q);
  // What rounding can make of it: a far and small or flat tetrahedron must not seem to hold the origin.
  const double side = std::sqrt(std::max({pq.squaredNorm(), pr.squaredNorm(), ps.squaredNorm()}));
  const double doubt = kDoubt * side * side * (p.norm() + side);
  SimplexPoint best;
  if (over_p > doubt && over_q > doubt && over_r > doubt && over_s > doubt) {
    const double sum = over_p + over_q + over_r + over_s;
    best.used = {0, 1, 2, 3};
    best.weights = {over_p / sum, over_q / sum, over_r / sum, over_s / sum};
    best.count = 4;
    best.inside = true;
    return best;
  }
  double nearest = std::numeric_limits<double>::infinity();
  if (over_p <= doubt) keep_closer(best, nearest, on_triangle(simplex, 1, 2, 3));
  if (over_q <= doubt) keep_closer(best, nearest, on_triangle(simplex, 0, 2, 3));
  if (over_r <= doubt) keep_closer(best, nearest, on_triangle(simplex, 0, 1, 3));
  if (over_s <= doubt) keep_closer(best, nearest, on_triangle(simplex, 0, 1, 2));
  return best;
}

}  // namespace

SimplexPoint closest_to_origin(const Simplex& simplex) {
  switch (simplex.count) {
    case 1:
      return at_vertex(simplex, 0);
    case 2:
      return on_segment(simplex, 0, 1);
    case 3:
      return on_triangle(simplex, 0, 1, 2);
    default:
      return in_tetrahedron(simplex);
  }
}

}  // namespace collapse::contacts
