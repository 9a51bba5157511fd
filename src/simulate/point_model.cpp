#include "simulate/point_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"
#include "simulate/point_rows.hpp"

namespace collapse::simulate {
namespace {

/// Braced points are looked for this far around a face, relative to the smaller of it and the bars.
constexpr double kBraceMargin = 2.0;

std::string body_place(int body) { return "bodies[" + std::to_string(body) + "]"; }

double diameter_of(const std::vector<Vec<2>>& points) {
  double largest = 0.0;
  for (const Vec<2>& p : points) {
    for (const Vec<2>& q : points) largest = std::max(largest, (p - q).norm());
  }
  return largest;
}

/// Number of the boundary's edge that runs along (part of) the edge from p to q of a convex piece, −1 if none
/// does: then it is a seam. Exact.
int boundary_edge_along(const Shape<2>& shape, const ExactVec<2>& p, const ExactVec<2>& q) {
  const ExactVec<2> along = q - p;
  const Rational length = along.dot(along);
  int number = 0;
  for (const Loop& loop : shape.boundary) {
    for (int i = 0; i < loop.size(); ++i, ++number) {
      const ExactVec<2>& from = loop.exact()[slot(i)];
      const ExactVec<2>& to = loop.exact()[slot(loop.next(i))];
      if (orientation(p, q, from) != 0 || orientation(p, q, to) != 0) continue;
      const Rational start = along.dot(ExactVec<2>(from - p));
      const Rational end = along.dot(ExactVec<2>(to - p));
      if (start < end && start < length && end > 0) return number;
    }
  }
  return -1;
}

/// Number of the boundary's vertex at p; vertices inside the body are numbered after these.
std::uint32_t vertex_number(const Shape<2>& shape, const Vec<2>& p, int corner) {
  std::uint32_t number = 0;
  for (const Loop& loop : shape.boundary) {
    for (const Vec<2>& vertex : loop.vertices()) {
      if (vertex == p) return number;
      ++number;
    }
  }
  return number + static_cast<std::uint32_t>(corner);
}

class PointModelBuilder {
 public:
  PointModelBuilder(const Scene<2>& scene, ModelKind kind, double touch)
      : scene_(scene), kind_(kind), touch_(touch) {}

  PointModel build() {
    add_framework();
    for (int i = 0; i < bodies(); ++i) {
      const Body<2>& body = scene_.bodies[slot(i)];
      if (body.shape.half_space) {
        model_.planes.push_back({i, body.pose.turn(body.shape.half_space->normal), 0.0});
        model_.planes.back().offset =
            body.shape.half_space->offset + model_.planes.back().normal.dot(body.pose.position);
      } else if (!body.free()) {
        add_obstacle(i);
      } else if (kind_ != ModelKind::rigid) {
        add_free_body(i);
      }
    }
    if (kind_ != ModelKind::rigid) refuse_what_points_cannot_do();
    note_pairs_apart();
    read_motion(scene_, model_, initial_state(scene_), 0.0, 1.0, motion_);
    for (Vec<2>& shift : motion_.shift) shift.setZero();
    measure();
    note_attached_points();
    refuse_overlaps();
    return std::move(model_);
  }

 private:
  [[nodiscard]] int bodies() const { return static_cast<int>(scene_.bodies.size()); }

  void add_framework() {
    const Framework<2>& framework = scene_.framework;
    model_.framework_points = static_cast<int>(framework.points.size());
    for (const FrameworkPoint<2>& point : framework.points) {
      model_.masses.push_back(point.fixed ? 0.0 : point.mass.value);
    }
    for (const auto& [i, j] : framework.bars) {
      if (framework.points[slot(i)].fixed && framework.points[slot(j)].fixed) continue;
      const Vec<2> along = to_double<2>(ExactVec<2>(framework.points[slot(j)].position.exact -
                                                    framework.points[slot(i)].position.exact));
      model_.bars.push_back({i, j, std::hypot(along.x(), along.y())});
    }
    std::vector<char> is_corner(framework.points.size(), 0);
    int number = bodies();
    for (const std::vector<int>& corners : framework.faces) {
      PointFace face;
      face.corners = corners;
      face.is_boundary.assign(corners.size(), 1);
      for (std::uint32_t k = 0; k < corners.size(); ++k) {
        is_corner[slot(corners[k])] = 1;
        face.vertex_features.push_back({FeatureKind::vertex, k});
        face.edge_features.push_back({FeatureKind::edge, k});
      }
      face.thing = number++;
      model_.faces.push_back(std::move(face));
    }
    for (int i = 0; i < model_.framework_points; ++i) {
      if (is_corner[slot(i)] != 0) continue;
      PointFace bare;
      bare.corners = {i};
      bare.is_boundary = {0};
      bare.vertex_features = {{FeatureKind::vertex, 0}};
      bare.edge_features = {{FeatureKind::edge, 0}};
      bare.thing = number + i;
      model_.faces.push_back(std::move(bare));
    }
  }

