#include "benchmarks/benchmarks.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "benchmarks/analytical.hpp"
#include "benchmarks/child.hpp"
#include "benchmarks/motion.hpp"
#include "benchmarks/oba.hpp"
#include "benchmarks/solver.hpp"
#include "benchmarks/space.hpp"
#include "collapse/contact/broad_phase.hpp"
#include "collapse/formulation/verdict.hpp"
#include "collapse/io/scene_reader.hpp"
#include "scenes/gallery.hpp"

namespace collapse::benchmarks {
namespace {

using ProgressCallback = std::function<void(const std::string&)>;

std::string wall(int side, const char* friction) {
  const std::string count = std::to_string(side);
  return scenes::make_scene(
      "wall", {{"courses", count}, {"width", count}, {"ends", "straight"}, {"friction", friction}});
}

/// Reading, contacts and check of one wall: { contacts, read s, contacts s, check s, programs,
/// iterations, verdict }.
std::vector<double> measure_check(const std::string& text) {
  Scene<2> scene;
  ContactSet<2> contacts;
  Verdict<2> verdict;
  const double reading = seconds([&] { scene = parse_scene(text); });
  const State<2> state = initial_state(scene);
  const double finding = seconds([&] { contacts = find_contacts(scene, state); });
  CheckOptions options;
  options.margin_bodies = 0;
  const double checking = seconds([&] { verdict = check(scene, state, contacts, options); });
  return {static_cast<double>(contacts.contacts.size()),
          reading,
          finding,
          checking,
          static_cast<double>(verdict.programs),
          static_cast<double>(verdict.iterations),
          verdict.stability == Stability::stable ? 1.0 : 0.0};
}

/// How time and memory of `check` grow with the number of bricks.
Table growth(const char* friction, const ProgressCallback& progress) {
  Table table;
  table.title =
      fmt::format("check of square half-bond walls with straight ends, friction {}", friction);
  table.columns = {"bricks",   "contacts",   "read s", "contacts s", "check s",
                   "programs", "iterations", "stands", "peak MB",    "growth"};
  double last_time = 0.0;
  double last_bricks = 0.0;
  for (const int side : {10, 18, 32, 56, 100}) {
    progress(fmt::format("wall {0} × {0}, friction {1}", side, friction));
    const ChildResult result = run_in_child([&] { return measure_check(wall(side, friction)); });
    if (!result.ended_well || result.values.size() != 7) {
      throw std::runtime_error(fmt::format("the wall of {0} × {0} bricks ended badly", side));
    }
    const double bricks = side * side;
    const double time = result.values[1] + result.values[2] + result.values[3];
    // Exponent e of time ~ bricksᵉ between this row and the last.
    const double exponent =
        last_time > 0.0 ? std::log(time / last_time) / std::log(bricks / last_bricks) : 0.0;
    std::vector<double> row = {bricks};
    row.insert(row.end(), result.values.begin(), result.values.end());
    row.push_back(result.peak_megabytes);
    row.push_back(exponent);
    table.rows.push_back(row);
    last_time = time;
    last_bricks = bricks;
  }
  return table;
}

/// The broad phase alone, against comparing all pairs where that is still possible.
Table broad_phase(const ProgressCallback& progress) {
  Table table;
  table.title = "pairs of bricks whose bounds meet, in square walls";
  table.columns = {"bricks", "pairs", "seconds", "all pairs s", "ratio"};
  for (const int side : {30, 100, 316}) {
    progress(fmt::format("{0} × {0} bricks", side));
    std::vector<Bounds<2>> boxes;
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        const Vec<2> low(column + 0.5 * (row % 2), 0.25 * row);
        boxes.push_back({low, low + Vec<2>(1.0, 0.25)});
      }
    }
    std::vector<std::pair<int, int>> pairs;
    const double time = seconds([&] { pairs = meeting_pairs<2>(boxes); });
    double brute = 0.0;
    constexpr int kLargestAllPairs = 100;
    if (side <= kLargestAllPairs) {
      std::size_t count = 0;
      brute = seconds([&] {
        for (std::size_t i = 0; i < boxes.size(); ++i) {
          for (std::size_t j = 0; j < i; ++j) count += boxes[i].meets(boxes[j]) ? 1 : 0;
        }
      });
      if (count != pairs.size()) {
        throw std::runtime_error(
            fmt::format("{} pairs found, {} by comparing all", pairs.size(), count));
      }
    }
    table.rows.push_back({static_cast<double>(boxes.size()), static_cast<double>(pairs.size()),
                          time, brute, brute / time});
  }
  return table;
}

}  // namespace

