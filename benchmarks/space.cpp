#include "benchmarks/space.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "benchmarks/child.hpp"
#include "collapse/formulation/verdict.hpp"
#include "collapse/io/scene_reader.hpp"
#include "scenes/gallery.hpp"

namespace collapse::benchmarks {
namespace {

struct Structure {
  std::string name;
  std::map<std::string, std::string> options;
};

/// { blocks, contact points, read s, contacts s, check s, programs, iterations, verdict }, times the
/// least of several runs where they are short.
std::vector<double> measure(const Structure& structure) {
  const std::string text = scenes::make_scene(structure.name, structure.options);
  constexpr double kLong = 0.5;
  constexpr int kRuns = 9;
  Scene<3> scene;
  ContactSet<3> contacts;
  Verdict<3> verdict;
  CheckOptions options;
  options.margin_bodies = 0;
  const double reading = seconds([&] { scene = parse_scene<3>(text); });
  const State<3> state = initial_state(scene);
  double finding = seconds([&] { contacts = find_contacts(scene, state); });
  double checking = seconds([&] { verdict = check(scene, state, contacts, options); });
  for (int run = 1; run < kRuns && finding + checking < kLong; ++run) {
    finding = std::min(finding, seconds([&] { contacts = find_contacts(scene, state); }));
    checking =
        std::min(checking, seconds([&] { verdict = check(scene, state, contacts, options); }));
  }
  double blocks = 0.0;
  for (const Body<3>& body : scene.bodies) blocks += body.free() ? 1.0 : 0.0;
  return {blocks,
          static_cast<double>(contacts.contacts.size()),
          reading,
          finding,
          checking,
          static_cast<double>(verdict.programs),
          static_cast<double>(verdict.iterations),
          verdict.stability == Stability::stable ? 1.0 : 0.0};
}

Table measure_all(const std::string& title, const std::vector<Structure>& structures,
                  const std::function<void(const std::string&)>& progress) {
  Table table;
  table.title = title;
  table.columns = {"blocks",   "contact points", "read s", "contacts s", "check s",
                   "programs", "iterations",     "stands", "peak MB",    "growth"};
  double last_time = 0.0;
  double last_blocks = 0.0;
  for (const Structure& structure : structures) {
    progress(fmt::format("{} of {} scenes", structure.name, structures.size()));
    const ChildResult result = run_in_child([&] { return measure(structure); });
    if (!result.ended_well || result.values.size() != 8) {
      throw std::runtime_error(structure.name + " ended badly");
    }
    std::vector<double> row = result.values;
    const double blocks = row[0];
    const double time = row[3] + row[4];
    row.push_back(result.peak_megabytes);
    // Exponent e of time ~ blocksᵉ between this row and the last.
    row.push_back(last_time > 0.0 ? std::log(time / last_time) / std::log(blocks / last_blocks)
                                  : 0.0);
    table.rows.push_back(row);
    last_time = time;
    last_blocks = blocks;
  }
  return table;
}

Structure bridge(int courses, int stones) {
  return {"bridge",
          {{"courses", std::to_string(courses)},
           {"stones", std::to_string(stones)},
           {"thickness", "1/5"}}};
}

Structure house(int courses, int width) {
  return {"wall-3d",
          {{"courses", std::to_string(courses)},
           {"width", std::to_string(width)},
           {"depth", std::to_string(width)}}};
}

}  // namespace

Table space_bridges(const std::function<void(const std::string&)>& progress) {
  return measure_all(
      "check with forces in space, friction 0.7: an arch of 20 voussoirs (asked: about 2 ms), then "
      "bridges of irregular hulls (asked: 400 with 5,000 points in 0.5 s, 5,000 in seconds)",
      {{"arch-3d", {}}, bridge(20, 5), bridge(50, 8), bridge(100, 16), bridge(200, 25)}, progress);
}

Table space_walls(const std::function<void(const std::string&)>& progress) {
  return measure_all("check with forces in space: four walls of a house, friction 1/2",
                     {house(5, 6), house(10, 11), house(20, 21), house(32, 40)}, progress);
}

}  // namespace collapse::benchmarks
