#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/run_report.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/recorder.hpp"

namespace collapse::cli {
namespace {

using RunClock = std::chrono::steady_clock;

double seconds_since(RunClock::time_point start) {
  return std::chrono::duration<double>(RunClock::now() - start).count();
}

/// The line on the terminal, ten times a second at most.
class RunProgress {
 public:
  RunProgress(const RunPlan& plan, std::size_t bodies) : plan_(plan), bodies_(bodies) {}

  void after_step() {
    ++steps_;
    const double now = seconds_since(start_);
    if (now - shown_ < 0.1) return;
    shown_ = now;
    const std::int64_t done = first_step_ + steps_;
    const std::int64_t all = (plan_.frames - 1) * plan_.steps_per_frame;
    const double speed = static_cast<double>(steps_) / now;
    line_.show(fmt::format(
        "{}time {:.3f} of {:.3f}, frame {} of {}, {} bodies, {:.3g} steps/s, {} left",
        again_ ? "computing again: " : "", static_cast<double>(done) * plan_.options.step,
        static_cast<double>(all) * plan_.options.step, done / plan_.steps_per_frame,
        plan_.frames - 1, bodies_, speed, in_words(static_cast<double>(all - done) / speed)));
  }
  /// The next steps bring a resumed run back to where it was.
  void computing_again(std::int64_t first_step) {
    first_step_ = first_step;
    again_ = true;
  }
  void going_on() { again_ = false; }
  void clear() { line_.show(""); }
  [[nodiscard]] double seconds() const { return seconds_since(start_); }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 private:
  static std::string in_words(double seconds) {
    if (seconds < 100.0) return fmt::format("{:.0f} s", seconds);
    if (seconds < 6000.0) return fmt::format("{:.0f} min", seconds / 60.0);
    return fmt::format("{:.0f} h", seconds / 3600.0);
  }

