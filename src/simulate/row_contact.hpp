#pragma once
/// A row of motion as a contact of the acceleration program.

#include <span>

#include "contact/motion_contacts.hpp"
#include "formulation/contact_motion.hpp"

namespace collapse::simulate {

template <int Dim>
[[nodiscard]] Contact<Dim> contact_of(const contacts::MotionRow<Dim>& row,
                                      const contacts::PlacedRow<Dim>& placed) {
  Contact<Dim> contact;
  contact.id = row.id;
  contact.point = placed.at;
  contact.normal = placed.normal;
  contact.gap = placed.gap;
  contact.friction = row.friction;
  return contact;
}

[[nodiscard]] inline Facing<2> facing_of_row(const contacts::MotionRow<2>& row,
                                             const contacts::PlacedRow<2>& /*placed*/,
                                             std::span<const Pose<2>> poses) {
  Facing<2> facing;
  facing.point_of_b = row.point_of_b;
  facing.round = row.round;
  facing.point = poses[static_cast<std::size_t>(row.point_body())].apply(row.point);
  facing.anchor = poses[static_cast<std::size_t>(row.line_body())].apply(row.anchor);
  return facing;
}

[[nodiscard]] inline Facing<3> facing_of_row(const contacts::MotionRow<3>& row,
                                             const contacts::PlacedRow<3>& placed,
                                             std::span<const Pose<3>> poses) {
  using Kind = contacts::Flat::Kind;
  const auto core_of = [&](const contacts::Flat& flat, int body) {
    const Pose<3>& pose = poses[static_cast<std::size_t>(body)];
    Core core;
    core.point = pose.apply(flat.at);
    if (flat.kind == Kind::line) {
      core.spanned = 1;
      core.along[0] = pose.turn(flat.direction);
    } else if (flat.kind == Kind::plane) {
      const auto tangents = tangents_of<3>(pose.turn(flat.direction));
      core = {placed.at, 2, {tangents.col(0), tangents.col(1)}};
    } else if (flat.kind == Kind::disk) {
      core.to_middle = core.point - placed.at;
      core.point = placed.at;
    }
    return core;
  };
  return {core_of(row.a, row.id.a), core_of(row.b, row.id.b)};
}

}  // namespace collapse::simulate
