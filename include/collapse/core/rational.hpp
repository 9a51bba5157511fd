#pragma once

#include <boost/multiprecision/gmp.hpp>
//
#include <boost/multiprecision/eigen.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace collapse {

/// An exact number. Expression templates are off so that Eigen's own can be used on top.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                               boost::multiprecision::et_off>;
using Integer =
    boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

/// Limits of a number in a scene: they keep hostile input from filling memory.
inline constexpr int kMaxDigits = 1000;
inline constexpr int kMaxExponent = 300;

/// The number exactly as written: `0.1` is one tenth; `12`, `-3.5e-2`, `7/24`. Nothing if `text` is
/// not such a number or is beyond the limits above.
[[nodiscard]] std::optional<Rational> parse_rational(std::string_view text);

/// The double nearest to `value` (ties to even), infinite beyond the largest.
/// (GMP's own conversion truncates.)
[[nodiscard]] double to_double(const Rational& value);

/// `numerator/denominator` in lowest terms, or the integer alone.
[[nodiscard]] std::string to_string(const Rational& value);

/// The square root if it is rational.
[[nodiscard]] std::optional<Rational> exact_sqrt(const Rational& value);

/// A number of the user: exactly as written, and the double nearest to it.
struct Number {
  Rational exact;
  double value = 0.0;

  Number() = default;
  explicit Number(Rational number) : exact(std::move(number)), value(to_double(exact)) {}
};

}  // namespace collapse
