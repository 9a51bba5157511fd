#include "benchmarks/analytical.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "benchmarks/child.hpp"
#include "collapse/analytical/motion.hpp"
#include "scenes/generalised.hpp"

namespace collapse::benchmarks {
namespace {

using analytical::ActiveSet;
using analytical::Collision;
using analytical::CollisionLimits;
using analytical::CollisionModel;
using analytical::CollisionOutcome;
using analytical::ImpactModel;
using analytical::Integrator;
using analytical::Motion;
using analytical::MotionOptions;
using analytical::Relation;
using scenes::Corner;
using ProgressCallback = std::function<void(const std::string&)>;

constexpr std::array kSets = {ActiveSet::platt, ActiveSet::improved, ActiveSet::right,
                              ActiveSet::convex};
constexpr const char* kSetNames =
    "algorithm 1: Platt, 2: improved, 3: \"right\", 4: convex program";

double number_of(ActiveSet set) { return static_cast<double>(set) + 1.0; }

/// A force on the particle in the corner, and where it should go.
struct CornerCase {
  Corner corner;
  Eigen::Vector2d force;
  Eigen::Vector2d acceleration;  ///< times the mass
};

const std::array kCornerCases = {
    CornerCase{Corner::acute, {2.0, -1.0}, {2.0, 0.0}},
    CornerCase{Corner::acute, {-1.0, -2.0}, {0.0, 0.0}},
    CornerCase{Corner::obtuse, {-2.0, -1.0}, {-0.5, 0.5}},
};

/// Stabilisation in about the shortest time that the steps allow.
MotionOptions figure_options(ActiveSet set) {
  MotionOptions options;
  options.step = 1.0 / 400.0;
  options.tau = 1.4 * options.step;
  options.active_set = set;
  return options;
}

struct Oscillation {
  double violation = 0.0;
  double turns = 0.0;  ///< how often ÿ changed its sign
};

Oscillation oscillation(double mass, const MotionOptions& options, int steps) {
  const scenes::GeneralisedScene scene =
      scenes::corner_particle(Corner::acute, mass, kCornerCases[0].force);
  Motion motion(scene.system, scene.start, options);
  Oscillation result;
  double last = 0.0;
  for (int i = 0; i < steps; ++i) {
    motion.step();
    result.violation = std::max(result.violation, motion.violation());
    const double now = motion.last().acceleration[1];
    if (std::abs(now) < 1e-9) continue;
    if (now * last < 0.0) result.turns += 1.0;
    last = now;
  }
  return result;
}

double moving_balls(const Eigen::VectorXd& v) {
  double count = 0.0;
  for (int ball = 0; ball < scenes::kBilliardBalls; ++ball) {
    if (v.segment<2>(2 * ball).norm() > 1e-6) count += 1.0;
  }
  return count;
}

/// Balls on a line from left to right, each touching the next.
Collision line_of_balls(const Eigen::VectorXd& masses, const Eigen::VectorXd& speeds,
                        double restitution) {
  const Eigen::Index n = masses.size();
  Collision collision{masses.asDiagonal(), speeds, Eigen::MatrixXd::Zero(n - 1, n),
                      std::vector<Relation>(static_cast<std::size_t>(n - 1), Relation::at_least),
                      Eigen::VectorXd::Constant(n - 1, restitution)};
  for (Eigen::Index k = 0; k + 1 < n; ++k) {
    collision.J(k, k) = -1.0;
    collision.J(k, k + 1) = 1.0;
  }
  return collision;
}

/// Inelastic; the lower ball has mass 1 and lies on the floor.
Collision balls_on_floor(double ratio) {
  Collision collision{Eigen::Vector2d(1.0, ratio).asDiagonal(), Eigen::Vector2d(0.0, -1.0),
                      Eigen::Matrix2d::Zero(), std::vector<Relation>(2, Relation::at_least),
                      Eigen::Vector2d::Zero()};
  collision.J << -1.0, 1.0, 1.0, 0.0;
  return collision;
}

}  // namespace

Table corner_cases(const ProgressCallback& progress) {
  Table table;
  table.title = fmt::format(
      "particle in a corner (1: x - y >= 0, y >= 0; 2: y >= 0, x + y >= 0), 500 steps of 1/100, "
      "tau = 1/20; {}",
      kSetNames);
  table.columns = {"corner",    "force x",      "force y",  "mass",    "algorithm",
                   "violation", "error at end", "lambda 1", "lambda 2"};
  for (const CornerCase& test : kCornerCases) {
    for (const double mass : {2.0, 3.0}) {
      for (const ActiveSet set : kSets) {
        progress(fmt::format("force ({}, {})", test.force[0], test.force[1]));
        const scenes::GeneralisedScene scene =
            scenes::corner_particle(test.corner, mass, test.force);
        MotionOptions options;
        options.step = 1e-2;
        options.tau = 5e-2;
        options.active_set = set;
        options.integrator = Integrator::runge_kutta;
        Motion motion(scene.system, scene.start, options);
        double violation = 0.0;
        for (int i = 0; i < 500; ++i) {
          motion.step();
          violation = std::max(violation, motion.violation());
        }
        const double t = motion.state().time;
        const double error = (motion.state().x - 0.5 * t * t / mass * test.acceleration).norm();
        table.rows.push_back({test.corner == Corner::acute ? 1.0 : 2.0, test.force[0],
                              test.force[1], mass, number_of(set), violation, error,
                              motion.last().lambda[0], motion.last().lambda[1]});
      }
    }
  }
  return table;
}

Table corner_figures(const ProgressCallback& progress) {
  Table table;
  table.title =
      "Figures 2 and 3: particle of mass 2 and 3 in the corner, force (2, -1), steps of "
      "1/400, tau = 1.4 steps";
  table.columns = {"step"};
  table.rows.resize(24);
  for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i] = {static_cast<double>(i + 1)};
  for (const double mass : {2.0, 3.0}) {
    for (const ActiveSet set : {ActiveSet::platt, ActiveSet::right}) {
      const std::string name = set == ActiveSet::platt ? "Platt" : "right";
      progress(fmt::format("mass {}, {}", mass, name));
      table.columns.push_back(fmt::format("m = {}, {}: y", mass, name));
      table.columns.push_back("acceleration");
      const scenes::GeneralisedScene scene =
          scenes::corner_particle(Corner::acute, mass, kCornerCases[0].force);
      Motion motion(scene.system, scene.start, figure_options(set));
      for (std::vector<double>& row : table.rows) {
        motion.step();
        row.push_back(motion.state().x[1]);
        row.push_back(motion.last().acceleration[1]);
      }
    }
  }
  return table;
}

