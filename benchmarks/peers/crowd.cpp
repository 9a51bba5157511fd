#include "benchmarks/peers/crowd.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "benchmarks/child.hpp"
#include "benchmarks/peers/crowd_engines.hpp"
#include "collapse/io/scene_reader.hpp"
#include "scenes/gallery.hpp"

namespace collapse::benchmarks {
namespace {

// These shares of all frames, at the beginning and at the end, count as falling and as settled.
constexpr double kFallingShare = 0.3;
constexpr double kSettledShare = 0.3;

struct Frame {
  double cpu_s = 0.0;
  double deepest = 0.0;
  double kinetic = 0.0;  ///< energies of all boxes
  double potential = 0.0;
};

struct CrowdRecord {
  std::vector<Frame> frames;
  std::vector<double> depths;  ///< of all pairs that overlap, of all frames
};

Frame measured(const CrowdScene& scene, const std::vector<CrowdState>& states,
               std::vector<double>& all_depths) {
  Frame frame;
  std::vector<PlacedBox> boxes;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const CrowdState& state = states[i];
    const CrowdBox& box = scene.boxes[i];
    boxes.push_back(state.placed);
    const Vec<3> spin = state.placed.axes.transpose() * state.spin;
    frame.kinetic +=
        0.5 * (box.mass * state.velocity.squaredNorm() + box.moments.dot(spin.cwiseProduct(spin)));
    frame.potential -= box.mass * scene.gravity * state.placed.centre.z();
  }
  const std::vector<double> found = depths(boxes, scene.halves);
  for (const double depth : found) frame.deepest = std::max(frame.deepest, depth);
  all_depths.insert(all_depths.end(), found.begin(), found.end());
  // What is not a number any more overlaps nothing.
  if (!std::isfinite(frame.kinetic + frame.potential)) {
    frame.deepest = std::numeric_limits<double>::infinity();
  }
  return frame;
}

void show_progress(const std::string& name, int frame, const CrowdOptions& options,
                   const Frame& last) {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  if (!terminal && frame % 60 != 0) return;
  fmt::print(stderr, "{}{}: frame {} of {}, {:.1f} ms, penetration {:.1e}   {}",
             terminal ? "\r" : "", name, frame, options.frames, 1e3 * last.cpu_s, last.deepest,
             terminal && frame < options.frames ? "" : "\n");
}

CrowdRecord record_crowd(const std::string& name, const CrowdScene& scene,
                         const CrowdOptions& options, CrowdEngine& engine) {
  CrowdRecord record;
  double spent = 0.0;
  for (int k = 1; k <= options.frames && spent < options.limit_s; ++k) {
    const std::clock_t start = std::clock();
    const bool made = engine.make_frame();
    const double cpu_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!made) break;
    record.frames.push_back(measured(scene, engine.states(), record.depths));
    record.frames.back().cpu_s = cpu_s;
    spent += cpu_s;
    show_progress(name, k, options, record.frames.back());
  }
  return record;
}

/// The smallest value that so many are not above.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  const auto rank = std::ceil(share * static_cast<double>(values.size()));
  const auto at =
      values.begin() + std::max(static_cast<std::ptrdiff_t>(rank) - 1, std::ptrdiff_t{0});
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                        : sum / static_cast<double>(values.size());
}

/// What a row of the table shows. Times in milliseconds of CPU, per frame.
struct CrowdSummary {
  double frames = 0.0;
  double mean_ms = 0.0;
  double p99_ms = 0.0;
  double falling_ms = 0.0;
  double settled_ms = 0.0;
  double largest = 0.0;       ///< penetration, over all pairs and frames
  double median_frame = 0.0;  ///< of the frames' largest
  double median_pair = 0.0;   ///< of all pairs that overlap, over all frames
  double energy = 0.0;        ///< at the end, per box, in m g times its edge
  double kinetic = 0.0;       ///< likewise
};
constexpr std::size_t kSummaryNumbers = sizeof(CrowdSummary) / sizeof(double);

