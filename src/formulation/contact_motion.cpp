#include "formulation/contact_motion.hpp"

#include <algorithm>
#include <array>

#include "formulation/moving_body.hpp"

namespace collapse {
namespace {

/// The boundary of a body with its features numbered as in contacts.
class Outline {
 public:
  Outline(const Scene<2>& scene, const State<2>& state, int body)
      : shape_(scene.bodies[static_cast<std::size_t>(body)].shape),
        pose_(state.poses[static_cast<std::size_t>(body)]) {}

  /// Ends of an edge, or of the edge that starts at a vertex.
  struct Edge {
    Vec<2> from;
    Vec<2> to;
    [[nodiscard]] Vec<2> direction() const { return (to - from).normalized(); }
    [[nodiscard]] Vec<2> normal() const {
      const Vec<2> along = direction();
      return {along.y(), -along.x()};
    }
  };
  [[nodiscard]] Edge edge(std::uint32_t index) const {
    const auto [loop, i] = find(index);
    return {at(*loop, i), at(*loop, loop->next(i))};
  }
  [[nodiscard]] Edge edge_before(std::uint32_t vertex) const {
    const auto [loop, i] = find(vertex);
    return {at(*loop, loop->previous(i)), at(*loop, i)};
  }
  [[nodiscard]] Vec<2> vertex(std::uint32_t index) const { return edge(index).from; }
  [[nodiscard]] Vec<2> ball(std::uint32_t index) const {
    return pose_.apply(shape_.balls[index].centre);
  }
  [[nodiscard]] Vec<2> point(const Feature& feature) const {
    return feature.kind == FeatureKind::ball ? ball(feature.index) : vertex(feature.index);
  }

 private:
  [[nodiscard]] std::pair<const Loop*, int> find(std::uint32_t index) const {
    auto i = static_cast<int>(index);
    for (const Loop& loop : shape_.boundary) {
      if (i < loop.size()) return {&loop, i};
      i -= loop.size();
    }
    return {&shape_.boundary.back(), 0};
  }
  [[nodiscard]] Vec<2> at(const Loop& loop, int i) const {
    return pose_.apply(loop.vertices()[static_cast<std::size_t>(i)]);
  }

