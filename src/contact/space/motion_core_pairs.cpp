#include <algorithm>
#include <array>
#include <cmath>

#include "contact/space/first_touch.hpp"
#include "contact/space/pair_on_way.hpp"
#include "contact/space/round_solids.hpp"

namespace collapse::contacts {
namespace {

/// Lines at a smaller angle (sine) have no normal across both that holds still.
constexpr double kAxesCross = 0.1;
/// Numbers of rows.
constexpr int kSides = 9;
constexpr int kSidesAtEnd = 10;

/// The axis of a ball or a capsule on its way, in world coordinates.
struct MovingCore {
  const MotionRound& round;
  std::array<Vec<3>, 2> start;
  std::array<Vec<3>, 2> end;
  Vec<3> from = Vec<3>::Zero();  ///< at the time last placed
  Vec<3> along = Vec<3>::Zero();
  double length = 0.0;

  explicit MovingCore(const MovingRound& moving)
      : round(moving.round),
        start{moving.pose_start.apply(moving.round.from), moving.pose_start.apply(moving.round.to)},
        end{moving.pose_end.apply(moving.round.from), moving.pose_end.apply(moving.round.to)} {}

  void place(double when) {
    from = (1.0 - when) * start[0] + when * end[0];
    along = (1.0 - when) * start[1] + when * end[1] - from;
    length = along.norm();
    along = length > 0.0 ? Vec<3>(along / length) : Vec<3>::Zero();
  }
  [[nodiscard]] int ends() const { return round.kind == MotionRound::Kind::ball ? 1 : 2; }
  [[nodiscard]] Vec<3> at(double s) const { return from + s * along; }
  [[nodiscard]] Flat point(int i) const {
    return point_flat(i == 0 ? round.from : round.to, round.radius);
  }
  [[nodiscard]] Flat line() const { return line_flat(round.from, round.axis(), round.radius); }
};

/// Two balls or capsules.
class CorePair {
 public:
  CorePair(const MovingRound& a, const MovingRound& b, const RowLimits& limits, const RowSink& sink)
      : moving_a_(a), moving_b_(b), a_(a), b_(b), limits_(limits), sink_(sink) {}

  void find() {
    const double radii = a_.round.radius + b_.round.radius;
    const auto distance = [&](double when) {
      place(when);
      const SegmentPoints at = closest();
      return (b_.at(at.t) - a_.at(at.s)).norm() - radii;
    };
    double way = 0.0;
    for (const std::size_t i : {0U, 1U}) {
      for (const std::size_t j : {0U, 1U}) {
        way = std::max(way, ((b_.end[j] - b_.start[j]) - (a_.end[i] - a_.start[i])).norm());
      }
    }
    double least = 0.0;
    const double when = first_touch(distance, way, limits_.slip, least);
    if (least > limits_.reach) return;
    const std::size_t first_row = sink_.rows.size();
    rows_at(when, kSides);
    if (a_.ends() == 1 && b_.ends() == 1) return;
    // Along each other to other features. Where the axes themselves come close the last place says nothing.
    if (when < 1.0 && distance(1.0) > -0.5 * radii) rows_at(1.0, kSidesAtEnd);
    sink_.set_floor(first_row, moving_a_.pose_start, moving_b_.pose_start, distance(0.0),
                    kLate * radii);
  }

 private:
  void place(double when) {
    a_.place(when);
    b_.place(when);
  }
  /// `sides`: number of a row of sides along each other, which touch at another place at the end.
  void rows_at(double when, int sides) {
    place(when);
    if (a_.ends() == 1 && b_.ends() == 1) return add(a_.point(0), b_.point(0), offset(), 0);
    for (int i = 0; i < a_.ends(); ++i) end_of_a(i);
    for (int j = 0; j < b_.ends(); ++j) end_of_b(j);
    if (a_.ends() == 2 && b_.ends() == 2) middles(sides);
  }
  [[nodiscard]] SegmentPoints closest() const {
    return closest_on_segments(a_.from, a_.along, a_.length, b_.from, b_.along, b_.length);
  }
  [[nodiscard]] Vec<3> offset() const { return b_.from - a_.from; }
  static bool between(double share, double length) { return share > 0.0 && share < length; }

  void end_of_a(int i) {
    const double s = i == 0 ? 0.0 : a_.length;
    const double t = b_.along.dot(a_.at(s) - b_.from);
    if (between(t, b_.length)) return add(a_.point(i), b_.line(), b_.at(t) - a_.at(s), 1 + i);
    // End on end only if neither is closer to the other's middle.
    const int j = t <= 0.0 ? 0 : 1;
    const double at_j = j == 0 ? 0.0 : b_.length;
    const double back = a_.along.dot(b_.at(at_j) - a_.from);
    if (i == 0 ? back > 0.0 : back < a_.length) return;
    add(a_.point(i), b_.point(b_.ends() == 1 ? 0 : j), b_.at(at_j) - a_.at(s), 5 + 2 * i + j);
  }

  void end_of_b(int j) {
    const double t = j == 0 ? 0.0 : b_.length;
    const double s = a_.along.dot(b_.at(t) - a_.from);
    if (between(s, a_.length)) add(a_.line(), b_.point(j), b_.at(t) - a_.at(s), 3 + j);
  }

  void middles(int number) {
    const SegmentPoints at = closest();
    if (!between(at.s, a_.length) || !between(at.t, b_.length)) return;
    const Vec<3> normal = b_.at(at.t) - a_.at(at.s);
    if (a_.along.cross(b_.along).norm() >= kAxesCross) return add(a_.line(), b_.line(), normal, 0);
    if (!(normal.norm() > 0.0)) return;
    // The surface of a as a plane, and b's axis as a ball.
    const Vec<3> out = normal.normalized();
    const Vec<3> local = moving_a_.pose_start.rotation.transpose() * out;
    const Flat plane =
        plane_flat(a_.round.from + at.s * a_.round.axis() + a_.round.radius * local, local);
    add(plane, point_flat(b_.round.from + at.t * b_.round.axis(), b_.round.radius), normal, number);
  }

  void add(const Flat& flat_a, const Flat& flat_b, const Vec<3>& normal, int end) {
    if (normal.norm() > a_.round.radius + b_.round.radius + limits_.reach) return;
    const Vec<3> out = normal.norm() > 0.0 ? Vec<3>(normal.normalized()) : Vec<3>::UnitZ();
    sink_.add(false, flat_a, a_.round.feature, flat_b, b_.round.feature, out, end);
  }

  const MovingRound& moving_a_;
  const MovingRound& moving_b_;
  MovingCore a_;
  MovingCore b_;
  const RowLimits& limits_;
  const RowSink& sink_;
};

}  // namespace

void core_rows(const MovingRound& a, const MovingRound& b, const RowLimits& limits,
               const RowSink& sink) {
  CorePair(a, b, limits, sink).find();
}

}  // namespace collapse::contacts
