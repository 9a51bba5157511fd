#include "collapse/io/recorder.hpp"

#include <algorithm>

#include "collapse/core/check.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"
#include "io/trajectory_format.hpp"

namespace collapse {
namespace {

template <int Dim>
void add_to_hash(StateHash& hash, const State<Dim>& state) {
  const auto add = [&](double number) { hash.add(number); };
  for (std::size_t i = 0; i < state.poses.size(); ++i) {
    trajectory::each_of_pose(state.poses[i], add);
    for (const double number : state.velocities[i]) add(number);
  }
  for (std::size_t i = 0; i < state.points.size(); ++i) {
    for (const double number : state.points[i]) add(number);
    for (const double number : state.point_velocities[i]) add(number);
  }
}

bool is_checkpoint(std::int64_t number) { return number % kCheckpointFrames == 0; }

}  // namespace

template <int Dim>
Recorder<Dim>::Recorder(Simulation<Dim>& simulation, std::int64_t steps_per_frame)
    : simulation_(simulation), steps_per_frame_(steps_per_frame) {
  COLLAPSE_DEMAND(steps_per_frame > 0);
}

/// What has been told is not told again: the simulation need not remember it, which a resumed one could not.
template <int Dim>
void Recorder<Dim>::collect() {
  const auto& changes = simulation_.changes();
  gathered_.changes.insert(gathered_.changes.end(), changes.begin(), changes.end());
  for (const Incident& incident : simulation_.incidents()) {
    if (told_.insert(incident.what).second) gathered_.incidents.push_back(incident);
  }
}

template <int Dim>
Frame<Dim> Recorder<Dim>::make_frame() {
  Frame<Dim> frame = std::exchange(gathered_, {});
  changes_ += std::ssize(frame.changes);
  incidents_.insert(incidents_.end(), frame.incidents.begin(), frame.incidents.end());
  frame.number = number_;
  frame.time = simulation_.time();
  frame.state = simulation_.state();
  add_to_hash(hash_, frame.state);
  frame.hash = hash_.value();
  frame.frozen = simulation_.frozen();
  frame.frozen.resize(frame.state.poses.size(), 0);
  frame.contacts = simulation_.contacts();
  frame.account = simulation_.account();
  if (is_checkpoint(number_)) {
    frame.snapshot = simulation_.snapshot();
    simulation_.forget();
  }
  return frame;
}

template <int Dim>
Frame<Dim> Recorder<Dim>::first() {
  collect();
  return make_frame();
}

template <int Dim>
std::optional<Frame<Dim>> Recorder<Dim>::next() {
  for (std::int64_t i = 0; i < steps_per_frame_; ++i) {
    if ((interrupt && interrupt()) || !simulation_.step()) return std::nullopt;
    collect();
    if (after_step) after_step();
  }
  ++number_;
  return make_frame();
}

template <int Dim>
void Recorder<Dim>::take(const Frame<Dim>& frame) {
  add_to_hash(hash_, frame.state);
  if (hash_.value() != frame.hash) {
    throw Error("frame " + std::to_string(frame.number), "a hash that is not that of the states",
                "an undamaged file");
  }
  number_ = frame.number;
  changes_ += std::ssize(frame.changes);
  incidents_.insert(incidents_.end(), frame.incidents.begin(), frame.incidents.end());
  for (const Incident& incident : frame.incidents) told_.insert(incident.what);
}

template <int Dim>
void Recorder<Dim>::restore(const Frame<Dim>& frame) {
  if (frame.snapshot.size() != simulation_.snapshot().size() ||
      frame.account.steps != frame.number * steps_per_frame_) {
    throw Error("frame " + std::to_string(frame.number), "a snapshot of something else",
                "one that the same version wrote");
  }
  simulation_.restore(frame.snapshot, frame.account, frame.contacts);
}

template class Recorder<2>;
template class Recorder<3>;

template <int Dim>
std::optional<Frame<Dim>> catch_up(const TrajectoryReader<Dim>& file, std::int64_t last,
                                   Recorder<Dim>& recorder) {
  const std::int64_t checkpoint = last - last % kCheckpointFrames;
  Frame<Dim> frame;
  for (std::int64_t i = 0; i <= checkpoint; ++i) {
    frame = file.frame(i);
    recorder.take(frame);
  }
  recorder.restore(frame);
  for (std::int64_t i = checkpoint + 1; i <= last; ++i) {
    std::optional<Frame<Dim>> again = recorder.next();
    if (!again) return std::nullopt;
    frame = *std::move(again);
    if (trajectory::encode_frame(frame) != file.payload(i)) {
      throw Error("frame " + std::to_string(i), "another motion than this program computes",
                  "a file that the same version wrote on a machine of the same kind");
    }
  }
  return frame;
}

template std::optional<Frame<2>> catch_up(const TrajectoryReader<2>&, std::int64_t, Recorder<2>&);
template std::optional<Frame<3>> catch_up(const TrajectoryReader<3>&, std::int64_t, Recorder<3>&);

std::string difference(const TrajectoryHeader& wanted, const TrajectoryHeader& found) {
  if (wanted.command != found.command) {
    return "a file written by `" + printable(found.command) + "`";
  }
  if (wanted.scene != found.scene) return "another scene than the one it was begun with";
  for (const auto& [name, value] : wanted.options) {
    const auto other =
        std::find_if(found.options.begin(), found.options.end(),
                     [&key = name](const auto& option) { return option.first == key; });
    if (other == found.options.end()) return "a file without the option " + in_quotes(name);
    if (other->second != value) {
      return printable(name) + " " + printable(value) + " where the file was begun with " +
             printable(other->second);
    }
  }
  if (wanted.options.size() != found.options.size()) return "a file with other options";
  if (wanted.bodies != found.bodies || wanted.points != found.points) {
    return "a file with another number of points";
  }
  return {};
}

}  // namespace collapse