  /// The convex pieces of a body as faces; its corners are the points from `first` on.
  void add_pieces(int number, int first, const std::vector<Vec<2>>& corners) {
    const Shape<2>& shape = scene_.bodies[slot(number)].shape;
    for (const Loop& piece : shape.pieces) {
      PointFace face;
      face.thing = face.body = number;
      for (int k = 0; k < piece.size(); ++k) {
        const Vec<2>& vertex = piece.vertices()[slot(k)];
        const int corner =
            static_cast<int>(std::find(corners.begin(), corners.end(), vertex) - corners.begin());
        const int edge =
            boundary_edge_along(shape, piece.exact()[slot(k)], piece.exact()[slot(piece.next(k))]);
        face.corners.push_back(first + corner);
        face.is_boundary.push_back(edge >= 0 ? 1 : 0);
        face.vertex_features.push_back({FeatureKind::vertex, vertex_number(shape, vertex, corner)});
        face.edge_features.push_back({FeatureKind::edge, static_cast<std::uint32_t>(edge)});
      }
      model_.faces.push_back(std::move(face));
    }
  }

  void add_obstacle(int number) {
    const Body<2>& body = scene_.bodies[slot(number)];
    // With rigid bodies beside a framework the disk may be there for these alone, but the points would fall
    // through it.
    if (!body.shape.balls.empty()) {
      throw Error(body_place(number), "a disk", "polygons and half planes only beside points");
    }
    PointBody obstacle;
    obstacle.body = number;
    obstacle.first = model_.points();
    obstacle.local = piece_corners(body.shape);
    obstacle.masses.assign(obstacle.local.size(), 0.0);
    model_.masses.insert(model_.masses.end(), obstacle.local.size(), 0.0);
    add_pieces(number, obstacle.first, obstacle.local);
    model_.bodies.push_back(std::move(obstacle));
  }

  void add_free_body(int number) {
    const Body<2>& body = scene_.bodies[slot(number)];
    PointMasses set = point_masses(body, kind_, body_place(number));
    PointBody part;
    part.body = number;
    part.first = model_.points();
    part.free = true;
    part.local = std::move(set.points);
    part.masses = std::move(set.masses);
    model_.masses.insert(model_.masses.end(), part.masses.begin(), part.masses.end());
    for (const auto& [i, j] : minimally_rigid_bars(part.local)) {
      const double length = (part.local[slot(j)] - part.local[slot(i)]).norm();
      model_.bars.push_back({part.first + i, part.first + j, length});
    }
    add_pieces(number, part.first, part.local);
    model_.bodies.push_back(std::move(part));
  }

  void refuse_what_points_cannot_do() const {
    // One body of every material that is there, a free one if there is.
    std::map<int, const Body<2>*> examples;
    for (const Body<2>& body : scene_.bodies) {
      const Body<2>*& example = examples[body.material];
      if (example == nullptr || body.free()) example = &body;
    }
    for (const auto& [material_a, a] : examples) {
      for (const auto& [material_b, b] : examples) {
        if (!a->free()) continue;
        const bool rough = scene_.friction(material_a, material_b).value > 0.0;
        if (!rough && scene_.restitution(material_a, material_b).value <= 0.0) continue;
        throw Error("materials",
                    fmt::format("{} between {} and {}", rough ? "friction" : "restitution",
                                in_quotes(scene_.materials[slot(material_a)].name),
                                in_quotes(scene_.materials[slot(material_b)].name)),
                    "neither friction nor restitution in the model of points");
      }
    }
  }

  void note_pairs_apart() {
    model_.apart = scene_.ignored;
    for (const Joint<2>& joint : scene_.joints) {
      if (joint.collide || joint.a == kWorld || joint.b == kWorld) continue;
      model_.apart.emplace_back(std::minmax(joint.a, joint.b));
    }
    std::sort(model_.apart.begin(), model_.apart.end());
  }

  void measure() {
    for (PointFace& face : model_.faces) {
      std::vector<Vec<2>> corners;
      for (const int corner : face.corners) {
        corners.push_back(motion_.start[slot(corner)]);
        face.movable = face.movable || model_.is_free(corner);
      }
      face.size = diameter_of(corners);
    }
    std::vector<double> longest(slot(model_.points()), 0.0);
    for (const PointBar& bar : model_.bars) {
      for (const int end : {bar.i, bar.j}) {
        longest[slot(end)] = std::max(longest[slot(end)], bar.length);
      }
    }
    for (PointFace& face : model_.faces) {
      if (face.is_bare()) face.size = longest[slot(face.corners[0])];
    }
    Vec<2> low = Vec<2>::Zero();
    Vec<2> high = Vec<2>::Zero();
    for (std::size_t i = 0; i < motion_.start.size(); ++i) {
      low = i == 0 ? motion_.start[i] : Vec<2>(low.cwiseMin(motion_.start[i]));
      high = i == 0 ? motion_.start[i] : Vec<2>(high.cwiseMax(motion_.start[i]));
    }
    model_.size = (high - low).norm();
    if (!(model_.size > 0.0)) model_.size = 1.0;  // a single point: there is no other length
  }

