#pragma once

#include <cstdint>

#include "collapse/contact/contact.hpp"

namespace collapse::contacts {

/// The name of a contact between `feature` of `body`, one of the pair's two, and `other_feature` of the other.
template <class AnyPair>
[[nodiscard]] ContactId contact_id(const AnyPair& pair, int body, const Feature& feature,
                                   const Feature& other_feature, int end) {
  const bool of_b = body == pair.b;
  return {pair.a, pair.b, of_b ? other_feature : feature, of_b ? feature : other_feature,
          static_cast<std::uint16_t>(end)};
}

/// See Pair::add and SpacePair::add.
template <int Dim, class AnyPair>
void add_contact(const AnyPair& pair, const ContactId& id, int body, const Vec<Dim>& foot,
                 const Vec<Dim>& normal, double gap, bool normal_turns) {
  Contact<Dim> contact;
  contact.id = id;
  contact.point = foot + 0.5 * gap * normal;
  contact.normal = body == pair.b ? normal : Vec<Dim>(-normal);
  contact.gap = gap;
  contact.friction = pair.friction;
  contact.normal_turns = normal_turns;
  pair.out.contacts.push_back(contact);
}

}  // namespace collapse::contacts
