#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "collapse/core/check.hpp"
#include "collapse/geometry/turn_counter.hpp"
#include "io/extent.hpp"
#include "io/force_arrows.hpp"
#include "io/gltf_buffer.hpp"
#include "io/gltf_export.hpp"
#include "io/gltf_limits.hpp"
#include "io/gltf_model.hpp"
#include "io/keyframes.hpp"

namespace collapse {
namespace {

using gltf::kFarAway;
using gltf::kShades;
using gltf::kShadeStep;

double angle_of(const Pose<2>& pose) {
  return std::atan2(pose.rotation(1, 0), pose.rotation(0, 0));
}

double angle_of(const Vec<2>& direction) { return std::atan2(direction.y(), direction.x()); }

}  // namespace

namespace gltf {

/// Something that moves as a whole: its origin and how it is turned.
struct PlaneMover {
  TurnCounter turns;
  Keyframes<2> places;
  Keyframes<1> angles;

  PlaneMover(double tolerance, double reach)
      : places(tolerance), angles(tolerance / reach, kLongestTurn) {}

  void add(double time, const Vec<2>& place, double bare_angle, double spin) {
    places.add(time, place);
    angles.add(time, Eigen::Matrix<double, 1, 1>(turns.angle(time, bare_angle, spin)));
  }
};

}  // namespace gltf

template <>
struct GltfExport<2>::Content {
  const Scene<2>& scene;
  TypicalSize typical;
  double depth;      ///< of bodies, along z
  double tolerance;  ///< length
  std::vector<int> fills;
  std::vector<gltf::PlaneMover> movers;  ///< of bodies, faces, bars and points, in this order
  Extent extent;                         ///< of all states
  State<2> first;
  std::optional<double> begin;  ///< time of the first state
  double end = 0.0;
  std::vector<ContactForce<2>> forces;
  gltf::Model model;

  explicit Content(const Scene<2>& s);
  void add(double time, const State<2>& state);
  [[nodiscard]] std::string finish();

  [[nodiscard]] const Framework<2>& framework() const { return scene.framework; }
  [[nodiscard]] double bar_width() const { return 0.06 * typical.thickness; }

