/// Bodies in space that nothing touches: conserved quantities, and Euler's top in closed form.

#include <gtest/gtest.h>

#include <cmath>

#include "simulate/free_flight.hpp"
#include "tests/support/moving_scene.hpp"

namespace collapse::testing {
namespace {

/// A body of given principal moments that turns about its own centre.
struct Top {
  MassProperties<3> mass;
  Pose<3> pose;
  Vec<3> spin = Vec<3>::Zero();  ///< world axes

  Top(const Vec<3>& moments, const Vec<3>& omega) : spin(omega) {
    mass.mass = 1.0;
    mass.inertia = moments.asDiagonal();
  }

  void step(double h) {
    Twist<3> velocity;
    velocity << Vec<3>::Zero(), spin;
    const simulate::Flight<3> flight =
        simulate::free_flight<3>(mass, pose, velocity, Twist<3>::Zero(), h);
    pose.rotation = rotation_by(flight.way.tail<3>()) * pose.rotation;
    spin = flight.velocity.tail<3>();
  }
  [[nodiscard]] Vec<3> momentum() const {
    return world_inertia<3>(mass.inertia, pose.rotation) * spin;
  }
  [[nodiscard]] double energy() const { return 0.5 * spin.dot(momentum()); }
  [[nodiscard]] Vec<3> in_body() const { return pose.rotation.transpose() * spin; }
};

/// Time in which Euler's top comes back to the same spin in its own axes (Landau and Lifshitz, §37).
double period_of(const Vec<3>& moments, const Vec<3>& omega) {
  double low = moments[0];
  const double middle = moments[1];
  double high = moments[2];
  const double twice_energy = omega.dot(moments.cwiseProduct(omega));
  const double square = moments.cwiseProduct(omega).squaredNorm();
  if (square < twice_energy * middle) std::swap(low, high);
  const double scale = (high - middle) * (square - twice_energy * low);
  const double k2 = (middle - low) * (twice_energy * high - square) / scale;
  return 4.0 * std::comp_ellint_1(std::sqrt(k2)) * std::sqrt(low * middle * high / scale);
}

TEST(FreeTop, KeepsEnergyAndAngularMomentumOverAHundredThousandSteps) {
  // From a thousandth of a turn in a step to a whole one.
  for (const double speed : {0.3, 20.0, 400.0}) {
    Top top(Vec<3>(1.0, 2.0, 2.9), speed * Vec<3>(0.3, 0.9, -0.2));
    const Vec<3> momentum = top.momentum();
    const double energy = top.energy();
    double worst_energy = 0.0;
    double worst_momentum = 0.0;
    for (int k = 0; k < 100'000; ++k) {
      top.step(1.0 / 60.0);
      worst_energy = std::max(worst_energy, std::abs(top.energy() / energy - 1.0));
      worst_momentum =
          std::max(worst_momentum, (top.momentum() - momentum).norm() / momentum.norm());
    }
    EXPECT_LT(worst_energy, 1e-8) << speed;
    EXPECT_LT(worst_momentum, 1e-8) << speed;
    EXPECT_LT((top.pose.rotation.transpose() * top.pose.rotation - Eigen::Matrix3d::Identity())
                  .cwiseAbs()
                  .maxCoeff(),
              1e-8);
  }
}

/// Mean time between changes of sign of the spin about the middle axis.
double measured_half_period(Top& top, double h, int flips) {
  double first = 0.0;
  double last = 0.0;
  int seen = 0;
  double before = top.in_body()[1];
  for (int k = 1; seen <= flips; ++k) {
    top.step(h);
    const double now = top.in_body()[1];
    if ((before < 0.0) != (now < 0.0)) {
      last = h * (k - now / (now - before));
      if (seen == 0) first = last;
      ++seen;
    }
    before = now;
  }
  return (last - first) / flips;
}

TEST(TennisRacket, FlipsWithThePeriodOfEllipticIntegrals) {
  const Vec<3> moments(1.0, 2.0, 2.5);
  for (const Vec<3>& omega : {Vec<3>(0.01, 5.0, 0.0), Vec<3>(0.0, 5.0, 0.01), Vec<3>(2, 3, 1)}) {
    const double exact = 0.5 * period_of(moments, omega);
    Top coarse(moments, omega);
    Top fine(moments, omega);
    const double error = measured_half_period(coarse, 1.0 / 240.0, 6) / exact - 1.0;
    const double smaller = measured_half_period(fine, 1.0 / 960.0, 6) / exact - 1.0;
    EXPECT_LT(std::abs(error), 1e-3) << omega.transpose();
    // Second order in the step.
    EXPECT_NEAR(error / smaller, 16.0, 1.0) << omega.transpose();
  }
}

TEST(SymmetricTop, PrecessesAboutItsMomentum) {
  // The axis goes around L with |L|/I₁, whatever the spin about the axis.
  const Vec<3> moments(1.0, 1.0, 1.8);
  const Vec<3> omega(0.6, 0.0, 4.0);
  Top top(moments, omega);
  const Vec<3> around = top.momentum().normalized();
  const double rate = top.momentum().norm() / moments[0];
  const double h = 1.0 / 2000.0;
  const Vec<3> start = top.pose.rotation.col(2) - top.pose.rotation.col(2).dot(around) * around;
  for (int k = 0; k < 2000; ++k) {
    top.step(h);
    EXPECT_NEAR(top.in_body()[2], 4.0, 1e-11);
    EXPECT_NEAR(top.in_body().norm(), omega.norm(), 1e-11);
  }
  const Vec<3> axis = top.pose.rotation.col(2);
  EXPECT_NEAR(axis.dot(around), Vec<3>::UnitZ().dot(around), 1e-11);
  const Vec<3> expected = Eigen::AngleAxisd(rate, around) * start;
  EXPECT_LT((axis - axis.dot(around) * around - expected).norm(), 1e-5 * start.norm());
}

/// A brick of three different sides, with a centre of mass that is not its origin.
std::string tumbling_brick(const std::string& velocity, const std::string& spin) {
  return R"({"name": "b", "hull": [[0, 0, 0], [2, 0, 0], [0, 1, 0], [2, 1, 0],
      [0, 0, "1/4"], [2, 0, "1/4"], [0, 1, "1/4"], [2, 1, "1/4"]], "velocity": )" +
         velocity + R"(, "spin": )" + spin + "}";
}

