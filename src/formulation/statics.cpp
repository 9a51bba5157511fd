#include "formulation/statics.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/geometry/motion.hpp"

namespace collapse {
namespace {

/// Forces that leave more than this share of the largest load unbalanced hold nothing. Those that
/// hold something come out of the solver with 1e-13 and less.
constexpr double kBalanced = 1e-11;
/// A solve with a larger residual says nothing.
constexpr double kTrustedResidual = 1e-9;
/// Accelerations from this share of the free ones on may be a fall: then the motion has to prove
/// it.
constexpr double kFall = 1e-9;
/// The loads must gain at least this share of what they would on bodies moving freely with speed 1.
constexpr double kGain = 1e-10;
/// A motion with small violations still proves a fall if any equilibrium would need forces larger
/// than this many times all loads together.
constexpr double kAbsurdForce = 1e6;

}  // namespace

template <int Dim>
Statics<Dim>::Statics(const Scene<Dim>& scene, const State<Dim>& state,
                      std::span<const AppliedLoad> loads, std::function<void(int)> progress)
    : scene_(scene),
      state_(state),
      free_(scene, state),
      external_(external_forces(scene, free_, loads)),
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
    const double reach = scene.bodies[body].shape.reach(mass.centre);
    const double load = external_[i].template head<Dim>().norm() +
                        external_[i].template tail<kSpins<Dim>>().norm() / reach;
    total_load_ += load;
    largest_load_ = std::max(largest_load_, load);
  }
  reference_ = fastest(free_fall);
}

template <int Dim>
Solution Statics<Dim>::solve_counted(const Program& program, const SolverOptions& options) {
  ++programs_;
  if (progress_) progress_(programs_);
  Solution solution = solve(program, options);
  iterations_ += solution.iterations;
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
std::vector<Twist<Dim>> Statics<Dim>::split(const Eigen::VectorXd& x) const {
  std::vector<Twist<Dim>> motion(free_.bodies.size());
  for (std::size_t i = 0; i < motion.size(); ++i) {
    motion[i] = x.segment<kDofs<Dim>>(static_cast<Eigen::Index>(i) * kDofs<Dim>);
  }
  return motion;
}

template <int Dim>
typename Statics<Dim>::Onset Statics<Dim>::onset(std::span<const Contact<Dim>> contacts,
                                                 std::span<const Twist<Dim>> external) {
  const Program program = acceleration_program(scene_, state_, free_, contacts, external);
  const Solution solution = solve_counted(program);
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
  const Program program = force_program(scene_, state_, free_, contacts, external);
  SolverOptions options;
  options.complementarity_tolerance = accuracy;
  const Solution solution = solve_counted(program, options);
  if (!solution.x.allFinite()) return std::nullopt;
  Equilibrium equilibrium;
  equilibrium.forces = forces_from(program, contacts, solution.x);
  const std::vector<Twist<Dim>> left =
      imbalance(scene_, state_, free_, contacts, external, equilibrium.forces);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Body<Dim>& body = scene_.bodies[static_cast<std::size_t>(free_.bodies[i])];
    const double unbalanced =
        left[i].template head<Dim>().norm() +
        left[i].template tail<kSpins<Dim>>().norm() / body.shape.reach(body.mass.centre);
    equilibrium.imbalance = std::max(equilibrium.imbalance, unbalanced / largest_load_);
  }
  if (!(equilibrium.imbalance <= kBalanced)) return std::nullopt;
  return equilibrium;
}

template <int Dim>
bool Statics<Dim>::stands_weakened(const Perturbation<Dim>& perturbation, double tau) {
  // Forces, not accelerations: those of a tall tower at rest carry the rounding of all its storeys.
  const auto stands = [&](double sign) {
    const std::vector<Contact<Dim>> contacts = perturbation.contacts(tau, sign);
    const std::vector<Twist<Dim>> external = perturbation.external(external_, tau, sign);
    // Any forces will do.
    constexpr double kAccuracy = 1e-3;
    return equilibrium(contacts, external, kAccuracy).has_value();
  };
  return stands(1.0) && (!perturbation.has_points() || stands(-1.0));
}

template <int Dim>
bool Statics<Dim>::proves_fall(const Program& program, const std::vector<Twist<Dim>>& motion,
                               double& violation) const {
  Eigen::VectorXd x(program.variables());
  double gain = 0.0;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    x.segment<kDofs<Dim>>(static_cast<Eigen::Index>(i) * kDofs<Dim>) = motion[i];
    gain += motion[i].dot(external_[i]);
  }
  const Eigen::VectorXd products = program.rows_times(x);
  violation = 0.0;
  for (Eigen::Index k = 0; k < products.size(); ++k) {
    const bool equation = program.rows()[static_cast<std::size_t>(k)].cone == Cone::zero;
    violation = std::max(violation, equation ? std::abs(products[k]) : -products[k]);
  }
  // With G u ≥ −violation, any equilibrium λ has gain = −λᵀGu ≤ violation · Σλ.
  return gain > std::max(kGain, kAbsurdForce * violation) * total_load_;
}

template <int Dim>
std::optional<typename Statics<Dim>::Mechanism> Statics<Dim>::mechanism(
    std::span<const Contact<Dim>> contacts, const Onset& onset) {
  if (!(onset.residual <= kTrustedResidual && onset.fall >= kFall)) return std::nullopt;
  Mechanism mechanism;
  mechanism.motion = onset.accelerations;
  const std::span<const Twist<Dim>> external = external_;
  const Program program = acceleration_program(scene_, state_, free_, contacts, external);
  // Scaled up, a slow motion brings its rounding errors along. The admissible motion nearest to it,
  // which is what the same program finds for forces M·motion, has only those of its own size.
  constexpr int kAttempts = 2;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const double speed = fastest(mechanism.motion);
    if (!(speed > 0.0)) return std::nullopt;
    for (Twist<Dim>& motion : mechanism.motion) motion /= speed;
    if (proves_fall(program, mechanism.motion, mechanism.violation)) return mechanism;
    if (attempt + 1 == kAttempts) break;
    std::vector<Twist<Dim>> forces(mechanism.motion.size());
    for (std::size_t i = 0; i < forces.size(); ++i) {
      forces[i] = program.mass(program.blocks()[i]) * mechanism.motion[i];
    }
    mechanism.motion = this->onset(contacts, forces).accelerations;
  }
  return std::nullopt;
}

template class Statics<2>;

}  // namespace collapse
