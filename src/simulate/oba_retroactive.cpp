#include "simulate/oba_retroactive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/oba_strike.hpp"
#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Of the smaller part's thickness: a pair that could get deeper into each other in a frame is looked at.
constexpr double kFastShare = 0.1;
/// Of a frame: where two parts are as near as they can come in this time, they meet.
constexpr double kShortestAdvance = 1e-3;
/// Of a frame: how often parts that are near and do not collide are looked at.
constexpr double kGrazing = 0.02;
/// Of the smaller body's size: what is so near to the plane between two parts faces the other one.
constexpr double kFlatShare = 1e-2;
constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

ObaRetroactive::ObaRetroactive(const World<3>& world, const SimulationOptions& options)
    : world_(world), options_(options), kept_apart_(world.scene()), parts_(world.scene()) {}

int ObaRetroactive::bounce(std::span<const Pose<3>> start, std::span<const std::uint8_t> movable,
                           double h, std::vector<Pose<3>>& targets,
                           std::vector<Twist<3>>& velocities, StepReport<3>& report) {
  h_ = h;
  slow_ = options_.oba.v_min > 0.0 ? options_.oba.v_min : h * world_.acceleration().norm();
  movable_ = movable;
  legs_.clear();
  for (std::size_t i = 0; i < start.size(); ++i) {
    const Twist<3> way = world_.displacement(static_cast<int>(i), start[i], targets[i]);
    legs_.push_back({0.0, start[i], way / h});
  }
  find_pairs();
  int bounces = 0;
  for (;;) {
    const auto next =
        std::min_element(pairs_.begin(), pairs_.end(),
                         [](const FastPair& x, const FastPair& y) { return x.meets < y.meets; });
    if (next == pairs_.end() || next->meets > h) break;
    const double now = next->meets;
    const std::pair bodies(body_of(next->a), body_of(next->b));
    strike(*next, velocities, report);
    ++bounces;
    for (const int body : {bodies.first, bodies.second}) {
      if (movable[slot_of(body)] != 0) add_pairs_of(body);
    }
    for (FastPair& pair : pairs_) {
      const int a = body_of(pair.a);
      const int b = body_of(pair.b);
      if (a == bodies.first || a == bodies.second || b == bodies.first || b == bodies.second) {
        predict(pair, now);
      }
    }
  }
  if (bounces == 0) return 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (legs_[i].since > 0.0) targets[i] = pose_at(static_cast<int>(i), h);
  }
  return bounces;
}

Pose<3> ObaRetroactive::pose_at(int body, double time) const {
  const Leg& leg = legs_[slot_of(body)];
  return world_.moved(body, leg.pose, Twist<3>((time - leg.since) * leg.rate));
}

void ObaRetroactive::place(int body, double time) { parts_.place(body, pose_at(body, time)); }

/// Around a part from where its leg begins to the end of the frame.
Bounds<3> ObaRetroactive::way_box(int part) {
  const int body = body_of(part);
  place(body, legs_[slot_of(body)].since);
  Bounds<3> box = parts_.bounds(part);
  place(body, h_);
  box.include(parts_.bounds(part));
  // What turns on its way reaches further out than at its ends.
  const Leg& leg = legs_[slot_of(body)];
  const double turn = leg.rate.tail<3>().norm() * (h_ - leg.since);
  const double size = parts_.part(part).size;
  return box.grown(std::isfinite(size) ? size * std::min(1.0, 0.125 * turn * turn + 1e-3) : 0.0);
}

/// Whether two parts are so fast or thin that one could get deep into the other.
bool ObaRetroactive::is_fast(int a, int b) const {
  const int body_a = body_of(a);
  const int body_b = body_of(b);
  const bool moves = movable_[slot_of(body_a)] != 0 || movable_[slot_of(body_b)] != 0;
  if (body_a == body_b || !moves) return false;
  if (kept_apart_.contains(std::min(body_a, body_b), std::max(body_a, body_b))) return false;
  Twist<3> between = legs_[slot_of(body_b)].rate - legs_[slot_of(body_a)].rate;
  double speed = between.head<3>().norm();
  for (const int body : {body_a, body_b}) {
    Twist<3> turn = legs_[slot_of(body)].rate;
    turn.head<3>().setZero();
    if (!turn.isZero(0.0)) speed += world_.way_of(body, turn);
  }
  const double thin = std::min(parts_.part(a).thickness, parts_.part(b).thickness);
  return speed * h_ > kFastShare * thin;
}

