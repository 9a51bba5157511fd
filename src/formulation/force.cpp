#include "collapse/formulation/force.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
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

/// Rows e·r_t ≤ slope·r_n of a pyramid: the directions e, and the slope.
struct PyramidFaces {
  Eigen::Matrix<double, 2, Eigen::Dynamic> directions;
  double slope = 0.0;

  PyramidFaces(double friction, const ConeModel& model) : directions(2, model.sides) {
    const bool outer = model.cone == FrictionCone::outer;
    const double half = std::numbers::pi / model.sides;
    slope = outer ? friction : friction * std::cos(half);
    for (int k = 0; k < model.sides; ++k) {
      const double angle = (2 * k + (outer ? 0 : 1)) * half;
      directions.col(k) << std::cos(angle), std::sin(angle);
    }
  }
};

/// The rows that keep a contact's variables in its cone.
template <int Dim>
void add_cone_rows(Program& program, int block, const Contact<Dim>& contact,
                   const ConeModel& model) {
  if (Dim == 2 || contact.friction == 0.0) {
    const int size = program.blocks()[static_cast<std::size_t>(block)].size;
    for (int k = 0; k < size; ++k) {
      program.begin_row(Cone::nonnegative);
      program.add_term(block, Eigen::RowVectorXd::Unit(size, k));
    }
    return;
  }
  if (model.cone == FrictionCone::circular) {
    program.begin_group(Cone::second_order, Vec<3>::Zero());
    program.add_term(block, Vec<3>(contact.friction, 1.0, 1.0).asDiagonal().toDenseMatrix());
    return;
  }
  const PyramidFaces faces(contact.friction, model);
  for (int k = 0; k < model.sides; ++k) {
    program.begin_row(Cone::nonnegative);
    program.add_term(
        block, Eigen::RowVector3d(faces.slope, -faces.directions(0, k), -faces.directions(1, k)));
  }
}

/// The nearest variables in the cone (for pyramids: with more normal force).
Vec<3> into_cone(const Vec<3>& r, double friction, const ConeModel& model) {
  if (model.cone != FrictionCone::circular) {
    const PyramidFaces faces(friction, model);
    const double least = (faces.directions.transpose() * r.tail<2>()).maxCoeff() / faces.slope;
    return {std::max({r[0], least, 0.0}), r[1], r[2]};
  }
  const double across = r.tail<2>().norm();
  if (across <= friction * r[0]) return r;
  if (friction * across <= -r[0]) return Vec<3>::Zero();
  const double normal = (r[0] + friction * across) / (1.0 + friction * friction);
  Vec<3> nearest;
  nearest << normal, friction * normal / across * r.tail<2>();
  return nearest;
}

}  // namespace

template <int Dim>
ConeDirections<Dim> force_basis(const Contact<Dim>& contact) {
  if (Dim == 2 || contact.friction == 0.0) return cone_directions(contact);
  ConeDirections<Dim> basis(Dim, Dim);
  basis << contact.normal, tangents_of<Dim>(contact.normal);
  return basis;
}

template <int Dim>
Program force_program(const Scene<Dim>& scene, const State<Dim>& state, const FreeBodies<Dim>& free,
                      std::span<const Contact<Dim>> contacts, std::span<const Twist<Dim>> external,
                      const ConeModel& model) {
  Program program;
  std::vector<Equilibrium<Dim>> bodies(free.bodies.size());
  const auto act = [&](int body, int block, const auto& wrenches) {
    const int index = free.block_of(body);
    if (index >= 0) bodies[static_cast<std::size_t>(index)].parts.push_back({block, wrenches});
  };
  using Wrenches = Eigen::Matrix<double, kDofs<Dim>, Eigen::Dynamic>;

  for (const Contact<Dim>& contact : contacts) {
    const ConeDirections<Dim> directions = force_basis(contact);
    const Eigen::Index size = directions.cols();
    Eigen::MatrixXd weight = directions.transpose() * directions;
    if (Dim == 3) weight.setIdentity();
    const int block = program.add_block(weight, Eigen::VectorXd::Zero(size));
    Wrenches on_a(kDofs<Dim>, size);
    Wrenches on_b(kDofs<Dim>, size);
    for (Eigen::Index k = 0; k < size; ++k) {
      const Vec<Dim> d = directions.col(k);
      const Vec<Dim>& x_a = free.centres[static_cast<std::size_t>(contact.id.a)];
      const Vec<Dim>& x_b = free.centres[static_cast<std::size_t>(contact.id.b)];
      on_a.col(k) = -contact_wrench<Dim>(contact.point - x_a, d);
      on_b.col(k) = contact_wrench<Dim>(contact.point + contact.offset_b - x_b, d);
    }
    add_cone_rows(program, block, contact, model);
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
                        const Eigen::VectorXd& x, const ConeModel& model) {
  Forces<Dim> forces;
  for (std::size_t c = 0; c < program.blocks().size(); ++c) {
    const Program::Block& block = program.blocks()[c];
    const Eigen::VectorXd variables = x.segment(block.first, block.size);
    if (c >= contacts.size()) {
      forces.joints.push_back(variables);
    } else if (Dim == 2 || contacts[c].friction == 0.0) {
      forces.contacts.push_back(force_basis(contacts[c]) * variables.cwiseMax(0.0));
    } else {
      forces.contacts.push_back(force_basis(contacts[c]) *
                                into_cone(variables, contacts[c].friction, model));
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
  if (joint.type == JointType::weld || joint.type == JointType::hinge) {
    const int body = on_b ? joint.b : joint.a;
    const Vec<Dim> lever = place(body, on_b ? joint.at_b : joint.at_a) - state.centre(scene, body);
    force.torque =
        wrench.template tail<kSpins<Dim>>() - torque_of<Dim>(lever, wrench.template head<Dim>());
  }
  return force;
}

template ConeDirections<2> force_basis(const Contact<2>&);
template JointForce<2> joint_force(const Scene<2>&, const State<2>&, int, const Eigen::VectorXd&);
template Program force_program(const Scene<2>&, const State<2>&, const FreeBodies<2>&,
                               std::span<const Contact<2>>, std::span<const Twist<2>>,
                               const ConeModel&);
template Forces<2> forces_from(const Program&, std::span<const Contact<2>>, const Eigen::VectorXd&,
                               const ConeModel&);
template std::vector<Twist<2>> imbalance(const Scene<2>&, const State<2>&, const FreeBodies<2>&,
                                         std::span<const Contact<2>>, std::span<const Twist<2>>,
                                         const Forces<2>&);
template ConeDirections<3> force_basis(const Contact<3>&);
template JointForce<3> joint_force(const Scene<3>&, const State<3>&, int, const Eigen::VectorXd&);
template Program force_program(const Scene<3>&, const State<3>&, const FreeBodies<3>&,
                               std::span<const Contact<3>>, std::span<const Twist<3>>,
                               const ConeModel&);
template Forces<3> forces_from(const Program&, std::span<const Contact<3>>, const Eigen::VectorXd&,
                               const ConeModel&);
template std::vector<Twist<3>> imbalance(const Scene<3>&, const State<3>&, const FreeBodies<3>&,
                                         std::span<const Contact<3>>, std::span<const Twist<3>>,
                                         const Forces<3>&);

}  // namespace collapse
