/// What is written comes back, bit by bit, in the bytes that docs/formats.md describes.

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>

#include "collapse/core/error.hpp"
#include "io/trajectory_format.hpp"
#include "tests/support/sample_trajectory.hpp"
#include "tests/support/temporary_folder.hpp"

namespace collapse::testing {
namespace {

template <int Dim>
void expect_same_frame(const Frame<Dim>& a, const Frame<Dim>& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.hash, b.hash);
  ASSERT_EQ(a.state.poses.size(), b.state.poses.size());
  for (std::size_t i = 0; i < a.state.poses.size(); ++i) {
    EXPECT_TRUE(a.state.poses[i] == b.state.poses[i]);
    EXPECT_EQ(a.state.velocities[i], b.state.velocities[i]);
    EXPECT_EQ(std::signbit(a.state.velocities[i][1]), std::signbit(b.state.velocities[i][1]));
  }
  EXPECT_EQ(a.state.points, b.state.points);
  EXPECT_EQ(a.state.point_velocities, b.state.point_velocities);
  EXPECT_EQ(a.frozen, b.frozen);
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    EXPECT_TRUE(a.contacts[i].id == b.contacts[i].id);
    EXPECT_EQ(a.contacts[i].point, b.contacts[i].point);
    EXPECT_EQ(a.contacts[i].normal, b.contacts[i].normal);
    EXPECT_EQ(a.contacts[i].force, b.contacts[i].force);
  }
  ASSERT_EQ(a.changes.size(), b.changes.size());
  for (std::size_t i = 0; i < a.changes.size(); ++i) {
    EXPECT_EQ(a.changes[i].time, b.changes[i].time);
    EXPECT_TRUE(a.changes[i].id == b.changes[i].id);
    EXPECT_EQ(a.changes[i].closed, b.changes[i].closed);
  }
  ASSERT_EQ(a.incidents.size(), b.incidents.size());
  for (std::size_t i = 0; i < a.incidents.size(); ++i) {
    EXPECT_EQ(a.incidents[i].time, b.incidents[i].time);
    EXPECT_EQ(a.incidents[i].what, b.incidents[i].what);
  }
  EXPECT_EQ(a.account.steps, b.account.steps);
  EXPECT_EQ(a.account.iterations, b.account.iterations);
  EXPECT_EQ(a.account.worst_residual, b.account.worst_residual);
  EXPECT_EQ(a.account.crushed_steps, b.account.crushed_steps);
  EXPECT_EQ(a.snapshot, b.snapshot);
}

template <int Dim>
std::vector<Frame<Dim>> sample_frames(int count) {
  Random random(7);
  std::vector<Frame<Dim>> frames;
  for (int i = 0; i < count; ++i) frames.push_back(sample_frame<Dim>(i, random));
  return frames;
}

std::vector<double> documented_rotation(const Eigen::Matrix2d& r) { return {r(0, 0), r(1, 0)}; }
std::vector<double> documented_rotation(const Eigen::Matrix3d& r) {
  return {r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)};
}

template <class Type>
class Trajectory : public ::testing::Test {};
TYPED_TEST_SUITE(Trajectory, BothDimensions, DimensionNames);

TYPED_TEST(Trajectory, GivesBackWhatWasWritten) {
  constexpr int kDim = TypeParam::kDim;
  const TemporaryFolder folder("trajectory-back");
  const std::vector<Frame<kDim>> frames = sample_frames<kDim>(9);
  const TrajectoryHeader header = sample_header<kDim>();
  {
    TrajectoryWriter writer(folder.file("a"), header);
    for (const Frame<kDim>& frame : frames) writer.write(frame);
    writer.finish(frames.back());
  }
  const TrajectoryReader<kDim> reader(folder.file("a"));
  EXPECT_EQ(reader.header().command, "run");
  EXPECT_EQ(reader.header().tool, "test");
  EXPECT_EQ(reader.header().options, header.options);
  EXPECT_EQ(reader.header().scene, sample_scene<kDim>());
  EXPECT_EQ(reader.scene().bodies[1].name, "a, \"b\"");
  EXPECT_TRUE(reader.finished());
  EXPECT_EQ(reader.fault(), "");
  ASSERT_EQ(reader.frames(), 9);
  for (const std::int64_t i : {0, 8, 3, 1, 2, 4, 5, 6, 7}) {  // any order
    expect_same_frame(reader.frame(i), frames[static_cast<std::size_t>(i)]);
  }
  EXPECT_EQ(reader.frame_near(-1.0), 0);
  EXPECT_EQ(reader.frame_near(2.4 / 60.0), 2);
  EXPECT_EQ(reader.frame_near(2.6 / 60.0), 3);
  EXPECT_EQ(reader.frame_near(1e9), 8);
}

