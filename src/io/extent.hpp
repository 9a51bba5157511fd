#pragma once
/// How large things are, for pictures and meshes of them.

#include <limits>
#include <vector>

#include "collapse/model/state.hpp"

namespace collapse {

/// A box along the axes that grows to hold what it is given; empty at first.
struct Extent {
  Vec<2> low = Vec<2>::Constant(std::numeric_limits<double>::infinity());
  Vec<2> high = Vec<2>::Constant(-std::numeric_limits<double>::infinity());

  void include(const Vec<2>& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  void include(const Vec<2>& centre, double radius) {
    include(centre - Vec<2>::Constant(radius));
    include(centre + Vec<2>::Constant(radius));
  }
  void include(const Extent& other) {
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
  }
  [[nodiscard]] bool empty() const { return !(low.x() <= high.x()); }
  [[nodiscard]] Vec<2> size() const { return high - low; }
  [[nodiscard]] Vec<2> middle() const { return low + 0.5 * (high - low); }
};

/// Empty for a half plane.
[[nodiscard]] Extent extent_of(const Shape<2>& shape, const Pose<2>& pose);

/// Of all bodies but half planes, and all points of the framework.
[[nodiscard]] Extent extent_of(const Scene<2>& scene, const State<2>& state);

/// The size of a typical body of the scene, in world units: medians over its free bodies, or the faces
/// or bars of its framework where it has none.
struct TypicalSize {
  double thickness = 1.0;  ///< the shorter side of the box around it
  double length = 1.0;     ///< the longer one
};
[[nodiscard]] TypicalSize typical_size(const Scene<2>& scene);

/// What stands for a half plane in a mesh: a slab that reaches along its edge as far as all that is shown, and
/// a little farther.
struct Slab {
  Vec<2> middle;
  Vec<2> normal;  ///< unit, out of the half plane
  Vec<2> half;    ///< half its length along the edge, and half its thickness
};
[[nodiscard]] Slab slab_of(const HalfSpace<2>& half_plane, const Pose<2>& pose, const Extent& shown,
                           const TypicalSize& typical);

/// The corners, counter-clockwise, of the part of a half plane that lies in `window`; empty if none does.
[[nodiscard]] std::vector<Vec<2>> clip(const HalfSpace<2>& half_plane, const Pose<2>& pose,
                                       const Extent& window);

}  // namespace collapse
