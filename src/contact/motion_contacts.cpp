#include "contact/motion_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collapse/core/check.hpp"
#include "contact/critical_rows.hpp"
#include "geometry/predicates.hpp"

namespace collapse::contacts {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Whether the midpoint of an edge of a piece lies on the boundary of the whole.
bool lies_on_boundary(const ExactVec<2>& p, const ExactVec<2>& q,
                      const std::vector<Loop>& boundary) {
  const ExactVec<2> middle = (p + q) / Rational(2);
  for (const Loop& loop : boundary) {
    for (int i = 0; i < loop.size(); ++i) {
      const ExactVec<2>& from = loop.exact()[at(i)];
      const ExactVec<2>& to = loop.exact()[at(loop.next(i))];
      if (orientation(from, to, middle) != 0) continue;
      if ((middle - from).dot(to - from) >= 0 && (middle - to).dot(from - to) >= 0) return true;
    }
  }
  return false;
}

/// Least distance from the origin of a point that goes from p to q.
double least_distance(const Vec<2>& p, const Vec<2>& q) {
  const Vec<2> way = q - p;
  const double length = way.squaredNorm();
  const double share = length > 0.0 ? std::clamp(-p.dot(way) / length, 0.0, 1.0) : 0.0;
  return (p + share * way).norm();
}

}  // namespace

PlacedRow<2> placed(const MotionRow<2>& row, std::span<const Pose<2>> poses) {
  const Vec<2> point = poses[at(row.point_body())].apply(row.point);
  const Pose<2>& line = poses[at(row.line_body())];
  const Vec<2> anchor = line.apply(row.anchor);
  PlacedRow<2> out;
  Vec<2> normal;
  if (row.round) {
    const Vec<2> offset = point - anchor;
    const double distance = offset.norm();
    // Past each other: the line that kept them apart at the start still does.
    const bool passed = offset.dot(row.normal) <= 0.0;
    normal = passed ? row.normal : Vec<2>(offset / distance);
    out.gap = (passed ? offset.dot(row.normal) : distance) - row.radius;
  } else {
    normal = line.turn(row.normal);
    out.gap = normal.dot(point - anchor) - row.radius;
  }
  out.at = point - row.point_radius * normal;
  out.normal = row.point_of_b ? normal : Vec<2>(-normal);
  return out;
}

MotionContacts<2>::MotionContacts(const Scene<2>& scene, double touch)
    : scene_(scene), touch_(touch), apart_(scene), tracks_(scene.bodies.size()) {
  outlines_.reserve(scene.bodies.size());
  for (const Body<2>& body : scene.bodies) {
    const Shape<2>& shape = body.shape;
    Outline outline;
    outline.size = shape.size();
    outline.balls = shape.balls;
    if (shape.half_space) {
      outline.half_plane = true;
      outline.normal = shape.half_space->normal;
      outline.offset = shape.half_space->offset;
      planes_.push_back(static_cast<int>(outlines_.size()));
    }
    std::uint32_t number = 0;
    for (const Loop& loop : shape.boundary) {
      for (int i = 0; i < loop.size(); ++i, ++number) {
        const bool convex = orientation(loop.exact()[at(loop.previous(i))], loop.exact()[at(i)],
                                        loop.exact()[at(loop.next(i))]) > 0;
        if (convex) outline.corners.emplace_back(loop.vertices()[at(i)], number);
      }
    }
    const bool whole = shape.is_one_convex_polygon();
    if (whole) number = 0;
    for (const Loop& loop : shape.pieces) {
      Piece piece;
      piece.vertices = loop.vertices();
      piece.first = number;
      number += static_cast<std::uint32_t>(loop.size());
      for (int i = 0; i < loop.size() && !whole; ++i) {
        piece.is_boundary.push_back(
            lies_on_boundary(loop.exact()[at(i)], loop.exact()[at(loop.next(i))], shape.boundary));
      }
      outline.pieces.push_back(std::move(piece));
    }
    outlines_.push_back(std::move(outline));
  }
}

