#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <vector>

namespace collapse {

/// Points between which one goes along straight lines.
template <int Size>
struct StraightPath {
  using Value = Eigen::Matrix<double, Size, 1>;
  using Step = Value;
  [[nodiscard]] static Step step(const Value& from, const Value& to) { return to - from; }
};

/// Turns between which one turns evenly about a fixed axis: a step is that axis times the angle. Turns that lead from
/// one start along two vectors differ by no more than these do.
struct TurningPath {
  using Value = Eigen::Quaterniond;
  using Step = Eigen::Vector3d;
  /// Up to a whole turn: signs of quaternions tell the way.
  [[nodiscard]] static Step step(const Value& from, const Value& to) {
    const Value turn = to * from.conjugate();
    const double sine = turn.vec().norm();
    const double angle = 2.0 * std::atan2(sine, turn.w());
    return sine > 0.0 ? Step(angle / sine * turn.vec()) : Step::Zero();
  }
};

/// A path as few of its points with times, such that the ways between them miss none of the others by more than the
/// tolerance. Takes one point after the other and keeps only what it needs: it remembers in which directions ways from
/// the last key pass all points since within the tolerance.
template <class Path>
class KeyframesOf {
 public:
  using Value = typename Path::Value;
  using Step = typename Path::Step;
  struct Key {
    double time = 0.0;
    Value value;
  };

  /// Keys are never farther apart than `longest_step`.
  explicit KeyframesOf(double tolerance,
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
    Step low = Step::Zero();
    Step high = Step::Zero();
    for (const Key& key : keys_) {
      const Step step = Path::step(keys_.front().value, key.value);
      low = low.cwiseMin(step);
      high = high.cwiseMax(step);
    }
    if (((high - low).array() <= tolerance_).all()) keys_.resize(1);
    return std::move(keys_);
  }

 private:
  [[nodiscard]] bool fits(double time, const Value& value) const {
    const Step step = Path::step(keys_.back().value, value);
    if ((step.array().abs() > longest_step_).any()) return false;
    const Step slope = step / (time - keys_.back().time);
    return (slope.array() >= lowest_.array()).all() && (slope.array() <= highest_.array()).all();
  }

  void narrow(double time, const Value& value) {
    const Step step = Path::step(keys_.back().value, value);
    const double elapsed = time - keys_.back().time;
    const Step low = (step.array() - tolerance_) / elapsed;
    const Step high = (step.array() + tolerance_) / elapsed;
    lowest_ = between_ ? Step(lowest_.cwiseMax(low)) : low;
    highest_ = between_ ? Step(highest_.cwiseMin(high)) : high;
  }

  double tolerance_;
  double longest_step_;
  std::vector<Key> keys_;
  Key last_;              ///< the point added last, if it is not a key
  bool between_ = false;  ///< whether there is one
  Step lowest_;           ///< slopes from the last key on
  Step highest_;
};

template <int Size>
using Keyframes = KeyframesOf<StraightPath<Size>>;
using TurnKeyframes = KeyframesOf<TurningPath>;

}  // namespace collapse
