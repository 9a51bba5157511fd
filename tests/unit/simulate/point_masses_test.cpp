#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "collapse/core/error.hpp"
#include "collapse/core/random.hpp"
#include "collapse/io/scene_reader.hpp"
#include "simulate/point_model.hpp"

namespace collapse::simulate {
namespace {

Body<2> only_body(const std::string& members) {
  return parse_scene(R"({"collapse":1,"dimension":2,"bodies":[{)" + members + "}]}").bodies.front();
}

struct Moments {
  double mass = 0.0;
  Vec<2> centre = Vec<2>::Zero();
  double xx = 0.0, xy = 0.0, yy = 0.0;  ///< about the centre

  explicit Moments(const PointMasses& set) {
    for (std::size_t i = 0; i < set.points.size(); ++i) {
      mass += set.masses[i];
      centre += set.masses[i] * set.points[i];
    }
    centre /= mass;
    for (std::size_t i = 0; i < set.points.size(); ++i) {
      const Vec<2> r = set.points[i] - centre;
      xx += set.masses[i] * r.x() * r.x();
      xy += set.masses[i] * r.x() * r.y();
      yy += set.masses[i] * r.y() * r.y();
    }
  }
};

TEST(PointMasses, OfARectangleAreTheNineOfThePaper) {
  const Body<2> brick = only_body(R"("box":[3,2],"mass":36)");
  const PointMasses set = point_masses(brick, ModelKind::nine_points, "");
  ASSERT_EQ(set.points.size(), 9U);
  int corners = 0, midpoints = 0, centres = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    const bool outer_x = std::abs(std::abs(set.points[i].x()) - 1.5) < 1e-15;
    const bool outer_y = std::abs(std::abs(set.points[i].y()) - 1.0) < 1e-15;
    EXPECT_NEAR(set.masses[i], outer_x && outer_y ? 1.0 : outer_x || outer_y ? 4.0 : 16.0, 1e-13);
    corners += outer_x && outer_y;
    midpoints += outer_x != outer_y;
    centres += set.points[i].norm() < 1e-15;
  }
  EXPECT_EQ(corners, 4);
  EXPECT_EQ(midpoints, 4);
  EXPECT_EQ(centres, 1);
  // ∫x² over a homogeneous w × h rectangle of mass m is m w²/12.
  const Moments moments(set);
  EXPECT_NEAR(moments.mass, 36.0, 1e-13);
  EXPECT_NEAR(moments.xx, 36.0 * 9.0 / 12.0, 1e-12);
  EXPECT_NEAR(moments.yy, 36.0 * 4.0 / 12.0, 1e-12);
  EXPECT_NEAR(moments.xy, 0.0, 1e-13);
}

TEST(PointMasses, InTheCornersOfARectangleHaveThreeTimesTheInertia) {
  const Body<2> brick = only_body(R"("box":[3,2],"position":[7,1],"angle":30)");
  const PointMasses set = point_masses(brick, ModelKind::corners, "");
  ASSERT_EQ(set.points.size(), 4U);
  const Moments moments(set);
  EXPECT_NEAR(moments.mass, 6.0, 1e-14);
  EXPECT_NEAR(moments.xx + moments.yy, 3.0 * brick.mass.inertia(0, 0), 1e-12);
}

TEST(PointMasses, HaveMassCentreAndInertiaOfTheBody) {
  for (const char* const members : {
           R"("polygon":[[0,0],[4,0],[1,3]])",                           // triangle
           R"("polygon":[[0,0],[4,0],[5,2],[1,2]])",                     // parallelogram
           R"("polygon":[[0,0],[4,0],[5,2],[2,5],[-1,1]])",              // pentagon
           R"("polygon":[[0,0],[4,0],[4,1],[1,1],[1,3],[0,3]])",         // L
           R"("polygon":[[0,0],[10,0],[10,"1/100"],[0,"1/100"]])",       // needle
           R"("parts":[{"box":[4,1]},{"box":[1,4],"position":[1,0]}])",  // overlapping parts
           R"("box":[3,2],"inertia":9)",                                 // more than homogeneous
           R"("box":[3,2],"inertia":"1/2")",                             // less
       }) {
    SCOPED_TRACE(members);
    const Body<2> body = only_body(members);
    const PointMasses set = point_masses(body, ModelKind::nine_points, "");
    for (const double mass : set.masses) EXPECT_GT(mass, 0.0);
    const Moments moments(set);
    const double size = body.shape.reach(body.mass.centre);
    EXPECT_NEAR(moments.mass, body.mass.mass, 1e-11 * body.mass.mass);
    EXPECT_LE((moments.centre - body.mass.centre).norm(), 1e-11 * size);
    EXPECT_NEAR(moments.xx + moments.yy, body.mass.inertia(0, 0),
                1e-10 * body.mass.mass * size * size);
  }
}

TEST(PointMasses, RefuseWhatPointsCannotStandFor) {
  EXPECT_THROW(static_cast<void>(point_masses(only_body(R"("disk":1)"), ModelKind::corners, "b")),
               Error);
  // All mass in the corners gives 6·(3² + 2²)/4 = 19.5 and no more.
  EXPECT_THROW(static_cast<void>(point_masses(only_body(R"("box":[3,2],"inertia":20)"),
                                              ModelKind::nine_points, "b")),
               Error);
}

/// Rows: one per bar, its direction at both ends.
Eigen::MatrixXd rigidity_matrix(const std::vector<Vec<2>>& points,
                                const std::vector<std::pair<int, int>>& bars) {
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(bars.size()),
                                            2 * static_cast<Eigen::Index>(points.size()));
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const auto [i, j] = bars[b];
    const Vec<2> along =
        (points[static_cast<std::size_t>(i)] - points[static_cast<std::size_t>(j)]).normalized();
    R.block<1, 2>(static_cast<Eigen::Index>(b), 2 * i) = along.transpose();
    R.block<1, 2>(static_cast<Eigen::Index>(b), 2 * j) = -along.transpose();
  }
  return R;
}

TEST(MinimallyRigidBars, HoldRandomPointsWithoutABarToSpare) {
  Random random(7);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Vec<2>> points(3 + static_cast<std::size_t>(trial));
    for (Vec<2>& p : points) {
      p.x() = random.between(-1.0, 1.0);
      p.y() = random.between(-1.0, 1.0);
    }
    const auto bars = minimally_rigid_bars(points);
    ASSERT_EQ(bars.size(), 2 * points.size() - 3);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rigidity_matrix(points, bars));
    EXPECT_GT(svd.singularValues().minCoeff(), 1e-3) << points.size();
  }
}

TEST(MinimallyRigidBars, HoldTheNinePointsOfABrickWell) {
  const PointMasses brick = point_masses(only_body(R"("box":[4,1])"), ModelKind::nine_points, "");
  const auto bars = minimally_rigid_bars(brick.points);
  ASSERT_EQ(bars.size(), 15U);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rigidity_matrix(brick.points, bars));
  EXPECT_GT(svd.singularValues().minCoeff(), 0.1);
}

}  // namespace
}  // namespace collapse::simulate
