#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "collapse/core/error.hpp"
#include "collapse/geometry/shape.hpp"
#include "geometry/predicates.hpp"
#include "geometry/solid_overlap.hpp"

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

/// A ball is a capsule of length zero.
Capsule capsule_of(const Ball<3>& ball) {
  return {ball.exact_centre, ball.exact_centre, ball.exact_radius};
}
bool overlaps(const Ball<3>& a, const Ball<3>& b) { return overlaps(capsule_of(a), capsule_of(b)); }
bool overlaps(const Ball<3>& ball, const Capsule& capsule) {
  return overlaps(capsule_of(ball), capsule);
}
bool overlaps(const Ball<3>& ball, const Hull& hull) { return overlaps(capsule_of(ball), hull); }

template <class Round, class Solid>
bool any_overlap(const std::vector<Round>& rounds, const std::vector<Solid>& solids) {
  for (const Round& round : rounds) {
    for (const Solid& solid : solids) {
      if (overlaps(round, solid)) return true;
    }
  }
  return false;
}

/// Whether a round solid of the first part overlaps something of the second.
bool rounds_overlap(const Shape<2>& a, const Shape<2>& b) {
  return any_overlap(a.balls, b.balls) || any_overlap(a.balls, b.pieces);
}
bool rounds_overlap(const Shape<3>& a, const Shape<3>& b) {
  return any_overlap(a.balls, b.balls) || any_overlap(a.balls, b.capsules) ||
         any_overlap(a.balls, b.cylinders) || any_overlap(a.balls, b.pieces) ||
         any_overlap(a.capsules, b.capsules) || any_overlap(a.capsules, b.cylinders) ||
         any_overlap(a.capsules, b.pieces) || any_overlap(a.cylinders, b.cylinders) ||
         any_overlap(a.cylinders, b.pieces);
}

template <int Dim>
void refuse_unusable_parts(const std::vector<Shape<Dim>>& parts) {
  if (parts.empty()) throw Error("", "no parts", "at least one part");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].half_space) {
      throw Error("", "a plane as part " + std::to_string(i), "parts of finite extent");
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      if (rounds_overlap(parts[i], parts[j]) || rounds_overlap(parts[j], parts[i])) {
        throw Error("", "parts " + std::to_string(i) + " and " + std::to_string(j) + " overlap",
                    Dim == 2 ? "a disk part to touch its neighbours at most"
                             : "a round part to touch its neighbours at most");
      }
    }
  }
}

template <class Item>
void append(std::vector<Item>& list, const std::vector<Item>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

Shape<2> unite(const std::vector<Shape<2>>& parts) {
  refuse_unusable_parts(parts);
  Shape<2> shape;
  std::vector<Loop> polygons;
  for (const Shape<2>& part : parts) {
    // A part with holes or islands is the union of its pieces; otherwise it is its one loop.
    append(polygons, part.boundary.size() == 1 ? part.boundary : part.pieces);
    append(shape.pieces, part.pieces);
    append(shape.balls, part.balls);
  }
  shape.boundary = union_boundary(polygons);
  return shape;
}

Shape<3> unite(const std::vector<Shape<3>>& parts) {
  refuse_unusable_parts(parts);
  Shape<3> shape;
  int polyhedra = 0;
  for (const Shape<3>& part : parts) {
    append(shape.pieces, part.pieces);
    append(shape.balls, part.balls);
    append(shape.cylinders, part.cylinders);
    append(shape.capsules, part.capsules);
    shape.piece_excess = std::max(shape.piece_excess, part.piece_excess);
    if (part.boundary.empty()) continue;
    ++polyhedra;
    shape.boundary = part.boundary;
  }
  if (polyhedra > 1) shape.boundary = union_surface(shape.pieces);
  return shape;
}

}  // namespace collapse
