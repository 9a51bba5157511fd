#include "solver/unsymmetric_system.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <utility>

#include "solver/common.hpp"

namespace collapse {
namespace {

// Up to this many variables a dense factorisation is faster than one by triples can be, and than a general one.
constexpr int kDenseBeforeTriples = 90;
constexpr int kDenseBeforeSparse = 1500;
constexpr int kTriple = 3;

}  // namespace

UnsymmetricSystem::UnsymmetricSystem(const Program& program) : size_(program.variables()) {
  const bool triples =
      std::all_of(program.blocks().begin(), program.blocks().end(),
                  [](const Program::Block& block) { return block.size % kTriple == 0; });
  if (size_ <= (triples ? kDenseBeforeTriples : kDenseBeforeSparse)) return;
  kind_ = triples ? Kind::triples : Kind::sparse;
  if (triples) find_pattern(program);
}

void UnsymmetricSystem::find_pattern(const Program& program) {
  std::vector<std::pair<int, int>> places;
  const auto couple = [&](const Program::Block& a, const Program::Block& b) {
    for (int i = 0; i < a.size / kTriple; ++i) {
      for (int j = 0; j < b.size / kTriple; ++j) {
        places.emplace_back(a.first / kTriple + i, b.first / kTriple + j);
      }
    }
  };
  for (const Program::Block& block : program.blocks()) couple(block, block);
  for (const Program::Group& group : program.groups()) {
    for (const Program::Term& a : program.terms(group)) {
      for (const Program::Term& b : program.terms(group)) {
        couple(program.blocks()[index(a.block)], program.blocks()[index(b.block)]);
      }
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  rows_.start.assign(1, 0);
  for (const auto& [row, column] : places) {
    while (rows_.rows() <= row) rows_.start.push_back(rows_.start.back());
    ++rows_.start.back();
    rows_.column.push_back(column);
  }
  rows_.block.resize(rows_.column.size());
  lu_.analyse(rows_);
}

void UnsymmetricSystem::clear() {
  if (kind_ == Kind::dense) dense_.setZero(size_, size_);
  entries_.clear();
  for (Eigen::Matrix3d& block : rows_.block) block.setZero();
}

void UnsymmetricSystem::add(int row, int column, const Eigen::MatrixXd& block) {
  switch (kind_) {
    case Kind::dense:
      dense_.block(row, column, block.rows(), block.cols()) += block;
      break;
    case Kind::triples:
      for (int i = 0; i < static_cast<int>(block.rows()); i += kTriple) {
        for (int j = 0; j < static_cast<int>(block.cols()); j += kTriple) {
          const int place = rows_.find((row + i) / kTriple, (column + j) / kTriple);
          rows_.block[index(place)] += block.block<kTriple, kTriple>(i, j);
        }
      }
      break;
    case Kind::sparse:
      for (int j = 0; j < static_cast<int>(block.cols()); ++j) {
        for (int i = 0; i < static_cast<int>(block.rows()); ++i) {
          entries_.emplace_back(row + i, column + j, block(i, j));
        }
      }
      break;
  }
}

bool UnsymmetricSystem::solve(Eigen::VectorXd& b) {
  switch (kind_) {
    case Kind::dense:
      b = dense_.partialPivLu().solve(b);
      break;
    case Kind::triples:
      if (!lu_.factorize(rows_)) return false;
      lu_.solve(b);
      break;
    case Kind::sparse: {
      Eigen::SparseMatrix<double> matrix(size_, size_);
      matrix.setFromTriplets(entries_.begin(), entries_.end());
      Eigen::SparseLU<Eigen::SparseMatrix<double>> factor(matrix);
      if (factor.info() != Eigen::Success) return false;
      b = factor.solve(b);
      break;
    }
  }
  return b.allFinite();
}

}  // namespace collapse
