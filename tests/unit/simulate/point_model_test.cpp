#include "simulate/point_model.hpp"

#include <gtest/gtest.h>

#include "collapse/io/scene_reader.hpp"
#include "collapse/model/path.hpp"
#include "tests/support/refusal.hpp"

namespace collapse::simulate {
namespace {

using collapse::testing::expect_refused;
using collapse::testing::Refusal;

PointModel model_of(const std::string& text, ModelKind kind = ModelKind::nine_points) {
  return make_point_model(parse_scene(text), kind, 1e-6);
}

std::string scene_of(const std::string& members) {
  return R"({"collapse":1,"dimension":2,)" + members + "}";
}

/// The number of the face that ContactId calls `thing`.
int face_of(const PointModel& model, int thing) {
  for (std::size_t f = 0; f < model.faces.size(); ++f) {
    if (model.faces[f].thing == thing) return static_cast<int>(f);
  }
  return -1;
}

TEST(PointModel, CutsBodiesIntoConvexFacesWithSeams) {
  const PointModel model = model_of(scene_of(
      R"("bodies":[{"polygon":[[0,0],[4,0],[4,1],[1,1],[1,3],[0,3]]},{"plane":{"normal":[0,1],"offset":-1}}])"));
  ASSERT_EQ(model.faces.size(), 2U);
  int seams = 0;
  for (const PointFace& face : model.faces) {
    EXPECT_EQ(face.body, 0);
    for (const char boundary : face.is_boundary) seams += boundary == 0 ? 1 : 0;
  }
  EXPECT_EQ(seams, 2);  // the cut, seen from both sides
  EXPECT_FALSE(model.may_touch(0, 1));
  EXPECT_EQ(model.points(), 7);  // corners and centre
  EXPECT_EQ(model.bars.size(), 11U);
  EXPECT_EQ(model.planes.size(), 1U);
}

TEST(PointModel, LeavesBodiesOutUnlessAskedFor) {
  const std::string text = scene_of(R"("bodies":[{"box":[1,1],"position":[0,5]},
    {"box":[1,1],"fixed":true}],"framework":{"points":[{"position":[3,0]}]})");
  EXPECT_EQ(model_of(text, ModelKind::rigid).points(), 5);
  const PointModel both = model_of(text);
  EXPECT_EQ(both.points(), 14);
  const int point = face_of(both, 2);
  ASSERT_GE(point, 0);
  EXPECT_FALSE(both.may_touch(point, face_of(both, 0)));
  EXPECT_TRUE(both.may_touch(point, face_of(both, 1)));
  EXPECT_TRUE(both.may_touch(face_of(both, 0), face_of(both, 1)));
}

TEST(PointModel, KnowsWhatBelongsToAFace) {
  const PointModel model = model_of(scene_of(R"("framework":{"points":[
      {"name":"a","position":[0,0]},{"name":"b","position":[2,0]},{"name":"c","position":[2,2]},
      {"name":"d","position":[0,2]},{"name":"inside","position":[1,1]},
      {"name":"braced","position":[1,2]},{"name":"lying","position":["1/2",2]},
      {"name":"e","position":[3,3]},{"name":"f","position":[2,4]},{"name":"far","position":[9,0]}],
    "bars":[["c","braced"],["d","braced"]],
    "faces":[["a","b","c","d"],["c","e","f"]]})"));
  const int square = face_of(model, 0);
  const auto point = [&](int number) { return face_of(model, 2 + number); };
  EXPECT_FALSE(model.may_touch(square, point(4)));
  EXPECT_FALSE(model.may_touch(square, point(5)));
  EXPECT_TRUE(model.may_touch(square, point(6)));
  EXPECT_TRUE(model.may_touch(square, point(9)));
  EXPECT_TRUE(model.may_touch(square, face_of(model, 1)));  // all but their common corner
  EXPECT_FALSE(model.may_touch(point(4), point(5)));
}

