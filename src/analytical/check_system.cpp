#include <fmt/core.h>

#include <Eigen/Dense>
#include <algorithm>
#include <set>

#include "collapse/analytical/system.hpp"
#include "collapse/core/error.hpp"
#include "collapse/core/random.hpp"

namespace collapse::analytical {
namespace {

std::string place_of(const Constraint& constraint) {
  return "constraint \"" + printable(constraint.name) + '"';
}

std::string place_of_coordinate(const System& system, Eigen::Index i) {
  return "coordinate \"" + printable(system.coordinates[static_cast<std::size_t>(i)]) + '"';
}

void check_sizes(const System& system, const CoordinateState& start) {
  const auto n = static_cast<Eigen::Index>(system.coordinates.size());
  if (n == 0) throw Error("system", "no coordinates", "at least one");
  const std::set<std::string> names(system.coordinates.begin(), system.coordinates.end());
  if (names.size() != system.coordinates.size()) {
    throw Error("system", "two coordinates of one name", "a name of its own for each");
  }
  if (start.x.size() != n || start.v.size() != n) {
    throw Error("start",
                fmt::format("{} positions and {} velocities", start.x.size(), start.v.size()),
                fmt::format("{} of both", n));
  }
  if (!start.x.allFinite() || !start.v.allFinite()) {
    throw Error("start", "a number that is not finite", "finite ones");
  }
  if (!system.mass || !system.force) throw Error("system", "no mass or no force", "both");
}

void check_mass(const System& system, const CoordinateState& start) {
  const Eigen::MatrixXd M = system.mass(start.x);
  const auto n = static_cast<Eigen::Index>(system.size());
  if (M.rows() != n || M.cols() != n) {
    throw Error("mass", fmt::format("{} x {} numbers", M.rows(), M.cols()),
                fmt::format("{0} x {0}", n));
  }
  if (!M.allFinite()) throw Error("mass", "a number that is not finite", "finite ones");
  const double asymmetry = (M - M.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > 1e-12 * M.cwiseAbs().maxCoeff()) {
    throw Error("mass", "a matrix that is not symmetric", "a symmetric one");
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    if (M(i, i) > 0.0) continue;
    throw Error(place_of_coordinate(system, i), fmt::format("a mass of {:.6g}", M(i, i)),
                "a positive one: the mass matrix is singular");
  }
  // Free of units: every coordinate with mass 1.
  const Eigen::VectorXd scale = M.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(scale.asDiagonal() * M *
                                                             scale.asDiagonal());
  constexpr double kSingular = 1e-12;
  if (modes.eigenvalues()[0] > kSingular) return;
  Eigen::Index worst = 0;
  modes.eigenvectors().col(0).cwiseAbs().maxCoeff(&worst);
  throw Error(place_of_coordinate(system, worst), "a motion that has no mass",
              "a positive definite mass matrix: it is singular");
}

void check_force(const System& system, const CoordinateState& start) {
  const Eigen::VectorXd f = system.force(start);
  if (f.size() != system.size()) {
    throw Error("force", fmt::format("{} numbers", f.size()),
                fmt::format("{}, one for each coordinate", system.size()));
  }
  for (Eigen::Index i = 0; i < f.size(); ++i) {
    if (std::isfinite(f[i])) continue;
    throw Error(place_of_coordinate(system, i), "a force that is not finite", "a finite one");
  }
}

/// A constraint in its own coordinates, about one point.
class DerivativeCheck {
 public:
  DerivativeCheck(const Constraint& constraint, const Eigen::VectorXd& x)
      : constraint_(constraint), x_(x), length_(x.cwiseAbs().maxCoeff()) {
    if (length_ == 0.0) length_ = 1.0;
  }

  [[nodiscard]] double length() const { return length_; }

  /// At the start itself every number has to be finite.
  void demand_finite() const {
    const Derivatives at = checked_size(constraint_.g(x_));
    if (is_finite(at)) return;
    throw Error(place_of(constraint_), "a value or derivative that is not finite", "finite ones");
  }

  void compare(const Eigen::VectorXd& x) const {
    const Derivatives at = checked_size(constraint_.g(x));
    if (!is_finite(at)) return;  // near the start the function may end
    for (Eigen::Index i = 0; i < x.size(); ++i) compare_along(x, at, i);
  }

 private:
  [[nodiscard]] Derivatives checked_size(Derivatives at) const {
    const Eigen::Index n = x_.size();
    if (at.gradient.size() != n || at.hessian.rows() != n || at.hessian.cols() != n) {
      throw Error(place_of(constraint_), "derivatives by another number of coordinates",
                  fmt::format("{} of them", n));
    }
    return at;
  }

  static bool is_finite(const Derivatives& at) {
    return std::isfinite(at.value) && at.gradient.allFinite() && at.hessian.allFinite();
  }

  [[nodiscard]] Derivatives shifted(Eigen::VectorXd x, Eigen::Index i, double by) const {
    x[i] += by;
    return constraint_.g(x);
  }

  void compare_along(const Eigen::VectorXd& x, const Derivatives& at, Eigen::Index i) const {
    const double delta = 1e-4 * length_;
    const Derivatives right = shifted(x, i, delta);
    const Derivatives left = shifted(x, i, -delta);
    const Derivatives near_right = shifted(x, i, 0.5 * delta);
    const Derivatives near_left = shifted(x, i, -0.5 * delta);
    if (!is_finite(right) || !is_finite(left)) return;
    const double size = at.gradient.cwiseAbs().maxCoeff();
    const double values = std::abs(right.value) + std::abs(left.value);
    compare_numbers("first", i, at.gradient[i], (right.value - left.value) / (2.0 * delta),
                    (near_right.value - near_left.value) / delta, size, values / delta);
    const Eigen::VectorXd coarse = (right.gradient - left.gradient) / (2.0 * delta);
    const Eigen::VectorXd fine = (near_right.gradient - near_left.gradient) / delta;
    const double bends = std::max(at.hessian.cwiseAbs().maxCoeff(), size / length_);
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      compare_numbers("second", i, at.hessian(i, j), coarse[j], fine[j], bends, size / delta);
    }
  }