  void add_mover(double reach) { movers.emplace_back(tolerance, std::max(reach, tolerance)); }
  void add_node(const std::string& name, std::size_t mover, int mesh, double scale_x = 1.0);
  void build_bodies();
  void build_half_plane(int body);
  void build_framework();
  void build_forces();
};

GltfExport<2>::Content::Content(const Scene<2>& s)
    : scene(s), typical(typical_size(s)), fills(fills_of(s)) {
  // Bricks get the depth that bricks have, squares become cubes.
  depth = std::sqrt(typical.thickness) * std::sqrt(typical.length);
  gltf::require_size(depth);
  tolerance = gltf::kTolerance * typical.thickness;
  for (const Body<2>& body : scene.bodies) {
    add_mover(body.shape.half_space ? 1.0 : body.shape.reach(body.mass.centre));
  }
  const auto place = [&](int point) -> const Vec<2>& {
    return framework().points[static_cast<std::size_t>(point)].position.value;
  };
  for (const std::vector<int>& face : framework().faces) {
    Extent size;
    for (const int point : face) size.include(place(point));
    add_mover(size.size().maxCoeff());
  }
  for (const auto& [p, q] : framework().bars) add_mover(0.5 * (place(q) - place(p)).stableNorm());
  for (std::size_t i = 0; i < framework().points.size(); ++i) add_mover(bar_width());
}

/// The pose of a face: the mean of its corners, and the turn from the start that fits them best.
struct FacePose {
  Vec<2> middle = Vec<2>::Zero();
  double angle = 0.0;
};

static FacePose face_pose(const std::vector<int>& face, const std::vector<Vec<2>>& start,
                          const std::vector<Vec<2>>& now) {
  const auto mean = [&](const std::vector<Vec<2>>& points) {
    Vec<2> sum = Vec<2>::Zero();
    for (const int point : face) sum += points[static_cast<std::size_t>(point)];
    return Vec<2>(sum / static_cast<double>(face.size()));
  };
  const Vec<2> before = mean(start);
  FacePose pose;
  pose.middle = mean(now);
  double along = 0.0;
  double across = 0.0;
  for (const int point : face) {
    const Vec<2> a = start[static_cast<std::size_t>(point)] - before;
    const Vec<2> b = now[static_cast<std::size_t>(point)] - pose.middle;
    along += a.dot(b);
    across += a.x() * b.y() - a.y() * b.x();
  }
  pose.angle = std::atan2(across, along);
  return pose;
}

void GltfExport<2>::Content::add(double time, const State<2>& state) {
  const Extent now = extent_of(scene, state);
  if (!now.empty()) gltf::require_places(now.low, now.high, time);
  if (!begin) {
    begin = time;
    first = state;
  }
  COLLAPSE_DEMAND(time >= end || time == *begin);
  end = time;
  extent.include(now);
  std::size_t mover = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Pose<2>& pose = state.poses[i];
    movers[mover++].add(time - *begin, pose.apply(scene.bodies[i].mass.centre), angle_of(pose),
                        state.velocities[i][2]);
  }
  for (const std::vector<int>& face : framework().faces) {
    const FacePose pose = face_pose(face, first.points, state.points);
    movers[mover++].add(time - *begin, pose.middle, pose.angle, 0.0);
  }
  for (const auto& [p, q] : framework().bars) {
    const Vec<2>& from = state.points[static_cast<std::size_t>(p)];
    const Vec<2>& to = state.points[static_cast<std::size_t>(q)];
    movers[mover++].add(time - *begin, 0.5 * (from + to), angle_of(Vec<2>(to - from)), 0.0);
  }
  for (const Vec<2>& point : state.points) movers[mover++].add(time - *begin, point, 0.0, 0.0);
}

/// A node where its mover is, with its animation if it moves.
void GltfExport<2>::Content::add_node(const std::string& name, std::size_t mover, int mesh,
                                      double scale_x) {
  const auto places = movers[mover].places.finish();
  const auto angles = movers[mover].angles.finish();
  const int node =
      model.node(name, mesh, places.front().value, 0.0, angles.front().value[0], {scale_x, 1.0});
  if (places.size() > 1) {
    std::vector<gltf::PlaceKey> keys;
    for (const auto& key : places) keys.push_back({key.time, {key.value.x(), key.value.y(), 0.0}});
    model.animate_place(node, keys);
  }
  if (angles.size() > 1) {
    std::vector<gltf::TurnKey> keys;
    for (std::size_t i = 0; i < angles.size(); ++i) {
      // Too far for one step: whole turns from frame to frame.
      if (i > 0) {
        const auto& from = angles[i - 1];
        const double turn = angles[i].value[0] - from.value[0];
        const int steps = gltf::steps_of_turn(turn);
        for (int k = 1; k < steps; ++k) {
          const double share = static_cast<double>(k) / steps;
          keys.push_back({from.time + share * (angles[i].time - from.time),
                          gltf::turn_in_plane(from.value[0] + share * turn)});
        }
      }
      keys.push_back({angles[i].time, gltf::turn_in_plane(angles[i].value[0])});
    }
    model.animate_turn(node, keys);
  }
}

void GltfExport<2>::Content::build_bodies() {
  for (int i = 0; i < std::ssize(scene.bodies); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const Body<2>& body = scene.bodies[index];
    if (body.shape.half_space) {
      build_half_plane(i);
      continue;
    }
    const Colour colour = gltf::colour_of(body, i, fills);
    std::optional<Triangles> mark;
    const Shape<2>& shape = body.shape;
    // A lone disk is about its centre of mass.
    if (shape.pieces.empty() && shape.balls.size() == 1) {
      mark = turn_mark(shape.balls.front().radius, depth);
    }
    const int mesh = model.mesh(extruded(shape, body.mass.centre, depth), colour, mark);
    add_node(body.name, index, mesh);
  }
}

