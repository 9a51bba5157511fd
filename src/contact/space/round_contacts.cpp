#include "collapse/core/error.hpp"
#include "contact/space/pair.hpp"

namespace collapse::contacts {
namespace {

[[noreturn]] void refuse_round() {
  throw Error(
      "bodies", "a round solid beside another body",
      "boxes, hulls, meshes and planes: contacts of round solids in space are not there yet");
}

}  // namespace

void find_round_contacts(const SpacePair& /*pair*/) { refuse_round(); }
double round_depth(const SpacePair& /*pair*/) { refuse_round(); }
double round_distance(const SpacePair& /*pair*/, double /*reach*/) { refuse_round(); }

}  // namespace collapse::contacts