void ObaRetroactive::find_pairs() {
  pairs_.clear();
  std::vector<Bounds<3>> boxes;
  std::vector<int> boxed;
  std::vector<int> planes;
  for (int i = 0; i < parts_.count(); ++i) {
    if (parts_.part(i).kind == ConvexPart::Kind::half_space) {
      planes.push_back(i);
    } else {
      boxes.push_back(way_box(i));
      boxed.push_back(i);
    }
  }
  const auto add = [&](int a, int b) {
    if (!is_fast(a, b)) return;
    FastPair pair;
    pair.a = a;
    pair.b = b;
    pairs_.push_back(pair);
    predict(pairs_.back(), 0.0);
  };
  for (const auto& [i, k] : meeting_pairs<3>(boxes)) add(boxed[slot_of(i)], boxed[slot_of(k)]);
  for (const int plane : planes) {
    for (const int i : boxed) add(plane, i);
  }
}

/// What a body that has bounced may meet now.
void ObaRetroactive::add_pairs_of(int body) {
  for (int part = parts_.first_part(body); part < parts_.first_part(body + 1); ++part) {
    const Bounds<3> box = way_box(part);
    for (int other = 0; other < parts_.count(); ++other) {
      if (!is_fast(std::min(part, other), std::max(part, other))) continue;
      const bool plane = parts_.part(other).kind == ConvexPart::Kind::half_space;
      if (!plane && !box.meets(way_box(other))) continue;
      FastPair pair;
      pair.a = plane ? other : std::min(part, other);
      pair.b = plane ? part : std::max(part, other);
      const bool known = std::any_of(pairs_.begin(), pairs_.end(), [&](const FastPair& old) {
        return old.a == pair.a && old.b == pair.b;
      });
      if (known) continue;
      pair.meets = kNever;
      pairs_.push_back(pair);
    }
  }
}

/// At a moment, of the point of a body that is at `at` then.
Vec<3> ObaRetroactive::velocity_of(int body, double time, const Vec<3>& at) const {
  const Twist<3>& rate = legs_[slot_of(body)].rate;
  if (rate.isZero(0.0)) return Vec<3>::Zero();
  const Vec<3> centre = pose_at(body, time).apply(world_.scene().bodies[slot_of(body)].mass.centre);
  return rate.head<3>() + rate.tail<3>().cross(at - centre);
}

/// When two parts meet from `now` on, fast enough to bounce: by steps that cannot miss it, as long as it takes them to
/// come together if they go straight at each other.
void ObaRetroactive::predict(FastPair& pair, double now) {
  pair.meets = kNever;
  if (pair.bounces >= options_.oba.c_max) return;
  const int a = body_of(pair.a);
  const int b = body_of(pair.b);
  double fastest = (legs_[slot_of(b)].rate - legs_[slot_of(a)].rate).head<3>().norm();
  for (const int body : {a, b}) {
    Twist<3> turn = legs_[slot_of(body)].rate;
    turn.head<3>().setZero();
    if (!turn.isZero(0.0)) fastest += world_.way_of(body, turn);
  }
  const double least = kShortestAdvance * h_;
  const double near = fastest * least;
  for (double time = now; time <= h_;) {
    place(a, time);
    place(b, time);
    pair.plane = separating_plane(parts_, pair.a, pair.b, &pair.witness);
    if (pair.plane.gap <= near) {
      const Vec<3> at = place_of_hit(pair);
      const Vec<3> between = velocity_of(b, time, at) - velocity_of(a, time, at);
      if (pair.plane.normal.dot(between) < -slow_) {
        pair.plane.at = at;
        pair.meets = time;
        return;
      }
    }
    // Parts that graze each other, or part, are looked at now and then.
    time += std::max(pair.plane.gap / fastest, pair.plane.gap <= near ? kGrazing * h_ : least);
  }
}

