#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "collapse/geometry/pose.hpp"
#include "geometry/cell_division.hpp"
#include "geometry/point_table.hpp"

namespace collapse {

namespace {

constexpr std::size_t kMaxLeaves = 64;
/// Dents less deep than this part of the diameter are filled.
constexpr double kShallow = 0.01;

/// A cell and the convex hull of the solid in it. Hulls of different cells do not overlap, for cells do not.
struct Leaf {
  ConvexCell cell;
  Hull piece;
  double volume = 0.0;  ///< of the piece
  double depth = 0.0;   ///< how far under the piece's boundary the surface goes
  Vec<3> deepest;       ///< where
  int plane = -1;       ///< of the face there
};

class RoughDivision {
 public:
  explicit RoughDivision(const DividedMesh& mesh)
      : mesh_(mesh), diameter_(mesh.whole().hull.diameter()) {
    if (std::optional<Leaf> leaf = leaf_of(mesh.whole())) leaves_.push_back(std::move(*leaf));
  }

  [[nodiscard]] std::vector<Hull> pieces() {
    while (leaves_.size() < kMaxLeaves) {
      const auto deepest =
          std::max_element(leaves_.begin(), leaves_.end(),
                           [](const Leaf& a, const Leaf& b) { return a.depth < b.depth; });
      if (!(deepest->depth > kShallow * diameter_)) break;
      std::vector<Leaf> parts = best_split(*deepest);
      if (parts.empty()) {
        deepest->depth = 0.0;  // nothing can be gained
        continue;
      }
      *deepest = std::move(parts.back());
      parts.pop_back();
      for (Leaf& part : parts) leaves_.push_back(std::move(part));
    }
    std::vector<Hull> result;
    for (Leaf& leaf : leaves_) result.push_back(std::move(leaf.piece));
    return result;
  }

 private:
  /// Of the planes along the axes through the deepest point and that of the face there the one that leaves the least
  /// volume.
  [[nodiscard]] std::vector<Leaf> best_split(const Leaf& leaf) const {
    std::vector<Leaf> best;
    double least = leaf.volume;
    const auto try_plane = [&](const CuttingPlane& plane, int number) {
      if (!passes_through(plane, leaf.cell.hull)) return;
      auto [below, above] = split(leaf.cell, plane, number);
      std::vector<Leaf> parts;
      double volume = 0.0;
      for (const ConvexCell* cell : {&below, &above}) {
        std::optional<Leaf> part = leaf_of(*cell);
        if (!part) continue;
        volume += part->volume;
        parts.push_back(std::move(*part));
      }
      if (parts.empty() || !(volume < least)) return;
      least = volume;
      best = std::move(parts);
    };
    for (int axis = 0; axis < 3; ++axis) {
      ExactVec<3> normal(Rational(0), Rational(0), Rational(0));
      normal[axis] = 1;
      try_plane({normal, Rational(shortened(leaf.deepest[axis]))}, -1);
    }
    if (leaf.plane >= 0) {
      try_plane(mesh_.planes()[static_cast<std::size_t>(leaf.plane)], leaf.plane);
    }
    return best;
  }

  /// Rounded to some thousandths of the whole: so numbers behind it stay short.
  [[nodiscard]] double shortened(double x) const {
    const double unit = std::ldexp(1.0, std::max(std::ilogb(diameter_) - 12, -1000));
    return std::round(x / unit) * unit;
  }

  static bool passes_through(const CuttingPlane& plane, const Hull& hull) {
    bool below = false;
    bool above = false;
    for (std::size_t i = 0; i < hull.exact().size(); ++i) {
      const int side = plane.side({hull.exact()[i], hull.vertices()[i]});
      below = below || side < 0;
      above = above || side > 0;
    }
    return below && above;
  }

  /// Nothing if the cell has nothing solid in it.
  [[nodiscard]] std::optional<Leaf> leaf_of(const ConvexCell& cell) const {
    Leaf leaf;
    leaf.cell = cell;
    if (!cell.is_divided()) {
      if (!mesh_.is_solid(cell.hull)) return std::nullopt;
      leaf.piece = cell.hull;
      leaf.volume = to_double(volume_of(leaf.piece));
      return leaf;
    }
    std::vector<ExactVec<3>> points = solid_corners(cell);
    leaf.piece = spans_solid(points) ? Hull(points) : cell.hull;
    leaf.volume = to_double(volume_of(leaf.piece));
    measure_depth(leaf);
    return leaf;
  }

  /// Corners of the surface in the cell and corners of the cell in the solid.
  [[nodiscard]] std::vector<ExactVec<3>> solid_corners(const ConvexCell& cell) const {
    PointTable table;
    for (const Fragment& fragment : cell.fragments) {
      for (const ExactVec<3>& corner : fragment.corners) table.number_of(corner);
    }
    ExactVec<3> middle = cell.hull.exact().front();
    for (std::size_t i = 1; i < cell.hull.exact().size(); ++i) middle += cell.hull.exact()[i];
    middle /= Rational(static_cast<int>(cell.hull.exact().size()));
    for (const ExactVec<3>& corner : cell.hull.exact()) {
      // A corner may be on the surface: a little inside the cell the answer is certain to be about this cell.
      const ExactVec<3> near = corner + (middle - corner) / Rational(1 << 20);
      if (mesh_.is_inside(near)) table.number_of(corner);
    }
    return table.take_points();
  }

  static void measure_depth(Leaf& leaf) {
    const auto look_at = [&](const Vec<3>& point, int plane) {
      double depth = std::numeric_limits<double>::infinity();
      for (const Hull::Face& face : leaf.piece.faces()) {
        depth = std::min(depth, face.offset - face.normal.dot(point));
        if (depth <= leaf.depth) return;
      }
      leaf.depth = depth;
      leaf.deepest = point;
      leaf.plane = plane;
    };
    for (const Fragment& fragment : leaf.cell.fragments) {
      if (fragment.on_boundary) continue;
      Vec<3> middle = Vec<3>::Zero();
      const std::size_t count = fragment.values.size();
      for (std::size_t i = 0; i < count; ++i) {
        look_at(fragment.values[i], fragment.plane);
        look_at((fragment.values[i] + fragment.values[(i + 1) % count]) / 2.0, fragment.plane);
        middle += fragment.values[i] / static_cast<double>(count);
      }
      look_at(middle, fragment.plane);
    }
  }

  const DividedMesh& mesh_;
  double diameter_;
  std::vector<Leaf> leaves_;
};

}  // namespace

std::vector<Hull> rough_pieces(const DividedMesh& mesh) { return RoughDivision(mesh).pieces(); }

}  // namespace collapse
