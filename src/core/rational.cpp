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

/// Without zeros in front, after which Boost would read octal digits.
Integer integer_of(const std::string& digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? Integer(0) : Integer(digits.c_str() + first);
}

Integer power_of_ten(int exponent) {
  return boost::multiprecision::pow(Integer(10), static_cast<unsigned>(exponent));
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

int bits_of(const Integer& positive) { return static_cast<int>(msb(positive)) + 1; }

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

#ifdef COLLAPSE_HAS_GMP

/// Numerator over denominator where both are doubles without rounding: then the division rounds once.
std::optional<double> quotient_of_doubles(const Rational& value) {
  const mpq_srcptr fraction = value.backend().data();
  const bool small = mpz_sizeinbase(mpq_numref(fraction), 2) <= kMantissaBits &&
                     mpz_sizeinbase(mpq_denref(fraction), 2) <= kMantissaBits;
  if (!small) return std::nullopt;
  return mpz_get_d(mpq_numref(fraction)) / mpz_get_d(mpq_denref(fraction));
}

#else

/// Numerator over denominator where both are doubles without rounding: then the division rounds once.
std::optional<double> quotient_of_doubles(const Rational& value) {
  constexpr std::int64_t kLimit = std::int64_t{1} << kMantissaBits;
  const Integer top = numerator(value);
  const Integer bottom = denominator(value);
  if (top >= kLimit || top <= -kLimit || bottom >= kLimit) return std::nullopt;
  return static_cast<double>(top.convert_to<std::int64_t>()) /
         static_cast<double>(bottom.convert_to<std::int64_t>());
}

#endif

}  // namespace

std::optional<Rational> parse_rational(std::string_view text) {
  if (std::count_if(text.begin(), text.end(), is_digit) > kMaxDigits) return std::nullopt;
  const bool negative = take(text, '-');
  std::optional<Rational> value = parse_unsigned(text);
  if (value && negative) *value = -*value;
  return value;
}

double to_double(const Rational& value) {
  const int sign = value.sign();
  if (sign == 0) return 0.0;
  if (const std::optional<double> rounded = quotient_of_doubles(value)) return *rounded;
  const double magnitude = round_to_nearest_even(abs(numerator(value)), denominator(value));
  return sign < 0 ? -magnitude : magnitude;
}

std::string to_string(const Rational& value) {
  const Integer bottom = denominator(value);
  const std::string top = numerator(value).str();
  return bottom == 1 ? top : top + "/" + bottom.str();
}

Integer floor_of(const Rational& value) {
  Integer quotient;
  Integer rest;
  boost::multiprecision::divide_qr(numerator(value), denominator(value), quotient, rest);
  return rest < 0 ? Integer(quotient - 1) : quotient;
}

std::optional<Rational> exact_sqrt(const Rational& value) {
  if (value < 0) return std::nullopt;
  const Integer top = numerator(value);
  const Integer bottom = denominator(value);
  const Integer top_root = sqrt(top);
  const Integer bottom_root = sqrt(bottom);
  if (top_root * top_root != top || bottom_root * bottom_root != bottom) return std::nullopt;
  return Rational(top_root) / Rational(bottom_root);
}

}  // namespace collapse
