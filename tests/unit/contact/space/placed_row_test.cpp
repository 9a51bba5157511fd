/// What rows measure as bodies move: the normal and the place of a row are the derivative of its gap.

#include "motion_scenes.hpp"

namespace collapse {
namespace {

using contacts::Flat;

/// A row between the first two bodies of any kinds of flats, about an eighth apart.
contacts::MotionRow<3> random_row(Random& random, Flat::Kind a, Flat::Kind b,
                                  const motion_test::Poses& poses) {
  const auto flat = [&](Flat::Kind kind) {
    Flat out;
    out.kind = kind;
    out.at = motion_test::random_vector(random, 1.0);
    if (kind != Flat::Kind::point)
      out.direction = motion_test::random_vector(random, 1.0).normalized();
    if (kind != Flat::Kind::plane) out.radius = random.between(0.1, 0.5);
    return out;
  };
  contacts::MotionRow<3> row;
  row.id.a = 0;
  row.id.b = 1;
  row.a = flat(a);
  row.b = flat(b);
  row.normal = (poses[1].apply(row.b.at) - poses[0].apply(row.a.at)).normalized();
  return row;
}

/// Central differences against n·u, u the relative displacement of the bodies' points at `at`.
TEST(PlacedRow, NormalAndPlaceAreTheDerivativeOfTheGap) {
  Random random(3);
  using FlatKind = Flat::Kind;
  const std::pair<FlatKind, FlatKind> kinds[] = {
      {FlatKind::plane, FlatKind::point}, {FlatKind::point, FlatKind::plane},
      {FlatKind::point, FlatKind::point}, {FlatKind::line, FlatKind::point},
      {FlatKind::point, FlatKind::line},  {FlatKind::line, FlatKind::line},
      {FlatKind::plane, FlatKind::disk},  {FlatKind::disk, FlatKind::plane}};
  for (const auto& [a, b] : kinds) {
    for (int k = 0; k < 50; ++k) {
      const motion_test::Poses poses = {
          {rotation_by(motion_test::random_vector(random, 2.0)), Vec<3>::Zero()},
          {rotation_by(motion_test::random_vector(random, 2.0)),
           motion_test::random_vector(random, 1.0) + Vec<3>(4, 0, 0)}};
      const contacts::MotionRow<3> row = random_row(random, a, b, poses);
      const auto here = contacts::placed(row, poses);
      EXPECT_NEAR(here.normal.norm(), 1.0, 1e-12);
      for (const std::size_t body : {0U, 1U}) {
        const Vec<3> shift = motion_test::random_vector(random, 1.0);
        const Vec<3> turn = motion_test::random_vector(random, 1.0);
        const double h = 1e-6;
        const auto gap = [&](double share) {
          motion_test::Poses there = poses;
          there[body] = motion_test::moved_by(poses[body], share * shift, share * turn);
          return contacts::placed(row, there).gap;
        };
        const Vec<3> way = shift + turn.cross(here.at - poses[body].position);
        const double expected = (body == 1 ? 1.0 : -1.0) * here.normal.dot(way);
        EXPECT_NEAR((gap(h) - gap(-h)) / (2.0 * h), expected, 2e-7 * (1.0 + way.norm()))
            << static_cast<int>(a) << ' ' << static_cast<int>(b) << " body " << body;
      }
    }
  }
}

TEST(PlacedRow, WhatHasPassedStaysBehindThePlaneThatKeptItApart) {
  contacts::MotionRow<3> row;
  row.id.b = 1;
  row.a = {Flat::Kind::point, Vec<3>::Zero(), Vec<3>::Zero(), 0.25};
  row.b = {Flat::Kind::point, Vec<3>::Zero(), Vec<3>::Zero(), 0.25};
  row.normal = Vec<3>::UnitZ();
  motion_test::Poses poses(2);
  poses[1].position = {0.1, 0, -0.75};
  const auto passed = contacts::placed(row, poses);
  EXPECT_NEAR(passed.gap, -0.75 - 0.5, 1e-15);
  space_test::expect_near(passed.normal, Vec<3>::UnitZ());
}

/// The floor of rows that are reached late.
TEST(PlacedRow, CountsNoDeeperAtTheStartThanItsFloor) {
  contacts::MotionRow<3> row;
  EXPECT_EQ(contacts::counted_start_gap(row, -0.5), -0.5);
  row.floor = -0.125;
  EXPECT_EQ(contacts::counted_start_gap(row, -0.5), -0.125);
  EXPECT_EQ(contacts::counted_start_gap(row, 0.5), 0.5);
}

}  // namespace
}  // namespace collapse
