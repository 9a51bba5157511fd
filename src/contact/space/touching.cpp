#include "contact/space/touching.hpp"

#include <algorithm>

namespace collapse::contacts {
namespace {

/// How steeply (sine of an angle) a solid may go through a plane that it is in front of: it may overlap by the
/// tolerance, which small features notice. What goes deeper at this slope is as short as the tolerance.
constexpr double kFrontSlack = 0.5;

/// Places closer than this many tolerances are one.
constexpr double kSamePlace = 3.0;

bool region_holds(const ContactRegion& region, const Vec<3>& at, double slack) {
  for (std::size_t i = 0; i < region.corners.size(); ++i) {
    const Vec<3>& corner = region.corners[i];
    const Vec<3> along = region.corners[i + 1 == region.corners.size() ? 0 : i + 1] - corner;
    if (region.normal.dot(along.cross(at - corner)) < -slack * along.norm()) return false;
  }
  return true;
}

bool segment_holds(const ContactSegment& segment, const Vec<3>& at, double slack) {
  const Vec<3> along = segment.to - segment.from;
  const Vec<3> offset = at - segment.from;
  const double foot = std::clamp(offset.dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (offset - foot * along).squaredNorm() <= slack * slack;
}

/// What both bodies reach, with the tolerance around it.
Bounds<3> shared_bounds(const SpacePair& pair) {
  const Bounds<3>& a = pair.body(pair.a).bounds;
  const Bounds<3>& b = pair.body(pair.b).bounds;
  return Bounds<3>{a.low.cwiseMax(b.low), a.high.cwiseMin(b.high)}.grown(pair.tolerance);
}

}  // namespace

bool lies_in_front(const SpaceBody& body, Feature feature, const Vec<3>& normal) {
  const Surface& surface = body.surface();
  if (feature.kind == FeatureKind::edge) {
    const int e = static_cast<int>(feature.index);
    return normal.dot(into_left(body, e)) >= -kFrontSlack &&
           normal.dot(into_right(body, e)) >= -kFrontSlack;
  }
  const std::vector<int>& edges = surface.vertices[feature.index].edges;
  return std::all_of(edges.begin(), edges.end(), [&](int e) {
    const bool leaves = surface.edges[at_index(e)].from == static_cast<int>(feature.index);
    const double slope = normal.dot(body.edges[at_index(e)].direction);
    return (leaves ? slope : -slope) >= -kFrontSlack;
  });
}

Side::Side(const SpacePair& pair, int body_id)
    : id(body_id), body(pair.body(body_id)), surface(body.surface()) {
  const Bounds<3> region = shared_bounds(pair);
  for (std::size_t i = 0; i < body.faces.size(); ++i) {
    if (body.faces[i].bounds.meets(region)) faces.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < body.edges.size(); ++i) {
    if (body.edges[i].bounds.meets(region)) edges.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
    if (region.meets({body.points[i], body.points[i]})) vertices.push_back(static_cast<int>(i));
  }
}

Vec<3> Side::out_of(Feature feature) const {
  if (feature.kind == FeatureKind::face) return body.faces[feature.index].normal;
  if (feature.kind == FeatureKind::edge) {
    const Surface::Edge& edge = surface.edges[feature.index];
    return face(edge.left).normal + face(edge.right).normal;
  }
  Vec<3> sum = Vec<3>::Zero();
  for (const int f : surface.vertices[feature.index].faces) sum += face(f).normal;
  return sum;
}

void Side::add_tangents(Feature feature, double sign, std::vector<Vec<3>>& into) const {
  if (feature.kind == FeatureKind::edge) {
    const int i = static_cast<int>(feature.index);
    into.push_back(edge(i).direction);
    into.push_back(-edge(i).direction);
    into.push_back(sign * into_left(i));
    into.push_back(sign * into_right(i));
    return;
  }
  for (const int e : surface.vertices[feature.index].edges) {
    const bool leaves = surface.edges[at_index(e)].from == static_cast<int>(feature.index);
    into.push_back((leaves ? sign : -sign) * edge(e).direction);
  }
}

bool Side::face_has(int face_index, Feature feature) const {
  if (feature.kind == FeatureKind::face) return static_cast<int>(feature.index) == face_index;
  if (feature.kind == FeatureKind::edge) {
    const Surface::Edge& edge = surface.edges[feature.index];
    return edge.left == face_index || edge.right == face_index;
  }
  const std::vector<int>& own = surface.vertices[feature.index].faces;
  return std::find(own.begin(), own.end(), face_index) != own.end();
}

bool Side::edge_has(int edge_index, Feature feature) const {
  if (feature.kind == FeatureKind::face) return false;
  if (feature.kind == FeatureKind::edge) return static_cast<int>(feature.index) == edge_index;
  const Surface::Edge& edge = surface.edges[at_index(edge_index)];
  const int vertex = static_cast<int>(feature.index);
  return edge.from == vertex || edge.to == vertex;
}

Touching::Touching(const SpacePair& touching_pair)
    : pair(touching_pair),
      a(touching_pair, touching_pair.a),
      b(touching_pair, touching_pair.b),
      tolerance(touching_pair.tolerance) {}

bool Touching::covered(Feature of_a, Feature of_b, const Vec<3>& at) const {
  const double slack = kSamePlace * tolerance;
  const auto has = [](const Side& side, Feature found, Feature feature) {
    const int i = static_cast<int>(found.index);
    return found.kind == FeatureKind::face ? side.face_has(i, feature) : side.edge_has(i, feature);
  };
  return std::any_of(regions.begin(), regions.end(),
                     [&](const ContactRegion& region) {
                       return a.face_has(region.face_a, of_a) && b.face_has(region.face_b, of_b) &&
                              region_holds(region, at, slack);
                     }) ||
         std::any_of(segments.begin(), segments.end(), [&](const ContactSegment& segment) {
           return has(a, segment.feature_a, of_a) && has(b, segment.feature_b, of_b) &&
                  segment_holds(segment, at, slack);
         });
}

void Touching::add_segment(const Side& own, Feature of_own, Feature of_other, const Vec<3>& from,
                           const Vec<3>& to) {
  const bool first = &own == &a;
  segments.push_back({first ? of_own : of_other, first ? of_other : of_own, from, to});
}

}  // namespace collapse::contacts
