#pragma once
/// The onset of motion with the contact forces of 1989 (collapse/analytical/heuristic.hpp).

#include <string>

#include "collapse/analytical/heuristic.hpp"
#include "collapse/contact/contact.hpp"

namespace collapse {

/// Throws Error naming a contact that has friction, which the heuristic knows nothing of.
template <int Dim>
void refuse_friction(const Scene<Dim>& scene, const ContactSet<Dim>& set);

/// Why its forces are no answer.
[[nodiscard]] std::string heuristic_failure(analytical::Guess guess);

}  // namespace collapse
