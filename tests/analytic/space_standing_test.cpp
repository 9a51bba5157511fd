/// Blocks in space, on both sides of the limits that statics gives.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/audit.hpp"

namespace collapse::testing {
namespace {

std::string decimal(double value) { return std::to_string(value); }

TEST(StackInSpace, StandsUpToAnNthInEitherDirection) {
  for (const int n : {2, 5, 9}) {
    const auto with = [n](double x, double y) {
      return stability_of(
          "stack", {{"blocks", std::to_string(n)}, {"lean", decimal(x)}, {"lean-y", decimal(y)}});
    };
    EXPECT_EQ(with(0.998 / n, 0.998 / n), Stability::stable) << n;
    EXPECT_EQ(with(-0.998 / n, 0.3 / n), Stability::stable) << n;
    EXPECT_EQ(with(1.002 / n, 0.0), Stability::unstable) << n;
    EXPECT_EQ(with(0.3 / n, -1.002 / n), Stability::unstable) << n;
  }
}

// Twisted blocks meet in octagons, which hold the square's circle and lie in it.
TEST(StackInSpace, TwistedStandsWhereTheMiddleOfAllAboveIsOnTheOctagon) {
  const auto with = [](double lean) {
    return stability_of(
        "stack", {{"blocks", "2"}, {"lean", decimal(lean)}, {"lean-y", "0"}, {"twist", "45"}});
  };
  EXPECT_EQ(with(0.498), Stability::stable);
  EXPECT_EQ(with(0.502), Stability::unstable);
}

/// The same stack with the ground tilted: gravity turned by `angle` from the vertical, towards
/// `direction`.
Stability tilted_column(int blocks, const std::string& friction, double angle, double direction) {
  Scene<3> scene = parse_scene<3>(scenes::make_scene("stack", {{"blocks", std::to_string(blocks)},
                                                               {"lean", "0"},
                                                               {"lean-y", "0"},
                                                               {"friction", friction}}));
  scene.gravity.value = 10.0 * Vec<3>(std::sin(angle) * std::cos(direction),
                                      std::sin(angle) * std::sin(direction), -std::cos(angle));
  return stability_of(scene);
}

TEST(StackInSpace, TipsInEveryDirectionWhereGravityLeavesItsSquare) {
  for (const int n : {1, 3, 6}) {
    for (double direction = 0.0; direction < 6.3; direction += 0.37) {
      // Height n/2, so that the middle is n/4 above a square of half width 1/2.
      const double across = std::max(std::abs(std::cos(direction)), std::abs(std::sin(direction)));
      const double tangent = 2.0 / n / across;
      EXPECT_EQ(tilted_column(n, "10", std::atan(0.998 * tangent), direction), Stability::stable)
          << n << ' ' << direction;
      EXPECT_EQ(tilted_column(n, "10", std::atan(1.002 * tangent), direction), Stability::unstable)
          << n << ' ' << direction;
    }
  }
}

TEST(StackInSpace, SlidesInEveryDirectionAtTheAngleOfFriction) {
  for (double direction = 0.0; direction < 6.3; direction += 0.37) {
    EXPECT_EQ(tilted_column(2, "0.3", std::atan(0.2995), direction), Stability::stable);
    EXPECT_EQ(tilted_column(2, "0.3", std::atan(0.3005), direction), Stability::unstable);
  }
}

TEST(TiltedBlock, SlidesAtTheAngleOfFrictionWhicheverWayItIsTurned) {
  const double degrees = std::atan(0.4) * 180.0 / M_PI;
  for (const char* direction : {"0", "10", "30", "45", "77"}) {
    const auto with = [&](double tilt) {
      return stability_of("tilted-block", {{"tilt", decimal(tilt)},
                                           {"direction", direction},
                                           {"aspect", "2"},
                                           {"friction", "0.4"}});
    };
    EXPECT_EQ(with(0.999 * degrees), Stability::stable) << direction;
    EXPECT_EQ(with(1.001 * degrees), Stability::unstable) << direction;
  }
}

TEST(TiltedBlock, TipsOverItsSideOrItsCorner) {
  for (const double direction : {0.0, 10.0, 30.0, 45.0, 77.0}) {
    const double radians = direction * M_PI / 180.0;
    const double across = std::max(std::cos(radians), std::sin(radians));
    const double degrees = std::atan(0.5 / across) * 180.0 / M_PI;
    const auto with = [&](double tilt) {
      return stability_of("tilted-block", {{"tilt", decimal(tilt)},
                                           {"direction", decimal(direction)},
                                           {"aspect", "1/2"},
                                           {"friction", "5"}});
    };
    EXPECT_EQ(with(0.999 * degrees), Stability::stable) << direction;
    EXPECT_EQ(with(1.001 * degrees), Stability::unstable) << direction;
  }
}

TEST(WallInSpace, LeansUpToItsThicknessOverTheCourses) {
  const auto with = [](double lean) {
    return stability_of("wall-3d", {{"courses", "5"},
                                    {"width", "3"},
                                    {"depth", "0"},
                                    {"lean", decimal(lean)},
                                    {"friction", "0"}});
  };
  EXPECT_EQ(with(0.0998), Stability::stable);
  EXPECT_EQ(with(-0.0998), Stability::stable);
  EXPECT_EQ(with(0.1002), Stability::unstable);
}

TEST(TowerInSpace, StandsForGapsOfUpToHalfABrick) {
  const auto with = [](double gap) {
    return stability_of("tower-3d", {{"layers", "5"}, {"gap", decimal(gap)}});
  };
  EXPECT_EQ(with(0.0), Stability::stable);
  EXPECT_EQ(with(0.499), Stability::stable);
  EXPECT_EQ(with(0.501), Stability::unstable);
}

TEST(Jenga, FallsWhereALevelKeepsABlockAtTheSideAlone) {
  const auto with = [](const std::string& missing) {
    return stability_of("jenga", {{"levels", "6"}, {"missing", missing}, {"friction", "1/2"}});
  };
  EXPECT_EQ(with("none"), Stability::stable);
  EXPECT_EQ(with("3.1,3.3"), Stability::stable);
  EXPECT_EQ(with("3.2"), Stability::stable);
  EXPECT_EQ(with("2.1,3.3,4.2,5.1"), Stability::stable);
  EXPECT_EQ(with("3.1,3.2"), Stability::unstable);
  EXPECT_EQ(with("3.2,3.3"), Stability::unstable);
  EXPECT_EQ(with("2.1,2.2,2.3"), Stability::unstable);
}

TEST(Chain, HangsWhileTheMiddleOfItsLinksIsAboveTheBar) {
  for (const int links : {1, 2, 5, 8}) {
    double mean = 0.0;
    for (int j = 1; j <= links; ++j) mean += std::ceil(j / 2.0) / links;
    const double limit = 0.1 / mean;
    const auto with = [&](double offset) {
      return stability_of("chain", {{"links", std::to_string(links)}, {"offset", decimal(offset)}});
    };
    EXPECT_EQ(with(0.998 * limit), Stability::stable) << links;
    if (limit < 0.099) {
      EXPECT_EQ(with(1.002 * limit), Stability::unstable) << links;
      EXPECT_EQ(with(-1.002 * limit), Stability::unstable) << links;
    }
  }
}

TEST(CorbelledVault, StandsWhereEveryPartHasItsMiddleBehindTheEdge) {
  for (const int courses : {2, 5, 8}) {
    double limit = 1.0;
    for (int k = 1; k < courses; ++k)
      limit = std::min(limit, (2.0 * k + 0.75) / (2.0 * k * (k + 2)));
    const auto with = [&](double step) {
      return stability_of(
          "corbelled-vault",
          {{"courses", std::to_string(courses)}, {"rows", "2"}, {"step", decimal(step)}});
    };
    EXPECT_EQ(with(0.998 * limit), Stability::stable) << courses;
    EXPECT_EQ(with(1.002 * limit), Stability::unstable) << courses;
  }
}

TEST(GateInSpace, FallsWithALevelRodOnly) {
  EXPECT_EQ(stability_of("gate-3d"), Stability::stable);
  EXPECT_EQ(stability_of("gate-3d", {{"height", "-1"}}), Stability::stable);
  EXPECT_EQ(stability_of("gate-3d", {{"height", "0"}}), Stability::unstable);
}

}  // namespace
}  // namespace collapse::testing