Table corner_stabilisation(const ProgressCallback& progress) {
  Table table;
  table.title =
      "Platt's algorithm on the particle in the corner, force (2, -1), 400 steps of 1/400: "
      "violation times m/h^2, and how "
      "often the acceleration changes its sign";
  table.columns = {"tau/h",         "mass",  "euler: violation", "turns",
                   "semi-implicit", "turns", "Runge-Kutta",      "turns"};
  for (const double ratio : {0.5, 0.75, 0.9, 1.0, 1.2, 1.4, 1.6, 2.0, 5.0, 10.0}) {
    for (const double mass : {2.0, 3.0}) {
      progress(fmt::format("tau/h {}, mass {}", ratio, mass));
      std::vector<double> row = {ratio, mass};
      for (const Integrator integrator :
           {Integrator::euler, Integrator::semi_implicit, Integrator::runge_kutta}) {
        MotionOptions options = figure_options(ActiveSet::platt);
        options.tau = ratio * options.step;
        options.integrator = integrator;
        const Oscillation result = oscillation(mass, options, 400);
        row.push_back(result.violation * mass / (options.step * options.step));
        row.push_back(result.turns);
      }
      table.rows.push_back(row);
    }
  }
  return table;
}

Table billiards_break(const ProgressCallback& progress) {
  Table table;
  table.title = fmt::format(
      "billiards, 11 balls, 77 inequalities, 2 s; impacts 1: by stabilisation (as published), 2: "
      "simultaneous, 3: "
      "propagation, restitution 1; {}",
      kSetNames);
  table.columns = {"algorithm",   "impacts",         "step", "violation", "instants of impact",
                   "energy left", "balls that move", "s"};
  for (const ImpactModel rule :
       {ImpactModel::stabilisation, ImpactModel::simultaneous, ImpactModel::propagation}) {
    const bool published = rule == ImpactModel::stabilisation;
    for (const ActiveSet set : kSets) {
      if (!published && set != ActiveSet::right && set != ActiveSet::convex) continue;
      progress(fmt::format("algorithm {}, impacts {}", number_of(set), static_cast<int>(rule) + 1));
      MotionOptions options;
      options.step = published ? 1e-3 : 1e-2;
      options.tau = 1e-2;
      options.active_set = set;
      options.rewind = true;
      options.impacts = rule;
      options.restitution = 1.0;
      const scenes::GeneralisedScene scene = scenes::billiards(10.0);
      Motion motion(scene.system, scene.start, options);
      const double before = motion.kinetic_energy();
      double violation = 0.0;
      const double spent = seconds([&] {
        const long steps = std::lround(2.0 / options.step);
        for (long i = 0; i < steps; ++i) {
          motion.step();
          violation = std::max(violation, motion.violation());
        }
      });
      table.rows.push_back({number_of(set), static_cast<double>(rule) + 1.0, options.step,
                            violation, static_cast<double>(motion.impacts()),
                            motion.kinetic_energy() / before, moving_balls(motion.state().v),
                            spent});
    }
  }
  return table;
}

