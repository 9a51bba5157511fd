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
  template <int Dim>
  void add(const BasicExtent<Dim>& extent) {
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

BasicExtent<3> extent_of(const Shape<3>& shape, const Pose<3>& pose) {
  BasicExtent<3> extent;
  for (const Vec<3>& point : shape.boundary.points) extent.include(pose.apply(point));
  for (const Ball<3>& ball : shape.balls) extent.include(pose.apply(ball.centre), ball.radius);
  for (const Cylinder& cylinder : shape.cylinders) {
    const Vec<3> axis = pose.turn(cylinder.axis);
    const Vec<3> across = (1.0 - axis.array().square()).max(0.0).sqrt().matrix();
    extent.include(pose.apply(cylinder.centre),
                   Vec<3>(cylinder.half_height * axis.cwiseAbs() + cylinder.radius * across));
  }
  for (const Capsule& capsule : shape.capsules) {
    extent.include(pose.apply(capsule.from), capsule.radius);
    extent.include(pose.apply(capsule.to), capsule.radius);
  }
  return extent;
}

template <int Dim>
BasicExtent<Dim> extent_of(const Scene<Dim>& scene, const State<Dim>& state) {
  BasicExtent<Dim> extent;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    extent.include(extent_of(scene.bodies[i].shape, state.poses[i]));
  }
  for (const Vec<Dim>& point : state.points) extent.include(point);
  return extent;
}

template BasicExtent<2> extent_of(const Scene<2>& scene, const State<2>& state);
template BasicExtent<3> extent_of(const Scene<3>& scene, const State<3>& state);

template <int Dim>
TypicalSize typical_size(const Scene<Dim>& scene) {
  Sizes free;
  Sizes fixed;
  for (const Body<Dim>& body : scene.bodies) {
    (body.free() ? free : fixed).add(extent_of(body.shape, Pose<Dim>()));
  }
  const auto place = [&](int point) -> const Vec<Dim>& {
    return scene.framework.points[static_cast<std::size_t>(point)].position.value;
  };
  Sizes faces;
  for (const std::vector<int>& face : scene.framework.faces) {
    BasicExtent<Dim> extent;
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

template TypicalSize typical_size(const Scene<2>& scene);
template TypicalSize typical_size(const Scene<3>& scene);

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

Plate plate_of(const HalfSpace<3>& half_space, const Pose<3>& pose, const BasicExtent<3>& shown,
               const TypicalSize& typical) {
  Plate plate;
  const Vec<3> normal = pose.turn(half_space.normal);
  // Along the world's axes where the surface is level.
  Vec<3> along = Vec<3>::UnitX() - normal.x() * normal;
  if (along.norm() < 0.5) along = Vec<3>::UnitY() - normal.y() * normal;
  along.normalize();
  plate.axes << along, normal.cross(along), normal;
  const Vec<3> foot = pose.position + half_space.offset * normal;
  BasicExtent<3> reach = shown;
  if (reach.empty()) reach.include(foot, 2.0 * typical.length);
  Extent shadow;  // on the surface
  for (int corner = 0; corner < 8; ++corner) {
    const Vec<3> at((corner & 1) != 0 ? reach.high.x() : reach.low.x(),
                    (corner & 2) != 0 ? reach.high.y() : reach.low.y(),
                    (corner & 4) != 0 ? reach.high.z() : reach.low.z());
    const Vec<3> own = plate.axes.transpose() * (at - foot);
    shadow.include(Vec<2>(own.head<2>()));
  }
  const Vec<2> sides = 1.2 * shadow.size() + Vec<2>::Constant(2.0 * typical.length);
  const double thickness = std::max(0.02 * sides.maxCoeff(), 0.25 * typical.thickness);
  plate.half << 0.5 * sides, 0.5 * thickness;
  const Vec<2> middle = shadow.middle();
  plate.middle = foot + plate.axes * Vec<3>(middle.x(), middle.y(), -plate.half.z());
  return plate;
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