class TumblingBrick : public ::testing::TestWithParam<SchemeKind> {};

TEST_P(TumblingBrick, KeepsItsMomentaForAHundredThousandStepsHoweverFast) {
  for (const char* spin : {"[0.01, 3, 0.02]", "[200, -350, 90]"}) {
    SimulationOptions options;
    options.scheme = GetParam();
    MovingSceneOf<3> scene = moving<3>(
        space_scene(tumbling_brick("[1, 2, 3]", spin), "{}", "", "[0, 0, 0]"), 1.0 / 60.0, options);
    const Inertia<3>& inertia = scene.scene->bodies[0].mass.inertia;
    const auto momentum = [&]() -> Vec<3> {
      return world_inertia<3>(inertia, scene.pose("b").rotation) * scene.velocity("b").tail<3>();
    };
    const Vec<3> before = momentum();
    const double energy = scene.simulation.account().initial_energy;
    const Vec<3> at = scene.centre("b");
    for (int k = 0; k < 100'000; ++k) scene.simulation.step();
    EXPECT_LT((momentum() - before).norm(), 1e-8 * before.norm()) << spin;
    EXPECT_NEAR(scene.simulation.account().energy, energy, 1e-8 * energy) << spin;
    EXPECT_LT(scene.simulation.account().max_gain, 1e-8 * energy) << spin;
    const double t = scene.simulation.time();
    EXPECT_LT((scene.centre("b") - at - t * Vec<3>(1, 2, 3)).norm(), 1e-9 * t) << spin;
  }
}

TEST_P(TumblingBrick, TurnsOverAboutItsMiddleAxisOnly) {
  // Axes of the brick: y has the middle moment of x < y < z.
  const auto least_cosine = [](const std::string& spin, int axis) {
    SimulationOptions options;
    options.scheme = GetParam();
    MovingSceneOf<3> scene = moving<3>(
        space_scene(tumbling_brick("[0, 0, 0]", spin), "{}", "", "[0, 0, 0]"), 1.0 / 60.0, options);
    double least = 1.0;
    for (int k = 0; k < 600; ++k) {
      scene.simulation.step();
      least = std::min(least, scene.pose("b").rotation(axis, axis));
    }
    return least;
  };
  EXPECT_GT(least_cosine("[5, 0.05, 0]", 0), 0.99);
  EXPECT_LT(least_cosine("[0.05, 5, 0]", 1), -0.99);
  EXPECT_GT(least_cosine("[0, 0.05, 5]", 2), 0.99);
}

INSTANTIATE_TEST_SUITE_P(Schemes, TumblingBrick,
                         ::testing::Values(SchemeKind::position, SchemeKind::oba),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

TEST(FlightInSpace, IsTheParabolaOfTheScheme) {
  // v_n = v + n h g and z_n = z + h Σ v_k: the parabola and ½ g h t.
  MovingSceneOf<3> scene = moving<3>(space_scene(
      R"({"name": "b", "sphere": 1, "position": [0, 0, 5], "velocity": [2, -1, 3],
          "spin": [0, 0, 1]})"));
  scene.run(1.0);
  const double h = 1.0 / 60.0;
  EXPECT_LT((scene.centre("b") - Vec<3>(2.0, -1.0, 3.0 - 5.0 * h)).norm(), 1e-10);
  EXPECT_LT((scene.velocity("b").head<3>() - Vec<3>(2.0, -1.0, -7.0)).norm(), 1e-11);
  // All axes of a ball are alike: it turns evenly.
  const double turned = std::atan2(scene.pose("b").rotation(1, 0), scene.pose("b").rotation(0, 0));
  EXPECT_NEAR(turned, 1.0, 1e-11);
}

}  // namespace
}  // namespace collapse::testing
