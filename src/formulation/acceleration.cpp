#include "collapse/formulation/acceleration.hpp"

namespace collapse {

template <int Dim>
std::vector<Twist<Dim>> external_forces(const Scene<Dim>& scene, const FreeBodies<Dim>& free,
                                        std::span<const AppliedLoad> loads) {
  std::vector<Twist<Dim>> external;
  external.reserve(free.bodies.size());
  Vec<Dim> acceleration = scene.gravity.value;
  for (const AppliedLoad& applied : loads) {
    const Load<Dim>& load = scene.loads[static_cast<std::size_t>(applied.load)];
    if (load.acceleration) acceleration += applied.factor * load.acceleration->value;
  }
  for (const int body : free.bodies) {
    const double mass = scene.bodies[static_cast<std::size_t>(body)].mass.mass;
    external.push_back(wrench_of<Dim>(Vec<Dim>::Zero(), mass * acceleration));
  }
  for (const AppliedLoad& applied : loads) {
    const Load<Dim>& load = scene.loads[static_cast<std::size_t>(applied.load)];
    const int block = free.block_of(load.body);
    if (block < 0) continue;
    const Vec<Dim> r = load.at.value - free.centres[static_cast<std::size_t>(load.body)];
    Twist<Dim> wrench = wrench_of<Dim>(r, load.force.value);
    wrench.template tail<kSpins<Dim>>() += load.torque;
    external[static_cast<std::size_t>(block)] += applied.factor * wrench;
  }
  return external;
}

template <int Dim>
Program acceleration_program(const Scene<Dim>& scene, const State<Dim>& state,
                             const FreeBodies<Dim>& free, std::span<const Contact<Dim>> contacts,
                             std::span<const Twist<Dim>> external) {
  Program program;
  for (std::size_t i = 0; i < free.bodies.size(); ++i) {
    const auto body = static_cast<std::size_t>(free.bodies[i]);
    const MassProperties<Dim>& mass = scene.bodies[body].mass;
    Eigen::Matrix<double, kDofs<Dim>, kDofs<Dim>> M = decltype(M)::Zero();
    M.template topLeftCorner<Dim, Dim>().diagonal().setConstant(mass.mass);
    M.template bottomRightCorner<kSpins<Dim>, kSpins<Dim>>() =
        world_inertia<Dim>(mass.inertia, state.poses[body].rotation);
    program.add_block(M, external[i]);
  }
  const auto add_term = [&](int body, const Twist<Dim>& coefficients) {
    const int block = free.block_of(body);
    if (block >= 0) program.add_term(block, coefficients.transpose());
  };
  for (const Contact<Dim>& contact : contacts) {
    const ConeDirections<Dim> directions = cone_directions(contact);
    const Vec<Dim> r_a = contact.point - free.centres[static_cast<std::size_t>(contact.id.a)];
    const Vec<Dim> r_b =
        contact.point + contact.offset_b - free.centres[static_cast<std::size_t>(contact.id.b)];
    for (Eigen::Index k = 0; k < directions.cols(); ++k) {
      program.begin_row(Cone::nonnegative);
      add_term(contact.id.a, -contact_wrench<Dim>(r_a, directions.col(k)));
      add_term(contact.id.b, contact_wrench<Dim>(r_b, directions.col(k)));
    }
  }
  for (const Joint<Dim>& joint : scene.joints) {
    for (const JointRow<Dim>& row : joint_rows(scene, state, joint)) {
      program.begin_row(Cone::zero);
      add_term(joint.a, row.on_a);
      add_term(joint.b, row.on_b);
    }
  }
  return program;
}

template std::vector<Twist<2>> external_forces(const Scene<2>&, const FreeBodies<2>&,
                                               std::span<const AppliedLoad>);
template Program acceleration_program(const Scene<2>&, const State<2>&, const FreeBodies<2>&,
                                      std::span<const Contact<2>>, std::span<const Twist<2>>);

}  // namespace collapse
