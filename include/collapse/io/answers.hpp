#pragma once
/// Answers as JSON: what `--json` prints, and what the page in the browser gets.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "collapse/formulation/verdict.hpp"

namespace collapse {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const Vec<2>& vector);
/// [{ a, b, gap }]
[[nodiscard]] Json near_misses_json(const Scene<2>& scene, const ContactSet<2>& contacts);
/// [{ a, b, point, normals }] of contacts corner on corner.
[[nodiscard]] Json corners_json(const Scene<2>& scene, const ContactSet<2>& contacts);
/// [{ a, b, point, force, torque }] on b.
[[nodiscard]] Json joint_forces_json(const Scene<2>& scene,
                                     const std::vector<JointForce<2>>& forces);
/// Names of the bodies that touch nothing.
[[nodiscard]] Json isolated_json(const Scene<2>& scene, const ContactSet<2>& contacts);
/// All that `check` has to say, but for the file's name.
[[nodiscard]] Json verdict_json(const Scene<2>& scene, const ContactSet<2>& contacts,
                                const Verdict<2>& verdict);

}  // namespace collapse
