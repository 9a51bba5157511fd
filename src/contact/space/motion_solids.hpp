#pragma once
/// Bodies as the search for rows of a step sees them: what of their pieces lies on the boundary, by the numbers that
/// Surface has, and where everything is at the start and at the expected end.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "collapse/contact/broad_phase.hpp"
#include "contact/motion_contacts.hpp"

namespace collapse::contacts {

/// A convex piece of a body, in its coordinates. Numbers are those of the body's surface; −1: not on it, or not
/// convex there, so that nothing can touch.
struct MotionPiece {
  /// One side of a face, with the vertex where it begins.
  struct Side {
    Vec<3> corner;
    Vec<3> along;   ///< unit, to the next corner
    Vec<3> inward;  ///< unit, in the plane of the face
    double length = 0.0;
    int vertex = 0;      ///< of the hull
    int edge = 0;        ///< of the hull
    bool inner = false;  ///< the body goes on beyond it: no convex edge of its surface
  };
  struct Face {
    Vec<3> normal;
    double offset = 0.0;
    int number = -1;
    std::vector<Side> sides;

    [[nodiscard]] double height(const Vec<3>& at) const { return normal.dot(at) - offset; }
    /// Whether the foot of a point lies in the face, or beside it by at most `margin`; beyond an inner side, where only
    /// the body itself is, by at most `inner_margin`.
    [[nodiscard]] bool holds(const Vec<3>& at, double margin, double inner_margin) const {
      for (const Side& side : sides) {
        if (side.inward.dot(at - side.corner) < -(side.inner ? inner_margin : margin)) return false;
      }
      return true;
    }
  };
  struct Edge {
    Vec<3> direction;  ///< unit, from `from` to `to`
    int line = 0;      ///< of `lines`: this direction or the opposite one
    double length = 0.0;
    int from = 0;
    int to = 0;
    int left = 0;
    int right = 0;
    int number = -1;
  };

  const Hull* hull = nullptr;
  double size = 0.0;  ///< Hull::diameter
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<int> vertex_numbers;
  std::vector<Vec<3>> lines;  ///< directions of edges, parallel ones once
  /// Faces by their normals: opposite ones together, the second −1 where there is none.
  std::vector<std::pair<int, int>> slabs;

  /// `whole`: the body is this piece.
  MotionPiece(const Hull& source, const Surface& surface, bool whole);

  [[nodiscard]] const Vec<3>& vertex(int i) const {
    return hull->vertices()[static_cast<std::size_t>(i)];
  }

 private:
  int line_along(const Vec<3>& direction);
  void find_slabs();
};

/// A piece on its way, in world coordinates.
struct MovingPiece {
  const MotionPiece* piece = nullptr;
  const Pose<3>* pose_start = nullptr;
  const Pose<3>* pose_end = nullptr;
  std::span<const Vec<3>> start;  ///< vertices
  std::span<const Vec<3>> end;
  std::span<const Vec<3>> normals_start;  ///< of faces
  std::span<const Vec<3>> normals_end;
  std::span<const Vec<3>> lines_start;  ///< directions of `lines`
  std::span<const Vec<3>> lines_end;
  Bounds<3> bounds;  ///< of both
};

/// A world point in the coordinates of a body.
[[nodiscard]] inline Vec<3> local_to(const Pose<3>& pose, const Vec<3>& at) {
  return pose.rotation.transpose() * (at - pose.position);
}

/// Where rows of a pair go.
struct RowSink {
  MotionRow<3> blank;  ///< bodies and materials
  std::vector<MotionRow<3>>& rows;

  /// From row `first` on: at the start none counts as deeper than the solids are in each other, `distance`. Rows that
  /// are off by more than `most` stay as they are.
  void set_floor(std::size_t first, const Pose<3>& a, const Pose<3>& b, double distance,
                 double most) const;
  /// Whether some row from `first` on tells at these poses that the solids are no farther apart than `distance`; where
  /// they overlap, a good part of how much.
  [[nodiscard]] bool tells(std::size_t first, const Pose<3>& a, const Pose<3>& b, double distance,
                           double slip) const;
  /// `own` belongs to the pair's second body if `swapped`; `normal` points from `own` to `other` at the start.
  void add(bool swapped, const Flat& own, Feature own_feature, const Flat& other,
           Feature other_feature, const Vec<3>& normal, int end = 0) const {
    MotionRow<3> row = blank;
    row.a = swapped ? other : own;
    row.b = swapped ? own : other;
    row.id.feature_a = swapped ? other_feature : own_feature;
    row.id.feature_b = swapped ? own_feature : other_feature;
    row.id.end = static_cast<std::uint16_t>(end);
    row.normal = swapped ? Vec<3>(-normal) : normal;
    rows.push_back(row);
  }
};

[[nodiscard]] inline Flat point_flat(const Vec<3>& at, double radius = 0.0) {
  return {Flat::Kind::point, at, Vec<3>::Zero(), radius};
}
[[nodiscard]] inline Flat line_flat(const Vec<3>& at, const Vec<3>& direction,
                                    double radius = 0.0) {
  return {Flat::Kind::line, at, direction, radius};
}
[[nodiscard]] inline Flat plane_flat(const Vec<3>& at, const Vec<3>& normal) {
  return {Flat::Kind::plane, at, normal, 0.0};
}
[[nodiscard]] inline Feature feature_of(FeatureKind kind, int number) {
  return {kind, static_cast<std::uint32_t>(number)};
}

/// `placed` for the poses of the row's two bodies.
[[nodiscard]] PlacedRow<3> placed_between(const MotionRow<3>& row, const Pose<3>& a,
                                          const Pose<3>& b);

/// Lengths of one search: `slip`, up to which things count as touching, and `reach`, up to which rows are given.
struct RowLimits {
  double slip = 0.0;
  double reach = 0.0;
};

}  // namespace collapse::contacts
