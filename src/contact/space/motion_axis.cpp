#include "contact/space/motion_axis.hpp"

#include <algorithm>
#include <cmath>

namespace collapse::contacts {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Crossing times (shares of the step) that differ by no more count as equal.
constexpr double kSameTime = 1e-6;
/// A plane along two edges has to be crossed this much later than a face: where they are as good the face tells more.
constexpr double kLater = 1e-3;
/// Directions (cosines) that differ by no more are the same up to rounding.
constexpr double kSameDirection = 1e-6;
/// Planes with a larger cosine between their normals are not two ways out.
constexpr double kOtherWay = 0.5;
/// Edges at a smaller angle (sine) have no direction across both that is worth the name.
constexpr double kParallel = 1e-6;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

struct Extent {
  double low = kInfinity;
  double high = -kInfinity;
};

Extent extent(std::span<const Vec<3>> points, const Vec<3>& normal) {
  Extent out;
  for (const Vec<3>& p : points) {
    const double height = normal.dot(p);
    out.low = std::min(out.low, height);
    out.high = std::max(out.high, height);
  }
  return out;
}

/// Products of each line with each normal.
void products(std::span<const Vec<3>> lines, std::span<const Vec<3>> normals,
              std::vector<double>& out) {
  out.clear();
  for (const Vec<3>& line : lines) {
    for (const Vec<3>& normal : normals) out.push_back(line.dot(normal));
  }
}

/// Edges that come within the bounds on their way.
void collect_edges(const MovingPiece& piece, const Bounds<3>& bounds, std::vector<int>& out) {
  out.clear();
  const std::vector<MotionPiece::Edge>& edges = piece.piece->edges;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].number < 0) continue;
    const std::size_t p = index(edges[i].from);
    const std::size_t q = index(edges[i].to);
    Bounds<3> box = {piece.start[p].cwiseMin(piece.start[q]),
                     piece.start[p].cwiseMax(piece.start[q])};
    box.include(piece.end[p]);
    box.include(piece.end[q]);
    if (box.meets(bounds)) out.push_back(static_cast<int>(i));
  }
}

}  // namespace

AxisChoice::Outcome AxisChoice::choose(const MovingPiece& a, const MovingPiece& b,
                                       const RowLimits& limits) {
  limits_ = limits;
  best_ = deepest_ = MotionAxis{};
  separated_ = seam_separates_ = several_ = false;
  most_at_end_ = -kInfinity;
  standing_.clear();
  if (try_faces(a, b, false) || try_faces(b, a, true)) return Outcome::clear;
  // Where a face keeps them apart all the way, whatever touches lies on it, its edges included.
  const bool kept_apart = separated_ && best_.crossing > 1.0;
  if (!kept_apart && try_edges(a, b)) return Outcome::clear;
  if (!separated_) {
    if (seam_separates_ || deepest_.start == -kInfinity) return Outcome::hidden;
    best_ = deepest_;
    return Outcome::found;
  }
  several_ = best_.crossing > 1.0 &&
             std::any_of(standing_.begin(), standing_.end(), [&](const Vec<3>& normal) {
               return std::abs(normal.dot(best_.normal)) <= kOtherWay;
             });
  return Outcome::found;
}

/// True: some face keeps them farther apart than `reach`.
bool AxisChoice::try_faces(const MovingPiece& owner, const MovingPiece& other, bool of_b) {
  for (const auto& [face, opposite] : owner.piece->slabs) {
    const Extent start = extent(other.start, owner.normals_start[index(face)]);
    const Extent end = extent(other.end, owner.normals_end[index(face)]);
    if (try_face(owner, face, start.low, end.low, of_b)) return true;
    if (opposite >= 0 && try_face(owner, opposite, -start.high, -end.high, of_b)) return true;
  }
  return false;
}

/// `start`, `end`: how low the other polyhedron goes along its normal.
bool AxisChoice::try_face(const MovingPiece& owner, int number, double start, double end,
                          bool of_b) {
  const MotionPiece::Face& face = owner.piece->faces[index(number)];
  const std::size_t corner = index(face.sides.front().vertex);
  const Vec<3>& normal = owner.normals_start[index(number)];
  MotionAxis axis;
  axis.start = start - normal.dot(owner.start[corner]);
  axis.end = end - owner.normals_end[index(number)].dot(owner.end[corner]);
  if (std::min(axis.start, axis.end) > limits_.reach) return true;
  most_at_end_ = std::max(most_at_end_, axis.end);
  if (face.number < 0) {
    seam_separates_ = seam_separates_ || axis.start >= -limits_.slip;
    return false;
  }
  axis.kind = of_b ? MotionAxis::Kind::face_b : MotionAxis::Kind::face_a;
  axis.first = number;
  axis.normal = of_b ? Vec<3>(-normal) : normal;
  judge(axis);
  return false;
}

