#include "simulate/oba_strike.hpp"

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace collapse::simulate {
namespace {

/// Tangential impulses at which the contact slides, as a curve around the origin: r(θ) e(θ) with
/// r = μ j_n = μ c / (W_nn + μ w·e), where c is what the normal velocity gains and w couples it to j_t.
struct SlidingCurve {
  double W_nn = 0.0;
  Vec<2> w = Vec<2>::Zero();
  Eigen::Matrix2d S = Eigen::Matrix2d::Zero();
  Vec<2> g = Vec<2>::Zero();
  double mu = 0.0;
  double c = 0.0;

  /// Energy ½ j_tᵀ S j_t + g·j_t and its derivative; infinite where friction would jam the contact.
  struct Value {
    Vec<2> impulse = Vec<2>::Zero();
    double energy = std::numeric_limits<double>::infinity();
    double slope = 0.0;
  };
  [[nodiscard]] Value at(double angle) const {
    const Vec<2> e(std::cos(angle), std::sin(angle));
    const Vec<2> across(-e[1], e[0]);
    const double resistance = W_nn + mu * w.dot(e);
    Value value;
    if (resistance <= 1e-9 * W_nn) return value;
    const double r = mu * c / resistance;
    const double dr = -r * mu * w.dot(across) / resistance;
    value.impulse = r * e;
    value.energy = 0.5 * r * r * e.dot(S * e) + r * g.dot(e);
    value.slope = (r * S * e + g).dot(dr * e + r * across);
    return value;
  }
};

/// The least energy on the curve: coarsely, then by halving where the slope changes its sign.
Vec<2> least_on(const SlidingCurve& curve) {
  constexpr int kDirections = 32;
  constexpr int kHalvings = 48;
  const double step = 2.0 * std::numbers::pi / kDirections;
  double best_angle = 0.0;
  SlidingCurve::Value best;
  for (int k = 0; k < kDirections; ++k) {
    const SlidingCurve::Value value = curve.at(step * k);
    if (value.energy >= best.energy) continue;
    best = value;
    best_angle = step * k;
  }
  double low = best_angle - step;
  double high = best_angle + step;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (low + high);
    const SlidingCurve::Value value = curve.at(middle);
    if (value.energy < best.energy) best = value;
    const bool jams = !std::isfinite(value.energy);
    (jams ? middle < best_angle : value.slope < 0.0) ? low = middle : high = middle;
  }
  return best.impulse;
}

}  // namespace

Vec<3> strike_impulse(const Eigen::Matrix3d& W, const Vec<3>& u, double mu, double b) {
  const double c = b - u[0];
  const double W_nn = W(0, 0);
  if (!(c > 0.0) || !(W_nn > 0.0)) return Vec<3>::Zero();
  Vec<2> tangential = Vec<2>::Zero();
  const Vec<2> w = W.block<2, 1>(1, 0);
  if (mu > 0.0) {
    const Eigen::Matrix2d S = W.block<2, 2>(1, 1) - w * w.transpose() / W_nn;
    const Vec<2> g = u.tail<2>() - w * (u[0] / W_nn);
    const Vec<2> sticking = -S.inverse() * g;
    const double normal = (c - w.dot(sticking)) / W_nn;
    const bool sticks = sticking.allFinite() && sticking.norm() <= mu * normal;
    tangential = sticks ? sticking : least_on({W_nn, w, S, g, mu, c});
  }
  Vec<3> impulse;
  impulse << (c - w.dot(tangential)) / W_nn, tangential;
  return impulse;
}

}  // namespace collapse::simulate
