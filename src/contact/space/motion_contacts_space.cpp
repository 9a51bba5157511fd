#include "contact/space/motion_contacts_space.hpp"

#include <algorithm>
#include <utility>

#include "collapse/core/check.hpp"
#include "contact/space/motion_polyhedra.hpp"
#include "contact/space/motion_round.hpp"

namespace collapse::contacts {
namespace {

std::size_t nth(int i) { return static_cast<std::size_t>(i); }

}  // namespace

class MotionContacts<3>::Impl {
 public:
  Impl(const Scene<3>& scene, double touch);
  void find(const Sweep<3>& sweep, std::vector<MotionRow<3>>& rows);
  [[nodiscard]] double size(int body) const { return bodies_[nth(body)].size; }

 private:
  struct MotionBody {
    std::vector<MotionPiece> pieces;
    std::vector<MotionRound> rounds;
    const Shape<3>* shape = nullptr;
    double size = 0.0;
    std::size_t first_piece = 0;  ///< among all pieces

    [[nodiscard]] bool half_space() const { return shape->half_space.has_value(); }
  };

  void place(const Sweep<3>& sweep);
  void place_piece(const Sweep<3>& sweep, std::size_t body, std::size_t piece);
  void add_pairs(const Sweep<3>& sweep);
  [[nodiscard]] bool may_touch(const Sweep<3>& sweep, int a, int b) const;
  [[nodiscard]] MotionRow<3> row_between(int a, int b) const;
  void examine(const Sweep<3>& sweep, int a, int b, std::vector<MotionRow<3>>& rows);
  void half_space(const Sweep<3>& sweep, int plane, int body, double reach,
                  const RowSink& sink) const;

  const Scene<3>& scene_;
  double touch_;
  PairsKeptApart<3> apart_;
  std::vector<MotionBody> bodies_;
  std::vector<int> planes_;
  // In the step. Vertices and normals of all pieces one after the other.
  std::vector<Vec<3>> start_;
  std::vector<Vec<3>> end_;
  std::vector<Vec<3>> normals_start_;
  std::vector<Vec<3>> normals_end_;
  std::vector<Vec<3>> lines_start_;
  std::vector<Vec<3>> lines_end_;
  std::vector<MovingPiece> moving_;
  std::vector<Bounds<3>> bounds_;  ///< of each body with a box
  std::vector<int> boxed_;         ///< the bodies these belong to
  std::vector<std::pair<int, int>> pairs_;
  PolyhedronRows polyhedra_;
};

MotionContacts<3>::Impl::Impl(const Scene<3>& scene, double touch)
    : scene_(scene), touch_(touch), apart_(scene) {
  std::size_t vertices = 0;
  std::size_t normals = 0;
  std::size_t lines = 0;
  std::size_t pieces = 0;
  bodies_.reserve(scene.bodies.size());
  for (const Body<3>& body : scene.bodies) {
    const Shape<3>& shape = body.shape;
    MotionBody out;
    out.shape = &shape;
    out.size = shape.size();
    out.first_piece = pieces;
    const bool whole = shape.pieces.size() == 1 &&
                       shape.boundary.vertices.size() == shape.pieces[0].vertices().size();
    for (const Hull& hull : shape.pieces) {
      out.pieces.emplace_back(hull, shape.boundary, whole);
      vertices += hull.vertices().size();
      normals += hull.faces().size();
      lines += out.pieces.back().lines.size();
      ++pieces;
    }
    out.rounds = rounds_of(shape);
    if (shape.half_space) planes_.push_back(static_cast<int>(bodies_.size()));
    bodies_.push_back(std::move(out));
  }
  start_.resize(vertices);
  end_.resize(vertices);
  normals_start_.resize(normals);
  normals_end_.resize(normals);
  lines_start_.resize(lines);
  lines_end_.resize(lines);
  moving_.resize(pieces);
  std::size_t vertex = 0;
  std::size_t normal = 0;
  std::size_t line = 0;
  std::size_t k = 0;
  for (const MotionBody& body : bodies_) {
    for (const MotionPiece& piece : body.pieces) {
      const std::size_t count = piece.hull->vertices().size();
      MovingPiece& moving = moving_[k++];
      moving.piece = &piece;
      moving.start = std::span(start_).subspan(vertex, count);
      moving.end = std::span(end_).subspan(vertex, count);
      moving.normals_start = std::span(normals_start_).subspan(normal, piece.faces.size());
      moving.normals_end = std::span(normals_end_).subspan(normal, piece.faces.size());
      moving.lines_start = std::span(lines_start_).subspan(line, piece.lines.size());
      moving.lines_end = std::span(lines_end_).subspan(line, piece.lines.size());
      line += piece.lines.size();
      vertex += count;
      normal += piece.faces.size();
    }
  }
}

void MotionContacts<3>::Impl::place_piece(const Sweep<3>& sweep, std::size_t body,
                                          std::size_t piece) {
  MovingPiece& moving = moving_[bodies_[body].first_piece + piece];
  moving.pose_start = &sweep.start[body];
  moving.pose_end = &sweep.end[body];
  moving.bounds = Bounds<3>::empty();
  const auto first_vertex = static_cast<std::size_t>(moving.start.data() - start_.data());
  const std::vector<Vec<3>>& vertices = moving.piece->hull->vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    start_[first_vertex + i] = sweep.start[body].apply(vertices[i]);
    end_[first_vertex + i] = sweep.end[body].apply(vertices[i]);
    moving.bounds.include(start_[first_vertex + i]);
    moving.bounds.include(end_[first_vertex + i]);
  }
  const auto first_normal =
      static_cast<std::size_t>(moving.normals_start.data() - normals_start_.data());
  for (std::size_t i = 0; i < moving.piece->faces.size(); ++i) {
    normals_start_[first_normal + i] = sweep.start[body].turn(moving.piece->faces[i].normal);
    normals_end_[first_normal + i] = sweep.end[body].turn(moving.piece->faces[i].normal);
  }
  const auto first_line = static_cast<std::size_t>(moving.lines_start.data() - lines_start_.data());
  for (std::size_t i = 0; i < moving.piece->lines.size(); ++i) {
    lines_start_[first_line + i] = sweep.start[body].turn(moving.piece->lines[i]);
    lines_end_[first_line + i] = sweep.end[body].turn(moving.piece->lines[i]);
  }
}

