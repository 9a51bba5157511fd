#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collapse/geometry/motion.hpp"
#include "io/svg_picture.hpp"

namespace collapse::svg {
namespace {

/// Speeds below this share of the largest are drawn as none.
constexpr double kNoSpeed = 1e-3;
/// Below this share only the last ghost is drawn: three would lie upon each other.
constexpr double kSlow = 0.1;
/// With more moving bodies, a picture does without velocity arrows.
constexpr std::size_t kVelocityBodies = 60;
constexpr int kGhosts = 3;

}  // namespace

double Picture::top_speed(const BodyMotion<2>& motion) const {
  Twist<2> twist;
  twist << motion.velocity, motion.spin;
  return fastest_point(body(motion.body).shape, pose(motion.body),
                       state_.centre(scene_, motion.body), twist);
}

double Picture::ghost_time() const {
  if (!(fastest_ > 0.0)) return 0.0;
  constexpr double kLargestTurn = 0.6;  // radians
  double time = 0.6 * std::sqrt(typical_.thickness * typical_.length) / fastest_;
  for (const BodyMotion<2>& motion : verdict_.mechanism) {
    if (motion.spin[0] != 0.0) time = std::min(time, kLargestTurn / std::abs(motion.spin[0]));
  }
  return time;
}

Vec<2> Picture::velocity_at(int index, const Vec<2>& point) const {
  const BodyMotion<2>* motion =
      index == kWorld ? nullptr : motion_of_[static_cast<std::size_t>(index)];
  if (motion == nullptr) return Vec<2>::Zero();
  const Vec<2> lever = point - state_.centre(scene_, index);
  return motion->velocity + spin_velocity<2>(motion->spin, lever);
}

void Picture::draw_ghosts() {
  for (int ghost = kGhosts; ghost >= 1; --ghost) {
    for (const BodyMotion<2>& motion : verdict_.mechanism) {
      const double share = top_speed(motion) / fastest_;
      const bool slow = share < kSlow;
      if (share <= kNoSpeed || (slow && ghost < kGhosts)) continue;
      const int i = motion.body;
      const double time = time_ * ghost / kGhosts;
      const Pose<2> there = moved_on(pose(i), state_.centre(scene_, i), motion, time);
      canvas_.path(slow ? "ghost slow" : fmt::format("ghost g{}", ghost),
                   view_.outline(body(i).shape, there));
    }
  }
  legend_.add(fmt::format("begins to fall like this (fastest point drawn {} along)",
                          quantity(fastest_ * time_, 2)));
}

void Picture::draw_velocities() {
  if (verdict_.mechanism.size() > kVelocityBodies) return;
  for (const BodyMotion<2>& motion : verdict_.mechanism) {
    const double share = motion.velocity.stableNorm() / fastest_;
    if (share <= 10.0 * kNoSpeed) continue;
    const Pixel centre = view_.place(state_.centre(scene_, motion.body));
    const Pixel step = view_.scale() * time_ * view_.turn(motion.velocity);
    canvas_.path("velocity", arrow(centre, centre + step, 0.35 * widest_));
  }
}

/// With friction a sliding contact of the mechanism lifts by μ times its sliding: that is not yet
/// opening.
void Picture::draw_moving_contacts() {
  const double r = std::clamp(1.2 * mark_, 0.8, 4.0);
  bool opens = false;
  bool slides = false;
  bool holds = false;
  for (const Contact<2>& contact : contacts_.contacts) {
    const Vec<2> relative =
        velocity_at(contact.id.b, contact.point) - velocity_at(contact.id.a, contact.point);
    const Vec<2> tangent = tangents_of<2>(contact.normal);
    const double lift = contact.normal.dot(relative);
    const double slip = std::abs(tangent.dot(relative));
    const Pixel at = view_.place(contact.point);
    if (lift > kNoSpeed * fastest_ + contact.friction * slip) {
      canvas_.circle("opens", at, r);
      opens = true;
    } else if (slip > kNoSpeed * fastest_) {
      const Pixel along = 1.8 * r * view_.turn(tangent);
      canvas_.path("slides", Path().segment(at - along, at + along));
      slides = true;
    } else {
      canvas_.circle("holds", at, 0.8 * r);
      holds = true;
    }
  }
  const double sample = 0.35 * font_;
  if (opens) {
    legend_.add("opens", 2.0 * sample, [this, sample](const Pixel& at) {
      canvas_.circle("opens", at + Pixel(sample, 0), std::min(sample, 4.0));
    });
  }
  if (slides) {
    legend_.add("slides", 3.0 * sample, [this, sample](const Pixel& at) {
      canvas_.path("slides", Path().segment(at, at + Pixel(3.0 * sample, 0)));
    });
  }
  if (holds) {
    legend_.add("stays closed", 2.0 * sample, [this, sample](const Pixel& at) {
      canvas_.circle("holds", at + Pixel(sample, 0), std::min(0.8 * sample, 3.2));
    });
  }
}

}  // namespace collapse::svg
