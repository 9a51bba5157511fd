// The particle in the corner of Jonquet, Nocent and Remion, and the ways to keep the handled set.

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/analytical/motion.hpp"
#include "scenes/generalised.hpp"

namespace collapse::testing {
namespace {

using analytical::ActiveSet;
using analytical::Integrator;
using analytical::Motion;
using analytical::MotionOptions;
using scenes::Corner;

const Eigen::Vector2d kSlidesAlongX(2.0, -1.0);
const Eigen::Vector2d kPressedIn(-1.0, -2.0);

struct CornerRun {
  Eigen::Vector2d end;
  double violation = 0.0;  ///< largest of all steps
  int turns = 0;           ///< how often ÿ changed its sign
  Eigen::Vector2d lambda;  ///< of the last step
};

CornerRun run_corner(Corner corner, double mass, const Eigen::Vector2d& force,
                     const MotionOptions& options, int steps) {
  const scenes::GeneralisedScene scene = scenes::corner_particle(corner, mass, force);
  Motion motion(scene.system, scene.start, options);
  CornerRun run;
  double last = 0.0;
  for (int i = 0; i < steps; ++i) {
    motion.step();
    run.violation = std::max(run.violation, motion.violation());
    const double now = motion.last().acceleration[1];
    if (std::abs(now) < 1e-9) continue;
    if (now * last < 0.0) ++run.turns;
    last = now;
  }
  run.end = motion.state().x;
  run.lambda = motion.last().lambda;
  return run;
}

MotionOptions corner_options(ActiveSet set) {
  MotionOptions options;
  options.step = 1e-2;
  options.tau = 5e-2;
  options.active_set = set;
  return options;
}

/// Where a constant acceleration leads in semi-implicit steps from rest.
double semi_implicit_path(double acceleration, double step, int steps) {
  return 0.5 * acceleration * step * step * steps * (steps + 1.0);
}

class CornerParticle : public ::testing::TestWithParam<double> {};  // mass

TEST_P(CornerParticle, PlattBreaksWhenItShouldSlide) {
  // Held at first by both, then by none: it falls for a step, into y < 0.
  const MotionOptions options = corner_options(ActiveSet::platt);
  const CornerRun first = run_corner(Corner::acute, GetParam(), kSlidesAlongX, options, 1);
  EXPECT_LT(first.end.norm(), 1e-15);
  EXPECT_NEAR(first.lambda[0], -2.0, 1e-14);
  EXPECT_NEAR(first.lambda[1], -1.0, 1e-14);
  const CornerRun second = run_corner(Corner::acute, GetParam(), kSlidesAlongX, options, 2);
  EXPECT_NEAR(second.violation, options.step * options.step / GetParam(), 1e-18);
  const CornerRun long_run = run_corner(Corner::acute, GetParam(), kSlidesAlongX, options, 500);
  EXPECT_GT(long_run.violation, 1e-5);
}

TEST_P(CornerParticle, TheImprovedOneSlides) {
  const MotionOptions options = corner_options(ActiveSet::improved);
  const CornerRun run = run_corner(Corner::acute, GetParam(), kSlidesAlongX, options, 500);
  EXPECT_LT(run.violation, 1e-8);
  EXPECT_NEAR(run.end[0], semi_implicit_path(2.0 / GetParam(), options.step, 500), 1e-9);
}

TEST_P(CornerParticle, TheImprovedOneBreaksWhenItIsPressedIn) {
  // In its first step it sees the floor alone, whose force leads through the other side.
  const MotionOptions options = corner_options(ActiveSet::improved);
  const CornerRun first = run_corner(Corner::acute, GetParam(), kPressedIn, options, 1);
  EXPECT_NEAR(first.violation, options.step * options.step / GetParam(), 1e-18);
  EXPECT_NEAR(first.lambda[1], 2.0, 1e-14);
}

TEST_P(CornerParticle, TheRightOneAndTheConvexProgramHoldBoth) {
  for (const ActiveSet set : {ActiveSet::right, ActiveSet::convex}) {
    const MotionOptions options = corner_options(set);
    const CornerRun slides = run_corner(Corner::acute, GetParam(), kSlidesAlongX, options, 1000);
    EXPECT_LT(slides.violation, 1e-8);
    EXPECT_NEAR(slides.end[0], semi_implicit_path(2.0 / GetParam(), options.step, 1000), 1e-8);
    const CornerRun stays = run_corner(Corner::acute, GetParam(), kPressedIn, options, 1000);
    EXPECT_LT(stays.violation, 1e-8);
    EXPECT_LT(stays.end.norm(), 1e-8);
    EXPECT_NEAR(stays.lambda[0], 1.0, 1e-8);
    EXPECT_NEAR(stays.lambda[1], 3.0, 1e-8);
  }
}

TEST_P(CornerParticle, TheRightOneSticksWhereTheConvexProgramSlides) {
  const Eigen::Vector2d force(-2.0, -1.0);
  const MotionOptions right = corner_options(ActiveSet::right);
  const CornerRun sticks = run_corner(Corner::obtuse, GetParam(), force, right, 100);
  EXPECT_LT(sticks.end.norm(), 1e-12);
  EXPECT_NEAR(sticks.lambda[0], -1.0, 1e-12);  // the first side pulls
  EXPECT_NEAR(sticks.lambda[1], 2.0, 1e-12);
  const MotionOptions convex = corner_options(ActiveSet::convex);
  const CornerRun slides = run_corner(Corner::obtuse, GetParam(), force, convex, 100);
  const double path = semi_implicit_path(0.5 / GetParam(), convex.step, 100);
  EXPECT_NEAR(slides.end[0], -path, 1e-9);
  EXPECT_NEAR(slides.end[1], path, 1e-9);
  EXPECT_NEAR(slides.lambda[0], 0.0, 1e-9);
  EXPECT_NEAR(slides.lambda[1], 1.5, 1e-9);
}

/// Figures 2 and 3. With τ = 1.4 h what is handled in one step comes back so fast that it has to be held in the next one:
/// λ ≤ 0, it is dropped, falls, is violated, and so on for ever, in a cycle of three steps. Everything is proportional to
/// 1/m, so the violation is the same multiple of h²/m for every mass.
TEST_P(CornerParticle, PlattOscillatesAsInTheFigures) {
  MotionOptions options = corner_options(ActiveSet::platt);
  options.step = 1.0 / 400.0;
  options.tau = 1.4 * options.step;
  const CornerRun half = run_corner(Corner::acute, GetParam(), kSlidesAlongX, options, 200);
  const CornerRun all = run_corner(Corner::acute, GetParam(), kSlidesAlongX, options, 400);
  EXPECT_GT(half.turns, 120);
  EXPECT_GT(all.turns, half.turns + 120);
  const double unit = options.step * options.step / GetParam();
  EXPECT_NEAR(all.violation, 2.75 * unit, 0.01 * unit);
  EXPECT_LT(all.violation, 1e-5);
  options.active_set = ActiveSet::right;
  const CornerRun right = run_corner(Corner::acute, GetParam(), kSlidesAlongX, options, 400);
  EXPECT_EQ(right.turns, 0);
  EXPECT_LT(right.violation, 1e-8);
}

/// With a little less than that the cycle grows without limit.
TEST_P(CornerParticle, PlattFailsWhereStabilisationIsFast) {
  MotionOptions options = corner_options(ActiveSet::platt);
  options.tau = options.step;
  const CornerRun run = run_corner(Corner::acute, GetParam(), kSlidesAlongX, options, 100);
  EXPECT_GT(run.violation, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Masses, CornerParticle, ::testing::Values(2.0, 3.0));

}  // namespace
}  // namespace collapse::testing
