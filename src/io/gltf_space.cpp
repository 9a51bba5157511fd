#include <cmath>
#include <optional>

#include "collapse/core/check.hpp"
#include "collapse/geometry/continuous_turn.hpp"
#include "io/extent.hpp"
#include "io/facets.hpp"
#include "io/force_arrows.hpp"
#include "io/gltf_export.hpp"
#include "io/gltf_limits.hpp"
#include "io/gltf_model.hpp"
#include "io/keyframes.hpp"

namespace collapse {
namespace {

/// With keys in between where a body turned too far for one step from frame to frame.
std::vector<gltf::TurnKey> turn_keys(const std::vector<TurnKeyframes::Key>& turns) {
  std::vector<gltf::TurnKey> keys;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (i > 0) {
      const TurnKeyframes::Key& from = turns[i - 1];
      const Vec<3> turn = TurningPath::step(from.value, turns[i].value);
      const double angle = turn.norm();
      const int steps = gltf::steps_of_turn(angle);
      for (int k = 1; k < steps; ++k) {
        const double share = static_cast<double>(k) / steps;
        keys.push_back({from.time + share * (turns[i].time - from.time),
                        Eigen::AngleAxisd(share * angle, turn / angle) * from.value});
      }
    }
    keys.push_back({turns[i].time, turns[i].value});
  }
  return keys;
}

}  // namespace

namespace gltf {

/// A body's centre of mass and how it is turned.
struct SpaceMover {
  ContinuousTurn way;
  Keyframes<3> places;
  TurnKeyframes turns;

  SpaceMover(double tolerance, double reach)
      : places(tolerance), turns(tolerance / std::max(reach, tolerance), kLongestTurn) {}

  void add(double time, const Vec<3>& place, const Eigen::Matrix3d& rotation, const Vec<3>& spin) {
    places.add(time, place);
    turns.add(time, way.next(time, rotation, spin));
  }
};

}  // namespace gltf

template <>
struct GltfExport<3>::Content {
  const Scene<3>& scene;
  TypicalSize typical;
  std::vector<int> fills;
  std::vector<gltf::SpaceMover> movers;  ///< by body
  BasicExtent<3> extent;                 ///< of all states
  State<3> first;
  std::optional<double> begin;  ///< time of the first state
  double end = 0.0;
  std::vector<ContactForce<3>> forces;
  gltf::Model model;

  explicit Content(const Scene<3>& s);
  void add(double time, const State<3>& state);
  [[nodiscard]] std::string finish();

  void build_bodies();
  void build_half_space(int body);
  void build_forces();
};

GltfExport<3>::Content::Content(const Scene<3>& s)
    : scene(s), typical(typical_size(s)), fills(fills_of(s)) {
  gltf::require_size(typical.length);
  const double tolerance = gltf::kTolerance * typical.thickness;
  for (const Body<3>& body : scene.bodies) {
    movers.emplace_back(tolerance,
                        body.shape.half_space ? 1.0 : body.shape.reach(body.mass.centre));
  }
}

void GltfExport<3>::Content::add(double time, const State<3>& state) {
  const BasicExtent<3> now = extent_of(scene, state);
  if (!now.empty()) gltf::require_places(now.low, now.high, time);
  if (!begin) {
    begin = time;
    first = state;
  }
  COLLAPSE_DEMAND(time >= end || time == *begin);
  end = time;
  extent.include(now);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    movers[i].add(time - *begin, state.centre(scene, static_cast<int>(i)), state.poses[i].rotation,
                  state.velocities[i].tail<3>());
  }
}

void GltfExport<3>::Content::build_bodies() {
  for (int i = 0; i < std::ssize(scene.bodies); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const Body<3>& body = scene.bodies[index];
    if (body.shape.half_space) {
      build_half_space(i);
      continue;
    }
    const Colour colour = gltf::colour_of(body, i, fills);
    const Triangles solid = triangles_of(facets_of(body.shape), body.mass.centre);
    const auto places = movers[index].places.finish();
    const auto turns = movers[index].turns.finish();
    const int node = model.node(body.name, model.mesh(solid, colour, std::nullopt),
                                places.front().value, turns.front().value, Vec<3>::Ones());
    if (places.size() > 1) {
      std::vector<gltf::PlaceKey> keys;
      for (const auto& key : places) keys.push_back({key.time, key.value});
      model.animate_place(node, keys);
    }
    if (turns.size() > 1) model.animate_turn(node, turn_keys(turns));
  }
}

void GltfExport<3>::Content::build_half_space(int body) {
  const auto index = static_cast<std::size_t>(body);
  const Plate plate =
      plate_of(*scene.bodies[index].shape.half_space, first.poses[index], extent, typical);
  const Triangles solid = triangles_of(box_facets(plate.half), Vec<3>::Zero());
  static_cast<void>(model.node(scene.bodies[index].name,
                               model.mesh(solid, deepened(kStone), std::nullopt), plate.middle,
                               Eigen::Quaterniond(plate.axes), Vec<3>::Ones()));
}

void GltfExport<3>::Content::build_forces() {
  const double longest = std::sqrt(typical.thickness) * std::sqrt(typical.length);
  for (const gltf::ForceArrow<3>& arrow : gltf::force_arrows(model, scene, forces)) {
    static_cast<void>(
        model.node(arrow.name, arrow.mesh, arrow.point,
                   Eigen::Quaterniond::FromTwoVectors(Vec<3>::UnitX(), arrow.direction),
                   Vec<3>::Constant(arrow.length * longest)));
  }
}

std::string GltfExport<3>::Content::finish() {
  COLLAPSE_DEMAND(begin.has_value());
  model.raise_z();
  if (!extent.empty() && extent.middle().stableNorm() > gltf::kFarAway * extent.size().maxCoeff()) {
    model.set_origin(extent.middle());
  }
  build_bodies();
  build_forces();
  return model.finish(scene.name);
}

template class GltfExport<3>;

}  // namespace collapse
