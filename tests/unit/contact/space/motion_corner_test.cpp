#include "collapse/io/scene_reader.hpp"
#include "motion_scenes.hpp"

namespace collapse {
namespace {

Pose<3> pose_of(const Vec<3>& position, const Eigen::Quaterniond& orientation) {
  return {orientation.normalized().toRotationMatrix(), position};
}

/// An edge of the wedge goes into the upright part of the angle right where that stands on the other part: the vertex
/// there is none of the angle's surface, but an edge of it ends there. Found in a crowd (oba-robot).
TEST(MotionInACorner, IsHeldByTheEdgeThatEndsThere) {
  const Scene<3> scene = parse_scene<3>(R"({"collapse": 1, "dimension": 3, "bodies": [
    {"name": "wedge", "hull": [[-0.4, -0.3, -0.2], [-0.2, -0.3, 0.2], [-0.4, 0.3, -0.2], [-0.2, 0.3, 0.2],
                               [0.4, -0.3, -0.2], [0.2, -0.3, 0.2], [0.4, 0.3, -0.2], [0.2, 0.3, 0.2]]},
    {"name": "angle", "parts": [{"box": [0.6, 0.2, 0.2], "position": [0, 0, -0.2]},
                                {"box": [0.2, 0.2, 0.4], "position": [-0.2, 0, 0.1]}]}]})");
  const motion_test::Poses start = {
      pose_of({1.1105782439001608, 3.0751754064342074, 0.27832736289141646},
              {-0.42488195733714523, 0.35484129628428596, 0.81183422256289517, 0.1857099131881314}),
      pose_of(
          {1.3071012835057647, 3.2906360528267111, 0.58548293815272134},
          {0.46761951814280323, 0.34330686778079794, 0.78918964057722929, -0.20162363946723533})};
  const motion_test::Poses end = {
      pose_of({1.109979474344037, 3.07589182208778, 0.27856246420329911},
              {-0.4228650437956451, 0.35569595813144, 0.81265527130932835, 0.18508633152619902}),
      pose_of(
          {1.3077448324178609, 3.2940206719869924, 0.58553014282387972},
          {0.47264300164579798, 0.35244507254417445, 0.78334808318837168, -0.19686758087528261})};
  const double overlap = contacts::deepest_overlap(scene, end);
  EXPECT_NEAR(overlap, 2.4e-3, 1e-4);  // by separating axes of the parts
  const motion_test::Rows rows = motion_test::rows_of(scene, start, end, 0.0444);
  EXPECT_LE(motion_test::least_gap(rows, end), -0.5 * overlap);
  EXPECT_GE(motion_test::least_gap(rows, start), -motion_test::kTouch);
}

}  // namespace
}  // namespace collapse
