#pragma once
/// The rows of one contact in a program over motions: what the normal and the tangential motion of b over a
/// are made of.

#include <cmath>
#include <span>

#include "collapse/solver/program.hpp"
#include "contact/motion_contacts.hpp"
#include "simulate/world.hpp"

namespace collapse::simulate {

/// Rows of a contact with friction in a program: two edges of the cone in the plane, a second-order cone in space.
template <int Dim>
inline constexpr int kConeRows = Dim == 2 ? 2 : 3;

/// One number per row of a contact.
template <int Dim>
using RowValues = Eigen::Matrix<double, kConeRows<Dim>, 1>;

template <int Dim>
struct ContactTerms {
  using Tangents = Eigen::Matrix<double, Dim, Dim - 1>;
  using TangentRows = Eigen::Matrix<double, kDofs<Dim>, Dim - 1>;

  int a = 0;
  int b = 0;
  Vec<Dim> at = Vec<Dim>::Zero();
  Vec<Dim> normal = Vec<Dim>::Zero();    ///< from a to b
  Tangents tangents = Tangents::Zero();  ///< in the plane: the normal turned by +90°
  Twist<Dim> normal_a = Twist<Dim>::Zero();
  Twist<Dim> normal_b = Twist<Dim>::Zero();
  TangentRows tangents_a = TangentRows::Zero();
  TangentRows tangents_b = TangentRows::Zero();

  ContactTerms() = default;
  ContactTerms(const World<Dim>& world, const contacts::MotionRow<Dim>& row,
               const contacts::PlacedRow<Dim>& placed, std::span<const Pose<Dim>> poses)
      : a(row.id.a),
        b(row.id.b),
        at(placed.at),
        normal(placed.normal),
        tangents(tangents_of<Dim>(normal)) {
    const Vec<Dim> r_a = at - world.centre(a, poses);
    const Vec<Dim> r_b = at - world.centre(b, poses);
    normal_a = -contact_wrench<Dim>(r_a, normal);
    normal_b = contact_wrench<Dim>(r_b, normal);
    for (int k = 0; k < Dim - 1; ++k) {
      tangents_a.col(k) = -wrench_of<Dim>(r_a, Vec<Dim>(tangents.col(k)));
      tangents_b.col(k) = wrench_of<Dim>(r_b, Vec<Dim>(tangents.col(k)));
    }
  }

