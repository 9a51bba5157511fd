/// Static contact and freezing of scheme oba: forces that balance weights, slopes, the acceleration program, counters.

#include "simulate/oba_static.hpp"

#include <gtest/gtest.h>

#include "collapse/core/random.hpp"
#include "collapse/formulation/acceleration.hpp"
#include "collapse/solver/solution.hpp"
#include "tests/support/oba_frame.hpp"

namespace collapse::testing {
namespace {

constexpr double kFall = 10.0 * ObaFrame::kStep;  ///< what gravity gives in a frame

SimulationOptions statics_by(StaticContact kind) {
  SimulationOptions options;
  options.scheme = SchemeKind::oba;
  options.oba.static_contact = kind;
  return options;
}

/// Unit cubes on each other on the ground, the top one `heavier` times as dense.
SpaceStructure stack(int cubes, double friction, double heavier = 1.0) {
  SpaceStructure structure;
  int below = structure.ground();
  for (int i = 0; i < cubes; ++i) {
    const int cube = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(0, 0, i + 0.5));
    structure.bed(below, cube, Vec<3>(0, 0, i), Vec<3>(0.5, 0, 0), Vec<3>(0, 0.5, 0), friction);
    below = cube;
  }
  Body<3>& top = structure.scene.bodies.back();
  top.mass = top.mass.scaled(Number(Rational(heavier)));
  return structure;
}

/// A cube on a slope of which the tangent is given: gravity is turned instead.
SpaceStructure slope(double tangent, double friction) {
  SpaceStructure structure = stack(1, friction);
  structure.scene.gravity =
      NumberVec<3>(exactly(Vec<3>(10.0 * tangent, 0, -10.0) / std::hypot(1.0, tangent)));
  return structure;
}

TEST(Stack, CarriesItsWeightAndStays) {
  for (const StaticContact kind :
       {StaticContact::impulses, StaticContact::accelerations, StaticContact::cones}) {
    for (const double heavier : {1.0, 100.0}) {
      ObaFrame frame(stack(10, 0.3, heavier), statics_by(kind));
      for (int k = 0; k < 10; ++k) {
        frame.impulses.assign(frame.touching.size(), Vec<3>::Zero());
        ASSERT_TRUE(frame.apply_forces());
        ASSERT_TRUE(frame.collide());
      }
      for (int body = 1; body <= 10; ++body) {
        EXPECT_LE(frame.velocity(body).norm(), 1e-4 * kFall) << to_string(kind) << " " << body;
        Vec<3> below = Vec<3>::Zero();
        for (std::size_t c = 0; c < frame.touching.size(); ++c) {
          if (frame.touching[c].terms.b == body) below += frame.impulses[c];
        }
        const double carried = 10.0 - body + heavier;
        EXPECT_NEAR(below[2], carried * kFall, 1e-3 * carried * kFall) << to_string(kind);
      }
    }
  }
}

TEST(CubeOnASlope, SticksBelowTheAngleOfFrictionAndSlidesAboveIt) {
  for (const StaticContact kind : {StaticContact::impulses, StaticContact::cones}) {
    SimulationOptions options = statics_by(kind);
    options.oba.cone.cone = FrictionCone::circular;
    options.oba.cone_iterations = 40;
    options.oba.lift = false;
    for (const double tangent : {0.45, 0.55}) {
      ObaFrame frame(slope(tangent, 0.5), options);
      for (int k = 0; k < 6; ++k) ASSERT_TRUE(frame.apply_forces());
      const double cosine = 1.0 / std::hypot(1.0, tangent);
      const double expected = tangent < 0.5 ? 0.0 : 6.0 * kFall * cosine * (tangent - 0.5);
      EXPECT_NEAR(frame.velocity(1)[0], expected, 2e-3 * kFall) << to_string(kind) << tangent;
      EXPECT_NEAR(frame.velocity(1)[2], 0.0, 2e-3 * kFall) << to_string(kind) << tangent;
    }
  }
}

/// As published: what slides lifts, and stops sooner.
TEST(CubeOnASlope, LiftsByLeastKineticEnergy) {
  SimulationOptions options = statics_by(StaticContact::impulses);
  options.oba.cone.cone = FrictionCone::circular;
  ObaFrame frame(slope(0.0, 0.5), options);
  frame.velocity(1)[0] = 1.0;
  ASSERT_TRUE(frame.apply_forces());
  // A cube that may not turn: j_n = m (h g + μ v)/(1 + μ²). It would turn forward by friction at its foot, and contact
  // in front keeps it from that only in part, so that only the law's own statement is checked.
  for (const simulate::ObaContact& contact : frame.touching) {
    EXPECT_GE(contact.terms.along_normal(frame.velocities),
              0.5 * contact.terms.slide(frame.velocities) - 1e-4);
  }
  EXPECT_GT(frame.velocity(1)[2], 0.05);
  EXPECT_LT(frame.velocity(1)[0], 1.0);
}

TEST(AccelerationsWithoutFriction, AreThoseOfGaussPrinciple) {
  Random random(3);
  for (int seed = 0; seed < 10; ++seed) {
    SpaceStructure structure = stack(3, 0.0);
    for (Contact<3>& contact : structure.contacts.contacts) {
      contact.point += Vec<3>(random.between(-0.2, 0.2), random.between(-0.2, 0.2), 0.0);
      contact.normal =
          (contact.normal + Vec<3>(random.between(-0.2, 0.2), random.between(-0.2, 0.2), 0.0))
              .normalized();
    }
    ObaFrame frame(structure, statics_by(StaticContact::accelerations));
    const State<3> state = initial_state(structure.scene);
    const FreeBodies<3> free(structure.scene, state);
    const std::vector<Twist<3>> external = external_forces<3>(structure.scene, state, free, {});
    const Solution solution = solve(acceleration_program<3>(structure.scene, state, free,
                                                            structure.contacts.contacts, external));
    ASSERT_EQ(solution.status, Status::optimal);
    ASSERT_TRUE(frame.apply_forces());
    for (int body = 1; body <= 3; ++body) {
      const Twist<3> expected = ObaFrame::kStep * solution.x.segment<6>(6 * (body - 1));
      EXPECT_LE((frame.velocity(body) - expected).norm(), 1e-3 * kFall) << seed << " " << body;
    }
  }
}

/// Published cones begin where sliding would stop within a frame: slow sliding stops, fast sliding goes on, slower.
TEST(MovingCones, BrakeWhatSlides) {
  SimulationOptions options = statics_by(StaticContact::cones);
  options.oba.cone_iterations = 40;
  options.oba.cone.cone = FrictionCone::circular;
  ObaFrame slow(slope(0.0, 0.5), options);
  slow.velocity(1)[0] = 0.3 * kFall;
  ASSERT_TRUE(slow.apply_forces());
  EXPECT_NEAR(slow.velocity(1)[0], 0.0, 1e-3 * kFall);
  ObaFrame fast(slope(0.0, 0.2), options);
  fast.velocity(1)[0] = 10.0 * kFall;
  ASSERT_TRUE(fast.apply_forces());
  EXPECT_NEAR(fast.velocity(1)[0], (10.0 - 0.2) * kFall, 2e-2 * kFall);
  EXPECT_NEAR(fast.velocity(1)[2], 0.0, 2e-2 * kFall);
}

TEST(Freezing, CountsCalmFramesFromTheGroundUp) {
  SimulationOptions options = statics_by(StaticContact::impulses);
  options.freezing = true;
  options.oba.c_f = 2;
  ObaFrame frame(stack(2, 0.3), options);
  // Calm more than c_f frames in a row while touching what is fixed or frozen: the upper one begins to count when the
  // lower one is frozen.
  std::vector<int> frozen_at(3, -1);
  for (int k = 1; k <= 8; ++k) {
    ASSERT_TRUE(frame.apply_forces());
    frame.freeze();
    for (std::size_t i = 1; i < 3; ++i) {
      if (frame.freezer.frozen()[i] != 0 && frozen_at[i] < 0) frozen_at[i] = k;
    }
  }
  EXPECT_EQ(frozen_at[1], 3);
  EXPECT_EQ(frozen_at[2], 6);

  std::vector<double> numbers;
  frame.freezer.save(numbers);
  simulate::ObaFreezer other(frame.world, frame.options);
  EXPECT_EQ(other.load(numbers.data()), numbers.data() + numbers.size());
  EXPECT_EQ(other.frozen(), frame.freezer.frozen());
}

TEST(Freezing, BeginsAnewAfterAFrameOfMotion) {
  SimulationOptions options = statics_by(StaticContact::impulses);
  options.freezing = true;
  options.oba.c_f = 2;
  ObaFrame frame(stack(1, 0.3), options);
  frame.freeze();
  frame.freeze();
  frame.velocity(1)[0] = 1.01 * kFall;
  frame.freeze();
  frame.velocity(1)[0] = 0.99 * kFall;
  frame.freeze();
  frame.freeze();
  EXPECT_EQ(frame.freezer.frozen()[1], 0);
  frame.freeze();
  EXPECT_EQ(frame.freezer.frozen()[1], 1);
  EXPECT_TRUE(frame.velocity(1).isZero(0.0));
}

TEST(Freezing, NeedsAColdVolumeWhereThereIsOne) {
  SimulationOptions options = statics_by(StaticContact::impulses);
  options.freezing = true;
  options.oba.cold = {{Vec<3>(-1, -1, 0), Vec<3>(1, 1, 1)}};
  ObaFrame frame(stack(2, 0.3), options);
  for (int k = 0; k < 20; ++k) frame.freeze();
  EXPECT_EQ(frame.freezer.frozen()[1], 1);
  EXPECT_EQ(frame.freezer.frozen()[2], 0);
}

/// Three balls in a row, the first two frozen; the third hits them.
TEST(FrozenBodies, AreRevivedOneAfterTheOther) {
  SpaceStructure row;
  for (int i = 0; i < 3; ++i) {
    row.add(make_sphere(Rational(1, 2)), Vec<3>(i, 0, 0));
    if (i > 0) row.touch(i - 1, i, Vec<3>(i - 0.5, 0, 0), Vec<3>::UnitX(), 0.0);
  }
  SimulationOptions options = statics_by(StaticContact::impulses);
  options.freezing = true;
  ObaFrame frame(row, options, 1.0);
  const std::vector<double> ice{-1.0, -1.0, 0.0};
  static_cast<void>(frame.freezer.load(ice.data()));
  frame.velocity(2)[0] = -5.0;
  ASSERT_TRUE(frame.collide());
  EXPECT_EQ(frame.freezer.frozen()[0], 0);
  EXPECT_EQ(frame.freezer.frozen()[1], 0);
  EXPECT_NEAR(frame.velocity(0)[0], -5.0, 1e-12);
  EXPECT_NEAR(frame.velocity(1)[0], 0.0, 1e-12);
}

TEST(FrozenBodies, StayWhereASlowHitLeavesThemBelowTheEnergy) {
  SpaceStructure row;
  row.add(make_sphere(Rational(1, 2)), Vec<3>::Zero());
  row.add(make_sphere(Rational(1, 2)), Vec<3>(1, 0, 0));
  row.touch(0, 1, Vec<3>(0.5, 0, 0), Vec<3>::UnitX(), 0.0);
  SimulationOptions options = statics_by(StaticContact::impulses);
  options.freezing = true;
  ObaFrame frame(row, options, 0.0);
  const std::vector<double> ice{-1.0, 0.0};
  static_cast<void>(frame.freezer.load(ice.data()));
  frame.velocity(1)[0] = -1.5 * kFall;
  ASSERT_TRUE(frame.collide());
  EXPECT_EQ(frame.freezer.frozen()[0], 1);
  EXPECT_TRUE(frame.velocity(0).isZero(0.0));
  // What holds it is fixed for static contact.
  ASSERT_TRUE(frame.apply_forces());
  EXPECT_GE(frame.touching[0].terms.along_normal(frame.velocities), -1e-4 * kFall);
}

}  // namespace
}  // namespace collapse::testing