/// The middle of what touches: the points of one part that face the other, or the closest points where there are none
/// (an edge across an edge).
Vec<3> ObaRetroactive::place_of_hit(const FastPair& pair) {
  const Vec<3>& n = pair.plane.normal;
  const double size = std::min(parts_.part(pair.a).size, parts_.part(pair.b).size);
  const double slab = kFlatShare * size;
  Vec<3> sum = Vec<3>::Zero();
  int count = 0;
  std::vector<int> numbers;
  for (const bool of_b : {false, true}) {
    const int part = of_b ? pair.b : pair.a;
    const int other = of_b ? pair.a : pair.b;
    if (parts_.part(part).kind == ConvexPart::Kind::half_space) continue;
    const Vec<3> outwards = of_b ? Vec<3>(-n) : n;
    parts_.extreme_points(part, outwards, slab, numbers);
    for (const int number : numbers) {
      const Vec<3> at = parts_.point(part, number, outwards) + parts_.part(part).radius * outwards;
      if (parts_.part(other).kind != ConvexPart::Kind::half_space) {
        const double away =
            contacts::distance_of(contacts::ConvexSolid::ball(at, 0.0), parts_.solid(other))
                .distance;
        if (away > std::max(0.0, pair.plane.gap) + slab) continue;
      }
      sum += at;
      ++count;
    }
  }
  return count > 0 ? Vec<3>(sum / count) : pair.plane.at;
}

void ObaRetroactive::strike(FastPair& pair, std::vector<Twist<3>>& velocities,
                            StepReport<3>& report) {
  const double now = pair.meets;
  ++pair.bounces;
  const int bodies[2] = {body_of(pair.a), body_of(pair.b)};
  Eigen::Matrix3d frame;
  frame << pair.plane.normal, tangents_of<3>(pair.plane.normal);
  Eigen::Matrix3d W = Eigen::Matrix3d::Zero();
  Eigen::Matrix<double, 6, 3> give[2];
  for (const int k : {0, 1}) {
    const std::size_t i = slot_of(bodies[k]);
    give[k].setZero();
    if (movable_[i] == 0) continue;
    const Pose<3> pose = pose_at(bodies[k], now);
    const Vec<3> lever = pair.plane.at - pose.apply(world_.scene().bodies[i].mass.centre);
    Eigen::Matrix<double, 6, 3> rows;
    for (int c = 0; c < 3; ++c) {
      rows.col(c) = (k == 0 ? -1.0 : 1.0) * contact_wrench<3>(lever, Vec<3>(frame.col(c)));
    }
    give[k] = world_.inverse_mass_matrix(bodies[k], pose) * rows;
    W += rows.transpose() * give[k];
  }
  const Vec<3> v_a = velocity_of(bodies[0], now, pair.plane.at);
  const Vec<3> u = frame.transpose() * (velocity_of(bodies[1], now, pair.plane.at) - v_a);
  const Scene<3>& scene = world_.scene();
  const int material_a = scene.bodies[slot_of(bodies[0])].material;
  const int material_b = scene.bodies[slot_of(bodies[1])].material;
  const double restitution = scene.restitution(material_a, material_b).value;
  const double mu = scene.friction(material_a, material_b).value;
  const Vec<3> impulse = strike_impulse(W, u, mu, -restitution * u[0]);
  for (const int k : {0, 1}) {
    const std::size_t i = slot_of(bodies[k]);
    if (movable_[i] == 0) {
      const Vec<3> on_body = (k == 0 ? -1.0 : 1.0) * (frame * impulse);
      report.driven_work -= on_body.dot(velocity_of(bodies[k], now, pair.plane.at));
      continue;
    }
    const Twist<3> gain = give[k] * impulse;
    legs_[i] = {now, pose_at(bodies[k], now), legs_[i].rate + gain};
    velocities[i] += gain;
  }
}

}  // namespace collapse::simulate
