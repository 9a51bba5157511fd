#include "benchmarks/oba.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "benchmarks/child.hpp"
#include "benchmarks/overlap.hpp"
#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "scenes/gallery.hpp"

namespace collapse::benchmarks {
namespace {

using ProgressCallback = std::function<void(const std::string&)>;

/// A column of Tables 7.1 and 7.2: per frame, on PCs of 2002.
struct Published {
  const char* scene;
  double bodies;  ///< of the jacks: 150 convex parts
  double frames;
  double close_pairs;
  double collisions;
  double contacts;
  double seconds;
  double programs;
  double rollbacks;  ///< in percent
};

constexpr std::array kPublished = {
    Published{"oba-stack", 10, 600, 6.6, 29, 25.7, 0.9, 3, 0},
    Published{"oba-cs-stack", 12, 600, 11.8, 13.4, 13.4, 0.6, 4.6, 0.3},
    Published{"oba-cubejam", 100, 1500, 172, 411.7, 278.4, 22.2, 4.8, 0},
    Published{"oba-blast-wall", 90, 600, 129.2, 404.3, 220.6, 12.3, 4, 0},
    Published{"oba-jacks", 50, 1500, 123.3, 167.1, 94, 15.5, 4.6, 0.03},
    Published{"oba-pendulum", 6, 1000, 0, 0, 0, 0.1, 2.1, 0},
    Published{"oba-hybrid", 100, 1500, 159.1, 518.7, 497.6, 25.9, 4.8, 0.07},
    Published{"oba-robot", 306, 580, 308, 507.7, 507.7, 75.5, 6, 2.7},
    Published{"oba-sphereglass", 1000, 2000, 1723.4, 1673.6, 1673.6, 13.5, 2.6, 0},
    Published{"oba-cubeglass", 1000, 1500, 302.6, 471.5, 471.5, 87.2, 1.9, 0},
    Published{"oba-office-toy", 10, 300, 8, 7.9, 7.9, 2.1, 2.3, 0.3},
};

/// As chapter 7 has it: only the cubeglass with freezing, below its funnel; only the hybrid with the hybrid position
/// update.
SimulationOptions published_options(const Scene<3>& scene, const std::string& name) {
  SimulationOptions options;
  options.scheme = SchemeKind::oba;
  options.step = scene.simulation.step.value;
  options.impact = impact_rule(scene.simulation);  // of the default scheme
  options.threads = 1;
  options.freezing = name == "oba-cubeglass";
  if (options.freezing) options.oba.cold = {{Vec<3>(0.0, 0.0, 0.0), Vec<3>(14.0, 14.0, 10.0)}};
  if (name == "oba-hybrid") {
    options.oba.hybrid_position = true;
    options.oba.c_max = 1;
  }
  return options;
}

int frames_of(const Scene<3>& scene) {
  return static_cast<int>(
      std::lround(scene.simulation.duration.value / scene.simulation.step.value));
}

struct Measured {
  int frames = 0;
  double seconds = 0.0;
  double slowest = 0.0;  ///< frame
  CrowdCounts crowd;
  Account account;
  double overlap = 0.0;  ///< largest of any pair in any frame, over the smaller body's size
  double kinetic = 0.0;  ///< largest energy of motion of any body at the end, in m g times its size
  std::ptrdiff_t frozen = 0;  ///< at the end
};

double kinetic_share(const Scene<3>& scene, const State<3>& state) {
  double largest = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<3>& body = scene.bodies[i];
    if (!body.free()) continue;
    const Vec<3> spin = state.velocities[i].tail<3>();
    const double energy =
        0.5 * body.mass.mass * state.velocities[i].head<3>().squaredNorm() +
        0.5 * spin.dot(world_inertia<3>(body.mass.inertia, state.poses[i].rotation) * spin);
    const double unit = body.mass.mass * scene.gravity.value.norm() * body.shape.size();
    largest = std::max(largest, energy / unit);
  }
  return largest;
}

/// Seconds are those of the steps alone, by the processor's clock; overlap is judged after each of them.
/// Frames and what they took are told now and then, after `label`.
Measured measure(const Scene<3>& scene, const SimulationOptions& options, int frames,
                 const std::string& label, const ProgressCallback& progress) {
  constexpr double kTellEvery = 5.0;  // seconds
  Measured measured;
  Simulation<3> simulation(scene, options);
  OverlapJudge judge(scene);
  double told = 0.0;
  progress(label);
  for (; measured.frames < frames; ++measured.frames) {
    if (measured.seconds - told > kTellEvery) {
      told = measured.seconds;
      progress(fmt::format("{}: {} of {} frames, {:.2f} s each", label, measured.frames, frames,
                           told / measured.frames));
    }
    const double spent = cpu_seconds([&] { simulation.step(); });
    measured.seconds += spent;
    measured.slowest = std::max(measured.slowest, spent);
    measured.overlap = std::max(measured.overlap, judge.deepest(simulation.state()).share);
  }
  measured.account = simulation.account();
  measured.crowd = simulation.crowd();
  measured.kinetic = kinetic_share(scene, simulation.state());
  measured.frozen = std::ranges::count(simulation.frozen(), std::uint8_t{1});
  return measured;
}

/// The largest rise of energy over what was lost of it.
double gain_of(const Account& account) {
  const double lost = account.initial_energy - account.least_energy;
  return lost > 0.0 ? account.max_gain / lost : 0.0;
}

std::string numbered_scenes(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) text += fmt::format("; {}: {}", k + 1, names[k]);
  return text;
}

