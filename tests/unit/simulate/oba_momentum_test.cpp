/// Collisions of scheme oba: closed forms, the published program as it stands, and what no collision may do.

#include "simulate/oba_momentum.hpp"

#include <gtest/gtest.h>

#include "collapse/core/random.hpp"
#include "tests/support/oba_frame.hpp"

namespace collapse::testing {
namespace {

SimulationOptions all_at_once(FrictionCone cone = FrictionCone::inner) {
  SimulationOptions options;
  options.scheme = SchemeKind::oba;
  options.oba.sequential_collisions = 0;
  options.oba.cone.cone = cone;
  return options;
}

SimulationOptions one_by_one(int n = 1000) {
  SimulationOptions options = all_at_once();
  options.oba.sequential_collisions = n;
  return options;
}

/// Balls in a row along x that touch.
SpaceStructure row_of_balls(const std::vector<double>& radii, double friction = 0.0) {
  SpaceStructure row;
  double x = 0.0;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    x += i == 0 ? 0.0 : radii[i - 1] + radii[i];
    row.add(make_sphere(Rational(radii[i])), Vec<3>(x, 0, 0));
    if (i > 0) {
      const int b = static_cast<int>(i);
      row.touch(b - 1, b, Vec<3>(x - radii[i], 0, 0), Vec<3>::UnitX(), friction);
    }
  }
  return row;
}

/// A cube of edge 1 on the ground.
SpaceStructure cube_on_ground(double friction) {
  SpaceStructure structure;
  const int ground = structure.ground();
  const int cube = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(0, 0, 0.5));
  structure.bed(ground, cube, Vec<3>::Zero(), Vec<3>(0.5, 0, 0), Vec<3>(0, 0.5, 0), friction);
  return structure;
}

TEST(TwoBalls, PartWithTheirRestitution) {
  for (const SimulationOptions& options : {all_at_once(), one_by_one()}) {
    for (const double e : {0.0, 0.3, 0.7, 1.0}) {
      ObaFrame frame(row_of_balls({0.5, 1.0}), options, e);
      const double m_a = frame.scene.bodies[0].mass.mass;
      const double m_b = frame.scene.bodies[1].mass.mass;
      frame.velocity(0)[0] = 3.0;
      frame.velocity(1)[0] = -2.0;
      ASSERT_TRUE(frame.collide());
      const double common = (3.0 * m_a - 2.0 * m_b) / (m_a + m_b);
      EXPECT_NEAR(frame.velocity(0)[0], common - e * 5.0 * m_b / (m_a + m_b), 2e-4);
      EXPECT_NEAR(frame.velocity(1)[0], common + e * 5.0 * m_a / (m_a + m_b), 2e-4);
      EXPECT_NEAR(frame.impulses[0][0], (1.0 + e) * 5.0 * m_a * m_b / (m_a + m_b), 2e-4);
    }
  }
}

/// The office toy.
TEST(FiveBallsInARow, PassTheSpeedOnOneByOneAndShareItAtOnce) {
  const SpaceStructure row = row_of_balls({0.5, 0.5, 0.5, 0.5, 0.5});
  ObaFrame sequence(row, one_by_one(4), 1.0);
  sequence.velocity(0)[0] = 2.0;
  ASSERT_TRUE(sequence.collide());
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(sequence.velocity(i)[0], 0.0, 1e-12) << i;
  EXPECT_NEAR(sequence.velocity(4)[0], 2.0, 1e-12);
  EXPECT_EQ(sequence.report.programs, 0);

  ObaFrame program(row, all_at_once(), 1.0);
  program.velocity(0)[0] = 2.0;
  ASSERT_TRUE(program.collide());
  // Least kinetic energy with momentum 2 m, the first contact parting with 2, the others not closing: the first ball
  // at v, all others at v + 2.
  for (int i = 1; i < 5; ++i) EXPECT_NEAR(program.velocity(i)[0], 0.8, 1e-3) << i;
  EXPECT_NEAR(program.velocity(0)[0], -1.2, 1e-3);
}

