/// Whatever frame a run was stopped after, what goes on from its file are the bytes of the run that was not stopped.

#include "collapse/io/recorder.hpp"

#include <gtest/gtest.h>

#include "collapse/core/error.hpp"
#include "collapse/io/scene_reader.hpp"
#include "tests/support/sample_trajectory.hpp"
#include "tests/support/temporary_folder.hpp"

namespace collapse::testing {
namespace {

/// A turning box that falls on a corner, a ball that bounces, and a box that flies away.
constexpr const char* kThrownInPlane = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
  "materials": {"default": {"friction": "1/2", "restitution": "1/2"}},
  "bodies": [
    {"name": "floor", "plane": {"normal": [0, 1]}},
    {"name": "box", "box": [1, 2], "position": [0, "5/4"], "angle": 20, "spin": 1},
    {"name": "ball", "disk": "1/2", "position": [3, 1], "velocity": [-1, 0]},
    {"name": "far", "box": [1, 1], "position": [100, 100], "velocity": [1, 2], "spin": 3}]})";
constexpr const char* kThrownInSpace = R"({"collapse": 1, "dimension": 3, "gravity": [0, 0, -10],
  "materials": {"default": {"friction": "1/2", "restitution": "1/2"}},
  "bodies": [
    {"name": "floor", "plane": {"normal": [0, 0, 1]}},
    {"name": "box", "box": [1, 1, 2], "position": [0, 0, "5/4"], "rotation_vector": [20, 5, 0], "spin": [0, 1, 2]},
    {"name": "ball", "sphere": "1/2", "position": [3, 0, 1], "velocity": [-1, "1/8", 0]},
    {"name": "far", "box": [1, 2, 3], "position": [100, 100, 100], "velocity": [1, 2, 3], "spin": [1, 5, "1/10"]}]})";

template <int Dim>
std::string thrown() {
  return Dim == 2 ? kThrownInPlane : kThrownInSpace;
}

template <class Type>
class Recording : public ::testing::Test {
 protected:
  static constexpr int kFixtureDim = Type::kDim;

  [[nodiscard]] Simulation<kFixtureDim> start() const {
    return Simulation<kFixtureDim>(scene_, options_);
  }
  [[nodiscard]] TrajectoryHeader header() const {
    TrajectoryHeader header;
    header.dimension = kFixtureDim;
    header.bodies = static_cast<int>(scene_.bodies.size());
    header.scene = thrown<kFixtureDim>();
    return header;
  }
  void go_on(TrajectoryWriter& writer, Recorder<kFixtureDim>& recorder,
             Frame<kFixtureDim> frame) const {
    while (frame.number + 1 < kFrames) {
      frame = recorder.next().value();
      writer.write(frame);
    }
    writer.finish(frame);
  }
  void write_whole(const std::string& path) const {
    Simulation<kFixtureDim> simulation = start();
    Recorder<kFixtureDim> recorder(simulation, 1);
    TrajectoryWriter writer(path, header());
    Frame<kFixtureDim> first = recorder.first();
    writer.write(first);
    go_on(writer, recorder, std::move(first));
  }

  static constexpr std::int64_t kFrames = kCheckpointFrames + 8;
  Scene<kFixtureDim> scene_ = parse_scene<kFixtureDim>(thrown<kFixtureDim>());
  SimulationOptions options_;
};
TYPED_TEST_SUITE(Recording, BothDimensions, DimensionNames);

TYPED_TEST(Recording, GoesOnAfterEveryFrameToTheSameBytes) {
  constexpr int kDim = TypeParam::kDim;
  const TemporaryFolder folder("recorder-resume");
  this->options_.freezing = true;
  this->write_whole(folder.file("whole"));
  const std::string whole = folder.read("whole");
  const TrajectoryReader<kDim> reader(folder.file("whole"));
  ASSERT_EQ(reader.frames(), this->kFrames);
  EXPECT_FALSE(reader.frame(this->kFrames - 1).contacts.empty());
  for (std::int64_t last = 0; last < this->kFrames; ++last) {
    const std::string path =
        folder.write("torn", whole.substr(0, static_cast<std::size_t>(reader.end_of(last))));
    Simulation<kDim> simulation = this->start();
    Recorder<kDim> recorder(simulation, 1);
    const TrajectoryReader<kDim> torn(path);
    std::optional<Frame<kDim>> reached = catch_up(torn, last, recorder);
    ASSERT_TRUE(reached.has_value());
    EXPECT_EQ(reached->hash, reader.frame(last).hash);
    {
      TrajectoryWriter writer(path, torn.end_of(last));
      this->go_on(writer, recorder, *std::move(reached));
    }
    ASSERT_TRUE(folder.read("torn") == whole) << "stopped after frame " << last;
  }
}

TYPED_TEST(Recording, HashesAllNumbersOfAllStates) {
  constexpr int kDim = TypeParam::kDim;
  Simulation<kDim> simulation = this->start();
  Recorder<kDim> recorder(simulation, 2);
  const Frame<kDim> first = recorder.first();
  const Frame<kDim> second = recorder.next().value();
  EXPECT_NE(first.hash, second.hash);
  const auto hashed = [&](const Frame<kDim>& frame) {
    Simulation<kDim> other = this->start();
    Recorder<kDim> taker(other, 2);
    taker.take(frame);
  };
  EXPECT_NO_THROW(hashed(first));
  EXPECT_THROW(hashed(second), Error);  // it follows on the first
  const auto refused = [&](const auto& place_in) {
    Frame<kDim> changed = first;
    place_in(changed.state) += 0.5;
    EXPECT_THROW(hashed(changed), Error);
  };
  for (std::size_t body = 0; body < first.state.poses.size(); ++body) {
    refused([&](State<kDim>& s) -> double& { return s.poses[body].position[kDim - 1]; });
    refused([&](State<kDim>& s) -> double& { return s.poses[body].rotation(1, 0); });
    refused([&](State<kDim>& s) -> double& { return s.velocities[body][kDofs<kDim> - 1]; });
  }
}

TYPED_TEST(Recording, SnapshotsOfSomethingElseAreRefused) {
  constexpr int kDim = TypeParam::kDim;
  Simulation<kDim> simulation = this->start();
  Recorder<kDim> recorder(simulation, 1);
  Frame<kDim> frame = recorder.first();
  frame.snapshot.push_back(0.0);
  EXPECT_THROW(recorder.restore(frame), Error);
  frame.snapshot.pop_back();
  frame.account.steps = 7;
  EXPECT_THROW(recorder.restore(frame), Error);
}

}  // namespace
}  // namespace collapse::testing
