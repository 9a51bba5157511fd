#include "formulation/statics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "collapse/core/check.hpp"
#include "collapse/geometry/motion.hpp"
#include "formulation/accelerated.hpp"

namespace collapse {
namespace {

/// A motion from a solve with a larger residual is not even tried as a proof.
constexpr double kTrustedResidual = 1e-6;
/// Accelerations from this share of the free ones on may be a fall: then the motion has to prove
/// it.
constexpr double kFall = 1e-9;
/// From this share on it is one, without a doubt.
constexpr double kClearFall = 1e-6;
/// The loads must gain at least this share of what they would on bodies moving freely with speed 1.
constexpr double kGain = 1e-10;
/// A motion with small violations still proves a fall if any equilibrium would need forces larger
/// than this many times all loads of the island together.
constexpr double kAbsurdForce = 1e6;
/// A motion that is farther from admissible is improved before it is shown, also if it proves a fall.
constexpr double kCleanMotion = 1e-9;

}  // namespace

template <int Dim>
Statics<Dim>::Statics(const Scene<Dim>& scene, const State<Dim>& state,
                      std::span<const AppliedLoad> loads, const ConeModel& cones,
                      std::function<void(int)> progress)
    : scene_(scene),
      state_(state),
      cones_(cones),
      free_(scene, state),
      external_(external_forces(scene, state, free_, loads)),
      progress_(std::move(progress)) {
  std::vector<Twist<Dim>> free_fall;
  for (std::size_t i = 0; i < free_.bodies.size(); ++i) {
    const auto body = static_cast<std::size_t>(free_.bodies[i]);
    const MassProperties<Dim>& mass = scene.bodies[body].mass;
    Twist<Dim> acceleration;
    acceleration << external_[i].template head<Dim>() / mass.mass,
        world_inertia<Dim>(mass.inertia, state.poses[body].rotation).inverse() *
            external_[i].template tail<kSpins<Dim>>();
    free_fall.push_back(acceleration);
    const double load = size_of(external_[i], i);
    largest_load_ = std::max(largest_load_, load);
    if (load > 0.0 && (smallest_load_ == 0.0 || load < smallest_load_)) smallest_load_ = load;
  }
  reference_ = fastest(free_fall);
  // Numbers of a scene are bounded by the reader and load factors by whoever applies them, so that
  // squares of all these stay within the range of floating point.
  COLLAPSE_DEMAND(std::isfinite(reference_) && std::isfinite(largest_load_));
}

template <int Dim>
Solution Statics<Dim>::solve_counted(const Program& program, const SolverOptions& options) {
  ++programs_;
  if (progress_) progress_(programs_);
  Solution solution = solve(program, options);
  iterations_ += solution.effort.iterations;
  return solution;
}

template <int Dim>
double Statics<Dim>::fastest(const std::vector<Twist<Dim>>& motion) const {
  double speed = 0.0;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const auto body = static_cast<std::size_t>(free_.bodies[i]);
    speed = std::max(speed, fastest_point(scene_.bodies[body].shape, state_.poses[body],
                                          free_.centres[body], motion[i]));
  }
  return speed;
}

template <int Dim>
double Statics<Dim>::size_of(const Twist<Dim>& wrench, std::size_t free_body) const {
  const Body<Dim>& body = scene_.bodies[static_cast<std::size_t>(free_.bodies[free_body])];
  return wrench.template head<Dim>().norm() +
         wrench.template tail<kSpins<Dim>>().norm() / body.shape.reach(body.mass.centre);
}

template <int Dim>
std::vector<Twist<Dim>> Statics<Dim>::split(const Eigen::VectorXd& x) const {
  std::vector<Twist<Dim>> motion(free_.bodies.size());
  for (std::size_t i = 0; i < motion.size(); ++i) {
    motion[i] = x.segment<kDofs<Dim>>(static_cast<Eigen::Index>(i) * kDofs<Dim>);
  }
  return motion;
}

template <int Dim>
Program Statics<Dim>::motion_program(std::span<const Contact<Dim>> contacts,
                                     std::span<const Twist<Dim>> external) const {
  return acceleration_program<Dim>(scene_, state_, free_, contacts, external, {}, RowsOf::motion,
                                   cones_);
}

template <int Dim>
typename Statics<Dim>::Onset Statics<Dim>::onset(std::span<const Contact<Dim>> contacts,
                                                 std::span<const Twist<Dim>> external,
                                                 double accuracy) {
  SolverOptions options;
  options.tolerance *= accuracy;
  const Solution solution = solve_counted(motion_program(contacts, external), options);
  Onset onset;
  onset.accelerations = split(solution.x);
  onset.fall = fastest(onset.accelerations) / reference_;
  onset.residual = solution.residuals.worst();
  onset.status = solution.status;
  return onset;
}

