#include "contact/space/planar.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace collapse::contacts {
namespace {

const Vec<2>& after(const FlatPolygon& polygon, std::size_t i) {
  return polygon[i + 1 == polygon.size() ? 0 : i + 1];
}

/// Keeps what lies left of the line from p to q.
void cut(const FlatPolygon& subject, const Vec<2>& p, const Vec<2>& q, FlatPolygon& out) {
  out.clear();
  const Vec<2> along = q - p;
  for (std::size_t i = 0; i < subject.size(); ++i) {
    const Vec<2>& from = subject[i];
    const Vec<2>& to = after(subject, i);
    const double side_from = flat_cross(along, from - p);
    const double side_to = flat_cross(along, to - p);
    if (side_from >= 0.0) out.push_back(from);
    if ((side_from > 0.0 && side_to < 0.0) || (side_from < 0.0 && side_to > 0.0)) {
      out.push_back(from + side_from / (side_from - side_to) * (to - from));
    }
  }
}

/// Andrew's monotone chain. Numbers of the corners, counter-clockwise; none repeated.
std::vector<int> strict_hull(const FlatPolygon& points) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](int i) -> const Vec<2>& { return points[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return std::tuple(at(i).x(), at(i).y(), i) < std::tuple(at(j).x(), at(j).y(), j);
  });
  order.erase(std::unique(order.begin(), order.end(), [&](int i, int j) { return at(i) == at(j); }),
              order.end());
  if (order.size() < 3) return order;
  std::vector<int> hull;
  const auto extend = [&](int i, std::size_t base) {
    while (hull.size() >= base + 2 && flat_cross(at(hull.back()) - at(hull[hull.size() - 2]),
                                                 at(i) - at(hull.back())) <= 0.0) {
      hull.pop_back();
    }
    hull.push_back(i);
  };
  for (const int i : order) extend(i, 0);
  const std::size_t lower = hull.size() - 1;
  for (std::size_t k = order.size() - 1; k-- > 0;) extend(order[k], lower);
  hull.pop_back();
  return hull;
}

/// How much the hull loses with corner k: its distance from the segment between its neighbours.
double loss(const FlatPolygon& points, const std::vector<int>& hull, std::size_t k) {
  const std::size_t n = hull.size();
  const auto at = [&](std::size_t i) -> const Vec<2>& {
    return points[static_cast<std::size_t>(hull[i % n])];
  };
  const Vec<2>& before = at(k + n - 1);
  const Vec<2> along = at(k + 1) - before;
  const Vec<2> offset = at(k) - before;
  const double square = along.squaredNorm();
  const double foot = square > 0.0 ? std::clamp(offset.dot(along) / square, 0.0, 1.0) : 0.0;
  return (offset - foot * along).norm();
}

/// The largest gap that an edge of `a` leaves before `b`.
double gap_over_edges(const FlatPolygon& a, const FlatPolygon& b) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec<2> along = after(a, i) - a[i];
    const double length = along.norm();
    if (!(length > 0.0)) continue;
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec<2>& p : b) nearest = std::min(nearest, -flat_cross(along, p - a[i]) / length);
    best = std::max(best, nearest);
  }
  return best;
}

}  // namespace

PlaneFrame::PlaneFrame(const Vec<3>& origin_point, const Vec<3>& unit_normal, const Vec<3>& along)
    : origin(origin_point), normal(unit_normal) {
  const Vec<3> flat_along = along - along.dot(normal) * normal;
  const double length = flat_along.norm();
  u = length > 1e-3 * along.norm() ? Vec<3>(flat_along / length) : normal.unitOrthogonal();
  v = normal.cross(u);
}

void clip(const FlatPolygon& window, FlatPolygon& subject, FlatPolygon& spare) {
  for (std::size_t i = 0; i < window.size() && !subject.empty(); ++i) {
    cut(subject, window[i], after(window, i), spare);
    subject.swap(spare);
  }
}

std::optional<std::pair<double, double>> clip_segment(const FlatPolygon& window, const Vec<2>& from,
                                                      const Vec<2>& direction, double length,
                                                      double slack) {
  double low = 0.0;
  double high = length;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const Vec<2> along = after(window, i) - window[i];
    const double along_length = along.norm();
    if (!(along_length > 0.0)) continue;
    // Inside is where start + s·rate ≥ 0.
    const double start = flat_cross(along, from - window[i]) / along_length + slack;
    const double rate = flat_cross(along, direction) / along_length;
    if (start < 0.0 && start + rate * length < 0.0) return std::nullopt;
    if (start < 0.0) low = std::max(low, -start / rate);
    if (start + rate * length < 0.0) high = std::min(high, -start / rate);
  }
  if (low > high) return std::nullopt;
  return std::pair(low, high);
}

std::vector<int> hull_corners(const FlatPolygon& points, double tolerance) {
  std::vector<int> hull = strict_hull(points);
  // The least corner first: dropping one changes what its neighbours are worth.
  while (hull.size() > 1) {
    std::size_t least = 0;
    double worth = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < hull.size(); ++k) {
      const double here = loss(points, hull, k);
      if (here < worth) {
        worth = here;
        least = k;
      }
    }
    if (worth > tolerance) break;
    hull.erase(hull.begin() + static_cast<std::ptrdiff_t>(least));
  }
  return hull;
}

double width_of(const FlatPolygon& polygon) {
  if (polygon.size() < 3) return 0.0;
  double width = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec<2> along = after(polygon, i) - polygon[i];
    const double length = along.norm();
    double farthest = 0.0;
    for (const Vec<2>& p : polygon) {
      farthest = std::max(farthest, flat_cross(along, p - polygon[i]) / length);
    }
    width = std::min(width, farthest);
  }
  return width;
}

bool polygons_meet(const FlatPolygon& a, const FlatPolygon& b, double distance) {
  return std::max(gap_over_edges(a, b), gap_over_edges(b, a)) <= distance;
}

}  // namespace collapse::contacts
