#include "cli/option_number.hpp"

#include <cmath>

#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace collapse::cli {
namespace {

/// No machine gets so far, and products of two of them are far from the end of the integers.
constexpr std::int64_t kMostCounted = 1'000'000'000;

}  // namespace

Rational option_number(const std::string& option, const std::string& text, bool zero_allowed) {
  const std::optional<Rational> number = parse_rational(text);
  const bool good = number && (*number > 0 || (zero_allowed && *number == 0)) &&
                    std::isfinite(to_double(*number));
  if (!good) {
    throw Error(option, in_quotes(text),
                zero_allowed ? "a number not less than 0, such as 2.5 or 5/2"
                             : "a number greater than 0, such as 0.25 or 1/4");
  }
  return *number;
}

std::int64_t rounded_up(const Rational& number, const std::string& place, const std::string& what) {
  if (number > kMostCounted) {
    throw Error(place, "more than " + std::to_string(kMostCounted) + " " + what, "fewer");
  }
  const Integer top = numerator(number);
  const Integer bottom = denominator(number);
  const Integer result = (top + bottom - 1) / bottom;
  return result.convert_to<std::int64_t>();
}

}  // namespace collapse::cli
