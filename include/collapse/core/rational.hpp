#pragma once

// The integers: GMP's, and in the browser, which has no GMP, Boost's own. Both are exact; GMP is faster. Here and in
// src/core/rational.cpp alone the two differ.
#if defined(__EMSCRIPTEN__) || defined(COLLAPSE_WITHOUT_GMP)
#include <boost/multiprecision/cpp_int.hpp>
#include <type_traits>
// Boost asks of everything whether it is a container of bytes to make an integer from, and stumbles over Eigen's
// matrices, whose const_iterator may be void.
template <class Matrix>
requires std::is_void_v<typename Matrix::const_iterator>
struct boost::multiprecision::detail::is_byte_container_imp<Matrix, true> : boost::false_type {
};
#else
#define COLLAPSE_HAS_GMP 1
#include <boost/multiprecision/gmp.hpp>
#endif
//
#include <boost/multiprecision/eigen.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace collapse {

namespace internal {
#ifdef COLLAPSE_HAS_GMP
using RationalBackend = boost::multiprecision::gmp_rational;
using IntegerBackend = boost::multiprecision::gmp_int;
#else
using RationalBackend = boost::multiprecision::cpp_rational_backend;
using IntegerBackend = boost::multiprecision::cpp_int_backend<>;
#endif
}  // namespace internal

/// An exact number. Expression templates are off so that Eigen's own can be used on top.
using Rational =
    boost::multiprecision::number<internal::RationalBackend, boost::multiprecision::et_off>;
using Integer =
    boost::multiprecision::number<internal::IntegerBackend, boost::multiprecision::et_off>;

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

/// The greatest whole number that is not greater.
[[nodiscard]] Integer floor_of(const Rational& value);

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
