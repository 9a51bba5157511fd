#include "contact/placement.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/core/check.hpp"

namespace collapse::contacts {
namespace {

/// Edges shorter than this share of their coordinates get their direction from exact differences.
constexpr double kShortEdge = 0x1p-14;

}  // namespace

Placement::Placement(const Scene<2>& scene, const State<2>& state)
    : scene_(scene), exact_(scene.bodies.size()) {
  COLLAPSE_DEMAND(state.poses.size() == scene.bodies.size());
  bodies_.reserve(scene.bodies.size());
  points_.reserve(4 * scene.bodies.size());
  pieces_.reserve(scene.bodies.size());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) add_body(scene.bodies[i], state.poses[i]);
}

void Placement::add_body(const Body<2>& body, const Pose<2>& pose) {
  const Shape<2>& shape = body.shape;
  PlacedBody placed;
  placed.size = shape.size();
  placed.at_start = pose == body.pose;
  placed.magnitude = pose.position.lpNorm<Eigen::Infinity>();
  placed.bounds = Bounds<2>::empty();
  placed.boundary_begin = static_cast<int>(points_.size());
  if (shape.half_space) {
    placed.half_plane = true;
    placed.plane_normal = pose.turn(shape.half_space->normal);
    placed.plane_offset = shape.half_space->offset + placed.plane_normal.dot(pose.position);
    placed.magnitude += std::abs(shape.half_space->offset);
    COLLAPSE_DEMAND(std::isfinite(placed.plane_offset));
    placed.boundary_end = placed.ball_begin = placed.ball_end = placed.end = placed.boundary_begin;
    bodies_.push_back(placed);
    return;
  }

  for (const Loop& loop : shape.boundary) add_loop(loop, pose);
  placed.boundary_end = placed.ball_begin = static_cast<int>(points_.size());
  for (const Ball<2>& ball : shape.balls) {
    points_.push_back({.at = pose.apply(ball.centre), .direction = Vec<2>::Zero()});
    placed.bounds.include(points_.back().at, ball.radius);
  }
  placed.ball_end = static_cast<int>(points_.size());
  for (int i = placed.boundary_begin; i < placed.boundary_end; ++i) {
    placed.bounds.include(points_[index(i)].at);
  }

  placed.piece_begin = static_cast<int>(pieces_.size());
  if (shape.is_one_convex_polygon()) {
    pieces_.push_back({placed.boundary_begin, placed.boundary_end, placed.bounds});
  } else {
    for (const Loop& piece : shape.pieces) {
      PlacedPiece part{static_cast<int>(points_.size()), 0, Bounds<2>::empty()};
      add_loop(piece, pose);
      part.end = static_cast<int>(points_.size());
      for (int i = part.begin; i < part.end; ++i) part.bounds.include(points_[index(i)].at);
      pieces_.push_back(part);
    }
  }
  placed.piece_end = static_cast<int>(pieces_.size());
  placed.end = static_cast<int>(points_.size());

  double reach = 0.0;  // of the points in body coordinates
  for (const Loop& loop : shape.boundary) {
    for (const Vec<2>& v : loop.vertices()) reach = std::max(reach, v.lpNorm<1>());
  }
  for (const Ball<2>& ball : shape.balls) {
    reach = std::max(reach, ball.centre.lpNorm<1>() + ball.radius);
  }
  placed.magnitude += reach;
  COLLAPSE_DEMAND(placed.bounds.low.allFinite() && placed.bounds.high.allFinite());
  bodies_.push_back(placed);
}

void Placement::add_loop(const Loop& loop, const Pose<2>& pose) {
  const int first = static_cast<int>(points_.size());
  for (int i = 0; i < loop.size(); ++i) {
    const int j = loop.next(i);
    const Vec<2>& from = loop.vertices()[index(i)];
    Vec<2> along = loop.vertices()[index(j)] - from;
    if (!(along.lpNorm<Eigen::Infinity>() > kShortEdge * from.lpNorm<Eigen::Infinity>())) {
      along = to_double<2>(loop.exact()[index(j)] - loop.exact()[index(i)]);
    }
    const double length = std::hypot(along.x(), along.y());
    points_.push_back({.at = pose.apply(from),
                       .direction = pose.turn(along / length),
                       .length = length,
                       .next = first + j,
                       .previous = first + loop.previous(i),
                       .convex = orientation(loop.exact()[index(loop.previous(i))],
                                             loop.exact()[index(i)], loop.exact()[index(j)]) > 0});
  }
}

const ExactVec<2>& Placement::exact_point(int body, int point) const {
  const PlacedBody& placed = this->body(body);
  COLLAPSE_ASSERT(placed.at_start && point >= placed.boundary_begin && point < placed.end);
  auto& cache = exact_[index(body)];
  if (!cache) {
    const Body<2>& source = scene_.bodies[index(body)];
    cache = std::make_unique<std::vector<ExactVec<2>>>();
    const auto add = [&](const ExactVec<2>& p) { cache->push_back(source.exact_pose.apply(p)); };
    for (const Loop& loop : source.shape.boundary) {
      for (const ExactVec<2>& vertex : loop.exact()) add(vertex);
    }
    for (const Ball<2>& ball : source.shape.balls) add(ball.exact_centre);
    if (placed.end > placed.ball_end) {
      for (const Loop& piece : source.shape.pieces) {
        for (const ExactVec<2>& vertex : piece.exact()) add(vertex);
      }
    }
  }
  return (*cache)[index(point - placed.boundary_begin)];
}

ExactPlane Placement::exact_plane(int body) const {
  const Body<2>& source = scene_.bodies[index(body)];
  const HalfSpace<2>& half_space = *source.shape.half_space;
  ExactPlane plane;
  plane.normal = source.exact_pose.turn(half_space.exact_normal);
  plane.offset = half_space.exact_offset + plane.normal.dot(source.exact_pose.position);
  return plane;
}

}  // namespace collapse::contacts
