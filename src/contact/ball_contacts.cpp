#include <cmath>

#include "contact/pair_contacts.hpp"

namespace collapse::contacts {
namespace {

/// Where the foot of a ball's centre lies on an edge. Near a convex end the vertex takes over; a
/// reflex end has no contact of its own.
bool foot_inside(const Pair& pair, int centre, int edge) {
  const PlacedPoint& start = pair.placement.point(edge);
  const bool end_convex = pair.placement.point(start.next).convex;
  return (start.convex ? pair.judge.along(centre, edge, {pair.tolerance}) > 0
                       : pair.judge.along(centre, edge, {0.0}) >= 0) &&
         (end_convex ? pair.judge.before_end(centre, edge, {pair.tolerance}) > 0
                     : pair.judge.before_end(centre, edge, {0.0}) >= 0);
}

void find_ball_on_edge(const Pair& pair, int body, int centre, const Ball<2>& ball, int edge) {
  if (pair.judge.height(centre, edge, {pair.tolerance, &ball}) > 0) return;
  if (pair.judge.height(centre, edge, {-pair.tolerance, &ball}) < 0) return;
  if (!foot_inside(pair, centre, edge)) return;
  const Vec<2> normal = pair.placement.point(edge).normal();
  const double height = normal.dot(pair.judge.difference(centre, edge));
  pair.add(body, feature_of(pair.placement.body(body), FeatureKind::ball, centre),
           feature_of(pair.placement.body(pair.other(body)), FeatureKind::edge, edge),
           pair.placement.point(centre).at - height * normal, normal, height - ball.radius);
}

/// In the region where the vertex is the nearest point: beyond the ends of both its edges.
void find_ball_on_vertex(const Pair& pair, int body, int centre, const Ball<2>& ball, int vertex) {
  const PlacedPoint& corner = pair.placement.point(vertex);
  if (!corner.convex) return;
  if (pair.judge.distance(centre, vertex, {pair.tolerance, &ball}) > 0) return;
  if (pair.judge.distance(centre, vertex, {-pair.tolerance, &ball}) < 0) return;
  if (pair.judge.along(centre, vertex, {pair.tolerance}) > 0) return;
  if (pair.judge.before_end(centre, corner.previous, {pair.tolerance}) > 0) return;
  const Vec<2> offset = pair.judge.difference(centre, vertex);
  const double distance = std::hypot(offset.x(), offset.y());
  pair.add(body, feature_of(pair.placement.body(body), FeatureKind::ball, centre),
           feature_of(pair.placement.body(pair.other(body)), FeatureKind::vertex, vertex),
           corner.at, offset / distance, distance - ball.radius, true);
}

void find_balls_on_boundary(const Pair& pair, int body) {
  const PlacedBody& round = pair.placement.body(body);
  const PlacedBody& other = pair.placement.body(pair.other(body));
  for (int centre = round.ball_begin; centre < round.ball_end; ++centre) {
    const Ball<2>& ball = pair.placement.ball(body, centre);
    const Vec<2>& at = pair.placement.point(centre).at;
    const Bounds<2> reach =
        Bounds<2>{at, at}.grown(ball.radius + pair.tolerance + pair.judge.rounding());
    if (!reach.meets(other.bounds)) continue;
    for (int i = other.boundary_begin; i < other.boundary_end; ++i) {
      if (!reach.meets(edge_bounds(pair.placement, i))) continue;
      find_ball_on_edge(pair, body, centre, ball, i);
      find_ball_on_vertex(pair, body, centre, ball, i);
    }
  }
}

void find_ball_on_ball(const Pair& pair, int centre_a, int centre_b) {
  const Ball<2>& ball_a = pair.placement.ball(pair.a, centre_a);
  const Ball<2>& ball_b = pair.placement.ball(pair.b, centre_b);
  if (pair.judge.distance(centre_a, centre_b, {pair.tolerance, &ball_a, &ball_b}) > 0) return;
  const Vec<2> offset = pair.judge.difference(centre_b, centre_a);
  const double distance = std::hypot(offset.x(), offset.y());
  const Vec<2> normal = offset / distance;
  pair.add(pair.b, feature_of(pair.placement.body(pair.b), FeatureKind::ball, centre_b),
           feature_of(pair.placement.body(pair.a), FeatureKind::ball, centre_a),
           pair.placement.point(centre_a).at + ball_a.radius * normal, normal,
           distance - ball_a.radius - ball_b.radius, true);
}

}  // namespace

void find_ball_contacts(const Pair& pair) {
  find_balls_on_boundary(pair, pair.a);
  find_balls_on_boundary(pair, pair.b);
  const PlacedBody& a = pair.placement.body(pair.a);
  const PlacedBody& b = pair.placement.body(pair.b);
  for (int i = a.ball_begin; i < a.ball_end; ++i) {
    for (int j = b.ball_begin; j < b.ball_end; ++j) find_ball_on_ball(pair, i, j);
  }
}

void find_half_plane_contacts(const Pair& pair) {
  const int plane_body = pair.placement.body(pair.a).half_plane ? pair.a : pair.b;
  const int body = pair.other(plane_body);
  const PlacedBody& plane = pair.placement.body(plane_body);
  const PlacedBody& solid = pair.placement.body(body);
  const Feature plane_feature{FeatureKind::half_space, 0};
  const auto add = [&](FeatureKind kind, int point, double radius) {
    const double height = pair.judge.plane_gap(point, plane_body);
    pair.add(body, feature_of(solid, kind, point), plane_feature,
             pair.placement.point(point).at - height * plane.plane_normal, plane.plane_normal,
             height - radius);
  };
  for (int i = solid.boundary_begin; i < solid.boundary_end; ++i) {
    if (!pair.placement.point(i).convex) continue;
    if (pair.judge.plane_height(i, plane_body, {pair.tolerance}) <= 0) {
      add(FeatureKind::vertex, i, 0.0);
    }
  }
  for (int i = solid.ball_begin; i < solid.ball_end; ++i) {
    const Ball<2>& ball = pair.placement.ball(body, i);
    if (pair.judge.plane_height(i, plane_body, {pair.tolerance, &ball}) <= 0) {
      add(FeatureKind::ball, i, ball.radius);
    }
  }
}

}  // namespace collapse::contacts
