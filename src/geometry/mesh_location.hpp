#pragma once

#include <vector>

#include "geometry/box_tree.hpp"
#include "geometry/triangle_pair.hpp"

namespace collapse {

/// Says which points are inside a closed surface of triangles. The points must outlive it.
class MeshLocator {
 public:
  MeshLocator(const ExactPoints& points, std::vector<Triangle> triangles);

  /// For a point that is not on the surface.
  [[nodiscard]] bool contains(SpacePoint point) const {
    return contains(point, [](int) { return true; });
  }
  /// The same for the surface of those triangles alone for which `counts` is true.
  template <class Counts>
  [[nodiscard]] bool contains(SpacePoint point, const Counts& counts) const {
    bool inside = false;
    tree_.visit_where([&](const SpaceBox& box) { return is_below(point.value, box); },
                      [&](int i) {
                        if (counts(i) && is_below(point, i)) inside = !inside;
                        return true;
                      });
    return inside;
  }

  [[nodiscard]] const std::vector<Triangle>& triangles() const { return triangles_; }
  [[nodiscard]] const BoxTree& tree() const { return tree_; }

 private:
  [[nodiscard]] static bool is_below(const Vec<3>& point, const SpaceBox& box) {
    return box.low[0] <= point[0] && point[0] <= box.high[0] && box.low[1] <= point[1] &&
           point[1] <= box.high[1] && point[2] <= box.high[2];
  }
  [[nodiscard]] bool is_below(SpacePoint point, int triangle) const;

  const ExactPoints& points_;
  std::vector<Triangle> triangles_;
  BoxTree tree_;
};

/// Around each triangle.
[[nodiscard]] std::vector<SpaceBox> boxes_around(const ExactPoints& points,
                                                 const std::vector<Triangle>& triangles);

}  // namespace collapse
