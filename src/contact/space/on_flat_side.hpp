#pragma once
/// Rows of what comes down on something flat: faces of polyhedra and ends of cylinders, where one of the two solids is
/// a cylinder.

#include <functional>

#include "contact/space/pair_on_way.hpp"

namespace collapse::contacts {

/// Normals leave the cone of a feature by no more than this (sine).
inline constexpr double kOffCone = 0.05;
/// Rows of the flat ends are numbered from multiples of this.
inline constexpr int kPerEnd = 256;

/// Something flat that the other solid may lie on: a face of a polyhedron or an end of a cylinder.
struct FlatSide {
  Flat plane;
  Feature feature;
  int first_number = 0;  ///< of its rows
  const MotionPiece::Face* face = nullptr;
  double radius = 0.0;  ///< of a round one, around plane.at

  [[nodiscard]] double height(const Vec<3>& at) const { return plane.direction.dot(at - plane.at); }
  [[nodiscard]] bool holds(const Vec<3>& at, const RowLimits& limits) const {
    if (face != nullptr) return face->holds(at, limits.slip, limits.reach);
    const Vec<3> offset = at - plane.at;
    return (offset - plane.direction.dot(offset) * plane.direction).norm() <= radius + limits.slip;
  }
};

/// End `i` of a cylinder. `first_number`: of its rows.
[[nodiscard]] FlatSide end_of(const MotionRound& cylinder, int i, int first_number);
[[nodiscard]] FlatSide side_of(const MotionPiece::Face& face);

/// Where the other solid is, in the coordinates of the owner of something flat.
struct OtherPoses {
  Pose<3> start;
  Pose<3> touch;  ///< when they touch first
  Pose<3> end;
  bool goes_on = false;  ///< the end is another time than the touch, and tells something
};

/// Of the owner as the other sees it.
[[nodiscard]] OtherPoses inverse_of(const OtherPoses& poses);

/// Rows of what comes down on something flat.
class OnFlatSide {
 public:
  /// Whether something can be touched from there, by a normal out of it, in the coordinates of its body.
  using Fits = std::function<bool(const Vec<3>&)>;

  OnFlatSide(const FlatSide& side, const Party& owner, const OtherPoses& other,
             const RowLimits& limits, const RowSink& sink)
      : side_(side), owner_(owner), other_(other), limits_(limits), sink_(sink) {}

  void point(const Vec<3>& at, double radius, Feature feature, int number) const;

  /// A ball, or an end of a capsule, over a round side and its rim: `end` of the two.
  void ball(const Vec<3>& centre, double radius, Feature feature, int end) const;

  /// The rims of a cylinder.
  void rims(const MotionRound& cylinder) const;

  /// The points of a segment over the border of a round side. `radius` of a capsule around it. `fits(normal)`: whether
  /// it can be touched from there, by a normal of the other body.
  void segment(const Vec<3>& from, const Vec<3>& to, double radius, Feature feature,
               const Fits& fits) const;

  /// The lowest line of the side of a cylinder that lies here, over the border.
  void side_line(const MotionRound& cylinder) const;

  /// Where the rims of a cylinder that stands here cross the border.
  void rim_crossings(const MotionRound& cylinder) const;

 private:
  /// What slides along the border crosses it elsewhere at the end than where it touched.
  [[nodiscard]] int moments() const { return other_.goes_on ? 2 : 1; }
  [[nodiscard]] const Pose<3>& at(int moment) const;

  /// `line`: what the segment is part of; it may be the axis of a cylinder or capsule.
  void segment_at(int moment, const Vec<3>& from, const Vec<3>& to, const Flat& line,
                  Feature feature, const Fits& fits) const;

  void rim_crossing(int moment, const MotionRound& cylinder, int i, const Vec<3>& axis) const;

  /// A point of a line over the border. It may slide along the line and along the border, which is as good as straight
  /// there.
  void crossing(int moment, const Vec<3>& point, const Flat& line, Feature feature, int number,
                const Fits& fits) const;

  /// From the lowest point of a disk to its centre, over its radius.
  [[nodiscard]] Vec<3> across(const Vec<3>& axis) const;
  /// Whether something at these places comes near where the side is.
  [[nodiscard]] bool reaches(const Vec<3>& start, const Vec<3>& end, double radius) const;
  /// The lowest point of a rim is another one all the time: whether it ends here.
  [[nodiscard]] bool ends_on(const Vec<3>& end, double radius) const;
  void add(const Flat& flat, Feature feature, int number) const;

  /// Slips by which something may be behind the plane at the start and still count as on it.
  static constexpr double kBehind = 100.0;
  /// Crossings are found looking along the normal: what touches the border does so along it, almost (cosine).
  static constexpr double kFromAbove = 0.95;
  /// Of the radius: what is farther behind the plane is not on its way onto it.
  static constexpr double kInside = 0.1;

  const FlatSide& side_;
  const Party& owner_;
  const OtherPoses& other_;
  const RowLimits& limits_;
  const RowSink& sink_;
};

}  // namespace collapse::contacts
