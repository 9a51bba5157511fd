#pragma once

#include <optional>

#include "formulation/accelerated.hpp"

namespace collapse {

/// Painlevé's paradox: a contact that slides and at which more force makes the bodies accelerate
/// *towards* each other, because of its friction. Then a motion with force and one without both satisfy
/// Coulomb's law, or none does.
///
/// Looked for one contact at a time, with the other contacts that carry force and the joints holding as
/// they do in the given motion. Accelerations up to `zero` count as none. The first contact found, if
/// any. Where that would take too long each contact is looked at as if it were alone.
template <int Dim>
[[nodiscard]] std::optional<std::size_t> find_paradox(const Moment<Dim>& moment,
                                                      const Accelerated<Dim>& motion, double zero);

}  // namespace collapse
