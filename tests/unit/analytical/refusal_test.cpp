// Systems that cannot be used, and the words that say so.

#include <gtest/gtest.h>

#include <limits>

#include "collapse/analytical/motion.hpp"
#include "tests/support/refusal.hpp"

namespace collapse::analytical {
namespace {

using collapse::testing::expect_refused;
using collapse::testing::Refusal;

constexpr std::array kBoth = {0, 1};

/// A particle of mass 1 in the plane, at (1, 2).
struct Particle {
  System system;
  CoordinateState start{0.0, Eigen::Vector2d(1.0, 2.0), Eigen::Vector2d(0.0, 0.0)};

  Particle() {
    system.coordinates = {"x", "y"};
    set_constant(system, Eigen::Matrix2d::Identity(), Eigen::Vector2d(0.0, -10.0));
  }

  template <class Function>
  Particle& with(const std::string& name, Relation relation, Function g) {
    system.constraints.push_back(differentiated(name, relation, kBoth, g));
    return *this;
  }
};

void expect_refused_system(const Particle& particle, const Refusal& refusal) {
  expect_refused(refusal, [&](const std::string&) {
    return Motion(particle.system, particle.start).state().time;
  });
}

TEST(BadSystem, WithoutMassNamesTheCoordinate) {
  Particle particle;
  set_constant(particle.system, Eigen::Vector2d(1.0, 0.0).asDiagonal().toDenseMatrix(),
               Eigen::Vector2d::Zero());
  expect_refused_system(particle, {"zero", "coordinate \"y\"", "a mass of 0", "singular"});
  set_constant(particle.system, Eigen::Matrix2d::Ones(), Eigen::Vector2d::Zero());
  expect_refused_system(particle, {"dependent", "coordinate \"x\"", "no mass", "singular"});
  set_constant(particle.system, Eigen::Vector2d(-1.0, 1.0).asDiagonal().toDenseMatrix(),
               Eigen::Vector2d::Zero());
  expect_refused_system(particle, {"negative", "coordinate \"x\"", "a mass of -1", "positive"});
}

TEST(BadSystem, WithAMassOfAnotherShape) {
  Particle particle;
  set_constant(particle.system, Eigen::Matrix3d::Identity(), Eigen::Vector2d::Zero());
  expect_refused_system(particle, {"size", "mass", "3 x 3", "2 x 2"});
  Eigen::Matrix2d skew;
  skew << 1.0, 0.1, 0.0, 1.0;
  set_constant(particle.system, skew, Eigen::Vector2d::Zero());
  expect_refused_system(particle, {"skew", "mass", "not symmetric", "symmetric"});
  set_constant(particle.system, Eigen::Matrix2d::Identity(), Eigen::Vector3d::Zero());
  expect_refused_system(particle, {"force", "force", "3 numbers", "2, one for each coordinate"});
}

TEST(BadSystem, WithEquationsThatContradictEachOtherNamesTheSecond) {
  Particle particle;
  particle.with("on the left", Relation::equal, [](const auto& x) { return x[0] - 1.0; })
      .with("on the right", Relation::equal, [](const auto& x) { return 2.0 * x[0] - 4.0; });
  expect_refused_system(particle,
                        {"equations", "constraint \"on the right\"", "contradicts", "at once"});
}

TEST(BadSystem, WithEquationsThatContradictEachOtherInMotionOnly) {
  // Two circles that touch at (1, 2): both hold there, and at speed they bend apart.
  Particle particle;
  particle
      .with("small", Relation::equal,
            [](const auto& x) { return x[0] * x[0] + x[1] * x[1] - 2.0 * x[1] - 1.0; })
      .with("large", Relation::equal, [](const auto& x) {
        const auto dx = x[0] + 1.0;
        return 0.5 * (dx * dx + x[1] * x[1] - 8.0);
      });
  EXPECT_NO_THROW(check(particle.system, particle.start));
  particle.start.v = Eigen::Vector2d(1.0, -1.0);
  expect_refused_system(particle, {"bend", "constraint \"large\"", "contradicts", "at once"});
}

TEST(BadSystem, WithInequalitiesThatContradictEachOther) {
  Particle particle;
  particle.with("above", Relation::at_least, [](const auto& x) { return x[1] - 3.0; })
      .with("below", Relation::at_least, [](const auto& x) { return 1.0 - x[1]; });
  try {
    const Motion motion(particle.system, particle.start);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_TRUE(error.place() == "constraint \"above\"" || error.place() == "constraint \"below\"")
        << error.what();
    EXPECT_NE(error.found().find("contradicts"), std::string::npos);
  }
}

TEST(BadSystem, WithAFirstDerivativeThatDisagreesWithDifferences) {
  Particle particle;
  Constraint wrong = differentiated("circle", Relation::at_least, kBoth,
                                    [](const auto& x) { return x[0] * x[0] + x[1] * x[1] - 1.0; });
  wrong.g = [right = wrong.g](const Eigen::VectorXd& x) {
    Derivatives at = right(x);
    at.gradient[1] *= 1.001;
    return at;
  };
  particle.system.constraints = {wrong};
  expect_refused_system(particle, {"gradient", "constraint \"circle\"",
                                   "first derivative by its coordinate 2", "4, as differences"});
}

TEST(BadSystem, WithASecondDerivativeThatDisagreesWithDifferences) {
  Particle particle;
  Constraint wrong = differentiated("wave", Relation::equal, kBoth,
                                    [](const auto& x) { return x[1] - 2.0 * cos(x[0] - 1.0); });
  wrong.g = [right = wrong.g](const Eigen::VectorXd& x) {
    Derivatives at = right(x);
    at.hessian(0, 0) = 0.0;
    return at;
  };
  particle.system.constraints = {wrong};
  expect_refused_system(particle, {"hessian", "constraint \"wave\"",
                                   "0 for a second derivative by its coordinate 1", "2"});
}

TEST(BadSystem, AcceptsDerivativesOfEveryScale) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    Particle particle;
    particle.start.x *= scale;
    particle.with("circle", Relation::equal, [scale](const auto& x) {
      return sqrt(x[0] * x[0] + x[1] * x[1]) - std::sqrt(5.0) * scale;
    });
    EXPECT_NO_THROW(check(particle.system, particle.start)) << scale;
  }
}