TEST(ThreeBallsInARow, CollideTheFastestFirst) {
  constexpr double kBounce = 0.5;
  ObaFrame frame(row_of_balls({0.5, 1.0, 0.75}), one_by_one(), kBounce);
  std::array<double, 3> mass{};
  for (std::size_t i = 0; i < 3; ++i) mass.at(i) = frame.scene.bodies[i].mass.mass;
  constexpr std::array<double, 3> kBefore = {1.0, 0.0, -3.0};
  // Newton's rule, pair by pair: `first_is_fastest` or the slowest.
  const auto sequence = [&](bool first_is_fastest) {
    std::array<double, 3> v = kBefore;
    for (;;) {
      const std::array<double, 2> approach = {v[0] - v[1], v[1] - v[2]};
      if (approach[0] <= 0.0 && approach[1] <= 0.0) return v;
      const bool first = approach[1] <= 0.0 ||
                         (approach[0] > 0.0 && (approach[0] > approach[1]) == first_is_fastest);
      const std::size_t a = first ? 0 : 1;
      const double impulse =
          (1.0 + kBounce) * approach.at(a) / (1.0 / mass.at(a) + 1.0 / mass.at(a + 1));
      v.at(a) -= impulse / mass.at(a);
      v.at(a + 1) += impulse / mass.at(a + 1);
    }
  };
  for (int i = 0; i < 3; ++i) frame.velocity(i)[0] = kBefore.at(static_cast<std::size_t>(i));
  ASSERT_TRUE(frame.collide());
  const std::array<double, 3> expected = sequence(true);
  EXPECT_GT(std::abs(expected[2] - sequence(false)[2]), 0.01);  // the order tells
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(frame.velocity(i)[0], expected.at(static_cast<std::size_t>(i)), 1e-9) << i;
  }
}

TEST(Cube, BouncesFlatAndSticksOrSlides) {
  for (const bool slides : {false, true}) {
    for (const FrictionCone cone : {FrictionCone::inner, FrictionCone::circular}) {
      ObaFrame frame(cube_on_ground(0.5), all_at_once(cone), 0.5);
      frame.options.oba.lift = false;
      const double forward = slides ? 9.0 : 0.5;
      frame.velocity(1).head<3>() << forward, 0.0, -4.0;
      ASSERT_TRUE(frame.collide());
      // What friction takes from the speed it gives to the spin: a cube that slides tips over its leading edge.
      const Twist<3>& v = frame.velocity(1);
      const Vec<3> total =
          frame.impulses[0] + frame.impulses[1] + frame.impulses[2] + frame.impulses[3];
      const double mass = frame.scene.bodies[1].mass.mass;
      EXPECT_NEAR(total[2], mass * (v[2] + 4.0), 1e-6);
      EXPECT_NEAR(total[0], mass * (v[0] - forward), 1e-6);
      for (const simulate::ObaContact& contact : frame.touching) {
        EXPECT_GE(contact.terms.along_normal(frame.velocities), 2.0 - 2e-3);
      }
      if (slides) {
        EXPECT_NEAR(-total[0], 0.5 * total[2], 1e-3 * total[2]);
      } else {
        EXPECT_NEAR(frame.touching[0].terms.slide(frame.velocities), 0.0, 1e-3);
      }
    }
  }
}

TEST(BallWithoutFriction, KeepsItsSpinAndItsMotionAlongTheWall) {
  SpaceStructure structure;
  const int ground = structure.ground();
  const int ball = structure.add(make_sphere(Rational(1)), Vec<3>(0, 0, 1));
  structure.touch(ground, ball, Vec<3>::Zero(), Vec<3>::UnitZ(), 0.0);
  ObaFrame frame(structure, all_at_once(), 0.5);
  frame.velocity(ball) << 3.0, 4.0, -2.0, 1.0, 2.0, 3.0;
  ASSERT_TRUE(frame.collide());
  Twist<3> expected;
  expected << 3.0, 4.0, 1.0, 1.0, 2.0, 3.0;
  EXPECT_LT((frame.velocity(ball) - expected).norm(), 1e-5);
  EXPECT_LT((frame.velocity(ball) - expected).tail<3>().norm(), 1e-14);
}

