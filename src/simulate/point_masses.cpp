#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "collapse/core/error.hpp"
#include "collapse/solver/solution.hpp"
#include "simulate/point_model.hpp"

namespace collapse::simulate {
namespace {

/// Moments of inertia that agree to this share are the same: one of them may be written, and rounded.
constexpr double kSameInertia = 1e-9;
/// Bars go to the first of this many points, which are spread over the body.
constexpr std::size_t kAnchors = 12;
/// Angles between two bars (sines) that differ by less are equally good.
constexpr double kSameAngle = 1e-9;

double cross_of(const Vec<2>& a, const Vec<2>& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Corners, midpoints of sides and centre of a parallelogram, whose moments are those of the solid.
PointMasses nine_points(const Loop& loop, double mass) {
  const std::vector<ExactVec<2>>& corners = loop.exact();
  PointMasses result;
  const auto add = [&](const ExactVec<2>& point, double share) {
    result.points.push_back(to_double<2>(point));
    result.masses.push_back(share * mass);
  };
  for (const ExactVec<2>& corner : corners) add(corner, 1.0 / 36.0);
  for (std::size_t i = 0; i < 4; ++i) {
    add((corners[i] + corners[(i + 1) % 4]) / Rational(2), 1.0 / 9.0);
  }
  add((corners[0] + corners[2]) / Rational(2), 4.0 / 9.0);
  return result;
}

double inertia_about(const PointMasses& set, const Vec<2>& centre) {
  double inertia = 0.0;
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    inertia += set.masses[i] * (set.points[i] - centre).squaredNorm();
  }
  return inertia;
}

/// The masses at given points that are nearest to equal ones and have the right sum, centre and moment of
/// inertia:
///
///     minimise ½ Σ (w − 1/n)²   subject to   Σ w = 1,   Σ w r = 0,   Σ w ‖r‖² = I,   w ≥ 1/(1000 n)
///
/// (r from the centre of mass; total mass and largest r are one). Nothing if there are none.
std::optional<std::vector<double>> balanced_masses(const std::vector<Vec<2>>& points,
                                                   const MassProperties<2>& mass) {
  const double n = static_cast<double>(points.size());
  double reach = 0.0;
  for (const Vec<2>& p : points) reach = std::max(reach, (p - mass.centre).norm());
  Program program;
  using Scalar = Eigen::Matrix<double, 1, 1>;
  for (std::size_t k = 0; k < points.size(); ++k) program.add_block(Scalar(1.0), Scalar(1.0 / n));
  const double inertia = mass.inertia(0, 0) / (mass.mass * reach * reach);
  program.begin_group(Cone::zero, Eigen::Vector4d(1.0, 0.0, 0.0, inertia));
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec<2> r = (points[k] - mass.centre) / reach;
    program.add_term(static_cast<int>(k), Eigen::Vector4d(1.0, r.x(), r.y(), r.squaredNorm()));
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    program.begin_row(Cone::nonnegative, 1e-3 / n);
    program.add_term(static_cast<int>(k), Scalar(1.0));
  }
  const Solution solution = solve(program);
  if (solution.status != Status::optimal) return std::nullopt;
  std::vector<double> masses(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    masses[k] = mass.mass * solution.x[static_cast<Eigen::Index>(k)];
  }
  return masses;
}

/// Each point after those it is far from: the first few are spread over all.
std::vector<int> spread_order(const std::vector<Vec<2>>& points) {
  std::vector<int> order{0};
  std::vector<double> distance(points.size(), std::numeric_limits<double>::infinity());
  while (order.size() < points.size()) {
    const Vec<2>& last = points[static_cast<std::size_t>(order.back())];
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      distance[i] = std::min(distance[i], (points[i] - last).norm());
      if (distance[i] > distance[farthest] * (1.0 + kSameAngle)) farthest = i;
    }
    order.push_back(static_cast<int>(farthest));
  }
  return order;
}

