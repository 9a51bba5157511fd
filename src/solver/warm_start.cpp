#include "solver/warm_start.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "solver/cones.hpp"

namespace collapse {
namespace {

// Larger groups and blocks start at zero: points of rims, and pyramids of friction, in which a start from the last force
// was tried and takes up to half as many iterations again.
constexpr int kLargestGroup = 6;
constexpr int kLargestBlock = 6;

using Rows = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kLargestGroup, 1>;
using Square =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kLargestGroup, kLargestGroup>;

bool is_eligible(const Program& program, const Program::Group& group) {
  return group.id != 0 && group.terms > 0 && group.rows <= kLargestGroup &&
         program.blocks()[static_cast<std::size_t>(program.terms(group).front().block)].size <=
             kLargestBlock;
}

}  // namespace

void WarmStart::remember(const Program& program, const Eigen::VectorXd& lambda) {
  entries_.clear();
  forces_.clear();
  for (const Program::Group& group : program.groups()) {
    if (!is_eligible(program, group)) continue;
    const auto A = program.coefficients(group, program.terms(group).front());
    entries_.push_back({group.id, forces_.size(), static_cast<int>(A.cols())});
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      forces_.push_back(A.col(j).dot(lambda.segment(group.first_row, group.rows)));
    }
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.id < b.id; });
}

int WarmStart::recall(const Program& program, Eigen::VectorXd& lambda) {
  lambda.setZero(program.rows());
  int known = 0;
  for (const Program::Group& group : program.groups()) {
    if (!is_eligible(program, group)) continue;
    const auto entry = std::lower_bound(
        entries_.begin(), entries_.end(), group.id,
        [](const Entry& candidate, std::uint64_t id) { return candidate.id < id; });
    const auto A = program.coefficients(group, program.terms(group).front());
    if (entry == entries_.end() || entry->id != group.id || entry->size != A.cols()) continue;
    ++known;
    const Eigen::Map<const Eigen::VectorXd> force(forces_.data() + entry->first, entry->size);
    Square normal = A.lazyProduct(A.transpose());
    normal.diagonal().array() += 1e-12 * normal.diagonal().maxCoeff();  // rows may be dependent
    Rows fit = A.lazyProduct(force);
    normal.ldlt().solveInPlace(fit);
    if (!fit.allFinite()) continue;
    project(group.cone, fit.data(), group.rows, lambda.data() + group.first_row);
  }
  return known;
}

}  // namespace collapse
