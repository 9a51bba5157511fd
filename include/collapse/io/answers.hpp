#pragma once
/// Answers as JSON: what `--json` prints, and what the page in the browser gets.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "collapse/formulation/verdict.hpp"

namespace collapse {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const Eigen::Ref<const Eigen::VectorXd>& vector);
/// A number in the plane, [x, y, z] in space.
[[nodiscard]] Json spin_json(const Spin<2>& spin);
[[nodiscard]] Json spin_json(const Spin<3>& spin);
/// [{ a, b, gap }]
template <int Dim>
[[nodiscard]] Json near_misses_json(const Scene<Dim>& scene, const ContactSet<Dim>& contacts);
/// [{ a, b, point, normals }] of contacts corner on corner.
template <int Dim>
[[nodiscard]] Json corners_json(const Scene<Dim>& scene, const ContactSet<Dim>& contacts);
/// [{ a, b, point, force, torque }] on b.
template <int Dim>
[[nodiscard]] Json joint_forces_json(const Scene<Dim>& scene,
                                     const std::vector<JointForce<Dim>>& forces);
/// Names of the bodies that touch nothing.
template <int Dim>
[[nodiscard]] Json isolated_json(const Scene<Dim>& scene, const ContactSet<Dim>& contacts);
/// All that `check` has to say, but for the file's name.
template <int Dim>
[[nodiscard]] Json verdict_json(const Scene<Dim>& scene, const ContactSet<Dim>& contacts,
                                const Verdict<Dim>& verdict);

}  // namespace collapse
