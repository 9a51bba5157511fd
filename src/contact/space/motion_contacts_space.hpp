#pragma once
/// What may touch during a step in space (see contact/motion_contacts.hpp): for every pair of convex pieces the plane
/// that the motion crosses last, and the vertices, edges and faces that face each other across it.

#include <memory>

#include "contact/motion_contacts.hpp"

namespace collapse::contacts {

template <>
class MotionContacts<3> {
 public:
  MotionContacts(const Scene<3>& scene, double touch);
  ~MotionContacts();
  MotionContacts(MotionContacts&&) noexcept;
  MotionContacts& operator=(MotionContacts&&) noexcept;

  /// All rows that may become active, sorted by id.
  void find(const Sweep<3>& sweep, std::vector<MotionRow<3>>& rows);

  [[nodiscard]] double size(int body) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// How deep bodies are in each other at most, length; 0 or less where none overlap. By distances of convex pieces:
/// shares nothing with the rows.
[[nodiscard]] double deepest_overlap(const Scene<3>& scene, std::span<const Pose<3>> poses);

}  // namespace collapse::contacts
