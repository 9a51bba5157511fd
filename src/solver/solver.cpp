/// From a program to its solution: islands, each in its own measure, each by the interior-point method.

#include <algorithm>
#include <string>

#include "collapse/core/error.hpp"
#include "collapse/solver/solution.hpp"
#include "solver/common.hpp"
#include "solver/cones.hpp"
#include "solver/interior_point.hpp"
#include "solver/islands.hpp"
#include "solver/newton.hpp"
#include "solver/phase_one.hpp"
#include "solver/proximal_newton.hpp"
#include "solver/residuals.hpp"
#include "solver/scaling.hpp"
#include "solver/stopwatch.hpp"
#include "solver/warm_start.hpp"

namespace collapse {
namespace {

/// The worse of two, for a program of which they are parts.
Status worse(Status a, Status b) {
  constexpr auto rank = [](Status status) {
    switch (status) {
      case Status::optimal:
        return 0;
      case Status::iteration_limit:
        return 1;
      case Status::stalled:
        return 2;
      case Status::interrupted:
        return 3;
      case Status::unbounded:
        return 4;
      case Status::infeasible:
        return 5;
    }
    return 6;
  };
  return rank(a) >= rank(b) ? a : b;
}

bool within(const Residuals& residuals, const SolverOptions& options, double slack = 1.0) {
  return std::max(residuals.stationarity, residuals.equations) <= slack * options.tolerance &&
         residuals.complementarity <= slack * options.complementarity_tolerance;
}

}  // namespace

void SolverOptions::validate() const {
  const auto demand_share = [](const char* field, double value) {
    if (!(value > 0.0 && value < 1.0)) {
      throw Error(field, std::to_string(value), "a number between 0 and 1");
    }
  };
  demand_share("SolverOptions.tolerance", tolerance);
  demand_share("SolverOptions.complementarity_tolerance", complementarity_tolerance);
  if (max_iterations < 1) {
    throw Error("SolverOptions.max_iterations", std::to_string(max_iterations), "at least 1");
  }
}

class Solver::Work {
 public:
  explicit Work(SolverOptions options) : options_(std::move(options)) { options_.validate(); }

  const Solution& solve(const Program& program);

  void set_tolerance(double tolerance) {
    options_.tolerance = options_.complementarity_tolerance = tolerance;
    options_.validate();
  }

 private:
  // Rounding between the measure of an island and that of the program.
  static constexpr double kSlack = 10.0;
  // Beyond this a cold start costs less.
  static constexpr int kWarmFactorizations = 8;
  // As far as it goes: a ray is judged relative to its own length, which may be small.
  static constexpr double kLastDigit = 1e-20;
  // With less left, a program has a solution.
  static constexpr double kNearlySolved = 1e-6;
  // Of a bound that lies on the boundary of its cone.
  static constexpr double kRounding = 1e-12;
  // Below this many blocks an analysis costs less than the memory to keep it.
  static constexpr int kOwnEngineFrom = 64;

  struct Engine {
    Program part;
    Scaling scaling;
    KktSystem system;
    InteriorPoint method;
    ProximalNewton proximal;
    Newton newton;
  };

  Engine& engine_of(int island);
  static void prepare(Engine& engine, Effort& effort);
  bool run_warm(const Program& program, int island, Engine& engine, Effort& effort);
  static Status run_methods(Engine& engine, const SolverOptions& options, Residuals& residuals,
                            Effort& effort);
  Status prove_hopeless(Engine& engine, Status status, Effort& effort) const;
  void solve_constants(const Program& program, int island);
  void solve_island(const Program& program, int island, Engine& engine);
  void put_ray(const Program& program, int island, Status status, const Engine& engine);

  /// Calls each(group or block, first index in the part) for the rows or variables of an island.
  template <class Each>
  void each_group(const Program& program, int island, const Each& each) const {
    int at = 0;
    for (int k = islands_.first_group[index(island)]; k < islands_.first_group[index(island) + 1];
         ++k) {
      const Program::Group& group = program.groups()[index(islands_.groups[index(k)])];
      each(group, at);
      at += group.rows;
    }
  }
  template <class Each>
  void each_block(const Program& program, int island, const Each& each) const {
    int at = 0;
    for (int k = islands_.first_block[index(island)]; k < islands_.first_block[index(island) + 1];
         ++k) {
      const Program::Block& block = program.blocks()[index(islands_.blocks[index(k)])];
      each(block, at);
      at += block.size;
    }
  }

