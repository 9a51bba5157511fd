#pragma once
/// Numbers of a page's frames as small whole ones.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace collapse {

/// The nearest multiple, kept within what a double holds without gaps.
[[nodiscard]] inline std::int64_t page_steps(double value, double quantum) {
  constexpr double kLimit = 1LL << 50;
  return std::llround(std::clamp(value / quantum, -kLimit, kLimit));
}

/// A number from frame to frame, as what has to be added to where its last two values lead.
class SmoothNumber {
 public:
  std::int64_t surprise(std::int64_t value) {
    const std::int64_t expected = seen_ == 0 ? 0 : seen_ == 1 ? last_ : 2 * last_ - before_;
    seen_ = std::min(2, seen_ + 1);
    before_ = last_;
    last_ = value;
    return value - expected;
  }
  [[nodiscard]] std::int64_t value() const { return last_; }

 private:
  int seen_ = 0;
  std::int64_t last_ = 0;
  std::int64_t before_ = 0;
};

}  // namespace collapse
