#pragma once
/// Separating planes of scheme `oba` (docs/theory/oba.md): two convex parts of bodies are apart exactly if a plane has
/// one on each side. A body that is not convex is the union of its parts, with a plane for each pair of them.

#include <cstdint>
#include <span>
#include <vector>

#include "collapse/contact/broad_phase.hpp"
#include "collapse/model/scene.hpp"
#include "contact/space/convex_distance.hpp"

namespace collapse::simulate {

/// A convex part of a body. What touches a plane is within `radius` of one of its points: vertices, the centre of a
/// ball, the ends of a capsule's axis, places on the rims of a cylinder.
struct ConvexPart {
  enum class Kind { polyhedron, ball, capsule, cylinder, half_space };

  Kind kind = Kind::polyhedron;
  int body = 0;
  double size = 0.0;  ///< of the body; infinite for half spaces
  double radius = 0.0;
  double thickness = 0.0;  ///< least distance of two parallel planes with the part between them
  const Hull* hull = nullptr;
  std::vector<Vec<3>> points;    ///< in the body: vertices, or centre, or ends
  Vec<3> axis = Vec<3>::Zero();  ///< of a cylinder, in the body; of a half space, outwards
  double half_height = 0.0;
  double core_radius = 0.0;  ///< of a cylinder
  double offset = 0.0;       ///< of a half space
};

/// The parts of all bodies at some poses.
class PlacedParts {
 public:
  explicit PlacedParts(const Scene<3>& scene);
  PlacedParts(const PlacedParts&) = delete;
  PlacedParts& operator=(const PlacedParts&) = delete;

  void place(std::span<const Pose<3>> poses);
  /// One body alone.
  void place(int body, const Pose<3>& pose);

  [[nodiscard]] int count() const { return static_cast<int>(parts_.size()); }
  [[nodiscard]] const ConvexPart& part(int i) const { return parts_[static_cast<std::size_t>(i)]; }
  /// Not of a half space.
  [[nodiscard]] const contacts::ConvexSolid& solid(int i) const {
    return solids_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] const Bounds<3>& bounds(int i) const {
    return bounds_[static_cast<std::size_t>(i)];
  }
  /// Numbers of a body's parts: from first_part(body) up to first_part(body + 1).
  [[nodiscard]] int first_part(int body) const { return first_[static_cast<std::size_t>(body)]; }

  /// How far the part reaches along the unit vector n.
  [[nodiscard]] double reach(int i, const Vec<3>& n) const;
  /// Numbers of the points within `slab` of the farthest along n, ascending.
  void extreme_points(int i, const Vec<3>& n, double slab, std::vector<int>& numbers) const;
  /// Where a point is. Those of a cylinder are counted from the farthest along n on each rim.
  [[nodiscard]] Vec<3> point(int i, int number, const Vec<3>& n) const;
  /// Outwards, and its offset, of a half space.
  [[nodiscard]] const Vec<3>& plane_normal(int i) const {
    return normals_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] double plane_offset(int i) const { return offsets_[static_cast<std::size_t>(i)]; }

 private:
  void add_body(int body, const Body<3>& solid);

  std::vector<ConvexPart> parts_;
  std::vector<int> first_;
  std::vector<std::vector<Vec<3>>> points_;  ///< of each part, in the world
  std::vector<contacts::ConvexSolid> solids_;
  std::vector<Bounds<3>> bounds_;
  std::vector<Vec<3>> normals_;  ///< of half spaces; of cylinders the axis
  std::vector<double> offsets_;
};

/// The plane of §3.1: of all directions the one along which the gap of two parts is largest, halfway between them.
/// Where they overlap, the direction of the least shift that parts them.
struct SeparatingPlane {
  Vec<3> normal = Vec<3>::Zero();  ///< unit, from a to b
  Vec<3> at = Vec<3>::Zero();      ///< a point of it between the closest points
  double gap = 0.0;
};

[[nodiscard]] SeparatingPlane separating_plane(const PlacedParts& parts, int a, int b,
                                               contacts::WitnessCache* witness = nullptr);
/// Its gap, or a lower bound above `reach` if it is above.
[[nodiscard]] double gap_beyond(const PlacedParts& parts, int a, int b, double reach,
                                contacts::WitnessCache* witness = nullptr);

/// How far a point that moves is beyond a plane that turns, on the side of its normal, and what that is made of: with the
/// motion Δ of the point's body, y = (L δ_x, L δ_y, d) the plane n + δ_x n_x + δ_y n_y through o + d n,
///
///     n·(q − o) + n·Δq + (n_x·(q − o)) δ_x + (n_y·(q − o)) δ_y − d = height + on_body·Δ + on_plane·y.
struct PlaneRow {
  double height = 0.0;
  Twist<3> on_body = Twist<3>::Zero();
  Vec<3> on_plane = Vec<3>::Zero();
};
/// `centre`: of mass, of the point's body.
[[nodiscard]] PlaneRow plane_row(const SeparatingPlane& plane, const Vec<3>& point,
                                 const Vec<3>& centre, double L);

/// Largest distance of two points of a body: the diameter D of the objective (1, D²).
[[nodiscard]] double diameter_of(const Shape<3>& shape);

}  // namespace collapse::simulate
