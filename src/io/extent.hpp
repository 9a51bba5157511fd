#pragma once
/// How large things are, for pictures and meshes of them.

#include <limits>
#include <vector>

#include "collapse/model/state.hpp"

namespace collapse {

/// A box along the axes that grows to hold what it is given; empty at first.
template <int Dim>
struct BasicExtent {
  Vec<Dim> low = Vec<Dim>::Constant(std::numeric_limits<double>::infinity());
  Vec<Dim> high = Vec<Dim>::Constant(-std::numeric_limits<double>::infinity());

  void include(const Vec<Dim>& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  void include(const Vec<Dim>& centre, double radius) {
    include(centre, Vec<Dim>(Vec<Dim>::Constant(radius)));
  }
  void include(const Vec<Dim>& centre, const Vec<Dim>& half) {
    include(Vec<Dim>(centre - half));
    include(Vec<Dim>(centre + half));
  }
  void include(const BasicExtent& other) {
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
  }
  [[nodiscard]] bool empty() const { return !(low.x() <= high.x()); }
  [[nodiscard]] Vec<Dim> size() const { return high - low; }
  [[nodiscard]] Vec<Dim> middle() const { return low + 0.5 * (high - low); }
};

using Extent = BasicExtent<2>;

/// Empty for a half plane.
[[nodiscard]] Extent extent_of(const Shape<2>& shape, const Pose<2>& pose);
[[nodiscard]] BasicExtent<3> extent_of(const Shape<3>& shape, const Pose<3>& pose);

/// Of all bodies but half planes, and all points of the framework.
template <int Dim>
[[nodiscard]] BasicExtent<Dim> extent_of(const Scene<Dim>& scene, const State<Dim>& state);

/// The size of a typical body of the scene, in world units: medians over its free bodies, or the faces
/// or bars of its framework where it has none.
struct TypicalSize {
  double thickness = 1.0;  ///< the shorter side of the box around it
  double length = 1.0;     ///< the longer one
};
template <int Dim>
[[nodiscard]] TypicalSize typical_size(const Scene<Dim>& scene);

/// What stands for a half plane in a mesh: a slab that reaches along its edge as far as all that is shown, and
/// a little farther.
struct Slab {
  Vec<2> middle;
  Vec<2> normal;  ///< unit, out of the half plane
  Vec<2> half;    ///< half its length along the edge, and half its thickness
};
[[nodiscard]] Slab slab_of(const HalfSpace<2>& half_plane, const Pose<2>& pose, const Extent& shown,
                           const TypicalSize& typical);

/// The same in space: a plate.
struct Plate {
  Vec<3> middle;
  Eigen::Matrix3d
      axes;     ///< a rotation; its columns are the plate's sides, the last out of the half space
  Vec<3> half;  ///< half its sides and, last, half its thickness
};
[[nodiscard]] Plate plate_of(const HalfSpace<3>& half_space, const Pose<3>& pose,
                             const BasicExtent<3>& shown, const TypicalSize& typical);

/// The corners, counter-clockwise, of the part of a half plane that lies in `window`; empty if none does.
[[nodiscard]] std::vector<Vec<2>> clip(const HalfSpace<2>& half_plane, const Pose<2>& pose,
                                       const Extent& window);

}  // namespace collapse
