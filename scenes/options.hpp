#pragma once
/// The options of one scene, checked as they are read.

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "collapse/core/rational.hpp"
#include "scenes/gallery.hpp"

namespace collapse::scenes {

/// Numbers from `low` to `high`, without an end that is open.
struct Range {
  Rational low;
  Rational high;
  bool open_low = false;
  bool open_high = false;

  [[nodiscard]] bool holds(const Rational& value) const;
  /// In words: `above 0 and at most 2`.
  [[nodiscard]] std::string describe() const;
};

/// No scene of the gallery has more bodies that are free to move.
inline constexpr int kMaxBricks = 100'000;

class Options {
 public:
  /// `given` over the defaults. Throws Error for a name that `entry` does not have.
  Options(const Entry& entry, const std::map<std::string, std::string>& given);

  /// As given.
  [[nodiscard]] const std::string& text(const std::string& name) const;
  /// Throws Error (place: the name), like the two below, for what does not fit.
  [[nodiscard]] int count(const std::string& name, int least, int greatest = kMaxBricks) const;
  [[nodiscard]] Rational number(const std::string& name, const Range& range) const;
  [[nodiscard]] const std::string& word(const std::string& name,
                                        std::initializer_list<std::string_view> words) const;
  /// The coefficient of friction: every scene has this option.
  [[nodiscard]] Rational friction() const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace collapse::scenes
