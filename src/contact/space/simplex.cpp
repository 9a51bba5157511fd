#include "contact/space/simplex.hpp"

#include <cmath>
#include <limits>

namespace collapse::contacts {
namespace {

/// Triangles flatter than this (area over squared side) have no normal worth the name.
constexpr double kFlatTriangle = 1e-14;
/// The same for tetrahedra: six times the volume over the product of three sides.
constexpr double kFlatTetrahedron = 1e-14;

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
  const double volume = pq.cross(pr).dot(ps);
  const double sides = pq.norm() * pr.norm() * ps.norm();
  const bool flat = !(std::abs(volume) > kFlatTetrahedron * sides);
  // Of the origin over the faces, positive on the side of the fourth vertex.
  const double sign = volume > 0.0 ? 1.0 : -1.0;
  const double over_s = -sign * pq.cross(pr).dot(p);
  const double over_q = -sign * pr.cross(ps).dot(p);
  const double over_r = -sign * ps.cross(pq).dot(p);
  const double over_p = sign * (r - q).cross(s - q).dot(q);
  SimplexPoint best;
  if (!flat && over_p > 0.0 && over_q > 0.0 && over_r > 0.0 && over_s > 0.0) {
    const double sum = over_p + over_q + over_r + over_s;
    best.used = {0, 1, 2, 3};
    best.weights = {over_p / sum, over_q / sum, over_r / sum, over_s / sum};
    best.count = 4;
    best.inside = true;
    return best;
  }
  double nearest = std::numeric_limits<double>::infinity();
  if (flat || over_p <= 0.0) keep_closer(best, nearest, on_triangle(simplex, 1, 2, 3));
  if (flat || over_q <= 0.0) keep_closer(best, nearest, on_triangle(simplex, 0, 2, 3));
  if (flat || over_r <= 0.0) keep_closer(best, nearest, on_triangle(simplex, 0, 1, 3));
  if (flat || over_s <= 0.0) keep_closer(best, nearest, on_triangle(simplex, 0, 1, 2));
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
