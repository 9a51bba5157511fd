#include "solver/islands.hpp"

#include <numeric>

#include "solver/common.hpp"

namespace collapse {
namespace {

int find_root(std::vector<int>& root, int i) {
  while (root[index(i)] != i) i = root[index(i)] = root[index(root[index(i)])];
  return i;
}

/// Counting sort: `first` becomes the starts of the islands in `sorted`.
void sort_by_island(const std::vector<int>& island, int count, std::vector<int>& first,
                    std::vector<int>& sorted) {
  first.assign(index(count) + 1, 0);
  for (const int i : island) ++first[index(i) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  sorted.resize(island.size());
  for (std::size_t k = 0; k < island.size(); ++k) {
    sorted[index(first[index(island[k])]++)] = static_cast<int>(k);
  }
  for (std::size_t i = first.size() - 1; i > 0; --i) first[i] = first[i - 1];
  first[0] = 0;
}

/// A few units in the last place, of numbers of the given size, are what a difference of equal numbers
/// has left. A turned row of nothing else would be scaled to length one and bind like any other.
template <class Matrix>
void clear_rounding(double size, Matrix& matrix) {
  matrix = (matrix.array().abs() <= 1e-15 * size).select(0.0, matrix);
}

}  // namespace

void Islands::find(const Program& program) {
  const auto n = static_cast<int>(program.blocks().size());
  root_.resize(index(n));
  std::iota(root_.begin(), root_.end(), 0);
  for (const Program::Group& group : program.groups()) {
    const auto terms = program.terms(group);
    for (const Program::Term& term : terms) {
      const int a = find_root(root_, terms.front().block);
      const int b = find_root(root_, term.block);
      root_[index(std::max(a, b))] = std::min(a, b);
    }
  }
  // Islands are numbered by their first block; groups without blocks come last, one island for all.
  number_.assign(index(n), -1);
  int count = 0;
  for (int i = 0; i < n; ++i) {
    const int root = find_root(root_, i);
    if (root == i)
      number_[index(i)] = count++;
    else
      number_[index(i)] = number_[index(root)];
  }
  local.resize(index(n));
  size_.assign(index(count), 0);
  for (int i = 0; i < n; ++i) local[index(i)] = size_[index(number_[index(i)])]++;
  root_.clear();
  bool constant = false;
  for (const Program::Group& group : program.groups()) {
    const auto terms = program.terms(group);
    root_.push_back(terms.empty() ? count : number_[index(terms.front().block)]);
    constant = constant || terms.empty();
  }
  if (constant) ++count;
  sort_by_island(number_, count, first_block, blocks);
  sort_by_island(root_, count, first_group, groups);
}

void Islands::extract(const Program& program, int island, Program& part,
                      std::vector<double>& scratch) const {
  part.clear();
  for (int k = first_block[index(island)]; k < first_block[index(island) + 1]; ++k) {
    const Program::Block& block = program.blocks()[index(blocks[index(k)])];
    part.add_block(program.mass(block), program.linear().segment(block.first, block.size));
  }
  for (int k = first_group[index(island)]; k < first_group[index(island) + 1]; ++k) {
    const Program::Group& group = program.groups()[index(groups[index(k)])];
    const Program::ConstVectorMap bounds(program.bounds().data() + group.first_row, group.rows);
    if (!is_planar(group)) {
      part.begin_group(group.cone, bounds, {group.compliance, group.id, {}});
      for (const Program::Term& term : program.terms(group)) {
        part.add_term(local[index(term.block)], program.coefficients(group, term));
      }
      continue;
    }
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2, 1> turned = bounds;
    turn_planar(group, turned);
    clear_rounding(bounds.cwiseAbs().maxCoeff(), turned);
    part.begin_group(Cone::nonnegative, turned, {group.compliance, group.id, {}});
    for (const Program::Term& term : program.terms(group)) {
      const auto given = program.coefficients(group, term);
      scratch.resize(static_cast<std::size_t>(given.size()));
      Eigen::Map<Eigen::MatrixXd> rows(scratch.data(), given.rows(), given.cols());
      rows = given;
      turn_planar(group, rows);
      clear_rounding(given.cwiseAbs().maxCoeff(), rows);
      part.add_term(local[index(term.block)], rows);
    }
  }
}

}  // namespace collapse
