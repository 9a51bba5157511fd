#include "scenes/options.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "collapse/core/check.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace collapse::scenes {
namespace {

/// Keeps exact coordinates (products and sums of a few options) within the digits of a scene.
constexpr int kMaxOptionDigits = 40;

std::optional<Rational> parse_short(const std::string& text) {
  const std::optional<Rational> value = parse_rational(text);
  if (!value) return std::nullopt;
  const auto digits = [](const Integer& integer) { return integer.str().size(); };
  const bool is_short = digits(abs(numerator(*value))) <= kMaxOptionDigits &&
                        digits(denominator(*value)) <= kMaxOptionDigits;
  return is_short ? value : std::nullopt;
}

}  // namespace

bool Range::holds(const Rational& value) const {
  return (open_low ? value > low : value >= low) && (open_high ? value < high : value <= high);
}

std::string Range::describe() const {
  return (open_low ? "above " : "at least ") + to_string(low) + " and " +
         (open_high ? "below " : "at most ") + to_string(high);
}

Options::Options(const Entry& entry, const std::map<std::string, std::string>& given) {
  std::vector<std::string_view> known;
  for (const Option& option : entry.options) {
    values_[option.name] = option.default_value;
    known.push_back(option.name);
  }
  for (const auto& [name, value] : given) {
    const auto found = values_.find(name);
    if (found == values_.end()) {
      throw Error(printable(name), "an unknown option of " + entry.name,
                  "one of " + joined(known) + did_you_mean(name, known));
    }
    found->second = value;
  }
}

const std::string& Options::text(const std::string& name) const {
  const auto found = values_.find(name);
  COLLAPSE_DEMAND(found != values_.end());
  return found->second;
}

int Options::count(const std::string& name, int least, int greatest) const {
  const std::optional<Rational> value = parse_short(text(name));
  if (!value || denominator(*value) != 1 || *value < least || *value > greatest) {
    throw Error(name, in_quotes(text(name)),
                "a whole number from " + std::to_string(least) + " to " + std::to_string(greatest));
  }
  return numerator(*value).convert_to<int>();
}

Rational Options::number(const std::string& name, const Range& range) const {
  const std::optional<Rational> value = parse_short(text(name));
  if (!value || !range.holds(*value)) {
    throw Error(name, in_quotes(text(name)),
                "a number " + range.describe() + ", of at most " +
                    std::to_string(kMaxOptionDigits) + " digits");
  }
  return *value;
}

const std::string& Options::word(const std::string& name,
                                 std::initializer_list<std::string_view> words) const {
  const std::string& value = text(name);
  if (std::find(words.begin(), words.end(), value) != words.end()) return value;
  throw Error(name, in_quotes(value), "one of " + joined(words) + did_you_mean(value, words));
}

Rational Options::friction() const { return number("friction", {.low = 0, .high = 1000}); }

}  // namespace collapse::scenes