void MotionContacts<2>::place(const Sweep<2>& sweep) {
  bounds_.clear();
  boxed_.clear();
  for (std::size_t i = 0; i < outlines_.size(); ++i) {
    const Outline& outline = outlines_[i];
    if (outline.half_plane) continue;
    Bounds<2> bounds = Bounds<2>::empty();
    std::vector<Track>& tracks = tracks_[i];
    tracks.resize(outline.pieces.size());
    for (std::size_t k = 0; k < tracks.size(); ++k) {
      Track& track = tracks[k];
      track.start.clear();
      track.end.clear();
      track.bounds = Bounds<2>::empty();
      for (const Vec<2>& vertex : outline.pieces[k].vertices) {
        track.start.push_back(sweep.start[i].apply(vertex));
        track.end.push_back(sweep.end[i].apply(vertex));
        track.bounds.include(track.start.back());
        track.bounds.include(track.end.back());
      }
      bounds.include(track.bounds);
    }
    for (const Ball<2>& ball : outline.balls) {
      bounds.include(sweep.start[i].apply(ball.centre), ball.radius);
      bounds.include(sweep.end[i].apply(ball.centre), ball.radius);
    }
    bounds_.push_back(bounds.grown(0.5 * (sweep.near + kNearShare * outline.size)));
    COLLAPSE_DEMAND(bounds_.back().low.allFinite() && bounds_.back().high.allFinite());
    boxed_.push_back(static_cast<int>(i));
  }
}

bool MotionContacts<2>::may_touch(const Sweep<2>& sweep, int a, int b) const {
  const auto free = [&](int i) { return scene_.bodies[at(i)].free(); };
  const auto moves = [&](int i) { return sweep.still.empty() || sweep.still[at(i)] == 0; };
  return (free(a) || free(b)) && (moves(a) || moves(b)) && !apart_.contains(a, b);
}

void MotionContacts<2>::add_pairs(const Sweep<2>& sweep) {
  pairs_.clear();
  for (const auto& [i, j] : meeting_pairs<2>(bounds_)) {
    const int a = boxed_[at(i)];
    const int b = boxed_[at(j)];
    if (may_touch(sweep, a, b)) pairs_.emplace_back(a, b);
  }
  for (const int plane : planes_) {
    const Outline& outline = outlines_[at(plane)];
    const auto height = [&](const Pose<2>& pose, const Bounds<2>& box) {
      const Vec<2> normal = pose.turn(outline.normal);
      const Vec<2> lowest = (normal.array() > 0.0).select(box.low, box.high);
      return normal.dot(lowest - pose.position) - outline.offset;
    };
    for (std::size_t k = 0; k < boxed_.size(); ++k) {
      const std::pair<int, int> pair = std::minmax(plane, boxed_[k]);
      if (!may_touch(sweep, pair.first, pair.second)) continue;
      const double reach = sweep.near + kNearShare * outlines_[at(boxed_[k])].size;
      if (std::min(height(sweep.start[at(plane)], bounds_[k]),
                   height(sweep.end[at(plane)], bounds_[k])) <= reach) {
        pairs_.push_back(pair);
      }
    }
  }
}

MotionRow<2> MotionContacts<2>::row_between(int a, int b) const {
  MotionRow<2> row;
  row.id.a = a;
  row.id.b = b;
  const int material_a = scene_.bodies[at(a)].material;
  const int material_b = scene_.bodies[at(b)].material;
  row.friction = scene_.friction(material_a, material_b).value;
  row.restitution = scene_.restitution(material_a, material_b).value;
  row.size = std::min(outlines_[at(a)].size, outlines_[at(b)].size);
  return row;
}

void MotionContacts<2>::find(const Sweep<2>& sweep, std::vector<MotionRow<2>>& rows) {
  rows.clear();
  place(sweep);
  add_pairs(sweep);
  for (const auto& [a, b] : pairs_) examine(sweep, a, b, rows);
  std::sort(rows.begin(), rows.end(),
            [](const MotionRow<2>& x, const MotionRow<2>& y) { return x.id < y.id; });
}

void MotionContacts<2>::examine(const Sweep<2>& sweep, int a, int b,
                                std::vector<MotionRow<2>>& rows) {
  const double size = std::min(outlines_[at(a)].size, outlines_[at(b)].size);
  const double reach = sweep.near + kNearShare * size;
  const double slip = touch_ * size;
  if (outlines_[at(a)].half_plane) return half_plane(sweep, a, b, reach, rows);
  if (outlines_[at(b)].half_plane) return half_plane(sweep, b, a, reach, rows);
  polygons(a, b, slip, reach, rows);
  balls_on_pieces(sweep, a, b, slip, reach, rows);
  balls_on_pieces(sweep, b, a, slip, reach, rows);
  balls_on_balls(sweep, a, b, reach, rows);
}

