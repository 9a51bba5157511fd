#include "contact/space/motion_polyhedra.hpp"

#include <algorithm>
#include <cmath>

#include "contact/space/pair_on_way.hpp"

namespace collapse::contacts {
namespace {

/// Faces look at each other if they are opposed at least this much (cosine).
constexpr double kFacing = -0.3;
/// Lines at a smaller angle (sine) get a point instead of a normal across both: it would turn too fast.
constexpr double kWellCrossed = 0.1;
/// A plane along two edges cuts into a solid beside its edge by no more than this (sine).
constexpr double kCut = 0.1;
/// A plane along two edges that is this close to a face (cosine) is taken with all that the face holds.
constexpr double kNearFace = 0.8;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Share of the step at which a point reaches a plane: at the start if it lies on it.
double when_reached(double start, double end, double slip) {
  if (start <= slip) return 0.0;
  return end < 0.0 ? start / (start - end) : 1.0;
}

}  // namespace

void PolyhedronRows::find(const MovingPiece& a, const MovingPiece& b, const RowLimits& limits,
                          const RowSink& sink) {
  limits_ = limits;
  sink_ = &sink;
  if (choice_.choose(a, b, limits) != AxisChoice::Outcome::found) return;
  const MotionAxis& axis = choice_.best();
  margin_ = choice_.several() ? -limits.slip : limits.slip;
  when_ = std::clamp(axis.crossing, 0.0, 1.0);
  const std::size_t first_row = sink.rows.size();
  owner_ = &a;
  other_ = &b;
  swapped_ = false;
  switch (axis.kind) {
    case MotionAxis::Kind::face_a:
      across_face(a, b, false, axis.first);
      break;
    case MotionAxis::Kind::face_b:
      across_face(b, a, true, axis.first);
      break;
    case MotionAxis::Kind::edges:
      across_edges(axis);
      break;
  }
  if (choice_.at_end() < -limits.slip) hold_apart(a, b, first_row);
}

void PolyhedronRows::across_face(const MovingPiece& owner, const MovingPiece& other, bool swapped,
                                 int face_number) {
  owner_ = &owner;
  other_ = &other;
  swapped_ = swapped;
  const auto to_owner = [&](std::span<const Vec<3>> points, const Pose<3>& pose,
                            std::vector<Vec<3>>& out) {
    out.clear();
    for (const Vec<3>& p : points) out.push_back(local_to(pose, p));
  };
  to_owner(other.start, *owner.pose_start, start_);
  to_owner(other.end, *owner.pose_end, end_);
  normals_.clear();
  for (const Vec<3>& n : other.normals_start) {
    normals_.push_back(owner.pose_start->rotation.transpose() * n);
  }
  const MotionPiece::Face& face = owner.piece->faces[at(face_number)];
  vertices_on(face);
  edges_on(face);
  corners_under(face);
}

void PolyhedronRows::vertices_on(const MotionPiece::Face& face) {
  held_.clear();
  for (std::size_t v = 0; v < start_.size(); ++v) {
    const int number = other_->piece->vertex_numbers[v];
    if (number < 0) continue;
    const double start = face.height(start_[v]);
    const double end = face.height(end_[v]);
    if (std::min(start, end) > limits_.reach || is_behind(start)) continue;
    const double when = when_reached(start, end, limits_.slip);
    if (!face.holds((1.0 - when) * start_[v] + when * end_[v], margin_, limits_.reach)) continue;
    held_.push_back(start_[v] - start * face.normal);
    sink_->add(swapped_, plane_flat(face.sides.front().corner, face.normal),
               feature_of(FeatureKind::face, face.number),
               point_flat(other_->piece->hull->vertices()[v]),
               feature_of(FeatureKind::vertex, number), owner_->pose_start->turn(face.normal));
  }
}

/// At the start, deeper than the solids are in each other: it is not on its way onto that face, but at another one whose
/// border they share.
bool PolyhedronRows::is_behind(double start) const {
  return start < std::min(0.0, choice_.best().start) - limits_.reach;
}

/// Whether a vertex of the other solid has its row right at a corner of the face: corner on corner needs one row.
bool PolyhedronRows::is_held(const Vec<3>& corner) const {
  return std::any_of(held_.begin(), held_.end(),
                     [&](const Vec<3>& foot) { return (foot - corner).norm() <= limits_.slip; });
}

/// The edges of the other solid's lower side, where they cross the border of the face.
void PolyhedronRows::edges_on(const MotionPiece::Face& face) {
  const std::vector<MotionPiece::Edge>& edges = other_->piece->edges;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const MotionPiece::Edge& edge = edges[e];
    if (edge.number < 0) continue;
    const double least =
        std::min({face.height(start_[at(edge.from)]), face.height(start_[at(edge.to)]),
                  face.height(end_[at(edge.from)]), face.height(end_[at(edge.to)])});
    if (least > limits_.reach) continue;
    if (std::min(normals_[at(edge.left)].dot(face.normal),
                 normals_[at(edge.right)].dot(face.normal)) > kFacing) {
      continue;
    }
    for (std::size_t k = 0; k < face.sides.size(); ++k) {
      edge_over_side(face, static_cast<int>(k), static_cast<int>(e));
    }
  }
}

