#include "collapse/formulation/rows.hpp"

namespace collapse {
namespace {

/// Lever of a world point about a body's centre of mass; the world has none.
template <int Dim>
Vec<Dim> lever(const Scene<Dim>& scene, const State<Dim>& state, int body, const Vec<Dim>& point) {
  if (body == kWorld) return Vec<Dim>::Zero();
  return point - state.centre(scene, body);
}

}  // namespace

template <int Dim>
std::vector<JointRow<Dim>> joint_rows(const Scene<Dim>& scene, const State<Dim>& state,
                                      const Joint<Dim>& joint) {
  const Vec<Dim> r_a = lever<Dim>(scene, state, joint.a, joint.at_a.value);
  const Vec<Dim> r_b = lever<Dim>(scene, state, joint.b, joint.at_b.value);
  const auto along = [&](const Vec<Dim>& direction) {
    return JointRow<Dim>{-wrench_of<Dim>(r_a, direction), wrench_of<Dim>(r_b, direction)};
  };
  std::vector<JointRow<Dim>> rows;
  if (joint.type == JointType::rod) {
    rows.push_back(along((joint.at_b.value - joint.at_a.value).normalized()));
    return rows;
  }
  for (int i = 0; i < Dim; ++i) rows.push_back(along(Vec<Dim>::Unit(i)));
  if (joint.type == JointType::weld) {
    for (int i = Dim; i < kDofs<Dim>; ++i) {
      rows.push_back({-Twist<Dim>::Unit(i), Twist<Dim>::Unit(i)});
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
