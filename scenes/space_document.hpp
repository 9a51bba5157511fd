#pragma once
/// Scene files in space, z up.

#include "scenes/document.hpp"

namespace collapse::scenes {

using Point3 = ExactVec<3>;

/// w + xi + yj + zk of any length but zero: what turns by it is the direction alone.
struct Quaternion {
  Rational w{1};
  Rational x{0};
  Rational y{0};
  Rational z{0};

  [[nodiscard]] bool is_identity() const { return x == 0 && y == 0 && z == 0; }
};

/// `first`, then `second`.
[[nodiscard]] Quaternion operator*(const Quaternion& second, const Quaternion& first);
/// `vector` turned, exactly.
[[nodiscard]] Point3 turned(const Quaternion& rotation, const Point3& vector);
/// About an axis of coordinates (0, 1, 2 for x, y, z), by the angle of this half tangent.
[[nodiscard]] Quaternion turn_about(int axis, const Rational& half_tangent);
[[nodiscard]] Json quaternion_json(const Quaternion& rotation);

/// A box somewhere in a body.
struct Brick {
  Point3 sides;
  Point3 centre;
};

/// Where a body on a given path is at a time.
struct PathPoint {
  Rational time;
  Point3 position;
  Quaternion orientation = {};
};

class SpaceDocument : public BasicDocument<3> {
 public:
  SpaceDocument(std::string name, const Rational& friction);

  void add_box(const std::string& name, const Point3& sides, const Point3& centre,
               const BodyTraits& traits = {}, const Quaternion& orientation = {});
  /// The smallest convex solid that has these points.
  void add_hull(const std::string& name, const std::vector<Point3>& points,
                const BodyTraits& traits = {});
  void add_sphere(const std::string& name, const Rational& radius, const Point3& centre,
                  const BodyTraits& traits = {});
  /// One rigid body of several boxes and hulls.
  void add_union(const std::string& name, const std::vector<Brick>& boxes,
                 const std::vector<std::vector<Point3>>& hulls = {}, const BodyTraits& traits = {});

  // Of the body added last.

  /// Its parts are moved there from the origin.
  void set_pose(const Point3& position, const Quaternion& orientation);
  void set_velocity(const Point3& velocity);
  /// It follows this path, beginning where the path does.
  void set_path(const std::vector<PathPoint>& path);

  /// Join two bodies, "world" for the fixed frame.
  void add_ball(const std::string& a, const std::string& b, const Point3& at);
  void add_hinge(const std::string& a, const std::string& b, const Point3& at, const Point3& axis);
};

}  // namespace collapse::scenes
