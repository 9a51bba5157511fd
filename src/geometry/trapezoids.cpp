/// Cuts along lines of constant x through the vertices, each from the vertex to the next side above and below.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "collapse/core/check.hpp"
#include "geometry/predicates.hpp"
#include "geometry/surface_parts.hpp"

namespace collapse {

namespace {

/// A side of the face that is not vertical, from left to right.
struct SlantedSide {
  ExactVec<2> left;
  ExactVec<2> right;

  [[nodiscard]] Rational y_at(const Rational& x) const {
    return left[1] + (right[1] - left[1]) * ((x - left[0]) / (right[0] - left[0]));
  }
};

std::vector<SlantedSide> slanted_sides(const std::vector<Loop>& loops) {
  std::vector<SlantedSide> sides;
  for (const Loop& loop : loops) {
    for (int i = 0; i < loop.size(); ++i) {
      const ExactVec<2>& a = point_of(loop, i).exact;
      const ExactVec<2>& b = point_of(loop, loop.next(i)).exact;
      if (a[0] < b[0]) sides.push_back({a, b});
      if (b[0] < a[0]) sides.push_back({b, a});
    }
  }
  std::sort(sides.begin(), sides.end(),
            [](const SlantedSide& a, const SlantedSide& b) { return a.left[0] < b.left[0]; });
  return sides;
}

std::vector<Rational> distinct_x(const std::vector<Loop>& loops) {
  std::vector<Rational> values;
  for (const Loop& loop : loops) {
    for (const ExactVec<2>& point : loop.exact()) values.push_back(point[0]);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The part of the plane between x = low and x = high, above one side and below another.
Loop trapezoid(const SlantedSide& below, const SlantedSide& above, const Rational& low,
               const Rational& high) {
  std::vector<ExactVec<2>> corners{{low, below.y_at(low)},
                                   {high, below.y_at(high)},
                                   {high, above.y_at(high)},
                                   {low, above.y_at(low)}};
  if (corners[1] == corners[2]) corners.erase(corners.begin() + 2);
  if (corners.back() == corners.front()) corners.pop_back();
  return Loop(std::move(corners));
}

}  // namespace

std::vector<Loop> trapezoids(const std::vector<Loop>& loops) {
  const std::vector<SlantedSide> sides = slanted_sides(loops);
  const std::vector<Rational> x = distinct_x(loops);
  using Between = std::pair<std::size_t, std::size_t>;  // the sides below and above
  std::map<Between, Rational> open;                     // where each one begins
  std::vector<Loop> result;
  const auto close = [&](const std::pair<const Between, Rational>& entry, const Rational& at) {
    result.push_back(
        trapezoid(sides[entry.first.first], sides[entry.first.second], entry.second, at));
  };
  for (std::size_t strip = 0; strip + 1 < x.size(); ++strip) {
    const Rational middle = (x[strip] + x[strip + 1]) / 2;
    std::vector<std::pair<Rational, std::size_t>> across;
    for (std::size_t i = 0; i < sides.size() && sides[i].left[0] < middle; ++i) {
      if (sides[i].right[0] > middle) across.emplace_back(sides[i].y_at(middle), i);
    }
    std::sort(across.begin(), across.end());
    COLLAPSE_DEMAND(across.size() % 2 == 0);
    std::map<Between, Rational> still_open;
    for (std::size_t i = 0; i < across.size(); i += 2) {
      const Between between{across[i].second, across[i + 1].second};
      const auto before = open.find(between);
      still_open.emplace(between, before == open.end() ? x[strip] : before->second);
    }
    for (const auto& entry : open) {
      if (!still_open.contains(entry.first)) close(entry, x[strip]);
    }
    open = std::move(still_open);
  }
  for (const auto& entry : open) close(entry, x.back());
  return result;
}

}  // namespace collapse
