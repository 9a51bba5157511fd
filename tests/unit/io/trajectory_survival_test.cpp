/// Whatever happens to the bytes of a trajectory: every frame before the damage is read, and nothing but an
/// Error comes of the rest.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "collapse/core/error.hpp"
#include "io/trajectory_format.hpp"
#include "tests/support/mutation.hpp"
#include "tests/support/sample_trajectory.hpp"
#include "tests/support/temporary_folder.hpp"

namespace collapse::testing {
namespace {

struct SampleFile {
  std::string bytes;
  std::size_t header_end = 0;
  std::vector<std::size_t> ends;  ///< of the frames
};

template <int Dim>
SampleFile sample_file(const TemporaryFolder& folder, int frames) {
  SampleFile sample;
  Random random(11);
  {
    TrajectoryWriter writer(folder.file("whole"), sample_header<Dim>());
    sample.header_end = folder.read("whole").size();
    Frame<Dim> frame;
    for (int i = 0; i < frames; ++i) {
      frame = sample_frame<Dim>(i, random);
      writer.write(frame);
      sample.ends.push_back(folder.read("whole").size());
    }
    writer.finish(frame);
  }
  sample.bytes = folder.read("whole");
  return sample;
}

/// Reads all there is. The number of frames, −1 if not even the header can be read.
std::int64_t frames_read(const std::string& path, bool* damaged = nullptr) {
  const auto told = [&](const Error& error) {
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
    EXPECT_FALSE(error.found().empty());
    EXPECT_FALSE(error.expected().empty());
    EXPECT_EQ(error.file(), path);
    if (damaged != nullptr) *damaged = true;
  };
  std::int64_t good = -1;
  try {
    const AnyTrajectory any = open_trajectory(path);
    good = 0;
    std::visit(
        [&](const auto& reader) {
          if (damaged != nullptr) *damaged = !reader.fault().empty();
          while (good < reader.frames()) {
            const auto frame = reader.frame(good);
            EXPECT_EQ(frame.state.poses.size(), reader.scene().bodies.size());
            EXPECT_EQ(frame.number, good);
            ++good;
          }
        },
        any);
  } catch (const Error& error) {
    told(error);
  }
  return good;
}

template <class Type>
class TrajectorySurvival : public ::testing::Test {};
TYPED_TEST_SUITE(TrajectorySurvival, BothDimensions, DimensionNames);

TYPED_TEST(TrajectorySurvival, AKillAtAnyByteLeavesEveryCompleteFrame) {
  const TemporaryFolder folder("trajectory-kill");
  const SampleFile sample = sample_file<TypeParam::kDim>(folder, 5);
  const std::string path = folder.write("torn", sample.bytes);
  for (std::size_t length = sample.bytes.size() + 1; length-- > 0;) {
    std::filesystem::resize_file(path, length);
    std::int64_t expected = length < sample.header_end ? -1 : 0;
    for (const std::size_t end : sample.ends) expected += end <= length ? 1 : 0;
    bool damaged = false;
    ASSERT_EQ(frames_read(path, &damaged), expected) << length;
    // A torn end is no damage: the run may be going on.
    EXPECT_EQ(damaged, length < sample.header_end) << length;
    EXPECT_EQ(has_trajectory_header(path), length >= sample.header_end) << length;
    EXPECT_EQ(is_trajectory(path), length > 0) << length;
  }
}

TYPED_TEST(TrajectorySurvival, AFlippedByteIsNoticedAndTheFramesBeforeItAreRead) {
  const TemporaryFolder folder("trajectory-flip");
  const SampleFile sample = sample_file<TypeParam::kDim>(folder, 5);
  const std::string path = folder.write("flipped", sample.bytes);
  const auto put = [&](std::size_t at, char byte) {
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary)
        .seekp(static_cast<std::streamoff>(at))
        .put(byte);
  };
  for (std::size_t at = 0; at < sample.bytes.size(); ++at) {
    if (at > 0) put(at - 1, sample.bytes[at - 1]);
    put(at, static_cast<char>(sample.bytes[at] ^ (1 << (at % 8))));
    std::int64_t before = 0;
    for (const std::size_t end : sample.ends) before += end <= at ? 1 : 0;
    const bool in_header = at < sample.header_end;
    bool damaged = false;
    ASSERT_EQ(frames_read(path, &damaged), in_header ? -1 : before) << at;
    EXPECT_TRUE(damaged) << at;
    if (in_header) continue;
    const TrajectoryFile reader(path);
    EXPECT_EQ(reader.good_frames(), before);
    EXPECT_FALSE(reader.finished() && reader.good_frames() == 5);
  }
}

TYPED_TEST(TrajectorySurvival, ADamagedFrameSaysHowManyAreGood) {
  const TemporaryFolder folder("trajectory-words");
  const SampleFile sample = sample_file<TypeParam::kDim>(folder, 5);
  std::string bytes = sample.bytes;
  bytes[sample.ends[3] - 20] ^= 1;
  const TrajectoryReader<TypeParam::kDim> reader(folder.write("damaged", bytes));
  try {
    static_cast<void>(reader.frame(3));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), "frame 3");
    EXPECT_NE(error.expected().find("the 3 frames before it are good"), std::string::npos);
  }
}

