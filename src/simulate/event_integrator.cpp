#include "simulate/event_integrator.hpp"

#include <algorithm>
#include <cmath>

namespace collapse::simulate {
namespace {

constexpr std::array<double, 7> kTimes{0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
constexpr double kWeights[7][6] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
/// Order 5 less order 4.
constexpr std::array<double, 7> kError{71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                       -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
/// Of the polynomial's last term.
constexpr std::array<double, 7> kDense{
    -12715105075.0 / 11282082432.0,  0.0,
    87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0};

}  // namespace

void DormandPrince::attempt(const Derivative& f, const Eigen::VectorXd& y, double h) {
  start_ = y;
  f(0.0, y, k_[0]);
  for (std::size_t stage = 1; stage < k_.size(); ++stage) {
    trial_ = y;
    for (std::size_t j = 0; j < stage; ++j) {
      if (kWeights[stage][j] != 0.0) trial_ += h * kWeights[stage][j] * k_[j];
    }
    f(kTimes[stage] * h, trial_, k_[stage]);
  }
  end_ = trial_;
  error_ = Eigen::VectorXd::Zero(y.size());
  Eigen::VectorXd last = Eigen::VectorXd::Zero(y.size());
  for (std::size_t stage = 0; stage < k_.size(); ++stage) {
    error_ += h * kError[stage] * k_[stage];
    last += h * kDense[stage] * k_[stage];
  }
  const Eigen::VectorXd way = end_ - start_;
  bend_[0] = h * k_[0] - way;
  bend_[1] = way - h * k_[6] - bend_[0];
  bend_[2] = last;
}

double DormandPrince::error(const Eigen::VectorXd& scale) const {
  const double worst = error_.cwiseQuotient(scale).lpNorm<Eigen::Infinity>();
  return std::isfinite(worst) ? worst : 1e300;
}

Eigen::VectorXd DormandPrince::at(double theta) const {
  const double rest = 1.0 - theta;
  return start_ +
         theta * ((end_ - start_) + rest * (bend_[0] + theta * (bend_[1] + rest * bend_[2])));
}

double next_step_factor(double error) {
  constexpr double kSafety = 0.9;
  constexpr double kLeast = 0.1;
  constexpr double kMost = 5.0;
  if (error <= 0.0) return kMost;
  return std::clamp(kSafety * std::pow(error, -0.25), kLeast, kMost);
}

double last_good(const std::function<double(double)>& f, double good, double bad, double width) {
  double f_good = f(good);
  double f_bad = f(bad);
  if (!(f_good >= 0.0)) return good;
  const double whole = bad - good;
  int left = static_cast<int>(std::ceil(std::log2(std::max(2.0, whole / width)))) + 1;
  double radius = width * std::ldexp(1.0, left) / 2.0;
  for (; bad - good > width && left > -2; --left) {
    const double middle = 0.5 * (good + bad);
    const double span = bad - good;
    // Regula falsi, pushed towards the middle, and no further from it than bisection may afford.
    const double secant = good + span * f_good / (f_good - f_bad);
    const double push = std::min(0.2 * span * span / whole, std::abs(middle - secant));
    double at = secant + (middle > secant ? push : -push);
    const double most = std::max(0.0, radius - 0.5 * span);
    at = std::clamp(at, middle - most, middle + most);
    at = std::clamp(at, good + 0.25 * width, bad - 0.25 * width);
    const double value = f(at);
    if (value >= 0.0) {
      good = at;
      f_good = value;
    } else {
      bad = at;
      f_bad = value;
    }
    radius *= 0.5;
  }
  return good;
}

}  // namespace collapse::simulate
