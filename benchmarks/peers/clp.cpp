#include "benchmarks/peers/clp.hpp"

#include <ClpCholeskyBase.hpp>
#include <ClpInterior.hpp>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/child.hpp"
#include "collapse/core/check.hpp"

namespace collapse::benchmarks {

namespace {

void load(ClpInterior& model, const Program& program, const GeneralForm& form) {
  const Eigen::SparseMatrix<double> columns = form.rows;
  const auto variables = static_cast<std::size_t>(form.linear.size());
  const std::vector<double> low(variables, -COIN_DBL_MAX);
  const std::vector<double> high(variables, COIN_DBL_MAX);
  const Eigen::VectorXd cost = -form.linear;
  Eigen::VectorXd row_high = Eigen::VectorXd::Constant(form.bounds.size(), COIN_DBL_MAX);
  for (const Program::Group& group : program.groups()) {
    COLLAPSE_DEMAND(!is_curved(group));
    if (group.cone != Cone::zero) continue;
    row_high.segment(group.first_row, group.rows) =
        form.bounds.segment(group.first_row, group.rows);
  }
  model.loadProblem(static_cast<int>(variables), static_cast<int>(form.bounds.size()),
                    columns.outerIndexPtr(), columns.innerIndexPtr(), columns.valuePtr(),
                    low.data(), high.data(), cost.data(), form.bounds.data(), row_high.data());
  model.loadQuadraticObjective(static_cast<int>(variables), form.hessian.outerIndexPtr(),
                               form.hessian.innerIndexPtr(), form.hessian.valuePtr());
}

std::string name_of(int status) {
  switch (status) {
    case 0:
      return "solved";
    case 1:
      return "infeasible";
    case 2:
      return "unbounded";
    case 3:
      return "iteration or time limit";
    default:
      return "stalled";
  }
}

}  // namespace

PeerResult solve_with_clp(const Program& program, const PeerLimits& limits) {
  const GeneralForm form = general_form(program);
  ClpInterior model;
  model.setLogLevel(0);
  load(model, program, form);
  // Its scaling makes it diverge on walls that are hit.
  model.scaling(0);
  // The barrier for quadratic programs works with this factorisation only.
  auto cholesky = std::make_unique<ClpCholeskyBase>();
  cholesky->setKKT(true);
  model.setCholesky(cholesky.release());
  model.setPrimalTolerance(limits.tolerance);
  model.setDualTolerance(limits.tolerance);
  model.setMaximumSeconds(limits.seconds);

  PeerResult result;
  result.seconds = seconds([&] { model.primalDual(); });
  result.solved = model.status() == 0;
  result.status = name_of(model.status());
  result.iterations = model.numberIterations();
  result.x = Eigen::Map<const Eigen::VectorXd>(model.primalColumnSolution(), program.variables());
  result.lambda = Eigen::Map<const Eigen::VectorXd>(model.dualRowSolution(), program.rows());
  turn_planar_cones(program, result.lambda);
  return result;
}

}  // namespace collapse::benchmarks
