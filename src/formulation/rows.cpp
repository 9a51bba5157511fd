#include "collapse/formulation/rows.hpp"

#include <algorithm>

namespace collapse {
namespace {

/// Lever of a world point about a body's centre of mass; the world has none.
template <int Dim>
Vec<Dim> lever(const Scene<Dim>& scene, const State<Dim>& state, int body, const Vec<Dim>& point) {
  if (body == kWorld) return Vec<Dim>::Zero();
  return point - state.centre(scene, body);
}

/// Of the bodies that a joint holds, from their centres of mass.
template <int Dim>
double larger_reach(const Scene<Dim>& scene, const Joint<Dim>& joint) {
  double reach = 0.0;
  for (const int index : {joint.a, joint.b}) {
    if (index == kWorld) continue;
    const Body<Dim>& body = scene.bodies[static_cast<std::size_t>(index)];
    if (!body.shape.half_space) reach = std::max(reach, body.shape.reach(body.mass.centre));
  }
  return reach > 0.0 ? reach : 1.0;
}

}  // namespace

template <int Dim>
std::vector<JointRow<Dim>> joint_rows(const Scene<Dim>& scene, const State<Dim>& state,
                                      const Joint<Dim>& joint) {
  Vec<Dim> at_a = carried_point<Dim>(scene, state, joint.a, joint.at_a.value);
  Vec<Dim> at_b = carried_point<Dim>(scene, state, joint.b, joint.at_b.value);
  if (joint.type == JointType::weld) {
    // Wherever a weld is, it holds all of both bodies; near them its rows are well conditioned.
    at_a = at_b = state.centre(scene, joint.b == kWorld ? joint.a : joint.b);
  }
  const Vec<Dim> r_a = lever<Dim>(scene, state, joint.a, at_a);
  const Vec<Dim> r_b = lever<Dim>(scene, state, joint.b, at_b);
  const auto along = [&](const Vec<Dim>& direction) {
    return JointRow<Dim>{-wrench_of<Dim>(r_a, direction), wrench_of<Dim>(r_b, direction)};
  };
  std::vector<JointRow<Dim>> rows;
  if (joint.type == JointType::rod) {
    rows.push_back(along((at_b - at_a).normalized()));
    return rows;
  }
  for (int i = 0; i < Dim; ++i) rows.push_back(along(Vec<Dim>::Unit(i)));
  if (joint.type == JointType::weld) {
    const double reach = larger_reach(scene, joint);
    for (int i = Dim; i < kDofs<Dim>; ++i) {
      rows.push_back({-reach * Twist<Dim>::Unit(i), reach * Twist<Dim>::Unit(i)});
    }
  }
  return rows;
}

template <int Dim>
FreeBodies<Dim>::FreeBodies(const Scene<Dim>& scene, const State<Dim>& state) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const bool is_free = scene.bodies[i].free();
    block.push_back(is_free ? static_cast<int>(bodies.size()) : -1);
    if (is_free) bodies.push_back(static_cast<int>(i));
    centres.push_back(state.centre(scene, static_cast<int>(i)));
  }
}

template std::vector<JointRow<2>> joint_rows(const Scene<2>&, const State<2>&, const Joint<2>&);
template struct FreeBodies<2>;

}  // namespace collapse