TYPED_TEST(TrajectorySurvival, MutatedFilesAreReadOrRefused) {
  const TemporaryFolder folder("trajectory-mutated");
  const SampleFile sample = sample_file<TypeParam::kDim>(folder, 4);
  Random random(3);
  int partly = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string path = folder.write("a", mutated(sample.bytes, sample.bytes, random));
    if (frames_read(path) > 0) ++partly;
  }
  EXPECT_GT(partly, 50);
}

/// Mutations behind valid checksums: hostile, not damaged.
TYPED_TEST(TrajectorySurvival, HostileBlocksAreReadOrRefused) {
  constexpr int kDim = TypeParam::kDim;
  Random random(5);
  const Scene<kDim> scene = parse_scene<kDim>(sample_scene<kDim>());
  int frames = 0;
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string payload = trajectory::encode_frame(sample_frame<kDim>(random.below(5), random));
    for (int k = 0; k <= random.below(3); ++k) {
      const std::size_t at =
          static_cast<std::size_t>(random.below(static_cast<int>(payload.size())));
      switch (random.below(4)) {
        case 0:
          payload[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          payload.resize(at);
          break;
        case 2:
          payload.insert(at, 8, '\0');
          break;
        default:
          for (std::size_t j = at; j < std::min(at + 8, payload.size()); ++j) payload[j] = '\xff';
          break;
      }
      if (payload.empty()) break;
    }
    try {
      const Frame<kDim> frame = trajectory::decode_frame(payload, scene);
      EXPECT_EQ(frame.state.poses.size(), 2U);
      EXPECT_EQ(frame.frozen.size(), 2U);
      for (const Pose<kDim>& pose : frame.state.poses) {
        EXPECT_TRUE(pose.position.allFinite());
        EXPECT_NEAR(pose.rotation.determinant(), 1.0, 1e-5);
      }
      for (const ContactForce<kDim>& contact : frame.contacts) {
        EXPECT_TRUE(contact.id.a >= kWorld && contact.id.a < 3);
      }
      ++frames;
    } catch (const Error& error) {
      EXPECT_FALSE(error.found().empty());
      ++refused;
    }
  }
  EXPECT_GT(frames, 1000);
  EXPECT_GT(refused, 1000);
}

TYPED_TEST(TrajectorySurvival, HostileHeadersAndLengthsAreRefused) {
  constexpr int kDim = TypeParam::kDim;
  const std::string& good_scene = sample_scene<kDim>();
  const TemporaryFolder folder("trajectory-hostile");
  const std::string opening(trajectory::kOpening);
  const std::string good = trajectory::encode_header(sample_header<kDim>());
  const auto file = [&](const std::string& header, const std::string& scene) {
    return folder.write(
        "a", opening + trajectory::block("HEAD", header) + trajectory::block("SCEN", scene));
  };
  EXPECT_EQ(frames_read(file(good, good_scene)), 0);
  const auto counted = [](const char* dimension, const char* bodies, const char* options) {
    return std::string(R"({"command":"run","tool":"","dimension":)") + dimension + R"(,"bodies":)" +
           bodies + R"(,"points":)" + std::to_string(kSamplePoints<kDim>) + R"(,"options":)" +
           options + "}";
  };
  const char* const here = kDim == 2 ? "2" : "3";
  EXPECT_EQ(frames_read(file(counted(here, "2", "{}"), good_scene)), 0);
  for (const std::string& header : std::vector<std::string>{
           "", "null", "[]", "{}", "{\"command\":", std::string(100'000, '['),
           counted(here, "1e300", "{}"), counted(here, "2.5", "{}"), counted(here, "-1", "{}"),
           counted(here, "99999999", "{}"), counted(kDim == 2 ? "3" : "2", "2", "{}"),
           counted("4", "2", "{}"), counted("1", "2", "{}"), counted("2.5", "2", "{}"),
           counted(here, "2", "[1]"), counted(here, "2", R"({"a":1})"),
           R"({"command":7,"tool":"","dimension":2,"bodies":2,"points":1,"options":{}})"}) {
    EXPECT_EQ(frames_read(file(header, good_scene)), -1) << header.substr(0, 100);
  }
  EXPECT_EQ(frames_read(file(good, "{}")), -1);
  EXPECT_EQ(frames_read(file(good, "")), -1);

  // A frame that says it is an exabyte long is torn, or too long to be one.
  static_cast<void>(file(good, good_scene));
  const std::string bytes = folder.read("a");
  for (const std::uint64_t length :
       {std::uint64_t{1} << 60, ~std::uint64_t{0}, std::uint64_t{1} << 31}) {
    std::string head = "FRAM";
    std::string length_bytes;
    for (unsigned i = 0; i < 8; ++i) length_bytes += static_cast<char>((length >> (8 * i)) & 0xffU);
    const std::uint64_t sum = trajectory::checksum(head + length_bytes);
    const auto folded = static_cast<std::uint32_t>(sum ^ (sum >> 32U));
    for (unsigned i = 0; i < 4; ++i) head += static_cast<char>((folded >> (8 * i)) & 0xffU);
    EXPECT_EQ(frames_read(folder.write("a", bytes + head + length_bytes + "some bytes")), 0);
  }
}

}  // namespace
}  // namespace collapse::testing