void GltfExport<2>::Content::build_half_plane(int body) {
  const auto index = static_cast<std::size_t>(body);
  const Slab slab =
      slab_of(*scene.bodies[index].shape.half_space, first.poses[index], extent, typical);
  const Vec<2>& half = slab.half;
  const Triangles solid = extruded(
      std::vector<Vec<2>>{-half, {half.x(), -half.y()}, half, {-half.x(), half.y()}}, 3.0 * depth);
  // The mesh's y axis is the normal.
  const double angle = angle_of(slab.normal) - 0.5 * std::numbers::pi;
  static_cast<void>(model.node(scene.bodies[index].name,
                               model.mesh(solid, deepened(kStone), std::nullopt), slab.middle, 0.0,
                               angle, {1.0, 1.0}));
}

void GltfExport<2>::Content::build_framework() {
  if (framework().points.empty()) return;
  const Colour steel = mix(fill_colour(0), kInk, 0.55);
  const double thin = 0.25 * depth;
  std::size_t mover = scene.bodies.size();
  for (std::size_t f = 0; f < framework().faces.size(); ++f, ++mover) {
    const std::vector<int>& face = framework().faces[f];
    const Vec<2> middle = face_pose(face, first.points, first.points).middle;
    std::vector<Vec<2>> corners;
    for (const int point : face) {
      corners.push_back(first.points[static_cast<std::size_t>(point)] - middle);
    }
    const Colour colour =
        mix(deepened(fill_colour(0)), kInk, kShadeStep * static_cast<double>(f % kShades));
    const int mesh = model.mesh(extruded(corners, thin), colour, std::nullopt);
    add_node(fmt::format("face {}", f), mover, mesh);
  }
  const double half = 0.5 * bar_width();
  const Triangles bar = extruded(
      std::vector<Vec<2>>{{-0.5, -half}, {0.5, -half}, {0.5, half}, {-0.5, half}}, 1.6 * thin);
  for (const auto& [p, q] : framework().bars) {
    const auto from = static_cast<std::size_t>(p);
    const auto to = static_cast<std::size_t>(q);
    const std::string name =
        fmt::format("bar {} {}", framework().points[from].name, framework().points[to].name);
    add_node(name, mover++, model.mesh(bar, steel, std::nullopt),
             (first.points[to] - first.points[from]).stableNorm());
  }
  for (const FrameworkPoint<2>& point : framework().points) {
    const Triangles plate = point.fixed ? round_plate(2.0 * bar_width(), 2.4 * thin)
                                        : round_plate(1.3 * bar_width(), 2.0 * thin);
    add_node(point.name, mover++, model.mesh(plate, point.fixed ? kInk : steel, std::nullopt));
  }
}

/// In front of the bodies, where they are seen.
void GltfExport<2>::Content::build_forces() {
  const double longest = std::max(0.66 * typical.thickness, 0.36 * depth);
  for (const gltf::ForceArrow<2>& arrow : gltf::force_arrows(model, scene, forces)) {
    const double length = arrow.length * longest;
    static_cast<void>(model.node(arrow.name, arrow.mesh, arrow.point, 0.5 * depth + 0.1 * longest,
                                 angle_of(arrow.direction), {length, length}));
  }
}

std::string GltfExport<2>::Content::finish() {
  COLLAPSE_DEMAND(begin.has_value());
  if (!extent.empty() && extent.middle().stableNorm() > kFarAway * extent.size().maxCoeff()) {
    const Vec<2> middle = extent.middle();
    model.set_origin({middle.x(), middle.y(), 0.0});
  }
  build_bodies();
  build_framework();
  build_forces();
  return model.finish(scene.name);
}

template class GltfExport<2>;

}  // namespace collapse