  const Shape<2>& shape_;
  const Pose<2>& pose_;
};

/// Normals that differ by less (radians) are the same: contacts of corners are flat to within the
/// touch tolerance.
constexpr double kSameEdgeNormal = 1e-5;
/// Ends of edges that are this share of the edge apart are flush.
constexpr double kFlush = 1e-6;

bool is_line(const Feature& feature) {
  return feature.kind == FeatureKind::edge || feature.kind == FeatureKind::half_space;
}

/// Velocity of b over a at a contact's point, across the normal.
Vec<2> sliding(const Scene<2>& scene, const State<2>& state, const Contact<2>& contact,
               double tolerance) {
  const MovingBody<2> a(scene, state, contact.id.a);
  const MovingBody<2> b(scene, state, contact.id.b);
  const Vec<2> velocity = b.velocity(contact.point) - a.velocity(contact.point);
  const Vec<2> across = velocity - contact.normal.dot(velocity) * contact.normal;
  const double speed = std::max(a.speed(contact.point), b.speed(contact.point));
  return across.norm() <= tolerance * speed ? Vec<2>::Zero() : across;
}

/// At each end of an overlap two vertices are beside each other; the one further inside ends it.
Facing<2> facing_of_edges(const Scene<2>& scene, const State<2>& state, const Contact<2>& contact,
                          double tolerance) {
  const Outline::Edge a = Outline(scene, state, contact.id.a).edge(contact.id.feature_a.index);
  const Outline::Edge b = Outline(scene, state, contact.id.b).edge(contact.id.feature_b.index);
  const bool at_start = contact.id.end == 0;
  const Vec<2> vertex_a = at_start ? a.from : a.to;
  const Vec<2> vertex_b = at_start ? b.to : b.from;
  const Vec<2> inwards = at_start ? a.direction() : Vec<2>(-a.direction());
  double inset = inwards.dot(vertex_b - vertex_a);
  const double length = std::min((a.to - a.from).norm(), (b.to - b.from).norm());
  if (std::abs(inset) <= kFlush * length) {
    inset = inwards.dot(sliding(scene, state, contact, tolerance));
  }
  Facing<2> facing;
  facing.point_of_b = inset > 0.0;
  facing.point = facing.point_of_b ? vertex_b : vertex_a;
  return facing;
}

/// Two corners with an edge of each in line. Sliding together, each corner moves along the other's
/// edge: then the one that curves less away from it counts.
std::optional<Facing<2>> facing_of_corners(const Scene<2>& scene, const State<2>& state,
                                           const Contact<2>& contact, double tolerance) {
  const Outline a(scene, state, contact.id.a);
  const Outline b(scene, state, contact.id.b);
  const Vec<2> along = sliding(scene, state, contact, tolerance);
  Facing<2> facing;
  facing.point = b.vertex(contact.id.feature_b.index);
  if (along.isZero(0.0)) return facing;
  const auto has_edge = [&](const Outline& outline, std::uint32_t vertex, const Vec<2>& normal,
                            const Vec<2>& direction) {
    const Outline::Edge after = outline.edge(vertex);
    const Outline::Edge before = outline.edge_before(vertex);
    return ((after.normal() - normal).norm() < kSameEdgeNormal &&
            after.direction().dot(direction) > 0.0) ||
           ((before.normal() - normal).norm() < kSameEdgeNormal &&
            before.direction().dot(direction) < 0.0);
  };
  const bool onto_a = has_edge(a, contact.id.feature_a.index, contact.normal, along);
  const bool onto_b = has_edge(b, contact.id.feature_b.index, -contact.normal, -along);
  if (!onto_a && !onto_b) return std::nullopt;
  Facing<2> other;
  other.point_of_b = false;
  other.point = a.vertex(contact.id.feature_a.index);
  if (!onto_a) return other;
  if (!onto_b) return facing;
  const double beta = contact.normal.dot(contact_motion(scene, state, contact, facing).beta);
  const double other_beta = contact.normal.dot(contact_motion(scene, state, contact, other).beta);
  return beta <= other_beta ? facing : other;
}

}  // namespace

std::optional<Facing<2>> facing_of(const Scene<2>& scene, const State<2>& state,
                                   const Contact<2>& contact, double tolerance) {
  const Feature& of_a = contact.id.feature_a;
  const Feature& of_b = contact.id.feature_b;
  if (is_line(of_a) && is_line(of_b)) return facing_of_edges(scene, state, contact, tolerance);
  if (of_a.kind == FeatureKind::vertex && of_b.kind == FeatureKind::vertex) {
    return facing_of_corners(scene, state, contact, tolerance);
  }
  Facing<2> facing;
  facing.point_of_b = is_line(of_a) || (!is_line(of_b) && of_b.kind == FeatureKind::ball);
  facing.round = !is_line(of_a) && !is_line(of_b);
  const Outline own(scene, state, facing.point_of_b ? contact.id.b : contact.id.a);
  facing.point = own.point(facing.point_of_b ? of_b : of_a);
  if (facing.round) {
    const Outline other(scene, state, facing.point_of_b ? contact.id.a : contact.id.b);
    facing.anchor = other.point(facing.point_of_b ? of_a : of_b);
  }
  return facing;
}

template <int Dim>
ContactMotion<Dim> contact_motion(const Scene<Dim>& scene, const State<Dim>& state,
                                  const Contact<Dim>& contact, const Facing<Dim>& facing) {
  const MovingBody<Dim> a(scene, state, contact.id.a);
  const MovingBody<Dim> b(scene, state, contact.id.b);
  ContactMotion<Dim> motion;
  motion.velocity = b.velocity(contact.point) - a.velocity(contact.point);
  motion.speed = std::max(a.speed(contact.point), b.speed(contact.point));
  // Across the normal: of the material points that touch. Where the contact point moves along the
  // bodies, what that adds is along the normal.
  const Vec<Dim> touching = b.centripetal(contact.point) - a.centripetal(contact.point);
  // Along the normal: of the points whose distance is kept.
  const Vec<Dim>& n = contact.normal;
  const MovingBody<Dim>& owner = facing.point_of_b ? a : b;  // of the line
  const MovingBody<Dim>& other = facing.point_of_b ? b : a;
  const double sign = facing.point_of_b ? 1.0 : -1.0;  // n points from a to b
  double normal = 0.0;
  if (facing.round) {
    const Vec<Dim> v = other.velocity(facing.point) - owner.velocity(facing.anchor);
    const Vec<Dim> across = v - n.dot(v) * n;
    normal = sign * n.dot(other.centripetal(facing.point) - owner.centripetal(facing.anchor)) +
             across.squaredNorm() / (facing.point - facing.anchor).norm();
  } else {
    const Vec<Dim> v = other.velocity(facing.point) - owner.velocity(facing.point);
    const Vec<Dim> turning = spin_velocity<Dim>(owner.spin(), n);
    normal = sign * (n.dot(other.centripetal(facing.point) - owner.centripetal(facing.point)) +
                     2.0 * turning.dot(v));
  }
  motion.beta = touching - n.dot(touching) * n + normal * n;
  return motion;
}

template <int Dim>
JointMotion<Dim> joint_motion(const Scene<Dim>& scene, const State<Dim>& state,
                              const Joint<Dim>& joint) {
  const MovingBody<Dim> a(scene, state, joint.a);
  const MovingBody<Dim> b(scene, state, joint.b);
  const auto [at_a, at_b] = joint_ends<Dim>(scene, state.poses, joint);
  const Vec<Dim> v = b.velocity(at_b) - a.velocity(at_a);
  const Vec<Dim> centripetal = b.centripetal(at_b) - a.centripetal(at_a);
  const JointRows<Dim> equations = joint_rows(scene, state, joint);
  const auto rows = static_cast<Eigen::Index>(equations.size());
  JointMotion<Dim> motion;
  motion.speed = std::max(a.speed(at_a), b.speed(at_b));
  motion.velocity = Eigen::VectorXd::Zero(rows);
  motion.gamma = Eigen::VectorXd::Zero(rows);
  if (joint.type == JointType::rod) {
    const Vec<Dim> apart = at_b - at_a;
    const Vec<Dim> along = apart.normalized();
    motion.velocity[0] = along.dot(v);
    const Vec<Dim> across = v - along.dot(v) * along;
    motion.gamma[0] = along.dot(centripetal) + across.squaredNorm() / apart.norm();
    return motion;
  }
  motion.velocity.template head<Dim>() = v;
  motion.gamma.template head<Dim>() = centripetal;
  if (joint.type == JointType::weld || joint.type == JointType::hinge) {
    // As fast as the bodies' outermost points would be pulled apart.
    for (Eigen::Index k = Dim; k < rows; ++k) {
      const JointRow<Dim>& row = equations[static_cast<std::size_t>(k)];
      motion.velocity[k] = row.on_a.template tail<kSpins<Dim>>().dot(a.spin()) +
                           row.on_b.template tail<kSpins<Dim>>().dot(b.spin());
      motion.speed = std::max(
          {motion.speed, row.on_b.norm() * a.spin().norm(), row.on_b.norm() * b.spin().norm()});
      // t·(α_b − α_a) + t·(ω_b × ω_a) = 0 across the axis that both carry along.
      if (joint.type == JointType::hinge) {
        motion.gamma[k] =
            row.on_b.template tail<kSpins<Dim>>().dot(spin_product<Dim>(b.spin(), a.spin()));
      }
    }
  }
  return motion;
}

template ContactMotion<2> contact_motion(const Scene<2>&, const State<2>&, const Contact<2>&,
                                         const Facing<2>&);
template JointMotion<2> joint_motion(const Scene<2>&, const State<2>&, const Joint<2>&);
template JointMotion<3> joint_motion(const Scene<3>&, const State<3>&, const Joint<3>&);

}  // namespace collapse
