/// Pages of motions in space: frames made by hand, read back.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "collapse/core/random.hpp"
#include "collapse/io/page.hpp"
#include "collapse/io/scene_reader.hpp"
#include "tests/support/page_data.hpp"

namespace collapse {
namespace {

using testing::data_of;
using testing::empty_page;
using testing::PageJson;
using testing::PageReader;
using testing::PageSeries;

const std::string kSpacePageScene = R"({"collapse": 1, "dimension": 3, "bodies": [
  {"name": "ground", "plane": {"normal": [0, 0, 1]}},
  {"name": "slab", "box": [4, 2, 1], "position": [0, 0, 3]},
  {"name": "table", "box": [1, 1, 1], "position": [9, 0, "1/2"], "fixed": true},
  {"name": "ball", "sphere": 1, "position": [5, 0, 1]}]})";

constexpr double kStep = 1.0 / 60.0;
const Vec<3> kFast(120.0, -80.0, 200.0);  // about 4.1 radians a step, more than half a turn
const Vec<3> kSlow(0.3, 0.2, -0.5);

/// The slab flies and turns fast, the ball slowly, from where they are in the scene.
Frame<3> flying(const Scene<3>& scene, int number) {
  Frame<3> frame;
  frame.number = number;
  frame.time = kStep * number;
  frame.state = initial_state(scene);
  const auto place = [&](std::size_t body, const Vec<3>& velocity, const Vec<3>& spin) {
    Pose<3>& pose = frame.state.poses[body];
    pose.rotation = Eigen::AngleAxisd(frame.time * spin.norm(), spin.normalized()) * pose.rotation;
    pose.position += frame.time * velocity;
    frame.state.velocities[body] << velocity, spin;
  };
  place(1, {1.0, 2.0, -3.0}, kFast);
  place(3, {-0.5, 0.0, 0.25}, kSlow);
  frame.frozen.assign(scene.bodies.size(), 0);
  return frame;
}

std::string page_of(const Scene<3>& scene, const std::vector<Frame<3>>& frames,
                    const PageOptions& options = {}) {
  std::string text;
  const std::string empty = empty_page();
  MotionPage<3> page(empty, scene, TrajectoryHeader{}, true, options,
                     [&](std::string_view piece) { text += piece; });
  for (const Frame<3>& frame : frames) page.add(frame);
  page.finish();
  return text;
}

ContactForce<3> force_between(int a, int b, int end, const Vec<3>& point, const Vec<3>& force) {
  ContactForce<3> contact;
  contact.id.a = a;
  contact.id.b = b;
  contact.id.end = end;
  contact.point = point;
  contact.normal = Vec<3>::UnitZ();
  contact.force = force;
  return contact;
}

/// Where the slab and the ball are, as a page tells it: columns of x, y, z and of quaternions.
struct SpaceColumns {
  std::array<std::array<PageSeries, 2>, 7> columns;

  void read(PageReader& reader) {
    for (auto& column : columns) {
      for (PageSeries& series : column) series.next(reader.whole());
    }
  }
  [[nodiscard]] double value(std::size_t column, std::size_t body) const {
    return static_cast<double>(columns[column][body].values.back());
  }
  [[nodiscard]] Eigen::Quaterniond turn(std::size_t body) const {
    return Eigen::Quaterniond(value(6, body), value(3, body), value(4, body), value(5, body))
        .normalized();
  }
};

TEST(PageInSpace, HoldsPlacesAndTurnsToWithinTheirSteps) {
  const Scene<3> scene = parse_scene<3>(kSpacePageScene);
  std::vector<Frame<3>> frames;
  for (int i = 0; i < 40; ++i) frames.push_back(flying(scene, i));
  PageOptions options;
  options.forces = false;
  PageReader reader(data_of(page_of(scene, frames, options)));
  const PageJson header = reader.header();
  EXPECT_EQ(header["dimension"], 3);
  EXPECT_EQ(header["moving"], PageJson({1, 3}));
  EXPECT_EQ(header["hasForces"], false);
  EXPECT_EQ(header["motion"]["finished"], true);
  const double length = header["quanta"]["length"];
  const double step = header["quanta"]["angle"];
  EXPECT_LE(length, 2e-4);
  EXPECT_LE(step, 1e-4);
  SpaceColumns columns;
  const std::array<std::size_t, 2> bodies{1, 3};
  const std::array<double, 2> spins{kFast.norm(), kSlow.norm()};
  std::array<Eigen::Quaterniond, 2> last;
  for (const Frame<3>& frame : frames) {
    EXPECT_EQ(reader.real(), frame.time);
    EXPECT_EQ(reader.real(), frame.account.energy);
    static_cast<void>(reader.real());
    EXPECT_EQ(reader.count(), 0U);
    columns.read(reader);
    for (std::size_t k = 0; k < 2; ++k) {
      const Pose<3>& pose = frame.state.poses[bodies[k]];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(length * columns.value(axis, k), pose.position[static_cast<int>(axis)],
                    0.5 * length + 1e-12);
      }
      const Eigen::Quaterniond turn = columns.turn(k);
      // Four components, each off by half a step at most; an angle is off by twice as much.
      EXPECT_LT((turn.toRotationMatrix() - pose.rotation).norm(), 3.0 * step);
      if (frame.number > 0) {
        // From frame to frame the way that the body went, also where that is the longer one.
        const double turned = 2.0 * std::acos(std::clamp(turn.dot(last[k]), -1.0, 1.0));
        EXPECT_NEAR(turned, kStep * spins[k], 3e-2);
      }
      last[k] = turn;
    }
    EXPECT_EQ(reader.count(), 0U);  // nothing froze
  }
  EXPECT_TRUE(reader.done());
}

