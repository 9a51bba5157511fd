#include <algorithm>
#include <cmath>

#include "formulation/contact_motion.hpp"
#include "formulation/moving_body.hpp"

namespace collapse {
namespace {

/// Directions that differ by less (radians) are parallel, or lie in a plane.
constexpr double kParallel = 1e-5;
/// Places that are this share of a body's size apart are one.
constexpr double kSamePlace = 1e-5;

Core plane_at(const Contact<3>& contact) {
  const auto tangents = tangents_of<3>(contact.normal);
  return {contact.point, 2, {tangents.col(0), tangents.col(1)}};
}

Core line_at(const Vec<3>& point, const Vec<3>& direction) {
  Core core;
  core.point = point;
  core.spanned = 1;
  core.along[0] = direction.normalized();
  return core;
}

Core point_at(const Vec<3>& point) {
  Core core;
  core.point = point;
  return core;
}

/// One body at a contact.
struct Side {
  const Shape<3>& shape;
  const Pose<3>& pose;
  const Feature& feature;
  Vec<3> outwards;  ///< the normal, out of this body
};

/// A face, a half space, or the end of a cylinder.
bool is_flat(const Feature& feature, const Core& core) {
  return feature.kind == FeatureKind::face || feature.kind == FeatureKind::half_space ||
         (feature.kind == FeatureKind::cylinder && core.spanned == 2);
}

Core cylinder_core(const Cylinder& cylinder, const Side& side, const Contact<3>& contact) {
  const Vec<3> axis = side.pose.turn(cylinder.axis);
  const double upright = std::abs(axis.dot(side.outwards));
  if (upright < kParallel) {
    return line_at(contact.point - cylinder.radius * side.outwards, axis);
  }
  if ((axis.cross(side.outwards)).norm() < kParallel) return plane_at(contact);
  const Vec<3> middle = side.pose.apply(cylinder.centre);
  Core rim = point_at(contact.point);
  const Vec<3> from_middle = contact.point - middle;
  rim.to_middle = -(from_middle - axis.dot(from_middle) * axis);
  return rim;
}

Core capsule_core(const Capsule& capsule, const Side& side, const Contact<3>& contact) {
  const Vec<3> from = side.pose.apply(capsule.from);
  const Vec<3> to = side.pose.apply(capsule.to);
  const Vec<3> centre = contact.point - capsule.radius * side.outwards;
  const double length = (to - from).norm();
  const double place = (to - from).dot(centre - from) / length;
  const double end = kSamePlace * (length + capsule.radius);
  if (place < end || place > length - end) return point_at(centre);
  return line_at(centre, to - from);
}

Core core_of(const Side& side, const Contact<3>& contact) {
  switch (side.feature.kind) {
    case FeatureKind::ball:
      return point_at(side.pose.apply(side.shape.balls[side.feature.index].centre));
    case FeatureKind::cylinder:
      return cylinder_core(side.shape.cylinders[side.feature.index], side, contact);
    case FeatureKind::capsule:
      return capsule_core(side.shape.capsules[side.feature.index], side, contact);
    case FeatureKind::face:
    case FeatureKind::half_space:
      return plane_at(contact);
    case FeatureKind::edge: {
      const auto& surface = side.shape.boundary;
      if (side.feature.index >= surface.edges.size()) break;
      const Surface::Edge& edge = surface.edges[side.feature.index];
      return line_at(contact.point,
                     side.pose.turn(surface.points[static_cast<std::size_t>(edge.to)] -
                                    surface.points[static_cast<std::size_t>(edge.from)]));
    }
    case FeatureKind::vertex:
      break;
  }
  return point_at(contact.point);
}

/// Whether a contact with the end of a cylinder is at its rim.
bool is_on_rim(const Side& side, const Contact<3>& contact) {
  const Cylinder& cylinder = side.shape.cylinders[side.feature.index];
  const Vec<3> axis = side.pose.turn(cylinder.axis);
  const Vec<3> from_middle = contact.point - side.pose.apply(cylinder.centre);
  return (from_middle - axis.dot(from_middle) * axis).norm() >=
         (1.0 - kSamePlace) * cylinder.radius;
}

/// Where a contact is on the rim of a face: at a vertex (a point), on an edge (a line), or inside (the plane). The rim
/// of a cylinder's end counts as points.
Core place_on_face(const Side& side, const Contact<3>& contact) {
  if (side.feature.kind == FeatureKind::cylinder) {
    return is_on_rim(side, contact) ? point_at(contact.point) : plane_at(contact);
  }
  const Surface& surface = side.shape.boundary;
  if (side.feature.kind != FeatureKind::face || side.feature.index >= surface.faces.size()) {
    return plane_at(contact);
  }
  const double near = kSamePlace * side.shape.size();
  Core best = plane_at(contact);
  for (const std::vector<int>& loop : surface.faces[side.feature.index].loops) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec<3> from = side.pose.apply(surface.points[static_cast<std::size_t>(loop[i])]);
      const Vec<3> to =
          side.pose.apply(surface.points[static_cast<std::size_t>(loop[(i + 1) % loop.size()])]);
      if ((contact.point - from).norm() <= near) return point_at(contact.point);
      const Vec<3> along = (to - from).normalized();
      const double place = along.dot(contact.point - from);
      const bool between = place > 0.0 && place < (to - from).norm();
      if (between && (contact.point - from - place * along).norm() <= near) {
        best = line_at(contact.point, along);
      }
    }
  }
  return best;
}