/// At the foot of a ball the inverse mass along the ground is 7/2 of that of its mass.
TEST(BallOnGround, LosesTangentialSpeedAsNewtonAndCoulombHaveIt) {
  for (const SimulationOptions& options : {all_at_once(FrictionCone::circular), one_by_one()}) {
    for (const double e : {0.0, 0.6}) {
      SpaceStructure structure;
      const int ground = structure.ground();
      const int ball = structure.add(make_sphere(Rational(1)), Vec<3>(0, 0, 1));
      structure.touch(ground, ball, Vec<3>::Zero(), Vec<3>::UnitZ(), 0.2);
      ObaFrame frame(structure, options, e);
      frame.options.oba.lift = false;
      frame.velocity(ball).head<3>() << 3.0, 4.0, -2.0;
      ASSERT_TRUE(frame.collide());
      const Twist<3>& v = frame.velocity(ball);
      // Sliding of 5 would need 5 · 2/7 m to stop; there is 0.2 (1 + e) 2 m.
      const double lost = 0.2 * (1.0 + e) * 2.0;
      EXPECT_NEAR(v[2], e * 2.0, 1e-3);
      EXPECT_NEAR(v[0], 3.0 - 0.6 * lost, 1e-3);
      EXPECT_NEAR(v[1], 4.0 - 0.8 * lost, 1e-3);
    }
  }
}

TEST(BallOnGround, StopsSlidingWhereFrictionSuffices) {
  SpaceStructure structure;
  const int ground = structure.ground();
  const int ball = structure.add(make_sphere(Rational(1)), Vec<3>(0, 0, 1));
  structure.touch(ground, ball, Vec<3>::Zero(), Vec<3>::UnitZ(), 0.5);
  ObaFrame frame(structure, one_by_one(), 0.5);
  frame.velocity(ball).head<3>() << 1.0, 0.0, -2.0;
  ASSERT_TRUE(frame.collide());
  EXPECT_NEAR(frame.velocity(ball)[0], 5.0 / 7.0, 1e-12);
  EXPECT_NEAR(frame.velocity(ball)[4], 5.0 / 7.0, 1e-12);
  EXPECT_NEAR(frame.velocity(ball)[2], 1.0, 1e-12);
}

/// Boxes thrown together with contacts between them at random, some of them with the ground.
SpaceStructure heap(std::uint64_t seed, bool on_ground) {
  Random random(seed);
  const auto anywhere = [&random](double reach) {
    return Vec<3>(random.between(-reach, reach), random.between(-reach, reach),
                  random.between(-reach, reach));
  };
  SpaceStructure structure;
  const int ground = on_ground ? structure.ground() : -1;
  const int first = on_ground ? 1 : 0;
  const int count = 6;
  for (int i = 0; i < count; ++i) {
    const Vec<3> edges(random.between(0.5, 1.5), random.between(0.5, 1.5),
                       random.between(0.5, 1.5));
    structure.add(SpaceStructure::box(edges[0], edges[1], edges[2]),
                  Vec<3>(0.9 * (i % 3), 0.9 * (i / 3), 0.5) + anywhere(0.1));
    Body<3>& body = structure.scene.bodies.back();
    body.velocity = NumberVec<3>(exactly(anywhere(4.0)));
    body.spin = anywhere(3.0);
  }
  for (int a = first; a < first + count; ++a) {
    if (on_ground) {
      const Vec<3> at = structure.scene.bodies[static_cast<std::size_t>(a)].pose.position;
      structure.touch(
          ground, a,
          Vec<3>(at[0] + random.between(-0.4, 0.4), at[1] + random.between(-0.4, 0.4), 0.0),
          Vec<3>::UnitZ(), 0.4);
    }
    for (int b = a + 1; b < first + count; ++b) {
      const Vec<3> from = structure.scene.bodies[static_cast<std::size_t>(a)].pose.position;
      const Vec<3> to = structure.scene.bodies[static_cast<std::size_t>(b)].pose.position;
      if ((to - from).norm() > 1.3) continue;
      structure.touch(a, b, 0.5 * (from + to) + anywhere(0.2), to - from + anywhere(0.2), 0.4);
    }
  }
  return structure;
}

