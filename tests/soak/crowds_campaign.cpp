#include "tests/soak/crowds_campaign.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "collapse/core/error.hpp"
#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "tests/support/overlap.hpp"
#include "tests/support/random_crowd.hpp"

namespace collapse::soak {
namespace {

using testing::Crowd;
using testing::OverlapJudge;

/// What may overlap, of the smaller body's size.
constexpr double kOverlap = 1e-4;
/// Of all energy that there is to lose: what may come from nowhere in five seconds.
constexpr double kGain = 1e-2;

/// Looks on from step to step.
class CrowdJudge {
 public:
  CrowdJudge(const Crowd& crowd, const Scene<3>& scene)
      : crowd_(crowd), scene_(scene), overlaps_(scene) {
    on_paths_ = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                            [](const Body<3>& body) { return !body.motion.empty(); });
    if (!crowd.container.empty()) container_ = *scene.find_body(crowd.container);
  }

  /// What is wrong after a step; empty if nothing is.
  [[nodiscard]] std::string fault(const Simulation<3>& simulation) {
    const State<3>& state = simulation.state();
    const Account& account = simulation.account();
    crushes_ = on_paths_ && account.crushed_steps > crushed_;
    springs_apart_ = crushes_ || last_.share > kOverlap;
    crushed_ = account.crushed_steps;
    for (std::size_t i = 0; i < state.poses.size(); ++i) {
      if (!state.poses[i].rotation.allFinite() || !state.poses[i].position.allFinite() ||
          !state.velocities[i].allFinite()) {
        return fmt::format("{} is not a number", scene_.bodies[i].name);
      }
    }
    std::string found = overlap(state);
    for (std::size_t i = 0; i < state.poses.size() && found.empty(); ++i) {
      found = escape(state, static_cast<int>(i));
    }
    return found.empty() ? gain(state, account) : found;
  }

 private:
  [[nodiscard]] std::string escape(const State<3>& state, int body) {
    if (!scene_.bodies[static_cast<std::size_t>(body)].free()) return {};
    Vec<3> at = state.centre(scene_, body);
    if (container_ >= 0) {
      const Pose<3>& pose = state.poses[static_cast<std::size_t>(container_)];
      at = pose.rotation.transpose() * (at - pose.position);
    }
    // Over the walls nothing holds it, then or later.
    if (at[2] > 20.0) over_the_walls_.insert(body);
    if (over_the_walls_.contains(body)) return {};
    // What is pressed into a wall is so with a part of itself.
    const double size = scene_.bodies[static_cast<std::size_t>(body)].shape.size();
    const double out =
        std::max({-at[2], std::abs(at[0]) - crowd_.half, std::abs(at[1]) - crowd_.half});
    const bool pressed = last_.share > kOverlap && (last_.a == body || last_.b == body);
    if (out < (pressed ? 0.5 * size : 0.0)) return {};
    return fmt::format("{} is outside, at ({:.4f}, {:.4f}, {:.4f})", scene_.body_name(body), at[0],
                       at[1], at[2]);
  }

  /// Overlap may be there where a step was said to crush something, and need not be gone at once.
  [[nodiscard]] std::string overlap(const State<3>& state) {
    const OverlapJudge::Overlap deepest = overlaps_.deepest(state);
    const double allowed = std::max(kOverlap, last_.share);
    last_ = deepest;
    if (crushes_ || deepest.share <= allowed) return {};
    return fmt::format("{} is {:.2e} of its size in {}", scene_.body_name(deepest.a), deepest.share,
                       scene_.body_name(deepest.b));
  }

  [[nodiscard]] std::string gain(const State<3>& state, const Account& account) {
    double energy = 0.0;
    double weight = 0.0;
    for (std::size_t i = 0; i < state.poses.size(); ++i) {
      const Body<3>& body = scene_.bodies[i];
      if (!body.free()) continue;
      const Twist<3>& velocity = state.velocities[i];
      const Vec<3> spin = velocity.tail<3>();
      energy +=
          0.5 * body.mass.mass * velocity.head<3>().squaredNorm() +
          0.5 * spin.dot(world_inertia<3>(body.mass.inertia, state.poses[i].rotation) * spin) -
          body.mass.mass * scene_.gravity.value.dot(state.centre(scene_, static_cast<int>(i)));
      weight += body.mass.mass * scene_.gravity.value.norm();
    }
    const double own = energy - account.driven_work;
    // What is crushed, or was and still overlaps, is pushed by forces that have nothing to do with its motion: what
    // work they do on bodies on paths is not known.
    least_ = springs_apart_ ? own : std::min(least_, own);
    // Above the floor, and what bodies on paths have put in.
    scale_ = std::max({scale_, energy, weight * crowd_.half});
    if (own - least_ <= kGain * scale_) return {};
    return fmt::format("energy {:.3g} above its least value before, of {:.3g}", own - least_,
                       scale_);
  }

  const Crowd& crowd_;
  const Scene<3>& scene_;
  OverlapJudge overlaps_;
  int container_ = -1;
  std::int64_t crushed_ = 0;
  bool on_paths_ = false;       ///< something is: nothing else can crush
  bool crushes_ = false;        ///< the last step did
  bool springs_apart_ = false;  ///< likewise, or it began with what was crushed before
  OverlapJudge::Overlap last_;  ///< the deepest after the last step
  double least_ = std::numeric_limits<double>::infinity();
  double scale_ = 0.0;
  std::set<int> over_the_walls_;  ///< bodies that have been
};

}  // namespace

std::string crowd_fault(const testing::Crowd& crowd, const SimulationOptions& options) {
  try {
    const Scene<3> scene = parse_scene<3>(crowd.text);
    Simulation<3> simulation(scene, options);
    CrowdJudge judge(crowd, scene);
    for (int step = 1; step <= 300; ++step) {
      simulation.step();
      const std::string fault = judge.fault(simulation);
      if (!fault.empty()) return fmt::format("step {}: {}", step, fault);
    }
  } catch (const Error& error) {
    return fmt::format("refused: {}", error.what());
  }
  return {};
}

namespace {

std::string fault_of_crowd(std::uint64_t number, testing::CrowdSize size, SchemeKind scheme) {
  Random random(number);
  const Crowd crowd = testing::RandomCrowd(random, size).draw();
  SimulationOptions options;
  options.scheme = scheme;
  options.freezing = random.below(2) == 0;
  options.threads = 1;
  return crowd_fault(crowd, options);
}

}  // namespace

std::string crowds_case(std::uint64_t number) {
  return fault_of_crowd(number, testing::CrowdSize::few, SchemeKind::position);
}

std::string large_crowds_case(std::uint64_t number) {
  return fault_of_crowd(number, testing::CrowdSize::many, SchemeKind::position);
}

std::string oba_crowds_case(std::uint64_t number) {
  return fault_of_crowd(number, testing::CrowdSize::few, SchemeKind::oba);
}

}  // namespace collapse::soak
