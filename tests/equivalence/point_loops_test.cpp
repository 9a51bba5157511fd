/// The theorems of Rote and Zwick about their two loops.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "simulate/point_scheme.hpp"
#include "tests/support/framework_scene.hpp"

namespace collapse::simulate {
namespace {

using collapse::testing::FrameworkScene;

SimulationOptions loop_options(SchemeKind scheme, double touch) {
  SimulationOptions options;
  options.scheme = scheme;
  options.touch = touch;
  options.threads = 1;
  return options;
}

double largest_difference(const State<2>& a, const State<2>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    largest = std::max(largest, (a.points[i] - b.points[i]).norm());
  }
  return largest;
}

Vec<2> turned_left(const Vec<2>& v) { return {-v.y(), v.x()}; }

/// A plate that turns about a peg, and on its upper edge the end k of a bar that slides along. Lengths do not
/// change at these velocities, and k stays on the edge to first order; `approach` is what it moves towards the
/// edge besides.
struct SlidingScene {
  FrameworkScene framework;
  int k = 0;

  explicit SlidingScene(double approach = 0.0) {
    const Vec<2> a(0.0, 0.0);
    const Vec<2> b(4.0, 0.5);
    const Vec<2> c(2.0, -1.0);
    const double spin = 0.75;
    const int p_a = framework.peg(a);
    const int p_b = framework.point(b, spin * turned_left(b - a), 0.7);
    const int p_c = framework.point(c, spin * turned_left(c - a), 1.3);
    framework.plate({p_a, p_c, p_b});
    // The upper edge runs from b to a. A point on it, exactly: dyadic shares.
    const double alpha = 0.375;
    const Vec<2> foot = a + (1.0 - alpha) * (b - a);
    const Vec<2> along = (b - a).normalized();
    const Vec<2> v_k = spin * turned_left(foot - a) + 2.0 * along - approach * turned_left(along);
    k = framework.point(foot, v_k, 2.0);
    const Vec<2> q(1.0, 2.0);
    const int p_q = framework.point(q, v_k + 0.8 * turned_left(q - foot), 0.4);
    framework.bar(k, p_q);
  }
};

struct BothLoops {
  const Scene<2>& scene;
  PointRules position_rules;
  PointRules acceleration_rules;
  double touch = 1e-9;
  double h = 0.02;

  struct Result {
    double difference = 0.0;  ///< of positions, the largest
    int touching = 0;         ///< contacts of the position loop, over all steps
    int disagreeing = 0;      ///< steps in which the loops had different numbers of contacts
  };