  /// Central differences err by a third of what they change by when the step is halved, and by rounding.
  void compare_numbers(const char* order, Eigen::Index i, double claimed, double coarse,
                       double fine, double size, double rounding) const {
    constexpr double kAgreement = 1e-6;
    const double allowed = kAgreement * std::max(size, std::abs(fine)) +
                           4.0 * std::abs(coarse - fine) + 1e-14 * rounding;
    if (std::abs(fine - claimed) <= allowed) return;
    throw Error(
        place_of(constraint_),
        fmt::format("{:.6g} for a {} derivative by its coordinate {}", claimed, order, i + 1),
        fmt::format("{:.6g}, as differences have it", fine));
  }

  const Constraint& constraint_;
  const Eigen::VectorXd& x_;
  double length_;
};

void check_coordinates(const System& system, const Constraint& constraint) {
  if (!constraint.g) throw Error(place_of(constraint), "no function", "one");
  const std::set<int> distinct(constraint.coordinates.begin(), constraint.coordinates.end());
  if (distinct.empty() || distinct.size() != constraint.coordinates.size()) {
    throw Error(place_of(constraint), "no coordinates, or one of them twice",
                "those that it depends on, each once");
  }
  if (*distinct.begin() < 0 || *distinct.rbegin() >= system.size()) {
    throw Error(place_of(constraint),
                fmt::format("coordinates {} to {}", *distinct.begin(), *distinct.rbegin()),
                fmt::format("numbers from 0 to {}", system.size() - 1));
  }
}

/// At the start, and at two points near it.
void check_derivatives(const Constraint& constraint, const Eigen::VectorXd& x, std::uint64_t seed) {
  const Eigen::VectorXd own = x(constraint.coordinates);
  const DerivativeCheck check(constraint, own);
  check.demand_finite();
  check.compare(own);
  Random random(seed);
  for (int nearby = 0; nearby < 2; ++nearby) {
    Eigen::VectorXd moved = own;
    for (double& value : moved) value += 1e-2 * check.length() * random.between(-1.0, 1.0);
    check.compare(moved);
  }
  const Derivatives at = constraint.g(own);
  const bool holds = constraint.relation == Relation::equal || at.value <= 0.0;
  constexpr double kFlat = 1e-10;
  if (holds && at.gradient.norm() <= kFlat * at.hessian.norm() * check.length()) {
    throw Error(place_of(constraint), "a gradient of zero at the start",
                "a function whose first derivative does not vanish where it holds");
  }
}

/// Equations one after the other, each made orthogonal to those before in the measure of M⁻¹.
class Consistency {
 public:
  Consistency(const Eigen::MatrixXd& M, Eigen::Index n)
      : factor_(M), basis_(n, 0), values_(0), curvatures_(0) {}

  /// Whether the equation contradicts the ones before it.
  bool contradicts(const ConstraintValue& value) {
    Eigen::VectorXd row = factor_.matrixL().solve(value.gradient.transpose());
    const double size = row.norm();
    double g = value.g / size;
    double curvature = value.curvature / size;
    const double g_size = std::abs(g) + values_.cwiseAbs().sum();
    const double curvature_size = std::abs(curvature) + curvatures_.cwiseAbs().sum();
    row /= size;
    for (int pass = 0; pass < 2; ++pass) {
      const Eigen::VectorXd shares = basis_.transpose() * row;
      row -= basis_ * shares;
      g -= shares.dot(values_);
      curvature -= shares.dot(curvatures_);
    }
    constexpr double kDependent = 1e-9;
    const double rest = row.norm();
    if (rest <= kDependent) {
      constexpr double kAgreement = 1e-8;
      return std::abs(g) > kAgreement * g_size || std::abs(curvature) > kAgreement * curvature_size;
    }
    append(row / rest, g / rest, curvature / rest);
    return false;
  }

 private:
  void append(const Eigen::VectorXd& row, double g, double curvature) {
    const Eigen::Index k = basis_.cols();
    basis_.conservativeResize(Eigen::NoChange, k + 1);
    values_.conservativeResize(k + 1);
    curvatures_.conservativeResize(k + 1);
    basis_.col(k) = row;
    values_[k] = g;
    curvatures_[k] = curvature;
  }

  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::MatrixXd basis_;
  Eigen::VectorXd values_, curvatures_;  ///< of the combinations in the basis
};

}  // namespace

void check(const System& system, const CoordinateState& start) {
  check_sizes(system, start);
  check_mass(system, start);
  check_force(system, start);
  std::set<std::string> names;
  std::uint64_t seed = 0;
  for (const Constraint& constraint : system.constraints) {
    if (!names.insert(constraint.name).second) {
      throw Error(place_of(constraint), "two of this name", "a name of its own for each");
    }
    check_coordinates(system, constraint);
    check_derivatives(constraint, start.x, ++seed);
  }
  Consistency consistency(system.mass(start.x), start.x.size());
  for (const Constraint& constraint : system.constraints) {
    if (constraint.relation != Relation::equal) continue;
    if (!consistency.contradicts(value_of(constraint, start.x, start.v))) continue;
    throw Error(place_of(constraint), "an equation that contradicts those before it",
                "equations that can hold at once");
  }
}

}  // namespace collapse::analytical