template <int Dim>
std::optional<typename Statics<Dim>::Equilibrium> Statics<Dim>::equilibrium(
    std::span<const Contact<Dim>> contacts, std::span<const Twist<Dim>> external, double accuracy) {
  const Program program = force_program(scene_, state_, free_, contacts, external, cones_);
  SolverOptions options;
  options.complementarity_tolerance = accuracy;
  // The solver's measure is relative to the largest load; the lightest body must be balanced too.
  // Beyond the last digit the solver goes on until it makes no more progress.
  options.tolerance *= std::max(1e-4, smallest_load_ / largest_load_);
  const Solution solution = solve_counted(program, options);
  if (!solution.x.allFinite()) return std::nullopt;
  Equilibrium equilibrium;
  equilibrium.status = solution.status;
  equilibrium.forces = forces_from(program, contacts, solution.x, cones_);
  equilibrium.imbalance = unbalanced_share(contacts, external, equilibrium.forces);
  if (!(equilibrium.imbalance <= kBalanced)) return std::nullopt;
  return equilibrium;
}

template <int Dim>
double Statics<Dim>::unbalanced_share(std::span<const Contact<Dim>> contacts,
                                      std::span<const Twist<Dim>> external,
                                      const Forces<Dim>& forces) const {
  const std::vector<Twist<Dim>> left = imbalance(scene_, state_, free_, contacts, external, forces);
  // Against the forces that meet in each body, so that a heavy body does not hide what a light one
  // lacks.
  std::vector<double> largest(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) largest[i] = size_of(external[i], i);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    for (const int body : {contacts[c].id.a, contacts[c].id.b}) {
      const int block = free_.block_of(body);
      if (block < 0) continue;
      double& most = largest[static_cast<std::size_t>(block)];
      most = std::max(most, forces.contacts[c].norm());
    }
  }
  for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
    const Joint<Dim>& joint = scene_.joints[j];
    const JointRows<Dim> rows = joint_rows(scene_, state_, joint);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double kappa = forces.joints[j][static_cast<Eigen::Index>(k)];
      for (const auto& [body, wrench] :
           {std::pair(joint.a, rows[k].on_a), {joint.b, rows[k].on_b}}) {
        const int block = free_.block_of(body);
        if (block < 0) continue;
        const auto i = static_cast<std::size_t>(block);
        largest[i] = std::max(largest[i], size_of(kappa * wrench, i));
      }
    }
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double unbalanced = size_of(left[i], i);
    if (unbalanced > 0.0) worst = std::max(worst, unbalanced / largest[i]);
  }
  return worst;
}

template <int Dim>
std::optional<bool> Statics<Dim>::rests(std::vector<Contact<Dim>> contacts,
                                        std::span<const Twist<Dim>> external) {
  MotionTerms<Dim> at_rest;
  at_rest.contacts.resize(contacts.size());
  for (const Joint<Dim>& joint : scene_.joints) {
    const auto rows = static_cast<Eigen::Index>(joint_rows(scene_, state_, joint).size());
    at_rest.joints.push_back(Eigen::VectorXd::Zero(rows));
  }
  const Moment<Dim> moment{scene_, state_, free_, external, std::move(contacts), std::move(at_rest),
                           cones_};
  ++programs_;
  if (progress_) progress_(programs_);
  const Accelerated<Dim> motion = solve_acceleration(moment);
  iterations_ += motion.iterations;
  if (!motion.settled) return std::nullopt;
  if (fastest(split(motion.x)) > kClearFall * reference_) return false;
  if (unbalanced_share(moment.contacts, external, motion.forces) <= kBalanced) return true;
  return std::nullopt;
}

template <int Dim>
bool Statics<Dim>::stands_weakened(const Perturbation<Dim>& perturbation, double tau) {
  const auto stands = [&](int way) {
    const std::vector<Contact<Dim>> contacts = perturbation.contacts(tau, way);
    const std::vector<Twist<Dim>> external = perturbation.external(external_, tau, way);
    if (const std::optional<bool> answer = rests(contacts, external)) return *answer;
    // Accelerations of a tall tower at rest carry the rounding of all its storeys: forces do not.
    // Any forces will do.
    constexpr double kAccuracy = 1e-3;
    return equilibrium(contacts, external, kAccuracy).has_value();
  };
  for (int way = 0; way < perturbation.ways(); ++way) {
    if (!stands(way)) return false;
  }
  return true;
}