  [[nodiscard]] Result run(int steps) const {
    const SimulationOptions by_position = loop_options(SchemeKind::position, touch);
    const SimulationOptions by_acceleration = loop_options(SchemeKind::acceleration, touch);
    const auto position = make_point_scheme(scene, by_position, position_rules);
    const auto acceleration = make_point_scheme(scene, by_acceleration, acceleration_rules);
    State<2> p = initial_state(scene);
    State<2> a = p;
    Result result;
    for (int step = 0; step < steps; ++step) {
      const StepReport<2> report = position->step(p, step * h, h);
      const StepReport<2> other = acceleration->step(a, step * h, h);
      EXPECT_LE(std::max(report.worst_residual, other.worst_residual), 1e-11);
      result.touching += static_cast<int>(report.contacts.size());
      result.disagreeing += report.contacts.size() != other.contacts.size() ? 1 : 0;
      result.difference = std::max(result.difference, largest_difference(p, a));
    }
    return result;
  }
};

constexpr PointRules kTheorem{PointRule::theorem, PointRule::theorem};
constexpr PointRules kExtended{PointRule::extended, PointRule::extended};

TEST(Theorem51, OneStepOfBothLoopsGivesTheSamePositions) {
  const SlidingScene sliding;
  const auto result = BothLoops{sliding.framework.scene(), kTheorem, kTheorem}.run(1);
  EXPECT_EQ(result.touching, 1);
  EXPECT_EQ(result.disagreeing, 0);
  EXPECT_LE(result.difference, 1e-14);
}

TEST(Theorem51, FailsWithTheSideRuleAsPrinted) {
  const SlidingScene sliding;
  const PointRules misprint{PointRule::theorem, PointRule::misprint};
  EXPECT_GE((BothLoops{sliding.framework.scene(), misprint, kTheorem}.run(1).difference), 1e-3);
}

TEST(Theorem51, NeedsItsHypotheses) {
  const SlidingScene colliding(0.5);
  const auto result = BothLoops{colliding.framework.scene(), kTheorem, kTheorem}.run(1);
  EXPECT_EQ(result.touching, 1);
  EXPECT_GE(result.difference, 1e-3);
}

/// The drift that both loops have in common moves k off the edge: what touches is judged generously, and the
/// same in both.
TEST(BothLoops, AgreeOverTwoHundredStepsWithNothingLeftOut) {
  const SlidingScene sliding;
  const auto result =
      BothLoops{sliding.framework.scene(), kExtended, kExtended, 0.05, 0.005}.run(200);
  EXPECT_GE(result.touching, 40);
  EXPECT_EQ(result.disagreeing, 0);
  EXPECT_LE(result.difference, 1e-9);
}

TEST(BothLoops, SeparateWithoutTheExtraTerms) {
  const SlidingScene sliding;
  const auto result =
      BothLoops{sliding.framework.scene(), kTheorem, kTheorem, 0.05, 0.005}.run(200);
  EXPECT_GE(result.difference, 1e-2);
}

FrameworkScene three_bar_chain() {
  FrameworkScene chain;
  int last = chain.peg({0.0, 0.0});
  for (int i = 1; i <= 3; ++i) {
    const int next = chain.point({static_cast<double>(i), 0.0});
    chain.bar(last, next);
    last = next;
  }
  return chain;
}

TEST(BothLoops, OfAFallingChainAgreeOnlyWithTheExtraTerms) {
  const FrameworkScene chain = three_bar_chain();
  EXPECT_LE((BothLoops{chain.scene(), kExtended, kExtended, 1e-9, 0.01}.run(200).difference), 1e-9);
  EXPECT_GE((BothLoops{chain.scene(), kTheorem, kTheorem, 1e-9, 0.01}.run(200).difference), 0.5);
}

/// Minimise Σ m ‖v − v⁻‖² with lengths constant and k staying on the edge, all to first order, by elimination on
/// the dense optimality conditions. The contact has to push.
Eigen::VectorXd inelastic_velocities(const Scene<2>& scene, int k, int i, int j) {
  const Framework<2>& f = scene.framework;
  const auto at = [&](int p) -> const FrameworkPoint<2>& {
    return f.points[static_cast<std::size_t>(p)];
  };
  const Eigen::Index n = 2 * static_cast<Eigen::Index>(f.points.size());
  const Eigen::Index bars = static_cast<Eigen::Index>(f.bars.size());
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(bars + 1, n);
  for (Eigen::Index b = 0; b < bars; ++b) {
    const auto [p, q] = f.bars[static_cast<std::size_t>(b)];
    const Vec<2> r = at(p).position.value - at(q).position.value;
    G.block<1, 2>(b, 2 * p) = r.transpose();
    G.block<1, 2>(b, 2 * q) = -r.transpose();
  }
  const Vec<2> e = at(j).position.value - at(i).position.value;
  const double alpha = e.dot(at(k).position.value - at(i).position.value) / e.squaredNorm();
  const Vec<2> normal = turned_left(e);
  G.block<1, 2>(bars, 2 * k) = normal.transpose();
  G.block<1, 2>(bars, 2 * i) = -(1.0 - alpha) * normal.transpose();
  G.block<1, 2>(bars, 2 * j) = -alpha * normal.transpose();
  Eigen::VectorXd inverse_mass(n);
  Eigen::VectorXd old(n);
  for (std::size_t p = 0; p < f.points.size(); ++p) {
    const Eigen::Index first = 2 * static_cast<Eigen::Index>(p);
    inverse_mass.segment<2>(first).setConstant(f.points[p].fixed ? 0.0
                                                                 : 1.0 / f.points[p].mass.value);
    old.segment<2>(first) = f.points[p].velocity.value;
  }
  const Eigen::MatrixXd W = G * inverse_mass.asDiagonal() * G.transpose();
  const Eigen::VectorXd lambda = W.fullPivLu().solve(-G * old);
  EXPECT_GT(lambda[bars], 0.0);
  return old + inverse_mass.asDiagonal() * G.transpose() * lambda;
}

double theorem_71_error(PointRule rule, double h) {
  SlidingScene colliding(0.5);
  colliding.framework.gravity({0.0, 0.0});
  const Scene<2>& scene = colliding.framework.scene();
  const SimulationOptions options = loop_options(SchemeKind::position, 1e-9);
  State<2> state = initial_state(scene);
  const auto scheme = make_point_scheme(scene, options, {rule, rule});
  const StepReport<2> report = scheme->step(state, 0.0, h);
  EXPECT_EQ(report.contacts.size(), 1U);
  const int b = scene.framework.faces[0][2];
  const Eigen::VectorXd expected =
      inelastic_velocities(scene, colliding.k, scene.framework.faces[0][0], b);
  double error = 0.0;
  for (std::size_t p = 0; p < state.points.size(); ++p) {
    const Vec<2> velocity = (state.points[p] - scene.framework.points[p].position.value) / h;
    error =
        std::max(error, (velocity - expected.segment<2>(2 * static_cast<Eigen::Index>(p))).norm());
  }
  return error;
}

TEST(Theorem71, IsExactForProjectedLengthsAndSides) {
  // The solver ends at 1e-12 of the largest displacement.
  EXPECT_LE(theorem_71_error(PointRule::projected, 0.1), 1e-11);
  EXPECT_LE(theorem_71_error(PointRule::projected, 0.001), 1e-11);
}

TEST(Theorem71, HoldsToFirstOrderForTheRulesOfTheOtherTheorem) {
  const double coarse = theorem_71_error(PointRule::theorem, 0.02);
  const double fine = theorem_71_error(PointRule::theorem, 0.01);
  EXPECT_GE(fine, 1e-4);
  EXPECT_NEAR(coarse / fine, 2.0, 0.01);
}

}  // namespace
}  // namespace collapse::simulate