void MotionContacts<3>::Impl::place(const Sweep<3>& sweep) {
  bounds_.clear();
  boxed_.clear();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const MotionBody& body = bodies_[i];
    if (body.half_space()) continue;
    Bounds<3> bounds = Bounds<3>::empty();
    for (std::size_t k = 0; k < body.pieces.size(); ++k) {
      place_piece(sweep, i, k);
      bounds.include(moving_[body.first_piece + k].bounds);
    }
    for (const MotionRound& round : body.rounds) {
      round.include_in(bounds, sweep.start[i]);
      round.include_in(bounds, sweep.end[i]);
    }
    bounds_.push_back(bounds.grown(0.5 * (sweep.near + kNearShare * body.size)));
    COLLAPSE_DEMAND(bounds_.back().low.allFinite() && bounds_.back().high.allFinite());
    boxed_.push_back(static_cast<int>(i));
  }
}

bool MotionContacts<3>::Impl::may_touch(const Sweep<3>& sweep, int a, int b) const {
  const auto free = [&](int i) { return scene_.bodies[nth(i)].free(); };
  const auto moves = [&](int i) { return sweep.still.empty() || sweep.still[nth(i)] == 0; };
  return (free(a) || free(b)) && (moves(a) || moves(b)) && !apart_.contains(a, b);
}

