#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "collapse/core/check.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/json.hpp"
#include "io/trajectory_format.hpp"

namespace collapse {
namespace {

using trajectory::kHeadBytes;
using trajectory::kOpening;
using trajectory::kTailBytes;

/// As many bytes as there are, at most `length`; nothing where reading fails.
std::optional<std::string> read_some(int file, std::uint64_t begin, std::uint64_t length) {
  std::string bytes(static_cast<std::size_t>(length), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ::ssize_t count =
        ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<::off_t>(begin + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

std::uint64_t size_of(int file) {
  struct ::stat status = {};
  return ::fstat(file, &status) == 0 && status.st_size > 0
             ? static_cast<std::uint64_t>(status.st_size)
             : 0;
}

std::string opening_of(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return {};
  std::string bytes = read_some(file, 0, kOpening.size()).value_or("");
  ::close(file);
  return bytes;
}

}  // namespace

bool is_trajectory(const std::string& path) {
  const std::string bytes = opening_of(path).substr(0, trajectory::kMagicBytes);
  return !bytes.empty() && kOpening.starts_with(bytes);
}

bool has_trajectory_header(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  std::uint64_t at = kOpening.size();
  bool complete = true;
  for (int i = 0; i < 2 && complete; ++i) {
    const std::string bytes = read_some(file, at, kHeadBytes).value_or("");
    complete = bytes.size() == kHeadBytes;
    if (!complete) break;
    const auto head = trajectory::read_head(bytes);
    if (!head) break;  // damage, which the reader has words for
    const std::uint64_t rest = size_of(file) - std::min(size_of(file), at + kHeadBytes);
    complete = head->length <= rest && kTailBytes <= rest - head->length;
    at += kHeadBytes + head->length + kTailBytes;
  }
  ::close(file);
  return complete;
}

TrajectoryFile::TrajectoryFile(const std::string& path) : path_(path) {
  // A pipe without a writer must not block.
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) {
    refuse("", errno == ENOENT ? "no such file" : std::strerror(errno), "a trajectory file");
  }
  try {
    struct ::stat status = {};
    if (::fstat(file_, &status) == 0 && !S_ISREG(status.st_mode)) {
      refuse("", S_ISDIR(status.st_mode) ? "a directory" : "a pipe or device", "a trajectory file");
    }
    read_header();
    scan();
  } catch (...) {
    ::close(file_);
    throw;
  }
}

TrajectoryFile::~TrajectoryFile() {
  if (file_ >= 0) ::close(file_);
}

TrajectoryFile::TrajectoryFile(TrajectoryFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      header_(std::move(other.header_)),
      index_(std::move(other.index_)),
      scanned_(other.scanned_),
      finished_(other.finished_),
      fault_(std::move(other.fault_)) {}

void TrajectoryFile::refuse(const std::string& place, const std::string& found,
                            const std::string& expected) const {
  throw Error(place, found, expected).in_file(path_);
}

std::string TrajectoryFile::read(std::uint64_t begin, std::uint64_t length) const {
  std::optional<std::string> bytes = read_some(file_, begin, length);
  if (!bytes) refuse("", std::strerror(errno), "a file that can be read");
  return *std::move(bytes);
}

void TrajectoryFile::read_header() {
  const std::string opening = read(0, kOpening.size());
  const std::string torn = "the beginning of a trajectory whose header is incomplete";
  const std::string whole = "a trajectory file, as `run` writes it";
  const std::string magic = opening.substr(0, trajectory::kMagicBytes);
  if (opening.empty()) refuse("", "an empty file", whole);
  if (!kOpening.starts_with(magic)) refuse("", "a file that is not a trajectory", whole);
  if (!kOpening.starts_with(opening)) {
    refuse("", "a trajectory of another version", "version 1 of the format");
  }
  if (opening.size() < kOpening.size()) refuse("", torn, whole);

  std::uint64_t at = kOpening.size();
  const auto next = [&](std::string_view tag, std::uint64_t longest) {
    const std::string what(tag == trajectory::kHeaderTag ? "header" : "scene");
    const std::string bytes = read(at, kHeadBytes);
    if (bytes.size() < kHeadBytes) refuse("", torn, whole);
    const auto head = trajectory::read_head(bytes);
    if (!head || head->tag != tag || head->length > longest) {
      refuse(what, "damaged bytes", "an undamaged trajectory");
    }
    const std::uint64_t begin = at + kHeadBytes;
    at = begin + head->length + kTailBytes;
    if (at > size_of(file_)) refuse("", torn, whole);
    std::string payload = read(begin, head->length);
    const std::string sum = read(begin + head->length, kTailBytes);
    if (payload.size() < head->length || sum.size() < kTailBytes ||
        trajectory::checksum(payload) != trajectory::read_uint64(sum)) {
      refuse(what, "bytes that do not fit their checksum", "an undamaged trajectory");
    }
    return payload;
  };
  const std::string header = next(trajectory::kHeaderTag, trajectory::kMaxHeaderBytes);
  std::string scene = next(trajectory::kSceneTag, json::kMaxBytes);
  try {
    header_ = trajectory::decode_header(header);
  } catch (const Error& error) {
    throw trajectory::told_of("header", error).in_file(path_);
  }
  header_.scene = std::move(scene);
  scanned_ = at;
}

void TrajectoryFile::scan() {
  const std::uint64_t size = size_of(file_);
  fault_.clear();
  const auto stop = [&](const std::string& words) {
    fault_ = words + " after " +
             (index_.empty() ? "the header" : "frame " + std::to_string(index_.size() - 1));
  };
  while (scanned_ < size) {
    if (finished_) return stop("more bytes where the run had ended,");
    if (size - scanned_ < kHeadBytes) return;  // torn
    const std::string bytes = read(scanned_, kHeadBytes);
    if (bytes.size() < kHeadBytes) return;
    const auto head = trajectory::read_head(bytes);
    const bool is_frame = head && head->tag == trajectory::kFrameTag;
    const bool is_end = head && head->tag == trajectory::kEndTag;
    if ((!is_frame && !is_end) || head->length > trajectory::kMaxFrameBytes) {
      return stop("damaged bytes");
    }
    const Block block{scanned_ + kHeadBytes, head->length};
    const std::uint64_t rest = size - block.begin;
    if (rest < block.length || rest - block.length < kTailBytes) return;  // torn
    if (is_frame) {
      index_.push_back(block);
    } else {
      const std::string payload = read(block.begin, block.length);
      const std::string sum = read(block.begin + block.length, kTailBytes);
      const auto mark = trajectory::decode_end(payload);
      if (sum.size() < kTailBytes || !mark || mark->frames != frames() ||
          trajectory::checksum(payload) != trajectory::read_uint64(sum)) {
        return stop("a damaged end mark");
      }
      finished_ = true;
    }
    scanned_ = block.begin + block.length + kTailBytes;
  }
}

bool TrajectoryFile::refresh() {
  const std::size_t before = index_.size();
  const bool was_finished = finished_;
  if (size_of(file_) < scanned_) {
    refuse("", "a file that has become shorter", "one that only grows; open it again");
  }
  scan();
  return index_.size() > before || finished_ != was_finished;
}

std::string TrajectoryFile::payload(std::int64_t number) const {
  COLLAPSE_DEMAND(number >= 0 && number < frames());
  const Block& block = index_[static_cast<std::size_t>(number)];
  std::string bytes = read(block.begin, block.length + kTailBytes);
  const std::string_view whole = bytes;
  if (bytes.size() < block.length + kTailBytes ||
      trajectory::checksum(whole.substr(0, block.length)) !=
          trajectory::read_uint64(whole.substr(block.length))) {
    refuse("frame " + std::to_string(number), "bytes that do not fit their checksum",
           "an undamaged file; " + trajectory::good_words(number));
  }
  bytes.resize(block.length);
  return bytes;
}

std::int64_t TrajectoryFile::good_frames() const {
  for (std::int64_t i = 0; i < frames(); ++i) {
    try {
      static_cast<void>(payload(i));
    } catch (const Error&) {
      return i;
    }
  }
  return frames();
}

double TrajectoryFile::time_of(std::int64_t number) const {
  const Block& block = index_[static_cast<std::size_t>(number)];
  const std::string bytes =
      read(block.begin, std::min<std::uint64_t>(block.length, trajectory::kTimeBytes));
  if (bytes.size() < trajectory::kTimeBytes) {
    refuse("frame " + std::to_string(number), "a frame without a time", "an undamaged file");
  }
  return trajectory::peek_time(bytes);
}

std::int64_t TrajectoryFile::frame_near(double time) const {
  COLLAPSE_DEMAND(frames() > 0);
  // Frames are in order of time.
  std::int64_t low = 0;
  std::int64_t high = frames() - 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (time_of(middle) < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low > 0 && !(std::abs(time_of(low) - time) < std::abs(time_of(low - 1) - time)))
    return low - 1;
  return low;
}

std::uint64_t TrajectoryFile::end_of(std::int64_t number) const {
  COLLAPSE_DEMAND(number >= 0 && number < frames());
  const Block& block = index_[static_cast<std::size_t>(number)];
  return block.begin + block.length + kTailBytes;
}

}  // namespace collapse
