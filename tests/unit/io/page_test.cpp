#include "collapse/io/page.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collapse/core/error.hpp"
#include "collapse/io/scene_reader.hpp"
#include "tests/support/page_data.hpp"
#include "tests/support/sample_trajectory.hpp"
#include "tests/support/temporary_folder.hpp"

namespace collapse {
namespace {

using testing::data_of;
using testing::empty_page;
using testing::PageJson;
using testing::PageReader;

template <int Dim = 2>
std::string scene_page(const std::string& text) {
  const Scene<Dim> scene = parse_scene<Dim>(text);
  const State<Dim> state = initial_state(scene);
  const ContactSet<Dim> contacts = find_contacts(scene, state);
  const Verdict<Dim> verdict = check(scene, state, contacts);
  std::string page;
  write_scene_page(empty_page(), scene, state, contacts, &verdict, {},
                   [&](std::string_view piece) { page += piece; });
  return page;
}

const std::string kLeaningBrick = R"({"collapse": 1, "name": "</script><b>&", "dimension": 2,
  "gravity": [0, -10], "bodies": [
  {"name": "ground", "plane": {"normal": [0, 2], "offset": 4}},
  {"name": "brick", "polygon": [[0, 2], [4, 2], [4, 4], [0, 4]], "velocity": [1, 0], "spin": 2},
  {"name": "wheel", "disk": 1, "position": [10, 3], "angle": 90}]})";

TEST(Page, HoldsAScene) {
  const std::string page = scene_page(kLeaningBrick);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  PageReader reader(data_of(page));
  const PageJson header = reader.header();
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(header["name"], "</script><b>&");
  EXPECT_EQ(header["bodies"].size(), 3U);
  EXPECT_EQ(header["moving"], PageJson({1, 2}));
  EXPECT_EQ(header["bodies"][0]["plane"], PageJson({0.0, 1.0, 2.0}));
  // Shapes are about the centre of mass, poses are the centre's.
  EXPECT_EQ(header["bodies"][1]["pose"], PageJson({2.0, 3.0, 0.0}));
  EXPECT_EQ(header["bodies"][1]["loops"][0].size(), 8U);
  for (const PageJson& number : header["bodies"][1]["loops"][0]) {
    EXPECT_TRUE(std::abs(number.get<double>()) == 2.0 || std::abs(number.get<double>()) == 1.0);
  }
  EXPECT_EQ(header["bodies"][1]["mass"], 8.0);
  EXPECT_EQ(header["bodies"][1]["velocity"], PageJson({1.0, 0.0, 2.0}));
  EXPECT_EQ(header["bodies"][2]["balls"], PageJson({0.0, 0.0, 1.0}));
  EXPECT_NEAR(header["bodies"][2]["pose"][2].get<double>(), 0.5 * std::numbers::pi, 1e-15);
  EXPECT_EQ(header["verdict"]["stability"], "stable");
  double carried = 0.0;
  for (const PageJson& force : header["verdict"]["forces"]) carried += force[5].get<double>();
  EXPECT_NEAR(carried, 10.0 * (8.0 + std::numbers::pi), 1e-6);
  EXPECT_FALSE(header.contains("motion"));
}

TEST(Page, HoldsAMechanism) {
  PageReader reader(data_of(scene_page(R"({"collapse": 1, "dimension": 2, "bodies": [
    {"name": "table", "box": [2, 1], "position": [0, -0.5], "fixed": true},
    {"name": "brick", "box": [2, 1], "position": [1.5, 0.5]}]})")));
  const PageJson verdict = reader.header()["verdict"];
  EXPECT_EQ(verdict["stability"], "unstable");
  ASSERT_EQ(verdict["mechanism"].size(), 1U);
  EXPECT_LT(verdict["mechanism"][0][3].get<double>(), 0.0);
  EXPECT_EQ(verdict["contacts"].size(), 2U);
  EXPECT_TRUE(verdict["forces"].empty());
}

