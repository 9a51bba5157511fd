#pragma once
/// Rows of balls, capsules and cylinders.

#include <algorithm>

#include "contact/space/convex_distance.hpp"
#include "contact/space/motion_solids.hpp"

namespace collapse::contacts {

/// Normal of a plane in a body's coordinates, and the height of the body's origin over it, at the start and the end.
struct MovingPlane {
  Vec<3> normal_start;
  double height_start = 0.0;
  Vec<3> normal_end;
  double height_end = 0.0;
};

/// A round solid in the coordinates of its body.
struct MotionRound {
  enum class Kind { ball, capsule, cylinder };
  Kind kind = Kind::ball;
  Feature feature;
  Vec<3> from = Vec<3>::Zero();  ///< ends of the axis; equal for balls
  Vec<3> to = Vec<3>::Zero();
  double radius = 0.0;

  void include_in(Bounds<3>& bounds, const Pose<3>& pose) const;
  [[nodiscard]] Vec<3> axis() const { return (to - from).normalized(); }
  [[nodiscard]] ConvexSolid solid(const Pose<3>& pose) const;
  /// Whether something that far from the axis, at `along` of the length that the axis has, is at an end of a cylinder
  /// and not at its side: inside, and closer to the end.
  [[nodiscard]] bool at_end(double distance, double along, double length) const {
    return kind == Kind::cylinder && radius - distance > std::min(along, length - along);
  }
  /// A point of the rim of an end, one of kRimCorners.
  [[nodiscard]] Vec<3> rim(const Vec<3>& end, int number) const;
  /// Rows against a plane of a body, `plane`. `swapped`: that body is the pair's second. `up`: its normal.
  void on_plane(const Flat& plane, Feature plane_feature, bool swapped, const MovingPlane& moving,
                double reach, const Vec<3>& up, const RowSink& sink) const;

 private:
  void disks_on_plane(const Flat& plane, Feature plane_feature, bool swapped,
                      const MovingPlane& moving, double reach, const Vec<3>& up,
                      const RowSink& sink) const;
};

[[nodiscard]] std::vector<MotionRound> rounds_of(const Shape<3>& shape);

struct MovingRound {
  const MotionRound& round;
  const Pose<3>& pose_start;
  const Pose<3>& pose_end;
};

/// Rows of a round solid and a convex piece. `second`: the round solid belongs to the pair's second body.
void round_rows_on_piece(const MovingRound& round, const MovingPiece& piece, bool second,
                         const RowLimits& limits, const RowSink& sink);
/// Rows of two round solids; a belongs to the pair's first body.
void round_rows(const MovingRound& a, const MovingRound& b, const RowLimits& limits,
                const RowSink& sink);

/// The same for balls and capsules alone.
void core_rows_on_piece(const MovingRound& round, const MovingPiece& piece, bool second,
                        const RowLimits& limits, const RowSink& sink);
void core_rows(const MovingRound& a, const MovingRound& b, const RowLimits& limits,
               const RowSink& sink);

/// Of the axis of a capsule or cylinder, between its ends, with edges and vertices that it faces at that share of the
/// step. `again`: after they touched, where other places may be closest.
void axis_rows_on_piece(const MovingRound& round, const MovingPiece& piece, bool second,
                        double when, bool again, const RowLimits& limits, const RowSink& sink);

/// The same where at least one is a cylinder.
void cylinder_rows_on_piece(const MovingRound& cylinder, const MovingPiece& piece, bool second,
                            const RowLimits& limits, const RowSink& sink);
void cylinder_rows(const MovingRound& a, const MovingRound& b, const RowLimits& limits,
                   const RowSink& sink);

}  // namespace collapse::contacts
