/// Random programs that were once judged or answered wrongly.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/support/program_judge.hpp"

namespace collapse::testing {
namespace {

std::string fault_of_answer(std::uint64_t seed) {
  const RandomProgram random = random_program(seed);
  return fault_of(random, solve(random.program));
}

// A variable of mass 6e-4 is held fast against a load of 1e3: it is exact to 1e-12 of how far the load
// could move it, which is 3e-7 of where it is.
TEST(RandomPrograms, LightVariableIsHeldAgainstALargeLoad) {
  EXPECT_EQ(fault_of_answer(22651), "");
}

// All multipliers are zero, and rows a thousandth as long as others let 2e-8 of them be nothing.
TEST(RandomPrograms, MultipliersOfShortRowsAreNothing) { EXPECT_EQ(fault_of_answer(27867), ""); }

// One row of a planar cone turned by 45° is nothing but rounding, and so is its bound.
TEST(RandomPrograms, TurnedRowsOfRoundingDoNotBind) {
  for (const std::uint64_t seed : {2989U, 6847U, 8713U, 17651U}) {
    EXPECT_EQ(fault_of_answer(seed), "") << seed;
  }
}

// Cones without variables whose bounds lie on their boundary.
TEST(RandomPrograms, BoundsOnTheBoundaryOfTheirConeAreNoContradiction) {
  for (const std::uint64_t seed : {14289U, 44594U, 49508U}) {
    EXPECT_EQ(fault_of_answer(seed), "") << seed;
  }
}

// Infeasible by a contradiction that is smaller than what rows may be off.
TEST(RandomPrograms, ContradictionsBelowTheToleranceMayBeOverlooked) {
  EXPECT_EQ(fault_of_answer(226725), "");
}

}  // namespace
}  // namespace collapse::testing
