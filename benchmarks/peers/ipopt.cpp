#include "benchmarks/peers/ipopt.hpp"

#include <IpIpoptApplication.hpp>
#include <IpSolveStatistics.hpp>
#include <IpTNLP.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "benchmarks/child.hpp"
#include "collapse/core/check.hpp"

namespace collapse::benchmarks {

namespace {

using Ipopt::Index;
using Ipopt::Number;
using Map = Eigen::Map<const Eigen::VectorXd>;

/// Beyond what Ipopt takes for infinite.
constexpr double kInfinity = 1e20;

/// Entries of a sparse matrix in the order in which Ipopt is told of them.
struct Entries {
  std::vector<Index> rows;
  std::vector<Index> columns;
  std::vector<Number> values;

  void add(Index row, Index column, Number value) {
    rows.push_back(row);
    columns.push_back(column);
    values.push_back(value);
  }
  [[nodiscard]] Index size() const { return static_cast<Index>(rows.size()); }
  void copy_places(Index* to_rows, Index* to_columns) const {
    std::copy(rows.begin(), rows.end(), to_rows);
    std::copy(columns.begin(), columns.end(), to_columns);
  }
};

/// A second-order cone: its rows of A, and its variables s, numbered from `slack`.
struct CurvedCone {
  Index first_row = 0;
  Index slack = 0;
  Index size = 0;
};

/// The general form with a variable s and the equation A z − s = b for every row of a curved cone,
/// and the constraint s₀ − ‖s_T‖²/s₀ ≥ 0 for every such cone, after all rows of A.
class ConeProblem : public Ipopt::TNLP {
 public:
  explicit ConeProblem(const Program& program)
      : program_(program),
        form_(general_form(program)),
        variables_(static_cast<Index>(form_.linear.size())) {
    for (const Program::Group& group : program.groups()) {
      if (!is_curved(group)) continue;
      cones_.push_back({group.first_row, variables_, group.rows});
      variables_ += group.rows;
    }
    constraints_ = program.rows() + static_cast<Index>(cones_.size());
    collect_jacobian();
    collect_hessian();
  }

  [[nodiscard]] const Eigen::VectorXd& x() const { return x_; }
  [[nodiscard]] const Eigen::VectorXd& lambda() const { return lambda_; }
  [[nodiscard]] bool is_quadratic() const { return cones_.empty(); }

  bool get_nlp_info(Index& n, Index& m, Index& jacobian_size, Index& hessian_size,
                    IndexStyleEnum& style) override {
    n = variables_;
    m = constraints_;
    jacobian_size = jacobian_.size();
    hessian_size = hessian_.size();
    style = C_STYLE;
    return true;
  }

  bool get_bounds_info(Index n, Number* low, Number* high, Index m, Number* constraint_low,
                       Number* constraint_high) override {
    std::fill_n(low, n, -kInfinity);
    std::fill_n(high, n, kInfinity);
    for (const CurvedCone& cone : cones_) low[cone.slack] = 0.0;
    std::copy_n(form_.bounds.data(), form_.bounds.size(), constraint_low);
    std::fill_n(constraint_low + form_.bounds.size(), cones_.size(), 0.0);
    std::fill_n(constraint_high, m, kInfinity);
    for (const Program::Group& group : program_.groups()) {
      if (group.cone != Cone::zero && !is_curved(group)) continue;
      std::copy_n(constraint_low + group.first_row, group.rows, constraint_high + group.first_row);
    }
    return true;
  }

  /// At rest, and inside all cones.
  bool get_starting_point(Index n, bool, Number* z, bool, Number*, Number*, Index, bool,
                          Number*) override {
    std::fill_n(z, n, 0.0);
    for (const CurvedCone& cone : cones_) z[cone.slack] = 1.0;
    return true;
  }

  bool eval_f(Index, const Number* z, bool, Number& value) override {
    const Map y(z, form_.linear.size());
    value = 0.5 * y.dot(form_.hessian * y) - form_.linear.dot(y);
    return true;
  }

