#include <string>
#include <utility>
#include <vector>

#include "collapse/core/error.hpp"
#include "collapse/geometry/shape.hpp"
#include "geometry/predicates.hpp"

namespace collapse {

namespace {

/// Squared distance from `p` to the segment a b.
Rational squared_distance(const ExactVec<2>& p, const ExactVec<2>& a, const ExactVec<2>& b) {
  const ExactVec<2> along = b - a;
  const ExactVec<2> from_a = p - a;
  const Rational position = dot(from_a, along);
  if (position <= 0) return dot(from_a, from_a);
  const Rational squared_length = dot(along, along);
  if (position >= squared_length) return dot(p - b, p - b);
  const Rational area = cross(along, from_a);
  return area * area / squared_length;
}

/// Whether the inside of the disk meets the inside of the convex polygon.
bool overlaps(const Ball<2>& disk, const Loop& piece) {
  if (is_inside(piece, PointRef{disk.exact_centre, disk.centre})) return true;
  const Rational squared_radius = disk.exact_radius * disk.exact_radius;
  for (int i = 0; i < piece.size(); ++i) {
    if (squared_distance(disk.exact_centre, point_of(piece, i).exact,
                         point_of(piece, piece.next(i)).exact) < squared_radius) {
      return true;
    }
  }
  return false;
}

bool overlaps(const Ball<2>& a, const Ball<2>& b) {
  const ExactVec<2> between = b.exact_centre - a.exact_centre;
  const Rational reach = a.exact_radius + b.exact_radius;
  return dot(between, between) < reach * reach;
}

template <class Solids>
bool overlaps_any(const std::vector<Ball<2>>& disks, const Solids& solids) {
  for (const Ball<2>& disk : disks) {
    for (const auto& solid : solids) {
      if (overlaps(disk, solid)) return true;
    }
  }
  return false;
}

void refuse_overlapping_disks(const std::vector<Shape<2>>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      if (overlaps_any(parts[i].balls, parts[j].balls) ||
          overlaps_any(parts[i].balls, parts[j].pieces) ||
          overlaps_any(parts[j].balls, parts[i].pieces)) {
        throw Error("", "parts " + std::to_string(i) + " and " + std::to_string(j) + " overlap",
                    "a disk part to touch its neighbours at most");
      }
    }
  }
}

}  // namespace

Shape<2> unite(const std::vector<Shape<2>>& parts) {
  if (parts.empty()) throw Error("", "no parts", "at least one part");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].half_space) {
      throw Error("", "a plane as part " + std::to_string(i), "parts of finite extent");
    }
  }
  refuse_overlapping_disks(parts);

  Shape<2> shape;
  std::vector<Loop> polygons;
  for (const Shape<2>& part : parts) {
    // A part with holes or islands is the union of its pieces; otherwise it is its one loop.
    const std::vector<Loop>& loops = part.boundary.size() == 1 ? part.boundary : part.pieces;
    polygons.insert(polygons.end(), loops.begin(), loops.end());
    shape.pieces.insert(shape.pieces.end(), part.pieces.begin(), part.pieces.end());
    shape.balls.insert(shape.balls.end(), part.balls.begin(), part.balls.end());
  }
  shape.boundary = union_boundary(polygons);
  return shape;
}

}  // namespace collapse
