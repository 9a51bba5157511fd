#pragma once
/// Numbers on the command line.

#include <cstdint>
#include <string>

#include "collapse/core/rational.hpp"

namespace collapse::cli {

/// As in a scene: exactly as written. Throws Error if it is none, or not positive.
[[nodiscard]] Rational option_number(const std::string& option, const std::string& text,
                                     bool zero_allowed);

/// The least whole number that is not less. Throws Error where there would be too many of `what`.
[[nodiscard]] std::int64_t rounded_up(const Rational& number, const std::string& place,
                                      const std::string& what);

}  // namespace collapse::cli
