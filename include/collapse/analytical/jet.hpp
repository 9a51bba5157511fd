#pragma once
/// Dual numbers of second order: a number with its first and second derivatives by N variables. A function
/// written for any type of number, called with them, returns its own derivatives, exact to rounding.

#include <Eigen/Core>
#include <array>
#include <cmath>

namespace collapse::analytical {

template <int N>
struct Jet {
  using Gradient = Eigen::Matrix<double, N, 1>;
  using Hessian = Eigen::Matrix<double, N, N>;

  double value = 0.0;
  Gradient gradient = Gradient::Zero();
  Hessian hessian = Hessian::Zero();

  Jet() = default;
  /// A constant: numbers and jets mix in a formula.
  Jet(double constant) : value(constant) {}
  Jet(double of, const Gradient& first, const Hessian& second)
      : value(of), gradient(first), hessian(second) {}

  /// The variable of this index.
  [[nodiscard]] static Jet variable(double at, int index) {
    return Jet(at, Gradient::Unit(index), Hessian::Zero());
  }

  friend Jet operator+(const Jet& a, const Jet& b) {
    return Jet(a.value + b.value, a.gradient + b.gradient, a.hessian + b.hessian);
  }
  friend Jet operator-(const Jet& a, const Jet& b) {
    return Jet(a.value - b.value, a.gradient - b.gradient, a.hessian - b.hessian);
  }
  friend Jet operator-(const Jet& a) { return Jet(-a.value, -a.gradient, -a.hessian); }
  friend Jet operator*(const Jet& a, const Jet& b) {
    const Hessian cross = a.gradient * b.gradient.transpose();
    return Jet(a.value * b.value, a.value * b.gradient + b.value * a.gradient,
               a.value * b.hessian + b.value * a.hessian + cross + cross.transpose());
  }
  friend Jet operator/(const Jet& a, const Jet& b) {
    const double inverse = 1.0 / b.value;
    return a * chained(b, inverse, -inverse * inverse, 2.0 * inverse * inverse * inverse);
  }

  /// φ(a), from φ and its first two derivatives at a's value.
  [[nodiscard]] static Jet chained(const Jet& a, double phi, double first, double second) {
    return Jet(phi, first * a.gradient,
               first * a.hessian + second * a.gradient * a.gradient.transpose());
  }
};

template <int N>
[[nodiscard]] Jet<N> sqrt(const Jet<N>& a) {
  const double root = std::sqrt(a.value);
  return Jet<N>::chained(a, root, 0.5 / root, -0.25 / (root * a.value));
}

template <int N>
[[nodiscard]] Jet<N> sin(const Jet<N>& a) {
  const double s = std::sin(a.value);
  return Jet<N>::chained(a, s, std::cos(a.value), -s);
}

template <int N>
[[nodiscard]] Jet<N> cos(const Jet<N>& a) {
  const double c = std::cos(a.value);
  return Jet<N>::chained(a, c, -std::sin(a.value), -c);
}

template <int N>
[[nodiscard]] Jet<N> exp(const Jet<N>& a) {
  const double e = std::exp(a.value);
  return Jet<N>::chained(a, e, e, e);
}

template <int N>
[[nodiscard]] Jet<N> log(const Jet<N>& a) {
  const double inverse = 1.0 / a.value;
  return Jet<N>::chained(a, std::log(a.value), inverse, -inverse * inverse);
}

template <int N>
[[nodiscard]] Jet<N> pow(const Jet<N>& a, double exponent) {
  return Jet<N>::chained(a, std::pow(a.value, exponent),
                         exponent * std::pow(a.value, exponent - 1.0),
                         exponent * (exponent - 1.0) * std::pow(a.value, exponent - 2.0));
}

/// The variables at a point, to call a function with.
template <int N>
[[nodiscard]] std::array<Jet<N>, static_cast<std::size_t>(N)> variables_at(
    const Eigen::VectorXd& x) {
  std::array<Jet<N>, static_cast<std::size_t>(N)> variables;
  for (int i = 0; i < N; ++i) variables[static_cast<std::size_t>(i)] = Jet<N>::variable(x[i], i);
  return variables;
}

}  // namespace collapse::analytical
