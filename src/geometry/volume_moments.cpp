#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "collapse/geometry/polyhedron.hpp"

namespace collapse {

namespace {

/// A triangle of the surface by the numbers of its corners, counter-clockwise seen from outside.
using Corners = std::array<int, 3>;

/// Triangles around the first vertex of a flat loop: where it is not convex some of them count backwards.
void add_fan(const std::vector<int>& loop, std::vector<Corners>& triangles) {
  for (std::size_t i = 2; i < loop.size(); ++i) {
    triangles.push_back({loop[0], loop[i - 1], loop[i]});
  }
}

class TetrahedronSum {
 public:
  TetrahedronSum(const std::vector<ExactVec<3>>& points, std::vector<Corners> triangles)
      : points_(points), triangles_(std::move(triangles)) {}

  [[nodiscard]] VolumeMoments moments() const {
    if (triangles_.empty()) return {};
    if (const std::optional<Integer> unit = common_denominator(0, triangles_.size(), kLongest)) {
      std::vector<Whole> multiples;
      multiples.reserve(points_.size());
      for (const ExactVec<3>& exact : points_) multiples.push_back(whole(exact, *unit));
      return moments_in_units(0, triangles_.size(), *unit, [&](int i) -> const Whole& {
        return multiples[static_cast<std::size_t>(i)];
      });
    }
    return moments_of(0, triangles_.size());
  }

 private:
  using Whole = Eigen::Matrix<Integer, 3, 1>;
  static constexpr unsigned kLongest = 512;  ///< bits of a common denominator

  [[nodiscard]] const ExactVec<3>& point(int i) const {
    return points_[static_cast<std::size_t>(i)];
  }

  /// The least common denominator of the coordinates of these triangles; nothing where it is so long that fractions,
  /// which are shortened as they are added, are the faster way.
  [[nodiscard]] std::optional<Integer> common_denominator(std::size_t begin, std::size_t end,
                                                          unsigned longest) const {
    Integer common = 1;
    for (std::size_t i = begin; i < end; ++i) {
      for (const int corner : triangles_[i]) {
        for (int k = 0; k < 3; ++k) {
          const Integer bottom = denominator(point(corner)[k]);
          if (bottom == 1 || bottom == common) continue;
          common = lcm(common, bottom);
          if (msb(common) >= longest) return std::nullopt;
        }
      }
    }
    return common;
  }

  /// Halves at a time: denominators that have nothing in common then meet late.
  [[nodiscard]] VolumeMoments moments_of(std::size_t begin, std::size_t end) const {
    const unsigned longest = end - begin == 1 ? ~0U : kLongest;
    if (const std::optional<Integer> unit = common_denominator(begin, end, longest)) {
      return moments_in_units(begin, end, *unit, [&](int i) { return whole(point(i), *unit); });
    }
    const std::size_t middle = begin + (end - begin) / 2;
    VolumeMoments sum = moments_of(begin, middle);
    const VolumeMoments rest = moments_of(middle, end);
    sum.volume += rest.volume;
    sum.first += rest.first;
    sum.second += rest.second;
    return sum;
  }

  /// A point in multiples of 1/unit; a denominator that the unit does not have is that of a point which no loop uses.
  [[nodiscard]] static Whole whole(const ExactVec<3>& exact, const Integer& unit) {
    const auto multiple = [&](const Rational& x) {
      return Integer(numerator(x) * (unit / denominator(x)));
    };
    return {multiple(exact[0]), multiple(exact[1]), multiple(exact[2])};
  }

  /// Of the tetrahedra from the origin to each triangle a b c, with w = a·(b × c) and s = a + b + c:
  ///   ∫1 = w/6,   ∫x = w s/24,   ∫xxᵀ = w (aaᵀ + bbᵀ + ccᵀ + ssᵀ)/120,
  /// in whole numbers: all coordinates times `unit`.
  template <class Multiple>
  [[nodiscard]] VolumeMoments moments_in_units(std::size_t begin, std::size_t end,
                                               const Integer& unit, Multiple multiple) const {
    Integer volume = 0;
    Integer first[3] = {0, 0, 0};
    Integer second[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (std::size_t t = begin; t < end; ++t) {
      const Whole& a = multiple(triangles_[t][0]);
      const Whole& b = multiple(triangles_[t][1]);
      const Whole& c = multiple(triangles_[t][2]);
      const Integer w = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                        a[2] * (b[0] * c[1] - b[1] * c[0]);
      if (w == 0) continue;
      volume += w;
      for (int i = 0; i < 3; ++i) {
        const Integer si = a[i] + b[i] + c[i];
        first[i] += w * si;
        for (int j = 0; j <= i; ++j) {
          const Integer sj = a[j] + b[j] + c[j];
          second[i][j] += w * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + si * sj);
        }
      }
    }
    const Integer cube = unit * unit * unit;
    VolumeMoments moments;
    moments.volume = Rational(volume) / Rational(6 * cube);
    for (int i = 0; i < 3; ++i) {
      moments.first[i] = Rational(first[i]) / Rational(24 * cube * unit);
      for (int j = 0; j <= i; ++j) {
        moments.second(i, j) = Rational(second[i][j]) / Rational(120 * cube * unit * unit);
        moments.second(j, i) = moments.second(i, j);
      }
    }
    return moments;
  }

  const std::vector<ExactVec<3>>& points_;
  std::vector<Corners> triangles_;
};

}  // namespace

VolumeMoments volume_moments(const Mesh& mesh) {
  std::vector<Corners> triangles;
  for (const std::vector<int>& face : mesh.faces) add_fan(face, triangles);
  return TetrahedronSum(mesh.vertices, std::move(triangles)).moments();
}

VolumeMoments volume_moments(const Surface& surface) {
  std::vector<Corners> triangles;
  for (const Surface::Face& face : surface.faces) {
    for (const std::vector<int>& loop : face.loops) add_fan(loop, triangles);
  }
  return TetrahedronSum(surface.exact, std::move(triangles)).moments();
}

}  // namespace collapse
