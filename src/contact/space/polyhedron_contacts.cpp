#include <algorithm>
#include <cmath>

#include "contact/add_contact.hpp"
#include "contact/space/convex_distance.hpp"
#include "contact/space/corner_contacts.hpp"
#include "contact/space/pair.hpp"
#include "contact/space/planar.hpp"
#include "contact/space/touching.hpp"

namespace collapse::contacts {

void SpacePair::add(int body_id, Feature feature, Feature other_feature, const Vec<3>& foot,
                    const Vec<3>& normal, double gap, bool normal_turns, int end) const {
  add_contact<3>(*this, contact_id(*this, body_id, feature, other_feature, end), body_id, foot,
                 normal, gap, normal_turns);
}

void SpacePair::add_corner(int body_id, Feature feature, Feature other_feature, const Vec<3>& point,
                           std::vector<Vec<3>> normals, double gap, int end) const {
  CornerContact<3> corner;
  corner.id = contact_id(*this, body_id, feature, other_feature, end);
  corner.point = point;
  corner.normals = std::move(normals);
  if (body_id != b) {
    for (Vec<3>& normal : corner.normals) normal = -normal;
  }
  corner.gap = gap;
  corner.friction = friction;
  out.corners.push_back(std::move(corner));
}

namespace {

/// The vertex, edge or face of a surface that a point on it lies on.
Feature feature_at(const Side& side, const Vec<3>& at, double tolerance) {
  for (const int v : side.vertices) {
    if ((side.point(v) - at).norm() <= tolerance) return vertex_feature(v);
  }
  for (const int e : side.edges) {
    const PlacedEdge& edge = side.edge(e);
    const Vec<3> offset = at - side.start(e);
    const double along = std::clamp(edge.direction.dot(offset), 0.0, edge.length);
    if ((offset - along * edge.direction).norm() <= tolerance) return edge_feature(e);
  }
  int nearest = side.faces.front();
  for (const int f : side.faces) {
    if (std::abs(side.face(f).height(at)) < std::abs(side.face(nearest).height(at))) nearest = f;
  }
  return face_feature(nearest);
}

ConvexSolid solid_of(const SpaceBody& body, const PlacedHull& piece) {
  return ConvexSolid::polyhedron(*piece.hull, piece.points, body.pose.rotation);
}

/// Turned a little out of a degenerate position, features may each miss the contact of the others by less than the
/// tolerance: then the closest points of the bodies are the contact.
void add_closest_points(const Touching& touching) {
  ConvexDistance closest;
  closest.distance = touching.tolerance;
  bool found = false;
  for (const PlacedHull& p : touching.a.body.pieces) {
    for (const PlacedHull& q : touching.b.body.pieces) {
      if (!p.bounds.grown(touching.tolerance).meets(q.bounds)) continue;
      const ConvexDistance here =
          distance_of(solid_of(touching.a.body, p), solid_of(touching.b.body, q));
      if (here.distance > closest.distance) continue;
      closest = here;
      found = true;
    }
  }
  if (!found) return;
  touching.pair.add(touching.b.id, feature_at(touching.b, closest.point_b, touching.tolerance),
                    feature_at(touching.a, closest.point_a, touching.tolerance), closest.point_a,
                    closest.normal, closest.distance);
}

}  // namespace

/// Rounds from the contact that leaves least freedom to the one that leaves most; each leaves out what the earlier
/// ones have found.
void find_polyhedron_contacts(const SpacePair& pair) {
  if (pair.body(pair.a).faces.empty() || pair.body(pair.b).faces.empty()) return;
  const std::size_t before = pair.out.contacts.size() + pair.out.corners.size();
  Touching touching(pair);
  if (touching.a.faces.empty() || touching.b.faces.empty()) return;
  find_faces_on_faces(touching);
  find_edges_on_faces(touching, touching.a, touching.b);
  find_edges_on_faces(touching, touching.b, touching.a);
  find_vertices_on_faces(touching, touching.a, touching.b);
  find_vertices_on_faces(touching, touching.b, touching.a);
  CornerContacts corners(touching);
  find_edges_on_edges(touching, corners);
  corners.find_vertices_on_edges();
  corners.find_vertices_on_vertices();
  const auto none = [&] { return pair.out.contacts.size() + pair.out.corners.size() == before; };
  if (none()) corners.add_inseparable();
  if (none()) add_closest_points(touching);
}

void find_half_space_contacts(const SpacePair& pair) {
  const int half_id = pair.body(pair.a).half_space ? pair.a : pair.b;
  const int solid_id = pair.other(half_id);
  const SpaceBody& half = pair.body(half_id);
  const SpaceBody& solid = pair.body(solid_id);
  const Surface& surface = solid.surface();
  const PlaneFrame frame(half.plane_offset * half.plane_normal, half.plane_normal,
                         solid.pose.rotation.col(0));
  std::vector<int> vertices;
  FlatPolygon flat;
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
    if (!surface.vertices[i].convex) continue;
    if (half.plane_normal.dot(solid.points[i]) - half.plane_offset > pair.tolerance) continue;
    if (!lies_in_front(solid, vertex_feature(static_cast<int>(i)), half.plane_normal)) continue;
    vertices.push_back(static_cast<int>(i));
    flat.push_back(frame.flat(solid.points[i]));
  }
  // Forces inside the hull of the vertices have the same resultants as forces at its corners.
  for (const int k : hull_corners(flat, pair.tolerance)) {
    const int vertex = vertices[at_index(k)];
    const Vec<3>& at = solid.points[at_index(vertex)];
    const double gap = half.plane_normal.dot(at) - half.plane_offset;
    pair.add(solid_id, vertex_feature(vertex), {FeatureKind::half_space, 0},
             at - gap * half.plane_normal, half.plane_normal, gap);
  }
}

}  // namespace collapse::contacts
