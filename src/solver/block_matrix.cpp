#include "solver/block_matrix.hpp"

#include <algorithm>

#include "collapse/core/check.hpp"
#include "solver/common.hpp"

namespace collapse {
namespace {

/// y += A x for a symmetric block of which the lower triangle is stored.
template <int N>
void add_symmetric(int size, const double* A, const double* x, double* y) {
  const int n = N > 0 ? N : size;
  for (int j = 0; j < n; ++j, A += n) {
    double sum = A[j] * x[j];
    for (int i = j + 1; i < n; ++i) {
      y[i] += A[i] * x[j];
      sum += A[i] * x[i];
    }
    y[j] += sum;
  }
}

/// y += A x and v += Aᵀ u.
template <int N>
void add_both(int rows, int columns, const double* A, const double* x, double* y, const double* u,
              double* v) {
  const int m = N > 0 ? N : rows;
  const int n = N > 0 ? N : columns;
  for (int j = 0; j < n; ++j, A += m) {
    double sum = 0.0;
    for (int i = 0; i < m; ++i) {
      y[i] += A[i] * x[j];
      sum += A[i] * u[i];
    }
    v[j] += sum;
  }
}

}  // namespace

void BlockMatrix::fit(const Graph& graph, std::vector<int> sizes) {
  COLLAPSE_DEMAND(graph.nodes() == static_cast<int>(sizes.size()));
  sizes_ = std::move(sizes);
  first_.assign(1, 0);
  for (const int size : sizes_) first_.push_back(first_.back() + size);
  start_.assign(1, 0);
  row_.clear();
  offset_.clear();
  std::size_t offset = 0;
  for (int j = 0; j < nodes(); ++j) {
    const auto begin = static_cast<std::ptrdiff_t>(row_.size());
    row_.push_back(j);
    for (const int i : graph.neighbours(j)) {
      if (i > j) row_.push_back(i);
    }
    std::sort(row_.begin() + begin, row_.end());
    for (auto i = row_.begin() + begin; i != row_.end(); ++i) {
      offset_.push_back(offset);
      offset += index(sizes_[index(*i)]) * index(sizes_[index(j)]);
    }
    start_.push_back(static_cast<int>(row_.size()));
  }
  values_.assign(offset, 0.0);
}

std::size_t BlockMatrix::find(int i, int j) const {
  const auto begin = row_.begin() + start_[index(j)];
  const auto end = row_.begin() + start_[index(j) + 1];
  const auto found = std::lower_bound(begin, end, i);
  return found != end && *found == i ? static_cast<std::size_t>(found - row_.begin()) : row_.size();
}

bool BlockMatrix::contains(int i, int j) const {
  return find(std::max(i, j), std::min(i, j)) < row_.size();
}

BlockMatrix::Place BlockMatrix::place(int i, int j) const {
  const std::size_t found = find(std::max(i, j), std::min(i, j));
  COLLAPSE_ASSERT(found < row_.size());
  return {offset_[found], i < j};
}

void BlockMatrix::multiply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  y.setZero(unknowns());
  for (int j = 0; j < nodes(); ++j) {
    const int columns = sizes_[index(j)];
    const double* const x_j = x.data() + first_[index(j)];
    double* const y_j = y.data() + first_[index(j)];
    each_in_column(j, [&](int i, std::size_t offset) {
      const double* const A = values_.data() + offset;
      const int rows = sizes_[index(i)];
      double* const y_i = y.data() + first_[index(i)];
      if (i == j) {
        columns == 6 ? add_symmetric<6>(6, A, x_j, y_j) : add_symmetric<0>(columns, A, x_j, y_j);
      } else if (rows == 6 && columns == 6) {
        add_both<6>(6, 6, A, x_j, y_i, x.data() + first_[index(i)], y_j);
      } else {
        add_both<0>(rows, columns, A, x_j, y_i, x.data() + first_[index(i)], y_j);
      }
    });
  }
}

}  // namespace collapse
