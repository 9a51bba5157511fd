#pragma once
/// Mechanics in coordinates of the user's choice (docs/theory/analytical.md):
///
///     M(x) ẍ = f(x, ẋ, t) + Σ λ_k ∇g_k(x),     g_k(x) = 0 or g_k(x) ≥ 0
///
/// A coordinate may be anything: a length, an angle, the place along a curve.

#include <Eigen/Core>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "collapse/analytical/jet.hpp"

namespace collapse::analytical {

struct Derivatives {
  double value = 0.0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
};

template <int N>
[[nodiscard]] Derivatives derivatives_of(const Jet<N>& jet) {
  return {jet.value, jet.gradient, jet.hessian};
}

enum class Relation {
  equal,     ///< g = 0
  at_least,  ///< g ≥ 0
};

struct Constraint {
  std::string name;
  Relation relation = Relation::at_least;
  std::vector<int> coordinates;  ///< those that it depends on, each once
  /// Of these coordinates, in this order.
  std::function<Derivatives(const Eigen::VectorXd&)> g;
};

/// A constraint that differentiates itself: `g` takes an array of N jets and returns one.
template <std::size_t N, class Function>
[[nodiscard]] Constraint differentiated(std::string name, Relation relation,
                                        const std::array<int, N>& coordinates, Function g) {
  constexpr int kN = static_cast<int>(N);
  return {std::move(name), relation, std::vector<int>(coordinates.begin(), coordinates.end()),
          [g](const Eigen::VectorXd& x) {
            const Jet<kN> value = g(variables_at<kN>(x));
            return derivatives_of<kN>(value);
          }};
}

/// Where a system is in its coordinates, and how fast.
struct CoordinateState {
  double time = 0.0;
  Eigen::VectorXd x;
  Eigen::VectorXd v;
};

struct System {
  std::vector<std::string> coordinates;  ///< their names
  std::function<Eigen::MatrixXd(const Eigen::VectorXd& x)> mass;
  /// With what velocities contribute where the mass depends on x (Coriolis, centrifugal).
  std::function<Eigen::VectorXd(const CoordinateState&)> force;
  std::vector<Constraint> constraints;

  [[nodiscard]] int size() const { return static_cast<int>(coordinates.size()); }
};

/// A mass at a point whose place, in the plane or in space, is a function of some coordinates.
struct PointMass {
  double mass = 1.0;
  std::vector<int> coordinates;
  /// One for each component of the place.
  std::function<std::vector<Derivatives>(const Eigen::VectorXd&)> place;
};

/// `place` takes an array of N jets and returns an array of them.
template <std::size_t N, class Function>
[[nodiscard]] PointMass point_mass(double mass, const std::array<int, N>& coordinates,
                                   Function place) {
  constexpr int kN = static_cast<int>(N);
  return {mass, std::vector<int>(coordinates.begin(), coordinates.end()),
          [place](const Eigen::VectorXd& x) {
            std::vector<Derivatives> components;
            for (const Jet<kN>& component : place(variables_at<kN>(x))) {
              components.push_back(derivatives_of<kN>(component));
            }
            return components;
          }};
}

/// Mass and force of points p_i(x) under gravity, by Lagrange's equations:
///     M = Σ m JᵀJ,     f = Σ m Jᵀ(gravity − Σ_kl ∂²p/∂x_k∂x_l ẋ_k ẋ_l),     J = ∂p/∂x.
void set_point_masses(System& system, std::vector<PointMass> points,
                      const Eigen::VectorXd& gravity);

/// Mass and force that do not change.
void set_constant(System& system, const Eigen::MatrixXd& mass, const Eigen::VectorXd& force);

/// g and its derivatives at x, the gradient in all coordinates.
struct ConstraintValue {
  double g = 0.0;
  Eigen::RowVectorXd gradient;
  double curvature = 0.0;  ///< ẋᵀ Hess(g) ẋ
};
[[nodiscard]] ConstraintValue value_of(const Constraint& constraint, const Eigen::VectorXd& x,
                                       const Eigen::VectorXd& v);
/// g alone.
[[nodiscard]] double value_of(const Constraint& constraint, const Eigen::VectorXd& x);

/// Refuses a system that cannot be used, with an Error whose place is the constraint (or the coordinate): sizes and
/// indices that do not fit; a mass that is not symmetric or not positive definite at the start; numbers that are not
/// finite; derivatives that disagree with differences at the start and near it; equations that have no gradient or
/// contradict each other there.
void check(const System& system, const CoordinateState& start);

}  // namespace collapse::analytical
