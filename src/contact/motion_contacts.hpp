#pragma once
/// What may touch during a step: for every pair of bodies that come near each other on their way, the rows
/// that keep them apart. Unlike find_contacts this is floating point alone, takes bodies that are apart or
/// overlap a little, and gives rows that can be evaluated anew as the bodies move.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "collapse/contact/broad_phase.hpp"
#include "collapse/contact/contact.hpp"
#include "contact/apart.hpp"

namespace collapse::contacts {

/// A pair of features that must not pass each other, in the coordinates of the bodies they belong to.
template <int Dim>
struct MotionRow;

/// A point of one body has to stay on the outer side of a line of another, or at a distance from a point
/// of it.
template <>
struct MotionRow<2> {
  ContactId id;                   ///< id.a < id.b
  bool point_of_b = true;         ///< the point is b's, the line a's; otherwise the other way round
  bool round = false;             ///< point against point
  Vec<2> point = Vec<2>::Zero();  ///< a vertex, or a ball's centre
  Vec<2> anchor = Vec<2>::Zero();  ///< on the line, or the other point
  Vec<2> normal = Vec<2>::
      Zero();  ///< of the line, unit, outwards; round: from the anchor to the point at the start
               ///< of the step, in world coordinates
  /// Of the line from the anchor on, along the normal turned by +90°: the edge that it is the line of.
  double length = std::numeric_limits<double>::infinity();
  double radius = 0.0;        ///< distance to keep
  double point_radius = 0.0;  ///< of the ball that the point is the centre of
  double friction = 0.0;
  double restitution = 0.0;
  double size = 0.0;  ///< of the smaller body

  [[nodiscard]] int point_body() const { return point_of_b ? id.b : id.a; }
  [[nodiscard]] int line_body() const { return point_of_b ? id.a : id.b; }
};

/// A point, a line or a plane of a body, in its coordinates, with a radius around it: what a vertex, an edge, a face,
/// a ball, a capsule or the side of a cylinder is to a solid that comes near it. Or a disk: what the end of a cylinder
/// is to a plane.
struct Flat {
  enum class Kind { point, line, plane, disk };
  Kind kind = Kind::point;
  Vec<3> at = Vec<3>::Zero();  ///< some point of it; a disk's centre
  Vec<3> direction =
      Vec<3>::Zero();   ///< unit: along the line, or out of the solid across the plane or disk
  double radius = 0.0;  ///< 0 for planes; a disk's own
};

/// Two flats have to stay apart: point or disk and plane or point, point and line, line and line.
template <>
struct MotionRow<3> {
  ContactId id;  ///< id.a < id.b
  Flat a;
  Flat b;
  /// From a to b at the start of the step, unit, in world coordinates: which side is which where the flats alone do
  /// not tell.
  Vec<3> normal = Vec<3>::Zero();
  /// At the start of the step its gap counts as at least this: features that are reached only later may overlap there
  /// although the bodies do not.
  double floor = -std::numeric_limits<double>::infinity();
  double friction = 0.0;
  double restitution = 0.0;
  double size = 0.0;  ///< of the smaller body
};

/// What a gap at the start of the step counts as.
[[nodiscard]] inline double counted_start_gap(const MotionRow<2>& /*row*/, double gap) {
  return gap;
}
[[nodiscard]] inline double counted_start_gap(const MotionRow<3>& row, double gap) {
  return std::max(gap, row.floor);
}

/// Whether a row is about another place of the same features, which is a part of the solids whatever they do: a point of
/// them, not a plane or a line that they touch.
[[nodiscard]] inline bool holds_elsewhere(const MotionRow<2>& /*row*/,
                                          const MotionRow<2>& /*now*/) {
  return false;
}
[[nodiscard]] inline bool holds_elsewhere(const MotionRow<3>& row, const MotionRow<3>& now) {
  const auto is_part = [](const Flat& flat) {
    return flat.kind == Flat::Kind::point || (flat.kind == Flat::Kind::line && flat.radius > 0.0);
  };
  return is_part(row.a) && is_part(row.b) && (row.a.at != now.a.at || row.b.at != now.b.at);
}

/// A row at given poses.
template <int Dim>
struct PlacedRow {
  Vec<Dim> at = Vec<Dim>::Zero();  ///< where forces act, world: the vertex, or the ball's surface
  Vec<Dim> normal = Vec<Dim>::Zero();  ///< unit, from a to b
  double gap = 0.0;
};
[[nodiscard]] PlacedRow<2> placed(const MotionRow<2>& row, std::span<const Pose<2>> poses);
[[nodiscard]] PlacedRow<3> placed(const MotionRow<3>& row, std::span<const Pose<3>> poses);

/// A step as the contact finder sees it.
template <int Dim>
struct Sweep {
  std::span<const Pose<Dim>> start;
  std::span<const Pose<Dim>> end;  ///< where the bodies are expected
  double near = 0.0;               ///< rows with gaps up to this are given in any case, length
  /// Bodies that stay where they are. Two of them need no rows. Empty: none is known to.
  std::span<const std::uint8_t> still = {};
};

/// Rows are also given with gaps up to this share of the smaller body's size.
inline constexpr double kNearShare = 1e-3;

template <int Dim>
class MotionContacts;

template <>
class MotionContacts<2> {
 public:
  MotionContacts(const Scene<2>& scene, double touch);