void MotionContacts<3>::Impl::add_pairs(const Sweep<3>& sweep) {
  pairs_.clear();
  for (const auto& [i, j] : meeting_pairs<3>(bounds_)) {
    const int a = boxed_[nth(i)];
    const int b = boxed_[nth(j)];
    if (may_touch(sweep, a, b)) pairs_.emplace_back(a, b);
  }
  for (const int plane : planes_) {
    const HalfSpace<3>& space = *bodies_[nth(plane)].shape->half_space;
    const auto height = [&](const Pose<3>& pose, const Bounds<3>& box) {
      const Vec<3> normal = pose.turn(space.normal);
      const Vec<3> lowest = (normal.array() > 0.0).select(box.low, box.high);
      return normal.dot(lowest - pose.position) - space.offset;
    };
    for (std::size_t k = 0; k < boxed_.size(); ++k) {
      const std::pair<int, int> pair = std::minmax(plane, boxed_[k]);
      if (!may_touch(sweep, pair.first, pair.second)) continue;
      const double reach = sweep.near + kNearShare * bodies_[nth(boxed_[k])].size;
      if (std::min(height(sweep.start[nth(plane)], bounds_[k]),
                   height(sweep.end[nth(plane)], bounds_[k])) <= reach) {
        pairs_.push_back(pair);
      }
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
}

MotionRow<3> MotionContacts<3>::Impl::row_between(int a, int b) const {
  MotionRow<3> row;
  row.id.a = a;
  row.id.b = b;
  const int material_a = scene_.bodies[nth(a)].material;
  const int material_b = scene_.bodies[nth(b)].material;
  row.friction = scene_.friction(material_a, material_b).value;
  row.restitution = scene_.restitution(material_a, material_b).value;
  row.size = std::min(bodies_[nth(a)].size, bodies_[nth(b)].size);
  return row;
}

void MotionContacts<3>::Impl::find(const Sweep<3>& sweep, std::vector<MotionRow<3>>& rows) {
  rows.clear();
  place(sweep);
  add_pairs(sweep);
  const auto by_id = [](const MotionRow<3>& x, const MotionRow<3>& y) { return x.id < y.id; };
  const auto same_id = [](const MotionRow<3>& x, const MotionRow<3>& y) { return x.id == y.id; };
  for (const auto& [a, b] : pairs_) {
    const auto first = static_cast<std::ptrdiff_t>(rows.size());
    examine(sweep, a, b, rows);
    std::stable_sort(rows.begin() + first, rows.end(), by_id);
    // Pieces of a body that share a vertex or a face give the same row each.
    rows.erase(std::unique(rows.begin() + first, rows.end(), same_id), rows.end());
  }
}

void MotionContacts<3>::Impl::examine(const Sweep<3>& sweep, int a, int b,
                                      std::vector<MotionRow<3>>& rows) {
  const MotionBody& first = bodies_[nth(a)];
  const MotionBody& second = bodies_[nth(b)];
  const double size = std::min(first.size, second.size);
  const RowLimits limits{touch_ * size, sweep.near + kNearShare * size};
  const RowSink sink{row_between(a, b), rows};
  if (first.half_space()) return half_space(sweep, a, b, limits.reach, sink);
  if (second.half_space()) return half_space(sweep, b, a, limits.reach, sink);
  const auto pieces_of = [&](const MotionBody& body) {
    return std::span(moving_).subspan(body.first_piece, body.pieces.size());
  };
  for (const MovingPiece& piece_a : pieces_of(first)) {
    for (const MovingPiece& piece_b : pieces_of(second)) {
      if (!piece_a.bounds.grown(limits.reach).meets(piece_b.bounds)) continue;
      polyhedra_.find(piece_a, piece_b, limits, sink);
    }
  }
  for (const MotionRound& round : first.rounds) {
    const MovingRound moving{round, sweep.start[nth(a)], sweep.end[nth(a)]};
    for (const MovingPiece& piece : pieces_of(second))
      round_rows_on_piece(moving, piece, false, limits, sink);
    for (const MotionRound& other : second.rounds) {
      round_rows(moving, {other, sweep.start[nth(b)], sweep.end[nth(b)]}, limits, sink);
    }
  }
  for (const MotionRound& round : second.rounds) {
    const MovingRound moving{round, sweep.start[nth(b)], sweep.end[nth(b)]};
    for (const MovingPiece& piece : pieces_of(first))
      round_rows_on_piece(moving, piece, true, limits, sink);
  }
}

void MotionContacts<3>::Impl::half_space(const Sweep<3>& sweep, int plane, int body, double reach,
                                         const RowSink& sink) const {
  const HalfSpace<3>& space = *bodies_[nth(plane)].shape->half_space;
  const MotionBody& solid = bodies_[nth(body)];
  const bool swapped = plane > body;
  const Flat flat = plane_flat(space.offset * space.normal, space.normal);
  const Feature face{FeatureKind::half_space, 0};
  const auto relative = [&](std::span<const Pose<3>> poses) {
    const Pose<3>& ground = poses[nth(plane)];
    const Vec<3> normal = ground.turn(space.normal);
    const Vec<3> in_body = poses[nth(body)].rotation.transpose() * normal;
    return std::pair(in_body,
                     normal.dot(poses[nth(body)].position - ground.position) - space.offset);
  };
  const auto [normal_start, height_start] = relative(sweep.start);
  const auto [normal_end, height_end] = relative(sweep.end);
  const Surface& surface = solid.shape->boundary;
  const Vec<3> up = sweep.start[nth(plane)].turn(space.normal);
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
    if (!surface.vertices[i].convex) continue;
    const Vec<3>& at = surface.points[i];
    if (std::min(normal_start.dot(at) + height_start, normal_end.dot(at) + height_end) > reach)
      continue;
    sink.add(swapped, flat, face, point_flat(at),
             feature_of(FeatureKind::vertex, static_cast<int>(i)), up);
  }
  for (const MotionRound& round : solid.rounds) {
    round.on_plane(flat, face, swapped, {normal_start, height_start, normal_end, height_end}, reach,
                   up, sink);
  }
}

MotionContacts<3>::MotionContacts(const Scene<3>& scene, double touch)
    : impl_(std::make_unique<Impl>(scene, touch)) {}
MotionContacts<3>::~MotionContacts() = default;
MotionContacts<3>::MotionContacts(MotionContacts&&) noexcept = default;
MotionContacts<3>& MotionContacts<3>::operator=(MotionContacts&&) noexcept = default;

void MotionContacts<3>::find(const Sweep<3>& sweep, std::vector<MotionRow<3>>& rows) {
  impl_->find(sweep, rows);
}

double MotionContacts<3>::size(int body) const { return impl_->size(body); }

}  // namespace collapse::contacts
