#pragma once
/// What a run is to do: from the scene's settings and the command line, which wins.

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "collapse/io/trajectory.hpp"

namespace collapse::cli {

/// As given on the command line; empty where nothing was.
struct RunArguments {
  std::string scene;
  std::string output;
  std::string until;
  std::string step;
  std::string frame_rate;
  std::string scheme;
  std::string friction_law;
  std::string impact;
  std::string model;
  std::vector<std::string> loads;
  double touch = SimulationOptions{}.touch;
  std::vector<std::string> oba;  ///< parts of scheme oba
  std::string tolerance;         ///< this and the next two: of scheme event
  std::string event_tolerance;
  std::string closing_speed;
  bool freezing = false;
  int threads = 0;
  bool resume = false;
  bool force = false;
  bool json = false;
  bool settle = false;  ///< the command is `settle`
};

void add_run_options(CLI::App& command, RunArguments& arguments);
/// Those that make sense where time only counts steps.
void add_settle_options(CLI::App& command, RunArguments& arguments);

struct RunPlan {
  SimulationOptions options;
  Rational step;        ///< shortened so that a whole number of them makes a frame
  Rational frame_rate;  ///< per unit of time
  std::int64_t steps_per_frame = 1;
  bool until_rest = false;  ///< ends before the last frame if everything rests
  std::int64_t frames =
      1;  ///< with the one at the start; the last is the first at or after the end
};

/// Throws Error naming the option or the scene's setting that cannot be used.
template <int Dim>
[[nodiscard]] RunPlan plan_run(const Scene<Dim>& scene, const RunArguments& arguments);

/// Runs or settles a scene, writes the file, reports. Returns the exit status. (cli/run.cpp)
[[nodiscard]] int run_scene(const RunArguments& arguments);

/// Of the plan, for the trajectory file; without bodies, points and the scene's text.
template <int Dim>
[[nodiscard]] TrajectoryHeader header_of(const Scene<Dim>& scene, const RunPlan& plan);

}  // namespace collapse::cli
