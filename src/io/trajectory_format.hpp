#pragma once
/// The bytes of a trajectory file (docs/formats.md). All numbers are little-endian, on every machine.
///
/// The file is the opening, then blocks: the header (JSON), the scene (its text), frames, and the end mark
/// of a run that reached its end. A block is
///
///     4 bytes   what it is, in letters
///     uint32    checksum of these letters and of the length
///     uint64    length of the payload
///     payload
///     uint64    checksum of the payload
///
/// The first checksum tells damage from a torn end: a length that can be believed but leads beyond the end
/// of the file belongs to a block that was being written.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collapse/core/error.hpp"
#include "collapse/io/trajectory.hpp"

namespace collapse::trajectory {

/// A first byte that is no text, and line ends that a transfer as text would change.
inline constexpr std::array<char, 16> kOpeningBytes{'\x89', 'C', 'L', 'P', 'S', '\r', '\n', '\x1a',
                                                    1,      0,   0,   0,   0,   0,    0,    0};
inline constexpr std::string_view kOpening(kOpeningBytes.data(), kOpeningBytes.size());
inline constexpr std::size_t kMagicBytes = 8;  ///< of the opening; the rest is the version
inline constexpr std::size_t kHeadBytes = 16;
inline constexpr std::size_t kTailBytes = 8;

inline constexpr std::string_view kHeaderTag = "HEAD";
inline constexpr std::string_view kSceneTag = "SCEN";
inline constexpr std::string_view kFrameTag = "FRAM";
inline constexpr std::string_view kEndTag = "DONE";

/// Longer blocks are damage: no machine writes them, and none should be asked to read them.
inline constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{16} << 20;
inline constexpr std::uint64_t kMaxFrameBytes = std::uint64_t{4} << 30;

/// FNV-1a.
[[nodiscard]] std::uint64_t checksum(std::string_view bytes);

/// With head and checksum.
[[nodiscard]] std::string block(std::string_view tag, std::string_view payload);

struct BlockHead {
  std::string tag;
  std::uint64_t length = 0;
};
/// From kHeadBytes bytes; nothing if they do not fit their checksum.
[[nodiscard]] std::optional<BlockHead> read_head(std::string_view bytes);
[[nodiscard]] std::uint64_t read_uint64(std::string_view bytes);

/// The numbers of a pose in the order of frames and of their hash: the position, then c, s in the plane and the matrix
/// row by row in space.
template <class Visit>
void each_of_pose(const Pose<2>& pose, const Visit& visit) {
  for (const double number : pose.position) visit(number);
  visit(pose.rotation(0, 0));
  visit(pose.rotation(1, 0));
}
template <class Visit>
void each_of_pose(const Pose<3>& pose, const Visit& visit) {
  for (const double number : pose.position) visit(number);
  for (Eigen::Index i = 0; i < 3; ++i) {
    for (Eigen::Index j = 0; j < 3; ++j) visit(pose.rotation(i, j));
  }
}

/// The payloads of blocks.
[[nodiscard]] std::string encode_header(const TrajectoryHeader& header);
template <int Dim>
[[nodiscard]] std::string encode_frame(const Frame<Dim>& frame);
[[nodiscard]] std::string encode_end(std::int64_t frames, std::uint64_t hash);

/// Without the scene. Throws Error, with its place in the header, where it cannot be used.
[[nodiscard]] TrajectoryHeader decode_header(std::string_view payload);
/// Throws Error (place empty) for anything that could not have come from encode_frame of a state of this
/// scene, and for numbers that are not finite.
template <int Dim>
[[nodiscard]] Frame<Dim> decode_frame(std::string_view payload, const Scene<Dim>& scene);
/// Time of a frame, unchecked, from its first kTimeBytes bytes.
inline constexpr std::size_t kTimeBytes = 16;
[[nodiscard]] double peek_time(std::string_view payload);

struct EndMark {
  std::int64_t frames = 0;
  std::uint64_t hash = 0;
};
[[nodiscard]] std::optional<EndMark> decode_end(std::string_view payload);

/// The same error as one about `what` in a file.
[[nodiscard]] Error told_of(const std::string& what, const Error& error);
/// How many frames there are before a damaged one.
[[nodiscard]] std::string good_words(std::int64_t frames);

}  // namespace collapse::trajectory