  [[nodiscard]] double along_normal(std::span<const Twist<Dim>> motion) const {
    return normal_a.dot(motion[static_cast<std::size_t>(a)]) +
           normal_b.dot(motion[static_cast<std::size_t>(b)]);
  }
  [[nodiscard]] Vec<Dim - 1> along_tangents(std::span<const Twist<Dim>> motion) const {
    return tangents_a.transpose() * motion[static_cast<std::size_t>(a)] +
           tangents_b.transpose() * motion[static_cast<std::size_t>(b)];
  }
  /// How far b slides over a.
  [[nodiscard]] double slide(std::span<const Twist<Dim>> motion) const {
    return along_tangents(motion).norm();
  }
};

/// Blocks of bodies in a program: −1 for those that are given.
using Blocks = std::vector<int>;

/// Adds a body to a program with `size` components of its motion: all, or the way of its centre alone
/// where nothing turns it. `target`: the motion it would like best. Returns the number of its block.
template <int Dim>
int add_body(Program& program, const MassMatrix<Dim>& M, const Twist<Dim>& target, int size) {
  return program.add_block(M.topLeftCorner(size, size), (M * target).head(size));
}

/// The motion of a block in the program's variables x; what is not among them is as in `motion`.
template <int Dim>
[[nodiscard]] Twist<Dim> motion_of(const Program& program, int block, const Eigen::VectorXd& x,
                                   Twist<Dim> motion) {
  const Program::Block& variables = program.blocks()[static_cast<std::size_t>(block)];
  motion.head(variables.size) = x.segment(variables.first, variables.size);
  return motion;
}

/// The other way round.
template <int Dim>
void put_motion(const Program& program, int block, const Twist<Dim>& motion, Eigen::VectorXd& x) {
  const Program::Block& variables = program.blocks()[static_cast<std::size_t>(block)];
  x.segment(variables.first, variables.size) = motion.head(variables.size);
}

/// Adds the rows  n·u ≥ bound  (frictionless) or  n·u − bound + μσ ≥ μ ‖t·u‖  with u the motion of b over a;
/// `given` has what of the bodies' motions is not among the variables (the rest is not looked at). Rows are divided by
/// √(1 + μ²), then `shift` is added to their bounds. Returns the number of rows: none if no body has a block.
template <int Dim>
int add_contact(Program& program, const Blocks& blocks, std::span<const Twist<Dim>> given,
                const ContactTerms<Dim>& terms, double mu, double bound, double sigma,
                const RowValues<Dim>& shift, const Program::Traits& traits) {
  const int block_a = blocks[static_cast<std::size_t>(terms.a)];
  const int block_b = blocks[static_cast<std::size_t>(terms.b)];
  if (block_a < 0 && block_b < 0) return 0;
  const auto size_of = [&program](int block) {
    return block < 0 ? 0 : program.blocks()[static_cast<std::size_t>(block)].size;
  };
  double given_normal = 0.0;
  Vec<Dim - 1> given_tangents = Vec<Dim - 1>::Zero();
  const auto add_given = [&](int body, int block, const Twist<Dim>& n,
                             const typename ContactTerms<Dim>::TangentRows& t) {
    if (size_of(block) == kDofs<Dim>) return;
    Twist<Dim> motion = given[static_cast<std::size_t>(body)];
    motion.head(size_of(block)).setZero();
    given_normal += n.dot(motion);
    given_tangents += t.transpose() * motion;
  };
  add_given(terms.a, block_a, terms.normal_a, terms.tangents_a);
  add_given(terms.b, block_b, terms.normal_b, terms.tangents_b);
  const double least = bound - given_normal;
  if (mu == 0.0) {
    program.begin_group(Cone::nonnegative, Eigen::Matrix<double, 1, 1>(least + shift[0]), traits);
    for (const auto& [block, row] :
         {std::pair(block_a, &terms.normal_a), {block_b, &terms.normal_b}}) {
      if (block >= 0) program.add_term(block, row->head(size_of(block)).transpose());
    }
    return 1;
  }
  const double length = std::sqrt(1.0 + mu * mu);
  using Rows = Eigen::Matrix<double, kConeRows<Dim>, kDofs<Dim>>;
  RowValues<Dim> bounds;
  if constexpr (Dim == 2) {
    bounds << least - mu * sigma - mu * given_tangents[0],
        least - mu * sigma + mu * given_tangents[0];
  } else {
    bounds << least - mu * sigma, -mu * given_tangents;
  }
  program.begin_group(Dim == 2 ? Cone::nonnegative : Cone::second_order, bounds / length + shift,
                      traits);
  const auto add = [&](int block, const Twist<Dim>& n,
                       const typename ContactTerms<Dim>::TangentRows& t) {
    if (block < 0) return;
    Rows rows;
    if constexpr (Dim == 2) {
      rows.row(0) = (n + mu * t.col(0)).transpose() / length;
      rows.row(1) = (n - mu * t.col(0)).transpose() / length;
    } else {
      rows << n.transpose() / length, mu * t.transpose() / length;
    }
    program.add_term(block, rows.leftCols(size_of(block)));
  };
  add(block_a, terms.normal_a, terms.tangents_a);
  add(block_b, terms.normal_b, terms.tangents_b);
  return kConeRows<Dim>;
}

/// Adds the equation  J x = bound  over those of the bodies it joins that have a block; nothing if none has.
template <int Dim>
void add_joint(Program& program, const World<Dim>& world, const Blocks& blocks,
               const MovingJointRow<Dim>& joint, double bound, const Program::Traits& traits) {
  const Joint<Dim>& source = world.scene().joints[static_cast<std::size_t>(joint.joint)];
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
template <int Dim>
[[nodiscard]] Vec<Dim> force_of(const ContactTerms<Dim>& terms, double mu,
                                const Eigen::VectorXd& lambda, int first_row) {
  if (mu == 0.0) return lambda[first_row] * terms.normal;
  const double length = std::sqrt(1.0 + mu * mu);
  if constexpr (Dim == 2) {
    const double plus = lambda[first_row];
    const double minus = lambda[first_row + 1];
    return ((plus + minus) * terms.normal + mu * (plus - minus) * terms.tangents.col(0)) / length;
  } else {
    return (lambda[first_row] * terms.normal +
            mu * (terms.tangents * lambda.template segment<2>(first_row + 1))) /
           length;
  }
}

/// What bodies on given paths put in where a force, or an impulse, acts on b and the bodies move so.
template <int Dim>
[[nodiscard]] double work_of_driven(const Scene<Dim>& scene, const ContactTerms<Dim>& terms,
                                    const Vec<Dim>& force, std::span<const Twist<Dim>> motion) {
  const double along = force.dot(terms.normal);
  const Vec<Dim - 1> across = terms.tangents.transpose() * force;
  double work = 0.0;
  for (const auto& [body, row] :
       {std::pair(terms.a, Twist<Dim>(along * terms.normal_a + terms.tangents_a * across)),
        {terms.b, Twist<Dim>(along * terms.normal_b + terms.tangents_b * across)}}) {
    const auto i = static_cast<std::size_t>(body);
    if (!scene.bodies[i].motion.empty()) work -= row.dot(motion[i]);
  }
  return work;
}

/// Of two bodies that push each other the one that is free, or one of them.
template <int Dim>
[[nodiscard]] std::size_t free_one(const World<Dim>& world, int a, int b) {
  return static_cast<std::size_t>(world.block_of(a) >= 0 ? a : b);
}

/// Of the rows of joints that are in a program, as add_joint added them, its multipliers from `row` on; the others keep
/// theirs.
template <int Dim>
void take_joint_forces(const Scene<Dim>& scene, const Blocks& blocks,
                       const std::vector<MovingJointRow<Dim>>& joints,
                       const Eigen::VectorXd& lambda, int row, std::vector<double>& forces) {
  const auto has_block = [&blocks](int body) {
    return body != kWorld && blocks[static_cast<std::size_t>(body)] >= 0;
  };
  forces.resize(joints.size(), 0.0);
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const Joint<Dim>& source = scene.joints[static_cast<std::size_t>(joints[k].joint)];
    if (has_block(source.a) || has_block(source.b)) forces[k] = lambda[row++];
  }
}

/// What bodies on given paths put in through joints with such forces, added to the work on each free body.
template <int Dim>
void add_joint_work(const World<Dim>& world, const std::vector<MovingJointRow<Dim>>& joints,
                    const std::vector<double>& forces, std::span<const Twist<Dim>> motion,
                    std::vector<double>& work) {
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const Joint<Dim>& source = world.scene().joints[static_cast<std::size_t>(joints[k].joint)];
    for (const auto& [body, row] :
         {std::pair(source.a, joints[k].row.on_a), {source.b, joints[k].row.on_b}}) {
      if (body == kWorld) continue;
      const auto i = static_cast<std::size_t>(body);
      if (world.scene().bodies[i].motion.empty()) continue;
      work[free_one(world, source.a, source.b)] -= forces[k] * row.dot(motion[i]);
    }
  }
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
  if (id.end != 0) add(id.end);
  return hash | 1U;
}

}  // namespace collapse::simulate
