#pragma once
/// From the world to the picture: which part of the plane is shown, and bodies as outlines in it.

#include <vector>

#include "collapse/formulation/verdict.hpp"
#include "io/extent.hpp"
#include "io/svg_canvas.hpp"

namespace collapse::svg {

/// Where a body gets by moving on with constant velocity and spin: a true rotation, so that it
/// keeps its shape.
[[nodiscard]] Pose<2> moved_on(const Pose<2>& pose, const Vec<2>& centre,
                               const BodyMotion<2>& motion, double time);

class View {
 public:
  /// Shows `content` with a margin, `width` pixels wide, from `top` downwards. Very flat scenes get
  /// room above and below, very tall ones at the sides.
  View(const Extent& content, double width, double top);

  [[nodiscard]] double scale() const { return scale_; }  ///< pixels per world unit
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double top() const { return top_; }
  [[nodiscard]] double height() const { return height_; }

  [[nodiscard]] Pixel place(const Vec<2>& point) const {
    const Vec<2> offset = scale_ * (point - world_middle_);
    return {0.5 * width_ + offset.x(), top_ + 0.5 * height_ - offset.y()};
  }
  /// A direction keeps its length.
  [[nodiscard]] Pixel turn(const Vec<2>& direction) const {
    return {direction.x(), -direction.y()};
  }

  /// The part of a half plane that can be seen and a little more, so that only its own edge shows;
  /// empty if nothing can be.
  [[nodiscard]] std::vector<Pixel> clip(const HalfSpace<2>& half_plane, const Pose<2>& pose) const;

  /// Boundary loops and disks; a lone disk has a mark that shows how it is turned.
  [[nodiscard]] Path outline(const Shape<2>& shape, const Pose<2>& pose) const;

 private:
  Vec<2> world_middle_;
  double scale_ = 1.0;
  double width_ = 0.0;
  double top_ = 0.0;
  double height_ = 0.0;
};

}  // namespace collapse::svg