Table chain_drift(const ProgressCallback& progress) {
  Table table;
  table.title =
      "chain of 5 links that falls from level, 2 s in steps of 1/1000 (Runge-Kutta): largest error "
      "of a length by tau, and "
      "how far its end is from that of the same chain in angles";
  table.columns = {"tau", "error of lengths", "error of the end"};
  const auto end_after = [&](const scenes::GeneralisedScene& scene, double tau, double& violation) {
    MotionOptions options;
    options.step = 1e-3;
    options.tau = tau;
    options.integrator = Integrator::runge_kutta;
    Motion motion(scene.system, scene.start, options);
    for (int i = 0; i < 2000; ++i) {
      motion.step();
      violation = std::max(violation, motion.violation());
    }
    return motion.state().x;
  };
  double none = 0.0;
  progress("in angles");
  const Eigen::Vector2d reference =
      scenes::end_of_chain(end_after(scenes::chain_of_angles(5), 1.0, none));
  for (const double tau : {1e9, 1.0, 0.1, 0.01, 0.003, 0.001}) {
    progress(fmt::format("tau {}", tau));
    double violation = 0.0;
    const Eigen::VectorXd x = end_after(scenes::chain_of_points(5), tau, violation);
    table.rows.push_back({tau, violation, (x.tail<2>() - reference).norm()});
  }
  return table;
}

Table balls_in_line(const ProgressCallback&) {
  Table table;
  table.title =
      "balls in a line, the first hits the others with speed 1; model 1: simultaneous, 2: "
      "propagation";
  table.columns = {"balls",       "restitution", "model",  "first", "second",
                   "before last", "last",        "energy", "hits"};
  for (const int balls : {3, 5}) {
    for (const double restitution : {1.0, 0.5, 0.0}) {
      for (const CollisionModel model :
           {CollisionModel::simultaneous, CollisionModel::propagation}) {
        const Collision collision = line_of_balls(Eigen::VectorXd::Ones(balls),
                                                  Eigen::VectorXd::Unit(balls, 0), restitution);
        const CollisionOutcome outcome = collide(collision, model);
        table.rows.push_back({static_cast<double>(balls), restitution,
                              static_cast<double>(model) + 1.0, outcome.v[0], outcome.v[1],
                              outcome.v[balls - 2], outcome.v[balls - 1], outcome.v.squaredNorm(),
                              static_cast<double>(outcome.hits)});
      }
    }
  }
  return table;
}

Table mass_ratios(const ProgressCallback& progress) {
  Table table;
  table.title =
      "a ball of this mass on one of mass 1 on the floor, inelastic: impacts of propagation until "
      "1e-6 of the speed is left, "
      "as counted and as 2 ln 1e-6 / ln(r/(1 + r)); speed left after 100 impacts; speed left by "
      "one simultaneous program";
  table.columns = {"mass ratio", "impacts", "expected", "left after 100", "left by the program"};
  for (const double ratio : {0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0}) {
    progress(fmt::format("mass ratio {}", ratio));
    const Collision collision = balls_on_floor(ratio);
    CollisionLimits limits;
    limits.tolerance = 1e-6;
    const CollisionOutcome apart = collide(collision, CollisionModel::propagation, limits);
    const CollisionOutcome together = collide(collision, CollisionModel::simultaneous);
    limits.hits = 100;
    const CollisionOutcome cut = collide(collision, CollisionModel::propagation, limits);
    table.rows.push_back({ratio, static_cast<double>(apart.hits),
                          2.0 * std::log(1e-6) / std::log(ratio / (1.0 + ratio)),
                          std::abs(cut.v[1]), std::abs(together.v[1])});
  }
  return table;
}

}  // namespace collapse::benchmarks
