#include "formulation/force_ranges.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "collapse/formulation/force.hpp"

namespace collapse {

template <int Dim>
ForceRanges<Dim>::ForceRanges(const Program& program, std::span<const Contact<Dim>> contacts,
                              Solve solve)
    : program_(program),
      contacts_(contacts),
      solve_(std::move(solve)),
      island_(program.blocks().size()) {
  std::iota(island_.begin(), island_.end(), 0);
  const auto root = [this](int i) {
    while (island_[static_cast<std::size_t>(i)] != i) i = island_[static_cast<std::size_t>(i)];
    return i;
  };
  for (const Program::Group& group : program.groups()) {
    const auto terms = program.terms(group);
    for (const Program::Term& term : terms) {
      const int one = root(term.block);
      const int other = root(terms.front().block);
      island_[static_cast<std::size_t>(std::max(one, other))] = std::min(one, other);
    }
  }
  for (std::size_t i = 0; i < island_.size(); ++i) island_[i] = root(static_cast<int>(i));
}

template <int Dim>
Program ForceRanges<Dim>::island_of(std::size_t contact, const Eigen::VectorXd& objective) const {
  Program part;
  std::vector<int> number(island_.size(), -1);
  for (std::size_t i = 0; i < island_.size(); ++i) {
    if (island_[i] != island_[contact]) continue;
    const int size = program_.blocks()[i].size;
    number[i] = part.add_block(Eigen::MatrixXd::Zero(size, size),
                               i == contact ? objective : Eigen::VectorXd::Zero(size));
  }
  for (const Program::Group& group : program_.groups()) {
    const auto terms = program_.terms(group);
    if (terms.empty() || number[static_cast<std::size_t>(terms.front().block)] < 0) continue;
    part.begin_group(group.cone, program_.bounds().segment(group.first_row, group.rows));
    for (const Program::Term& term : terms) {
      part.add_term(number[static_cast<std::size_t>(term.block)],
                    program_.coefficients(group, term));
    }
  }
  return part;
}

template <int Dim>
std::optional<std::array<double, 2>> ForceRanges<Dim>::range(std::size_t contact,
                                                             const Vec<Dim>& gauge) {
  const Eigen::VectorXd weights = force_basis(contacts_[contact]).transpose() * gauge;
  std::array<double, 2> ends{};
  SolverOptions options;
  options.tolerance = 1e-10;
  options.complementarity_tolerance = 1e-10;
  for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
    const double sign = end == 0 ? -1.0 : 1.0;
    const Program program = island_of(contact, sign * weights);
    const Solution solution = solve_(program, options);
    if (solution.status == Status::unbounded) {
      ends[end] = sign * std::numeric_limits<double>::infinity();
      continue;
    }
    constexpr double kGoodEnough = 1e-7;
    if (!(solution.residuals.worst() <= kGoodEnough)) return std::nullopt;
    ends[end] = sign * program.linear().dot(solution.x);
  }
  return ends;
}

template class ForceRanges<2>;
template class ForceRanges<3>;

}  // namespace collapse
