#include "io/page_forces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace collapse {
namespace {

/// Forces are written as logarithm and direction, in these steps: in the plane to within 0.1 % and 0.1°, in space to
/// within 0.2 % and 0.5°, whatever their size.
template <int Dim>
constexpr double kStepsPerDoubling = Dim == 2 ? 512.0 : 256.0;
constexpr double kStepsPerTurn = 4096.0;
constexpr double kStepsOfOctahedron = 256.0;

/// A direction on the octahedron |x| + |y| + |z| = 1 seen from above; its lower half is folded outwards.
Vec<2> octahedral(const Vec<3>& direction) {
  Vec<2> flat = direction.head<2>() / direction.lpNorm<1>();
  if (direction.z() >= 0.0) return flat;
  const auto sign = [](double x) { return x < 0.0 ? -1.0 : 1.0; };
  return {(1.0 - std::abs(flat.y())) * sign(flat.x()), (1.0 - std::abs(flat.x())) * sign(flat.y())};
}

}  // namespace

template <int Dim>
void PageForces<Dim>::add(const Frame<Dim>& frame, const PagePoses<Dim>& poses, PageBytes& bytes) {
  add_resultants(frame, poses, bytes);
  add_changes(frame, bytes);
  previous_ = frame.contacts;
}

template <int Dim>
void PageForces<Dim>::add_resultants(const Frame<Dim>& frame, const PagePoses<Dim>& poses,
                                     PageBytes& bytes) {
  Resultants resultants;
  std::vector<std::pair<int, int>> fresh;
  for (const ContactForce<Dim>& contact : frame.contacts) {
    const std::pair<int, int> names(contact.id.a, contact.id.b);
    const auto [known, is_new] = pairs_.try_emplace(names, pairs_.size());
    if (is_new) fresh.push_back(names);
    Resultant& sum = resultants[known->second];
    const double weight = contact.force.stableNorm();
    sum.force += contact.force;
    sum.moment += weight * contact.point;
    sum.weight += weight;
  }
  std::erase_if(resultants, [](const auto& entry) {
    const double size = entry.second.force.stableNorm();
    return !(size > 1e-12 * entry.second.weight) || !std::isnormal(size) ||
           !std::isfinite(entry.second.weight);
  });
  bytes.count(fresh.size());
  for (const auto& [a, b] : fresh) {
    bytes.count(static_cast<std::uint64_t>(a));
    bytes.count(static_cast<std::uint64_t>(b));
    names_.emplace_back(a, b);
  }
  last_.resize(pairs_.size());
  write(resultants, poses, bytes);
}

template <int Dim>
void PageForces<Dim>::write(const Resultants& resultants, const PagePoses<Dim>& poses,
                            PageBytes& bytes) {
  bytes.count(resultants.size());
  std::size_t next = 0;
  std::vector<std::pair<std::size_t, Numbers>> rows;
  for (const auto& [pair, sum] : resultants) {
    bytes.count(pair - next);
    next = pair + 1;
    rows.emplace_back(pair, numbers_of(pair, sum, poses));
  }
  for (std::size_t column = 0; column < kNumbers; ++column) {
    for (const auto& [pair, numbers] : rows) {
      bytes.whole(numbers[column] - last_[pair][column]);
      last_[pair][column] = numbers[column];
    }
  }
}

template <int Dim>
auto PageForces<Dim>::numbers_of(std::size_t pair, const Resultant& sum,
                                 const PagePoses<Dim>& poses) const -> Numbers {
  const auto [a, b] = names_[pair];
  const Vec<Dim> point = sum.moment / sum.weight - poses.base_of(a, b);
  Numbers numbers{};
  for (std::size_t k = 0; k < Dim; ++k) {
    numbers[k] = page_steps(point[static_cast<Eigen::Index>(k)], quanta_.point);
  }
  const double size = sum.force.stableNorm();
  numbers[Dim] = std::llround(kStepsPerDoubling<Dim> * std::log2(size));
  if constexpr (Dim == 2) {
    const double turns = std::atan2(sum.force[1], sum.force[0]) / (2.0 * std::numbers::pi);
    numbers[3] = std::llround(kStepsPerTurn * turns);
  } else {
    const Vec<2> direction = octahedral(sum.force / size);
    numbers[4] = std::llround(kStepsOfOctahedron * direction.x());
    numbers[5] = std::llround(kStepsOfOctahedron * direction.y());
  }
  return numbers;
}

/// Where contacts opened or closed since the frame before: a closed one is in this frame, an opened one was in
/// the one before. Those that did both in between are in neither.
template <int Dim>
void PageForces<Dim>::add_changes(const Frame<Dim>& frame, PageBytes& bytes) {
  struct Mark {
    bool closed;
    Vec<Dim> point;
  };
  std::vector<Mark> marks;
  for (const ContactChange& change : frame.changes) {
    const std::vector<ContactForce<Dim>>& all = change.closed ? frame.contacts : previous_;
    const auto found = std::ranges::lower_bound(all, change.id, {}, &ContactForce<Dim>::id);
    if (found != all.end() && found->id == change.id) {
      marks.push_back({change.closed, found->point});
    }
  }
  bytes.count(marks.size());
  std::array<std::int64_t, Dim> last{};
  for (const Mark& mark : marks) {
    bytes.count(mark.closed ? 1 : 0);
    for (std::size_t k = 0; k < Dim; ++k) {
      const std::int64_t next = page_steps(mark.point[static_cast<Eigen::Index>(k)], quanta_.point);
      bytes.whole(next - last[k]);
      last[k] = next;
    }
  }
}

template class PageForces<2>;
template class PageForces<3>;

}  // namespace collapse