void MotionContacts<2>::polygons(int a, int b, double slip, double reach,
                                 std::vector<MotionRow<2>>& rows) {
  std::vector<VertexOnEdge> found;
  for (std::size_t i = 0; i < tracks_[at(a)].size(); ++i) {
    for (std::size_t j = 0; j < tracks_[at(b)].size(); ++j) {
      const Track& track_a = tracks_[at(a)][i];
      const Track& track_b = tracks_[at(b)][j];
      if (!track_a.bounds.grown(reach).meets(track_b.bounds)) continue;
      const Piece& piece_a = outlines_[at(a)].pieces[i];
      const Piece& piece_b = outlines_[at(b)].pieces[j];
      found.clear();
      critical_rows({track_a.start, track_a.end, piece_a.is_boundary},
                    {track_b.start, track_b.end, piece_b.is_boundary}, slip, reach, found);
      for (const VertexOnEdge& entry : found) {
        MotionRow<2> row = row_between(a, b);
        row.point_of_b = entry.vertex_of_b;
        const Piece& owner = entry.vertex_of_b ? piece_a : piece_b;
        const Piece& other = entry.vertex_of_b ? piece_b : piece_a;
        row.point = other.vertices[at(entry.vertex)];
        row.anchor = owner.vertices[at(entry.edge)];
        const std::size_t after = at(entry.edge + 1) % owner.vertices.size();
        row.length = (owner.vertices[after] - row.anchor).norm();
        const Vec<2> along = (owner.vertices[after] - row.anchor) / row.length;
        row.normal = Vec<2>(along.y(), -along.x());
        const Feature vertex{FeatureKind::vertex,
                             other.first + static_cast<std::uint32_t>(entry.vertex)};
        const Feature edge{FeatureKind::edge, owner.first + static_cast<std::uint32_t>(entry.edge)};
        row.id.feature_a = entry.vertex_of_b ? edge : vertex;
        row.id.feature_b = entry.vertex_of_b ? vertex : edge;
        rows.push_back(row);
      }
    }
  }
}

/// The edge that the ball reaches last on its way; the vertex at its end where it meets that edge's line beyond
/// the end.
void MotionContacts<2>::balls_on_pieces(const Sweep<2>& sweep, int ball_body, int piece_body,
                                        double slip, double reach,
                                        std::vector<MotionRow<2>>& rows) {
  const Outline& round = outlines_[at(ball_body)];
  for (std::size_t k = 0; k < round.balls.size(); ++k) {
    const Ball<2>& ball = round.balls[k];
    const Vec<2> from = sweep.start[at(ball_body)].apply(ball.centre);
    const Vec<2> to = sweep.end[at(ball_body)].apply(ball.centre);
    for (std::size_t j = 0; j < tracks_[at(piece_body)].size(); ++j) {
      const Track& track = tracks_[at(piece_body)][j];
      const Piece& piece = outlines_[at(piece_body)].pieces[j];
      const std::size_t n = track.start.size();
      struct Candidate {
        std::size_t edge = 0;
        double crossing = -1.0;
        double start = -std::numeric_limits<double>::infinity();
      } best;
      bool found = false;
      for (std::size_t e = 0; e < n; ++e) {
        if (!piece.is_boundary.empty() && piece.is_boundary[e] == 0) continue;
        const std::size_t f = (e + 1) % n;
        const double start = height_over(track.start[e], track.start[f], from) - ball.radius;
        const double end = height_over(track.end[e], track.end[f], to) - ball.radius;
        double crossing = start < -slip ? -1.0 : 2.0;
        if (crossing > 0.0 && end < 0.0)
          crossing = std::max(start, 0.0) / (std::max(start, 0.0) - end);
        const bool is_better =
            crossing != best.crossing ? crossing > best.crossing : start > best.start;
        if (!found || is_better) best = {e, crossing, start};
        found = true;
      }
      if (!found) continue;
      const std::size_t e = best.edge;
      const std::size_t f = (e + 1) % n;
      const auto along = [&](const std::vector<Vec<2>>& vertices, const Vec<2>& centre) {
        return (vertices[f] - vertices[e]).normalized().dot(centre - vertices[e]);
      };
      const double when = std::clamp(best.crossing, 0.0, 1.0);
      const double share = (1.0 - when) * along(track.start, from) + when * along(track.end, to);
      const double length = (piece.vertices[f] - piece.vertices[e]).norm();
      const int low = std::min(ball_body, piece_body);
      const int high = std::max(ball_body, piece_body);
      MotionRow<2> row = row_between(low, high);
      row.point_of_b = ball_body == high;
      row.point = ball.centre;
      row.radius = row.point_radius = ball.radius;
      Feature other{FeatureKind::edge, piece.first + static_cast<std::uint32_t>(e)};
      if (share >= 0.0 && share <= length) {
        row.anchor = piece.vertices[e];
        row.length = length;
        const Vec<2> direction = (piece.vertices[f] - piece.vertices[e]).normalized();
        row.normal = Vec<2>(direction.y(), -direction.x());
        if (std::min(best.start, height_over(track.end[e], track.end[f], to) - ball.radius) >
            reach) {
          continue;
        }
      } else {
        const std::size_t corner = share < 0.0 ? e : f;
        other = {FeatureKind::vertex, piece.first + static_cast<std::uint32_t>(corner)};
        row.round = true;
        row.anchor = piece.vertices[corner];
        row.normal = (from - track.start[corner]).normalized();
        if (least_distance(from - track.start[corner], to - track.end[corner]) >
            ball.radius + reach) {
          continue;
        }
      }
      const Feature own{FeatureKind::ball, static_cast<std::uint32_t>(k)};
      row.id.feature_a = row.point_of_b ? other : own;
      row.id.feature_b = row.point_of_b ? own : other;
      rows.push_back(row);
    }
  }
}