  /// All rows that may become active, sorted by id.
  void find(const Sweep<2>& sweep, std::vector<MotionRow<2>>& rows);

  [[nodiscard]] double size(int body) const {
    return outlines_[static_cast<std::size_t>(body)].size;
  }

 private:
  struct Piece {
    std::vector<Vec<2>> vertices;
    std::vector<char> is_boundary;  ///< of each edge; empty: all
    std::uint32_t first = 0;        ///< number of its first vertex among the body's
  };
  struct Outline {
    std::vector<Piece> pieces;
    std::vector<std::pair<Vec<2>, std::uint32_t>>
        corners;  ///< convex ones of the boundary, with their numbers
    std::vector<Ball<2>> balls;
    bool half_plane = false;
    Vec<2> normal = Vec<2>::Zero();
    double offset = 0.0;
    double size = 0.0;
  };
  /// A piece on its way, in world coordinates.
  struct Track {
    std::vector<Vec<2>> start;
    std::vector<Vec<2>> end;
    Bounds<2> bounds;  ///< of both
  };

  void place(const Sweep<2>& sweep);
  void add_pairs(const Sweep<2>& sweep);
  [[nodiscard]] bool may_touch(const Sweep<2>& sweep, int a, int b) const;
  [[nodiscard]] MotionRow<2> row_between(int a, int b) const;
  void examine(const Sweep<2>& sweep, int a, int b, std::vector<MotionRow<2>>& rows);
  void polygons(int a, int b, double slip, double reach, std::vector<MotionRow<2>>& rows);
  void balls_on_pieces(const Sweep<2>& sweep, int ball_body, int piece_body, double slip,
                       double reach, std::vector<MotionRow<2>>& rows);
  void balls_on_balls(const Sweep<2>& sweep, int a, int b, double reach,
                      std::vector<MotionRow<2>>& rows);
  void half_plane(const Sweep<2>& sweep, int plane, int body, double reach,
                  std::vector<MotionRow<2>>& rows);

  const Scene<2>& scene_;
  double touch_;
  PairsKeptApart<2> apart_;
  std::vector<Outline> outlines_;
  std::vector<std::vector<Track>> tracks_;  ///< of each body's pieces
  std::vector<Bounds<2>> bounds_;           ///< of each body with a box
  std::vector<int> boxed_;                  ///< the bodies these belong to
  std::vector<int> planes_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace collapse::contacts
