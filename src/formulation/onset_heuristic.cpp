#include "formulation/onset_heuristic.hpp"

#include <fmt/core.h>

#include "collapse/core/error.hpp"
#include "collapse/formulation/force_method.hpp"
#include "formulation/participants.hpp"

namespace collapse {

template <int Dim>
void refuse_friction(const Scene<Dim>& scene, const ContactSet<Dim>& set) {
  const auto refuse = [&](const ContactId& id, double friction) {
    if (friction == 0.0) return;
    throw Error("--forces", fmt::format("friction {:g} of {}", friction, pair_name(scene, id)),
                "contacts without friction: the heuristic of 1989 knows none");
  };
  for (const Contact<Dim>& contact : set.contacts) refuse(contact.id, contact.friction);
  for (const CornerContact<Dim>& corner : set.corners) refuse(corner.id, corner.friction);
}

template void refuse_friction(const Scene<2>&, const ContactSet<2>&);
template void refuse_friction(const Scene<3>&, const ContactSet<3>&);

std::string_view to_string(ForceMethod method) {
  return method == ForceMethod::convex ? "convex" : "heuristic";
}

std::string heuristic_failure(analytical::Guess guess) {
  switch (guess) {
    case analytical::Guess::neither:
      return "the heuristic found no forces after 2 guesses; those of least sum let nothing "
             "overlap, but push contacts that open";
    case analytical::Guess::unsolved:
      return "the heuristic found no forces after 1 guess, and none of least sum that let nothing "
             "overlap";
    case analytical::Guess::none_vanish:
    case analytical::Guess::residuals:
      break;
  }
  return "the forces that the heuristic found are not exact enough";
}

}  // namespace collapse