void MotionContacts<2>::balls_on_balls(const Sweep<2>& sweep, int a, int b, double reach,
                                       std::vector<MotionRow<2>>& rows) {
  const Outline& first = outlines_[at(a)];
  const Outline& second = outlines_[at(b)];
  for (std::size_t i = 0; i < first.balls.size(); ++i) {
    for (std::size_t j = 0; j < second.balls.size(); ++j) {
      const Ball<2>& ball_a = first.balls[i];
      const Ball<2>& ball_b = second.balls[j];
      const auto offset = [&](std::span<const Pose<2>> poses) {
        return Vec<2>(poses[at(b)].apply(ball_b.centre) - poses[at(a)].apply(ball_a.centre));
      };
      const Vec<2> start = offset(sweep.start);
      const double radius = ball_a.radius + ball_b.radius;
      if (least_distance(start, offset(sweep.end)) > radius + reach) continue;
      MotionRow<2> row = row_between(a, b);
      row.round = true;
      row.point = ball_b.centre;
      row.anchor = ball_a.centre;
      row.normal = start.normalized();
      row.radius = radius;
      row.point_radius = ball_b.radius;
      row.id.feature_a = {FeatureKind::ball, static_cast<std::uint32_t>(i)};
      row.id.feature_b = {FeatureKind::ball, static_cast<std::uint32_t>(j)};
      rows.push_back(row);
    }
  }
}

void MotionContacts<2>::half_plane(const Sweep<2>& sweep, int plane, int body, double reach,
                                   std::vector<MotionRow<2>>& rows) {
  const Outline& ground = outlines_[at(plane)];
  const Outline& solid = outlines_[at(body)];
  const auto height = [&](std::span<const Pose<2>> poses, const Vec<2>& point) {
    const Pose<2>& pose = poses[at(plane)];
    return pose.turn(ground.normal).dot(poses[at(body)].apply(point) - pose.position) -
           ground.offset;
  };
  const auto add = [&](const Vec<2>& point, double radius, Feature feature) {
    if (std::min(height(sweep.start, point), height(sweep.end, point)) > radius + reach) return;
    MotionRow<2> row = row_between(std::min(plane, body), std::max(plane, body));
    row.point_of_b = body > plane;
    row.point = point;
    row.normal = ground.normal;
    row.anchor = ground.offset * ground.normal;
    row.radius = row.point_radius = radius;
    const Feature face{FeatureKind::half_space, 0};
    row.id.feature_a = row.point_of_b ? face : feature;
    row.id.feature_b = row.point_of_b ? feature : face;
    rows.push_back(row);
  };
  for (const auto& [corner, number] : solid.corners)
    add(corner, 0.0, {FeatureKind::vertex, number});
  for (std::size_t k = 0; k < solid.balls.size(); ++k) {
    add(solid.balls[k].centre, solid.balls[k].radius,
        {FeatureKind::ball, static_cast<std::uint32_t>(k)});
  }
}

}  // namespace collapse::contacts