CrowdSummary summary_of(const CrowdRecord& record, const CrowdScene& scene,
                        const CrowdOptions& options) {
  CrowdSummary result;
  std::vector<double> all;
  std::vector<double> falling;
  std::vector<double> settled;
  std::vector<double> deepest;
  for (const Frame& frame : record.frames) {
    const double ms = 1e3 * frame.cpu_s;
    all.push_back(ms);
    deepest.push_back(frame.deepest);
    const double share = static_cast<double>(all.size()) / options.frames;
    if (share <= kFallingShare) falling.push_back(ms);
    if (share > 1.0 - kSettledShare) settled.push_back(ms);
    result.largest = std::max(result.largest, frame.deepest);
  }
  double unit = 0.0;
  for (const CrowdBox& box : scene.boxes) {
    unit += box.mass * std::abs(scene.gravity) * 2.0 * box.placed.half.x();
  }
  const Frame& last = record.frames.empty() ? Frame{} : record.frames.back();
  result.frames = static_cast<double>(record.frames.size());
  result.mean_ms = mean(all);
  result.p99_ms = quantile(all, 0.99);
  result.falling_ms = mean(falling);
  result.settled_ms = mean(settled);
  result.median_frame = quantile(deepest, 0.5);
  result.median_pair = quantile(record.depths, 0.5);
  result.energy = (last.kinetic + last.potential) / unit;
  result.kinetic = last.kinetic / unit;
  return result;
}

struct CrowdContestant {
  std::string name;
  std::function<std::unique_ptr<CrowdEngine>()> make;
};

std::vector<CrowdContestant> crowd_contestants(const Scene<3>& scene, const CrowdScene& plain) {
  using Method = MujocoSettings::Method;
  const auto bullet = [&](int substeps, bool sleeping) {
    return [&plain, substeps, sleeping] { return bullet_crowd(plain, {substeps, sleeping}); };
  };
  const auto mujoco = [&](Method method, int substeps) {
    return [&plain, method, substeps] { return mujoco_crowd(plain, {method, substeps}); };
  };
  const auto ours = [&](SchemeKind scheme) {
    return [&scene, &plain, scheme] { return our_crowd(scene, plain, scheme); };
  };
  return {
      {"ours, position", ours(SchemeKind::position)},
      {"ours, oba", ours(SchemeKind::oba)},
      {"Bullet, 60 Hz", bullet(1, false)},
      {"Bullet, 60 Hz, sleeping", bullet(1, true)},
      {"Bullet, 240 Hz", bullet(4, false)},
      {"MuJoCo CG, 60 Hz", mujoco(Method::conjugate_gradients, 1)},
      {"MuJoCo CG, 240 Hz", mujoco(Method::conjugate_gradients, 4)},
      {"MuJoCo CG, 480 Hz", mujoco(Method::conjugate_gradients, 8)},
      {"MuJoCo Newton, 60 Hz", mujoco(Method::newton, 1)},
      {"MuJoCo Newton, 240 Hz", mujoco(Method::newton, 4)},
  };
}

std::string frames_cell(const CrowdSummary& summary, const CrowdOptions& options) {
  const int made = static_cast<int>(summary.frames);
  return made == options.frames ? "" : fmt::format(" ({} frames)", made);
}

}  // namespace

void compare_crowd(const CrowdOptions& options) {
  const Scene<3> scene = parse_scene<3>(
      scenes::make_scene("cube-container", {{"cubes", std::to_string(options.cubes)},
                                            {"side", std::to_string(options.side)},
                                            {"seed", std::to_string(options.seed)}}));
  const CrowdScene plain(scene);
  fmt::print(
      "| engine | ms per frame | p99 | falling | settled | penetration | median of frames | median "
      "of pairs | energy | kinetic | MB "
      "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const CrowdContestant& who : crowd_contestants(scene, plain)) {
    if (who.name.find(options.only) == std::string::npos) continue;
    std::fflush(stdout);  // a child that calls exit would print what is left in the buffer again
    const ChildResult child = run_in_child([&] {
      const std::unique_ptr<CrowdEngine> engine = who.make();
      const CrowdSummary s =
          summary_of(record_crowd(who.name, plain, options, *engine), plain, options);
      return std::vector<double>{s.frames,     s.mean_ms, s.p99_ms,       s.falling_ms,
                                 s.settled_ms, s.largest, s.median_frame, s.median_pair,
                                 s.energy,     s.kinetic};
    });
    if (!child.ended_well || child.values.size() != kSummaryNumbers) {
      fmt::print("| {} | crashed | | | | | | | | | |\n", who.name);
      continue;
    }
    const std::vector<double>& v = child.values;
    const CrowdSummary s{v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]};
    fmt::print(
        "| {}{} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1e} | {:.1e} | {:.1e} | {:.4f} | {:.1e} | "
        "{:.0f} |\n",
        who.name, frames_cell(s, options), s.mean_ms, s.p99_ms, s.falling_ms, s.settled_ms,
        s.largest, s.median_frame, s.median_pair, s.energy, s.kinetic, child.peak_megabytes);
  }
}

}  // namespace collapse::benchmarks
