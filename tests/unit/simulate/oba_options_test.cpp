/// The names that options of scheme oba have on the command line and in files.

#include <gtest/gtest.h>

#include "collapse/core/error.hpp"
#include "collapse/simulate/oba.hpp"

namespace collapse::testing {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    ObaOptions options;
    options.set_all(text);
  } catch (const Error& error) {
    return error.place() + ": " + error.found() + "; " + error.expected();
  }
  return {};
}

TEST(ObaOptions, AreReadAsTheyAreWritten) {
  ObaOptions options;
  options.set_all("objective=size,cone=circular,sides=12,lift=off,n=7,rounds=3");
  options.set_all("static=cones,iterations=5,turn=1/20,hybrid=on,c_max=2,v_min=0.5,distance=on");
  options.set_all("energy=free,freeze=rest,c_f=1,cold=-1,-2,0,1,2,3/2,5,5,5,6,6,6");
  EXPECT_EQ(options.objective, ObaObjective::size);
  EXPECT_EQ(options.cone.cone, FrictionCone::circular);
  EXPECT_EQ(options.cone.sides, 12);
  EXPECT_FALSE(options.lift);
  EXPECT_EQ(options.sequential_collisions, 7);
  EXPECT_EQ(options.bounce_rounds, 3);
  EXPECT_EQ(options.static_contact, StaticContact::cones);
  EXPECT_EQ(options.cone_iterations, 5);
  EXPECT_EQ(options.largest_turn, 0.05);
  EXPECT_TRUE(options.hybrid_position);
  EXPECT_EQ(options.c_max, 2);
  EXPECT_EQ(options.v_min, 0.5);
  EXPECT_TRUE(options.bounce_at_distance);
  EXPECT_FALSE(options.keep_energy);
  EXPECT_FALSE(options.freezing_by_energy);
  EXPECT_EQ(options.c_f, 1);
  ASSERT_EQ(options.cold.size(), 2U);
  EXPECT_EQ(options.cold[0].most, Vec<3>(1, 2, 1.5));
  ObaOptions again;
  for (const auto& [key, value] : options.describe()) again.set(key, value);
  EXPECT_EQ(again.describe(), options.describe());
  EXPECT_NE(again.describe(), ObaOptions{}.describe());
}

TEST(ObaOptions, HaveALineOfHelpEach) {
  const auto help = oba_option_help();
  const auto pairs = ObaOptions{}.describe();
  ASSERT_EQ(help.size(), pairs.size());
  for (std::size_t k = 0; k < help.size(); ++k) {
    EXPECT_EQ(help[k].first, pairs[k].first);
    EXPECT_FALSE(help[k].second.empty());
  }
}

TEST(ObaOptions, AreRefusedByName) {
  EXPECT_NE(refusal_of("cmax=3").find("c_max"), std::string::npos);
  EXPECT_NE(refusal_of("c_max=-1").find("c_max: -1; 0 or more"), std::string::npos);
  EXPECT_NE(refusal_of("c_max=1.5").find("whole number"), std::string::npos);
  EXPECT_NE(refusal_of("cone=square").find("inner, circular, outer"), std::string::npos);
  EXPECT_NE(refusal_of("lift=maybe").find("on or off"), std::string::npos);
  EXPECT_NE(refusal_of("cold=0,0,0,1,1").find("six numbers"), std::string::npos);
  EXPECT_NE(refusal_of("cold=0,0,0,1,1,0").find("below the second"), std::string::npos);
  EXPECT_NE(refusal_of("turn=2").find("at most 1"), std::string::npos);
  EXPECT_NE(refusal_of("v_min=nan").find("a number"), std::string::npos);
  EXPECT_NE(refusal_of("help me").find("key=value"), std::string::npos);
}

}  // namespace
}  // namespace collapse::testing