  bool eval_grad_f(Index n, const Number* z, bool, Number* gradient) override {
    const Map y(z, form_.linear.size());
    std::fill_n(gradient, n, 0.0);
    Eigen::Map<Eigen::VectorXd>(gradient, y.size()) = form_.hessian * y - form_.linear;
    return true;
  }

  bool eval_g(Index, const Number* z, bool, Index, Number* values) override {
    Eigen::Map<Eigen::VectorXd>(values, form_.bounds.size()) =
        form_.rows * Map(z, form_.linear.size());
    Number* cone_value = values + form_.bounds.size();
    for (const CurvedCone& cone : cones_) {
      const Map s(z + cone.slack, cone.size);
      for (Index k = 0; k < cone.size; ++k) values[cone.first_row + k] -= s[k];
      *cone_value++ = s[0] - s.tail(cone.size - 1).squaredNorm() / s[0];
    }
    return true;
  }

  bool eval_jac_g(Index, const Number* z, bool, Index, Index, Index* rows, Index* columns,
                  Number* values) override {
    if (values == nullptr) {
      jacobian_.copy_places(rows, columns);
      return true;
    }
    values = std::copy(jacobian_.values.begin(), jacobian_.values.end() - curved_entries(), values);
    for (const CurvedCone& cone : cones_) {
      const Map s(z + cone.slack, cone.size);
      *values++ = 1.0 + s.tail(cone.size - 1).squaredNorm() / (s[0] * s[0]);
      for (Index k = 1; k < cone.size; ++k) *values++ = -2.0 * s[k] / s[0];
    }
    return true;
  }

  bool eval_h(Index, const Number* z, bool, Number factor, Index, const Number* multipliers, bool,
              Index, Index* rows, Index* columns, Number* values) override {
    if (values == nullptr) {
      hessian_.copy_places(rows, columns);
      return true;
    }
    const auto quadratic = hessian_.values.end() - 2 * curved_entries() + cone_count();
    values = std::transform(hessian_.values.begin(), quadratic, values,
                            [&](Number value) { return factor * value; });
    const Number* multiplier = multipliers + form_.bounds.size();
    for (const CurvedCone& cone : cones_) {
      const Map s(z + cone.slack, cone.size);
      const double scale = -2.0 * *multiplier++ / s[0];
      *values++ = scale * s.tail(cone.size - 1).squaredNorm() / (s[0] * s[0]);
      for (Index k = 1; k < cone.size; ++k) {
        *values++ = -scale * s[k] / s[0];
        *values++ = scale;
      }
    }
    return true;
  }

  /// Ipopt's Lagrangian has + multipliers · constraints, ours − λ · rows.
  void finalize_solution(Ipopt::SolverReturn, Index, const Number* z, const Number*, const Number*,
                         Index, const Number*, const Number* multipliers, Number,
                         const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
    x_ = Map(z, program_.variables());
    lambda_ = -Map(multipliers, program_.rows());
    turn_planar_cones(program_, lambda_);
  }

 private:
  [[nodiscard]] std::ptrdiff_t cone_count() const {
    return static_cast<std::ptrdiff_t>(cones_.size());
  }
  /// Rows of all curved cones: so many entries the constraints of the cones have at the end of the
  /// Jacobian; in the Hessian each cone has an arrow of 2·size − 1.
  [[nodiscard]] std::ptrdiff_t curved_entries() const {
    return variables_ - static_cast<std::ptrdiff_t>(form_.linear.size());
  }

  void collect_jacobian() {
    for (Index row = 0; row < form_.rows.outerSize(); ++row) {
      for (decltype(form_.rows)::InnerIterator it(form_.rows, row); it; ++it) {
        jacobian_.add(row, static_cast<Index>(it.col()), it.value());
      }
    }
    for (const CurvedCone& cone : cones_) {
      for (Index k = 0; k < cone.size; ++k) jacobian_.add(cone.first_row + k, cone.slack + k, -1.0);
    }
    auto constraint = static_cast<Index>(form_.bounds.size());
    for (const CurvedCone& cone : cones_) {
      for (Index k = 0; k < cone.size; ++k) jacobian_.add(constraint, cone.slack + k, 0.0);
      ++constraint;
    }
  }