  SolverOptions options_;
  Islands islands_;
  Engine shared_;
  std::vector<std::unique_ptr<Engine>> own_;  ///< of large islands
  Judge judge_;
  WarmStart warm_;
  Eigen::VectorXd recalled_;
  Solution solution_;
};

Solver::Work::Engine& Solver::Work::engine_of(int island) {
  const int blocks = islands_.first_block[index(island) + 1] - islands_.first_block[index(island)];
  if (blocks < kOwnEngineFrom) return shared_;
  if (own_.size() <= index(island)) own_.resize(index(island) + 1);
  std::unique_ptr<Engine>& own = own_[index(island)];
  if (!own) own = std::make_unique<Engine>();
  return *own;
}

/// Groups without variables: −b + Eλ ∈ K*. The projection of b on K is the multiplier, or the proof
/// that there is none.
void Solver::Work::solve_constants(const Program& program, int island) {
  each_group(program, island, [&](const Program::Group& group, int) {
    auto lambda = solution_.lambda.segment(group.first_row, group.rows);
    project(group.cone, program.bounds().data() + group.first_row, group.rows, lambda.data());
    if (group.compliance > 0.0) {
      lambda /= group.compliance;
    } else if (lambda.norm() >
               kRounding * program.bounds().segment(group.first_row, group.rows).norm()) {
      solution_.status = Status::infeasible;
      solution_.ray.setZero(program.rows());
      solution_.ray.segment(group.first_row, group.rows) = lambda;
      lambda.setZero();
    } else {
      lambda.setZero();
    }
  });
}

void Solver::Work::put_ray(const Program& program, int island, Status status,
                           const Engine& engine) {
  const Scaling& scaling = engine.scaling;
  const Eigen::VectorXd& ray = engine.method.ray();
  if (status == Status::infeasible) {
    solution_.ray.setZero(program.rows());
    each_group(program, island, [&](const Program::Group& group, int at) {
      auto rows = solution_.ray.segment(group.first_row, group.rows);
      rows = ray.segment(at, group.rows).cwiseProduct(scaling.row.segment(at, group.rows));
      turn_planar(group, rows);
    });
  } else {
    solution_.ray.setZero(program.variables());
    each_block(program, island, [&](const Program::Block& block, int at) {
      solution_.ray.segment(block.first, block.size) =
          ray.segment(at, block.size).cwiseProduct(scaling.variable.segment(at, block.size));
    });
  }
}

void Solver::Work::prepare(Engine& engine, Effort& effort) {
  const Stopwatch watch(effort.analysis_seconds);
  engine.system.prepare(engine.part);
  effort.factor_entries += engine.system.factor().factor_entries();
}

/// From the last multipliers, by Newton's method alone: whether it got there.
bool Solver::Work::run_warm(const Program& program, int island, Engine& engine, Effort& effort) {
  if (warm_.empty()) return false;
  const Scaling& scaling = engine.scaling;
  Iterate& start = engine.method.best();
  start.z.resize(engine.part.rows());
  each_group(program, island, [&](const Program::Group& group, int at) {
    auto rows = start.z.segment(at, group.rows);
    rows = recalled_.segment(group.first_row, group.rows);
    turn_planar(group, rows);
    rows.array() /= scaling.multipliers * scaling.row.segment(at, group.rows).array();
  });
  start.y.resize(engine.part.variables());
  if (!engine.system.balance(start.z, start.y)) return false;
  if (is_soft(engine.part)) {
    ProximalNewton::Options proximal;
    proximal.tolerance = options_.tolerance;
    proximal.rho = kProximal;
    proximal.max_steps = kWarmFactorizations;
    engine.proximal.improve(engine.part, engine.system, proximal, start.y, start.z, effort);
  }
  const Residuals residuals =
      engine.newton.polish(engine.part, engine.system, {options_.tolerance, kWarmFactorizations},
                           start.y, start.z, effort);
  return within(residuals, options_);
}

/// The interior-point method as far as it gets, then Newton's.
Status Solver::Work::run_methods(Engine& engine, const SolverOptions& options, Residuals& residuals,
                                 Effort& effort) {
  const Status status = engine.method.run(engine.part, engine.system, options, effort);
  if (status != Status::stalled && status != Status::iteration_limit) return status;
  Iterate& best = engine.method.best();
  ProximalNewton::Options proximal;
  proximal.tolerance = options.tolerance;
  if (is_soft(engine.part)) proximal.rho = kProximal;
  engine.proximal.improve(engine.part, engine.system, proximal, best.y, best.z, effort);
  residuals =
      engine.newton.polish(engine.part, engine.system, {options.tolerance}, best.y, best.z, effort);
  return within(residuals, options) ? Status::optimal : status;
}

/// Whether a program that could not be solved has no solution; otherwise `status`.
Status Solver::Work::prove_hopeless(Engine& engine, Status status, Effort& effort) const {
  SolverOptions options = options_;
  options.tolerance = options.complementarity_tolerance = kLastDigit;
  Residuals residuals;
  Engine other;
  other.part = violation_program(engine.part);
  prepare(other, effort);
  run_methods(other, options, residuals, effort);
  if (engine.method.is_ray(engine.part, other.method.best().z, Status::infeasible)) {
    return Status::infeasible;
  }
  if (!engine.system.has_massless()) return status;
  other.part = recession_program(engine.part);
  prepare(other, effort);
  run_methods(other, options, residuals, effort);
  if (engine.method.is_ray(engine.part, other.method.best().y, Status::unbounded)) {
    return Status::unbounded;
  }
  return status;
}

void Solver::Work::solve_island(const Program& program, int island, Engine& engine) {
  islands_.extract(program, island, engine.part);
  engine.scaling.measure(engine.part);
  engine.scaling.apply(engine.part);
  Effort& effort = solution_.effort;
  prepare(engine, effort);
  Residuals residuals;
  Status status = Status::optimal;
  if (run_warm(program, island, engine, effort)) {
    ++effort.warm_islands;
  } else {
    status = run_methods(engine, options_, residuals, effort);
    solution_.iterations = std::max(solution_.iterations, engine.method.iterations());
  }
  if ((status == Status::stalled || status == Status::iteration_limit) &&
      residuals.worst() > kNearlySolved) {
    status = prove_hopeless(engine, status, effort);
  }
  const Iterate& best = engine.method.best();
  const Scaling& scaling = engine.scaling;
  each_block(program, island, [&](const Program::Block& block, int at) {
    solution_.x.segment(block.first, block.size) =
        scaling.solution *
        best.y.segment(at, block.size).cwiseProduct(scaling.variable.segment(at, block.size));
  });
  each_group(program, island, [&](const Program::Group& group, int at) {
    auto rows = solution_.lambda.segment(group.first_row, group.rows);
    rows = scaling.multipliers *
           best.z.segment(at, group.rows).cwiseProduct(scaling.row.segment(at, group.rows));
    turn_planar(group, rows);
  });
  const Status before = solution_.status;
  solution_.status = worse(before, status);
  const bool has_ray = status == Status::infeasible || status == Status::unbounded;
  if (has_ray && solution_.status != before) put_ray(program, island, status, engine);
}

const Solution& Solver::Work::solve(const Program& program) {
  solution_.effort = {};
  {
    const Stopwatch watch(solution_.effort.total_seconds);
    solution_.status = Status::optimal;
    solution_.iterations = 0;
    solution_.x.setZero(program.variables());
    solution_.lambda.setZero(program.rows());
    solution_.ray.resize(0);
    if (!warm_.empty() && warm_.recall(program, recalled_) == 0) warm_.forget();
    islands_.find(program);
    solution_.effort.islands = islands_.count();
    for (int island = 0; island < islands_.count(); ++island) {
      if (islands_.first_block[index(island)] == islands_.first_block[index(island) + 1]) {
        solve_constants(program, island);
      } else {
        solve_island(program, island, engine_of(island));
      }
    }
    solution_.residuals = judge_.judge(program, solution_.x, solution_.lambda);
    // The last word: what is claimed is what the judge of all solvers finds.
    if (solution_.status == Status::optimal && !within(solution_.residuals, options_, kSlack)) {
      solution_.status = Status::stalled;
    }
    if (options_.warm_start) warm_.remember(program, solution_.lambda);
  }
  return solution_;
}

Solver::Solver(SolverOptions options) : work_(std::make_unique<Work>(std::move(options))) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Solution& Solver::solve(const Program& program) { return work_->solve(program); }

void Solver::set_tolerance(double tolerance) { work_->set_tolerance(tolerance); }

Solution solve(const Program& program, const SolverOptions& options) {
  SolverOptions once = options;
  once.warm_start = false;
  return Solver(std::move(once)).solve(program);
}

}  // namespace collapse
