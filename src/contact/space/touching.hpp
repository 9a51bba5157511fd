#pragma once
/// What the rounds of finding contacts of two surfaces share: the features that come near the other body, and the
/// places where contacts have been found.

#include <vector>

#include "contact/space/pair.hpp"

namespace collapse::contacts {

[[nodiscard]] inline std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

/// From an edge into its left and right face, across the edge. Unit.
[[nodiscard]] inline Vec<3> into_left(const SpaceBody& body, int edge) {
  const int face = body.surface().edges[at_index(edge)].left;
  return body.faces[at_index(face)].normal.cross(body.edges[at_index(edge)].direction);
}
[[nodiscard]] inline Vec<3> into_right(const SpaceBody& body, int edge) {
  const int face = body.surface().edges[at_index(edge)].right;
  return body.edges[at_index(edge)].direction.cross(body.faces[at_index(face)].normal);
}

/// See Side::in_front.
[[nodiscard]] bool lies_in_front(const SpaceBody& body, Feature feature, const Vec<3>& normal);

/// One of the two bodies, with those of its features that come near the other.
struct Side {
  int id = 0;
  const SpaceBody& body;
  const Surface& surface;
  std::vector<int> faces;
  std::vector<int> edges;
  std::vector<int> vertices;

  Side(const SpacePair& pair, int body_id);

  [[nodiscard]] const Vec<3>& point(int i) const { return body.points[at_index(i)]; }
  [[nodiscard]] const PlacedFace& face(int i) const { return body.faces[at_index(i)]; }
  [[nodiscard]] const PlacedEdge& edge(int i) const { return body.edges[at_index(i)]; }
  [[nodiscard]] const Vec<3>& start(int edge) const {
    return point(surface.edges[at_index(edge)].from);
  }
  [[nodiscard]] bool convex_edge(int i) const { return surface.edges[at_index(i)].convex; }
  [[nodiscard]] bool convex_vertex(int i) const { return surface.vertices[at_index(i)].convex; }

  [[nodiscard]] Vec<3> into_left(int edge_index) const {
    return collapse::contacts::into_left(body, edge_index);
  }
  [[nodiscard]] Vec<3> into_right(int edge_index) const {
    return collapse::contacts::into_right(body, edge_index);
  }
  /// Out of the solid at a vertex or an edge, between the normals of the faces there. Not unit.
  [[nodiscard]] Vec<3> out_of(Feature feature) const;
  /// Whether the solid at a convex vertex or edge lies on the side of a plane where the normal points. A body that
  /// is thinner than the tolerance has features near the plane that look the other way.
  [[nodiscard]] bool in_front(Feature feature, const Vec<3>& normal) const {
    return lies_in_front(body, feature, normal);
  }
  /// Adds unit vectors that generate the tangent cone of the solid at a convex vertex or edge, times `sign`.
  void add_tangents(Feature feature, double sign, std::vector<Vec<3>>& into) const;

  /// Whether a face or an edge has the feature in its closure (or is it).
  [[nodiscard]] bool face_has(int face_index, Feature feature) const;
  [[nodiscard]] bool edge_has(int edge_index, Feature feature) const;
};

/// A flat region where a face of a lies on a face of b.
struct ContactRegion {
  int face_a = 0;
  int face_b = 0;
  Vec<3> normal;
  std::vector<Vec<3>> corners;  ///< counter-clockwise seen from the tip of the normal
};

/// A segment where an edge lies on a face or along an edge.
struct ContactSegment {
  Feature feature_a;
  Feature feature_b;
  Vec<3> from;
  Vec<3> to;
};

struct Touching {
  const SpacePair& pair;
  Side a;
  Side b;
  double tolerance;
  std::vector<ContactRegion> regions;
  std::vector<ContactSegment> segments;

  explicit Touching(const SpacePair& touching_pair);

  /// Whether a contact of these features at this point is part of what has been found: whatever parts the bodies
  /// there parts these features, too.
  [[nodiscard]] bool covered(Feature of_a, Feature of_b, const Vec<3>& at) const;
  /// The same with the bodies named the other way round where `own` is b.
  [[nodiscard]] bool covered(const Side& own, Feature of_own, Feature of_other,
                             const Vec<3>& at) const {
    return &own == &a ? covered(of_own, of_other, at) : covered(of_other, of_own, at);
  }
  void add_segment(const Side& own, Feature of_own, Feature of_other, const Vec<3>& from,
                   const Vec<3>& to);
};

[[nodiscard]] inline Feature vertex_feature(int i) {
  return {FeatureKind::vertex, static_cast<std::uint32_t>(i)};
}
[[nodiscard]] inline Feature edge_feature(int i) {
  return {FeatureKind::edge, static_cast<std::uint32_t>(i)};
}
[[nodiscard]] inline Feature face_feature(int i) {
  return {FeatureKind::face, static_cast<std::uint32_t>(i)};
}

/// The rounds. Each leaves out what the earlier ones have found.
void find_faces_on_faces(Touching& touching);
void find_edges_on_faces(Touching& touching, const Side& own, const Side& other);
void find_vertices_on_faces(Touching& touching, const Side& own, const Side& other);

}  // namespace collapse::contacts