void PolyhedronRows::edge_over_side(const MotionPiece::Face& face, int side_number, int e) {
  const MotionPiece::Side& side = face.sides[at(side_number)];
  const MotionPiece::Edge& edge = other_->piece->edges[at(e)];
  const MotionPiece::Edge& own = owner_->piece->edges[at(side.edge)];
  if (own.number < 0) return;
  const std::size_t p = at(edge.from);
  const std::size_t q = at(edge.to);
  const double slip = limits_.slip;
  double share = 0.0;  // of the edge, where they cross
  const auto crosses = [&](double when) {
    const Vec<3> from = (1.0 - when) * start_[p] + when * end_[p];
    const Vec<3> to = (1.0 - when) * start_[q] + when * end_[q];
    const double depth_p = side.inward.dot(from - side.corner);
    const double depth_q = side.inward.dot(to - side.corner);
    // Ends on the border are vertices on the face, or under it.
    if (std::min(depth_p, depth_q) >= -slip || std::max(depth_p, depth_q) <= slip) return false;
    share = depth_p / (depth_p - depth_q);
    const double along = side.along.dot(from + share * (to - from) - side.corner);
    return along > slip && along < side.length - slip;
  };
  const auto heights = [&] {
    return std::pair((1.0 - share) * face.height(start_[p]) + share * face.height(start_[q]),
                     (1.0 - share) * face.height(end_[p]) + share * face.height(end_[q]));
  };
  double when = 0.0;
  if (!crosses(0.0) || heights().first > slip) {
    when = when_;
    if (!crosses(when)) return;
    const auto [start, end] = heights();
    when = when_reached(start, end, slip);
    if (!crosses(when)) return;
  }
  const auto [start, end] = heights();
  if (std::min(start, end) > limits_.reach) return;
  const Vec<3> along = ((1.0 - when) * (start_[q] - start_[p]) + when * (end_[q] - end_[p]));
  Vec<3> normal = side.along.cross(along);
  const double length = along.norm();
  const double sine = normal.norm() / length;
  const Feature own_face = feature_of(FeatureKind::face, face.number);
  const Feature other_edge = feature_of(FeatureKind::edge, edge.number);
  if (sine < kWellCrossed) {
    const Vec<3> point =
        (1.0 - share) * other_->piece->vertex(edge.from) + share * other_->piece->vertex(edge.to);
    sink_->add(swapped_, plane_flat(side.corner, face.normal), own_face, point_flat(point),
               other_edge, owner_->pose_start->turn(face.normal), 1 + side_number);
    return;
  }
  normal /= normal.dot(face.normal) < 0.0 ? -sine * length : sine * length;
  // Where the plane along both would cut into one of them, something else is lower.
  const Vec<3> direction = along / length;
  const Vec<3> into_left = normals_[at(edge.left)].cross(direction);
  const Vec<3> into_right = direction.cross(normals_[at(edge.right)]);
  if (normal.dot(side.inward) > kCut || normal.dot(into_left) < -kCut ||
      normal.dot(into_right) < -kCut) {
    return;
  }
  add_edges(swapped_, side.edge, e, owner_->pose_start->turn(normal));
}

/// The corners of the face against the faces of the other solid that look at it: where these overhang it.
void PolyhedronRows::corners_under(const MotionPiece::Face& face) {
  corners_start_.clear();
  corners_end_.clear();
  for (const MotionPiece::Side& side : face.sides) {
    corners_start_.push_back(local_to(*other_->pose_start, owner_->start[at(side.vertex)]));
    corners_end_.push_back(local_to(*other_->pose_end, owner_->end[at(side.vertex)]));
  }
  const std::vector<MotionPiece::Face>& faces = other_->piece->faces;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const MotionPiece::Face& facing = faces[f];
    if (facing.number < 0 || normals_[f].dot(face.normal) > kFacing) continue;
    for (std::size_t k = 0; k < face.sides.size(); ++k) {
      const int vertex = face.sides[k].vertex;
      const int number = owner_->piece->vertex_numbers[at(vertex)];
      if (number < 0 || is_held(face.sides[k].corner)) continue;
      const double start = facing.height(corners_start_[k]);
      const double end = facing.height(corners_end_[k]);
      if (std::min(start, end) > limits_.reach || is_behind(start)) continue;
      const double when = when_reached(start, end, limits_.slip);
      const Vec<3> place = (1.0 - when) * corners_start_[k] + when * corners_end_[k];
      if (!facing.holds(place, margin_, limits_.reach)) continue;
      sink_->add(!swapped_, plane_flat(facing.sides.front().corner, facing.normal),
                 feature_of(FeatureKind::face, facing.number),
                 point_flat(owner_->piece->vertex(vertex)), feature_of(FeatureKind::vertex, number),
                 other_->normals_start[f]);
    }
  }
}

