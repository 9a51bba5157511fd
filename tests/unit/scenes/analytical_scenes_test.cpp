// What the scenes of chains, dominoes and balls are made for happens.

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "scenes/gallery.hpp"

namespace collapse::scenes {
namespace {

template <int Dim>
struct AnalyticalRun {
  Scene<Dim> scene;
  Simulation<Dim> simulation;

  AnalyticalRun(const std::string& name, const std::map<std::string, std::string>& options,
                double step)
      : scene(parse_scene<Dim>(make_scene(name, options))), simulation(scene, with_step(step)) {}

  static SimulationOptions with_step(double step) {
    SimulationOptions options;
    options.step = step;
    return options;
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) simulation.step();
  }

  [[nodiscard]] Vec<Dim> centre(const std::string& body) const {
    return simulation.state().centre(scene, *scene.find_body(body));
  }
};

TEST(AnalyticalScenes, DominoesFallOneAfterTheOther) {
  AnalyticalRun<2> run("dominoes", {{"dominoes", "8"}}, 1.0 / 240.0);
  run.run(60);
  EXPECT_LT(run.centre("domino 1").y(), 0.495);  // from 0.497
  EXPECT_NEAR(run.centre("domino 8").y(), 0.5, 1e-6);
  run.run(480);
  for (int i = 1; i <= 8; ++i) {
    EXPECT_LT(run.centre("domino " + std::to_string(i)).y(), 0.4) << i;
  }
}

TEST(AnalyticalScenes, BilliardsKeepTheirEnergyAtTheBreak) {
  AnalyticalRun<3> run("billiards", {}, 1.0 / 240.0);
  run.run(480);
  const Account& account = run.simulation.account();
  EXPECT_NEAR(account.energy, account.initial_energy, 1e-6 * account.initial_energy);
  EXPECT_LT(account.max_penetration, 1e-6);
  EXPECT_GT((run.centre("ball 4.1") - Vec<3>(2.0, 3.098, 0.5)).norm(), 0.1);
}

TEST(AnalyticalScenes, TheWreckingBallHitsTheWall) {
  AnalyticalRun<2> run("wrecking-ball", {{"courses", "6"}}, 1.0 / 120.0);
  const double before = run.centre("brick 5.1").x();
  run.run(60);
  EXPECT_NEAR(run.centre("brick 5.1").x(), before, 1e-6);
  run.run(180);
  EXPECT_GT(run.centre("brick 5.1").x(), before + 0.1);
}

TEST(AnalyticalScenes, TheChainHoldsAndCatchesItsBlocks) {
  AnalyticalRun<2> run("chain-blocks", {{"blocks", "1"}}, 1.0 / 240.0);
  run.run(480);
  EXPECT_GT(run.centre("block 1").y(), -6.0);  // freely it would be at -19
  EXPECT_LT(run.simulation.account().max_penetration, 1e-6);
}

}  // namespace
}  // namespace collapse::scenes
