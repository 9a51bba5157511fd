#include <array>

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

/// The hull touches the side of the cylinder and turns over its rim by a third of a turn: at the end it is behind the flat
/// end, where it cannot have come from. Found in a crowd (large-crowds, case 10).
TEST(MotionAroundARim, IsHeldBeforeThePlaneOfTheFirstTouch) {
  const std::string hull =
      R"({"name": "hull", "hull": [[0.001845, -0.000897, -0.004866], [-0.000844, 0.003627, -0.002755],
          [-0.000392, -0.000864, 0.009148], [-0.000966, -0.001701, -0.005197], [-0.001781, 0.000857, -0.001409]]})";
  const std::string cylinder = R"({"name": "cylinder", "cylinder": [0.329519, 0.716989]})";
  const std::array<Pose<3>, 2> of_hull = {
      pose_of({-0.63782383787124708, -0.86361152597564417, 0.0016416367372049389},
              {0.42273719530567039, 0.59720542150626998, -0.43796643327071, 0.52232590550033697}),
      pose_of(
          {-0.63954782414185796, -0.86809983133547475, 0.0014213912608551343},
          {0.64261827089472801, 0.59824325912432097, -0.41855294087853073, 0.23229334150275197})};
  const std::array<Pose<3>, 2> of_cylinder = {
      pose_of(
          {-0.56289516528067096, -0.85238424789595646, 0.48166418607239636},
          {0.94762516868467273, 0.028828129285884241, -0.29224074497276281, -0.12558194780694618}),
      pose_of(
          {-0.57517579420747877, -0.86509925900841866, 0.48243332962019037},
          {0.94580872264984794, 0.024886924508062534, -0.29796635283694667, -0.12665920308071277})};
  for (const bool hull_first : {true, false}) {
    const Scene<3> scene =
        parse_scene<3>(R"({"collapse": 1, "dimension": 3, "bodies": [)" +
                       (hull_first ? hull + ", " + cylinder : cylinder + ", " + hull) + "]}");
    const auto& first = hull_first ? of_hull : of_cylinder;
    const auto& second = hull_first ? of_cylinder : of_hull;
    const motion_test::Poses start = {first[0], second[0]};
    const motion_test::Poses end = {first[1], second[1]};
    const double overlap = contacts::deepest_overlap(scene, end);
    EXPECT_NEAR(overlap, 3.0e-3, 1e-4);  // by which one vertex is behind the flat end
    const motion_test::Rows rows = motion_test::rows_of(scene, start, end, 1.2e-3);
    EXPECT_LE(motion_test::least_gap(rows, end), -0.5 * overlap);
    EXPECT_GE(motion_test::least_gap(rows, start), -motion_test::kTouch);
  }
}

}  // namespace
}  // namespace collapse
