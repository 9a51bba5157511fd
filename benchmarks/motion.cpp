#include "benchmarks/motion.hpp"

#include <fmt/core.h>

#include <cmath>

#include "benchmarks/child.hpp"
#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "scenes/gallery.hpp"

namespace collapse::benchmarks {
namespace {

using ProgressCallback = std::function<void(const std::string&)>;

const char* const kSlidingBlock = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
  "materials": {"default": {"friction": 0.4}}, "bodies": [{"plane": {"normal": [0, 1], "offset": 0}},
  {"name": "b", "box": [1, "1/2"], "position": [0, "1/4"], "velocity": [3, 0]}]})";
const char* const kFlight = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
  "bodies": [{"name": "b", "box": [1, "1/2"], "position": [0, 9], "velocity": [3, 2], "spin": 2}]})";
const char* const kChain = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
  {"name": "p", "box": [1, "1/10"], "position": ["1/2", 0]}, {"name": "q", "box": [1, "1/10"], "position": ["3/2", 0]},
  {"name": "b", "box": [1, "1/10"], "position": ["5/2", 0]}],
  "joints": [{"type": "pin", "bodies": ["p", "world"], "at": [0, 0]}, {"type": "pin", "bodies": ["p", "q"], "at": [1, 0]},
             {"type": "pin", "bodies": ["q", "b"], "at": [2, 0]}]})";
const char* const kRocking = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
  "materials": {"default": {"friction": 2}}, "bodies": [{"plane": {"normal": [0, 1], "offset": 0}},
  {"name": "b", "polygon": [["-1/2", 0], ["1/2", 0], ["1/2", 2], ["-1/2", 2]], "rotation": [399, 40],
   "position": [0, "0.0498753117206"]}]})";

struct Case {
  std::string name;
  std::string text;
  std::string body;
  double until = 1.0;
  ModelKind model = ModelKind::rigid;
};

Vec<2> place_after(const Case& test, double step) {
  const Scene<2> scene = parse_scene(test.text);
  SimulationOptions options;
  options.step = step;
  options.model = test.model;
  Simulation<2> simulation(scene, options);
  const auto steps = static_cast<int>(std::lround(test.until / step));
  for (int k = 0; k < steps; ++k) simulation.step();
  return simulation.state().centre(scene, *scene.find_body(test.body));
}

/// Farthest that a brick is from the mirror image of its partner.
double asymmetry(const Scene<2>& scene, const State<2>& start, const State<2>& now) {
  double worst = 0.0;
  const auto mirrored = [](const Vec<2>& p) { return Vec<2>(-p.x(), p.y()); };
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    for (int j = 0; j < static_cast<int>(scene.bodies.size()); ++j) {
      if ((mirrored(start.centre(scene, i)) - start.centre(scene, j)).norm() > 1e-9) continue;
      worst = std::max(worst, (mirrored(now.centre(scene, i)) - now.centre(scene, j)).norm());
    }
  }
  return worst;
}

}  // namespace

Table convergence(const ProgressCallback& progress) {
  const std::string diamond = scenes::make_scene("diamond");
  const std::vector<Case> cases = {
      {"free flight", kFlight, "b", 0.8},
      {"block that slides", kSlidingBlock, "b", 0.5},
      {"chain of three bars", kChain, "b", 0.6},
      {"rocking block before it hits", kRocking, "b", 0.3},
      {"diamond before its first impact", diamond, "brick 5.1", 0.5},
      {"the same as points", diamond, "brick 5.1", 0.5, ModelKind::nine_points},
  };
  Table table;
  table.title =
      "distance from the motion at a step of 1/7680 (last case: of points from rigid bodies at the "
      "same step)";
  for (std::size_t k = 0; k < cases.size(); ++k)
    table.title += fmt::format("; {}: {}", k + 1, cases[k].name);
  table.title += "; 7: difference of the last two";
  table.columns = {"case", "steps per unit", "distance", "order"};
  std::vector<std::vector<Vec<2>>> places(cases.size());
  const std::vector<int> rates = {60, 120, 240, 480, 960};
  const auto add_rows = [&](double number, const std::function<double(std::size_t)>& error) {
    double last = 0.0;
    for (std::size_t k = 0; k < rates.size(); ++k) {
      const double now = error(k);
      table.rows.push_back(
          {number, static_cast<double>(rates[k]), now, last > 0.0 ? std::log2(last / now) : 0.0});
      last = now;
    }
  };
  for (std::size_t c = 0; c < cases.size(); ++c) {
    progress(cases[c].name);
    for (const int rate : rates) places[c].push_back(place_after(cases[c], 1.0 / rate));
    const Vec<2> reference = place_after(cases[c], 1.0 / 7680.0);
    add_rows(static_cast<double>(c + 1),
             [&](std::size_t k) { return (places[c][k] - reference).norm(); });
  }
  add_rows(static_cast<double>(cases.size() + 1), [&](std::size_t k) {
    return (places[cases.size() - 1][k] - places[cases.size() - 2][k]).norm();
  });
  return table;
}

Table motion_cost(const ProgressCallback& progress) {
  struct Run {
    std::string name;
    std::string text;
    double push = 0.0;  ///< factor of the load "push"
    double until = 1.0;
  };
  const auto wall = [](const char* friction) {
    return scenes::make_scene("wall", {{"courses", "20"}, {"width", "20"}, {"friction", friction}});
  };
  const std::vector<Run> runs = {
      {"diamond, 1000 steps", scenes::make_scene("diamond"), 0.0, 1000.0 / 60.0},
      {"wall 20 × 20, μ = ½, at rest", wall("1/2"), 0.0, 10.0},
      {"the same, pushed by 0.3 g, which it bears", wall("1/2"), 0.3, 1.0},
      {"the same, pushed by 0.7 g, which makes it slide", wall("1/2"), 0.7, 2.0},
      {"wall 20 × 20 without friction, pushed by 0.05 g", wall("0"), 0.05, 2.0},
      {"pile of 60 bricks that falls, μ = ½",
       scenes::make_scene("pile", {{"bricks", "60"}, {"friction", "1/2"}}), 0.0, 4.0},
  };
  Table table;
  table.title = "cost of motion at 60 steps per unit of time on one thread";
  for (std::size_t k = 0; k < runs.size(); ++k)
    table.title += fmt::format("; {}: {}", k + 1, runs[k].name);
  table.columns = {"run",         "simulated",   "CPU s",     "CPU s per unit", "programs per step",
                   "penetration", "energy gain", "unsettled", "asymmetry"};
  for (std::size_t k = 0; k < runs.size(); ++k) {
    progress(runs[k].name);
    const Scene<2> scene = parse_scene(runs[k].text);
    SimulationOptions options;
    options.threads = 1;
    if (runs[k].push > 0.0) options.loads.push_back({*scene.find_load("push"), runs[k].push});
    Simulation<2> simulation(scene, options);
    const State<2> first = simulation.state();
    const double spent = cpu_seconds([&] {
      while (simulation.time() < runs[k].until * (1.0 - 1e-9)) simulation.step();
    });
    const Account& account = simulation.account();
    table.rows.push_back(
        {static_cast<double>(k + 1), simulation.time(), spent, spent / simulation.time(),
         static_cast<double>(account.programs) / static_cast<double>(account.steps),
         account.max_penetration, account.max_gain, static_cast<double>(account.unsettled_steps),
         k == 0 ? asymmetry(scene, first, simulation.state()) : 0.0});
  }
  return table;
}

}  // namespace collapse::benchmarks