/// Whether a core's line lies in the other body's face: then the face is what it is kept from.
bool lies_in_face(const Core& core, const Side& face_of, const Contact<3>& contact) {
  if (std::abs(core.along[0].dot(contact.normal)) > kParallel) return false;
  const Surface& surface = face_of.shape.boundary;
  return std::any_of(surface.faces.begin(), surface.faces.end(), [&](const Surface::Face& face) {
    return (face_of.pose.turn(face.normal) - face_of.outwards).norm() < kParallel;
  });
}

}  // namespace

std::optional<Facing<3>> facing_of(const Scene<3>& scene, const State<3>& state,
                                   const Contact<3>& contact, double /*tolerance*/) {
  const auto side = [&](int body, const Feature& feature, double sign) {
    const auto i = static_cast<std::size_t>(body);
    return Side{scene.bodies[i].shape, state.poses[i], feature, sign * contact.normal};
  };
  const Side a = side(contact.id.a, contact.id.feature_a, 1.0);
  const Side b = side(contact.id.b, contact.id.feature_b, -1.0);
  Facing<3> facing{core_of(a, contact), core_of(b, contact)};
  if (is_flat(a.feature, facing.a) && is_flat(b.feature, facing.b)) {
    // A corner of what two faces share: a vertex of one on the other, or two edges that cross.
    const Core of_b = place_on_face(b, contact);
    const Core of_a = place_on_face(a, contact);
    if (of_b.spanned == 0) {
      facing.b = of_b;
    } else if (of_a.spanned == 0) {
      facing.a = of_a;
    } else if (of_a.spanned == 1 && of_b.spanned == 1) {
      facing = {of_a, of_b};
    } else {
      facing.b = point_at(contact.point);
    }
  } else if (facing.a.spanned == 1 && facing.b.spanned == 1 &&
             facing.a.along[0].cross(facing.b.along[0]).norm() < kParallel &&
             contact.id.feature_a.kind == FeatureKind::edge &&
             contact.id.feature_b.kind == FeatureKind::edge) {
    // Edge along edge, moving along a face of one of them.
    (lies_in_face(facing.b, a, contact) ? facing.a : facing.b) = plane_at(contact);
  } else if (facing.a.spanned == 0 && facing.b.spanned == 0 &&
             (facing.b.point - facing.a.point).norm() <=
                 kSamePlace * std::min(a.shape.size(), b.shape.size())) {
    facing.a = plane_at(contact);  // vertex on vertex, with a normal all the same
  }
  return facing;
}

