/// Rows of a step in space: which there are in plain situations, and what they measure.

#include <limits>

#include "motion_scenes.hpp"

namespace collapse {
namespace {

using motion_test::Poses;
using motion_test::Rows;
using space_test::at;
using space_test::ratio;

const Vec<3> kStay = Vec<3>::Zero();

space_test::Item cube_at(const Rational& x, const Rational& y, const Rational& z) {
  space_test::Item item{.shape = make_box(at(1, 1, 1))};
  item.pose.position = at(x, y, z);
  return item;
}

/// Rows where nothing moves but the last body, by `shift`.
struct Case {
  Scene<3> scene;
  Poses start;
  Poses end;
  Rows rows;

  Case(const std::vector<space_test::Item>& items, const Vec<3>& shift, const Vec<3>& turn = kStay,
       double near = 0.0)
      : scene(space_test::scene_of(items)),
        start(motion_test::poses_of(scene)),
        end(start),
        rows() {
    end.back() = motion_test::moved_by(end.back(), shift, turn);
    rows = motion_test::rows_of(scene, start, end, near);
  }

  [[nodiscard]] double gap() const { return motion_test::least_gap(rows, end); }
  /// Where each row acts, at the start.
  [[nodiscard]] std::vector<Vec<3>> points() const {
    std::vector<Vec<3>> out;
    for (const auto& row : rows) out.push_back(contacts::placed(row, start).at);
    return out;
  }
  void expect_points(const std::vector<Vec<3>>& expected, double tolerance = 1e-9) const {
    const std::vector<Vec<3>> found = points();
    EXPECT_EQ(found.size(), expected.size());
    for (const Vec<3>& point : expected) {
      EXPECT_EQ(std::count_if(found.begin(), found.end(),
                              [&](const Vec<3>& p) { return (p - point).norm() <= tolerance; }),
                1)
          << point.transpose();
    }
  }
  void expect_normals(const Vec<3>& normal) const {
    for (const auto& row : rows)
      space_test::expect_near(contacts::placed(row, start).normal, normal, 1e-9);
  }
};

TEST(MotionContacts3, CubeOnSmallerFaceHasTheCornersOfTheOverlap) {
  // Shifted by ½ in x and by ¼ in y: two vertices are not over each other, but edges cross.
  const Case shifted({cube_at(0, 0, 0), cube_at(ratio(1, 2), ratio(1, 4), 1)}, {0, 0, -0.01});
  shifted.expect_points({{0, -0.25, 0.5}, {0.5, -0.25, 0.5}, {0, 0.5, 0.5}, {0.5, 0.5, 0.5}});
  shifted.expect_normals(Vec<3>::UnitZ());
  EXPECT_NEAR(shifted.gap(), -0.01, 1e-12);
}

TEST(MotionContacts3, CubeRightOnCubeHasEachCornerOnce) {
  const Case stacked({cube_at(0, 0, 0), cube_at(0, 0, 1)}, {0, 0, -0.01});
  stacked.expect_points({{-0.5, -0.5, 0.5}, {0.5, -0.5, 0.5}, {-0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}});
  stacked.expect_normals(Vec<3>::UnitZ());
}

TEST(MotionContacts3, CubeTurnedByFortyFiveDegreesHasAnOctagon) {
  space_test::Item turned = cube_at(0, 0, 1);
  turned.pose.rotation = space_test::about_z(ratio(2, 5));  // 43.6°
  const Case octagon({cube_at(0, 0, 0), turned}, {0, 0, -0.01});
  EXPECT_EQ(octagon.rows.size(), 8U);
  octagon.expect_normals(Vec<3>::UnitZ());
  for (const auto& row : octagon.rows) {
    EXPECT_EQ(row.a.kind, contacts::Flat::Kind::line);
    EXPECT_EQ(row.b.kind, contacts::Flat::Kind::line);
    EXPECT_NEAR(contacts::placed(row, octagon.start).gap, 0.0, 1e-12);
    EXPECT_NEAR(contacts::placed(row, octagon.end).gap, -0.01, 1e-12);
  }
}

TEST(MotionContacts3, EdgesThatCrossGetOneRow) {
  // Roofs: the lower with its ridge along x, the upper upside down with its ridge along y.
  const space_test::Points roof = {at(-1, -1, -1), at(-1, 1, -1), at(1, -1, -1),
                                   at(1, 1, -1),   at(-1, 0, 0),  at(1, 0, 0)};
  const space_test::Points other = {at(-1, -1, 1), at(-1, 1, 1), at(1, -1, 1),
                                    at(1, 1, 1),   at(0, -1, 0), at(0, 1, 0)};
  space_test::Item upper = space_test::hull(other);
  upper.pose.position = at(0, 0, ratio(1, 10));
  const Case crossing({space_test::hull(roof), upper}, {0, 0, -0.2});
  crossing.expect_points({{0, 0, 0.1}});
  crossing.expect_normals(Vec<3>::UnitZ());
  EXPECT_NEAR(crossing.gap(), -0.1, 1e-12);
}

TEST(MotionContacts3, CornerBesideCornerIsFreeToGoEitherWay) {
  // Along a common vertical edge: away in x and towards in y, and the other way round.
  for (const Vec<3>& way : {Vec<3>(0.01, -0.01, 0), Vec<3>(-0.01, 0.01, 0), Vec<3>(0, 0, 0)}) {
    EXPECT_TRUE(Case({cube_at(0, 0, 0), cube_at(1, 1, 0)}, way).rows.empty());
  }
  // Straight in it is held.
  EXPECT_LT(Case({cube_at(0, 0, 0), cube_at(1, 1, 0)}, {-0.01, -0.02, 0}).gap(), -0.009);
  // Steps of a stair that share an edge.
  EXPECT_TRUE(Case({cube_at(0, 0, 0), cube_at(1, 0, 1)}, {0.01, 0, -0.01}).rows.empty());
}

TEST(MotionContacts3, LevelTopsDoNotCatchWhatSlides) {
  // The slider lies on the first and comes to the second, level with it, within rounding.
  for (const double rise : {0.0, 1e-9, -1e-9, -1e-8}) {
    Scene<3> scene =
        space_test::scene_of({cube_at(0, 0, 0), cube_at(1, 0, 0), cube_at(ratio(-1, 100), 0, 1)});
    const Poses start = motion_test::poses_of(scene);
    Poses end = start;
    end[2].position += Vec<3>(0.05, 0, rise);
    for (const auto& row : motion_test::rows_of(scene, start, end)) {
      const auto placed = contacts::placed(row, end);
      if (row.id.a == 1 && row.id.b == 2) {
        space_test::expect_near(placed.normal, Vec<3>::UnitZ(), 1e-9);
      }
      EXPECT_GE(placed.gap, -2e-8);
    }
  }
}

TEST(MotionContacts3, CubeThatFallsPastAnotherIsFree) {
  const Case past({cube_at(0, 0, 0), cube_at(ratio(1001, 1000), 0, 2)}, {0, 0, -3});
  EXPECT_TRUE(past.rows.empty() || past.gap() > 0.0);
}

TEST(MotionContacts3, ThinPlateStopsABullet) {
  space_test::Item plate{.shape = make_box(at(10, 10, ratio(1, 1000)))};
  space_test::Item bullet{.shape = make_box(at(ratio(1, 10), ratio(1, 10), ratio(1, 10)))};
  bullet.pose.position = at(ratio(1, 3), ratio(1, 5), 1);
  const Case shot({plate, bullet}, {0, 0, -5});
  EXPECT_EQ(shot.rows.size(), 8U);  // all its vertices go through
  shot.expect_normals(Vec<3>::UnitZ());
  EXPECT_NEAR(shot.gap(), 1 - 0.05 - 0.0005 - 5, 1e-9);
}

TEST(MotionContacts3, CubeThatHangsOverAnEdgeMayTipOver) {
  // Its middle over the edge; it turns about that edge and stays outside.
  const Vec<3> pivot(0.5, 0, 0.5);
  Scene<3> scene = space_test::scene_of({cube_at(0, 0, 0), cube_at(ratio(11, 20), 0, 1)});
  const Poses start = motion_test::poses_of(scene);
  Poses end = start;
  const Eigen::Matrix3d turn = rotation_by({0, 0.05, 0});
  end[1] = {turn, pivot + turn * (start[1].position - pivot)};
  const Rows rows = motion_test::rows_of(scene, start, end);
  ASSERT_FALSE(rows.empty());
  EXPECT_GE(motion_test::least_gap(rows, end), -1e-12);
  // A little lower it would cut into the edge.
  end[1].position.z() -= 1e-3;
  EXPECT_LT(motion_test::least_gap(motion_test::rows_of(scene, start, end), end), -5e-4);
}

TEST(MotionContacts3, BallMeetsFaceEdgeAndVertex) {
  const auto ball = [](const Rational& x, const Rational& y, const Rational& z) {
    space_test::Item item{.shape = make_sphere(ratio(1, 2))};
    item.pose.position = at(x, y, z);
    return item;
  };
  const Case face({cube_at(0, 0, 0), ball(0, ratio(1, 5), ratio(11, 10))}, {0.1, 0, -0.3});
  ASSERT_EQ(face.rows.size(), 1U);
  EXPECT_EQ(face.rows[0].a.kind, contacts::Flat::Kind::plane);
  EXPECT_NEAR(face.gap(), -0.2, 1e-12);
  const Case edge({cube_at(0, 0, 0), ball(1, 0, 1)}, {-0.2, 0, -0.2});
  ASSERT_EQ(edge.rows.size(), 1U);
  EXPECT_EQ(edge.rows[0].a.kind, contacts::Flat::Kind::line);
  EXPECT_NEAR(edge.gap(), std::hypot(0.3, 0.3) - 0.5, 1e-12);
  const Case vertex({ball(1, 1, 1), cube_at(0, 0, 0)}, {0.3, 0.3, 0.3});
  ASSERT_EQ(vertex.rows.size(), 1U);
  EXPECT_EQ(vertex.rows[0].b.kind, contacts::Flat::Kind::point);
  EXPECT_NEAR(vertex.gap(), 0.2 * std::sqrt(3.0) - 0.5, 1e-12);
  const Case balls({ball(0, 0, 0), ball(0, 0, 1)}, {0.1, 0, -0.3});
  ASSERT_EQ(balls.rows.size(), 1U);
  EXPECT_NEAR(balls.gap(), std::hypot(0.1, 0.7) - 1.0, 1e-12);
}

TEST(MotionContacts3, HalfSpaceHoldsTheVerticesThatComeNear) {
  const space_test::Item ground = space_test::half_space(at(0, 0, 2), 1);  // z ≤ ½
  const Case cube({ground, cube_at(3, 0, 1)}, {0, 0, -0.1});
  EXPECT_EQ(cube.rows.size(), 4U);
  EXPECT_NEAR(cube.gap(), -0.1, 1e-12);
  cube.expect_normals(Vec<3>::UnitZ());
  space_test::Item ball{.shape = make_sphere(1)};
  ball.pose.position = at(0, 0, ratio(3, 2));
  const Case rolling({ground, ball}, {0.3, 0, -0.1});
  ASSERT_EQ(rolling.rows.size(), 1U);
  EXPECT_NEAR(rolling.gap(), -0.1, 1e-12);
}

TEST(MotionContacts3, SeamsInsideABodyTakeNoPart) {
  // An L lying in the x-z plane, and a cube in its inner corner that slides out.
  const space_test::Item ell =
      space_test::boxes({{at(0, 0, 0), at(3, 1, 1)}, {at(0, 0, 1), at(1, 1, 3)}});
  const Case inside({ell, cube_at(ratio(3, 2), ratio(1, 2), ratio(3, 2))}, {0.05, 0, 0});
  EXPECT_GE(inside.gap(), -1e-12);
  for (const auto& row : inside.rows) {
    const Vec<3> normal = contacts::placed(row, inside.start).normal;
    EXPECT_TRUE((normal - Vec<3>::UnitX()).norm() < 1e-9 ||
                (normal - Vec<3>::UnitZ()).norm() < 1e-9)
        << normal.transpose();
  }
  // Two boxes side by side as one body have one top: a cube across the seam has its four corners, once.
  const space_test::Item table =
      space_test::boxes({{at(0, 0, 0), at(2, 2, 1)}, {at(2, 0, 0), at(4, 2, 1)}});
  const Case across({table, cube_at(2, 1, ratio(3, 2))}, {0, 0, -0.01});
  EXPECT_EQ(across.rows.size(), 4U);
  across.expect_normals(Vec<3>::UnitZ());
}

}  // namespace
}  // namespace collapse
