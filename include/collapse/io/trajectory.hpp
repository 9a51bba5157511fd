#pragma once
/// The file that `run` writes: the scene, the options and all frames (docs/formats.md, "The trajectory
/// file"). It can be read while it grows, and whatever kills the writer, every complete frame is readable.
/// The same run gives the same bytes.

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "collapse/simulate/simulation.hpp"

namespace collapse {

/// The state at one time, and what happened since the frame before.
template <int Dim>
struct Frame {
  std::int64_t number = 0;
  double time = 0.0;
  std::uint64_t hash = 0;  ///< StateHash over the states of this frame and all before it
  State<Dim> state;
  std::vector<std::uint8_t> frozen;         ///< of each body
  std::vector<ContactForce<Dim>> contacts;  ///< that carried force in the last step, sorted by id
  std::vector<ContactChange> changes;       ///< since the frame before
  std::vector<Incident> incidents;          ///< not told in a frame before
  Account account;
  std::vector<double> snapshot;  ///< of the simulation, in checkpoints (io/recorder.hpp) only
};

struct TrajectoryHeader {
  std::string command = "run";  ///< that wrote it
  std::string tool;             ///< its version
  /// All that the motion depends on besides the scene, as name and value; in the order of writing.
  std::vector<std::pair<std::string, std::string>> options;
  int dimension = 2;
  int bodies = 0;
  int points = 0;     ///< of the framework
  std::string scene;  ///< a scene file's text that needs no other files
};

/// Appends frames; each is written by one call to the system. Throws Error, with the file's name, where
/// that fails. While it lives no other writer gets at the file.
class TrajectoryWriter {
 public:
  /// A new file. One that is there is replaced if it is empty or a trajectory; anything else only if `force`.
  TrajectoryWriter(const std::string& path, const TrajectoryHeader& header, bool force = false);
  /// Goes on after the first `bytes` bytes of a file; the rest is cut off.
  TrajectoryWriter(const std::string& path, std::uint64_t bytes);
  ~TrajectoryWriter();
  TrajectoryWriter(const TrajectoryWriter&) = delete;
  TrajectoryWriter& operator=(const TrajectoryWriter&) = delete;

  template <int Dim>
  void write(const Frame<Dim>& frame);
  /// Says that the run reached its end with `last`.
  template <int Dim>
  void finish(const Frame<Dim>& last);

 private:
  void open();
  void cut(std::uint64_t bytes);
  void put(const std::string& bytes);
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const;

  std::string path_;
  int file_ = -1;
};

/// The file as blocks: what can be told of a trajectory whether it is in the plane or in space. Whatever the bytes, they
/// are understood or give an Error with the file's name. A file that grows is looked at as it was when opened or last
/// refreshed.
class TrajectoryFile {
 public:
  /// Reads the header and finds the frames by their lengths; their content is looked at when they are read.
  explicit TrajectoryFile(const std::string& path);
  ~TrajectoryFile();
  TrajectoryFile(TrajectoryFile&& other) noexcept;
  TrajectoryFile& operator=(TrajectoryFile&&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const TrajectoryHeader& header() const { return header_; }
  /// Complete ones. A torn one at the end does not count.
  [[nodiscard]] std::int64_t frames() const { return std::ssize(index_); }
  /// The run reached its end. Otherwise it goes on, or was stopped.
  [[nodiscard]] bool finished() const { return finished_; }
  /// What is wrong with the file behind its last frame, in words; empty if nothing is. A torn frame is not wrong.
  [[nodiscard]] const std::string& fault() const { return fault_; }

  /// A frame as it is in the file, checked against its checksum.
  [[nodiscard]] std::string payload(std::int64_t number) const;
  /// The one whose time is nearest, the earlier of two. There must be frames.
  [[nodiscard]] std::int64_t frame_near(double time) const;
  /// How many frames from the first on are undamaged. Reads them all.
  [[nodiscard]] std::int64_t good_frames() const;
  /// Length of the file up to the end of this frame.
  [[nodiscard]] std::uint64_t end_of(std::int64_t number) const;

  /// Looks for frames that were added. True if there are any, or the run has ended since.
  bool refresh();

 private:
  struct Block {
    std::uint64_t begin = 0;  ///< of the payload
    std::uint64_t length = 0;
  };

  void read_header();
  void scan();
  [[nodiscard]] std::string read(std::uint64_t begin, std::uint64_t length) const;
  [[nodiscard]] double time_of(std::int64_t number) const;
  [[noreturn]] void refuse(const std::string& place, const std::string& found,
                           const std::string& expected) const;

  std::string path_;
  int file_ = -1;
  TrajectoryHeader header_;
  std::vector<Block> index_;
  std::uint64_t scanned_ = 0;  ///< up to here the blocks are known
  bool finished_ = false;
  std::string fault_;
};

/// The same with its scene and frames.
template <int Dim>
class TrajectoryReader : public TrajectoryFile {
 public:
  /// Throws Error if the file is of the other dimension, too.
  explicit TrajectoryReader(const std::string& path) : TrajectoryReader(TrajectoryFile(path)) {}
  explicit TrajectoryReader(TrajectoryFile file);

  /// What the header's text describes.
  [[nodiscard]] const Scene<Dim>& scene() const { return scene_; }
  /// Frame 0, …, frames() − 1. Throws Error where its bytes are damaged, with the number of good frames.
  [[nodiscard]] Frame<Dim> frame(std::int64_t number) const;

 private:
  Scene<Dim> scene_;
};

extern template class TrajectoryReader<2>;
extern template class TrajectoryReader<3>;

/// In the plane or in space, as the header says: for std::visit.
using AnyTrajectory = std::variant<TrajectoryReader<2>, TrajectoryReader<3>>;
[[nodiscard]] AnyTrajectory open_trajectory(const std::string& path);

/// Whether a file begins like a trajectory, if only by its first bytes. Not if it is empty or not there.
[[nodiscard]] bool is_trajectory(const std::string& path);
/// Whether its header is complete: a run that is killed at its very beginning leaves less.
[[nodiscard]] bool has_trajectory_header(const std::string& path);

}  // namespace collapse
