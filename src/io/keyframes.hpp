#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Core>

namespace collapse {

/// A path through space as few of its points with times, such that straight lines between them miss none of the
/// others by more than the tolerance. Takes one point after the other and keeps only what it needs: it remembers in
/// which directions lines from the last key pass all points since within the tolerance.
template <int Size>
class Keyframes {
 public:
  using Value = Eigen::Matrix<double, Size, 1>;
  struct Key {
    double time = 0.0;
    Value value;
  };

  /// Keys are never farther apart than `longest_step`.
  explicit Keyframes(double tolerance,
                     double longest_step = std::numeric_limits<double>::infinity())
      : tolerance_(tolerance), longest_step_(longest_step) {}

  /// Times must grow.
  void add(double time, const Value& value) {
    if (keys_.empty()) {
      keys_.push_back({time, value});
      return;
    }
    const bool reaches = !between_ || fits(time, value);
    if (!reaches) {
      keys_.push_back(last_);
      between_ = false;
    }
    narrow(time, value);
    last_ = {time, value};
    between_ = true;
  }

  /// The first and the last point are among them. One alone if it never moved by more than the tolerance.
  [[nodiscard]] std::vector<Key> finish() {
    if (between_) keys_.push_back(last_);
    between_ = false;
    Value low = keys_.front().value;
    Value high = low;
    for (const Key& key : keys_) {
      low = low.cwiseMin(key.value);
      high = high.cwiseMax(key.value);
    }
    if (((high - low).array() <= tolerance_).all()) keys_.resize(1);
    return std::move(keys_);
  }

 private:
  [[nodiscard]] bool fits(double time, const Value& value) const {
    const Value step = value - keys_.back().value;
    if ((step.array().abs() > longest_step_).any()) return false;
    const Value slope = step / (time - keys_.back().time);
    return (slope.array() >= lowest_.array()).all() && (slope.array() <= highest_.array()).all();
  }

  void narrow(double time, const Value& value) {
    const Value step = value - keys_.back().value;
    const double elapsed = time - keys_.back().time;
    const Value low = (step.array() - tolerance_) / elapsed;
    const Value high = (step.array() + tolerance_) / elapsed;
    lowest_ = between_ ? Value(lowest_.cwiseMax(low)) : low;
    highest_ = between_ ? Value(highest_.cwiseMin(high)) : high;
  }

  double tolerance_;
  double longest_step_;
  std::vector<Key> keys_;
  Key last_;              ///< the point added last, if it is not a key
  bool between_ = false;  ///< whether there is one
  Value lowest_;          ///< slopes from the last key on
  Value highest_;
};

}  // namespace collapse
