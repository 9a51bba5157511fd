#pragma once
/// The solid of a body in its own coordinates, exact with the doubles beside.

#include <optional>
#include <vector>

#include "collapse/geometry/polygon.hpp"
#include "collapse/geometry/polyhedron.hpp"
#include "collapse/geometry/pose.hpp"

namespace collapse {

/// A disk in the plane, a sphere in space.
template <int Dim>
struct Ball {
  ExactVec<Dim> exact_centre;
  Rational exact_radius;
  Vec<Dim> centre;
  double radius = 0.0;

  Ball() = default;
  Ball(ExactVec<Dim> centre_point, Rational radius_length);
};

/// The solid {x : normal·x ≤ offset}, normal as written.
template <int Dim>
struct HalfSpace {
  ExactVec<Dim> exact_normal;
  Rational exact_offset;
  Vec<Dim> normal;      ///< unit
  double offset = 0.0;  ///< for the unit normal

  HalfSpace() = default;
  HalfSpace(ExactVec<Dim> normal_vector, Rational offset_value);
};

template <int Dim>
struct Shape;

/// In the plane: the union of polygons and disks, or a half plane.
///
/// Contacts and pictures use the boundary alone: how the inside is cut into convex pieces leaves no
/// trace in them. The pieces serve overlap tests and the size that the touch tolerance is relative
/// to.
template <>
struct Shape<2> {
  std::vector<Loop> boundary;  ///< of the union of all polygons; holes run clockwise
  std::vector<Loop> pieces;    ///< convex polygons whose union is the inside of `boundary`
  std::vector<Ball<2>> balls;  ///< their insides meet neither each other nor the polygons
  std::optional<HalfSpace<2>> half_space;  ///< then there is nothing else

  /// Whether the only piece is the boundary itself, as for every convex polygon.
  [[nodiscard]] bool is_one_convex_polygon() const {
    return pieces.size() == 1 && boundary.size() == 1 && pieces[0].exact() == boundary[0].exact();
  }
  /// Nothing but one ball.
  [[nodiscard]] bool is_ball() const { return boundary.empty() && balls.size() == 1; }
  /// Diameter of the smallest convex piece or ball; infinite for a half plane.
  [[nodiscard]] double size() const;
  /// Radius of the smallest circle around `centre` that holds everything; infinite for a half
  /// plane.
  [[nodiscard]] double reach(const Vec<2>& centre) const;
};

/// A round cylinder with flat ends.
struct Cylinder {
  ExactVec<3> exact_centre;
  ExactVec<3> exact_axis;  ///< of length one without rounding
  Rational exact_radius;
  Rational exact_height;
  Vec<3> centre;
  Vec<3> axis;  ///< unit
  double radius = 0.0;
  double half_height = 0.0;

  Cylinder() = default;
  Cylinder(ExactVec<3> centre_point, ExactVec<3> axis_direction, Rational radius_length,
           Rational height_length);
};

/// All points within `radius` of a segment.
struct Capsule {
  ExactVec<3> exact_from;
  ExactVec<3> exact_to;
  Rational exact_radius;
  Vec<3> from;
  Vec<3> to;
  double radius = 0.0;

  Capsule() = default;
  Capsule(ExactVec<3> from_point, ExactVec<3> to_point, Rational radius_length);
};

/// In space: the union of polyhedra and round solids, or a half space. As in the plane, contacts and pictures use
/// the boundary alone; the pieces serve overlap tests and sizes.
template <>
struct Shape<3> {
  Surface boundary;            ///< of the union of all polyhedra
  std::vector<Hull> pieces;    ///< convex polyhedra whose union is the inside of `boundary`
  double piece_excess = 0.0;   ///< Decomposition::excess, the largest of all meshes
  std::vector<Ball<3>> balls;  ///< the insides of round solids meet nothing else
  std::vector<Cylinder> cylinders;
  std::vector<Capsule> capsules;
  std::optional<HalfSpace<3>> half_space;  ///< then there is nothing else

  /// Nothing but one ball.
  [[nodiscard]] bool is_ball() const {
    return boundary.empty() && cylinders.empty() && capsules.empty() && balls.size() == 1;
  }
  /// Diameter of the smallest piece or round solid; infinite for a half space.
  [[nodiscard]] double size() const;
  /// Radius of the smallest sphere around `centre` that holds everything; infinite for a half space.
  [[nodiscard]] double reach(const Vec<3>& centre) const;
};

/// Mass, centre of mass and inertia about it, in body axes. Density 1 unless scaled.
template <int Dim>
struct MassProperties {
  struct Exact {
    Rational mass;
    ExactVec<Dim> centre;
    Eigen::Matrix<Rational, kSpins<Dim>, kSpins<Dim>> inertia;
  };

  double mass = 0.0;
  Vec<Dim> centre = Vec<Dim>::Zero();
  Inertia<Dim> inertia = Inertia<Dim>::Zero();
  /// The same without rounding, where it is rational (disks are not: their area has a π).
  std::optional<Exact> exact;

  /// All masses times `factor`.
  [[nodiscard]] MassProperties scaled(const Number& factor) const;
};

/// `width` × `height` around the origin.
[[nodiscard]] Shape<2> make_box(const Rational& width, const Rational& height);
/// From vertices without fault (`polygon_fault`), in either direction.
[[nodiscard]] Shape<2> make_polygon(std::vector<ExactVec<2>> vertices);
/// Around the origin.
[[nodiscard]] Shape<2> make_disk(const Rational& radius);
[[nodiscard]] Shape<2> make_half_plane(const ExactVec<2>& normal, const Rational& offset);

/// The box of these sides around the origin.
[[nodiscard]] Shape<3> make_box(const ExactVec<3>& sides);
/// Around the origin.
[[nodiscard]] Shape<3> make_sphere(const Rational& radius);
/// Around the origin, along z. A capsule's length is that of its straight part.
[[nodiscard]] Shape<3> make_cylinder(const Rational& radius, const Rational& height);
[[nodiscard]] Shape<3> make_capsule(const Rational& radius, const Rational& length);
/// Of points that span a solid (`spans_solid`).
[[nodiscard]] Shape<3> make_hull(const std::vector<ExactVec<3>>& points);
/// From a mesh without fault (`mesh_fault`).
[[nodiscard]] Shape<3> make_mesh(const Mesh& mesh);
[[nodiscard]] Shape<3> make_half_space(const ExactVec<3>& normal, const Rational& offset);

/// `shape` moved to `pose`, still in exact coordinates.
[[nodiscard]] Shape<2> moved(const Shape<2>& shape, const ExactPose<2>& pose);
[[nodiscard]] Shape<3> moved(const Shape<3>& shape, const ExactPose<3>& pose);

/// The rigid union. Polygons or polyhedra may overlap or touch; round parts may only touch what is beside
/// them: throws Error (place empty) naming the two parts otherwise. Half planes are not allowed. A mesh whose pieces
/// are not exact (`piece_excess`) is the union of its pieces here, unless the other parts are round.
[[nodiscard]] Shape<2> unite(const std::vector<Shape<2>>& parts);
[[nodiscard]] Shape<3> unite(const std::vector<Shape<3>>& parts);

/// For density 1. Zero mass for a half plane.
[[nodiscard]] MassProperties<2> mass_properties(const Shape<2>& shape);
[[nodiscard]] MassProperties<3> mass_properties(const Shape<3>& shape);

}  // namespace collapse
