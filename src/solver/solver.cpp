/// From a program to its solution: islands, each in its own measure, each by the interior-point method.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "collapse/core/error.hpp"
#include "collapse/solver/solution.hpp"
#include "core/parallel.hpp"
#include "solver/common.hpp"
#include "solver/cones.hpp"
#include "solver/interior_point.hpp"
#include "solver/islands.hpp"
#include "solver/least_norm.hpp"
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

/// Whether another method may get further.
bool unfinished(Status status) {
  return status == Status::stalled || status == Status::iteration_limit;
}

Effort& operator+=(Effort& total, const Effort& part) {
  total.warm_islands += part.warm_islands;
  total.iterations = std::max(total.iterations, part.iterations);
  total.newton_steps += part.newton_steps;
  total.factorizations += part.factorizations;
  total.iterative_islands += part.iterative_islands;
  total.cg_iterations += part.cg_iterations;
  total.analysis_seconds += part.analysis_seconds;
  total.factor_seconds += part.factor_seconds;
  total.solve_seconds += part.solve_seconds;
  total.factor_entries += part.factor_entries;
  return total;
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
  if (threads < 0) throw Error("SolverOptions.threads", std::to_string(threads), "at least 0");
  if (!(factor_memory >= 0.0)) {
    throw Error("SolverOptions.factor_memory", std::to_string(factor_memory), "a number of bytes");
  }
  if (max_iterations < 1) {
    throw Error("SolverOptions.max_iterations", std::to_string(max_iterations), "at least 1");
  }
}

class Solver::Work {
 public:
  explicit Work(SolverOptions options)
      : options_(std::move(options)), interrupt_(options_.interrupt) {
    options_.validate();
  }

  const Solution& solve(const Program& program);

  void begin_at(Eigen::VectorXd x) { guess_ = std::move(x); }

  void begin_near(Eigen::VectorXd x, Eigen::VectorXd lambda) {
    near_x_ = std::move(x);
    near_lambda_ = std::move(lambda);
  }

  void set_tolerance(double tolerance) {
    options_.tolerance = options_.complementarity_tolerance = tolerance;
    options_.validate();
  }

 private:
  // Rounding between the measure of an island and that of the program.
  static constexpr double kSlack = 10.0;
  // Beyond this a cold start costs less; a soft program gets there in the end, and sooner than from a cold start.
  static constexpr int kWarmFactorizations = 8;
  static constexpr int kSoftFactorizations = 60;
  // As far as it goes: a ray is judged relative to its own length, which may be small.
  static constexpr double kLastDigit = 1e-20;
  // Of a slack that is none, in the measure of Scaling.
  static constexpr double kTouching = 1e-10;
  // With less left, a program has a solution.
  static constexpr double kNearlySolved = 1e-6;
  // Islands with fewer blocks are solved one after the other in a job of about so many blocks: an
  // analysis of them costs less than the memory to keep it, a job of its own more than it brings.
  static constexpr int kLargeEnough = 64;
  static constexpr int kJob = 1000;
  // The jobs of a program with fewer blocks are done before other threads have started.
  static constexpr std::size_t kWorthThreads = 500;

  struct Engine {
    Program part;
    std::vector<double> scratch;
    Scaling scaling;
    KktSystem system;
    InteriorPoint method;
    ProximalNewton proximal;
    Newton newton;
  };

  /// What a job brings beside its parts of x and λ.
  struct Outcome {
    Status status = Status::optimal;
    Effort effort;
    Eigen::VectorXd ray;
  };

