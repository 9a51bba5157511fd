#pragma once
/// What is wrong with the answer to a random program: judged densely, sharing no code with the solver.
///
/// Tolerances are the three below, in the measure in which solution.hpp defines residuals. Measured by
/// what they are made of instead, rows may be off by much more: if a light variable is held fast
/// against a large load, an answer that is exact to 1e-12 of what the load could do is off by 1e-6 of
/// what it did; and where all multipliers are zero, what is left of them has no size of its own.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "collapse/solver/solution.hpp"
#include "tests/support/random_program.hpp"

namespace collapse::testing {

/// What an optimal solution may be off: SolverOptions::tolerance times the 10 that the solver leaves
/// for rounding between the measure of an island and that of the program.
constexpr double kOptimal = 1e-11;
/// What a ray may leave of what it gains: the 1e-9 of src/solver/interior_point.cpp times 10, because it
/// is judged there in the measure of the program after scaling. For variables without mass, whose
/// measure is an iteration, and for planar cones, which are turned, that is another one (by 3 in
/// 40,000 programs).
constexpr double kRay = 1e-8;
/// Of a sum of up to 100 terms, against the sum of their sizes.
constexpr double kRounding = 1e-14;

/// The measure of src/solver/scaling.hpp, from its definition: x = t S y, λ = f R z.
struct Measure {
  Eigen::VectorXd S, R;
  double t = 1.0;
  double f = 1.0;

  explicit Measure(const RandomProgram& random) : S(random.M.diagonal().cwiseSqrt()) {
    const Eigen::Array<bool, Eigen::Dynamic, 1> massless = S.array() == 0.0;
    invert(S);
    measure_rows(random);
    for (int sweep = 0; sweep < 3; ++sweep) {
      Eigen::VectorXd columns = (R.asDiagonal() * random.G).colwise().norm();
      invert(columns);
      S = massless.select(columns, S);
      measure_rows(random);
    }
    const auto size = [](const Eigen::VectorXd& v) {
      return v.isZero(0.0) ? 1.0 : v.lpNorm<Eigen::Infinity>();
    };
    const Eigen::VectorXd c = S.cwiseProduct(random.c);
    const Eigen::VectorXd b = R.cwiseProduct(random.b);
    Eigen::VectorXd both(c.size() + b.size());
    both << c, b;
    t = size(massless.all() ? b : both);
    f = massless.all() ? size(c) : t;
  }

  /// The program and its known solution in this measure.
  [[nodiscard]] RandomProgram applied(const RandomProgram& random) const {
    RandomProgram result = random;
    result.M = (t / f) * (S.asDiagonal() * random.M * S.asDiagonal());
    result.G = R.asDiagonal() * random.G * S.asDiagonal();
    result.b = R.cwiseProduct(random.b) / t;
    result.c = S.cwiseProduct(random.c) / f;
    for (auto& group : result.groups) group.compliance *= f / t * R[group.first] * R[group.first];
    result.x = random.x.cwiseQuotient(S) / t;
    result.lambda = random.lambda.cwiseQuotient(R) / f;
    return result;
  }

 private:
  static void invert(Eigen::VectorXd& lengths) {
    for (double& length : lengths) length = length > 0.0 ? 1.0 / length : 1.0;
  }
  void measure_rows(const RandomProgram& random) {
    R = (random.G * S.asDiagonal()).rowwise().norm();
    for (const auto& group : random.groups) {
      auto lengths = R.segment(group.first, group.rows);
      if (group.cone == Cone::second_order || group.compliance > 0.0) {
        lengths.setConstant(lengths.maxCoeff());
      }
    }
    invert(R);
  }
};

/// A product and the sum of the sizes of its terms.
struct Sum {
  Eigen::VectorXd value, size;