TEST(Page, HoldsASceneInSpace) {
  PageReader reader(data_of(scene_page<3>(R"({"collapse": 1, "dimension": 3, "gravity": [0, 0, -10],
    "materials": {"default": {"friction": 1}}, "bodies": [
    {"name": "ground", "plane": {"normal": [0, 0, 2], "offset": 4}},
    {"name": "ell", "position": [10, 0, 2], "rotation_vector": [0, 0, 90], "parts": [
      {"box": [4, 2, 2], "position": [2, 1, 1]}, {"box": [2, 2, 2], "position": [1, 1, 3]}]},
    {"name": "ball", "sphere": 1, "position": [0, 0, 3]}]})")));
  const PageJson header = reader.header();
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(header["dimension"], 3);
  EXPECT_EQ(header["gravity"], PageJson({0.0, 0.0, -10.0}));
  EXPECT_EQ(header["bodies"][0]["plane"], PageJson({0.0, 0.0, 1.0, 2.0}));
  const PageJson& ell = header["bodies"][1];
  EXPECT_EQ(ell["mass"], 24.0);
  // The centre of mass is (5/3, 1, 5/3) from the corner; turned by 90° about z.
  const std::vector<double> pose = ell["pose"];
  const std::vector<double> expected{9.0, 5.0 / 3.0,      2.0 + 5.0 / 3.0, 0.0,
                                     0.0, std::sqrt(0.5), std::sqrt(0.5)};
  ASSERT_EQ(pose.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(pose[i], expected[i], 1e-12) << i;
  // Without a trace of the seam: the area of the union, and its 18 edges.
  const std::vector<double> points = ell["solid"]["points"];
  const std::vector<std::size_t> triangles = ell["solid"]["triangles"];
  const auto at = [&](std::size_t i) {
    return Vec<3>(points[3 * triangles[i]], points[3 * triangles[i] + 1],
                  points[3 * triangles[i] + 2]);
  };
  double area = 0.0;
  double volume = 0.0;
  for (std::size_t i = 0; i < triangles.size(); i += 3) {
    area += 0.5 * (at(i + 1) - at(i)).cross(at(i + 2) - at(i)).norm();
    volume += at(i).dot(at(i + 1).cross(at(i + 2))) / 6.0;
  }
  EXPECT_NEAR(area, 2.0 * 12.0 + 2.0 * (4.0 + 4.0 + 4.0 + 4.0), 1e-9);
  EXPECT_NEAR(volume, 24.0, 1e-9);
  EXPECT_EQ(ell["solid"]["edges"].size(), 36U);
  EXPECT_EQ(header["bodies"][2]["balls"], PageJson({0.0, 0.0, 0.0, 1.0}));
  EXPECT_EQ(header["verdict"]["stability"], "stable");
  double carried = 0.0;
  for (const PageJson& force : header["verdict"]["forces"]) {
    ASSERT_EQ(force.size(), 8U);
    carried += force[7].get<double>();
  }
  EXPECT_NEAR(carried, 10.0 * (24.0 + 4.0 / 3.0 * std::numbers::pi), 1e-5);
  EXPECT_EQ(header["verdict"]["contacts"][0].size(), 9U);
}

TEST(Page, HoldsAMechanismInSpace) {
  PageReader reader(data_of(scene_page<3>(R"({"collapse": 1, "dimension": 3, "bodies": [
    {"name": "table", "box": [2, 2, 1], "position": [0, 0, -0.5], "fixed": true},
    {"name": "brick", "box": [2, 2, 1], "position": [0, 1.5, 0.5]}]})")));
  const PageJson verdict = reader.header()["verdict"];
  EXPECT_EQ(verdict["stability"], "unstable");
  ASSERT_EQ(verdict["mechanism"].size(), 1U);
  ASSERT_EQ(verdict["mechanism"][0].size(), 7U);
  // Over the edge along x: it turns about −x.
  EXPECT_LT(verdict["mechanism"][0][4].get<double>(), -0.1);
  EXPECT_NEAR(verdict["mechanism"][0][5].get<double>(), 0.0, 1e-6);
  EXPECT_TRUE(verdict["forces"].empty());
}

TEST(Page, IsTheSameEveryTime) { EXPECT_EQ(scene_page(kLeaningBrick), scene_page(kLeaningBrick)); }

TEST(Page, NeedsAnElementForData) {
  const Scene<2> scene = parse_scene(kLeaningBrick);
  const State<2> state = initial_state(scene);
  EXPECT_THROW(write_scene_page("<p>", scene, state, {}, nullptr, {}, [](std::string_view) {}),
               Error);
}

/// A trajectory with the sample's scene: a half plane, one brick, one point.
class MotionPageTest : public ::testing::Test {
 protected:
  void write_frames(const std::vector<Frame<2>>& frames) {
    TrajectoryWriter writer(path_, testing::sample_header());
    for (const Frame<2>& frame : frames) writer.write(frame);
  }
  std::string page(const std::vector<Frame<2>>& frames, const PageOptions& options = {}) {
    write_frames(frames);
    const TrajectoryReader<2> file(path_);
    std::string text;
    const std::string empty = empty_page();
    MotionPage<2> motion(empty, file.scene(), file.header(), file.finished(), options,
                         [&](std::string_view piece) { text += piece; });
    for (std::int64_t i = 0; i < file.frames(); ++i) motion.add(file.frame(i));
    motion.finish();
    return text;
  }

  testing::TemporaryFolder folder_{"motion-page"};
  std::string path_ = folder_.file("motion.clps");
};

TEST_F(MotionPageTest, HoldsEveryFrameToWithinItsSteps) {
  Random random(7);
  std::vector<Frame<2>> frames;
  for (int i = 0; i < 20; ++i) frames.push_back(testing::sample_frame(i, random));
  PageReader reader(data_of(page(frames)));
  const PageJson header = reader.header();
  const double length = header["quanta"]["length"];
  const double angle_step = header["quanta"]["angle"];
  const double point = header["quanta"]["point"];
  EXPECT_EQ(length, std::ldexp(1.0, -14));  // of the brick's diameter, which is between 1 and 2
  EXPECT_EQ(header["framework"]["points"].size(), 1U);

  testing::PageSeries x, y, angle, px, py;
  std::array<std::int64_t, 4> force{};
  bool met = false;
  for (const Frame<2>& frame : frames) {
    EXPECT_EQ(reader.real(), frame.time);
    EXPECT_EQ(reader.real(), frame.account.energy);
    EXPECT_GE(reader.real(), 0.0);
    EXPECT_EQ(reader.count(), frame.contacts.size());
    const Pose<2>& pose = frame.state.poses[1];
    Vec<2> centre;
    centre[0] = length * static_cast<double>(x.next(reader.whole()));
    centre[1] = length * static_cast<double>(y.next(reader.whole()));
    EXPECT_NEAR(centre[0], pose.position[0], 0.5 * length);
    EXPECT_NEAR(centre[1], pose.position[1], 0.5 * length);
    const double turned = angle_step * static_cast<double>(angle.next(reader.whole()));
    EXPECT_NEAR(std::cos(turned), pose.rotation(0, 0), angle_step);
    EXPECT_NEAR(std::sin(turned), pose.rotation(1, 0), angle_step);
    EXPECT_NEAR(length * static_cast<double>(px.next(reader.whole())), frame.state.points[0][0],
                0.5 * length);
    EXPECT_NEAR(length * static_cast<double>(py.next(reader.whole())), frame.state.points[0][1],
                0.5 * length);
    // One pair at most: the ground and the brick.
    EXPECT_EQ(reader.count(), !met && !frame.contacts.empty() ? 1U : 0U);
    if (!met && !frame.contacts.empty()) {
      EXPECT_EQ(reader.count(), 0U);
      EXPECT_EQ(reader.count(), 1U);
      met = true;
    }
    ASSERT_EQ(reader.count(), frame.contacts.empty() ? 0U : 1U);
    if (!frame.contacts.empty()) {
      EXPECT_EQ(reader.count(), 0U);
      for (std::int64_t& number : force) number += reader.whole();
      Vec<2> sum = Vec<2>::Zero();
      Vec<2> at = Vec<2>::Zero();
      double weight = 0.0;
      for (const ContactForce<2>& contact : frame.contacts) {
        sum += contact.force;
        at += contact.force.norm() * contact.point;
        weight += contact.force.norm();
      }
      at = at / weight - centre;
      EXPECT_NEAR(point * static_cast<double>(force[0]), at[0], 0.5 * point + 1e-12);
      EXPECT_NEAR(point * static_cast<double>(force[1]), at[1], 0.5 * point + 1e-12);
      const double size = std::exp2(static_cast<double>(force[2]) / 512.0);
      const double direction = 2.0 * std::numbers::pi * static_cast<double>(force[3]) / 4096.0;
      EXPECT_NEAR(size, sum.norm(), 1e-3 * sum.norm());
      EXPECT_NEAR(size * std::cos(direction), sum[0], 2e-3 * sum.norm());
      EXPECT_NEAR(size * std::sin(direction), sum[1], 2e-3 * sum.norm());
    }
    const std::uint64_t changes = reader.count();
    EXPECT_EQ(changes, !frame.changes.empty() && !frame.contacts.empty() ? 1U : 0U);
    for (std::uint64_t i = 0; i < changes; ++i) {
      EXPECT_EQ(reader.count(), 1U);
      reader.whole();
      reader.whole();
    }
  }
  EXPECT_TRUE(reader.done());
}

TEST_F(MotionPageTest, LeavesForcesOut) {
  Random random(7);
  std::vector<Frame<2>> frames{testing::sample_frame(0, random), testing::sample_frame(1, random)};
  PageOptions options;
  options.forces = false;
  PageReader reader(data_of(page(frames, options)));
  EXPECT_EQ(reader.header()["hasForces"], false);
  for (int frame = 0; frame < 2; ++frame) {
    for (int i = 0; i < 3; ++i) reader.real();
    reader.count();
    for (int i = 0; i < 5; ++i) reader.whole();
  }
  EXPECT_TRUE(reader.done());
}

/// Whole turns between frames are told, not lost.
TEST_F(MotionPageTest, CountsTurns) {
  Random random(3);
  std::vector<Frame<2>> frames;
  constexpr double kSpin = 300.0;  // almost five turns in 0.1
  for (int i = 0; i < 4; ++i) {
    Frame<2> frame = testing::sample_frame(i, random);
    frame.contacts.clear();
    frame.changes.clear();
    frame.time = 0.1 * i;
    const double angle = kSpin * frame.time;
    frame.state.poses[1].rotation << std::cos(angle), -std::sin(angle), std::sin(angle),
        std::cos(angle);
    frame.state.velocities[1][2] = kSpin;
    frames.push_back(frame);
  }
  PageReader reader(data_of(page(frames)));
  const double step = reader.header()["quanta"]["angle"];
  std::array<std::int64_t, 4> angles{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) reader.real();
    reader.count();
    reader.whole();
    reader.whole();
    const std::int64_t expected = i == 0   ? 0
                                  : i == 1 ? angles[0]
                                           : 2 * angles[i - 1] - angles[i - 2];
    angles[i] = expected + reader.whole();
    EXPECT_NEAR(step * static_cast<double>(angles[i]), kSpin * frames[i].time, step);
    reader.whole();
    reader.whole();
    for (int k = 0; k < 3; ++k) EXPECT_EQ(reader.count(), 0U);
  }
}

}  // namespace
}  // namespace collapse
