#include "benchmarks/peers/standing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/child.hpp"
#include "benchmarks/peers/engines.hpp"
#include "collapse/core/check.hpp"
#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "scenes/gallery.hpp"

namespace collapse::benchmarks {
namespace {

struct StandingCase {
  std::string label;
  std::string scene;
  std::map<std::string, std::string> choices;
  bool stands = true;
};

std::vector<StandingCase> standing_cases() {
  // The first three are far from any limit: whether the structures are put to the engines in the right way.
  std::vector<StandingCase> cases = {
      {"tower of 10, μ = 0.5", "tower", {{"bricks", "10"}, {"friction", "0.5"}}, true},
      {"harmonic tower of 8, 0.5 of the limit, μ = 0.5",
       "harmonic",
       {{"bricks", "8"}, {"factor", "0.5"}, {"friction", "0.5"}},
       true},
      {"arch of 9, t/R = 0.3, μ = 0.7",
       "arch",
       {{"voussoirs", "9"}, {"thickness", "0.3"}, {"friction", "0.7"}},
       true},
  };
  for (const char* factor : {"0.98", "1.02", "0.998", "1.002", "0.9995", "1.0005"}) {
    cases.push_back({fmt::format("harmonic tower of 8, {} of the limit, μ = 0", factor),
                     "harmonic",
                     {{"bricks", "8"}, {"factor", factor}},
                     factor[0] == '0'});
  }
  cases.push_back({"wall 5 × 5, μ = 0", "wall", {{"courses", "5"}, {"width", "5"}}, true});
  cases.push_back({"wall 20 × 20, μ = 0.5",
                   "wall",
                   {{"courses", "20"}, {"width", "20"}, {"friction", "0.5"}},
                   true});
  cases.push_back({"tower of 10, the top one 100 times heavier, μ = 0",
                   "tower",
                   {{"bricks", "10"}, {"top-mass", "25"}},
                   true});
  struct Arch {
    const char* thickness;
    bool stands;
  };
  constexpr std::array<Arch, 6> kArches = {{{"0.12", true},
                                            {"0.10", false},
                                            {"0.110", true},
                                            {"0.105", false},
                                            {"0.108", true},
                                            {"0.1062", false}}};
  for (const Arch& arch : kArches) {
    cases.push_back({fmt::format("arch of 31, t/R = {}, μ = 0.7", arch.thickness),
                     "arch",
                     {{"voussoirs", "31"}, {"thickness", arch.thickness}, {"friction", "0.7"}},
                     arch.stands});
  }
  return cases;
}

EngineRun run_ours(const Scene<2>& scene, const std::vector<EngineBody>& bodies,
                   const EngineLimits& limits) {
  SimulationOptions options;
  options.step = limits.step_s;
  Simulation<2> simulation(scene, options);
  return measure_run(
      bodies, limits, [&] { return simulation.step(); },
      [&](std::size_t i) { return simulation.state().centre(scene, bodies[i].body); });
}

struct Contestant {
  const char* name;
  double still;   ///< it stands if nothing moves by more, in bricks
  double fallen;  ///< it falls if something moves by more
  EngineRun (*run)(const Scene<2>&, const EngineScene&, const EngineLimits&);
};

constexpr double kStill = 1e-6;
constexpr double kFallen = 0.1;
// The others are not asked to keep a structure still: skins and soft contacts move a tower of ten by up to
// 0.15 of a brick before it rests. One brick's height decides.
constexpr double kBrickHeight = 0.25;

constexpr std::array<Contestant, 4> kContestants = {{
    {"ours", kStill, kFallen,
     [](const Scene<2>& scene, const EngineScene& plain, const EngineLimits& limits) {
       return run_ours(scene, plain.bodies, limits);
     }},
    {"Box2D", kBrickHeight, kBrickHeight,
     [](const Scene<2>&, const EngineScene& plain, const EngineLimits& limits) {
       return run_box2d(plain, limits);
     }},
    {"Bullet", kBrickHeight, kBrickHeight,
     [](const Scene<2>&, const EngineScene& plain, const EngineLimits& limits) {
       return run_bullet(plain, limits);
     }},
    {"MuJoCo", kBrickHeight, kBrickHeight,
     [](const Scene<2>&, const EngineScene& plain, const EngineLimits& limits) {
       return run_mujoco(plain, limits);
     }},
}};

/// The longest edge of a body: 1 for a brick, its outer or radial edge for a voussoir.
double brick_of(const EngineScene& scene) {
  double longest = 0.0;
  for (const EngineBody& body : scene.bodies) {
    if (body.fixed) continue;
    for (std::size_t i = 0; i < body.corners.size(); ++i) {
      const Vec<2>& next = body.corners[(i + 1) % body.corners.size()];
      longest = std::max(longest, (next - body.corners[i]).norm());
    }
  }
  COLLAPSE_DEMAND(longest > 0.0);
  return longest;
}

struct StandingCell {
  std::string displacement = "crashed";
  std::string verdict = "wrong";
  std::string cpu = "–";
  bool right = false;
};

StandingCell cell_of(const ChildResult& child, const StandingCase& test, double brick,
                     const Contestant& who, const EngineLimits& limits) {
  StandingCell cell;
  if (!child.ended_well || child.values.size() != 3) return cell;
  const double moved = child.values[0] / brick;
  const bool in_time = child.values[1] > limits.duration_s - limits.step_s / 2.0;
  cell.right = test.stands ? in_time && moved <= who.still : moved > who.fallen;
  cell.verdict = cell.right ? "right" : "wrong";
  if (!in_time && moved <= who.fallen) cell.verdict = "none";
  cell.displacement = moved >= 10.0 ? fmt::format("{:.0f}", moved) : fmt::format("{:.2g}", moved);
  cell.cpu = fmt::format("{:.2f}", child.values[2]);
  if (!in_time) cell.cpu += fmt::format(" (for {:.1f} s)", child.values[1]);
  return cell;
}

}  // namespace

void compare_standing() {
  const EngineLimits limits;
  fmt::print("| structure | must |");
  for (const Contestant& who : kContestants) fmt::print(" {} | |", who.name);
  fmt::print("\n|---|---|---:|---|---:|---|---:|---|---:|---|\n");
  std::string times;
  std::array<int, kContestants.size()> right{};
  int cases = 0;
  for (const StandingCase& test : standing_cases()) {
    const Scene<2> scene = parse_scene(scenes::make_scene(test.scene, test.choices));
    const EngineScene plain(scene);
    fmt::print("| {} | {} |", test.label, test.stands ? "stand" : "fall");
    times += fmt::format("| {} |", test.label);
    for (std::size_t k = 0; k < kContestants.size(); ++k) {
      const Contestant& who = kContestants[k];
      std::fflush(stdout);  // a child that calls exit would print what is left in the buffer again
      const ChildResult child =
          run_in_child([&] { return who.run(scene, plain, limits).numbers(); });
      const StandingCell cell = cell_of(child, test, brick_of(plain), who, limits);
      right[k] += cell.right ? 1 : 0;
      fmt::print(" {} | {} |", cell.displacement, cell.verdict);
      times += fmt::format(" {} |", cell.cpu);
    }
    times += '\n';
    ++cases;
    fmt::print("\n");
  }
  fmt::print("| right, of {} | |", cases);
  for (const int count : right) fmt::print(" | {} |", count);
  fmt::print("\n\n| CPU seconds |");
  for (const Contestant& who : kContestants) fmt::print(" {} |", who.name);
  fmt::print("\n|---|---:|---:|---:|---:|\n{}", times);
}

}  // namespace collapse::benchmarks
