#include "solver/block_lu.hpp"

#include <algorithm>
#include <iterator>

#include "solver/common.hpp"
#include "solver/dense_kernels.hpp"
#include "solver/ordering.hpp"

namespace collapse {
namespace {

Graph coupling_graph(const BlockRows& pattern) {
  Graph graph;
  graph.start.push_back(0);
  for (int i = 0; i < pattern.rows(); ++i) {
    for (int k = pattern.start[index(i)]; k < pattern.start[index(i) + 1]; ++k) {
      if (pattern.column[index(k)] != i) graph.adjacency.push_back(pattern.column[index(k)]);
    }
    graph.start.push_back(static_cast<int>(graph.adjacency.size()));
  }
  return graph;
}

int int_size(const std::vector<int>& list) { return static_cast<int>(list.size()); }

}  // namespace

int BlockRows::find(int i, int j) const {
  const auto begin = column.begin() + start[index(i)];
  const auto end = column.begin() + start[index(i) + 1];
  return static_cast<int>(std::lower_bound(begin, end, j) - column.begin());
}

void BlockLu::analyse(const BlockRows& pattern) {
  const int n = pattern.rows();
  const std::vector<int> order =
      elimination_order(coupling_graph(pattern), std::vector<int>(index(n), 3));
  std::vector<int> rank(index(n));
  for (int k = 0; k < n; ++k) rank[index(order[index(k)])] = k;
  find_fronts(pattern, order, rank);
  place_entries(pattern, rank);
}

void BlockLu::find_fronts(const BlockRows& pattern, const std::vector<int>& order,
                          const std::vector<int>& rank) {
  const int n = pattern.rows();
  // What the elimination of each row changes, by rank: later neighbours, its own and its children's.
  std::vector<std::vector<int>> border(index(n));
  std::vector<std::vector<int>> children(index(n));
  for (int k = 0; k < n; ++k) {
    std::vector<int>& mine = border[index(k)];
    const int row = order[index(k)];
    for (int b = pattern.start[index(row)]; b < pattern.start[index(row) + 1]; ++b) {
      const int other = rank[index(pattern.column[index(b)])];
      if (other > k) mine.push_back(other);
    }
    std::sort(mine.begin(), mine.end());
    for (const int child : children[index(k)]) {
      std::vector<int> both;
      std::set_union(mine.begin(), mine.end(), border[index(child)].begin() + 1,
                     border[index(child)].end(), std::back_inserter(both));
      mine.swap(both);
    }
    if (!mine.empty()) children[index(mine.front())].push_back(k);
  }
  // A row joins the front of its parent if it changes the same rows. From the last row to the first;
  // every front is listed before its children.
  fronts_.clear();
  front_of_.assign(index(n), 0);
  std::vector<char> joined(index(n), 0);
  for (int k = n - 1; k >= 0; --k) {
    const std::vector<int>& mine = border[index(k)];
    const int parent = mine.empty() ? -1 : mine.front();
    const int row = order[index(k)];
    if (parent >= 0 && joined[index(parent)] == 0 &&
        mine.size() == border[index(parent)].size() + 1) {
      joined[index(parent)] = 1;
      front_of_[index(row)] = front_of_[index(order[index(parent)])];
    } else {
      front_of_[index(row)] = static_cast<int>(fronts_.size());
      fronts_.emplace_back();
      for (const int other : mine) fronts_.back().border.push_back(order[index(other)]);
    }
    fronts_[index(front_of_[index(row)])].own.push_back(row);
  }
  std::reverse(fronts_.begin(), fronts_.end());
  for (int& front : front_of_) front = static_cast<int>(fronts_.size()) - 1 - front;
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    if (fronts_[f].border.empty()) continue;
    const int parent = front_of_[index(fronts_[f].border.front())];
    fronts_[index(parent)].children.push_back(static_cast<int>(f));
  }
}