TEST(Collisions, KeepMomentumAndNeverGainEnergy) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (const bool on_ground : {false, true}) {
      for (int kind = 0; kind < 4; ++kind) {
        SimulationOptions options = kind == 0   ? one_by_one()
                                    : kind == 1 ? all_at_once(FrictionCone::circular)
                                    : kind == 2 ? all_at_once()
                                                : one_by_one(3);
        options.oba.lift = seed % 2 == 0;
        ObaFrame frame(heap(seed, on_ground), options, 1.0);
        const double energy = frame.kinetic_energy();
        const Twist<3> momentum = frame.total_momentum();
        ASSERT_TRUE(frame.collide());
        EXPECT_LE(frame.kinetic_energy(), energy * (1.0 + 1e-6)) << seed << " " << kind;
        EXPECT_GT(frame.kinetic_energy(), 0.0);
        if (!on_ground) {
          EXPECT_LE((frame.total_momentum() - momentum).norm(), 1e-8 * momentum.norm()) << seed;
        }
        EXPECT_TRUE(frame.report.incidents.empty());
      }
    }
  }
}

TEST(Impulses, OfPyramidsLieInsideTheCone) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const FrictionCone cone : {FrictionCone::inner, FrictionCone::circular}) {
      ObaFrame frame(heap(seed, true), all_at_once(cone), 0.0);
      ASSERT_TRUE(frame.press());
      for (std::size_t c = 0; c < frame.touching.size(); ++c) {
        const Vec<3>& n = frame.touching[c].terms.normal;
        const double normal = n.dot(frame.impulses[c]);
        EXPECT_GE(normal, -1e-8);
        EXPECT_LE((frame.impulses[c] - normal * n).norm(), 0.4 * normal + 1e-8);
      }
    }
  }
}

/// The published program as it stands: velocities and impulses are variables.
std::vector<Twist<3>> published(const ObaFrame& frame, std::span<const double> bounds) {
  Program program;
  std::vector<int> first(frame.poses.size(), -1);
  for (const int body : frame.world.free_bodies()) {
    const auto i = static_cast<std::size_t>(body);
    first[i] = program.add_block(frame.world.mass_matrix(body, frame.poses[i]), Twist<3>::Zero());
  }
  std::vector<int> block;
  for (const simulate::ObaContact& contact : frame.touching) {
    block.push_back(program.add_block(Eigen::Matrix3d::Zero(), Vec<3>::Zero()));
    program.begin_group(Cone::second_order, Vec<3>::Zero());
    program.add_term(block.back(), Vec<3>(contact.mu, 1.0, 1.0).asDiagonal().toDenseMatrix());
  }
  for (const int body : frame.world.free_bodies()) {
    const auto i = static_cast<std::size_t>(body);
    const simulate::MassMatrix<3> M = frame.world.mass_matrix(body, frame.poses[i]);
    program.begin_group(Cone::zero, M * frame.velocities[i]);
    program.add_term(first[i], M);
    for (std::size_t c = 0; c < frame.touching.size(); ++c) {
      const simulate::ContactTerms<3>& terms = frame.touching[c].terms;
      Eigen::Matrix<double, 6, 3> wrenches;
      if (terms.a == body) {
        wrenches << terms.normal_a, terms.tangents_a;
      } else if (terms.b == body) {
        wrenches << terms.normal_b, terms.tangents_b;
      } else {
        continue;
      }
      program.add_term(block[c], -wrenches);
    }
  }
  for (std::size_t c = 0; c < frame.touching.size(); ++c) {
    const simulate::ContactTerms<3>& terms = frame.touching[c].terms;
    program.begin_row(Cone::nonnegative, bounds[c]);
    const int block_a = first[static_cast<std::size_t>(terms.a)];
    const int block_b = first[static_cast<std::size_t>(terms.b)];
    if (block_a >= 0) program.add_term(block_a, terms.normal_a.transpose());
    if (block_b >= 0) program.add_term(block_b, terms.normal_b.transpose());
  }
  const Solution solution = solve(program);
  EXPECT_LE(solution.residuals.worst(), 1e-7);
  std::vector<Twist<3>> velocities = frame.velocities;
  for (const int body : frame.world.free_bodies()) {
    const auto i = static_cast<std::size_t>(body);
    velocities[i] =
        solution.x.segment<6>(program.blocks()[static_cast<std::size_t>(first[i])].first);
  }
  return velocities;
}

