#include <fmt/core.h>

#include <cmath>
#include <optional>

#include "collapse/core/error.hpp"
#include "collapse/core/random.hpp"
#include "tests/soak/campaign.hpp"
#include "tests/soak/crowds_campaign.hpp"
#include "tests/soak/space_campaign.hpp"
#include "tests/support/audit.hpp"
#include "tests/support/changed_scene.hpp"
#include "tests/support/mutation.hpp"
#include "tests/support/program_judge.hpp"

namespace collapse::soak {
namespace {

using namespace collapse::testing;

std::string fraction(int numerator, int denominator) {
  return fmt::format("{}/{}", numerator, denominator);
}

struct Drawn {
  std::string text;
  std::optional<Stability> expected;  ///< where a closed form tells
};

Stability stable_if(bool stands) { return stands ? Stability::stable : Stability::unstable; }

/// A scene from the gallery with random options.
Drawn random_scene(Random& random) {
  const std::string friction = random.below(2) == 0 ? "0" : fraction(1 + random.below(15), 16);
  switch (random.below(6)) {
    case 0:
      return {scenes::make_scene("pile", {{"bricks", std::to_string(1 + random.below(60))},
                                          {"seed", std::to_string(random.below(1'000'000))},
                                          {"friction", friction}}),
              {}};
    case 1:
      return {scenes::make_scene("wall", {{"courses", std::to_string(1 + random.below(9))},
                                          {"width", std::to_string(1 + random.below(9))},
                                          {"bond", random.below(2) == 0 ? "stack" : "half"},
                                          {"ends", random.below(2) == 0 ? "ragged" : "straight"},
                                          {"friction", friction}}),
              {}};
    case 2: {
      const int share = 900 + random.below(200);
      Drawn drawn{scenes::make_scene("harmonic", {{"bricks", std::to_string(1 + random.below(20))},
                                                  {"factor", fraction(share, 1000)}}),
                  {}};
      if (share != 1000) drawn.expected = stable_if(share < 1000);
      return drawn;
    }
    case 3:
      return {scenes::make_scene("arch", {{"voussoirs", std::to_string(3 + random.below(40))},
                                          {"thickness", fraction(95 + random.below(60), 1000)},
                                          {"friction", fraction(30 + random.below(60), 100)}}),
              {}};
    case 4: {
      const int blocks = 2 + random.below(20);
      const int lean = 1 + random.below(30);
      Drawn drawn{scenes::make_scene("column", {{"blocks", std::to_string(blocks)},
                                                {"lean", fraction(lean, 200)},
                                                {"friction", friction}}),
                  {}};
      if (lean * blocks != 200) drawn.expected = stable_if(lean * blocks < 200);
      return drawn;
    }
    default: {
      const int rows = 1 + random.below(9);
      Drawn drawn{
          scenes::make_scene("diamond", {{"rows", std::to_string(rows)}, {"friction", friction}}),
          {}};
      if (friction == "0") drawn.expected = stable_if(rows <= 4);
      return drawn;
    }
  }
}

Change random_change(Random& random) {
  Change change;
  const auto power = [&random] {
    const int exponent = random.below(7) - 3;
    return *parse_rational("1e" + std::to_string(exponent));
  };
  change.length = power();
  change.mass = power();
  change.gravity = power();
  change.mirror = random.below(2) == 0;
  // A rational point of the circle.
  const Rational t(random.below(41) - 20, 1 + random.below(20));
  change.c = (1 - t * t) / (1 + t * t);
  change.s = 2 * t / (1 + t * t);
  return change;
}

/// The forces balance, the mechanism is admissible and gains, and neither depends on units or axes.
std::string verdict_case(std::uint64_t number) {
  Random random(number);
  const auto [text, expected] = random_scene(random);
  const CheckedScene checked = check_text(text);
  const Verdict<2>& verdict = checked.verdict;
  if (expected && verdict.stability != *expected) {
    return fmt::format("{} is {}", checked.scene.name, to_string(verdict.stability));
  }
  if (verdict.stability == Stability::stable && !(worst_imbalance(checked) < 1e-6)) {
    return fmt::format("imbalance {}", worst_imbalance(checked));
  }
  if (verdict.stability == Stability::unstable) {
    const MotionAudit audit = audit_mechanism(checked);
    if (!(audit.violation < 1e-8)) return fmt::format("violation {}", audit.violation);
    if (!(audit.gain > 0.0)) return fmt::format("gain {}", audit.gain);
  }
  const Change change = random_change(random);
  const CheckedScene other = check_text(changed(text, change));
  if (other.verdict.stability != verdict.stability) {
    return fmt::format("{} becomes {} ({})", to_string(verdict.stability),
                       to_string(other.verdict.stability), checked.scene.name);
  }
  if (verdict.stability != Stability::stable) return {};
  return force_difference(checked, other, change);
}

/// A damaged scene file is a scene or is refused in one line.
std::string reader_case(std::uint64_t number) {
  static const std::vector<Sample> kSamples = corpus();
  Random random(number);
  const auto pick = [&] {
    return kSamples[static_cast<std::size_t>(random.below(static_cast<int>(kSamples.size())))].text;
  };
  const std::string text = pick();
  const std::string damaged = mutated(text, pick(), random);
  try {
    const Scene<2> scene = parse_scene(damaged);
    if (scene.bodies.empty() && scene.framework.points.empty()) return "a scene of nothing";
    const State<2> state = initial_state(scene);
    const ContactSet<2> contacts = find_contacts(scene, state);
    const Verdict<2> verdict = check(scene, state, contacts);
    if (!std::isfinite(verdict.margin) || !std::isfinite(verdict.residual)) return "not finite";
    const bool floats = !contacts.isolated.empty() && !scene.gravity.value.isZero(0.0);
    if (floats && verdict.stability == Stability::stable) return "stable with a body in the air";
  } catch (const Error& error) {
    const std::string what = error.what();
    if (what.find('\n') != std::string::npos) return "a message of several lines";
    if (error.found().empty() || error.expected().empty()) return "an empty message";
  }
  return {};
}

/// Solvable, infeasible and unbounded programs: never a wrong status, solution or ray.
std::string program_case(std::uint64_t number) {
  const RandomProgram random = random_program(number);
  return fault_of(random, solve(random.program));
}

}  // namespace

const std::vector<Campaign>& campaigns() {
  static const std::vector<Campaign> kCampaigns = {
      {"verdicts", "random structures in random units and axes", verdict_case},
      {"reader", "damaged scene files, read and checked", reader_case},
      {"programs", "random convex programs", program_case},
      {"space", "random structures in space against another linear program", space_case},
      {"crowds", "crowded containers in space, five seconds each", crowds_case},
      {"large-crowds", "the same with 65 to 150 bodies", large_crowds_case},
      {"oba-crowds", "the crowds by scheme oba", oba_crowds_case},
  };
  return kCampaigns;
}

}  // namespace collapse::soak