/// Which of the points not yet placed makes the largest triangle with the first two.
void bring_third(const std::vector<Vec<2>>& points, std::vector<int>& order) {
  const auto at = [&](std::size_t k) { return points[static_cast<std::size_t>(order[k])]; };
  std::size_t best = 2;
  const auto area = [&](std::size_t k) { return std::abs(cross_of(at(1) - at(0), at(k) - at(0))); };
  for (std::size_t k = 3; k < order.size(); ++k) {
    if (area(k) > area(best) * (1.0 + kSameAngle)) best = k;
  }
  std::rotate(order.begin() + 2, order.begin() + static_cast<std::ptrdiff_t>(best),
              order.begin() + static_cast<std::ptrdiff_t>(best) + 1);
}

}  // namespace

std::vector<Vec<2>> piece_corners(const Shape<2>& shape) {
  std::vector<Vec<2>> corners;
  for (const Loop& piece : shape.pieces) {
    for (const Vec<2>& vertex : piece.vertices()) {
      if (std::find(corners.begin(), corners.end(), vertex) == corners.end()) {
        corners.push_back(vertex);
      }
    }
  }
  return corners;
}

PointMasses point_masses(const Body<2>& body, ModelKind model, const std::string& place) {
  if (!body.shape.balls.empty()) {
    throw Error(place, "a disk", "polygons only in the model of points");
  }
  PointMasses result;
  result.points = piece_corners(body.shape);
  if (model == ModelKind::corners) {
    const double n = static_cast<double>(result.points.size());
    result.masses.assign(result.points.size(), body.mass.mass / n);
    return result;
  }
  const Loop& first = body.shape.pieces.front();
  const bool parallelogram = body.shape.pieces.size() == 1 && first.size() == 4 &&
                             ExactVec<2>(first.exact()[0] + first.exact()[2]) ==
                                 ExactVec<2>(first.exact()[1] + first.exact()[3]);
  const double inertia = body.mass.inertia(0, 0);
  if (parallelogram) {
    PointMasses nine = nine_points(first, body.mass.mass);
    if (std::abs(inertia_about(nine, body.mass.centre) - inertia) <= kSameInertia * inertia) {
      return nine;
    }
  }
  result.points.push_back(body.mass.centre);
  const auto masses = balanced_masses(result.points, body.mass);
  if (!masses) {
    throw Error(place, "a moment of inertia that no masses in its corners and centre have",
                "a smaller or larger one for the model of points");
  }
  result.masses = *masses;
  return result;
}

std::vector<std::pair<int, int>> minimally_rigid_bars(const std::vector<Vec<2>>& points) {
  std::vector<std::pair<int, int>> bars;
  if (points.size() < 2) return bars;
  std::vector<int> order = spread_order(points);
  if (points.size() > 2) bring_third(points, order);
  bars.emplace_back(order[0], order[1]);
  for (std::size_t k = 2; k < order.size(); ++k) {
    const Vec<2>& p = points[static_cast<std::size_t>(order[k])];
    std::pair<std::size_t, std::size_t> best{0, 1};
    double best_sine = -1.0;
    double best_length = 0.0;
    const std::size_t anchors = std::min(k, kAnchors);
    for (std::size_t a = 0; a < anchors; ++a) {
      const Vec<2> to_a = points[static_cast<std::size_t>(order[a])] - p;
      for (std::size_t b = a + 1; b < anchors; ++b) {
        const Vec<2> to_b = points[static_cast<std::size_t>(order[b])] - p;
        const double sine = std::abs(cross_of(to_a.normalized(), to_b.normalized()));
        const double length = to_a.norm() + to_b.norm();
        const bool better = sine > best_sine + kSameAngle ||
                            (sine > best_sine - kSameAngle && length < best_length);
        if (!better) continue;
        best = {a, b};
        best_sine = sine;
        best_length = length;
      }
    }
    bars.emplace_back(order[best.first], order[k]);
    bars.emplace_back(order[best.second], order[k]);
  }
  return bars;
}

}  // namespace collapse::simulate
