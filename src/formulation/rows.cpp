#include "collapse/formulation/rows.hpp"

#include <algorithm>
#include <string>

#include "collapse/core/error.hpp"

namespace collapse {

std::string_view to_string(FrictionCone cone) {
  switch (cone) {
    case FrictionCone::circular:
      return "circular";
    case FrictionCone::inner:
      return "inner";
    case FrictionCone::outer:
      return "outer";
  }
  return "circular";
}

void ConeModel::validate() const {
  constexpr int kMostSides = 1000;
  if (sides < 3 || sides > kMostSides) {
    throw Error("sides", std::to_string(sides), "a number of sides from 3 to 1000");
  }
}

template <int Dim>
std::pair<Vec<Dim>, Vec<Dim>> joint_ends(const Scene<Dim>& scene, std::span<const Pose<Dim>> poses,
                                         const Joint<Dim>& joint) {
  if (joint.type != JointType::weld) {
    return {carried_point<Dim>(scene, poses, joint.a, joint.at_a.value),
            carried_point<Dim>(scene, poses, joint.b, joint.at_b.value)};
  }
  // Wherever a weld is, it holds all of both bodies; near them its rows are well conditioned.
  const int near = joint.b == kWorld ? joint.a : joint.b;
  const auto i = static_cast<std::size_t>(near);
  const Body<Dim>& body = scene.bodies[i];
  const Vec<Dim> centre = poses[i].apply(body.mass.centre);
  const Vec<Dim> held = carried_point<Dim>(scene, poses, near == joint.b ? joint.a : joint.b,
                                           body.pose.apply(body.mass.centre));
  if (near == joint.b) return {held, centre};
  return {centre, held};
}

template <int Dim>
double joint_reach(const Scene<Dim>& scene, const Joint<Dim>& joint) {
  double reach = 0.0;
  for (const int index : {joint.a, joint.b}) {
    if (index == kWorld) continue;
    const Body<Dim>& body = scene.bodies[static_cast<std::size_t>(index)];
    if (!body.shape.half_space) reach = std::max(reach, body.shape.reach(body.mass.centre));
  }
  return reach > 0.0 ? reach : 1.0;
}

template <int Dim>
JointRows<Dim> joint_rows(const Scene<Dim>& scene, std::span<const Pose<Dim>> poses,
                          const Joint<Dim>& joint, double reach) {
  const auto [at_a, at_b] = joint_ends<Dim>(scene, poses, joint);
  const auto lever = [&](int body, const Vec<Dim>& point) -> Vec<Dim> {
    if (body == kWorld) return Vec<Dim>::Zero();
    const auto i = static_cast<std::size_t>(body);
    return point - poses[i].apply(scene.bodies[i].mass.centre);
  };
  const Vec<Dim> r_a = lever(joint.a, at_a);
  const Vec<Dim> r_b = lever(joint.b, at_b);
  const auto along = [&](const Vec<Dim>& direction, double error) {
    return JointRow<Dim>{-wrench_of<Dim>(r_a, direction), wrench_of<Dim>(r_b, direction), error};
  };
  JointRows<Dim> rows;
  const Vec<Dim> apart = at_b - at_a;
  if (joint.type == JointType::rod) {
    rows.push_back(along(apart.normalized(), apart.norm() - joint.length));
    return rows;
  }
  for (int i = 0; i < Dim; ++i) rows.push_back(along(Vec<Dim>::Unit(i), apart[i]));
  using Rotation = Eigen::Matrix<double, Dim, Dim>;
  const auto turned = [&](int body) -> Rotation {  // since the start
    if (body == kWorld) return Rotation::Identity();
    const auto i = static_cast<std::size_t>(body);
    return poses[i].rotation * scene.bodies[i].pose.rotation.transpose();
  };
  if constexpr (Dim == 3) {
    if (joint.type == JointType::hinge) {
      // Across the axis as body a carries it, so that the rows turn with the bodies and never jump.
      const Rotation with_a = turned(joint.a);
      const Vec<3> apart_axes = (with_a * joint.axis).cross(turned(joint.b) * joint.axis);
      const Eigen::Matrix<double, 3, 2> across = with_a * tangents_of<3>(joint.axis);
      for (int i = 0; i < 2; ++i) {
        Twist<3> angle = Twist<3>::Zero();
        angle.tail<3>() = reach * across.col(i);
        rows.push_back({-angle, angle, reach * across.col(i).dot(apart_axes)});
      }
    }
  }
  if (joint.type == JointType::weld) {
    const Spin<Dim> turn = turn_of<Dim>(turned(joint.b) * turned(joint.a).transpose());
    for (int i = 0; i < kSpins<Dim>; ++i) {
      const Twist<Dim> angle = reach * Twist<Dim>::Unit(Dim + i);
      rows.push_back({-angle, angle, reach * turn[i]});
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

template std::pair<Vec<2>, Vec<2>> joint_ends(const Scene<2>&, std::span<const Pose<2>>,
                                              const Joint<2>&);
template double joint_reach(const Scene<2>&, const Joint<2>&);
template JointRows<2> joint_rows(const Scene<2>&, std::span<const Pose<2>>, const Joint<2>&,
                                 double);
template struct FreeBodies<2>;
template std::pair<Vec<3>, Vec<3>> joint_ends(const Scene<3>&, std::span<const Pose<3>>,
                                              const Joint<3>&);
template double joint_reach(const Scene<3>&, const Joint<3>&);
template JointRows<3> joint_rows(const Scene<3>&, std::span<const Pose<3>>, const Joint<3>&,
                                 double);
template struct FreeBodies<3>;

}  // namespace collapse
