/// The least potential energy of flat bricks.

#include "collapse/formulation/potential.hpp"

#include <gtest/gtest.h>

#include "collapse/core/error.hpp"
#include "collapse/io/scene_reader.hpp"
#include "scenes/gallery.hpp"

namespace collapse::testing {
namespace {

LeastPotential of_gallery(const std::string& name,
                          const std::map<std::string, std::string>& choices = {}) {
  return least_potential(parse_scene(scenes::make_scene(name, choices)));
}

TEST(LeastPotential, OfAStructureThatStandsIsTheOneItHas) {
  for (const char* const rows : {"3", "4"}) {
    const LeastPotential stands = of_gallery("diamond", {{"rows", rows}});
    EXPECT_EQ(stands.status, Status::optimal);
    EXPECT_NEAR(stands.energy, stands.energy_at_start, 1e-9 * stands.energy_at_start);
  }
}

TEST(LeastPotential, OfADiamondThatFallsIsLower) {
  const LeastPotential falls = of_gallery("diamond", {{"rows", "5"}});
  EXPECT_EQ(falls.status, Status::optimal);
  EXPECT_LT(falls.energy, 0.99 * falls.energy_at_start);
  // Symmetric, as the diamond is.
  double slopes = 0.0;
  for (const FlatBrick& brick : falls.bricks) slopes += brick.slope;
  EXPECT_NEAR(slopes, 0.0, 1e-6);
}

TEST(LeastPotential, OfABrickOverAnEdgeLeansOnTheGround) {
  // A brick of length 2 and height 1/4 whose middle is 1/2 beyond the end of a block of height 1: its far end goes
  // down to the ground, 1 + 1/2 from the edge.
  const LeastPotential leans =
      least_potential(parse_scene(R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
    "bodies": [{"plane": {"normal": [0, 1], "offset": 0}},
               {"box": [2, 1], "position": [-1, "1/2"], "fixed": true},
               {"box": [2, "1/4"], "position": ["1/2", "9/8"]}]})"));
  ASSERT_EQ(leans.status, Status::optimal);
  ASSERT_EQ(leans.bricks.size(), 1U);
  EXPECT_NEAR(leans.bricks[0].slope, -1.0 / 1.5, 1e-9);
  EXPECT_NEAR(leans.bricks[0].height, 0.125 + 1.0 - 0.5 / 1.5, 1e-9);
}

TEST(LeastPotential, RefusesWhatIsNoFlatBrick) {
  EXPECT_THROW(static_cast<void>(of_gallery("arch")), Error);
  EXPECT_THROW(static_cast<void>(of_gallery("cylinders")), Error);
}

}  // namespace
}  // namespace collapse::testing
