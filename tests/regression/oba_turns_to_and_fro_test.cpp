/// In a container that moves, what parted a small body from one neighbour turned it into another, by as much as a program may
/// turn it, and back again. The position update of scheme oba gave up, and the container went on into a sphere.

#include <gtest/gtest.h>

#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "tests/support/overlap.hpp"
#include "tests/support/random_crowd.hpp"

namespace collapse::testing {
namespace {

TEST(CrowdInAMovingContainer, IsPartedWhereABodyWouldTurnToAndFro) {
  Random random(15);
  const Scene<3> scene = parse_scene<3>(RandomCrowd(random, CrowdSize::few).draw().text);
  SimulationOptions options;
  options.scheme = SchemeKind::oba;
  options.threads = 1;
  Simulation<3> simulation(scene, options);
  OverlapJudge overlaps(scene);
  for (int step = 1; step <= 240; ++step) {
    ASSERT_TRUE(simulation.step());
    EXPECT_LE(overlaps.deepest(simulation.state()).share, 1e-4) << "step " << step;
  }
  EXPECT_TRUE(simulation.incidents().empty());
}

}  // namespace
}  // namespace collapse::testing
