#pragma once
/// A scene as point masses, bars of fixed length between them, and convex faces that no other point may enter
/// (docs/theory/points.md). Points come from the scene's framework and, if asked for, from its free polygons;
/// fixed bodies and those on given paths are faces whose corners are not free.

#include <string>
#include <vector>

#include "collapse/simulate/simulation.hpp"

namespace collapse::simulate {

[[nodiscard]] inline std::size_t slot(int i) { return static_cast<std::size_t>(i); }

struct PointBar {
  int i = 0;
  int j = 0;
  double length = 0.0;
};

/// A convex polygon, or a bare point (one corner, no edge) that only runs into others.
struct PointFace {
  std::vector<int> corners;       ///< points, counter-clockwise
  std::vector<char> is_boundary;  ///< of each edge; others are seams between pieces of one body
  std::vector<Feature> vertex_features;
  std::vector<Feature> edge_features;
  /// What ContactId calls it (Scene::things): a bare point by the number of the point.
  int thing = 0;
  int body = kWorld;     ///< that it is part of; kWorld: the framework
  bool movable = false;  ///< a corner is free
  double size = 0.0;     ///< diameter; bare points: longest bar

  [[nodiscard]] bool is_bare() const { return corners.size() == 1; }
};

/// A fixed half plane.
struct PointPlane {
  int body = 0;
  Vec<2> normal = Vec<2>::Zero();
  double offset = 0.0;
};

/// A body of the scene whose shape is made of points.
struct PointBody {
  int body = 0;
  int first = 0;  ///< number of its first point; the others follow
  bool free = false;
  std::vector<Vec<2>> local;  ///< in body coordinates
  std::vector<double> masses;
};

struct PointModel {
  std::vector<double> masses;  ///< 0: not free
  std::vector<PointBar> bars;
  std::vector<PointFace> faces;
  std::vector<PointPlane> planes;
  std::vector<PointBody> bodies;
  int framework_points = 0;  ///< the first of all points
  double size = 0.0;         ///< of everything at the start

  [[nodiscard]] int points() const { return static_cast<int>(masses.size()); }
  [[nodiscard]] bool is_free(int point) const { return masses[slot(point)] > 0.0; }
  /// Whether these two faces have to be kept apart. Not: faces of one body, of a pair that the scene ignores
  /// or joins, of the framework and a free body, faces with two points in common (one rigid piece), a bare
  /// point and a face that it is braced to by two bars or was inside of at the start.
  [[nodiscard]] bool may_touch(int face_a, int face_b) const;
  /// Of two faces, or of one and `size`: the smaller.
  [[nodiscard]] double smaller_size(int face_a, int face_b = -1) const;

  std::vector<std::pair<int, int>> apart;     ///< pairs of bodies that do not touch, sorted
  std::vector<std::pair<int, int>> attached;  ///< pairs of faces that do not touch, sorted
};

/// Throws Error for what points cannot stand for: free disks, friction, restitution, faces that overlap
/// at the start by more than `touch` of the smaller one's size. Without a model of bodies (ModelKind::rigid)
/// free bodies are left out.
[[nodiscard]] PointModel make_point_model(const Scene<2>& scene, ModelKind model, double touch);

/// Point masses that stand for a body, in its own coordinates: the right mass, centre and moment of inertia,
/// except for ModelKind::corners. The corners of its convex pieces are among them. Parallelograms have their
/// corners, midpoints of sides and centre with 1/36, 1/9 and 4/9 of the mass; others corners and centre.
struct PointMasses {
  std::vector<Vec<2>> points;
  std::vector<double> masses;
};
[[nodiscard]] PointMasses point_masses(const Body<2>& body, ModelKind model,
                                       const std::string& place);

/// The corners of all convex pieces, each place once: the first of a body's points.
[[nodiscard]] std::vector<Vec<2>> piece_corners(const Shape<2>& shape);

/// 2n − 3 bars that hold n points (not all in line) rigidly, no bar to spare: every further point by two bars
/// to earlier ones, those at the best angle.
[[nodiscard]] std::vector<std::pair<int, int>> minimally_rigid_bars(
    const std::vector<Vec<2>>& points);

/// Positions and displacements of all points over a step of length h from `time`: of free points h·velocity, of
/// others what they will do.
struct PointMotion {
  std::vector<Vec<2>> start;
  std::vector<Vec<2>> shift;
};
void read_motion(const Scene<2>& scene, const PointModel& model, const State<2>& state, double time,
                 double h, PointMotion& motion);

/// Moves the state to where the displacements take the points. Bodies get the pose nearest to their points and
/// the momentum and angular momentum of these.
void write_motion(const Scene<2>& scene, const PointModel& model, const PointMotion& motion,
                  double time, double h, State<2>& state);

}  // namespace collapse::simulate