  /// The lower triangle.
  void collect_hessian() {
    for (Index column = 0; column < form_.hessian.outerSize(); ++column) {
      for (decltype(form_.hessian)::InnerIterator it(form_.hessian, column); it; ++it) {
        const auto row = static_cast<Index>(it.row());
        if (row >= column) hessian_.add(row, column, it.value());
      }
    }
    for (const CurvedCone& cone : cones_) {
      hessian_.add(cone.slack, cone.slack, 0.0);
      for (Index k = 1; k < cone.size; ++k) {
        hessian_.add(cone.slack + k, cone.slack, 0.0);
        hessian_.add(cone.slack + k, cone.slack + k, 0.0);
      }
    }
  }

  const Program& program_;
  GeneralForm form_;
  std::vector<CurvedCone> cones_;
  Index variables_ = 0;
  Index constraints_ = 0;
  Entries jacobian_;
  Entries hessian_;
  Eigen::VectorXd x_;
  Eigen::VectorXd lambda_;
};

std::string name_of(Ipopt::ApplicationReturnStatus status) {
  switch (status) {
    case Ipopt::Solve_Succeeded:
      return "solved";
    case Ipopt::Solved_To_Acceptable_Level:
      return "solved to the acceptable level";
    case Ipopt::Infeasible_Problem_Detected:
      return "infeasible";
    case Ipopt::Search_Direction_Becomes_Too_Small:
      return "search direction too small";
    case Ipopt::Diverging_Iterates:
      return "diverging";
    case Ipopt::Maximum_Iterations_Exceeded:
      return "iteration limit";
    case Ipopt::Maximum_CpuTime_Exceeded:
      return "time limit";
    case Ipopt::Restoration_Failed:
      return "restoration failed";
    case Ipopt::Error_In_Step_Computation:
      return "error in step computation";
    default:
      return "failed with " + std::to_string(static_cast<int>(status));
  }
}

/// Mehrotra's steps without a line search suit convex programs: with the default ones the programs
/// with curved cones take many times longer or fail. Bounds are not to be relaxed, which would move
/// the solution by 1e-8, and nothing less than the tolerance is accepted.
void set_options(Ipopt::OptionsList& options, bool is_quadratic, const PeerLimits& limits) {
  for (const char* name : {"tol", "dual_inf_tol", "constr_viol_tol", "compl_inf_tol"}) {
    options.SetNumericValue(name, limits.tolerance);
  }
  options.SetNumericValue("max_cpu_time", limits.seconds);
  options.SetNumericValue("bound_relax_factor", 0.0);
  options.SetIntegerValue("acceptable_iter", 0);
  options.SetStringValue("linear_solver", "mumps");
  options.SetStringValue("mehrotra_algorithm", "yes");
  // Implied by it, but not for the restoration phase, where version 3.11 then crashes.
  options.SetStringValue("mu_strategy", "adaptive");
  if (is_quadratic) {
    for (const char* name : {"jac_c_constant", "jac_d_constant", "hessian_constant"}) {
      options.SetStringValue(name, "yes");
    }
  }
  options.SetIntegerValue("print_level", 0);
  options.SetStringValue("sb", "yes");
}

}  // namespace

PeerResult solve_with_ipopt(const Program& program, const PeerLimits& limits) {
  const Ipopt::SmartPtr<ConeProblem> problem = new ConeProblem(program);
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> application = new Ipopt::IpoptApplication(false);
  set_options(*application->Options(), problem->is_quadratic(), limits);
  COLLAPSE_DEMAND(application->Initialize() == Ipopt::Solve_Succeeded);

  PeerResult result;
  auto status = Ipopt::Internal_Error;
  result.seconds = seconds([&] { status = application->OptimizeTNLP(GetRawPtr(problem)); });
  result.status = name_of(status);
  result.solved = status == Ipopt::Solve_Succeeded;
  if (IsValid(application->Statistics())) {
    result.iterations = application->Statistics()->IterationCount();
  }
  result.x = problem->x();
  result.lambda = problem->lambda();
  return result;
}

}  // namespace collapse::benchmarks