struct Cell {
  const char* column;
  double value;
};

void add_cells(Table& table, const std::vector<Cell>& cells) {
  table.columns.clear();
  table.rows.emplace_back();
  for (const Cell& cell : cells) {
    table.columns.emplace_back(cell.column);
    table.rows.back().push_back(cell.value);
  }
}

/// By scheme oba, with what was published beside it, and by the default scheme.
std::vector<Cell> compare(int number, const Published& p, int most_frames,
                          const ProgressCallback& progress) {
  const Scene<3> scene = parse_scene<3>(scenes::make_scene(p.scene));
  const SimulationOptions options = published_options(scene, p.scene);
  const int frames = std::min(most_frames, frames_of(scene));
  const Measured m = measure(scene, options, frames, p.scene, progress);
  SimulationOptions other = options;
  other.scheme = SchemeKind::position;
  other.freezing = false;
  const Measured d =
      measure(scene, other, frames, fmt::format("{}, default scheme", p.scene), progress);
  const auto bodies = std::ranges::count_if(scene.bodies, &Body<3>::free);
  const auto per_frame = [&](auto sum) { return static_cast<double>(sum) / frames; };
  return {{"scene", static_cast<double>(number)},
          {"bodies", static_cast<double>(bodies)},
          {"bodies (p)", p.bodies},
          {"frames", static_cast<double>(frames)},
          {"frames (p)", p.frames},
          {"close pairs", per_frame(m.crowd.close_pairs)},
          {"close pairs (p)", p.close_pairs},
          {"collisions", per_frame(m.crowd.collisions)},
          {"collisions (p)", p.collisions},
          {"contacts", per_frame(m.crowd.contacts)},
          {"contacts (p)", p.contacts},
          {"programs", per_frame(m.account.programs)},
          {"programs (p)", p.programs},
          {"roll-backs %", 100.0 * per_frame(m.crowd.rollbacks)},
          {"roll-backs % (p)", p.rollbacks},
          {"s", per_frame(m.seconds)},
          {"s (p)", p.seconds},
          {"slowest s", m.slowest},
          {"overlap", m.overlap},
          {"energy gain", gain_of(m.account)},
          {"kinetic", m.kinetic},
          {"unsettled", static_cast<double>(m.account.unsettled_steps)},
          {"dulled", static_cast<double>(m.account.dulled_impacts)},
          {"crushed", static_cast<double>(m.account.crushed_steps)},
          {"default: s", per_frame(d.seconds)},
          {"default: slowest s", d.slowest},
          {"default: overlap", d.overlap},
          {"default: energy gain", gain_of(d.account)},
          {"default: kinetic", d.kinetic},
          {"default: unsettled", static_cast<double>(d.account.unsettled_steps)},
          {"default: dulled", static_cast<double>(d.account.dulled_impacts)},
          {"default: crushed", static_cast<double>(d.account.crushed_steps)}};
}

}  // namespace