void BlockLu::place_entries(const BlockRows& pattern, const std::vector<int>& rank) {
  std::vector<int> place(index(pattern.rows()), 0);
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    int next = 0;
    for (const int row : front.own) place[index(row)] = 3 * next++;
    for (const int row : front.border) place[index(row)] = 3 * next++;
    for (const int i : front.own) {
      for (int b = pattern.start[index(i)]; b < pattern.start[index(i) + 1]; ++b) {
        const int j = pattern.column[index(b)];
        const bool own = front_of_[index(j)] == static_cast<int>(f);
        if (!own && rank[index(j)] < rank[index(i)]) continue;  // in a front before this one
        front.entries.push_back({b, place[index(i)], place[index(j)]});
        if (!own) front.entries.push_back({pattern.find(j, i), place[index(j)], place[index(i)]});
      }
    }
    for (const int child : front.children) {
      for (const int row : fronts_[index(child)].border) {
        fronts_[index(child)].place.push_back(place[index(row)]);
      }
    }
  }
}

void BlockLu::assemble(const Front& front, const BlockRows& matrix, Eigen::MatrixXd& dense) {
  const int size = 3 * (int_size(front.own) + int_size(front.border));
  dense.setZero(size, size);
  for (const Entry& entry : front.entries) {
    dense.block<3, 3>(entry.row, entry.column) += matrix.block[index(entry.block)];
  }
  for (const int c : front.children) {
    Front& child = fronts_[index(c)];
    for (int j = 0; j < int_size(child.place); ++j) {
      for (int i = 0; i < int_size(child.place); ++i) {
        dense.block<3, 3>(child.place[index(i)], child.place[index(j)]) +=
            child.update.block<3, 3>(3 * i, 3 * j);
      }
    }
    child.update.resize(0, 0);
  }
}

bool BlockLu::factorize(const BlockRows& matrix) {
  Eigen::MatrixXd dense;
  Eigen::VectorXd ones;
  for (Front& front : fronts_) {
    assemble(front, matrix, dense);
    const int own = 3 * int_size(front.own);
    const int border = 3 * int_size(front.border);
    front.lu.compute(dense.topLeftCorner(own, own));
    const double pivot = front.lu.matrixLU().diagonal().cwiseAbs().minCoeff();
    if (!(pivot > 0.0)) return false;
    front.below.resize(border, own);
    front.beside.resize(border, own);
    if (border == 0) continue;
    const auto& LU = front.lu.matrixLU();
    front.below = dense.bottomLeftCorner(border, own);
    LU.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(front.below);
    front.beside = (front.lu.permutationP() * dense.topRightCorner(own, border)).transpose();
    LU.triangularView<Eigen::UnitLower>().transpose().solveInPlace<Eigen::OnTheRight>(front.beside);
    front.update = dense.bottomRightCorner(border, border);
    ones.setOnes(own);
    subtract_product({.m = border,
                      .n = border,
                      .k = own,
                      .A = front.below.data(),
                      .stride_a = border,
                      .B = front.beside.data(),
                      .stride_b = border,
                      .sign = ones.data(),
                      .C = front.update.data(),
                      .stride_c = border});
  }
  return true;
}

void BlockLu::solve(Eigen::VectorXd& b) const {
  Eigen::VectorXd own;
  Eigen::VectorXd border;
  const auto gather = [&b](const std::vector<int>& rows, Eigen::VectorXd& part) {
    part.resize(3 * int_size(rows));
    for (int i = 0; i < int_size(rows); ++i) {
      part.segment<3>(3 * i) = b.segment<3>(3 * rows[index(i)]);
    }
  };
  const auto scatter = [&b](const std::vector<int>& rows, const Eigen::VectorXd& part) {
    for (int i = 0; i < int_size(rows); ++i) {
      b.segment<3>(3 * rows[index(i)]) = part.segment<3>(3 * i);
    }
  };
  for (const Front& front : fronts_) {
    gather(front.own, own);
    gather(front.border, border);
    own = front.lu.permutationP() * own;
    front.lu.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(own);
    border.noalias() -= front.below * own;
    scatter(front.own, own);
    scatter(front.border, border);
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    gather(front->own, own);
    gather(front->border, border);
    own.noalias() -= front->beside.transpose() * border;
    front->lu.matrixLU().triangularView<Eigen::Upper>().solveInPlace(own);
    scatter(front->own, own);
  }
}

}  // namespace collapse
