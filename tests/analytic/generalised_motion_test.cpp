// Motion in coordinates of the user's choice, in closed form and against other coordinates.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collapse/analytical/motion.hpp"
#include "scenes/generalised.hpp"

namespace collapse::testing {
namespace {

using analytical::ActiveSet;
using analytical::ImpactModel;
using analytical::Integrator;
using analytical::Motion;
using analytical::MotionOptions;
using scenes::GeneralisedScene;

Motion motion_of(const GeneralisedScene& scene, const MotionOptions& options) {
  return {scene.system, scene.start, options};
}

void run_to(Motion& motion, double time, double step) {
  while (motion.state().time < time - 0.5 * step) motion.step();
}

struct StabilisedImpact {
  double depth = 0.0;
  double speed = 0.0;  ///< afterwards
};

StabilisedImpact stabilised_impact(ActiveSet set, double speed, double tau) {
  MotionOptions options;
  options.tau = tau;
  options.step = 1e-4 * tau;
  options.active_set = set;
  options.activity = 1e-12;
  Motion motion = motion_of(scenes::falling_ball(0.0, speed), options);
  StabilisedImpact impact;
  while (motion.state().time < 5.0 * tau) {
    motion.step();
    impact.depth = std::max(impact.depth, motion.violation());
  }
  impact.speed = motion.state().v[0];
  return impact;
}

/// g = −u t e^(−t/τ) as long as the constraint pushes, g̈ ≥ 0 without it: until t = 2τ, when ġ = u e⁻². Deepest at t = τ.
TEST(ImpactByStabilisation, ComesBackWithItsSpeedOverESquared) {
  for (const ActiveSet set : {ActiveSet::improved, ActiveSet::right, ActiveSet::convex}) {
    const StabilisedImpact impact = stabilised_impact(set, 3.0, 0.1);
    EXPECT_NEAR(impact.depth, 0.3 * std::exp(-1.0), 1e-4);
    EXPECT_NEAR(impact.speed, 3.0 * std::exp(-2.0), 1e-3);
  }
}

/// Platt's algorithm drops it then and, as it is still violated, adds it again, every other step: it is held back.
TEST(ImpactByStabilisation, IsHeldBackByPlattsAlgorithm) {
  const StabilisedImpact impact = stabilised_impact(ActiveSet::platt, 3.0, 0.1);
  EXPECT_NEAR(impact.depth, 0.3 * std::exp(-1.0), 1e-4);
  EXPECT_GT(impact.speed, 0.0);
  EXPECT_LT(impact.speed, 1.5 * std::exp(-2.0));
}

TEST(BouncingBall, ReachesItsHeightsAndComesToRest) {
  const double g = 10.0;
  const double epsilon = 0.6;
  MotionOptions options;
  options.step = 1e-2;
  options.integrator = Integrator::runge_kutta;  // exact on parabolas
  options.rewind = true;
  options.impacts = ImpactModel::simultaneous;
  options.restitution = epsilon;
  options.resting_speed = 1e-3;
  Motion motion = motion_of(scenes::falling_ball(1.0, 0.0, g), options);
  // First impact at t₁ with speed u, the second 2εu/g later, with εu.
  const double u = std::sqrt(2.0 * g);
  const double first = u / g;
  run_to(motion, 0.80, options.step);
  EXPECT_EQ(motion.impacts(), 1);
  double t = motion.state().time - first;
  EXPECT_NEAR(motion.state().x[0], epsilon * u * t - 0.5 * g * t * t, 1e-7);
  run_to(motion, 1.10, options.step);
  EXPECT_EQ(motion.impacts(), 2);
  t = motion.state().time - first - 2.0 * epsilon * u / g;
  EXPECT_NEAR(motion.state().x[0], epsilon * epsilon * u * t - 0.5 * g * t * t, 1e-7);
  // All over at t₁ (1 + ε)/(1 − ε).
  run_to(motion, first * (1.0 + epsilon) / (1.0 - epsilon) + 0.1, options.step);
  EXPECT_NEAR(motion.state().x[0], 0.0, 1e-4);
  EXPECT_NEAR(motion.state().v[0], 0.0, 1e-2);
  run_to(motion, 5.0, options.step);
  EXPECT_NEAR(motion.state().x[0], 0.0, 1e-6);
  EXPECT_NEAR(motion.last().lambda[0], g, 1e-6);
}

/// The place along a curve as the coordinate: mass 1 + u², and a force from the curve's bend.
TEST(BeadOnAParabola, KeepsItsEnergyAndReturnsFromTheStop) {
  MotionOptions options;
  options.step = 1e-3;
  options.integrator = Integrator::runge_kutta;
  options.rewind = true;
  options.impacts = ImpactModel::simultaneous;
  options.restitution = 1.0;
  Motion motion = motion_of(scenes::bead_on_parabola(1.0), options);
  const auto energy = [&] {
    return motion.kinetic_energy() + 5.0 * std::pow(motion.state().x[0], 2);
  };
  double highest = 0.0;
  while (motion.impacts() == 0) motion.step();
  EXPECT_NEAR(motion.state().v[0], std::sqrt(10.0),
              0.02);  // just after it hit the stop at the bottom
  while (motion.impacts() == 1) {
    motion.step();
    highest = std::max(highest, motion.state().x[0]);
    EXPECT_NEAR(energy(), 5.0, 1e-8);
  }
  EXPECT_NEAR(highest, 1.0, 1e-5);
}

TEST(Chain, OfPointsAndEquationsMovesAsOneOfAngles) {
  MotionOptions options;
  options.step = 1e-3;
  options.tau = 0.02;
  options.integrator = Integrator::runge_kutta;
  Motion points = motion_of(scenes::chain_of_points(3), options);
  Motion angles = motion_of(scenes::chain_of_angles(3), options);
  run_to(points, 1.0, options.step);
  run_to(angles, 1.0, options.step);
  EXPECT_LT((points.state().x.tail<2>() - scenes::end_of_chain(angles.state().x)).norm(), 1e-6);
  EXPECT_NEAR(points.kinetic_energy(), angles.kinetic_energy(), 1e-5);
}

TEST(Chain, KeepsItsEnergyInAngles) {
  MotionOptions options;
  options.step = 1e-3;
  options.integrator = Integrator::runge_kutta;
  Motion motion = motion_of(scenes::chain_of_angles(4), options);
  run_to(motion, 1.0, options.step);
  double potential = 0.0;
  for (int i = 1; i <= 4; ++i) {
    potential += 10.0 * scenes::end_of_chain(motion.state().x.head(i)).y();
  }
  EXPECT_GT(motion.kinetic_energy(), 20.0);
  EXPECT_NEAR(motion.kinetic_energy() + potential, 0.0, 1e-6);
}

/// Without the terms in 1/τ links grow as errors of the integration add up; with them errors fade.
TEST(Chain, IsKeptTogetherByStabilisation) {
  const auto violation_after = [](double tau) {
    MotionOptions options;
    options.step = 1e-2;
    options.tau = tau;
    options.integrator = Integrator::runge_kutta;
    Motion motion = motion_of(scenes::chain_of_points(3), options);
    run_to(motion, 5.0, options.step);
    return motion.violation();
  };
  const double loose = violation_after(1e9);
  const double kept = violation_after(0.02);
  EXPECT_GT(loose, 1e-5);
  EXPECT_LT(kept, 0.1 * loose);
}

/// A start off the constraints is drawn to them as e^(−t/τ)(1 + t/τ) does.
TEST(Stabilisation, AssemblesAsACriticallyDampedSpring) {
  GeneralisedScene scene = scenes::chain_of_points(1);
  analytical::set_constant(scene.system, Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero());
  scene.start.x = Eigen::Vector2d(1.5, 0.0);
  MotionOptions options;
  options.step = 1e-3;
  options.tau = 0.1;
  options.integrator = Integrator::runge_kutta;
  Motion motion = motion_of(scene, options);
  run_to(motion, 0.3, options.step);
  EXPECT_NEAR(motion.violation(), 0.5 * std::exp(-3.0) * 4.0, 1e-7);
}

double largest_violation(Motion& motion, int steps) {
  double worst = 0.0;
  for (int i = 0; i < steps; ++i) {
    motion.step();
    worst = std::max(worst, motion.violation());
  }
  return worst;
}

TEST(Billiards, HaveSeventySevenInequalities) {
  const GeneralisedScene scene = scenes::billiards(10.0);
  EXPECT_EQ(scene.system.constraints.size(), 77U);
  const Motion motion = motion_of(scene, {});
  EXPECT_LT(motion.violation(), 1e-15);
  int touching = 0;
  for (const analytical::Constraint& constraint : scene.system.constraints) {
    if (analytical::value_of(constraint, scene.start.x) < 1e-9) ++touching;
  }
  EXPECT_EQ(touching, 18 + 4 + 1);
}

TEST(Billiards, BreakWithoutLossOfEnergyIfElastic) {
  for (const ImpactModel rule : {ImpactModel::simultaneous, ImpactModel::propagation}) {
    MotionOptions options;
    options.step = 1e-2;
    options.tau = 2e-2;
    options.rewind = true;
    options.impacts = rule;
    options.restitution = 1.0;
    Motion motion = motion_of(scenes::billiards(10.0), options);
    EXPECT_LT(largest_violation(motion, 200), 1e-8);
    EXPECT_GE(motion.impacts(), 2);
    EXPECT_NEAR(motion.kinetic_energy(), 50.0, 1e-6);
    // One by one all ten are set in motion; at once those that lie between others and the cushion stay.
    int moving = 0;
    for (int ball = 0; ball < 10; ++ball) {
      if (motion.state().v.segment<2>(2 * ball).norm() > 1e-6) ++moving;
    }
    EXPECT_EQ(moving, rule == ImpactModel::propagation ? 10 : 3);
  }
}

TEST(Billiards, LoseEnergyToStabilisationAsPublished) {
  for (const ActiveSet set : {ActiveSet::right, ActiveSet::convex}) {
    MotionOptions options;
    options.step = 1e-3;
    options.tau = 1e-2;
    options.active_set = set;
    options.rewind = true;
    Motion motion = motion_of(scenes::billiards(10.0), options);
    const double worst = largest_violation(motion, 1000);
    EXPECT_LT(motion.kinetic_energy(), 50.0);
    EXPECT_GT(motion.kinetic_energy(), 1.0);
    EXPECT_LT(worst, 10.0 * options.tau / std::numbers::e);
  }
}

}  // namespace
}  // namespace collapse::testing