TEST(PointModel, RefusesWhatItCannotStandFor) {
  const std::string square = R"("framework":{"points":[{"name":"a","position":[0,0]},
    {"name":"b","position":[1,0]},{"name":"c","position":[1,1]},{"name":"d","position":[0,1]},
    {"name":"e","position":["1/2","1/2"]},{"name":"f","position":[2,"1/2"]},
    {"name":"g","position":[2,2]}])";
  for (const Refusal& refusal : std::vector<Refusal>{
           {scene_of(R"("bodies":[{"disk":1}])"), "bodies[0]", "a disk", "polygons only"},
           {scene_of(R"("bodies":[{"disk":1,"fixed":true}])"), "bodies[0]", "a disk", "polygons"},
           {scene_of(R"("materials":{"default":{"friction":1}},"bodies":[{"box":[1,1]}])"),
            "materials", "friction between \"default\" and \"default\"", "neither friction"},
           {scene_of(R"("materials":{"default":{"restitution":1}},"bodies":[{"box":[1,1]}])"),
            "materials", "restitution", "neither friction"},
           {scene_of(square + R"(,"faces":[["a","b","c","d"],["e","f","g"]]})"),
            "framework.faces[0]", "an overlap with face 1 by 0.", "touch others at most"},
           {scene_of(R"("bodies":[{"name":"peg","box":[1,1],"fixed":true}],)" + square + "}"),
            "framework.points[0]", "an overlap with peg by 0.5", "touch others at most"},
           {scene_of(R"("bodies":[{"name":"floor","plane":{"normal":[0,2],"offset":1}}],)" +
                     square + "}"),
            "framework.points[0]", "an overlap with floor by 0.5", "touch others at most"},
       }) {
    expect_refused(refusal, [](const std::string& text) { return model_of(text); });
  }
}

TEST(PointModel, NamesThingsForAPerson) {
  const Scene<2> scene = parse_scene(scene_of(R"("bodies":[{"name":"peg","box":[1,1]}],
    "framework":{"points":[{"name":"a","position":[9,0]},{"position":[8,0]},{"position":[9,1]}],
                 "faces":[["a","point 1","point 2"]]})"));
  EXPECT_EQ(scene.thing_name(0), "peg");
  EXPECT_EQ(scene.thing_name(1), "face 0");
  EXPECT_EQ(scene.thing_name(3), "point 1");
}

TEST(PointMotion, GivesBackTheStateItCameFrom) {
  const Scene<2> scene = parse_scene(scene_of(R"("bodies":[
    {"polygon":[[5,0],[9,0],[9,1],[6,3]],"angle":25,"velocity":[1,2],"spin":"1/2"}])"));
  for (const ModelKind kind : {ModelKind::nine_points, ModelKind::corners}) {
    const PointModel model = make_point_model(scene, kind, 1e-6);
    const State<2> start = initial_state(scene);
    PointMotion motion;
    const double h = 1e-3;
    read_motion(scene, model, start, 0.0, h, motion);
    State<2> end = start;
    write_motion(scene, model, motion, 0.0, h, end);
    EXPECT_LE((end.velocities[0].tail<1>() - start.velocities[0].tail<1>()).norm(), 1e-10);
    EXPECT_NEAR((end.centre(scene, 0) - start.centre(scene, 0) - h * Vec<2>(1.0, 2.0)).norm(), 0.0,
                kind == ModelKind::corners ? 1e-6 : 1e-12);
    // The points turn along straight lines, which makes them further apart but nothing else.
    const Eigen::Matrix2d turn = end.poses[0].rotation * start.poses[0].rotation.transpose();
    EXPECT_NEAR(std::atan2(turn(1, 0), turn(0, 0)), std::atan(0.5 * h), 1e-12);
  }
}

TEST(GivenPose, IsLinearBetweenKeyframesAndHeldOutside) {
  const Body<2> body = parse_scene(scene_of(R"("bodies":[{"box":[1,1],"motion":{"keyframes":[
    {"time":1,"position":[0,0],"angle":170},{"time":3,"position":[4,2],"angle":-170}]}}])"))
                           .bodies[0];
  EXPECT_EQ(path_pose(body, 0.0).position, Vec<2>(0.0, 0.0));
  EXPECT_EQ(path_pose(body, 5.0).position, Vec<2>(4.0, 2.0));
  const Pose<2> middle = path_pose(body, 2.0);
  EXPECT_LE((middle.position - Vec<2>(2.0, 1.0)).norm(), 1e-15);
  EXPECT_NEAR(middle.rotation(0, 0), -1.0, 1e-14);  // the short way, through 180°
}

}  // namespace
}  // namespace collapse::simulate
