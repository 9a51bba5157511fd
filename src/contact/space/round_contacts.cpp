/// Round solids of either body against everything of the other.

#include <algorithm>
#include <limits>

#include "contact/space/convex_distance.hpp"
#include "contact/space/round_solids.hpp"

namespace collapse::contacts {
namespace {

void find_one_way(const SpacePair& pair, int body) {
  const SpaceBody& round = pair.body(body);
  const SpaceBody& other = pair.body(pair.other(body));
  const std::vector<RoundCore> cores = cores_of(round);
  const std::vector<RoundCylinder> cylinders = cylinders_of(round);
  if (cores.empty() && cylinders.empty()) return;
  if (other.half_space) {
    for (const RoundCore& core : cores) find_core_on_half_space(pair, body, core);
    for (const RoundCylinder& cylinder : cylinders) {
      find_cylinder_on_half_space(pair, body, cylinder);
    }
    return;
  }
  if (!other.surface().empty()) {
    const Side side(pair, pair.other(body));
    for (const RoundCore& core : cores) find_core_on_surface(pair, body, core, side);
    for (const RoundCylinder& cylinder : cylinders) {
      find_cylinder_on_surface(pair, body, cylinder, side);
    }
  }
  for (const RoundCylinder& cylinder : cylinders_of(other)) {
    for (const RoundCore& core : cores) find_core_on_cylinder(pair, body, core, cylinder);
  }
}

/// The convex solids of a body: polyhedra and round ones apart.
struct ConvexParts {
  std::vector<ConvexSolid> polyhedra;
  std::vector<ConvexSolid> rounds;
  std::vector<Bounds<3>> polyhedron_bounds;
  std::vector<Bounds<3>> round_bounds;
};

Bounds<3> ball_bounds(const Vec<3>& from, const Vec<3>& to, double radius) {
  Bounds<3> bounds = Bounds<3>::empty();
  bounds.include(from, radius);
  bounds.include(to, radius);
  return bounds;
}

ConvexParts parts_of(const SpaceBody& body) {
  ConvexParts parts;
  for (const PlacedHull& piece : body.pieces) {
    parts.polyhedra.push_back(
        ConvexSolid::polyhedron(*piece.hull, piece.points, body.pose.rotation));
    parts.polyhedron_bounds.push_back(piece.bounds);
  }
  for (const PlacedBall& ball : body.balls) {
    parts.rounds.push_back(ConvexSolid::ball(ball.centre, ball.radius));
    parts.round_bounds.push_back(ball_bounds(ball.centre, ball.centre, ball.radius));
  }
  for (const PlacedCapsule& capsule : body.capsules) {
    parts.rounds.push_back(ConvexSolid::capsule(capsule.from, capsule.to, capsule.radius));
    parts.round_bounds.push_back(ball_bounds(capsule.from, capsule.to, capsule.radius));
  }
  for (const PlacedCylinder& cylinder : body.cylinders) {
    parts.rounds.push_back(ConvexSolid::cylinder(cylinder.centre, cylinder.axis,
                                                 cylinder.half_height, cylinder.radius));
    const Vec<3> half = cylinder.half_height * cylinder.axis;
    parts.round_bounds.push_back(
        ball_bounds(cylinder.centre - half, cylinder.centre + half, cylinder.radius));
  }
  return parts;
}

/// Lowest point over a plane.
double lowest_over_plane(const ConvexSolid& solid, const Vec<3>& normal, double offset) {
  const double height = normal.dot(solid.ends[0]) - offset - solid.radius;
  switch (solid.core) {
    case ConvexSolid::Core::segment:
      return height + std::min(0.0, normal.dot(solid.ends[1] - solid.ends[0]));
    case ConvexSolid::Core::cylinder:
      return height - solid.half_height * std::abs(normal.dot(solid.axis)) -
             solid.core_radius * normal.cross(solid.axis).norm();
    default:
      return height;
  }
}

/// Least distance, negative where they overlap, over all pairs with a round solid whose boxes come within `reach`;
/// at least `reach` otherwise, or infinite.
double least_round_distance(const SpacePair& pair, double reach) {
  double least = std::numeric_limits<double>::infinity();
  for (const int body : {pair.a, pair.b}) {
    const SpaceBody& half = pair.body(pair.other(body));
    if (!half.half_space) continue;
    for (const ConvexSolid& solid : parts_of(pair.body(body)).rounds) {
      least = std::min(least, lowest_over_plane(solid, half.plane_normal, half.plane_offset));
    }
    return least;
  }
  const ConvexParts a = parts_of(pair.body(pair.a));
  const ConvexParts b = parts_of(pair.body(pair.b));
  const auto compare =
      [&](const std::vector<ConvexSolid>& of_a, const std::vector<Bounds<3>>& box_a,
          const std::vector<ConvexSolid>& of_b, const std::vector<Bounds<3>>& box_b) {
        for (std::size_t i = 0; i < of_a.size(); ++i) {
          const Bounds<3> near = box_a[i].grown(reach);
          for (std::size_t j = 0; j < of_b.size(); ++j) {
            if (near.meets(box_b[j]))
              least = std::min(least, distance_of(of_a[i], of_b[j]).distance);
          }
        }
      };
  compare(a.rounds, a.round_bounds, b.rounds, b.round_bounds);
  compare(a.rounds, a.round_bounds, b.polyhedra, b.polyhedron_bounds);
  compare(a.polyhedra, a.polyhedron_bounds, b.rounds, b.round_bounds);
  return least;
}

}  // namespace

void find_round_contacts(const SpacePair& pair) {
  find_one_way(pair, pair.a);
  find_one_way(pair, pair.b);
  if (pair.body(pair.a).half_space || pair.body(pair.b).half_space) return;
  const std::vector<RoundCore> cores_b = cores_of(pair.body(pair.b));
  for (const RoundCore& of_a : cores_of(pair.body(pair.a))) {
    for (const RoundCore& of_b : cores_b) find_core_on_core(pair, of_a, of_b);
  }
  const std::vector<RoundCylinder> cylinders_b = cylinders_of(pair.body(pair.b));
  for (const RoundCylinder& of_a : cylinders_of(pair.body(pair.a))) {
    for (const RoundCylinder& of_b : cylinders_b) find_cylinder_on_cylinder(pair, of_a, of_b);
  }
}

double round_depth(const SpacePair& pair) { return -least_round_distance(pair, pair.tolerance); }

double round_distance(const SpacePair& pair, double reach) {
  return least_round_distance(pair, reach);
}

}  // namespace collapse::contacts
