#include "collapse/analytical/jet.hpp"

#include <gtest/gtest.h>

namespace collapse::analytical {
namespace {

using Two = std::array<Jet<2>, 2>;

Two variables_of(double x, double y) { return variables_at<2>(Eigen::Vector2d(x, y)); }

TEST(Jet, DifferentiatesPolynomialsExactly) {
  const auto [x, y] = variables_of(3.0, 2.0);
  const Jet<2> f = x * x * x * y * y - 4.0 * x + 7.0;
  EXPECT_EQ(f.value, 27.0 * 4.0 - 12.0 + 7.0);
  EXPECT_EQ(f.gradient, Eigen::Vector2d(3.0 * 9.0 * 4.0 - 4.0, 2.0 * 27.0 * 2.0));
  Eigen::Matrix2d second;
  second << 6.0 * 3.0 * 4.0, 6.0 * 9.0 * 2.0, 6.0 * 9.0 * 2.0, 2.0 * 27.0;
  EXPECT_EQ(f.hessian, second);
}

TEST(Jet, DividesAsItMultiplies) {
  const auto [x, y] = variables_of(0.7, -1.3);
  const Jet<2> f = (x * y) / y - x;
  EXPECT_NEAR(f.value, 0.0, 1e-15);
  EXPECT_LT(f.gradient.norm(), 1e-15);
  EXPECT_LT(f.hessian.norm(), 1e-14);
}

/// Derivatives of φ(x) by central differences of its value and of its first derivative.
template <class Function>
void expect_derivatives(Function phi, double at) {
  const auto jet = [&](double x) { return phi(Jet<1>::variable(x, 0)); };
  const double h = 1e-5;
  EXPECT_NEAR(jet(at).gradient[0], (jet(at + h).value - jet(at - h).value) / (2.0 * h), 1e-8);
  EXPECT_NEAR(jet(at).hessian(0, 0),
              (jet(at + h).gradient[0] - jet(at - h).gradient[0]) / (2.0 * h), 1e-8);
}

TEST(Jet, KnowsTheElementaryFunctions) {
  expect_derivatives([](const Jet<1>& x) { return sin(2.0 * x); }, 0.4);
  expect_derivatives([](const Jet<1>& x) { return cos(x * x); }, 0.4);
  expect_derivatives([](const Jet<1>& x) { return sqrt(1.0 + x * x); }, 0.4);
  expect_derivatives([](const Jet<1>& x) { return exp(-x); }, 0.4);
  expect_derivatives([](const Jet<1>& x) { return log(x); }, 0.4);
  expect_derivatives([](const Jet<1>& x) { return pow(x, 2.5); }, 0.4);
  expect_derivatives([](const Jet<1>& x) { return 1.0 / (1.0 + x); }, 0.4);
}

TEST(Jet, MixesVariablesInCompositions) {
  // d²/dxdy sin(xy) = cos(xy) − xy sin(xy)
  const auto [x, y] = variables_of(0.8, 0.6);
  const Jet<2> f = sin(x * y);
  EXPECT_NEAR(f.hessian(0, 1), std::cos(0.48) - 0.48 * std::sin(0.48), 1e-15);
  EXPECT_EQ(f.hessian(0, 1), f.hessian(1, 0));
}

}  // namespace
}  // namespace collapse::analytical