Table oba_scenes(const ProgressCallback& progress, int frames, const std::string& only) {
  Table table;
  table.title =
      "scheme oba on one thread, per frame of 1/30; (p): as published, on PCs of 2002. bodies: "
      "free ones; programs: ours of all kinds (position, momentum, static); roll-backs: ours in "
      "per cent of frames; overlap: largest of any pair in any frame, over the smaller body's "
      "size, by the distances of all near parts; kinetic: energy of motion of any body at the end, "
      "at most, in m g times its size; unsettled: frames that ended above their tolerance; dulled: "
      "collisions whose bounce had no solution; crushed: frames in which there was no room; "
      "seconds of the processor";
  std::vector<std::string> names;
  for (const Published& published : kPublished) names.emplace_back(published.scene);
  table.title += numbered_scenes(names);
  for (std::size_t k = 0; k < kPublished.size(); ++k) {
    if (!only.empty() && only != kPublished[k].scene) continue;
    add_cells(table, compare(static_cast<int>(k + 1), kPublished[k], frames, progress));
  }
  return table;
}

Table oba_freezing(const ProgressCallback& progress, int frames, const std::string& only) {
  struct Case {
    const char* scene;
    int c_f;
    double without;  ///< published seconds per frame; 0: not known
    double with;
  };
  const std::vector<Case> cases = {{"oba-stack", 1, 0.9, 0.03},
                                   {"oba-cs-stack", 1, 0.64, 0.05},
                                   {"oba-cubejam", 3, 22.2, 0.6},
                                   {"oba-cubeglass", 3, 0.0, 85.0}};
  Table table;
  std::vector<std::string> names;
  for (const Case& c : cases) names.emplace_back(c.scene);
  table.title =
      "scheme oba with freezing and without; (p): as published; default: by the default scheme" +
      numbered_scenes(names);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& c = cases[k];
    if (!only.empty() && only != c.scene) continue;
    const Scene<3> scene = parse_scene<3>(scenes::make_scene(c.scene));
    SimulationOptions options = published_options(scene, c.scene);
    options.oba.c_f = c.c_f;
    const int count = std::min(frames, frames_of(scene));
    const auto measured = [&](SchemeKind scheme, bool freezing) {
      options.scheme = scheme;
      options.freezing = freezing;
      return measure(scene, options, count,
                     fmt::format("{}, scheme {}, {} freezing", c.scene, to_string(scheme),
                                 freezing ? "with" : "without"),
                     progress);
    };
    const double without = measured(SchemeKind::oba, false).seconds / count;
    const Measured m = measured(SchemeKind::oba, true);
    const double with = m.seconds / count;
    add_cells(table, {{"scene", static_cast<double>(k + 1)},
                      {"c_f", static_cast<double>(c.c_f)},
                      {"frames", static_cast<double>(count)},
                      {"s per frame without", without},
                      {"without (p)", c.without},
                      {"s per frame with", with},
                      {"with (p)", c.with},
                      {"ratio", without / with},
                      {"ratio (p)", c.without / c.with},
                      {"frozen at the end", static_cast<double>(m.frozen)},
                      {"default: without", measured(SchemeKind::position, false).seconds / count},
                      {"default: with", measured(SchemeKind::position, true).seconds / count}});
  }
  return table;
}

namespace {

/// What a part of a frame had to deal with, and how long it took.
struct Sample {
  double count;
  double seconds;
};

/// A part of the frame.
struct Part {
  const char* name;
  const char* of;  ///< what it deals with
  std::vector<Sample> samples = {};
};

/// Exponent e of seconds ~ countᵉ, least squares of the logarithms, of counts that are not too small to tell.
double exponent_of(const std::vector<Sample>& samples) {
  double n = 0.0;
  Vec<2> mean = Vec<2>::Zero();
  double square = 0.0;
  double product = 0.0;
  constexpr double kLeast = 20.0;
  for (const auto& [count, spent] : samples) {
    if (count < kLeast || spent <= 0.0) continue;
    const double x = std::log(count);
    const double y = std::log(spent);
    n += 1.0;
    mean += Vec<2>(x, y);
    square += x * x;
    product += x * y;
  }
  if (n < 2.0) return 0.0;
  mean /= n;
  return (product - n * mean[0] * mean[1]) / (square - n * mean[0] * mean[0]);
}

/// The scene goes on from a state, with another package of nine cubes above what is there.
Scene<3> with_package(const Scene<3>& scene, const State<3>& state, const Scene<3>& packages,
                      int package) {
  Scene<3> next = scene;
  double top = 0.0;
  for (std::size_t i = 0; i < next.bodies.size(); ++i) {
    if (!next.bodies[i].free()) continue;
    next.bodies[i].pose = state.poses[i];
    next.bodies[i].velocity.value = state.velocities[i].head<3>();
    next.bodies[i].spin = state.velocities[i].tail<3>();
    top = std::max(top, state.poses[i].position.z());
  }
  const std::size_t walls = packages.bodies.size() - 200;
  for (int i = 0; i < 9; ++i) {
    const std::size_t number = walls + static_cast<std::size_t>(9 * package + i);
    if (number >= packages.bodies.size()) break;
    Body<3> cube = packages.bodies[number];
    cube.pose.position.z() = top + 2.0;  // half a diagonal of each, and a little
    next.bodies.push_back(cube);
  }
  return next;
}

}  // namespace