  void divide_into_jobs();
  void run_jobs(const Program& program);
  void run_job(const Program& program, int job);
  void prepare(Engine& engine, const SolverOptions& options, Effort& effort);
  void take_multipliers(const Program& program, int island, const Engine& engine,
                        const Eigen::VectorXd& lambda, Eigen::VectorXd& z) const;
  void take_variables(const Program& program, int island, const Engine& engine,
                      const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  std::optional<Status> run_warm(const Program& program, int island, Engine& engine,
                                 Effort& effort);
  static Status run_methods(Engine& engine, const SolverOptions& options, Residuals& residuals,
                            Effort& effort);
  Status run_cold(Engine& engine, Residuals& residuals, Effort& effort);
  void reduce_norm(Engine& engine, Effort& effort);
  static bool may_be_hopeless(const Engine& engine);
  Status prove_hopeless(Engine& engine, Status status, Effort& effort);
  void solve_constants(const Program& program, int island, Outcome& outcome);
  void solve_island(const Program& program, int island, Engine& engine, Outcome& outcome);
  void put_ray(const Program& program, int island, Status status, const Engine& engine,
               Eigen::VectorXd& result) const;

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
  Interrupt interrupt_;
  Islands islands_;
  std::vector<int> first_island_;                 ///< of each job; one more at the end
  std::vector<std::unique_ptr<Engine>> engines_;  ///< of each job
  std::vector<Outcome> outcomes_;                 ///< of each job
  Judge judge_;
  WarmStart warm_;
  Eigen::VectorXd recalled_;
  Eigen::VectorXd guess_;                 ///< of x; empty if there is none
  Eigen::VectorXd near_x_, near_lambda_;  ///< likewise, of both
  Solution solution_;
};

/// By the program alone, so that nothing depends on the number of threads.
void Solver::Work::divide_into_jobs() {
  first_island_.clear();
  int gathered = kJob;
  for (int island = 0; island < islands_.count(); ++island) {
    const int blocks =
        islands_.first_block[index(island) + 1] - islands_.first_block[index(island)];
    const bool large = blocks >= kLargeEnough;
    if (large || gathered >= kJob) {
      first_island_.push_back(island);
      gathered = 0;
    }
    gathered = large ? kJob : gathered + blocks + 1;
  }
  const std::size_t jobs = first_island_.size();
  first_island_.push_back(islands_.count());
  if (engines_.size() < jobs) engines_.resize(jobs);
  outcomes_.resize(jobs);
}

/// Groups without variables: −b + Eλ ∈ K*. The projection of b on K is the multiplier, or the proof
/// that there is none, unless it is no longer than what other rows may be off: −b may lie on the
/// boundary of its cone.
void Solver::Work::solve_constants(const Program& program, int island, Outcome& outcome) {
  each_group(program, island, [&](const Program::Group& group, int) {
    auto lambda = solution_.lambda.segment(group.first_row, group.rows);
    project(group.cone, program.bounds().data() + group.first_row, group.rows, lambda.data());
    if (group.compliance > 0.0) {
      lambda /= group.compliance;
    } else if (lambda.norm() >
               options_.tolerance * program.bounds().segment(group.first_row, group.rows).norm()) {
      outcome.status = Status::infeasible;
      outcome.ray.setZero(program.rows());
      outcome.ray.segment(group.first_row, group.rows) = lambda;
      lambda.setZero();
    } else {
      lambda.setZero();
    }
  });
}

void Solver::Work::put_ray(const Program& program, int island, Status status, const Engine& engine,
                           Eigen::VectorXd& result) const {
  const Scaling& scaling = engine.scaling;
  const Eigen::VectorXd& ray = engine.method.ray();
  if (status == Status::infeasible) {
    result.setZero(program.rows());
    each_group(program, island, [&](const Program::Group& group, int at) {
      auto rows = result.segment(group.first_row, group.rows);
      rows = ray.segment(at, group.rows).cwiseProduct(scaling.row.segment(at, group.rows));
      turn_planar(group, rows);
    });
  } else {
    result.setZero(program.variables());
    each_block(program, island, [&](const Program::Block& block, int at) {
      result.segment(block.first, block.size) =
          ray.segment(at, block.size).cwiseProduct(scaling.variable.segment(at, block.size));
    });
  }
}

void Solver::Work::prepare(Engine& engine, const SolverOptions& options, Effort& effort) {
  const Stopwatch watch(effort.analysis_seconds);
  engine.system.prepare(engine.part, options, interrupt_);
}

/// λ and x of the program as z and y of an island, in its measure.
void Solver::Work::take_multipliers(const Program& program, int island, const Engine& engine,
                                    const Eigen::VectorXd& lambda, Eigen::VectorXd& z) const {
  const Scaling& scaling = engine.scaling;
  z.resize(engine.part.rows());
  each_group(program, island, [&](const Program::Group& group, int at) {
    auto rows = z.segment(at, group.rows);
    rows = lambda.segment(group.first_row, group.rows);
    turn_planar(group, rows);
    rows.array() /= scaling.multipliers * scaling.row.segment(at, group.rows).array();
  });
}

void Solver::Work::take_variables(const Program& program, int island, const Engine& engine,
                                  const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  const Scaling& scaling = engine.scaling;
  y.resize(engine.part.variables());
  each_block(program, island, [&](const Program::Block& block, int at) {
    y.segment(at, block.size) =
        x.segment(block.first, block.size)
            .cwiseQuotient(scaling.solution * scaling.variable.segment(at, block.size));
  });
}

/// From the last multipliers or a guess, by Newton's method alone. Nothing if it did not get there.
std::optional<Status> Solver::Work::run_warm(const Program& program, int island, Engine& engine,
                                             Effort& effort) {
  const bool guessed = guess_.size() > 0 && is_soft(engine.part);
  if (warm_.empty() && !guessed) return {};
  Iterate& start = engine.method.best();
  take_multipliers(program, island, engine, recalled_, start.z);
  if (guessed) {
    take_variables(program, island, engine, guess_, start.y);
  } else if (!engine.system.balance(start.z, start.y)) {
    return {};
  }
  if (is_soft(engine.part)) {
    ProximalNewton::Options proximal;
    proximal.tolerance = options_.tolerance;
    proximal.rho = kProximal;
    proximal.max_steps = kSoftFactorizations;
    engine.proximal.improve(engine.part, engine.system, proximal, start.y, start.z, effort);
  }
  const Residuals residuals =
      engine.newton.polish(engine.part, engine.system, {options_.tolerance, kWarmFactorizations},
                           start.y, start.z, effort);
  if (within(residuals, options_)) return Status::optimal;
  if (engine.system.interrupted()) return Status::interrupted;
  return {};
}

/// The interior-point method as far as it gets, then Newton's.
Status Solver::Work::run_methods(Engine& engine, const SolverOptions& options, Residuals& residuals,
                                 Effort& effort) {
  const Status status =
      engine.method.run(engine.part, engine.system, engine.newton, options, effort);
  if (!unfinished(status)) return status;
  Iterate& best = engine.method.best();
  // Near the solution Newton's method alone gets there, in a few steps.
  residuals =
      engine.newton.polish(engine.part, engine.system, {options.tolerance}, best.y, best.z, effort);
  if (within(residuals, options)) return Status::optimal;
  ProximalNewton::Options proximal;
  proximal.tolerance = options.tolerance;
  if (is_soft(engine.part)) proximal.rho = kProximal;
  engine.proximal.improve(engine.part, engine.system, proximal, best.y, best.z, effort);
  residuals =
      engine.newton.polish(engine.part, engine.system, {options.tolerance}, best.y, best.z, effort);
  if (within(residuals, options)) return Status::optimal;
  return engine.system.interrupted() ? Status::interrupted : status;
}

/// With a factor after all, if conjugate gradients have failed.
Status Solver::Work::run_cold(Engine& engine, Residuals& residuals, Effort& effort) {
  Status status = run_methods(engine, options_, residuals, effort);
  if (unfinished(status) && engine.system.is_iterative() &&
      options_.linear == LinearMethod::automatic) {
    effort.cg_iterations += engine.system.cg_iterations();
    SolverOptions direct = options_;
    direct.linear = LinearMethod::direct;
    prepare(engine, direct, effort);
    if (!engine.system.is_iterative()) status = run_methods(engine, options_, residuals, effort);
  }
  effort.iterations = std::max(effort.iterations, engine.method.iterations());
  return status;
}

/// Multipliers of least norm, if they are no worse.
void Solver::Work::reduce_norm(Engine& engine, Effort& effort) {
  Iterate& best = engine.method.best();
  LeastNorm least(engine.part, best.y, best.z, std::max(kTouching, 10.0 * options_.tolerance));
  Engine other;
  std::swap(other.part, least.program());
  prepare(other, options_, effort);
  Residuals residuals;
  run_methods(other, options_, residuals, effort);
  Eigen::VectorXd y = best.y;
  Eigen::VectorXd z = least.multipliers(other.method.best().z);
  residuals = engine.newton.polish(engine.part, engine.system, {options_.tolerance}, y, z, effort);
  if (!within(residuals, options_)) return;
  best.y = y;
  best.z = z;
}

/// Soft rows can always be met, and masses bound what is minimised.
bool Solver::Work::may_be_hopeless(const Engine& engine) {
  const std::vector<Program::Group>& groups = engine.part.groups();
  return engine.system.has_massless() || !is_soft(engine.part) ||
         std::any_of(groups.begin(), groups.end(), [](const Program::Group& group) {
           return group.cone == Cone::zero && group.compliance == 0.0;
         });
}

/// Whether a program that could not be solved has no solution; otherwise `status`.
Status Solver::Work::prove_hopeless(Engine& engine, Status status, Effort& effort) {
  SolverOptions options = options_;
  options.tolerance = options.complementarity_tolerance = kLastDigit;
  Residuals residuals;
  Engine other;
  other.part = violation_program(engine.part);
  prepare(other, options, effort);
  run_methods(other, options, residuals, effort);
  if (engine.method.is_ray(engine.part, other.method.best().z, Status::infeasible)) {
    return Status::infeasible;
  }
  if (!engine.system.has_massless()) return status;
  other.part = recession_program(engine.part);
  prepare(other, options, effort);
  run_methods(other, options, residuals, effort);
  if (engine.method.is_ray(engine.part, other.method.best().y, Status::unbounded)) {
    return Status::unbounded;
  }
  return status;
}

void Solver::Work::solve_island(const Program& program, int island, Engine& engine,
                                Outcome& outcome) {
  islands_.extract(program, island, engine.part, engine.scratch);
  engine.scaling.measure(engine.part);
  engine.scaling.apply(engine.part);
  Effort& effort = outcome.effort;
  prepare(engine, options_, effort);
  Residuals residuals;
  const std::optional<Status> warm = run_warm(program, island, engine, effort);
  if (!warm && near_x_.size() > 0) {
    Iterate& start = engine.method.begin_near();
    take_variables(program, island, engine, near_x_, start.y);
    take_multipliers(program, island, engine, near_lambda_, start.z);
  }
  Status status = warm ? *warm : run_cold(engine, residuals, effort);
  if (warm == Status::optimal) ++effort.warm_islands;
  if (options_.least_norm && status == Status::optimal) {
    reduce_norm(engine, effort);
    if (interrupt_.came()) status = Status::interrupted;
  }
  if (engine.system.is_iterative()) ++effort.iterative_islands;
  effort.cg_iterations += engine.system.cg_iterations();
  effort.factor_entries += engine.system.factor_entries();
  if (unfinished(status) && residuals.worst() > kNearlySolved && may_be_hopeless(engine)) {
    status = prove_hopeless(engine, status, effort);
    if (unfinished(status) && interrupt_.came()) status = Status::interrupted;
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
  const Status before = outcome.status;
  outcome.status = worse(before, status);
  const bool has_ray = status == Status::infeasible || status == Status::unbounded;
  if (has_ray && outcome.status != before) put_ray(program, island, status, engine, outcome.ray);
}

void Solver::Work::run_job(const Program& program, int job) {
  std::unique_ptr<Engine>& engine = engines_[index(job)];
  if (!engine) engine = std::make_unique<Engine>();
  Outcome& outcome = outcomes_[index(job)];
  outcome.status = Status::optimal;
  outcome.effort = {};
  outcome.ray.resize(0);
  for (int island = first_island_[index(job)]; island < first_island_[index(job) + 1]; ++island) {
    if (interrupt_.came()) {
      outcome.status = worse(outcome.status, Status::interrupted);
    } else if (islands_.first_block[index(island)] == islands_.first_block[index(island) + 1]) {
      solve_constants(program, island, outcome);
    } else {
      solve_island(program, island, *engine, outcome);
    }
  }
}

void Solver::Work::run_jobs(const Program& program) {
  const int jobs = static_cast<int>(outcomes_.size());
  with_threads(options_.threads, [&](int) {
    if (program.blocks().size() < kWorthThreads) {
      for (int job = 0; job < jobs; ++job) run_job(program, job);
    } else {
      run_tasks(jobs, [&](int job) { run_job(program, job); });
    }
  });
}

const Solution& Solver::Work::solve(const Program& program) {
  solution_.effort = {};
  {
    const Stopwatch watch(solution_.effort.total_seconds);
    interrupt_.reset();
    solution_.status = Status::optimal;
    solution_.x.setZero(program.variables());
    solution_.lambda.setZero(program.rows());
    solution_.ray.resize(0);
    if (guess_.size() != program.variables()) guess_.resize(0);
    if (near_x_.size() != program.variables() || near_lambda_.size() != program.rows())
      near_x_.resize(0);
    recalled_.setZero(program.rows());
    if (!warm_.empty() && warm_.recall(program, recalled_) == 0) warm_.forget();
    islands_.find(program);
    divide_into_jobs();
    run_jobs(program);
    for (Outcome& outcome : outcomes_) {
      solution_.effort += outcome.effort;
      const Status before = solution_.status;
      solution_.status = worse(before, outcome.status);
      if (solution_.status != before && outcome.ray.size() > 0) {
        solution_.ray.swap(outcome.ray);
        outcome.ray.resize(0);
      }
    }
    solution_.effort.islands = islands_.count();
    solution_.residuals = judge_.judge(program, solution_.x, solution_.lambda);
    // The last word: what is claimed is what the judge of all solvers finds.
    if (solution_.status == Status::optimal && !within(solution_.residuals, options_, kSlack)) {
      solution_.status = Status::stalled;
    }
    // A ray is judged where it is found, in its island. But there planar cones are inequalities with
    // rows of their own, and a gain that is rounding in the program may be one of these.
    const bool no_gain = (solution_.status == Status::infeasible &&
                          std::isinf(infeasibility_defect(program, solution_.ray))) ||
                         (solution_.status == Status::unbounded &&
                          std::isinf(unboundedness_defect(program, solution_.ray)));
    if (no_gain) {
      solution_.status = Status::stalled;
      solution_.ray.resize(0);
    }
    if (options_.warm_start) warm_.remember(program, solution_.lambda);
    guess_.resize(0);
    near_x_.resize(0);
  }
  return solution_;
}

Solver::Solver(SolverOptions options) : work_(std::make_unique<Work>(std::move(options))) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Solution& Solver::solve(const Program& program) { return work_->solve(program); }

void Solver::begin_at(Eigen::VectorXd x) { work_->begin_at(std::move(x)); }

void Solver::begin_near(Eigen::VectorXd x, Eigen::VectorXd lambda) {
  work_->begin_near(std::move(x), std::move(lambda));
}

void Solver::set_tolerance(double tolerance) { work_->set_tolerance(tolerance); }

Solution solve(const Program& program, const SolverOptions& options) {
  SolverOptions once = options;
  once.warm_start = false;
  return Solver(std::move(once)).solve(program);
}

}  // namespace collapse