TEST(PageInSpace, TellsTheEnergyOfTurning) {
  const Scene<3> scene = parse_scene<3>(kSpacePageScene);
  Frame<3> frame = flying(scene, 7);
  // Turned, about the slab's own y axis: its moment of inertia is m (a² + c²)/12 with m = 8, a = 4, c = 1.
  const Vec<3> spin = 3.0 * frame.state.poses[1].rotation.col(1);
  frame.state.velocities[1] << Vec<3>(1.0, 2.0, 2.0), spin;
  frame.state.velocities[3].setZero();
  PageReader reader(data_of(page_of(scene, {frame})));
  static_cast<void>(reader.header());
  static_cast<void>(reader.real());
  static_cast<void>(reader.real());
  EXPECT_NEAR(reader.real(), 0.5 * 8.0 * 9.0 + 0.5 * 8.0 * 17.0 / 12.0 * 9.0, 1e-9);
}

TEST(PageInSpace, TellsWhoFreezesAndThaws) {
  const Scene<3> scene = parse_scene<3>(kSpacePageScene);
  std::vector<Frame<3>> frames;
  const std::vector<std::pair<int, int>> frozen{{0, 0}, {1, 1}, {0, 1}, {0, 1}, {0, 0}};
  for (const auto& [slab, ball] : frozen) {
    frames.push_back(flying(scene, static_cast<int>(frames.size())));
    frames.back().frozen[1] = static_cast<std::uint8_t>(slab);
    frames.back().frozen[3] = static_cast<std::uint8_t>(ball);
  }
  PageOptions options;
  options.forces = false;
  PageReader reader(data_of(page_of(scene, frames, options)));
  static_cast<void>(reader.header());
  SpaceColumns columns;
  std::array<int, 2> now{0, 0};
  for (const auto& [slab, ball] : frozen) {
    for (int i = 0; i < 3; ++i) static_cast<void>(reader.real());
    static_cast<void>(reader.count());
    columns.read(reader);
    const std::uint64_t changed = reader.count();
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < changed; ++i) {
      const std::uint64_t which = next + reader.count();
      ASSERT_LT(which, 2U);
      now[which] = 1 - now[which];
      next = which + 1;
    }
    EXPECT_EQ(now[0], slab);
    EXPECT_EQ(now[1], ball);
  }
  EXPECT_TRUE(reader.done());
}

/// One pair, with a force in every direction there is, one after the other.
TEST(PageInSpace, HoldsForcesAndWhereTheyAct) {
  const Scene<3> scene = parse_scene<3>(kSpacePageScene);
  Random random(11);
  std::vector<Frame<3>> frames;
  for (int i = 0; i < 200; ++i) {
    Frame<3> frame = flying(scene, i);
    const Vec<3> force(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    const double size = std::exp(random.between(-9, 9));
    const Vec<3> at = frame.state.poses[1].position + Vec<3>(0.5, random.between(-1, 1), 0.25);
    frame.contacts = {force_between(0, 1, 0, at, 0.75 * size * force),
                      force_between(0, 1, 1, at + Vec<3>(1, 0, 0), 0.25 * size * force)};
    frame.changes = {{frame.time, frame.contacts[1].id, true}};
    frames.push_back(frame);
  }
  PageReader reader(data_of(page_of(scene, frames)));
  const PageJson header = reader.header();
  const double length = header["quanta"]["length"];
  const double point = header["quanta"]["point"];
  SpaceColumns columns;
  std::array<std::int64_t, 6> numbers{};
  for (const Frame<3>& frame : frames) {
    for (int i = 0; i < 3; ++i) static_cast<void>(reader.real());
    EXPECT_EQ(reader.count(), 2U);
    columns.read(reader);
    EXPECT_EQ(reader.count(), 0U);
    if (frame.number == 0) {
      EXPECT_EQ(reader.count(), 1U);
      EXPECT_EQ(reader.count(), 0U);
      EXPECT_EQ(reader.count(), 1U);
    } else {
      EXPECT_EQ(reader.count(), 0U);
    }
    ASSERT_EQ(reader.count(), 1U);
    EXPECT_EQ(reader.count(), 0U);
    for (std::int64_t& number : numbers) number += reader.whole();
    const Vec<3> sum = frame.contacts[0].force + frame.contacts[1].force;
    const Vec<3> at = frame.contacts[0].point + Vec<3>(0.25, 0, 0);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(length * columns.value(k, 0) + point * static_cast<double>(numbers[k]),
                  at[static_cast<int>(k)], 0.5 * point + 1e-12);
    }
    EXPECT_NEAR(std::exp2(static_cast<double>(numbers[3]) / 256.0) / sum.norm(), 1.0, 2e-3);
    Vec<3> direction(static_cast<double>(numbers[4]), static_cast<double>(numbers[5]), 0.0);
    direction /= 256.0;
    direction.z() = 1.0 - direction.lpNorm<1>();
    if (direction.z() < 0.0) {  // beyond the equator: folded back
      const Vec<3> folded = direction;
      direction.x() = std::copysign(1.0 - std::abs(folded.y()), folded.x());
      direction.y() = std::copysign(1.0 - std::abs(folded.x()), folded.y());
    }
    const double off = std::acos(std::min(1.0, direction.normalized().dot(sum.normalized())));
    // Half a step along x and y and both together along z, seen from the middle of a face, √⅓ away.
    EXPECT_LT(off, std::sqrt(6.0) * 0.5 / 256.0 * std::sqrt(3.0));
    ASSERT_EQ(reader.count(), 1U);
    EXPECT_EQ(reader.count(), 1U);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(point * static_cast<double>(reader.whole()), frame.contacts[1].point[k],
                  0.5 * point + 1e-12);
    }
  }
  EXPECT_TRUE(reader.done());
}

}  // namespace
}  // namespace collapse