  /// A bare point braced to a face by two bars, or inside it from the start, belongs to it.
  void note_attached_points() {
    std::vector<std::vector<int>> neighbours(slot(model_.framework_points));
    for (const auto& [i, j] : scene_.framework.bars) {
      neighbours[slot(i)].push_back(j);
      neighbours[slot(j)].push_back(i);
    }
    for (const auto& [f, g] : near_pairs(model_, motion_, kBraceMargin)) {
      const bool first_is_bare = model_.faces[slot(f)].is_bare();
      const PointFace& bare = model_.faces[slot(first_is_bare ? f : g)];
      const PointFace& face = model_.faces[slot(first_is_bare ? g : f)];
      if (!bare.is_bare() || face.body != kWorld) continue;
      const std::vector<int>& ends = neighbours[slot(bare.corners[0])];
      const auto braces = std::count_if(ends.begin(), ends.end(), [&](int end) {
        return std::find(face.corners.begin(), face.corners.end(), end) != face.corners.end();
      });
      const double depth = -separation(model_, motion_.start, f, g);
      if (braces >= 2 || depth > touch_ * model_.smaller_size(f, g)) {
        model_.attached.emplace_back(f, g);
      }
    }
    std::sort(model_.attached.begin(), model_.attached.end());
  }

  [[nodiscard]] std::string face_place(const PointFace& face) const {
    const int number = face.thing - bodies();
    if (number < 0) return body_place(face.thing);
    return face.is_bare() ? "framework.points[" + std::to_string(face.corners[0]) + "]"
                          : "framework.faces[" + std::to_string(number) + "]";
  }

  /// Bodies among themselves are looked at where their contacts are found.
  void refuse_overlaps() const {
    const auto refuse = [&](const PointFace& face, int thing, double depth) {
      throw Error(face_place(face),
                  fmt::format("an overlap with {} by {:.3g}", scene_.thing_name(thing), depth),
                  "faces and points that touch others at most");
    };
    for (const auto& [f, g] : near_pairs(model_, motion_, touch_)) {
      const bool first_is_body = model_.faces[slot(f)].body != kWorld;
      const PointFace& face = model_.faces[slot(first_is_body ? g : f)];
      const PointFace& other = model_.faces[slot(first_is_body ? f : g)];
      if (face.body != kWorld) continue;
      const double depth = -separation(model_, motion_.start, f, g);
      if (depth > touch_ * model_.smaller_size(f, g)) refuse(face, other.thing, depth);
    }
    for (std::size_t f = 0; f < model_.faces.size(); ++f) {
      const PointFace& face = model_.faces[f];
      if (face.body != kWorld) continue;
      for (const PointPlane& plane : model_.planes) {
        for (const int corner : face.corners) {
          const double depth = plane.offset - plane.normal.dot(motion_.start[slot(corner)]);
          const double limit = touch_ * model_.smaller_size(static_cast<int>(f));
          if (model_.is_free(corner) && depth > limit) refuse(face, plane.body, depth);
        }
      }
    }
  }

  const Scene<2>& scene_;
  ModelKind kind_;
  double touch_;
  PointModel model_;
  PointMotion motion_;
};

}  // namespace

bool PointModel::may_touch(int face_a, int face_b) const {
  const PointFace& a = faces[slot(face_a)];
  const PointFace& b = faces[slot(face_b)];
  if (!a.movable && !b.movable) return false;
  if (a.is_bare() && b.is_bare()) return false;
  if (a.body != b.body) {
    if (a.body == kWorld) return !b.movable;
    if (b.body == kWorld) return !a.movable;
    return !std::binary_search(apart.begin(), apart.end(),
                               std::pair<int, int>(std::minmax(a.body, b.body)));
  }
  if (a.body != kWorld) return false;
  if (std::binary_search(attached.begin(), attached.end(),
                         std::pair<int, int>(std::minmax(face_a, face_b)))) {
    return false;
  }
  int common = 0;
  for (const int corner : a.corners) {
    common += std::find(b.corners.begin(), b.corners.end(), corner) != b.corners.end();
  }
  return common < 2;
}

double PointModel::smaller_size(int face_a, int face_b) const {
  double smaller = size;
  for (const int face : {face_a, face_b}) {
    if (face >= 0 && faces[slot(face)].size > 0.0)
      smaller = std::min(smaller, faces[slot(face)].size);
  }
  return smaller;
}

PointModel make_point_model(const Scene<2>& scene, ModelKind model, double touch) {
  return PointModelBuilder(scene, model, touch).build();
}

}  // namespace collapse::simulate
