#pragma once
/// The rows of one contact in a program over motions: what the normal and the tangential motion of b over a
/// are made of.

#include <cmath>
#include <span>

#include "collapse/solver/program.hpp"
#include "contact/motion_contacts.hpp"
#include "simulate/world.hpp"

namespace collapse::simulate {

struct ContactTerms {
  int a = 0;
  int b = 0;
  Vec<2> at = Vec<2>::Zero();
  Vec<2> normal = Vec<2>::Zero();   ///< from a to b
  Vec<2> tangent = Vec<2>::Zero();  ///< the normal turned by +90°
  Twist<2> normal_a = Twist<2>::Zero();
  Twist<2> normal_b = Twist<2>::Zero();
  Twist<2> tangent_a = Twist<2>::Zero();
  Twist<2> tangent_b = Twist<2>::Zero();

  ContactTerms() = default;
  ContactTerms(const World& world, const contacts::MotionRow& row,
               const contacts::PlacedRow& placed, std::span<const Pose<2>> poses)
      : a(row.id.a),
        b(row.id.b),
        at(placed.at),
        normal(placed.normal),
        tangent(-normal.y(), normal.x()) {
    const Vec<2> r_a = at - world.centre(a, poses);
    const Vec<2> r_b = at - world.centre(b, poses);
    normal_a = -contact_wrench<2>(r_a, normal);
    normal_b = contact_wrench<2>(r_b, normal);
    tangent_a = -wrench_of<2>(r_a, tangent);
    tangent_b = wrench_of<2>(r_b, tangent);
  }

  [[nodiscard]] double along_normal(std::span<const Twist<2>> motion) const {
    return normal_a.dot(motion[static_cast<std::size_t>(a)]) +
           normal_b.dot(motion[static_cast<std::size_t>(b)]);
  }
  [[nodiscard]] double along_tangent(std::span<const Twist<2>> motion) const {
    return tangent_a.dot(motion[static_cast<std::size_t>(a)]) +
           tangent_b.dot(motion[static_cast<std::size_t>(b)]);
  }
};

/// Blocks of bodies in a program: −1 for those that are given.
using Blocks = std::vector<int>;

/// Adds the rows  n·u ≥ bound  (frictionless) or  n·u ± μ t·u ≥ bound − μσ  with u the motion of b over a;
/// `given` has the motions of the bodies without a block (others are not looked at). Rows are divided by
/// √(1 + μ²), then `shift` is added to their bounds. Returns the number of rows.
inline int add_contact(Program& program, const Blocks& blocks, std::span<const Twist<2>> given,
                       const ContactTerms& terms, double mu, double bound, double sigma,
                       const Eigen::Vector2d& shift, const Program::Traits& traits) {
  const int block_a = blocks[static_cast<std::size_t>(terms.a)];
  const int block_b = blocks[static_cast<std::size_t>(terms.b)];
  double given_normal = 0.0;
  double given_tangent = 0.0;
  if (block_a < 0) {
    given_normal += terms.normal_a.dot(given[static_cast<std::size_t>(terms.a)]);
    given_tangent += terms.tangent_a.dot(given[static_cast<std::size_t>(terms.a)]);
  }
  if (block_b < 0) {
    given_normal += terms.normal_b.dot(given[static_cast<std::size_t>(terms.b)]);
    given_tangent += terms.tangent_b.dot(given[static_cast<std::size_t>(terms.b)]);
  }
  const double least = bound - given_normal;
  if (mu == 0.0) {
    program.begin_group(Cone::nonnegative, Eigen::Matrix<double, 1, 1>(least + shift[0]), traits);
    if (block_a >= 0) program.add_term(block_a, terms.normal_a.transpose());
    if (block_b >= 0) program.add_term(block_b, terms.normal_b.transpose());
    return 1;
  }
  const double length = std::sqrt(1.0 + mu * mu);
  program.begin_group(Cone::nonnegative,
                      Eigen::Vector2d(least - mu * sigma - mu * given_tangent,
                                      least - mu * sigma + mu * given_tangent) /
                              length +
                          shift,
                      traits);
  const auto add = [&](int block, const Twist<2>& n, const Twist<2>& t) {
    if (block < 0) return;
    Eigen::Matrix<double, 2, 3> rows;
    rows.row(0) = (n + mu * t).transpose() / length;
    rows.row(1) = (n - mu * t).transpose() / length;
    program.add_term(block, rows);
  };
  add(block_a, terms.normal_a, terms.tangent_a);
  add(block_b, terms.normal_b, terms.tangent_b);
  return 2;
}

/// Adds the equation  J x = bound  over those of the bodies it joins that have a block; nothing if none has.
inline void add_joint(Program& program, const World& world, const Blocks& blocks,
                      const MovingJointRow& joint, double bound, const Program::Traits& traits) {
  const Joint<2>& source = world.scene().joints[static_cast<std::size_t>(joint.joint)];
  const auto block_of = [&blocks](int body) {
    return body == kWorld ? -1 : blocks[static_cast<std::size_t>(body)];
  };
  const int block_a = block_of(source.a);
  const int block_b = block_of(source.b);
  if (block_a < 0 && block_b < 0) return;
  program.begin_group(Cone::zero, Eigen::Matrix<double, 1, 1>(bound), traits);
  if (block_a >= 0) program.add_term(block_a, joint.row.on_a.transpose());
  if (block_b >= 0) program.add_term(block_b, joint.row.on_b.transpose());
}

/// The force on b that the multipliers of such rows stand for.
inline Vec<2> force_of(const ContactTerms& terms, double mu, const Eigen::VectorXd& lambda,
                       int first_row) {
  if (mu == 0.0) return lambda[first_row] * terms.normal;
  const double plus = lambda[first_row];
  const double minus = lambda[first_row + 1];
  return ((plus + minus) * terms.normal + mu * (plus - minus) * terms.tangent) /
         std::sqrt(1.0 + mu * mu);
}

/// What a warm start recognises a contact by: never 0.
[[nodiscard]] inline std::uint64_t group_id(const ContactId& id) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto add = [&hash](std::uint64_t number) { hash = (hash ^ number) * 0x100000001b3ULL; };
  add(static_cast<std::uint64_t>(id.a));
  add(static_cast<std::uint64_t>(id.b));
  for (const Feature& feature : {id.feature_a, id.feature_b}) {
    add(static_cast<std::uint64_t>(feature.kind));
    add(feature.index);
  }
  return hash | 1U;
}

}  // namespace collapse::simulate