TEST(CollisionsAtOnce, AreThePublishedProgram) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const double e : {0.0, 0.3}) {
      ObaFrame frame(heap(seed, true), all_at_once(FrictionCone::circular), e);
      std::vector<double> bounds;
      for (const simulate::ObaContact& contact : frame.touching) {
        const double speed = contact.terms.along_normal(frame.velocities);
        bounds.push_back(speed < -ObaFrame::kStep * 10.01 ? -e * speed : 0.0);
      }
      const std::vector<Twist<3>> expected = published(frame, bounds);
      ASSERT_TRUE(frame.collide());
      EXPECT_EQ(frame.report.dulled_impacts, 0);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_LE((frame.velocities[i] - expected[i]).norm(), 2e-3) << seed << " " << e;
      }
    }
  }
}

/// A ball that fills the gap between two walls that close in on it cannot leave both.
TEST(BallBetweenWalls, DoesNotBounce) {
  SpaceStructure structure;
  const int left = structure.add(SpaceStructure::box(1, 4, 4), Vec<3>(-1.5, 0, 0), true);
  const int right = structure.add(SpaceStructure::box(1, 4, 4), Vec<3>(1.5, 0, 0), true);
  const int ball = structure.add(make_sphere(Rational(1)), Vec<3>::Zero());
  structure.touch(left, ball, Vec<3>(-1, 0, 0), Vec<3>::UnitX(), 0.0);
  structure.touch(right, ball, Vec<3>(1, 0, 0), -Vec<3>::UnitX(), 0.0);
  ObaFrame frame(structure, all_at_once(), 0.8);
  frame.velocity(ball)[0] = 3.0;
  ASSERT_TRUE(frame.collide());
  EXPECT_NEAR(frame.velocity(ball)[0], 0.0, 1e-3);
  EXPECT_GT(frame.report.dulled_impacts, 0);
}

TEST(Joints, HoldAfterACollision) {
  SpaceStructure structure;
  const int ground = structure.ground();
  const int a = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(0, 0, 0.5));
  const int b = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(2, 0, 0.5));
  structure.touch(ground, a, Vec<3>(0.5, 0.5, 0), Vec<3>::UnitZ(), 0.3);
  Joint<3> joint;
  joint.a = a;
  joint.b = b;
  joint.at_a = joint.at_b = NumberVec<3>(exactly(Vec<3>(1, 0, 0.5)));
  structure.scene.joints.push_back(joint);
  for (const SimulationOptions& options : {all_at_once(), one_by_one()}) {
    ObaFrame frame(structure, options, 0.5);
    frame.velocity(a).head<3>() << 1.0, 0.0, -3.0;
    frame.velocity(b).head<3>() << 1.0, 0.0, -3.0;
    const double energy = frame.kinetic_energy();
    ASSERT_TRUE(frame.collide());
    for (const simulate::MovingJointRow<3>& row : frame.joints) {
      EXPECT_NEAR(row.row.on_a.dot(frame.velocity(a)) + row.row.on_b.dot(frame.velocity(b)), 0.0,
                  1e-8);
    }
    EXPECT_GE(frame.touching[0].terms.along_normal(frame.velocities), -1e-3);
    EXPECT_LE(frame.kinetic_energy(), energy);
  }
}

/// Bodies on given paths keep their velocity, do work, and carry along what lies on them.
TEST(GivenBody, PushesWithItsOwnVelocity) {
  SpaceStructure structure;
  const int plate = structure.add(SpaceStructure::box(4, 4, 1), Vec<3>(0, 0, -0.5));
  structure.scene.bodies[0].motion.push_back({Number(Rational(0)), {}});
  const int cube = structure.add(SpaceStructure::box(1, 1, 1), Vec<3>(0, 0, 0.5));
  structure.bed(plate, cube, Vec<3>::Zero(), Vec<3>(0.5, 0, 0), Vec<3>(0, 0.5, 0), 0.8);
  ObaFrame frame(structure, all_at_once(), 0.0);
  frame.velocity(plate).head<3>() << 0.5, 0.0, 2.0;
  const double energy = frame.kinetic_energy();
  ASSERT_TRUE(frame.press());
  EXPECT_EQ(frame.velocity(plate)[2], 2.0);
  EXPECT_NEAR(frame.velocity(cube)[2], 2.0, 1e-3);
  EXPECT_NEAR(frame.velocity(cube)[0], 0.5, 1e-3);
  EXPECT_LE(frame.kinetic_energy() - energy, frame.report.driven_work + 1e-9);
  EXPECT_GT(frame.report.driven_work, 0.0);
}

}  // namespace
}  // namespace collapse::testing