  Sum(const Eigen::MatrixXd& A, const Eigen::VectorXd& v)
      : value(A * v), size(A.cwiseAbs() * v.cwiseAbs()) {}
  Sum& operator-=(const Eigen::VectorXd& v) {
    value -= v;
    size += v.cwiseAbs();
    return *this;
  }
  Sum& operator-=(const Sum& other) {
    value -= other.value;
    size += other.size;
    return *this;
  }
};

inline Eigen::VectorXd outside(Cone cone, const Eigen::VectorXd& v) {
  return v - projected(cone, v);
}
/// The same of K*.
inline Eigen::VectorXd outside_dual(Cone cone, const Eigen::VectorXd& v) {
  return cone == Cone::zero ? v : outside(cone, v);
}

/// Judges a pair (x, λ) by the conditions of an optimum. All is in the measure of the program.
class OptimumJudge {
 public:
  OptimumJudge(const RandomProgram& program, Eigen::VectorXd x, Eigen::VectorXd lambda)
      : program_(program), x_(std::move(x)), lambda_(std::move(lambda)) {}

  std::string fault() {
    std::string result = fault_of_gradient();
    if (result.empty()) result = fault_of_rows();
    // One may be found for a program without solutions, if that is so by less than they may be off.
    if (result.empty() && program_.kind == Kind::solvable) result = fault_of_objective();
    return result;
  }

 private:
  std::string fault_of_gradient() {
    Sum gradient(program_.M, x_);
    const Sum forces(program_.G.transpose(), lambda_);
    gradient -= program_.c;
    gradient -= forces;
    const double load = std::max(1.0, forces.value.lpNorm<Eigen::Infinity>());
    gradient_limit_ = (kRounding * gradient.size).array() + kOptimal * load;
    for (Eigen::Index j = 0; j < x_.size(); ++j) {
      if (!(std::abs(gradient.value[j]) <= gradient_limit_[j])) {
        return fmt::format("gradient {} is {}, not {}", j, gradient.value[j], gradient_limit_[j]);
      }
    }
    return {};
  }

  /// With v = λ − Π(λ − s) both λ − v ∈ K and s − v ∈ K*, and these two are orthogonal. So |v| ≤ ε
  /// leaves λ and s outside their cones by ε at most, and λᵀs = vᵀ(λ + s) − vᵀv.
  std::string fault_of_rows() {
    double gap = 0.0;
    for (const auto& group : program_.groups) {
      const Eigen::VectorXd own = lambda_.segment(group.first, group.rows);
      Sum slack(program_.G.middleRows(group.first, group.rows), x_);
      slack -= program_.b.segment(group.first, group.rows);
      slack -= -group.compliance * own;
      const double limit =
          kOptimal * std::sqrt(group.rows) + kRounding * (slack.size.sum() + own.norm());
      if (const double off = outside_dual(group.cone, slack.value).norm(); !(off <= limit)) {
        return fmt::format("rows from {} off by {}, not {}", group.first, off, limit);
      }
      if (const double off = outside(group.cone, own).norm(); !(off <= limit)) {
        return fmt::format("multipliers from {} off by {}, not {}", group.first, off, limit);
      }
      gap += own.dot(slack.value);
      gap_limit_ += limit * (own.norm() + slack.value.norm() + limit);
      row_limits_.push_back(limit);
    }
    if (!(std::abs(gap) <= gap_limit_)) return fmt::format("gap of {}, not {}", gap, gap_limit_);
    return {};
  }

  /// All solutions have the same objective, ½ λᵀEλ included. With the solution (x*, λ*, s*) and the
  /// gradient g, from convexity:  gᵀ(x − x*) + λᵀs − λᵀs*  ≥  objective − objective*  ≥  λ*ᵀs.
  std::string fault_of_objective() {
    const Eigen::VectorXd best_slack = program_.G * program_.x - program_.b;
    double off = program_.objective(x_) - program_.objective(program_.x);
    double above = gap_limit_ + gradient_limit_.dot((x_ - program_.x).cwiseAbs());
    double below = 0.0;
    for (std::size_t k = 0; k < program_.groups.size(); ++k) {
      const auto& group = program_.groups[k];
      const auto own = lambda_.segment(group.first, group.rows);
      const auto best = program_.lambda.segment(group.first, group.rows);
      off += 0.5 * group.compliance * (own.squaredNorm() - best.squaredNorm());
      above += row_limits_[k] *
               (best_slack.segment(group.first, group.rows) + group.compliance * best).norm();
      below += row_limits_[k] * best.norm();
    }
    double rounding = 0.0;
    for (const Eigen::VectorXd& x : {x_, program_.x}) {
      rounding += kRounding * x.cwiseAbs().dot(Sum(program_.M, x).size + program_.c.cwiseAbs());
    }
    if (!(off <= above + rounding && off >= -below - rounding)) {
      return fmt::format("objective off by {}, not between {} and {}", off, -below, above);
    }
    return {};
  }

