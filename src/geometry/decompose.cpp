#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "collapse/geometry/polyhedron.hpp"
#include "collapse/geometry/pose.hpp"
#include "geometry/cell_division.hpp"
#include "geometry/triangulate.hpp"

namespace collapse {

namespace {

constexpr std::size_t kMaxPieces = 1000;
/// How often a corner of a fragment may be compared with a plane: some seconds.
constexpr std::size_t kMaxComparisons = 4'000'000;
/// Planes that are tried for one cell.
constexpr std::size_t kTriedPlanes = 48;

std::vector<Triangle> triangles_of(const ExactPoints& points, const Mesh& mesh) {
  std::vector<Triangle> result;
  for (const std::vector<int>& face : mesh.faces) {
    const std::vector<Triangle> triangles = triangulated(points, face);
    result.insert(result.end(), triangles.begin(), triangles.end());
  }
  return result;
}

/// How good a plane is to cut a cell with; less is better.
struct CutCost {
  bool cuts_solid = true;
  std::size_t fragments_cut = 0;
  bool leaves_both = true;         ///< sides with fragments, so that neither is done with
  std::size_t fragments_left = 0;  ///< all but those that lie in it
  std::size_t imbalance = 0;

  [[nodiscard]] auto key() const {
    return std::tuple(cuts_solid, fragments_cut, leaves_both, fragments_left, imbalance);
  }
};

class ExactDivision {
 public:
  explicit ExactDivision(const DividedMesh& mesh) : mesh_(mesh) {}

  [[nodiscard]] std::optional<std::vector<Hull>> pieces() {
    std::vector<ConvexCell> open{mesh_.whole()};
    std::vector<Hull> result;
    while (!open.empty()) {
      const ConvexCell cell = std::move(open.back());
      open.pop_back();
      if (!cell.is_divided()) {
        if (mesh_.is_solid(cell.hull)) result.push_back(cell.hull);
        continue;
      }
      const int number = best_plane(cell);
      if (comparisons_ > kMaxComparisons || result.size() + open.size() >= kMaxPieces) {
        return std::nullopt;
      }
      auto [below, above] = split(cell, mesh_.planes()[static_cast<std::size_t>(number)], number);
      open.push_back(std::move(above));
      open.push_back(std::move(below));
    }
    return result;
  }

 private:
  int best_plane(const ConvexCell& cell) {
    std::vector<int> candidates;
    for (const Fragment& fragment : cell.fragments) {
      if (!fragment.on_boundary) candidates.push_back(fragment.plane);
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    const std::size_t step = (candidates.size() + kTriedPlanes - 1) / kTriedPlanes;
    int best = candidates.front();
    std::optional<CutCost> least;
    for (std::size_t i = 0; i < candidates.size(); i += step) {
      const CutCost cost = cost_of(cell, candidates[i]);
      if (least && !(cost.key() < least->key())) continue;
      least = cost;
      best = candidates[i];
    }
    return best;
  }

  /// A plane with faces that look to one side of it, and nothing else on that side, only cuts off what is not solid.
  CutCost cost_of(const ConvexCell& cell, int number) {
    const CuttingPlane& plane = mesh_.planes()[static_cast<std::size_t>(number)];
    CutCost cost;
    std::array<std::size_t, 2> beside{};  // below, above
    std::array<bool, 2> looks{};          // down, up
    for (const Fragment& fragment : cell.fragments) {
      if (fragment.on_boundary) continue;
      if (fragment.plane == number) {
        looks[fragment.against ? 0 : 1] = true;
        continue;
      }
      std::array<bool, 2> has{};
      for (std::size_t i = 0; i < fragment.corners.size(); ++i) {
        const int side = plane.side({fragment.corners[i], fragment.values[i]});
        if (side != 0) has[side < 0 ? 0 : 1] = true;
      }
      comparisons_ += fragment.corners.size();
      if (has[0] && has[1]) ++cost.fragments_cut;
      for (const std::size_t k : {0U, 1U}) beside[k] += has[k] ? 1 : 0;
      ++cost.fragments_left;
    }
    cost.cuts_solid = !((looks[0] && beside[0] == 0) || (looks[1] && beside[1] == 0));
    cost.leaves_both = beside[0] != 0 && beside[1] != 0;
    cost.imbalance = std::max(beside[0], beside[1]) - std::min(beside[0], beside[1]);
    return cost;
  }

  const DividedMesh& mesh_;
  std::size_t comparisons_ = 0;
};

}  // namespace

DividedMesh::DividedMesh(const Mesh& mesh)
    : points_(mesh.vertices), locator_(points_, triangles_of(points_, mesh)) {
  whole_.hull = Hull(mesh.vertices);
  volume_ = points_.six_volumes(locator_.triangles()) / 6;
  for (const Triangle& triangle : locator_.triangles()) {
    Fragment fragment;
    for (const int corner : triangle) {
      fragment.corners.push_back(points_.exact(corner));
      fragment.values.push_back(points_.value(corner));
    }
    const CuttingPlane plane =
        CuttingPlane::through(fragment.corners[0], fragment.corners[1], fragment.corners[2]);
    fragment.plane = number_of(plane);
    const CuttingPlane& known = planes_[static_cast<std::size_t>(fragment.plane)];
    fragment.against = known.normal() != plane.normal();
    // A face with nothing beyond its plane is part of the hull's boundary.
    fragment.on_boundary =
        std::all_of(whole_.hull.exact().begin(), whole_.hull.exact().end(),
                    [&, i = std::size_t{0}](const ExactVec<3>& vertex) mutable {
                      return plane.side({vertex, whole_.hull.vertices()[i++]}) <= 0;
                    });
    whole_.fragments.push_back(std::move(fragment));
  }
}

int DividedMesh::number_of(const CuttingPlane& plane) {
  std::vector<Rational> key{plane.normal()[0], plane.normal()[1], plane.normal()[2],
                            plane.offset()};
  const auto first = std::find_if(key.begin(), key.end(), [](const Rational& x) { return x != 0; });
  if (*first < 0) {
    for (Rational& x : key) x = -x;
  }
  const auto [at, is_new] = numbers_.try_emplace(std::move(key), static_cast<int>(planes_.size()));
  if (is_new) planes_.push_back(plane);
  return at->second;
}

bool DividedMesh::is_inside(const ExactVec<3>& point) const {
  const Vec<3> value = to_double<3>(point);
  return locator_.contains({point, value});
}

bool DividedMesh::is_solid(const Hull& cell) const {
  ExactVec<3> middle = cell.exact().front();
  for (std::size_t i = 1; i < cell.exact().size(); ++i) middle += cell.exact()[i];
  middle /= Rational(static_cast<int>(cell.exact().size()));
  return is_inside(middle);
}

std::optional<std::vector<Hull>> exact_pieces(const DividedMesh& mesh) {
  return ExactDivision(mesh).pieces();
}

Decomposition decompose(const Mesh& mesh) {
  const DividedMesh divided(mesh);
  Decomposition result;
  if (!divided.whole().is_divided()) {
    result.pieces.push_back(divided.whole().hull);
    return result;
  }
  if (std::optional<std::vector<Hull>> exact = exact_pieces(divided)) {
    result.pieces = merged_pieces(std::move(*exact));
    return result;
  }
  result.pieces = rough_pieces(divided);
  Rational covered = 0;
  for (const Hull& piece : result.pieces) covered += volume_of(piece);
  result.excess = to_double(Rational(covered / divided.volume() - 1));
  return result;
}

}  // namespace collapse
