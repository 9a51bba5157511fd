#pragma once
/// Two convex solids on their way past each other: when they touch, and whether their rows tell how far they are apart
/// at the end.

#include <optional>
#include <utility>

#include "contact/space/motion_round.hpp"

namespace collapse::contacts {

/// One of the two bodies.
struct Party {
  const Pose<3>& start;
  const Pose<3>& end;
  bool second = false;  ///< of the pair
};

/// A convex part of a body, flat or round.
class ConvexPart {
 public:
  explicit ConvexPart(const MotionPiece& piece) : piece_(&piece) {}
  explicit ConvexPart(const MotionRound& round) : round_(&round) {}

  /// Refers to this part, until the next call.
  [[nodiscard]] ConvexSolid at(const Pose<3>& pose);
  /// How far points of it are from the origin of the body, at most.
  [[nodiscard]] double reach() const;
  /// Its radius or size: what is deep and what is not.
  [[nodiscard]] double scale() const;
  [[nodiscard]] bool is_ball() const {
    return round_ != nullptr && round_->kind == MotionRound::Kind::ball;
  }
  /// What it is where something touches it.
  struct Place {
    Feature feature;                    ///< as the body's surface numbers it
    Vec<3> core = Vec<3>::Zero();       ///< centre, point of the axis, or the place itself
    Vec<3> direction = Vec<3>::Zero();  ///< unit, of the line that it is there: edge, rim or axis
    double radius = 0.0;                ///< around the core
  };
  /// `proposed`: feature of the piece, if it is one; `point`: on the surface; `normal`: out of it. None if nothing can
  /// touch there.
  [[nodiscard]] std::optional<Place> place(const Feature& proposed, const Vec<3>& point,
                                           const Vec<3>& normal) const;

 private:
  [[nodiscard]] Feature feature_towards(const Vec<3>& normal) const;
  /// As the body's surface numbers it; −1 if it is inside.
  [[nodiscard]] int number_of(const Feature& feature) const;
  [[nodiscard]] Feature on_surface(const Feature& feature, const Vec<3>& normal) const;
  [[nodiscard]] Place round_place(const Vec<3>& point) const;

  const MotionPiece* piece_ = nullptr;
  const MotionRound* round_ = nullptr;
  std::vector<Vec<3>> vertices_;
};

/// One body on its way as the other sees it.
class RelativeWay {
 public:
  RelativeWay(const Party& own, const Party& other);

  [[nodiscard]] Pose<3> at(double share) const;
  /// The farthest that a point goes which is `reach` from the origin.
  [[nodiscard]] double length(double reach) const {
    return (end_.position - start_.position).norm() + turn_.norm() * reach;
  }

 private:
  Pose<3> start_;
  Pose<3> end_;
  Vec<3> turn_;
};

/// Of the scale: rows whose gap at the start is off by more are not late but from elsewhere.
inline constexpr double kLate = 1.0;

class PairOnWay {
 public:
  /// Rows of the pair begin at `first_row`.
  PairOnWay(ConvexPart own_part, const Party& own, ConvexPart other_part, const Party& other,
            const RowLimits& limits, const RowSink& sink, std::size_t first_row);

  /// Whether they come near each other.
  [[nodiscard]] bool touch();
  /// Share of the step at which they touch first; 1 if they do not.
  [[nodiscard]] double when() const { return when_; }
  /// Of the other in the coordinates of the own body.
  [[nodiscard]] Pose<3> pose(double share) const { return way_.at(share); }
  /// Whether they go on after they touch, along each other, so that other features may be closest at the end. Where
  /// they end far inside each other the end says nothing.
  [[nodiscard]] bool goes_on();

  /// Rows have to tell how far the solids are apart at the end; where they do not, the closest points do.
  void tell_distance();

 private:
  [[nodiscard]] ConvexDistance measure(double share);
  [[nodiscard]] bool told(double distance) const;
  void add(const ConvexDistance& at, double share, int number);
  void keep_before(const ConvexDistance& first);
  /// What two places are to each other. `pose`: of the other then.
  [[nodiscard]] std::pair<Flat, Flat> flats_of(const ConvexPart::Place& own, const Flat& own_plane,
                                               const ConvexPart::Place& other, const Flat& plane,
                                               const Pose<3>& pose) const;

  ConvexPart own_part_;
  ConvexPart other_part_;
  const Party& own_;
  const Party& other_;
  RelativeWay way_;
  const RowLimits& limits_;
  const RowSink& sink_;
  std::size_t first_row_;
  double when_ = 0.0;
  double scale_ = 0.0;
  WitnessCache cache_;
};

}  // namespace collapse::contacts
