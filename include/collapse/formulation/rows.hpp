#pragma once
/// What contacts and joints do to bodies, once for all formulations: the rows of G and J.

#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "collapse/contact/contact.hpp"

namespace collapse {

/// What stands for the cone of friction in space. In the plane all are the same.
enum class FrictionCone {
  circular,  ///< Coulomb's cone itself
  inner,     ///< a pyramid inside it: what stands with it stands
  outer,     ///< a pyramid around it: what falls with it falls
};

[[nodiscard]] std::string_view to_string(FrictionCone cone);

struct ConeModel {
  FrictionCone cone = FrictionCone::circular;
  int sides = 8;  ///< of a pyramid

  /// Throws Error naming the field if it makes no sense.
  void validate() const;
};

/// The columns generate all forces on b that a contact can transmit: the normal alone without
/// friction, n ± μ t with friction, of length one. In the plane that is the friction cone itself, in
/// space the edges of a pyramid (of the inner one where the model is circular).
template <int Dim>
inline constexpr int kMostDirections = Dim == 2 ? 2 : Eigen::Dynamic;
template <int Dim>
using ConeDirections = Eigen::Matrix<double, Dim, Eigen::Dynamic, 0, Dim, kMostDirections<Dim>>;

template <int Dim>
[[nodiscard]] ConeDirections<Dim> cone_directions(const Contact<Dim>& contact,
                                                  const ConeModel& model = {}) {
  if (contact.friction == 0.0) return contact.normal;
  const auto tangents = tangents_of<Dim>(contact.normal);
  if constexpr (Dim == 2) {
    const double length = std::sqrt(1.0 + contact.friction * contact.friction);
    const Vec<2> sideways = contact.friction * tangents.col(0);
    ConeDirections<2> directions(2, 2);
    directions.col(0) = (contact.normal + sideways) / length;
    directions.col(1) = (contact.normal - sideways) / length;
    return directions;
  } else {
    const bool outer = model.cone == FrictionCone::outer;
    const double half = std::numbers::pi / model.sides;
    const double mu = outer ? contact.friction / std::cos(half) : contact.friction;
    const double length = std::sqrt(1.0 + mu * mu);
    ConeDirections<Dim> directions(Dim, model.sides);
    for (int k = 0; k < model.sides; ++k) {
      const double angle = (2 * k + (outer ? 1 : 0)) * half;
      const Vec<Dim> sideways =
          std::cos(angle) * tangents.col(0) + std::sin(angle) * tangents.col(1);
      directions.col(k) = (contact.normal + mu * sideways) / length;
    }
    return directions;
  }
}

/// Whether a contact's forces make a second-order cone, ‖r_t‖ ≤ μ r_n, in the programs.
template <int Dim>
[[nodiscard]] bool is_round_cone(const Contact<Dim>& contact, const ConeModel& model) {
  return Dim == 3 && contact.friction > 0.0 && model.cone == FrictionCone::circular;
}

/// The wrench of direction d at lever r. A torque that is only rounding is zero: the force goes through
/// the centre, as at every contact of a ball without friction, and a row of nothing but rounding would
/// be scaled up to a constraint.
template <int Dim>
[[nodiscard]] Twist<Dim> contact_wrench(const Vec<Dim>& r, const Vec<Dim>& d) {
  constexpr double kRounding = 1e-14;
  Twist<Dim> wrench = wrench_of<Dim>(r, d);
  auto torque = wrench.template tail<kSpins<Dim>>();
  if (torque.norm() <= kRounding * r.norm() * d.norm()) torque.setZero();
  return wrench;
}

/// Where a point of a body is that was at `at` when the scene began; the world's points stay.
template <int Dim>
[[nodiscard]] Vec<Dim> carried_point(const Scene<Dim>& scene, std::span<const Pose<Dim>> poses,
                                     int body, const Vec<Dim>& at) {
  if (body == kWorld) return at;
  const Pose<Dim>& start = scene.bodies[static_cast<std::size_t>(body)].pose;
  const Pose<Dim>& now = poses[static_cast<std::size_t>(body)];
  if (now == start) return at;
  return now.apply(start.rotation.transpose() * (at - start.position));
}

/// One scalar equation of a joint, J_a u_a + J_b u_b = 0. Its multiplier κ puts the wrench κ J_b on
/// body b and κ J_a on body a.
template <int Dim>
struct JointRow {
  Twist<Dim> on_a;
  Twist<Dim> on_b;
  double error = 0.0;  ///< what the equation misses at these poses, length
};

/// Of one joint, without memory from the heap.
template <int Dim>
class JointRows {
 public:
  void push_back(const JointRow<Dim>& row) { rows_[count_++] = row; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const JointRow<Dim>& operator[](std::size_t i) const { return rows_[i]; }
  [[nodiscard]] const JointRow<Dim>* begin() const { return rows_.data(); }
  [[nodiscard]] const JointRow<Dim>* end() const { return rows_.data() + count_; }

 private:
  std::array<JointRow<Dim>, kDofs<Dim>> rows_;
  std::size_t count_ = 0;
};

/// The places on both bodies that a joint holds together, or at a distance.
template <int Dim>
[[nodiscard]] std::pair<Vec<Dim>, Vec<Dim>> joint_ends(const Scene<Dim>& scene,
                                                       std::span<const Pose<Dim>> poses,
                                                       const Joint<Dim>& joint);

/// What the angles of a weld or hinge are multiplied with to be lengths: the larger reach of its bodies from their centres of mass.
template <int Dim>
[[nodiscard]] double joint_reach(const Scene<Dim>& scene, const Joint<Dim>& joint);

/// Pin: no relative motion of the point. Hinge: besides, no turning across its axis. Weld: neither motion of
/// the point nor turning. Rod: no motion of its ends along it.
template <int Dim>
[[nodiscard]] JointRows<Dim> joint_rows(const Scene<Dim>& scene, std::span<const Pose<Dim>> poses,
                                        const Joint<Dim>& joint, double reach);
template <int Dim>
[[nodiscard]] JointRows<Dim> joint_rows(const Scene<Dim>& scene, const State<Dim>& state,
                                        const Joint<Dim>& joint) {
  return joint_rows<Dim>(scene, state.poses, joint, joint_reach(scene, joint));
}

/// Numbers of the free bodies: the blocks of a program over motions.
template <int Dim>
struct FreeBodies {
  std::vector<int> bodies;        ///< scene index of each
  std::vector<int> block;         ///< of each body of the scene, −1 if not free
  std::vector<Vec<Dim>> centres;  ///< of every body of the scene, world (half planes: the origin)

  FreeBodies(const Scene<Dim>& scene, const State<Dim>& state);

  /// −1 for the world too.
  [[nodiscard]] int block_of(int body) const {
    return body == kWorld ? -1 : block[static_cast<std::size_t>(body)];
  }
};

}  // namespace collapse
