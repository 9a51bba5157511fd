#include "contact/space/directions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace collapse::contacts {

SeparatingDirections::SeparatingDirections(std::vector<Vec<3>> into, double angle)
    : into_(std::move(into)), angle_(angle) {
  collect();
  if (extremes_.size() > 2) sort_around();
}

/// An extreme direction is perpendicular to two of the generators and on the right side of the others.
void SeparatingDirections::collect() {
  for (std::size_t i = 0; i < into_.size(); ++i) {
    for (std::size_t j = i + 1; j < into_.size(); ++j) {
      const Vec<3> product = into_[i].cross(into_[j]);
      const double sine = product.norm();
      if (sine <= angle_) continue;
      for (const double sign : {1.0, -1.0}) {
        const Vec<3> candidate = (sign / sine) * product;
        const bool separates = std::all_of(into_.begin(), into_.end(), [&](const Vec<3>& g) {
          return candidate.dot(g) <= angle_;
        });
        if (!separates) continue;
        // Within the angle several pairs of generators give the same direction.
        const bool known =
            std::any_of(extremes_.begin(), extremes_.end(), [&](const Vec<3>& other) {
              return (candidate - other).squaredNorm() <= 16.0 * angle_ * angle_;
            });
        if (!known) extremes_.push_back(candidate);
      }
    }
  }
}

void SeparatingDirections::sort_around() {
  const Vec<3> middle = std::accumulate(extremes_.begin(), extremes_.end(), Vec<3>(Vec<3>::Zero()));
  const Vec<3> u = (extremes_[0] - extremes_[0].dot(middle) / middle.squaredNorm() * middle);
  const Vec<3> v = middle.normalized().cross(u);
  std::vector<std::pair<double, Vec<3>>> turns;
  for (std::size_t i = 0; i < extremes_.size(); ++i) {
    const double turn = i == 0 ? 0.0 : std::atan2(v.dot(extremes_[i]), u.dot(extremes_[i]));
    turns.emplace_back(turn < 0.0 ? turn + 2.0 * M_PI : turn, extremes_[i]);
  }
  std::stable_sort(turns.begin(), turns.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  for (std::size_t i = 0; i < turns.size(); ++i) extremes_[i] = turns[i].second;
}

double SeparatingDirections::support(const Vec<3>& offset) const {
  if (single()) return extremes_[0].dot(offset);
  const bool inside = std::all_of(into_.begin(), into_.end(),
                                  [&](const Vec<3>& g) { return g.dot(offset) <= 0.0; });
  if (inside) return offset.norm();
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < extremes_.size(); ++i) {
    const Vec<3>& first = extremes_[i];
    const Vec<3>& last = extremes_[(i + 1) % extremes_.size()];
    largest = std::max(largest, first.dot(offset));
    // Between the two: where the part of the offset in their plane points.
    const Vec<3> across = first.cross(last);
    const double square = across.squaredNorm();
    if (!(square > 0.0)) continue;
    const Vec<3> flat = offset - across.dot(offset) / square * across;
    if (first.cross(flat).dot(across) > 0.0 && flat.cross(last).dot(across) > 0.0) {
      largest = std::max(largest, flat.norm());
    }
  }
  return largest;
}

}  // namespace collapse::contacts