TEST(BadSystem, WhoseEquationHasNoGradient) {
  Particle particle;
  particle.with("double line", Relation::equal, [](const auto& x) {
    const auto dx = x[0] - 1.0;
    return dx * dx;
  });
  expect_refused_system(
      particle, {"flat", "constraint \"double line\"", "a gradient of zero", "does not vanish"});
}

TEST(BadSystem, WithCoordinatesThatAreNotThere) {
  Particle particle;
  particle.system.constraints = {differentiated("far", Relation::equal, std::array{0, 2},
                                                [](const auto& x) { return x[0] + x[1]; })};
  expect_refused_system(particle,
                        {"index", "constraint \"far\"", "coordinates 0 to 2", "from 0 to 1"});
  particle.system.constraints.front().coordinates = {1, 1};
  expect_refused_system(particle,
                        {"twice", "constraint \"far\"", "one of them twice", "each once"});
}

TEST(BadSystem, WithNumbersThatAreNotFinite) {
  Particle particle;
  particle.with("root", Relation::at_least, [](const auto& x) { return sqrt(x[0] - 3.0); });
  expect_refused_system(particle, {"root", "constraint \"root\"", "not finite", "finite"});
  Particle lost;
  lost.start.x[0] = std::numeric_limits<double>::quiet_NaN();
  expect_refused_system(lost, {"start", "start", "not finite", "finite"});
}

TEST(BadSystem, WithTwoConstraintsOfOneName) {
  Particle particle;
  particle.with("wall", Relation::at_least, [](const auto& x) { return x[0]; })
      .with("wall", Relation::at_least, [](const auto& x) { return x[1]; });
  expect_refused_system(particle, {"names", "constraint \"wall\"", "two of this name", "its own"});
}

/// Steps until the system refuses to go on.
void expect_refused_on_the_way(const Particle& particle, const Refusal& refusal) {
  MotionOptions options;
  options.step = 0.1;
  Motion motion(particle.system, particle.start, options);
  expect_refused(refusal, [&](const std::string&) {
    for (int i = 0; i < 100; ++i) motion.step();
    return 0;
  });
}

TEST(BadSystem, ThatEndsOnTheWayNamesTheConstraint) {
  Particle particle;
  particle.start.v = Eigen::Vector2d(1.0, 0.0);
  particle.with("root", Relation::at_least, [](const auto& x) { return sqrt(2.0 - x[0]); });
  expect_refused_on_the_way(particle,
                            {"root", "constraint \"root\"", "not finite at time 1", "finite"});
}

TEST(BadSystem, ThatLosesItsMassOnTheWaySaysWhen) {
  Particle particle;
  particle.start.v = Eigen::Vector2d(-1.0, 0.0);
  particle.system.mass = [](const Eigen::VectorXd& x) {
    return Eigen::Vector2d(1.0, x[0]).asDiagonal().toDenseMatrix();
  };
  expect_refused_on_the_way(particle,
                            {"mass", "mass", "a singular matrix at time 1", "positive definite"});
}

TEST(BadSystem, ThatJumpsBetweenInequalitiesNamesOneOfThem) {
  // Allowed is x ≥ 0.35; a step too long leads to where one demands to go right and the other one left.
  Particle particle;
  particle.start = {0.0, Eigen::Vector2d(0.5, 0.0), Eigen::Vector2d(-10.0, 0.0)};
  particle.with("right", Relation::at_least, [](const auto& x) { return x[0]; })
      .with("outside", Relation::at_least, [](const auto& x) {
        const auto dx = x[0] + 0.1;
        return dx * dx - 0.2;
      });
  MotionOptions options;
  options.step = 0.09;
  options.tau = 1e-3;
  Motion motion(particle.system, particle.start, options);
  motion.step();
  try {
    motion.step();
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.place().substr(0, 12), "constraint \"") << error.what();
    EXPECT_NE(error.found().find("contradicts others at time 0.09"), std::string::npos);
  }
}

TEST(MotionOptions, AreRefusedByName) {
  const auto refuse = [](const char* field, auto change) {
    MotionOptions options;
    change(options);
    expect_refused({field, field, "", ""}, [&](const std::string&) {
      options.validate();
      return 0;
    });
  };
  refuse("step", [](MotionOptions& options) { options.step = 0.0; });
  refuse("tau", [](MotionOptions& options) { options.tau = -1.0; });
  refuse("activity", [](MotionOptions& options) { options.activity = -1e-9; });
  refuse("restitution", [](MotionOptions& options) { options.restitution = 1.5; });
  refuse("resting_speed", [](MotionOptions& options) { options.resting_speed = -1.0; });
}

}  // namespace
}  // namespace collapse::analytical
