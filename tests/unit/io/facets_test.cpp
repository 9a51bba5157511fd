/// Surfaces of solids against their masses, which are computed without them.

#include "io/facets.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "collapse/io/scene_reader.hpp"
#include "io/extent.hpp"

namespace collapse {
namespace {

const std::string kSolids = R"({"collapse": 1, "dimension": 3, "bodies": [
  {"name": "box", "box": [1, 2, 3], "position": [4, 5, 6]},
  {"name": "ell", "parts": [{"box": [2, 1, 1]}, {"box": [1, 1, 2], "position": ["-1/2", 0, "3/2"]}]},
  {"name": "wedge", "hull": [[0, 0, 0], [3, 0, 0], [0, 2, 0], [0, 0, 1]]},
  {"name": "ball", "sphere": 2, "position": [9, 0, 0]},
  {"name": "drum", "cylinder": [2, 3], "position": [0, 9, 0], "orientation": [1, 1, 0, 0]},
  {"name": "pair", "position": [0, 0, 20], "parts": [
    {"sphere": 1, "position": [-2, 0, 0]}, {"cylinder": [1, 4], "position": [2, 0, 0]}]}]})";

/// By the divergence theorem: right only if all polygons are there and counter-clockwise.
double volume_of(const Facets& facets) {
  double sum = 0.0;
  for (const std::vector<int>& polygon : facets.polygons) {
    const auto at = [&](std::size_t i) {
      return facets.points[static_cast<std::size_t>(polygon[i])];
    };
    for (std::size_t i = 2; i < polygon.size(); ++i) sum += at(0).dot(at(i - 1).cross(at(i)));
  }
  return sum / 6.0;
}

/// With n sides, so that δ = 2π/n, a circle loses δ²/6 of its area, and chords of a meridian lie δ²/12 of the radius
/// inside of it on average, which is δ²/4 of a sphere's volume: together 5δ²/12.
TEST(Facets, HoldTheVolumeOfTheirSolidUpToWhatPolygonsLose) {
  const Scene<3> scene = parse_scene<3>(kSolids);
  const std::vector<double> losses{
      0.0,        0.0,       0.0,
      5.0 / 12.0, 1.0 / 6.0, (4.0 / 3.0 * 5.0 / 12.0 + 4.0 / 6.0) / (4.0 / 3.0 + 4.0)};
  const double delta = 2.0 * std::numbers::pi / 96.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Shape<3>& shape = scene.bodies[i].shape;
    const double lost = 1.0 - volume_of(facets_of(shape, 96)) / mass_properties(shape).mass;
    EXPECT_NEAR(lost, losses[i] * delta * delta, 1e-5 * losses[i] + 1e-12) << scene.bodies[i].name;
  }
  EXPECT_NEAR(volume_of(box_facets({1.0, 2.0, 3.0})), 48.0, 1e-12);
}

TEST(Facets, HaveNoSeams) {
  const Scene<3> scene = parse_scene<3>(kSolids);
  EXPECT_EQ(facets_of(scene.bodies[0].shape).edges.size(), 12U);
  EXPECT_EQ(facets_of(scene.bodies[1].shape).edges.size(), 18U);
  EXPECT_EQ(facets_of(scene.bodies[2].shape).edges.size(), 6U);
  EXPECT_EQ(facets_of(scene.bodies[3].shape).edges.size(), 0U);
  EXPECT_EQ(box_facets({1.0, 1.0, 1.0}).edges.size(), 12U);
}

TEST(Facets, HaveNormalsThatPointOutwards) {
  for (const Body<3>& body : parse_scene<3>(kSolids).bodies) {
    const Facets facets = facets_of(body.shape);
    for (const std::vector<int>& polygon : facets.polygons) {
      const auto at = [&](std::size_t i) {
        return facets.points[static_cast<std::size_t>(polygon[i])];
      };
      const Vec<3> area = (at(1) - at(0)).cross(at(2) - at(0));
      for (const int corner : polygon) {
        const Vec<3>& normal = facets.normals[static_cast<std::size_t>(corner)];
        EXPECT_NEAR(normal.norm(), 1.0, 1e-12);
        EXPECT_GT(normal.dot(area), 0.97 * area.norm()) << body.name;
      }
    }
  }
}

TEST(Facets, ReachAsFarAsTheExtentSays) {
  const Scene<3> scene = parse_scene<3>(kSolids);
  for (const Body<3>& body : scene.bodies) {
    const BasicExtent<3> extent = extent_of(body.shape, body.pose);
    BasicExtent<3> found;
    for (const Vec<3>& point : facets_of(body.shape, 480).points) {
      found.include(body.pose.apply(point));
    }
    // Between the corners of 480 sides a circle reaches 2e-5 of its radius farther.
    EXPECT_LT((found.low - extent.low).cwiseAbs().maxCoeff(), 1e-4) << body.name;
    EXPECT_LT((found.high - extent.high).cwiseAbs().maxCoeff(), 1e-4) << body.name;
  }
}

TEST(Plate, CoversWhatIsShownAndEndsAtTheSurface) {
  const Scene<3> scene = parse_scene<3>(R"({"collapse": 1, "dimension": 3, "bodies": [
    {"name": "slope", "plane": {"normal": [0, -3, 4], "offset": 10}},
    {"name": "box", "box": [1, 1, 1], "position": [7, 0, 9]}]})");
  const State<3> state = initial_state(scene);
  const BasicExtent<3> shown = extent_of(scene, state);
  const Plate plate = plate_of(*scene.bodies[0].shape.half_space, Pose<3>(), shown, {});
  EXPECT_LT((plate.axes.transpose() * plate.axes - Eigen::Matrix3d::Identity()).norm(), 1e-12);
  EXPECT_NEAR(plate.axes.determinant(), 1.0, 1e-12);
  // 4z − 3y = 10 on its upper side.
  const Vec<3> top = plate.middle + plate.half.z() * plate.axes.col(2);
  EXPECT_NEAR(4.0 * top.z() - 3.0 * top.y(), 10.0, 1e-9);
  const Vec<3> own = plate.axes.transpose() * (shown.high - plate.middle);
  EXPECT_LT(std::abs(own.x()), plate.half.x());
  EXPECT_LT(std::abs(own.y()), plate.half.y());
}

}  // namespace
}  // namespace collapse