/// The gap of two bodies is the least distance of their cores, F = min ‖Δ‖ with Δ = x_b − x_a over the places
/// along lines and planes, ∂Δ: by the velocities alone (docs/theory/motion.md)
///
///     F̈ = n·Δ̈ + ‖Δ̇_⊥‖²/r − (b + r c)ᵀ D⁻¹ (b + r c)/r,     b = ∂Δ·Δ̇,  c = n·∂Δ̇,  D = ∂Δ·∂Δ,  r = n·Δ
///
/// where ∂Δ spans all directions across n: n·Δ̈ − 2 bᵀD⁻¹c − r cᵀD⁻¹c, also for r = 0.
template <>
ContactMotion<3> contact_motion(const Scene<3>& scene, const State<3>& state,
                                const Contact<3>& contact, const Facing<3>& facing) {
  const MovingBody<3> a(scene, state, contact.id.a);
  const MovingBody<3> b(scene, state, contact.id.b);
  const Vec<3>& n = contact.normal;
  ContactMotion<3> motion;
  motion.velocity = b.velocity(contact.point) - a.velocity(contact.point);
  motion.speed = std::max(a.speed(contact.point), b.speed(contact.point));
  struct Sliding {
    Vec<3> along;    ///< ∂Δ
    Vec<3> turning;  ///< its rate of change
    bool of_b;
  };
  std::vector<Sliding> ways;
  const auto add_ways = [&](const Core& core, const MovingBody<3>& body, double sign) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(core.spanned); ++k) {
      const bool known = std::any_of(ways.begin(), ways.end(), [&](const Sliding& way) {
        return way.along.cross(core.along[k]).norm() < kParallel;
      });
      if (known || ways.size() == 2) continue;
      ways.push_back({sign * core.along[k], sign * body.spin().cross(core.along[k]), sign > 0.0});
    }
  };
  const bool plane_of_b = facing.b.spanned == 2;
  add_ways(plane_of_b ? facing.b : facing.a, plane_of_b ? b : a, plane_of_b ? 1.0 : -1.0);
  add_ways(plane_of_b ? facing.a : facing.b, plane_of_b ? a : b, plane_of_b ? -1.0 : 1.0);

  const Vec<3> rate = b.velocity(facing.b.point) - a.velocity(facing.a.point);
  const Vec<3> across = rate - n.dot(rate) * n;
  const double r = n.dot(facing.b.point - facing.a.point);
  double normal = n.dot(b.centripetal(facing.b.point) - a.centripetal(facing.a.point));
  const auto count = static_cast<Eigen::Index>(ways.size());
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2, 2> D(count, count);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2, 1> along(count);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2, 1> turning(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Sliding& way = ways[static_cast<std::size_t>(i)];
    along[i] = way.along.dot(across);
    turning[i] = n.dot(way.turning);
    for (Eigen::Index j = 0; j < count; ++j) {
      D(i, j) = way.along.dot(ways[static_cast<std::size_t>(j)].along);
    }
  }
  // Where the cores are closest.
  Vec<3> on_a = a.velocity(facing.a.point);
  Vec<3> on_b = b.velocity(facing.b.point);
  if (count > 0) {
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2, 2> inverse = D.inverse();
    for (Eigen::Index i = 0; i < count; ++i) {
      const Sliding& way = ways[static_cast<std::size_t>(i)];
      const double speed = -inverse.row(i).dot(along + r * turning);
      if (way.of_b) {
        on_b += speed * way.along;
      } else {
        on_a -= speed * way.along;
      }
    }
    normal -= 2.0 * along.dot(inverse * turning) + r * turning.dot(inverse * turning);
    if (count == 1 && r > 0.0) {
      normal += (across.squaredNorm() - along[0] * along[0] * inverse(0, 0)) / r;
    }
  } else if (r > 0.0) {
    normal += across.squaredNorm() / r;
  }
  const double share =
      r > 0.0 ? std::clamp(n.dot(contact.point - facing.a.point) / r, 0.0, 1.0) : 0.0;
  Vec<3> place = on_a + share * (on_b - on_a);  // velocity of where they touch
  // A rim on a plane: the point that touches runs along the rim as the cylinder turns against the plane.
  for (const auto& [core, other] : {std::pair(&facing.a, &facing.b), {&facing.b, &facing.a}}) {
    if (core->to_middle.isZero(0.0) || other->spanned != 2) continue;
    const Vec<3> outwards = core == &facing.b ? n : Vec<3>(-n);
    const double bend = outwards.dot(core->to_middle);
    const Vec<3> turn = (b.spin() - a.spin()).cross(n);
    const auto i = static_cast<std::size_t>(core == &facing.b ? contact.id.b : contact.id.a);
    const Feature& feature = core == &facing.b ? contact.id.feature_b : contact.id.feature_a;
    const Vec<3> axis = state.poses[i].turn(scene.bodies[i].shape.cylinders[feature.index].axis);
    const Vec<3> rim = axis.cross(core->to_middle);
    const double along_rim = rim.dot(turn);
    if (bend <= 0.0) continue;
    normal -= along_rim * along_rim / bend;
    place += along_rim / bend * rim;
  }
  // Across the normal: of the material points that touch, and of others that come to touch as the place moves along the
  // bodies.
  const Vec<3> touching = b.centripetal(contact.point) - a.centripetal(contact.point) +
                          a.spin().cross(a.velocity(contact.point) - place) -
                          b.spin().cross(b.velocity(contact.point) - place);
  motion.beta = touching - n.dot(touching) * n + normal * n;
  return motion;
}

}  // namespace collapse
