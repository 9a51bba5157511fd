#include "collapse/formulation/force.hpp"

#include <utility>

namespace collapse {
namespace {

/// A body's six (or three) equilibrium equations, gathered before they are written as rows.
template <int Dim>
struct Equilibrium {
  struct Part {
    int block = 0;
    Eigen::Matrix<double, kDofs<Dim>, Eigen::Dynamic> wrenches;  ///< a column per variable
  };
  std::vector<Part> parts;
};

}  // namespace

template <int Dim>
Program force_program(const Scene<Dim>& scene, const State<Dim>& state, const FreeBodies<Dim>& free,
                      std::span<const Contact<Dim>> contacts,
                      std::span<const Twist<Dim>> external) {
  Program program;
  std::vector<Equilibrium<Dim>> bodies(free.bodies.size());
  const auto act = [&](int body, int block, const auto& wrenches) {
    const int index = free.block_of(body);
    if (index >= 0) bodies[static_cast<std::size_t>(index)].parts.push_back({block, wrenches});
  };
  using Wrenches = Eigen::Matrix<double, kDofs<Dim>, Eigen::Dynamic>;

  for (const Contact<Dim>& contact : contacts) {
    const ConeDirections<Dim> directions = cone_directions(contact);
    const Eigen::Index size = directions.cols();
    const int block =
        program.add_block(directions.transpose() * directions, Eigen::VectorXd::Zero(size));
    Wrenches on_a(kDofs<Dim>, size);
    Wrenches on_b(kDofs<Dim>, size);
    for (Eigen::Index k = 0; k < size; ++k) {
      const Vec<Dim> d = directions.col(k);
      const Vec<Dim>& x_a = free.centres[static_cast<std::size_t>(contact.id.a)];
      const Vec<Dim>& x_b = free.centres[static_cast<std::size_t>(contact.id.b)];
      on_a.col(k) = -contact_wrench<Dim>(contact.point - x_a, d);
      on_b.col(k) = contact_wrench<Dim>(contact.point + contact.offset_b - x_b, d);
      program.begin_row(Cone::nonnegative);
      program.add_term(block, Eigen::RowVectorXd::Unit(size, k));
    }
    act(contact.id.a, block, on_a);
    act(contact.id.b, block, on_b);
  }
  for (const Joint<Dim>& joint : scene.joints) {
    const JointRows<Dim> rows = joint_rows(scene, state, joint);
    const auto size = static_cast<Eigen::Index>(rows.size());
    const int block =
        program.add_block(Eigen::MatrixXd::Identity(size, size), Eigen::VectorXd::Zero(size));
    Wrenches on_a(kDofs<Dim>, size);
    Wrenches on_b(kDofs<Dim>, size);
    for (Eigen::Index k = 0; k < size; ++k) {
      on_a.col(k) = rows[static_cast<std::size_t>(k)].on_a;
      on_b.col(k) = rows[static_cast<std::size_t>(k)].on_b;
    }
    act(joint.a, block, on_a);
    act(joint.b, block, on_b);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (int dof = 0; dof < kDofs<Dim>; ++dof) {
      program.begin_row(Cone::zero, -external[i][dof]);
      for (const auto& part : bodies[i].parts) {
        program.add_term(part.block, part.wrenches.row(dof));
      }
    }
  }
  return program;
}

template <int Dim>
Forces<Dim> forces_from(const Program& program, std::span<const Contact<Dim>> contacts,
                        const Eigen::VectorXd& x) {
  Forces<Dim> forces;
  for (std::size_t c = 0; c < program.blocks().size(); ++c) {
    const Program::Block& block = program.blocks()[c];
    const Eigen::VectorXd variables = x.segment(block.first, block.size);
    if (c < contacts.size()) {
      forces.contacts.push_back(cone_directions(contacts[c]) * variables.cwiseMax(0.0));
    } else {
      forces.joints.push_back(variables);
    }
  }
  return forces;
}

template <int Dim>
std::vector<Twist<Dim>> imbalance(const Scene<Dim>& scene, const State<Dim>& state,
                                  const FreeBodies<Dim>& free,
                                  std::span<const Contact<Dim>> contacts,
                                  std::span<const Twist<Dim>> external, const Forces<Dim>& forces) {
  std::vector<Twist<Dim>> left(external.begin(), external.end());
  const auto add = [&](int body, const Twist<Dim>& wrench) {
    const int block = free.block_of(body);
    if (block >= 0) left[static_cast<std::size_t>(block)] += wrench;
  };
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Contact<Dim>& contact = contacts[c];
    const auto lever = [&](int body, const Vec<Dim>& point) -> Vec<Dim> {
      return point - free.centres[static_cast<std::size_t>(body)];
    };
    const Vec<Dim>& force = forces.contacts[c];
    add(contact.id.a, -wrench_of<Dim>(lever(contact.id.a, contact.point), force));
    add(contact.id.b, wrench_of<Dim>(lever(contact.id.b, contact.point + contact.offset_b), force));
  }
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const JointRows<Dim> rows = joint_rows(scene, state, scene.joints[j]);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double kappa = forces.joints[j][static_cast<Eigen::Index>(k)];
      add(scene.joints[j].a, kappa * rows[k].on_a);
      add(scene.joints[j].b, kappa * rows[k].on_b);
    }
  }
  return left;
}

template <int Dim>
JointForce<Dim> joint_force(const Scene<Dim>& scene, const State<Dim>& state, int number,
                            const Eigen::VectorXd& kappa) {
  const Joint<Dim>& joint = scene.joints[static_cast<std::size_t>(number)];
  // What the joint does to one of its bodies, about the body's centre, moved to the joint's place.
  const bool on_b = joint.b != kWorld;
  const JointRows<Dim> rows = joint_rows(scene, state, joint);
  Twist<Dim> wrench = Twist<Dim>::Zero();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    wrench +=
        kappa[static_cast<Eigen::Index>(k)] * (on_b ? rows[k].on_b : Twist<Dim>(-rows[k].on_a));
  }
  const auto place = [&](int body, const NumberVec<Dim>& at) {
    return carried_point<Dim>(scene, state.poses, body, at.value);
  };
  JointForce<Dim> force{number, place(joint.b, joint.at_b), wrench.template head<Dim>()};
  if (joint.type == JointType::weld) {
    const int body = on_b ? joint.b : joint.a;
    const Vec<Dim> lever = place(body, on_b ? joint.at_b : joint.at_a) - state.centre(scene, body);
    force.torque =
        wrench.template tail<kSpins<Dim>>() - torque_of<Dim>(lever, wrench.template head<Dim>());
  }
  return force;
}

template JointForce<2> joint_force(const Scene<2>&, const State<2>&, int, const Eigen::VectorXd&);
template Program force_program(const Scene<2>&, const State<2>&, const FreeBodies<2>&,
                               std::span<const Contact<2>>, std::span<const Twist<2>>);
template Forces<2> forces_from(const Program&, std::span<const Contact<2>>, const Eigen::VectorXd&);
template std::vector<Twist<2>> imbalance(const Scene<2>&, const State<2>&, const FreeBodies<2>&,
                                         std::span<const Contact<2>>, std::span<const Twist<2>>,
                                         const Forces<2>&);

}  // namespace collapse
