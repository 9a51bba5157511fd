#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "collapse/core/error.hpp"
#include "collapse/solver/coulomb.hpp"
#include "solver/common.hpp"
#include "solver/delassus_newton.hpp"
#include "solver/delassus_program.hpp"

namespace collapse {
namespace {

using SparseOperator = Eigen::SparseMatrix<double>;

// The answer is judged anew, in other sums.
constexpr double kJudgedAnew = 0.99;

void expect_count(const char* place, Eigen::Index found, Eigen::Index expected) {
  if (found != expected) throw Error(place, std::to_string(found), std::to_string(expected));
}

void expect_finite(const char* place, const Eigen::VectorXd& values) {
  if (!values.allFinite()) throw Error(place, "a value that is not finite", "finite numbers");
}

void validate_contacts(const SparseOperator& W, const Eigen::VectorXd& q,
                       const Eigen::VectorXd& mu) {
  expect_count("q.size", q.size(), 3 * mu.size());
  expect_count("W.rows", W.rows(), q.size());
  expect_count("W.cols", W.cols(), q.size());
  expect_finite("q", q);
  expect_finite("mu", mu);
  if (mu.size() > 0 && mu.minCoeff() < 0.0) {
    throw Error("mu", std::to_string(mu.minCoeff()), "0 or more");
  }
  for (Eigen::Index j = 0; j < W.cols(); ++j) {
    for (SparseOperator::InnerIterator it(W, j); it; ++it) {
      if (std::isfinite(it.value())) continue;
      throw Error("W", "a value that is not finite", "finite numbers");
    }
  }
}

/// What makes a problem free of units: r = size · R r̃ and ũ = R u / size, with R = diag(row).
struct ContactMeasure {
  Eigen::VectorXd row;
  Eigen::VectorXd mu;  ///< of the cones in this measure
  double size = 1.0;
};

ContactMeasure measure_contacts(const SparseOperator& W, const Eigen::VectorXd& q,
                                const Eigen::VectorXd& mu) {
  const Eigen::VectorXd diagonal = W.diagonal().cwiseAbs();
  const double mean = diagonal.size() > 0 ? diagonal.mean() : 0.0;
  ContactMeasure measure;
  measure.row.resize(q.size());
  measure.mu = mu.cwiseMin(1.0);
  for (Eigen::Index i = 0; i < mu.size(); ++i) {
    // Where W has nothing on the diagonal, anything that fits the others.
    const double own = diagonal.segment<3>(3 * i).mean();
    const double d = 1.0 / std::sqrt(own > 0.0 ? own : (mean > 0.0 ? mean : 1.0));
    // Wide cones are narrowed to a right angle: with μ up to 1000 half of all problems fail otherwise.
    measure.row.segment<3>(3 * i) << d / std::max(1.0, mu[i]), d, d;
  }
  const double largest_q = largest(measure.row.cwiseProduct(q));
  if (largest_q > 0.0) measure.size = largest_q;
  return measure;
}

/// R W R as blocks.
BlockRows contact_blocks(const SparseOperator& W, const Eigen::VectorXd& row) {
  const int n = static_cast<int>(row.size() / 3);
  // For each block column the rows with entries, both ways, for the pattern must be symmetric.
  std::vector<std::vector<int>> coupled(index(n));
  std::vector<int> seen(index(n), -1);
  for (int j = 0; j < n; ++j) {
    coupled[index(j)].push_back(j);
    for (int c = 0; c < 3; ++c) {
      for (SparseOperator::InnerIterator it(W, 3 * j + c); it; ++it) {
        const int i = static_cast<int>(it.row()) / 3;
        if (it.value() == 0.0 || i == j || seen[index(i)] == j) continue;
        seen[index(i)] = j;
        coupled[index(i)].push_back(j);
        coupled[index(j)].push_back(i);
      }
    }
  }
  BlockRows rows;
  for (std::vector<int>& columns : coupled) {
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    rows.column.insert(rows.column.end(), columns.begin(), columns.end());
    rows.start.push_back(static_cast<int>(rows.column.size()));
  }
  rows.block.assign(rows.column.size(), Eigen::Matrix3d::Zero());
  for (int j = 0; j < n; ++j) {
    for (int c = 0; c < 3; ++c) {
      int last = -1;  // the block of the entry before: entries of a column come sorted
      int block = 0;
      for (SparseOperator::InnerIterator it(W, 3 * j + c); it; ++it) {
        if (it.value() == 0.0) continue;
        const int i = static_cast<int>(it.row()) / 3;
        if (i != last) block = rows.find(i, j);
        last = i;
        rows.block[index(block)](it.row() % 3, c) += row[it.row()] * it.value() * row[3 * j + c];
      }
    }
  }
  return rows;
}

/// The contacts of each island, ascending.
std::vector<std::vector<int>> contact_islands(const BlockRows& W) {
  std::vector<std::vector<int>> islands;
  std::vector<char> taken(index(W.rows()), 0);
  for (int first = 0; first < W.rows(); ++first) {
    if (taken[index(first)] != 0) continue;
    taken[index(first)] = 1;
    std::vector<int> island = {first};
    for (std::size_t k = 0; k < island.size(); ++k) {
      const int i = island[k];
      for (int b = W.start[index(i)]; b < W.start[index(i) + 1]; ++b) {
        const int j = W.column[index(b)];
        if (taken[index(j)] != 0) continue;
        taken[index(j)] = 1;
        island.push_back(j);
      }
    }
    std::sort(island.begin(), island.end());
    islands.push_back(std::move(island));
  }
  return islands;
}

/// One island; `local` is room for the numbers of its contacts in it.
ContactIsland extract_island(const BlockRows& W, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& mu, const std::vector<int>& contacts,
                             std::vector<int>& local) {
  ContactIsland island;
  const int n = static_cast<int>(contacts.size());
  island.q.resize(3 * n);
  island.mu.resize(n);
  for (int i = 0; i < n; ++i) local[index(contacts[index(i)])] = i;
  for (int i = 0; i < n; ++i) {
    const int contact = contacts[index(i)];
    island.q.segment<3>(3 * i) = q.segment<3>(3 * contact);
    island.mu[i] = mu[contact];
    for (int b = W.start[index(contact)]; b < W.start[index(contact) + 1]; ++b) {
      island.W.column.push_back(local[index(W.column[index(b)])]);
      island.W.block.push_back(W.block[index(b)]);
    }
    island.W.start.push_back(static_cast<int>(island.W.column.size()));
  }
  return island;
}

}  // namespace

double coulomb_residual(const SparseOperator& W, const Eigen::VectorXd& q,
                        const Eigen::VectorXd& mu, const Eigen::VectorXd& r) {
  validate_contacts(W, q, mu);
  expect_count("r.size", r.size(), q.size());
  if (!r.allFinite()) return std::numeric_limits<double>::infinity();
  const ContactMeasure measure = measure_contacts(W, q, mu);
  const Eigen::VectorXd force = r.cwiseQuotient(measure.row) / measure.size;
  const Eigen::VectorXd velocity = measure.row.cwiseProduct(W * r + q) / measure.size;
  Eigen::VectorXd defect = force;
  for (Eigen::Index i = 0; i < mu.size(); ++i) {
    const Eigen::Vector3d u = with_lift(measure.mu[i], velocity.segment<3>(3 * i));
    defect.segment<3>(3 * i) -=
        project_on_friction_cone(measure.mu[i], force.segment<3>(3 * i) - u);
  }
  const double scale = (measure.row.cwiseProduct(q) / measure.size).norm();
  const double residual = defect.norm() / (scale > 0.0 ? scale : 1.0);
  return std::isfinite(residual) ? residual : std::numeric_limits<double>::infinity();
}

DelassusSolution solve_coulomb(const SparseOperator& W, const Eigen::VectorXd& q,
                               const Eigen::VectorXd& mu, const DelassusOptions& options) {
  validate_contacts(W, q, mu);
  if (options.start.size() > 0) {
    expect_count("DelassusOptions.start.size", options.start.size(), q.size());
  }
  expect_finite("DelassusOptions.start", options.start);
  if (!(options.tolerance > 0.0)) {
    throw Error("DelassusOptions.tolerance", std::to_string(options.tolerance), "more than 0");
  }
  if (options.max_steps < 1) {
    throw Error("DelassusOptions.max_steps", std::to_string(options.max_steps), "at least 1");
  }
  const ContactMeasure measure = measure_contacts(W, q, mu);
  const BlockRows blocks = contact_blocks(W, measure.row);
  const Eigen::VectorXd scaled_q = measure.row.cwiseProduct(q) / measure.size;
  // The solution in this measure; at first the start.
  Eigen::VectorXd forces = Eigen::VectorXd::Zero(q.size());
  if (options.start.size() > 0) forces = options.start.cwiseQuotient(measure.row) / measure.size;

  DelassusSolution solution;
  DelassusEffort effort;
  std::vector<int> local(index(blocks.rows()));
  for (const std::vector<int>& contacts : contact_islands(blocks)) {
    ++solution.islands;
    ContactIsland island = extract_island(blocks, scaled_q, measure.mu, contacts, local);
    const double size = island.q.norm();
    Eigen::VectorXd r = Eigen::VectorXd::Zero(island.q.size());
    if (size > 0.0) {
      island.q /= size;
      for (int i = 0; i < island.contacts(); ++i) {
        r.segment<3>(3 * i) = forces.segment<3>(3 * contacts[index(i)]) / size;
      }
      DelassusNewton newton(island);
      const double residual = newton.solve(kJudgedAnew * options.tolerance, options.max_steps,
                                           options.interrupt, r, effort);
      // An island that hardly moves may be hopeless in its own measure and not matter.
      if (residual * size > options.tolerance * scaled_q.norm() && !effort.interrupted) {
        ++solution.programs;
        const Eigen::VectorXd other =
            solve_as_program(island, options.tolerance, options.interrupt, effort);
        if (other.size() == r.size() && newton.residual(other) < residual) r = other;
      }
    }
    for (int i = 0; i < island.contacts(); ++i) {
      forces.segment<3>(3 * contacts[index(i)]) = size * r.segment<3>(3 * i);
    }
  }
  solution.r = measure.size * measure.row.cwiseProduct(forces);
  solution.steps = effort.steps;
  solution.factorizations = effort.factorizations;
  if (!solution.r.allFinite()) solution.r.setZero();  // numbers near the end of the range
  solution.residual = coulomb_residual(W, q, mu, solution.r);
  if (solution.residual <= options.tolerance) {
    solution.status = Status::optimal;
  } else if (effort.interrupted) {
    solution.status = Status::interrupted;
  }
  return solution;
}

}  // namespace collapse
