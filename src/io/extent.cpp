#include "io/extent.hpp"

#include <algorithm>
#include <utility>

namespace collapse {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Gathers sizes of the same kind of thing.
class Sizes {
 public:
  void add(const Extent& extent) {
    if (extent.empty()) return;
    thicknesses_.push_back(extent.size().minCoeff());
    lengths_.push_back(extent.size().maxCoeff());
  }
  void add_bar(double length) {
    thicknesses_.push_back(0.5 * length);
    lengths_.push_back(length);
  }
  [[nodiscard]] bool empty() const { return lengths_.empty(); }
  [[nodiscard]] TypicalSize typical() const { return {median(thicknesses_), median(lengths_)}; }

 private:
  std::vector<double> thicknesses_;
  std::vector<double> lengths_;
};

/// Signed distance of a point from the edge of a half plane moved to `pose`; negative inside.
double edge_distance(const HalfSpace<2>& half_plane, const Pose<2>& pose, const Vec<2>& point) {
  const Vec<2> normal = pose.turn(half_plane.normal);
  return normal.dot(point - pose.position) - half_plane.offset;
}

}  // namespace

Extent extent_of(const Shape<2>& shape, const Pose<2>& pose) {
  Extent extent;
  for (const Loop& loop : shape.boundary) {
    for (const Vec<2>& vertex : loop.vertices()) extent.include(pose.apply(vertex));
  }
  for (const Ball<2>& ball : shape.balls) extent.include(pose.apply(ball.centre), ball.radius);
  return extent;
}

Extent extent_of(const Scene<2>& scene, const State<2>& state) {
  Extent extent;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    extent.include(extent_of(scene.bodies[i].shape, state.poses[i]));
  }
  for (const Vec<2>& point : state.points) extent.include(point);
  return extent;
}

TypicalSize typical_size(const Scene<2>& scene) {
  Sizes free;
  Sizes fixed;
  for (const Body<2>& body : scene.bodies) {
    (body.free() ? free : fixed).add(extent_of(body.shape, Pose<2>()));
  }
  const auto place = [&](int point) -> const Vec<2>& {
    return scene.framework.points[static_cast<std::size_t>(point)].position.value;
  };
  Sizes faces;
  for (const std::vector<int>& face : scene.framework.faces) {
    Extent extent;
    for (const int point : face) extent.include(place(point));
    faces.add(extent);
  }
  Sizes bars;
  for (const auto& [p, q] : scene.framework.bars) {
    bars.add_bar((place(q) - place(p)).stableNorm());
  }
  for (const Sizes* sizes : {&free, &faces, &bars, &fixed}) {
    if (!sizes->empty()) return sizes->typical();
  }
  return {};
}

Slab slab_of(const HalfSpace<2>& half_plane, const Pose<2>& pose, const Extent& shown,
             const TypicalSize& typical) {
  Slab slab;
  slab.normal = pose.turn(half_plane.normal);
  const Vec<2> along = tangents_of<2>(slab.normal);
  const Vec<2> edge = pose.position + half_plane.offset * slab.normal;
  Extent reach = shown;
  if (reach.empty()) reach.include(edge, 2.0 * typical.length);
  Extent shadow;  // on the edge
  for (const Vec<2>& corner : {reach.low, reach.high, Vec<2>(reach.low.x(), reach.high.y()),
                               Vec<2>(reach.high.x(), reach.low.y())}) {
    shadow.include(Vec<2>(along.dot(corner - edge), 0.0));
  }
  const double length = 1.2 * shadow.size().x() + 2.0 * typical.length;
  const double thickness = std::max(0.03 * length, 0.5 * typical.thickness);
  slab.half = {0.5 * length, 0.5 * thickness};
  slab.middle = edge + shadow.middle().x() * along - slab.half.y() * slab.normal;
  return slab;
}

std::vector<Vec<2>> clip(const HalfSpace<2>& half_plane, const Pose<2>& pose,
                         const Extent& window) {
  const Vec<2> corners[] = {window.low, Vec<2>(window.high.x(), window.low.y()), window.high,
                            Vec<2>(window.low.x(), window.high.y())};
  std::vector<Vec<2>> inside;
  for (int i = 0; i < 4; ++i) {
    const Vec<2>& from = corners[i];
    const Vec<2>& to = corners[(i + 1) % 4];
    const double d_from = edge_distance(half_plane, pose, from);
    const double d_to = edge_distance(half_plane, pose, to);
    if (d_from <= 0.0) inside.push_back(from);
    if ((d_from <= 0.0) != (d_to <= 0.0)) {
      inside.push_back(from + d_from / (d_from - d_to) * (to - from));
    }
  }
  return inside;
}

}  // namespace collapse
