#include "collapse/core/rational.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "collapse/core/random.hpp"

namespace collapse {
namespace {

std::string random_digits(Random& random, int count) {
  std::string digits;
  for (int i = 0; i < count; ++i) digits += static_cast<char>('0' + random.below(10));
  return digits;
}

Rational power_of_two(int exponent) {
  const Rational power(Integer(1) << std::abs(exponent));
  return exponent < 0 ? 1 / power : power;
}

TEST(ParseRational, ReadsNumbersExactlyAsWritten) {
  const std::pair<const char*, Rational> accepted[] = {
      {"0", Rational(0)},
      {"-0", Rational(0)},
      {"12", Rational(12)},
      {"0.1", Rational(1, 10)},
      {"-3.5e-2", Rational(-7, 200)},
      {"0.050", Rational(1, 20)},
      {"0.08", Rational(2, 25)},
      {"7/24", Rational(7, 24)},
      {"-7/24", Rational(-7, 24)},
      {"4/8", Rational(1, 2)},
      {"0/5", Rational(0)},
      {"1e3", Rational(1000)},
      {"1E+03", Rational(1000)},
      {"2.5E1", Rational(25)},
      {"1e0", Rational(1)},
      {"10/1", Rational(10)},
  };
  for (const auto& [text, value] : accepted) {
    const std::optional<Rational> read = parse_rational(text);
    ASSERT_TRUE(read.has_value()) << text;
    EXPECT_EQ(*read, value) << text;
  }
}

TEST(ParseRational, RefusesEverythingElse) {
  const char* refused[] = {"",      "-",      "+1",
                           " 1",    "1 ",     ".5",
                           "1.",    "007",    "00",
                           "-01",   "1.e2",   "1e",
                           "1e+",   "1e1.5",  "0x10",
                           "1/0",   "1/-4",   "1/04",
                           "01/4",  "1/",     "/4",
                           "1/2/3", "1.5/2",  "1/2e1",
                           "1/2.5", "inf",    "nan",
                           "--1",   "1,5",    "1_000",
                           "1e301", "1e-301", "1e99999999999999999999",
                           "--",    "1/4x",   "½",
                           "1\n",   "e5"};
  for (const char* text : refused) EXPECT_FALSE(parse_rational(text).has_value()) << text;
  EXPECT_FALSE(parse_rational(std::string_view("1\0", 2)).has_value());
}

TEST(ParseRational, KeepsToItsLimits) {
  EXPECT_TRUE(parse_rational(std::string(1000, '9')));
  EXPECT_FALSE(parse_rational(std::string(1001, '9')));
  EXPECT_TRUE(parse_rational("0." + std::string(999, '9')));
  EXPECT_FALSE(parse_rational("0." + std::string(1000, '9')));
  EXPECT_TRUE(parse_rational(std::string(500, '9') + "/" + std::string(500, '7')));
  EXPECT_FALSE(parse_rational(std::string(501, '9') + "/" + std::string(500, '7')));
  EXPECT_TRUE(parse_rational("1e300"));
  EXPECT_TRUE(parse_rational("1e-300"));
}

TEST(ToDouble, AgreesWithStrtodOnRandomDecimals) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text = random.below(2) == 0 ? "-" : "";
    text += static_cast<char>('1' + random.below(9));
    text += random_digits(random, random.below(40));
    if (random.below(2) == 0) text += "." + random_digits(random, 1 + random.below(30));
    text += "e" + std::to_string(random.below(601) - 300);
    EXPECT_EQ(to_double(*parse_rational(text)), std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(ToDouble, AgreesWithStrtodWhereDoublesAreSubnormalOrOverflow) {
  Random random(2);
  for (int i = 0; i < 5000; ++i) {
    // Around 1e-308 … 1e-330 and 1e305 … 1e315, within the limit for exponents.
    const bool tiny = random.below(2) == 0;
    const std::string zeros(static_cast<std::size_t>(tiny ? 7 + random.below(23) : 5), '0');
    const std::string digits = "1" + random_digits(random, 5 + random.below(20));
    const std::string text =
        tiny ? "0." + zeros + digits + "e-300" : digits.substr(0, 6 + random.below(10)) + "e300";
    EXPECT_EQ(to_double(*parse_rational(text)), std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(ToDouble, NeighboursOfTheRoundedFractionAreNoNearer) {
  Random random(3);
  for (int i = 0; i < 5000; ++i) {
    const int top_digits = 1 + random.below(60);
    const int bottom_digits = 1 + random.below(60);
    const std::string top = "1" + random_digits(random, top_digits);
    const std::string bottom = "1" + random_digits(random, bottom_digits);
    const Rational value = *parse_rational(top + "/" + bottom);
    const double rounded = to_double(value);
    const Rational error = abs(value - Rational(rounded));
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_LE(error, abs(value - Rational(std::nextafter(rounded, infinity))));
    EXPECT_LE(error, abs(value - Rational(std::nextafter(rounded, -infinity))));
    EXPECT_EQ(to_double(-value), -rounded);
  }
}

TEST(ToDouble, ReturnsEveryDoubleUnchanged) {
  Random random(4);
  for (int i = 0; i < 5000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(random.bits() >> 11), random.below(2046) - 1074 - 26);
    EXPECT_EQ(to_double(Rational(value)), value);
  }
  EXPECT_EQ(to_double(Rational(std::numeric_limits<double>::denorm_min())),
            std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(to_double(Rational(std::numeric_limits<double>::max())),
            std::numeric_limits<double>::max());
}

TEST(ToDouble, BreaksTiesToEven) {
  const Rational ulp = power_of_two(-52);
  const Rational nudge = power_of_two(-3000);
  EXPECT_EQ(to_double(1 + ulp / 2), 1.0);
  EXPECT_EQ(to_double(1 + ulp / 2 + nudge), 1.0 + 0x1p-52);
  EXPECT_EQ(to_double(1 + 3 * ulp / 2), 1.0 + 0x1p-51);
  EXPECT_EQ(to_double(1 + 3 * ulp / 2 - nudge), 1.0 + 0x1p-52);
  EXPECT_EQ(to_double(2 - ulp / 2), 2.0) << "carries into the exponent";
}

TEST(ToDouble, RoundsAtTheEndsOfTheRange) {
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(to_double(power_of_two(-1075)), 0.0) << "a tie; zero is even";
  EXPECT_EQ(to_double(power_of_two(-1075) + power_of_two(-3000)), least);
  EXPECT_EQ(to_double(3 * power_of_two(-1075)), 2 * least);
  EXPECT_EQ(to_double(power_of_two(-5000)), 0.0);
  EXPECT_EQ(to_double(power_of_two(-1022) - power_of_two(-1075)), 0x1p-1022)
      << "the largest subnormal carries into the normal range";
  const double largest = std::numeric_limits<double>::max();
  const Rational half_step = power_of_two(970);
  EXPECT_EQ(to_double(Rational(largest) + half_step - 1), largest);
  EXPECT_EQ(to_double(Rational(largest) + half_step), std::numeric_limits<double>::infinity());
  EXPECT_EQ(to_double(-power_of_two(5000)), -std::numeric_limits<double>::infinity());
}

TEST(ToString, WritesLowestTerms) {
  EXPECT_EQ(to_string(Rational(6) / Rational(-4)), "-3/2");
  EXPECT_EQ(to_string(Rational(8) / Rational(4)), "2");
  EXPECT_EQ(to_string(Rational(0)), "0");
}

TEST(ExactSqrt, FindsRationalRootsAndNoOthers) {
  EXPECT_EQ(exact_sqrt(Rational(49, 64)), Rational(7, 8));
  EXPECT_EQ(exact_sqrt(Rational(8, 2)), Rational(2));
  EXPECT_EQ(exact_sqrt(Rational(0)), Rational(0));
  EXPECT_FALSE(exact_sqrt(Rational(2)));
  EXPECT_FALSE(exact_sqrt(Rational(4, 3)));
  EXPECT_FALSE(exact_sqrt(Rational(-1)));
  const Rational root = *parse_rational(std::string(400, '7') + "/" + std::string(399, '3') + "1");
  EXPECT_EQ(exact_sqrt(root * root), root);
  EXPECT_FALSE(exact_sqrt(root * root + power_of_two(-4000)));
}

TEST(FloorOf, IsTheWholeNumberBelow) {
  const std::pair<Rational, int> floors[] = {
      {Rational(7, 2), 3}, {Rational(-7, 2), -4},  {Rational(4), 4},      {Rational(-4), -4},
      {Rational(0), 0},    {Rational(1, 1000), 0}, {Rational(-1, 9), -1}, {Rational(99, 100), 0}};
  for (const auto& [value, floor] : floors) EXPECT_EQ(floor_of(value), floor) << value;
}

}  // namespace
}  // namespace collapse