const std::vector<Benchmark>& all() {
  static const std::vector<Benchmark> kAll = {
      {"growth", "time and memory of check, walls of 100 to 10,000 bricks without friction",
       [](const ProgressCallback& progress) { return growth("0", progress); }},
      {"growth-friction", "the same with friction 1/2",
       [](const ProgressCallback& progress) { return growth("1/2", progress); }},
      {"broad-phase", "touching pairs of up to 100,000 bricks", broad_phase},
      {"solver-walls", "the solver alone, walls of 100 to 100,000 bricks", solver_walls},
      {"solver-piles", "the solver alone, piles of 100 to 10,000 boxes in space", solver_piles},
      {"solver-islands", "the solver alone, 10 to 10,000 separate towers", solver_islands},
      {"space", "check in space: an arch, and bridges of up to 5,000 irregular hulls",
       space_bridges},
      {"space-walls", "check in space: houses of up to 5,000 bricks", space_walls},
      {"motion", "cost of motion: the diamond, walls that stand and fall, a pile", motion_cost},
      {"oba", "the dissertation's scenes by scheme oba beside its tables: two seconds of each",
       [](const ProgressCallback& progress) { return oba_scenes(progress, 60); },
       [](const ProgressCallback& progress, const std::string& scene) {
         return oba_scenes(progress, 60, scene);
       }},
      {"oba-full", "the same to the end",
       [](const ProgressCallback& progress) { return oba_scenes(progress, 2000); },
       [](const ProgressCallback& progress, const std::string& scene) {
         return oba_scenes(progress, 2000, scene);
       }},
      {"oba-freezing", "scheme oba with freezing and without: ten seconds of each",
       [](const ProgressCallback& progress) { return oba_freezing(progress, 300); },
       [](const ProgressCallback& progress, const std::string& scene) {
         return oba_freezing(progress, 300, scene);
       }},
      {"oba-freezing-full", "the same to the end",
       [](const ProgressCallback& progress) { return oba_freezing(progress, 2000); },
       [](const ProgressCallback& progress, const std::string& scene) {
         return oba_freezing(progress, 2000, scene);
       }},
      {"oba-growth",
       "parts of a frame of scheme oba over close pairs, collisions, contacts",
       oba_growth,
       {},
       true},
      {"convergence", "observed orders of convergence in the step", convergence},
      {"analytical-corner", "a particle in a corner by four ways to handle inequalities",
       corner_cases},
      {"analytical-figures", "the same step by step, as published", corner_figures},
      {"analytical-tau", "the same, by the time of stabilisation", corner_stabilisation},
      {"analytical-billiards", "the break: 11 balls, 77 inequalities", billiards_break},
      {"analytical-chain", "how stabilisation keeps a chain together", chain_drift},
      {"analytical-line", "balls in a line, hit at once or one by one", balls_in_line},
      {"analytical-ratio", "impacts between a heavy ball, a small one and the floor", mass_ratios},
      {"analytical-forces", "contact forces by the 1989 heuristic, random problems",
       heuristic_random},
      {"analytical-scenes", "the same for scenes of the gallery", heuristic_scenes},
  };
  return kAll;
}

}  // namespace collapse::benchmarks
