#include "collapse/formulation/acceleration.hpp"

namespace collapse {

template <int Dim>
Vec<Dim> common_acceleration(const Scene<Dim>& scene, std::span<const AppliedLoad> loads) {
  Vec<Dim> acceleration = scene.gravity.value;
  for (const AppliedLoad& applied : loads) {
    const Load<Dim>& load = scene.loads[static_cast<std::size_t>(applied.load)];
    if (load.acceleration) acceleration += applied.factor * load.acceleration->value;
  }
  return acceleration;
}

template <int Dim>
Twist<Dim> load_wrench(const Scene<Dim>& scene, std::span<const Pose<Dim>> poses,
                       const AppliedLoad& applied) {
  const Load<Dim>& load = scene.loads[static_cast<std::size_t>(applied.load)];
  const auto body = static_cast<std::size_t>(load.body);
  const Vec<Dim> centre = poses[body].apply(scene.bodies[body].mass.centre);
  Twist<Dim> wrench = wrench_of<Dim>(
      carried_point<Dim>(scene, poses, load.body, load.at.value) - centre, load.force.value);
  wrench.template tail<kSpins<Dim>>() += load.torque;
  return applied.factor * wrench;
}

template <int Dim>
std::vector<Twist<Dim>> external_forces(const Scene<Dim>& scene, const State<Dim>& state,
                                        const FreeBodies<Dim>& free,
                                        std::span<const AppliedLoad> loads) {
  std::vector<Twist<Dim>> external;
  external.reserve(free.bodies.size());
  const Vec<Dim> acceleration = common_acceleration(scene, loads);
  for (const int body : free.bodies) {
    const double mass = scene.bodies[static_cast<std::size_t>(body)].mass.mass;
    external.push_back(wrench_of<Dim>(Vec<Dim>::Zero(), mass * acceleration));
  }
  for (const AppliedLoad& applied : loads) {
    const int block = free.block_of(scene.loads[static_cast<std::size_t>(applied.load)].body);
    if (block < 0) continue;
    external[static_cast<std::size_t>(block)] += load_wrench<Dim>(scene, state.poses, applied);
  }
  return external;
}

template <int Dim>
Spin<Dim> gyroscopic_torque(const Scene<Dim>& scene, const State<Dim>& state, int body) {
  const auto i = static_cast<std::size_t>(body);
  const Spin<Dim> omega = state.velocities[i].template tail<kSpins<Dim>>();
  const Inertia<Dim> inertia =
      world_inertia<Dim>(scene.bodies[i].mass.inertia, state.poses[i].rotation);
  return -spin_product<Dim>(omega, inertia * omega);
}

namespace {

/// The directions that the rows of a contact measure, or along which its forces act.
template <int Dim>
ConeDirections<Dim> row_directions(const Contact<Dim>& contact, const ContactTerm<Dim>& term,
                                   RowsOf rows, const ConeModel& model) {
  if (has_cone_rows(contact, term, model)) {
    ConeDirections<Dim> directions(Dim, Dim);
    directions << contact.normal / contact.friction, tangents_of<Dim>(contact.normal);
    return directions;
  }
  if (term.rows == ContactRows::generators) return cone_directions(contact, model);
  if (rows == RowsOf::motion) return contact.normal;
  return Vec<Dim>(contact.normal + term.drag);
}

}  // namespace

template <int Dim>
Program acceleration_program(const Scene<Dim>& scene, const State<Dim>& state,
                             const FreeBodies<Dim>& free, std::span<const Contact<Dim>> contacts,
                             std::span<const Twist<Dim>> external, const MotionTerms<Dim>& terms,
                             RowsOf rows, const ConeModel& model) {
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
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, kDofs<Dim>, Eigen::RowMajor>;
  const auto add_rows = [&](int body, const Rows& coefficients) {
    const int block = free.block_of(body);
    if (block >= 0) program.add_term(block, coefficients);
  };
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Contact<Dim>& contact = contacts[c];
    const ContactTerm<Dim> term = terms.contacts.empty() ? ContactTerm<Dim>{} : terms.contacts[c];
    const ConeDirections<Dim> directions = row_directions(contact, term, rows, model);
    const Vec<Dim> r_a = contact.point - free.centres[static_cast<std::size_t>(contact.id.a)];
    const Vec<Dim> r_b =
        contact.point + contact.offset_b - free.centres[static_cast<std::size_t>(contact.id.b)];
    const Eigen::Index count = directions.cols();
    Rows on_a(count, kDofs<Dim>);
    Rows on_b(count, kDofs<Dim>);
    for (Eigen::Index k = 0; k < count; ++k) {
      on_a.row(k) = -contact_wrench<Dim>(r_a, directions.col(k)).transpose();
      on_b.row(k) = contact_wrench<Dim>(r_b, directions.col(k)).transpose();
    }
    if (has_cone_rows(contact, term, model)) {
      program.begin_group(Cone::second_order, -directions.transpose() * term.beta);
      add_rows(contact.id.a, on_a);
      add_rows(contact.id.b, on_b);
      continue;
    }
    for (Eigen::Index k = 0; k < count; ++k) {
      program.begin_row(Cone::nonnegative, 0.0 - directions.col(k).dot(term.beta));
      add_rows(contact.id.a, on_a.row(k));
      add_rows(contact.id.b, on_b.row(k));
    }
  }
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const Joint<Dim>& joint = scene.joints[j];
    const JointRows<Dim> equations = joint_rows(scene, state, joint);
    for (std::size_t k = 0; k < equations.size(); ++k) {
      const double gamma =
          terms.joints.empty() ? 0.0 : terms.joints[j][static_cast<Eigen::Index>(k)];
      program.begin_row(Cone::zero, 0.0 - gamma);
      add_rows(joint.a, equations[k].on_a.transpose());
      add_rows(joint.b, equations[k].on_b.transpose());
    }
  }
  return program;
}

template Vec<2> common_acceleration(const Scene<2>&, std::span<const AppliedLoad>);
template Twist<2> load_wrench(const Scene<2>&, std::span<const Pose<2>>, const AppliedLoad&);
template std::vector<Twist<2>> external_forces(const Scene<2>&, const State<2>&,
                                               const FreeBodies<2>&, std::span<const AppliedLoad>);
template Spin<2> gyroscopic_torque(const Scene<2>&, const State<2>&, int);
template Program acceleration_program(const Scene<2>&, const State<2>&, const FreeBodies<2>&,
                                      std::span<const Contact<2>>, std::span<const Twist<2>>,
                                      const MotionTerms<2>&, RowsOf, const ConeModel&);
template Vec<3> common_acceleration(const Scene<3>&, std::span<const AppliedLoad>);
template Twist<3> load_wrench(const Scene<3>&, std::span<const Pose<3>>, const AppliedLoad&);
template std::vector<Twist<3>> external_forces(const Scene<3>&, const State<3>&,
                                               const FreeBodies<3>&, std::span<const AppliedLoad>);
template Spin<3> gyroscopic_torque(const Scene<3>&, const State<3>&, int);
template Program acceleration_program(const Scene<3>&, const State<3>&, const FreeBodies<3>&,
                                      std::span<const Contact<3>>, std::span<const Twist<3>>,
                                      const MotionTerms<3>&, RowsOf, const ConeModel&);

}  // namespace collapse