  const RunPlan& plan_;
  std::size_t bodies_;
  Progress line_;
  RunClock::time_point start_ = RunClock::now();
  double shown_ = 0.0;
  std::int64_t first_step_ = 0;
  std::int64_t steps_ = 0;
  bool again_ = false;
};

/// A file to go on with, or null if the run begins at the start. Throws Error if it was begun otherwise.
template <int Dim>
std::unique_ptr<TrajectoryReader<Dim>> earlier_part(const RunArguments& arguments,
                                                    const TrajectoryHeader& header) {
  const std::string& file = arguments.output;
  if (!arguments.resume) return nullptr;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return nullptr;
  // Killed at its very beginning.
  const bool begun = std::filesystem::is_empty(file, ignored) ||
                     (is_trajectory(file) && !has_trajectory_header(file));
  if (begun) return nullptr;
  TrajectoryFile earlier(file);
  if (const std::string words = difference(header, earlier.header()); !words.empty()) {
    throw Error("--resume", words, "the same scene and options").in_file(file);
  }
  return std::make_unique<TrajectoryReader<Dim>>(std::move(earlier));
}

/// Without a file every frame is made and dropped.
template <int Dim>
RunOutcome<Dim> record(const RunArguments& arguments, const RunPlan& plan,
                       const TrajectoryHeader& header, Simulation<Dim>& simulation,
                       RunProgress& progress) {
  RunOutcome<Dim> outcome;
  Recorder<Dim> recorder(simulation, plan.steps_per_frame);
  recorder.after_step = [&] { progress.after_step(); };
  recorder.interrupt = plan.options.interrupt;
  std::unique_ptr<TrajectoryWriter> writer;
  const auto finish_outcome = [&] {
    outcome.wall = progress.seconds();
    outcome.computed_steps = progress.steps();
    outcome.changes = recorder.changes();
    outcome.incidents = recorder.incidents();
    return outcome;
  };
  const auto earlier = earlier_part<Dim>(arguments, header);
  const std::int64_t good = earlier ? earlier->good_frames() : 0;
  if (good > 0) {
    outcome.resumed_from = good - 1;
    outcome.damaged = good < earlier->frames() || !earlier->fault().empty();
    outcome.last = earlier->frame(good - 1);
    if (plan.frames < good || (plan.frames == good && earlier->finished())) {
      for (std::int64_t i = 0; i < good; ++i) recorder.take(earlier->frame(i));
      outcome.nothing_to_do = true;
      return finish_outcome();
    }
    progress.computing_again((good - 1) / kCheckpointFrames * kCheckpointFrames *
                             plan.steps_per_frame);
    std::optional<Frame<Dim>> reached;
    try {
      reached = catch_up(*earlier, good - 1, recorder);
    } catch (const Error& error) {
      throw error.in_file(display_name(arguments.output));
    }
    outcome.interrupted = !reached;
    if (!reached) return finish_outcome();
    progress.going_on();
    writer = std::make_unique<TrajectoryWriter>(arguments.output, earlier->end_of(good - 1));
  } else {
    if (!arguments.output.empty()) {
      writer = std::make_unique<TrajectoryWriter>(arguments.output, header, arguments.force);
    }
    outcome.last = recorder.first();
    if (writer) writer->write(outcome.last);
  }
  while (outcome.last.number + 1 < plan.frames) {
    std::optional<Frame<Dim>> frame = recorder.next();
    outcome.interrupted = !frame;
    if (!frame) return finish_outcome();
    outcome.last = *std::move(frame);
    if (writer) writer->write(outcome.last);
    outcome.rests = simulation.resting();
    if (plan.until_rest && outcome.rests) break;
  }
  if (writer) writer->finish(outcome.last);
  return finish_outcome();
}

template <int Dim>
void tell_how_to_go_on(const RunArguments& arguments, const RunOutcome<Dim>& outcome) {
  if (arguments.output.empty()) {
    fmt::print(stderr, "collapse: interrupted at time {:.6g}\n", outcome.last.time);
    return;
  }
  fmt::print(stderr,
             "collapse: interrupted; {} has {}, up to time {:.6g}. The same command with "
             "--resume goes on from there.\n",
             display_name(arguments.output), counted(outcome.last.number + 1, "frame"),
             outcome.last.time);
}

template <int Dim>
int run_read_scene(const RunArguments& arguments, const Scene<Dim>& scene, const SceneText& read) {
  RunPlan plan;
  std::unique_ptr<Simulation<Dim>> simulation;
  const InterruptGuard guard;
  try {
    plan = plan_run(scene, arguments);
    plan.options.interrupt = [] { return InterruptGuard::requested(); };
    simulation = std::make_unique<Simulation<Dim>>(scene, plan.options);
  } catch (const Error& error) {
    // What the command line says is not the scene's fault.
    if (error.place().starts_with("--")) throw;
    throw error.in_file(display_name(arguments.scene));
  }
  TrajectoryHeader header = header_of(scene, plan);
  header.bodies = static_cast<int>(simulation->state().poses.size());
  header.points = static_cast<int>(simulation->state().points.size());
  if (!arguments.output.empty()) header.scene = self_contained(read);
  RunProgress progress(plan, scene.bodies.size());
  const RunOutcome<Dim> outcome = record(arguments, plan, header, *simulation, progress);
  progress.clear();
  fmt::print("{}", arguments.json ? run_json(scene, arguments, plan, outcome).dump() + "\n"
                                  : run_text(scene, arguments, plan, outcome));
  if (!outcome.interrupted) {
    const bool done = !plan.until_rest || outcome.rests || outcome.nothing_to_do;
    return done ? kDone : kUndecided;
  }
  tell_how_to_go_on(arguments, outcome);
  return kInterrupted;
}

}  // namespace

int run_scene(const RunArguments& arguments) {
  if (arguments.output == "-") {
    throw Error("--output", "standard output", "a file: it is written, read and resumed by name");
  }
  if (arguments.output.empty() && (arguments.resume || arguments.force)) {
    throw Error(arguments.resume ? "--resume" : "--force", "no file to go on with",
                "-o FILE as well");
  }
  const SceneText read = read_scene_text(arguments.scene);
  return std::visit([&](const auto& scene) { return run_read_scene(arguments, scene, read); },
                    read.scene);
}

void add_run(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("run", "The whole motion");
  const auto options = std::make_shared<RunArguments>();
  add_run_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  collapse gallery diamond | collapse run - -o diamond.clps --until 2\n"
      "  collapse run wall.json -o wall.clps --step 1/240 --load wind=0.3\n"
      "  collapse gallery oba-jacks | collapse run - -o jacks.clps --scheme oba     # in space\n"
      "  collapse run wall.json -o wall.clps --until 60 --resume   (Ctrl-C stops it, this goes "
      "on)\n"
      "Defaults are the scene's `simulation`, or a step of 1/60, 60 frames per unit of time, until "
      "5.\n"
      "An existing trajectory is replaced unless --resume is given; no other file is.\n"
      "Exit status: 0 done, 2 bad input or a file that cannot be written, 130 interrupted.");
  command->callback([options, &action] { action = [options] { return run_scene(*options); }; });
}

}  // namespace collapse::cli