  const RandomProgram& program_;
  Eigen::VectorXd x_, lambda_;
  Eigen::VectorXd gradient_limit_;
  std::vector<double> row_limits_;
  double gap_limit_ = 0.0;
};

/// What aᵀ(ray) gains, and the largest entry of a that has a part in it.
struct Gain {
  double value = 0.0;
  double size = 0.0;
  bool is_rounding = true;

  Gain(const Eigen::VectorXd& a, const Eigen::VectorXd& ray)
      : value(a.dot(ray)),
        size((ray.array() != 0.0).select(a, 0.0).lpNorm<Eigen::Infinity>()),
        is_rounding(!(value > kRounding * a.cwiseAbs().dot(ray.cwiseAbs()))) {}

  /// Whether something that should be zero is, against the gain. That it is judged by the size of what
  /// the ray touches makes it independent of other islands, whose loads may be larger.
  [[nodiscard]] bool leaves(double left, double rounding) const {
    return !(left * size <= kRay * value + rounding * size);
  }
};

/// For feasible x: bᵀλ ≤ λᵀGx, so |x| is beyond 1/ε of b's size if |Gᵀλ| ≤ ε bᵀλ.
inline std::string fault_of_infeasibility(const RandomProgram& program,
                                          const Eigen::VectorXd& ray) {
  const Gain gain(program.b, ray);
  if (gain.is_rounding) return fmt::format("ray gains {}", gain.value);
  const Sum forces(program.G.transpose(), ray);
  for (Eigen::Index j = 0; j < forces.value.size(); ++j) {
    if (gain.leaves(std::abs(forces.value[j]), kRounding * forces.size[j])) {
      return fmt::format("ray leaves {}, gains {}", forces.value[j], gain.value);
    }
  }
  for (const auto& group : program.groups) {
    const Eigen::VectorXd own = ray.segment(group.first, group.rows);
    if (!(outside(group.cone, own).norm() <= kRounding * own.norm())) {
      return fmt::format("ray outside the cone from row {}", group.first);
    }
    if (group.compliance > 0.0 && !own.isZero(0.0)) return "ray pushes what gives way";
  }
  return {};
}

inline std::string fault_of_unboundedness(const RandomProgram& program,
                                          const Eigen::VectorXd& ray) {
  const Gain gain(program.c, ray);
  if (gain.is_rounding) return fmt::format("ray gains {}", gain.value);
  const Sum weight(program.M, ray);
  for (Eigen::Index j = 0; j < ray.size(); ++j) {
    if (gain.leaves(std::abs(weight.value[j]), kRounding * weight.size[j])) {
      return fmt::format("ray has mass {}, gains {}", weight.value[j], gain.value);
    }
  }
  for (const auto& group : program.groups) {
    const Sum rows(program.G.middleRows(group.first, group.rows), ray);
    const double left = outside_dual(group.cone, rows.value).norm();
    if (gain.leaves(left, kRounding * rows.size.sum())) {
      return fmt::format("ray leaves {} in rows from {}, gains {}", left, group.first, gain.value);
    }
  }
  return {};
}

/// What is wrong with an answer; empty if nothing is. Not having found one is not wrong.
inline std::string fault_of(const RandomProgram& random, const Solution& solution) {
  if (!solution.x.allFinite() || !solution.lambda.allFinite()) return "not finite";
  const Measure measure(random);
  const RandomProgram program = measure.applied(random);
  switch (solution.status) {
    case Status::optimal:
      return OptimumJudge(program, solution.x.cwiseQuotient(measure.S) / measure.t,
                          solution.lambda.cwiseQuotient(measure.R) / measure.f)
          .fault();
    case Status::infeasible:
      if (random.kind != Kind::infeasible) return "infeasible, though there is a feasible point";
      return fault_of_infeasibility(program, solution.ray.cwiseQuotient(measure.R));
    case Status::unbounded:
      if (random.kind != Kind::unbounded) return "unbounded, though there is a solution, or none";
      return fault_of_unboundedness(program, solution.ray.cwiseQuotient(measure.S));
    default:
      return {};
  }
}

}  // namespace collapse::testing