/// A second reader, from the description alone.
class ByHand {
 public:
  explicit ByHand(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string text(std::size_t length) {
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }
  std::uint64_t whole(std::size_t length) {
    std::uint64_t number = 0;
    const std::string part = text(length);
    for (std::size_t i = length; i-- > 0;) {
      number = number * 256 + static_cast<unsigned char>(part[i]);
    }
    return number;
  }
  double real() { return std::bit_cast<double>(whole(8)); }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

  static std::uint64_t fnv(const std::string& part) {
    std::uint64_t sum = 14695981039346656037ULL;
    for (const char c : part) {
      sum ^= static_cast<unsigned char>(c);
      sum *= 1099511628211ULL;
    }
    return sum;
  }
  std::string block(const std::string& tag) {
    EXPECT_EQ(text(4), tag);
    const std::uint64_t head_sum = whole(4);
    const std::string length_bytes = text(8);
    const std::uint64_t expected = fnv(tag + length_bytes);
    EXPECT_EQ(head_sum, (expected ^ (expected >> 32)) & 0xffffffffU);
    const std::string payload = text(ByHand(length_bytes).whole(8));
    EXPECT_EQ(whole(8), fnv(payload));
    return payload;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

TYPED_TEST(Trajectory, BytesAreAsDocumented) {
  constexpr int kDim = TypeParam::kDim;
  const TemporaryFolder folder("trajectory-bytes");
  const std::vector<Frame<kDim>> frames = sample_frames<kDim>(3);
  {
    TrajectoryWriter writer(folder.file("a"), sample_header<kDim>());
    for (const Frame<kDim>& frame : frames) writer.write(frame);
    writer.finish(frames.back());
  }
  EXPECT_EQ(ByHand::fnv("foobar"), 0x85944171f73967e8ULL);  // published
  ByHand file(folder.read("a"));
  EXPECT_EQ(file.text(8),
            "\x89"
            "CLPS\r\n\x1a");
  EXPECT_EQ(file.whole(8), 1U);
  EXPECT_TRUE(file.block("HEAD").starts_with("{\"command\":\"run\""));
  EXPECT_EQ(file.block("SCEN"), sample_scene<kDim>());
  for (const Frame<kDim>& frame : frames) {
    ByHand payload(file.block("FRAM"));
    EXPECT_EQ(payload.whole(8), static_cast<std::uint64_t>(frame.number));
    EXPECT_EQ(payload.real(), frame.time);
    EXPECT_EQ(payload.whole(8), frame.hash);
    payload.text(13 * 8);  // account
    for (int i = 0; i < 2; ++i) {
      const Pose<kDim>& pose = frame.state.poses[static_cast<std::size_t>(i)];
      for (const double number : pose.position) EXPECT_EQ(payload.real(), number);
      for (const double number : documented_rotation(pose.rotation)) {
        EXPECT_EQ(payload.real(), number);
      }
      for (const double speed : frame.state.velocities[static_cast<std::size_t>(i)]) {
        EXPECT_EQ(payload.real(), speed);
      }
    }
    for (std::size_t i = 0; i < kSamplePoints<kDim>; ++i) {
      for (const double number : frame.state.points[i]) EXPECT_EQ(payload.real(), number);
      for (const double number : frame.state.point_velocities[i]) {
        EXPECT_EQ(payload.real(), number);
      }
    }
    EXPECT_EQ(payload.whole(1), frame.frozen[0]);
    EXPECT_EQ(payload.whole(1), frame.frozen[1]);
    ASSERT_EQ(payload.whole(8), frame.contacts.size());
    for (const ContactForce<kDim>& contact : frame.contacts) {
      EXPECT_EQ(payload.whole(4), 0U);
      EXPECT_EQ(payload.whole(4), 1U);
      EXPECT_EQ(payload.whole(1), 3U);
      EXPECT_EQ(payload.whole(4), 0U);
      EXPECT_EQ(payload.whole(1), kDim == 2 ? 0U : 6U);
      EXPECT_EQ(payload.whole(4), 70'000U);
      EXPECT_EQ(payload.whole(kDim == 2 ? 1 : 2), kDim == 2 ? 1U : 300U);
      for (const Vec<kDim>* vector : {&contact.point, &contact.normal, &contact.force}) {
        for (const double number : *vector) EXPECT_EQ(payload.real(), number);
      }
    }
  }
  ByHand end(file.block("DONE"));
  EXPECT_EQ(end.whole(8), 3U);
  EXPECT_EQ(end.whole(8), frames.back().hash);
  EXPECT_EQ(file.at(), file.size());
}

TYPED_TEST(Trajectory, CanBeReadWhileItGrows) {
  constexpr int kDim = TypeParam::kDim;
  const TemporaryFolder folder("trajectory-grows");
  const std::vector<Frame<kDim>> frames = sample_frames<kDim>(5);
  TrajectoryWriter writer(folder.file("a"), sample_header<kDim>());
  TrajectoryReader<kDim> reader(folder.file("a"));
  EXPECT_EQ(reader.frames(), 0);
  EXPECT_FALSE(reader.refresh());
  for (const Frame<kDim>& frame : frames) {
    writer.write(frame);
    EXPECT_TRUE(reader.refresh());
    ASSERT_EQ(reader.frames(), frame.number + 1);
    expect_same_frame(reader.frame(frame.number), frame);
    EXPECT_FALSE(reader.finished());
  }
  writer.finish(frames.back());
  EXPECT_TRUE(reader.refresh());
  EXPECT_TRUE(reader.finished());
  EXPECT_FALSE(reader.refresh());
}

TYPED_TEST(Trajectory, GoesOnWhereItIsCut) {
  constexpr int kDim = TypeParam::kDim;
  const TemporaryFolder folder("trajectory-cut");
  const std::vector<Frame<kDim>> frames = sample_frames<kDim>(6);
  {
    TrajectoryWriter writer(folder.file("a"), sample_header<kDim>());
    for (const Frame<kDim>& frame : frames) writer.write(frame);
    writer.finish(frames.back());
  }
  const std::string whole = folder.read("a");
  for (std::int64_t kept = 1; kept <= 6; ++kept) {
    const std::uint64_t bytes = TrajectoryReader<kDim>(folder.file("a")).end_of(kept - 1);
    TrajectoryWriter writer(folder.file("a"), bytes);
    for (std::size_t i = static_cast<std::size_t>(kept); i < 6; ++i) writer.write(frames[i]);
    writer.finish(frames.back());
    EXPECT_EQ(folder.read("a"), whole);
  }
}

/// Files that were written before there were motions in space are read, and new ones are the same.
TEST(TrajectoryFiles, BytesInThePlaneAreWhatTheyWereBeforeSpace) {
  const TemporaryFolder folder("trajectory-golden");
  TrajectoryHeader header;
  header.tool = "golden";
  header.options = {{"scheme", "position"}, {"loads", ""}};
  header.bodies = 2;
  header.points = 1;
  header.scene = kSampleScene;
  Frame<2> frame;
  for (int i = 0; i < 2; ++i) {
    Pose<2>& pose = frame.state.poses.emplace_back();
    pose.position = {1.25 + i, -0.5};
    pose.rotation << 0.6, -0.8, 0.8, 0.6;
    frame.state.velocities.emplace_back(0.125, -2.0, 3.0);
    frame.frozen.push_back(static_cast<std::uint8_t>(i));
  }
  frame.state.points.emplace_back(5.0, 5.5);
  frame.state.point_velocities.emplace_back(-0.0, 1e-300);
  ContactId id;
  id.b = 2;
  id.feature_a = {FeatureKind::half_space, 0};
  id.feature_b = {FeatureKind::ball, 70'000};
  id.end = 1;
  frame.contacts.push_back({id, {1, 2}, {0, 1}, {3, 4}});
  frame.changes.push_back({0.25, id, true});
  frame.incidents.push_back({0.25, "é"});
  frame.account.steps = 3;
  frame.account.least_energy = -7.5;
  frame.account.crushed_steps = 2;
  frame.snapshot = {1.5, -2.5};
  {
    TrajectoryWriter writer(folder.file("a"), header);
    for (frame.number = 0; frame.number < 3; ++frame.number) {
      frame.time = 0.25 * static_cast<double>(frame.number);
      frame.hash = 0x0123456789abcdefULL + static_cast<std::uint64_t>(frame.number);
      writer.write(frame);
    }
    --frame.number;
    writer.finish(frame);
  }
  EXPECT_EQ(folder.read("a").size(), 1811U);
  EXPECT_EQ(ByHand::fnv(folder.read("a")), 0xf80014922f11a5bfULL);
}

/// Words of the Error of `action`.
template <class Action>
std::string trajectory_error(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_FALSE(error.found().empty());
    EXPECT_FALSE(error.expected().empty());
    return error.what();
  }
  return "no error";
}

TEST(TrajectoryFiles, WriterReplacesTrajectoriesAndNothingElse) {
  const TemporaryFolder folder("trajectory-replace");
  folder.write("notes", "my only copy");
  const auto create = [&](const std::string& name, bool force) {
    const TrajectoryWriter writer(folder.file(name), sample_header(), force);
  };
  EXPECT_NE(trajectory_error([&] { create("notes", false); }).find("not a trajectory"),
            std::string::npos);
  EXPECT_EQ(folder.read("notes"), "my only copy");
  create("notes", true);
  const std::string fresh = folder.read("notes");
  EXPECT_TRUE(is_trajectory(folder.file("notes")));
  folder.write("notes", fresh + std::string(5000, 'x'));
  create("notes", false);
  EXPECT_EQ(folder.read("notes"), fresh);
  folder.write("empty", "");
  create("empty", false);
  EXPECT_EQ(folder.read("empty"), fresh);
}

TEST(TrajectoryFiles, TwoWritersDoNotGetAtOneFile) {
  const TemporaryFolder folder("trajectory-lock");
  const TrajectoryWriter first(folder.file("a"), sample_header());
  EXPECT_NE(trajectory_error([&] {
              const TrajectoryWriter second(folder.file("a"), sample_header());
            }).find("another run"),
            std::string::npos);
}

TEST(TrajectoryFiles, FullDisksAndMissingFoldersAreErrors) {
  const TemporaryFolder folder("trajectory-full");
  EXPECT_NE(trajectory_error([&] {
              const TrajectoryWriter writer("/dev/full", sample_header());
            }).find("No space left"),
            std::string::npos);
  EXPECT_NE(trajectory_error([&] {
              const TrajectoryWriter writer(folder.file("no/such"), sample_header());
            }).find("No such file"),
            std::string::npos);
}

TEST(TrajectoryFiles, ReadersSayWhatIsNotATrajectory) {
  const TemporaryFolder folder("trajectory-other");
  const auto words = [&](const std::string& path) {
    return trajectory_error([&] { const TrajectoryReader<2> reader(path); });
  };
  EXPECT_NE(words(folder.file("missing")).find("no such file"), std::string::npos);
  EXPECT_NE(words(folder.file("")).find("a directory"), std::string::npos);
  EXPECT_NE(words(folder.write("a", "")).find("an empty file"), std::string::npos);
  EXPECT_NE(words(folder.write("a", kSampleScene)).find("not a trajectory"), std::string::npos);
  EXPECT_NE(words("/dev/null").find("pipe or device"), std::string::npos);
  const std::string opening(trajectory::kOpening);
  EXPECT_NE(words(folder.write("a", opening)).find("incomplete"), std::string::npos);
  std::string later = opening;
  later[8] = 2;
  EXPECT_NE(words(folder.write("a", later)).find("another version"), std::string::npos);
}

TEST(TrajectoryFiles, AThousandBodiesInAThousandFramesAreQuick) {
  const TemporaryFolder folder("trajectory-large");
  TrajectoryHeader header = sample_header();
  header.bodies = 1000;
  header.points = 0;
  header.scene = R"({"collapse": 1, "dimension": 2, "bodies": [{"disk": 1})";
  for (int i = 1; i < 1000; ++i) header.scene += R"(, {"disk": 1})";
  header.scene += "]}";
  Random random(1);
  Frame<2> frame;
  for (int i = 0; i < 1000; ++i) {
    frame.state.poses.emplace_back().position = {random.between(-1, 1), 0.0};
    frame.state.velocities.emplace_back(1, 2, 3);
    frame.frozen.push_back(0);
    frame.contacts.push_back({{}, {1, 2}, {0, 1}, {3, 4}});
  }
  const auto start = std::chrono::steady_clock::now();
  {
    TrajectoryWriter writer(folder.file("a"), header);
    for (frame.number = 0; frame.number < 1000; ++frame.number) writer.write(frame);
  }
  const auto written = std::chrono::steady_clock::now();
  const TrajectoryReader<2> reader(folder.file("a"));
  EXPECT_EQ(reader.frames(), 1000);
  EXPECT_EQ(reader.frame(999).state.poses.size(), 1000U);
  const auto found = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < reader.frames(); ++i) {
    EXPECT_EQ(reader.frame(i).state.poses[500].position, frame.state.poses[500].position);
  }
  const auto done = std::chrono::steady_clock::now();
  const auto seconds = [](auto from, auto to) {
    return std::chrono::duration<double>(to - from).count();
  };
  RecordProperty("write_s", std::to_string(seconds(start, written)));
  RecordProperty("open_s", std::to_string(seconds(written, found)));
  RecordProperty("read_s", std::to_string(seconds(found, done)));
  // Generous, for loaded and sanitized machines: 0.4, 0.03 and 0.4 are usual.
  EXPECT_LT(seconds(start, written), 30.0);
  EXPECT_LT(seconds(written, found), 10.0);
  EXPECT_LT(seconds(found, done), 30.0);
}

}  // namespace
}  // namespace collapse::testing