Table oba_growth(const ProgressCallback& progress) {
  // Cells of the cubes in the gallery's container: three by three in a layer.
  const Scene<3> packages =
      parse_scene<3>(scenes::make_scene("cube-container", {{"cubes", "200"}, {"side", "5"}}));
  Scene<3> scene = packages;
  scene.bodies.resize(packages.bodies.size() - 200);
  SimulationOptions options = published_options(scene, "");
  options.step = 1.0 / 30.0;
  std::array parts = {Part{"position update", "close pairs"}, Part{"momentum update", "collisions"},
                      Part{"static contact", "contacts"}};
  State<3> state = initial_state(scene);
  constexpr int kPackages = 23;
  constexpr int kAfter = 100;  // frames, after the last one
  for (int package = 0; package < kPackages; ++package) {
    progress(fmt::format("package {} of {}", package + 1, kPackages));
    scene = with_package(scene, state, packages, package);
    Simulation<3> simulation(scene, options);
    const int frames = package + 1 < kPackages ? 10 : kAfter;
    CrowdCounts last;
    for (int i = 0; i < frames; ++i) {
      simulation.step();
      const CrowdCounts now = simulation.crowd();
      // The first frame of a simulation finds velocities and forces twice, at its start as well.
      if (i == 0) {
        last = now;
        continue;
      }
      const auto count = [](std::int64_t number) { return static_cast<double>(number); };
      parts[0].samples.push_back({count(now.close_pairs - last.close_pairs),
                                  now.position_seconds - last.position_seconds});
      parts[1].samples.push_back(
          {count(now.collisions - last.collisions), now.momentum_seconds - last.momentum_seconds});
      parts[2].samples.push_back(
          {count(now.contacts - last.contacts), now.static_seconds - last.static_seconds});
      last = now;
    }
    state = simulation.state();
  }
  Table table;
  table.title =
      "200 cubes in packages of nine, every ten frames, scheme oba: seconds of a part of a frame "
      "over what it deals with, the first frame after each package left out. 1: position update, "
      "close pairs; 2: momentum update, collisions; 3: static contact, "
      "contacts. exponent: "
      "of seconds over the count, all frames of the part with 20 or more (published: about 2 for "
      "the position update)";
  table.columns = {"part", "from", "to", "frames", "s per frame", "exponent"};
  table.plot.title = "What the parts of a frame of scheme oba cost";
  table.plot.subtitle = "seconds of one thread; a point for each frame, and means of octaves";
  double number = 0.0;
  for (const Part& part : parts) {
    number += 1.0;
    const double exponent = exponent_of(part.samples);
    PlotCurve each{"a frame", {}, false};
    for (const auto& [count, spent] : part.samples) each.points.emplace_back(count, spent);
    PlotCurve mean{"mean", {}};
    for (double low = 1.0; low < 1e6; low *= 2.0) {
      double frames = 0.0;
      double counts = 0.0;
      double sum = 0.0;
      for (const auto& [count, spent] : part.samples) {
        if (count < low || count >= 2.0 * low) continue;
        frames += 1.0;
        counts += count;
        sum += spent;
      }
      if (frames == 0.0) continue;
      table.rows.push_back({number, low, 2.0 * low - 1.0, frames, sum / frames, exponent});
      mean.points.emplace_back(counts / frames, sum / frames);
    }
    PlotPanel& panel = table.panels.emplace_back();
    panel.across = part.of;
    panel.up = fmt::format("s, {}", part.name);
    panel.curves = {each, mean};
    panel.slopes = {1.0, 2.0};
  }
  return table;
}

}  // namespace collapse::benchmarks
