#pragma once
/// A simulation's frames, one after the other, and how a recorded run goes on where it was stopped.
///
/// What a solver keeps from step to step for speed changes its results in the last bits. A resumed run
/// does not have it; so every run drops it at every checkpoint, and a resumed one begins at the last of these.

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "collapse/io/trajectory.hpp"

namespace collapse {

/// Frames 0, kCheckpointFrames, 2 kCheckpointFrames, … hold a snapshot.
inline constexpr std::int64_t kCheckpointFrames = 64;

template <int Dim>
class Recorder {
 public:
  /// The simulation is at its start and must not be stepped by others.
  Recorder(Simulation<Dim>& simulation, std::int64_t steps_per_frame);

  /// Called after every step.
  std::function<void()> after_step;
  /// Asked before every step, which a simulation at rest does not ask in: `true` interrupts.
  std::function<bool()> interrupt;

  /// Frame 0: the start.
  [[nodiscard]] Frame<Dim> first();
  /// The next one. Nothing if it was interrupted: then this recorder is of no more use.
  [[nodiscard]] std::optional<Frame<Dim>> next();

  /// Takes a frame as made; of the last one taken before going on with `next` the snapshot is restored.
  /// Throws Error (place `frame N`) if its hash is not that of the frames so far.
  void take(const Frame<Dim>& frame);
  /// From the frame taken last, a checkpoint.
  void restore(const Frame<Dim>& frame);

  /// Contact changes so far.
  [[nodiscard]] std::int64_t changes() const { return changes_; }
  /// All that were told so far, in order.
  [[nodiscard]] const std::vector<Incident>& incidents() const { return incidents_; }

 private:
  [[nodiscard]] Frame<Dim> make_frame();
  void collect();

  Simulation<Dim>& simulation_;
  std::int64_t steps_per_frame_;
  std::int64_t number_ = 0;
  StateHash hash_;
  Frame<Dim> gathered_;  ///< since the last frame: changes and incidents
  std::set<std::string> told_;
  std::vector<Incident> incidents_;
  std::int64_t changes_ = 0;
};

extern template class Recorder<2>;
extern template class Recorder<3>;

/// Brings `recorder`, which has made no frame yet, to frame `last` of `file`: the simulation is restored at
/// the checkpoint before it and computes again what came after that. Returns the frame; nothing if
/// it was interrupted. Throws Error if it finds other frames than the file has.
template <int Dim>
[[nodiscard]] std::optional<Frame<Dim>> catch_up(const TrajectoryReader<Dim>& file,
                                                 std::int64_t last, Recorder<Dim>& recorder);

/// Of the first option in which the headers differ, in words; empty if they agree.
[[nodiscard]] std::string difference(const TrajectoryHeader& wanted, const TrajectoryHeader& found);

}  // namespace collapse
