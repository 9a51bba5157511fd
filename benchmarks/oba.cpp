#include "benchmarks/oba.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "benchmarks/child.hpp"
#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "scenes/gallery.hpp"

namespace collapse::benchmarks {
namespace {

using ProgressCallback = std::function<void(const std::string&)>;

/// A column of Tables 7.1 and 7.2: per frame, on PCs of 2002.
struct Published {
  const char* scene;
  double close_pairs;
  double collisions;
  double contacts;
  double seconds;
  double programs;
  double rollbacks;  ///< in percent
};

constexpr std::array kPublished = {
    Published{"oba-stack", 6.6, 29, 25.7, 0.9, 3, 0},
    Published{"oba-cs-stack", 11.8, 13.4, 13.4, 0.6, 4.6, 0.3},
    Published{"oba-cubejam", 172, 411.7, 278.4, 22.2, 4.8, 0},
    Published{"oba-blast-wall", 129.2, 404.3, 220.6, 12.3, 4, 0},
    Published{"oba-jacks", 123.3, 167.1, 94, 15.5, 4.6, 0.03},
    Published{"oba-pendulum", 0, 0, 0, 0.1, 2.1, 0},
    Published{"oba-hybrid", 159.1, 518.7, 497.6, 25.9, 4.8, 0.07},
    Published{"oba-robot", 308, 507.7, 507.7, 75.5, 6, 2.7},
    Published{"oba-sphereglass", 1723.4, 1673.6, 1673.6, 13.5, 2.6, 0},
    Published{"oba-cubeglass", 302.6, 471.5, 471.5, 87.2, 1.9, 0},
    Published{"oba-office-toy", 8, 7.9, 7.9, 2.1, 2.3, 0.3},
};

/// As chapter 7 has it: only the cubeglass with freezing, below its funnel; only the hybrid with the hybrid position
/// update.
SimulationOptions published_options(const Scene<3>& scene, const std::string& name) {
  SimulationOptions options;
  options.scheme = SchemeKind::oba;
  options.step = scene.simulation.step.value;
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
  double overlap = 0.0;       ///< largest of any frame, over the size of the smallest body
  std::ptrdiff_t frozen = 0;  ///< at the end
};

double smallest_size(const Scene<3>& scene) {
  double smallest = HUGE_VAL;
  for (const Body<3>& body : scene.bodies) {
    if (body.free()) smallest = std::min(smallest, body.shape.size());
  }
  return smallest;
}

/// Frames and what they took are told now and then, after `label`.
Measured measure(const Scene<3>& scene, const SimulationOptions& options, int frames,
                 const std::string& label, const ProgressCallback& progress) {
  constexpr double kTellEvery = 5.0;  // seconds
  Measured measured;
  Simulation<3> simulation(scene, options);
  double told = 0.0;
  progress(label);
  for (; measured.frames < frames; ++measured.frames) {
    if (measured.seconds - told > kTellEvery) {
      told = measured.seconds;
      progress(fmt::format("{}: {} of {} frames, {:.2f} s each", label, measured.frames, frames,
                           told / measured.frames));
    }
    const double spent = seconds([&] { simulation.step(); });
    measured.seconds += spent;
    measured.slowest = std::max(measured.slowest, spent);
  }
  measured.account = simulation.account();
  measured.crowd = simulation.crowd();
  measured.frozen = std::ranges::count(simulation.frozen(), std::uint8_t{1});
  measured.overlap = measured.account.max_penetration / smallest_size(scene);
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

}  // namespace

Table oba_scenes(const ProgressCallback& progress, int frames) {
  Table table;
  table.title = "scheme oba on one thread, per frame of 1/30; (p): as published, on PCs of 2002";
  std::vector<std::string> names;
  for (const Published& published : kPublished) names.emplace_back(published.scene);
  table.title += numbered_scenes(names);
  table.columns = {"scene",        "frames",      "close pairs", "(p)",          "collisions",
                   "(p)",          "contacts",    "(p)",         "programs",     "(p)",
                   "roll-backs %", "(p)",         "s",           "(p)",          "slowest s",
                   "overlap/size", "energy gain", "default: s",  "overlap/size", "energy gain"};
  for (std::size_t k = 0; k < kPublished.size(); ++k) {
    const Published& p = kPublished[k];
    const Scene<3> scene = parse_scene<3>(scenes::make_scene(p.scene));
    const SimulationOptions options = published_options(scene, p.scene);
    const int count = std::min(frames, frames_of(scene));
    const Measured m = measure(scene, options, count, p.scene, progress);
    SimulationOptions other = options;
    other.scheme = SchemeKind::position;
    const Measured d =
        measure(scene, other, count, fmt::format("{}, default scheme", p.scene), progress);
    const auto per_frame = [&](auto sum) { return static_cast<double>(sum) / m.frames; };
    table.rows.push_back({static_cast<double>(k + 1),
                          static_cast<double>(m.frames),
                          per_frame(m.crowd.close_pairs),
                          p.close_pairs,
                          per_frame(m.crowd.collisions),
                          p.collisions,
                          per_frame(m.crowd.contacts),
                          p.contacts,
                          per_frame(m.account.programs),
                          p.programs,
                          100.0 * per_frame(m.crowd.rollbacks),
                          p.rollbacks,
                          per_frame(m.seconds),
                          p.seconds,
                          m.slowest,
                          m.overlap,
                          gain_of(m.account),
                          per_frame(d.seconds),
                          d.overlap,
                          gain_of(d.account)});
  }
  return table;
}

Table oba_freezing(const ProgressCallback& progress, int frames) {
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
  table.title = "scheme oba with freezing and without; (p): as published" + numbered_scenes(names);
  table.columns = {"scene", "c_f",   "frames", "s per frame without", "(p)", "with",
                   "(p)",   "ratio", "(p)",    "frozen at the end"};
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& c = cases[k];
    const Scene<3> scene = parse_scene<3>(scenes::make_scene(c.scene));
    SimulationOptions options = published_options(scene, c.scene);
    options.oba.c_f = c.c_f;
    const int count = std::min(frames, frames_of(scene));
    std::array<double, 2> spent{};
    std::ptrdiff_t frozen = 0;
    for (const bool freezing : {false, true}) {
      options.freezing = freezing;
      const Measured m =
          measure(scene, options, count,
                  fmt::format("{}, {} freezing", c.scene, freezing ? "with" : "without"), progress);
      spent[freezing ? 1 : 0] = m.seconds / count;
      frozen = m.frozen;
    }
    table.rows.push_back({static_cast<double>(k + 1), static_cast<double>(c.c_f),
                          static_cast<double>(count), spent[0], c.without, spent[1], c.with,
                          spent[0] / spent[1], c.without / c.with, static_cast<double>(frozen)});
  }
  return table;
}

namespace {

/// What a part of a frame had to deal with, and how long it took.
struct Sample {
  double count;
  double seconds;
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
  std::array<std::vector<Sample>, 3> samples;
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
      const CrowdCounts& now = simulation.crowd();
      const auto count = [](std::int64_t number) { return static_cast<double>(number); };
      samples[0].push_back({count(now.close_pairs - last.close_pairs),
                            now.position_seconds - last.position_seconds});
      samples[1].push_back(
          {count(now.collisions - last.collisions), now.momentum_seconds - last.momentum_seconds});
      samples[2].push_back(
          {count(now.contacts - last.contacts), now.static_seconds - last.static_seconds});
      last = now;
    }
    state = simulation.state();
  }
  Table table;
  table.title =
      "200 cubes in packages of nine, every ten frames, scheme oba: seconds of a part of a frame "
      "over what it deals "
      "with. 1: position update, close pairs; 2: momentum update, collisions; 3: static contact, "
      "contacts. exponent: "
      "of seconds over the count, all frames of the part with 20 or more (published: about 2 for "
      "the position update)";
  table.columns = {"part", "from", "to", "frames", "s per frame", "exponent"};
  for (std::size_t part = 0; part < samples.size(); ++part) {
    const double exponent = exponent_of(samples[part]);
    for (double low = 1.0; low < 1e6; low *= 2.0) {
      double frames = 0.0;
      double sum = 0.0;
      for (const auto& [count, spent] : samples[part]) {
        if (count < low || count >= 2.0 * low) continue;
        frames += 1.0;
        sum += spent;
      }
      if (frames == 0.0) continue;
      table.rows.push_back(
          {static_cast<double>(part + 1), low, 2.0 * low - 1.0, frames, sum / frames, exponent});
    }
  }
  return table;
}

}  // namespace collapse::benchmarks
