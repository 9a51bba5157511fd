#include <algorithm>
#include <vector>

#include "geometry/box_tree.hpp"
#include "geometry/cell_division.hpp"

namespace collapse {

namespace {

struct SizedPiece {
  Hull hull;
  Rational volume;
  SpaceBox box;
  bool gone = false;

  explicit SizedPiece(Hull piece)
      : hull(std::move(piece)), volume(volume_of(hull)), box(hull.vertices().front()) {
    for (const Vec<3>& vertex : hull.vertices()) box.include(vertex);
  }
};

bool is_below(const Hull& hull, const Hull::Face& face, double tolerance) {
  return std::all_of(hull.vertices().begin(), hull.vertices().end(), [&](const Vec<3>& vertex) {
    return face.normal.dot(vertex) <= face.offset + tolerance;
  });
}

/// As far as doubles can tell the union may be convex: all of b is below every face of a but for one.
bool may_extend(const Hull& a, const Hull& b, double tolerance) {
  int above = 0;
  for (const Hull::Face& face : a.faces()) {
    if (!is_below(b, face, tolerance) && ++above > 1) return false;
  }
  return true;
}

/// Whether two that do not overlap are together convex: then nothing is between them.
std::optional<SizedPiece> together(const SizedPiece& a, const SizedPiece& b) {
  if (!a.box.meets(b.box)) return std::nullopt;
  SpaceBox around = a.box;
  around.include(b.box);
  const double tolerance =
      1e-9 * (around.low.cwiseAbs().maxCoeff() + around.high.cwiseAbs().maxCoeff());
  if (!may_extend(a.hull, b.hull, tolerance) || !may_extend(b.hull, a.hull, tolerance)) {
    return std::nullopt;
  }
  std::vector<ExactVec<3>> points = a.hull.exact();
  points.insert(points.end(), b.hull.exact().begin(), b.hull.exact().end());
  SizedPiece both{Hull(points)};
  if (both.volume != a.volume + b.volume) return std::nullopt;
  return both;
}

}  // namespace

/// The largest take their neighbours first.
std::vector<Hull> merged_pieces(std::vector<Hull> pieces) {
  std::vector<SizedPiece> sized;
  sized.reserve(pieces.size());
  for (Hull& piece : pieces) sized.emplace_back(std::move(piece));
  std::stable_sort(sized.begin(), sized.end(),
                   [](const SizedPiece& a, const SizedPiece& b) { return a.volume > b.volume; });
  for (std::size_t i = 0; i < sized.size(); ++i) {
    if (sized[i].gone) continue;
    for (std::size_t j = 0; j < sized.size(); ++j) {
      if (j == i || sized[j].gone) continue;
      std::optional<SizedPiece> both = together(sized[i], sized[j]);
      if (!both) continue;
      sized[j].gone = true;
      sized[i] = std::move(*both);
      j = static_cast<std::size_t>(-1);  // others may fit now
    }
  }
  std::vector<Hull> result;
  for (SizedPiece& piece : sized) {
    if (!piece.gone) result.push_back(std::move(piece.hull));
  }
  return result;
}

}  // namespace collapse
