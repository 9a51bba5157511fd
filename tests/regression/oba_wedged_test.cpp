/// Random crowds in which bodies on paths wedge others in. Scheme oba once took a program for solved that moved what was
/// wedged through a wall, or a small body through a thin floor that was not in the program; and forces without bound of
/// one frame counted in the next.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "tests/support/random_crowd.hpp"

namespace collapse::testing {
namespace {

struct Case {
  std::uint64_t number;  ///< of the campaign `oba-crowds`
  int steps;
};

/// As the campaign draws it.
struct DrawnCrowd {
  explicit DrawnCrowd(std::uint64_t number) {
    Random random(number);
    crowd = RandomCrowd(random, CrowdSize::few).draw();
    options.scheme = SchemeKind::oba;
    options.freezing = random.below(2) == 0;
    options.threads = 1;
  }

  Crowd crowd;
  SimulationOptions options;
};

/// How far a body's centre is beyond the inside of the container; below 0 within.
double outside(const Crowd& crowd, const Scene<3>& scene, const State<3>& state, int body) {
  Vec<3> at = state.centre(scene, body);
  if (!crowd.container.empty()) {
    const Pose<3>& pose = state.poses[static_cast<std::size_t>(*scene.find_body(crowd.container))];
    at = pose.rotation.transpose() * (at - pose.position);
  }
  return std::max({-at[2], std::abs(at[0]) - crowd.half, std::abs(at[1]) - crowd.half});
}

class WedgedCrowd : public ::testing::TestWithParam<Case> {};

TEST_P(WedgedCrowd, StaysInsideItsContainer) {
  const DrawnCrowd drawn(GetParam().number);
  const Scene<3> scene = parse_scene<3>(drawn.crowd.text);
  Simulation<3> simulation(scene, drawn.options);
  for (int step = 1; step <= GetParam().steps; ++step) {
    ASSERT_TRUE(simulation.step());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (!scene.bodies[i].free()) continue;
      ASSERT_LT(outside(drawn.crowd, scene, simulation.state(), static_cast<int>(i)), 0.0)
          << scene.bodies[i].name << " in step " << step;
    }
  }
}

// 212: moved by 40 m in one program, of a way of 1 cm; 228: pushed through a floor 2 cm thick; 400: a program solved to
// 2e-3 only counted as one without solution; 265, 478: what a rough program misses of rows with long levers took small
// bodies through such a floor.
INSTANTIATE_TEST_SUITE_P(OfTheCampaign, WedgedCrowd,
                         ::testing::Values(Case{212, 90}, Case{228, 62}, Case{265, 30},
                                           Case{400, 101}, Case{478, 30}),
                         [](const auto& param) {
                           return "case_" + std::to_string(param.param.number);
                         });

class ReleasedCrowd : public ::testing::TestWithParam<Case> {};

TEST_P(ReleasedCrowd, HasNoEnergyFromForcesThatCrushed) {
  const DrawnCrowd drawn(GetParam().number);
  const Scene<3> scene = parse_scene<3>(drawn.crowd.text);
  Simulation<3> simulation(scene, drawn.options);
  double weight = 0.0;
  for (const Body<3>& body : scene.bodies) {
    if (body.free()) weight += body.mass.mass * scene.gravity.value.norm();
  }
  double own = simulation.account().initial_energy;
  for (int step = 1; step <= GetParam().steps; ++step) {
    ASSERT_TRUE(simulation.step());
    const Account& account = simulation.account();
    const double now = account.energy - account.driven_work;
    // 1.7e-2 and 1.2e-2 they were; what is left is rounding of works, below 1e-3.
    ASSERT_LE(now - own, 3e-3 * weight * drawn.crowd.half) << "step " << step;
    own = now;
  }
  EXPECT_GT(simulation.account().crushed_steps, 0);
}

// 61: rows gave by the forces of the frame before; 473: what these forces brought later was nobody's work.
INSTANTIATE_TEST_SUITE_P(OfTheCampaign, ReleasedCrowd,
                         ::testing::Values(Case{61, 63}, Case{473, 176}), [](const auto& param) {
                           return "case_" + std::to_string(param.param.number);
                         });

}  // namespace
}  // namespace collapse::testing