bool AxisChoice::try_edges(const MovingPiece& a, const MovingPiece& b) {
  const double room = limits_.reach + limits_.slip;
  collect_edges(a, b.bounds.grown(room), edges_a_);
  if (edges_a_.empty()) return false;
  collect_edges(b, a.bounds.grown(room), edges_b_);
  if (edges_b_.empty()) return false;
  products(a.lines_start, b.normals_start, beside_a_);
  products(b.lines_start, a.normals_start, beside_b_);
  for (const int e : edges_a_) {
    for (const int f : edges_b_) {
      if (try_edge_pair(a, b, e, f)) return true;
    }
  }
  return false;
}

/// Only edges whose arcs of normals cross on the sphere, b's turned over, have a plane along both with the solids on
/// either side.
bool AxisChoice::try_edge_pair(const MovingPiece& a, const MovingPiece& b, int e, int f) {
  const MotionPiece::Edge& edge_a = a.piece->edges[index(e)];
  const MotionPiece::Edge& edge_b = b.piece->edges[index(f)];
  const double* beside_a = &beside_a_[index(edge_a.line) * b.normals_start.size()];
  const double left_b = beside_a[edge_b.left];
  const double right_b = beside_a[edge_b.right];
  if (!(left_b * right_b < 0.0)) return false;
  const double* beside_b = &beside_b_[index(edge_b.line) * a.normals_start.size()];
  const double left_a = beside_b[edge_a.left];
  const double right_a = beside_b[edge_a.right];
  if (!(left_a * right_a < 0.0)) return false;
  const Vec<3>& normal_a = a.normals_start[index(edge_a.left)];
  const Vec<3>& normal_b = b.normals_start[index(edge_b.left)];
  MotionAxis axis;
  axis.kind = MotionAxis::Kind::edges;
  axis.first = e;
  axis.second = f;
  axis.normal = a.lines_start[index(edge_a.line)].cross(b.lines_start[index(edge_b.line)]);
  double sine = axis.normal.norm();
  if (!(sine > kParallel)) return false;
  // Where the great circles of the arcs cross, on a's side and on b's.
  const double along_a = axis.normal.dot(normal_a) * std::abs(right_a) +
                         axis.normal.dot(a.normals_start[index(edge_a.right)]) * std::abs(left_a);
  const double along_b = axis.normal.dot(normal_b) * std::abs(right_b) +
                         axis.normal.dot(b.normals_start[index(edge_b.right)]) * std::abs(left_b);
  if (!(along_a * along_b < 0.0)) return false;
  const double sign = along_a < 0.0 ? -1.0 : 1.0;
  axis.normal *= sign / sine;
  axis.start = axis.normal.dot(b.start[index(edge_b.from)] - a.start[index(edge_a.from)]);
  if (axis.start < -limits_.slip && (separated_ || axis.start <= deepest_.start)) return false;
  const Vec<3> at_end = a.lines_end[index(edge_a.line)].cross(b.lines_end[index(edge_b.line)]);
  sine = at_end.norm();
  if (!(sine > kParallel)) return false;
  const Vec<3> normal = sign / sine * at_end;
  axis.end = extent(b.end, normal).low - extent(a.end, normal).high;
  if (std::min(axis.start, axis.end) > limits_.reach) return true;
  most_at_end_ = std::max(most_at_end_, axis.end);
  judge(axis);
  return false;
}

void AxisChoice::judge(MotionAxis& axis) {
  const bool edges = axis.kind == MotionAxis::Kind::edges;
  if (axis.start > deepest_.start + (edges ? limits_.slip : 0.0)) deepest_ = axis;
  if (axis.start < -limits_.slip) return;
  standing_.push_back(axis.normal);
  axis.crossing = 2.0;
  if (axis.end < -limits_.slip) {
    const double from = std::max(0.0, axis.start);
    axis.crossing = from / (from - axis.end);
  }
  if (!separated_ || better(axis, best_)) best_ = axis;
  separated_ = true;
}

/// The latest to be crossed keeps the polyhedra apart for longest; those that are crossed together are told apart by
/// how much they separate at the end. Of two that are not crossed and separate as little at the end, it is the one
/// that the bodies move along, not the one that the last result stopped at. The last comparisons are by direction,
/// so that a mirrored scene gets the mirrored answer.
bool AxisChoice::better(const MotionAxis& x, const MotionAxis& y) const {
  const bool edges_x = x.kind == MotionAxis::Kind::edges;
  const bool edges_y = y.kind == MotionAxis::Kind::edges;
  const double time = edges_x == edges_y ? kSameTime : kLater;
  if (std::abs(x.crossing - y.crossing) > time) return x.crossing > y.crossing;
  if (std::abs(x.end - y.end) > limits_.slip) return x.end > y.end;
  if (edges_x != edges_y) return edges_y;
  if (std::abs(x.start - y.start) > limits_.slip) return x.start < y.start;
  for (const int k : {2, 1}) {
    const double more = std::abs(x.normal[k]) - std::abs(y.normal[k]);
    if (std::abs(more) > kSameDirection) return more > 0.0;
  }
  return false;
}

}  // namespace collapse::contacts
