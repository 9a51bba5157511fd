#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "collapse/simulate/simulation.hpp"

namespace collapse::testing {
namespace {

std::uint64_t as_number(const std::string& eight_bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 8; i-- > 0;) {
    number = number * 256 + static_cast<unsigned char>(eight_bytes[i]);
  }
  return number;
}

TEST(StateHash, IsFnv1a) {
  StateHash hash;
  EXPECT_EQ(hash.value(), 0xcbf29ce484222325ULL);
  hash.add(as_number("chongo w"));
  hash.add(as_number("as here!"));
  // Of "chongo was here!", from the authors' list of test vectors.
  EXPECT_EQ(hash.value(), 0x858e2fa32a55e61dULL);
}

TEST(StateHash, TellsNumbersAndTheirOrderApartButNotTheSignOfZero) {
  const auto of = [](std::initializer_list<double> numbers) {
    StateHash hash;
    for (const double number : numbers) hash.add(number);
    return hash.value();
  };
  EXPECT_NE(of({1.0, 2.0}), of({2.0, 1.0}));
  EXPECT_NE(of({1.0}), of({1.0 + 0x1p-52}));
  EXPECT_NE(of({1.0}), of({-1.0}));
  EXPECT_NE(of({0.0}), of({0.0, 0.0}));
  EXPECT_EQ(of({0.0}), of({-0.0}));
}

}  // namespace
}  // namespace collapse::testing
