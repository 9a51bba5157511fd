#include "simulate/impact_energy.hpp"

#include <cmath>
#include <optional>

#include "simulate/slot.hpp"
#include "simulate/together.hpp"

namespace collapse::simulate {
namespace {

/// Of the kinetic energy: a gain in a step that is no more than what contacts are off by.
constexpr double kSmallGain = 1e-6;
/// Likewise, beyond the work of what is given: seen only where that squeezes something out, whose way is not straight.
constexpr double kLargeGain = 0.3;

/// Bodies that touch.
struct BouncingSet {
  bool pushed = false;
  bool driven = false;          ///< by what is given, in several ways
  std::optional<Vec<3>> given;  ///< velocity of what is given
  double mass = 0.0;
  Vec<3> momentum = Vec<3>::Zero();
  double before = 0.0;       ///< kinetic energy, and work in the step
  double bounce_work = 0.0;  ///< of what drives it
  // Kinetic energy of dull + share·(bounced − dull): still + 2 share·mixed + share²·more.
  double still = 0.0;
  double mixed = 0.0;
  double more = 0.0;

  void add_given(const Twist<3>& velocity) {
    const Vec<3> linear = velocity.head<3>();
    driven = driven || !velocity.tail<3>().isZero(0.0) || (given && *given != linear);
    given = linear;
  }
  /// Nothing but what is given changes the momentum of all together.
  [[nodiscard]] Twist<3> frame() const {
    Twist<3> velocity = Twist<3>::Zero();
    if (driven) return velocity;
    velocity.head<3>() = given ? *given : Vec<3>(momentum / mass);
    return velocity;
  }
  [[nodiscard]] bool gains(double kinetic) const { return kinetic - before > kSmallGain * kinetic; }
  [[nodiscard]] double share() const {
    if (!pushed || !gains(still + 2.0 * mixed + more - bounce_work)) return 1.0;
    if (still >= before || !(more > 0.0)) return 0.0;
    const double half = mixed - 0.5 * bounce_work;
    return (std::sqrt(half * half + more * (before - still)) - half) / more;
  }
  /// Of velocities in the frame.
  [[nodiscard]] double slowed() const {
    if (!pushed || !gains(still)) return 1.0;
    if (driven && (before <= 0.0 || still - before <= kLargeGain * still)) return 1.0;
    return before > 0.0 ? std::sqrt(before / still) : 0.0;
  }
};

/// Of free bodies, with their given neighbours noted.
std::vector<BouncingSet> sets_of(const World<3>& world, const StepToImpact& step,
                                 Together& together) {
  const auto is_free = [&](int body) { return body != kWorld && world.block_of(body) >= 0; };
  std::vector<std::pair<int, int>> pairs(step.touching.begin(), step.touching.end());
  for (const Joint<3>& joint : world.scene().joints) pairs.emplace_back(joint.a, joint.b);
  for (const auto& [a, b] : pairs) {
    if (is_free(a) && is_free(b)) together.join(a, b);
  }
  std::vector<BouncingSet> sets(step.poses.size());
  for (const auto& [a, b] : pairs) {
    for (const auto& [body, other] : {std::pair(a, b), {b, a}}) {
      if (!is_free(body) || is_free(other)) continue;
      Twist<3> velocity = Twist<3>::Zero();
      if (other != kWorld) velocity = step.displacements[slot_of(other)] / step.h;
      sets[together.root(slot_of(body))].add_given(velocity);
    }
  }
  for (const auto& [a, b] : step.touching)
    sets[together.root(slot_of(is_free(a) ? a : b))].pushed = true;
  for (const int body : world.free_bodies()) {
    BouncingSet& set = sets[together.root(slot_of(body))];
    const double mass = world.scene().bodies[slot_of(body)].mass.mass;
    set.mass += mass;
    set.momentum += mass * step.dull[slot_of(body)].head<3>();
  }
  return sets;
}

}  // namespace

double keep_from_gaining(const World<3>& world, const StepToImpact& step,
                         std::vector<Twist<3>>& bounced) {
  Together together(step.poses.size());
  std::vector<BouncingSet> sets = sets_of(world, step, together);
  for (const int body : world.free_bodies()) {
    const std::size_t i = slot_of(body);
    BouncingSet& set = sets[together.root(i)];
    if (!set.pushed) continue;
    const Twist<3> frame = set.frame();
    const Twist<3> start = step.start_velocities[i] - frame;
    const Twist<3> slow = step.dull[i] - frame;
    const Twist<3> extra = bounced[i] - step.dull[i];
    const MassMatrix<3> mass = world.mass_matrix(body, step.poses[i]);
    set.before += 0.5 * start.dot(world.mass_matrix(body, step.start[i]) * start) +
                  step.external[i].dot(step.displacements[i] - step.h * frame);
    if (set.driven) {
      set.before += step.work[i];
      set.bounce_work += step.bounce_work[i];
    }
    set.still += 0.5 * slow.dot(mass * slow);
    set.mixed += 0.5 * slow.dot(mass * extra);
    set.more += 0.5 * extra.dot(mass * extra);
  }
  double work = 0.0;
  for (const int body : world.free_bodies()) {
    const std::size_t i = slot_of(body);
    const BouncingSet& set = sets[together.root(i)];
    if (!set.pushed || set.share() == 1.0) continue;
    const Twist<3> frame = set.frame();
    const Twist<3> slower =
        frame + set.slowed() * (step.dull[i] - frame) + set.share() * (bounced[i] - step.dull[i]);
    if (set.driven) {
      work -= (1.0 - set.share()) * step.bounce_work[i];
    } else if (set.given) {
      const Vec<3> impulse = world.scene().bodies[i].mass.mass * (slower - bounced[i]).head<3>();
      work += set.given->dot(impulse);
    }
    bounced[i] = slower;
  }
  return work;
}

}  // namespace collapse::simulate
