#include "collapse/core/rational.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace collapse {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The digits at the front of `text`, taken off it.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// As JSON writes integers: at least one digit, no zero in front of others.
bool is_plain_integer(std::string_view digits) {
  return !digits.empty() && (digits.size() == 1 || digits.front() != '0');
}

/// GMP by hand: Boost would read digits after a leading zero as octal.
Integer integer_of(const std::string& digits) {
  Integer value;
  mpz_set_str(value.backend().data(), digits.c_str(), 10);
  return value;
}

Integer power_of_ten(int exponent) {
  Integer value;
  mpz_ui_pow_ui(value.backend().data(), 10, static_cast<unsigned long>(exponent));
  return value;
}

/// The exponent after `e`, sign included; nothing if malformed or beyond the limit.
std::optional<int> take_exponent(std::string_view& text) {
  const bool negative = take(text, '-');
  if (!negative) take(text, '+');
  const std::string_view digits = take_digits(text);
  if (digits.empty()) return std::nullopt;
  int exponent = 0;
  for (const char digit : digits) {
    exponent = 10 * exponent + (digit - '0');
    if (exponent > kMaxExponent) return std::nullopt;
  }
  return negative ? -exponent : exponent;
}

std::optional<Rational> parse_fraction(std::string_view numerator, std::string_view denominator) {
  if (!is_plain_integer(denominator) || denominator == "0") return std::nullopt;
  return Rational(integer_of(std::string(numerator))) /
         Rational(integer_of(std::string(denominator)));
}

std::optional<Rational> parse_unsigned(std::string_view text) {
  const std::string_view whole = take_digits(text);
  if (!is_plain_integer(whole)) return std::nullopt;
  if (take(text, '/')) {
    const std::string_view denominator = take_digits(text);
    return text.empty() ? parse_fraction(whole, denominator) : std::nullopt;
  }
  std::string_view decimals;
  if (take(text, '.')) {
    decimals = take_digits(text);
    if (decimals.empty()) return std::nullopt;
  }
  int exponent = 0;
  if (take(text, 'e') || take(text, 'E')) {
    const std::optional<int> written = take_exponent(text);
    if (!written) return std::nullopt;
    exponent = *written;
  }
  if (!text.empty()) return std::nullopt;

  exponent -= static_cast<int>(decimals.size());
  const Rational mantissa(integer_of(std::string(whole) + std::string(decimals)));
  const Rational power(power_of_ten(std::abs(exponent)));
  return exponent < 0 ? mantissa / power : mantissa * power;
}

int bits_of(const Integer& positive) {
  return static_cast<int>(mpz_sizeinbase(positive.backend().data(), 2));
}

/// ⌊numerator / (denominator · 2^shift)⌋ and whether something was cut off.
struct Quotient {
  std::uint64_t floor = 0;
  bool inexact = false;
};
Quotient shifted_quotient(Integer numerator, Integer denominator, int shift) {
  if (shift < 0) {
    numerator <<= -shift;
  } else {
    denominator <<= shift;
  }
  Integer quotient;
  Integer rest;
  boost::multiprecision::divide_qr(numerator, denominator, quotient, rest);
  return {quotient.convert_to<std::uint64_t>(), rest != 0};
}

constexpr int kMantissaBits = 53;
constexpr int kSmallestExponent = -1074;  ///< of the last bit of a subnormal double

/// Correct for every positive fraction: two or more bits beyond the mantissa and whether anything
/// follows them decide the rounding.
double round_to_nearest_even(const Integer& numerator, const Integer& denominator) {
  const int shift = std::max(bits_of(numerator) - bits_of(denominator) - (kMantissaBits + 2),
                             kSmallestExponent - 2);
  const Quotient quotient = shifted_quotient(numerator, denominator, shift);
  int bits = 0;
  while (bits < 64 && (quotient.floor >> bits) != 0) ++bits;
  const int last = std::max(shift + bits - kMantissaBits, kSmallestExponent);
  const int dropped = last - shift;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rest = quotient.floor & (2 * half - 1);
  std::uint64_t mantissa = quotient.floor >> dropped;
  const bool beyond_tie = quotient.inexact || mantissa % 2 == 1;
  if (rest > half || (rest == half && beyond_tie)) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), last);
}

}  // namespace

std::optional<Rational> parse_rational(std::string_view text) {
  if (std::count_if(text.begin(), text.end(), is_digit) > kMaxDigits) return std::nullopt;
  const bool negative = take(text, '-');
  std::optional<Rational> value = parse_unsigned(text);
  if (value && negative) *value = -*value;
  return value;
}

double to_double(const Rational& value) {
  const mpq_srcptr fraction = value.backend().data();
  const int sign = mpq_sgn(fraction);
  if (sign == 0) return 0.0;
  const bool small = mpz_sizeinbase(mpq_numref(fraction), 2) <= kMantissaBits &&
                     mpz_sizeinbase(mpq_denref(fraction), 2) <= kMantissaBits;
  // Both are doubles without rounding: the division rounds once.
  if (small) return mpz_get_d(mpq_numref(fraction)) / mpz_get_d(mpq_denref(fraction));
  const double magnitude = round_to_nearest_even(abs(numerator(value)), denominator(value));
  return sign < 0 ? -magnitude : magnitude;
}

std::string to_string(const Rational& value) {
  const Integer bottom = denominator(value);
  const std::string top = numerator(value).str();
  return bottom == 1 ? top : top + "/" + bottom.str();
}

std::optional<Rational> exact_sqrt(const Rational& value) {
  if (value < 0) return std::nullopt;
  const Integer top = numerator(value);
  const Integer bottom = denominator(value);
  if (mpz_perfect_square_p(top.backend().data()) == 0 ||
      mpz_perfect_square_p(bottom.backend().data()) == 0) {
    return std::nullopt;
  }
  return Rational(sqrt(top)) / Rational(sqrt(bottom));
}

}  // namespace collapse