void PolyhedronRows::add_edges(bool swapped, int own, int other, const Vec<3>& normal) const {
  const MotionPiece& first = *owner_->piece;
  const MotionPiece& second = *other_->piece;
  const MotionPiece::Edge& own_edge = first.edges[at(own)];
  const MotionPiece::Edge& other_edge = second.edges[at(other)];
  sink_->add(swapped, line_flat(first.vertex(own_edge.from), own_edge.direction),
             feature_of(FeatureKind::edge, own_edge.number),
             line_flat(second.vertex(other_edge.from), other_edge.direction),
             feature_of(FeatureKind::edge, other_edge.number), normal);
}

void PolyhedronRows::across_edges(const MotionAxis& axis) {
  const MovingPiece& a = *owner_;
  const MovingPiece& b = *other_;
  const MotionPiece::Edge& edge_a = a.piece->edges[at(axis.first)];
  const MotionPiece::Edge& edge_b = b.piece->edges[at(axis.second)];
  // Faces that lie almost flat on each other are held by all that they share, not by the two edges alone.
  int face = -1;
  bool of_b = false;
  double most = kNearFace;
  const auto compare = [&](const MovingPiece& piece, int candidate, bool is_b) {
    const double along = axis.normal.dot(piece.normals_start[at(candidate)]) * (is_b ? -1.0 : 1.0);
    if (along <= most || piece.piece->faces[at(candidate)].number < 0) return;
    most = along;
    face = candidate;
    of_b = is_b;
  };
  for (const int candidate : {edge_a.left, edge_a.right}) compare(a, candidate, false);
  for (const int candidate : {edge_b.left, edge_b.right}) compare(b, candidate, true);
  const std::size_t first_row = sink_->rows.size();
  if (face >= 0) across_face(of_b ? b : a, of_b ? a : b, of_b, face);
  owner_ = &a;
  other_ = &b;
  swapped_ = false;
  const Feature feature_a = feature_of(FeatureKind::edge, edge_a.number);
  const Feature feature_b = feature_of(FeatureKind::edge, edge_b.number);
  for (std::size_t k = first_row; k < sink_->rows.size(); ++k) {
    const ContactId& id = sink_->rows[k].id;
    if (id.feature_a == feature_a && id.feature_b == feature_b) return;
  }
  if (std::min(axis.start, axis.end) > limits_.reach) return;
  // Where the edges are closest when they meet.
  const auto place = [&](const MovingPiece& piece, int vertex) {
    return Vec<3>((1.0 - when_) * piece.start[at(vertex)] + when_ * piece.end[at(vertex)]);
  };
  const Vec<3> from_a = place(a, edge_a.from);
  const Vec<3> from_b = place(b, edge_b.from);
  const Vec<3> along_a = (place(a, edge_a.to) - from_a).normalized();
  const Vec<3> along_b = (place(b, edge_b.to) - from_b).normalized();
  const double cosine = along_a.dot(along_b);
  const double square = 1.0 - cosine * cosine;
  const Vec<3> offset = from_b - from_a;
  const double s = (along_a.dot(offset) - cosine * along_b.dot(offset)) / square;
  const double t = s * cosine - along_b.dot(offset);
  const auto within = [&](double share, double length) {
    return share >= -margin_ && share <= length + margin_;
  };
  if (!(within(s, edge_a.length) && within(t, edge_b.length))) return;
  if (square >= kWellCrossed * kWellCrossed)
    return add_edges(false, axis.first, axis.second, axis.normal);
  const Vec<3> on_a = a.piece->vertex(edge_a.from) + s * edge_a.direction;
  const Vec<3> on_b = b.piece->vertex(edge_b.from) + t * edge_b.direction;
  sink_->add(false, plane_flat(on_a, a.pose_start->rotation.transpose() * axis.normal), feature_a,
             point_flat(on_b), feature_b, axis.normal);
}

/// What would overlap at the end has to be stopped by a row: where the solids touch first.
void PolyhedronRows::hold_apart(const MovingPiece& a, const MovingPiece& b,
                                std::size_t first_row) const {
  if (sink_->tells(first_row, *a.pose_end, *b.pose_end, choice_.at_end(), 0.0)) return;
  const Party own{*a.pose_start, *a.pose_end, false};
  const Party other{*b.pose_start, *b.pose_end, true};
  PairOnWay pair(ConvexPart(*a.piece), own, ConvexPart(*b.piece), other, limits_, *sink_,
                 first_row);
  if (pair.touch()) pair.tell_distance();
}

}  // namespace collapse::contacts