template <int Dim>
std::vector<double> Statics<Dim>::violations(const Program& program,
                                             std::span<const Contact<Dim>> contacts,
                                             const std::vector<Twist<Dim>>& motion) const {
  Eigen::VectorXd x(program.variables());
  for (std::size_t i = 0; i < motion.size(); ++i) {
    x.segment<kDofs<Dim>>(static_cast<Eigen::Index>(i) * kDofs<Dim>) = motion[i];
  }
  Eigen::VectorXd products;
  program.rows_times(x, products);
  std::vector<double> off;
  off.reserve(program.groups().size());
  auto rough = contacts.begin();  // the contact of the next second-order cone
  for (const Program::Group& group : program.groups()) {
    const auto rows = products.segment(group.first_row, group.rows);
    if (group.cone == Cone::zero) {
      off.push_back(rows.cwiseAbs().maxCoeff());
    } else if (group.cone == Cone::nonnegative) {
      off.push_back(-rows.minCoeff());
    } else {
      // Of (u_n/μ, u_t): as a velocity along the worst direction of the force cone, like the rows of the others.
      while (rough->friction == 0.0) ++rough;
      const double mu = rough++->friction;
      off.push_back(mu / std::sqrt(1.0 + mu * mu) * (rows.tail(group.rows - 1).norm() - rows[0]));
    }
  }
  return off;
}

template <int Dim>
double Statics<Dim>::violation(std::span<const Contact<Dim>> contacts,
                               const std::vector<Twist<Dim>>& motion) const {
  const std::span<const Twist<Dim>> external = external_;
  const std::vector<double> off = violations(motion_program(contacts, external), contacts, motion);
  double worst = 0.0;
  for (const double one : off) worst = std::max(worst, one);
  return worst;
}

template <int Dim>
bool Statics<Dim>::proves_fall(const Program& program, std::span<const Contact<Dim>> contacts,
                               const std::vector<Twist<Dim>>& motion, double& violation) const {
  // Bodies that nothing joins are judged apart, by the loads of their own island.
  std::vector<std::size_t> parent(motion.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto island_of = [&parent](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const Program::Group& group : program.groups()) {
    const auto terms = program.terms(group);
    for (const Program::Term& term : terms) {
      parent[island_of(static_cast<std::size_t>(term.block))] =
          island_of(static_cast<std::size_t>(terms.front().block));
    }
  }

  struct Island {
    double gain = 0.0;
    double load = 0.0;
    double violation = 0.0;
  };
  std::vector<Island> islands(motion.size());
  for (std::size_t i = 0; i < motion.size(); ++i) {
    Island& island = islands[island_of(i)];
    island.gain += motion[i].dot(external_[i]);
    island.load += size_of(external_[i], i);
  }
  violation = 0.0;
  const std::vector<double> off = violations(program, contacts, motion);
  for (std::size_t g = 0; g < off.size(); ++g) {
    const auto terms = program.terms(program.groups()[g]);
    if (terms.empty()) continue;
    double& worst = islands[island_of(static_cast<std::size_t>(terms.front().block))].violation;
    worst = std::max(worst, off[g]);
    violation = std::max(violation, off[g]);
  }
  // With G u ≥ −violation, any equilibrium λ has gain = −λᵀGu ≤ violation · Σλ.
  return std::any_of(islands.begin(), islands.end(), [](const Island& island) {
    return island.gain > std::max(kGain, kAbsurdForce * island.violation) * island.load;
  });
}

template <int Dim>
std::optional<typename Statics<Dim>::Mechanism> Statics<Dim>::mechanism(
    std::span<const Contact<Dim>> contacts, const Onset& onset) {
  if (!(onset.residual <= kTrustedResidual && onset.fall >= kFall)) return std::nullopt;
  Mechanism mechanism;
  mechanism.motion = onset.accelerations;
  const std::span<const Twist<Dim>> external = external_;
  const Program program = motion_program(contacts, external);
  // Scaled up, a slow motion brings its rounding errors along; so does that of a body that is very light
  // beside others. The admissible motion nearest to it, which is what the same program finds for forces
  // M·motion, has only those of its own size.
  std::optional<Mechanism> proof;
  constexpr int kAttempts = 2;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const double speed = fastest(mechanism.motion);
    if (!(speed > 0.0)) break;
    for (Twist<Dim>& motion : mechanism.motion) motion /= speed;
    const bool proves = proves_fall(program, contacts, mechanism.motion, mechanism.violation);
    if (proves && (!proof || mechanism.violation < proof->violation)) proof = mechanism;
    if (proof && proof->violation <= kCleanMotion) break;
    if (attempt + 1 == kAttempts) break;
    std::vector<Twist<Dim>> forces(mechanism.motion.size());
    for (std::size_t i = 0; i < forces.size(); ++i) {
      forces[i] = program.mass(program.blocks()[i]) * mechanism.motion[i];
    }
    const double accuracy = std::max(1e-4, smallest_load_ / largest_load_);
    mechanism.motion = this->onset(contacts, forces, proof ? accuracy : 1.0).accelerations;
  }
  return proof;
}

template class Statics<2>;
template class Statics<3>;

}  // namespace collapse
