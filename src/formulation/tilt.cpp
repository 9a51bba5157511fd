#include <algorithm>
#include <cmath>
#include <numbers>

#include "collapse/core/error.hpp"
#include "formulation/limit_finder.hpp"

namespace collapse {
namespace {

/// Directions looked at when none is given, in space.
constexpr int kFirstDirections = 8;
constexpr int kMostDirectionsTried = 64;
/// The least limit is known well enough if nothing can be smaller by more than this share.
constexpr double kKnown = 0.01;
/// A limit beyond this (89.9994°) is as good as none.
constexpr double kUpright = 1e5;
/// Steps down the normals of mechanisms.
constexpr int kDescents = 12;
constexpr double kNoDescent = 1e-12;

template <int Dim>
class Tilt {
 public:
  Tilt(const Scene<Dim>& scene, const State<Dim>& state, const ContactSet<Dim>& set,
       const LimitOptions& options)
      : scene_(scene), finder_(scene, state, set, options) {
    const Vec<Dim> gravity = common_acceleration<Dim>(scene, options.loads);
    g_ = gravity.norm();
    if (g_ == 0.0) throw Error("gravity", "none", "gravity, for something to tilt");
    down_ = gravity / g_;
  }

  /// The part across gravity, of length one.
  [[nodiscard]] Vec<Dim> across(const Vec<Dim>& direction) const {
    const Vec<Dim> level = direction - down_.dot(direction) * down_;
    constexpr double kNothing = 1e-9;
    if (!(level.norm() > kNothing * direction.norm())) {
      throw Error("direction of the tilt", "along gravity", "a direction across gravity");
    }
    return level.normalized();
  }

  [[nodiscard]] TiltLimit<Dim> towards(const Vec<Dim>& direction) {
    TiltLimit<Dim> tilt;
    tilt.direction = direction;
    tilt.directions = 1;
    std::vector<Twist<Dim>> load;
    for (const int body : finder_.free().bodies) {
      const double mass = scene_.bodies[static_cast<std::size_t>(body)].mass.mass;
      load.push_back(wrench_of<Dim>(Vec<Dim>::Zero(), mass * g_ * direction));
    }
    tilt.limit = finder_.find(load);
    tilt.at_least = tilt.limit.lower;
    return tilt;
  }

  [[nodiscard]] TiltLimit<Dim> least() {
    if constexpr (Dim == 2) {
      const Vec<2> aside(-down_[1], down_[0]);
      TiltLimit<2> one = towards(aside);
      if (one.limit.status == LimitStatus::falls) return one;
      TiltLimit<2> other = towards(-aside);
      TiltLimit<2>& best = reach(other) < reach(one) ? other : one;
      best.at_least = std::min(one.limit.lower, other.limit.lower);
      best.directions = 2;
      // An undecided direction might be the least.
      for (const TiltLimit<2>* tilt : {&one, &other}) {
        if (tilt->limit.status == LimitStatus::undecided) return *tilt;
      }
      return best;
    } else {
      return least_around();
    }
  }

 private:
  [[nodiscard]] static double reach(const TiltLimit<Dim>& tilt) {
    if (tilt.limit.status == LimitStatus::unbounded) return kUpright;
    return std::min(tilt.limit.factor, kUpright);
  }

  /// Loads across gravity that can be carried are a convex set: directions are added where the hull of those found
  /// is nearest to no load at all.
  [[nodiscard]] TiltLimit<Dim> least_around() {
    const auto tangents = tangents_of<Dim>(down_);
    const auto at = [&](double angle) -> Vec<Dim> {
      return std::cos(angle) * tangents.col(0) + std::sin(angle) * tangents.col(1);
    };
    struct Found {
      double angle;
      TiltLimit<Dim> tilt;
    };
    std::vector<Found> found;
    const auto look = [&](double angle) {
      Found one{angle, towards(at(angle))};
      const auto place =
          std::lower_bound(found.begin(), found.end(), angle,
                           [](const Found& f, double value) { return f.angle < value; });
      return found.insert(place, std::move(one));
    };
    for (int k = 0; k < kFirstDirections; ++k) {
      const auto one = look(2.0 * std::numbers::pi * k / kFirstDirections);
      if (one->tilt.limit.status == LimitStatus::falls) return one->tilt;
    }
    double bound = 0.0;
    while (true) {
      // The side of the hull nearest to the middle, and the direction to it.
      bound = kUpright;
      double towards_nearest = 0.0;
      double least = kUpright;
      for (std::size_t i = 0; i < found.size(); ++i) {
        const Found& p = found[i];
        const Found& q = found[(i + 1) % found.size()];
        const Eigen::Vector2d from = p.tilt.limit.status == LimitStatus::undecided
                                         ? p.tilt.limit.lower * polar(p.angle)
                                         : reach(p.tilt) * polar(p.angle);
        const Eigen::Vector2d to = q.tilt.limit.status == LimitStatus::undecided
                                       ? q.tilt.limit.lower * polar(q.angle)
                                       : reach(q.tilt) * polar(q.angle);
        least = std::min(least, from.norm());
        const Eigen::Vector2d side = to - from;
        const double distance = side.norm() == 0.0
                                    ? from.norm()
                                    : std::abs(from.x() * to.y() - from.y() * to.x()) / side.norm();
        if (distance < bound) {
          bound = distance;
          double angle = std::atan2(-side.x(), side.y());
          while (angle < p.angle) angle += 2.0 * std::numbers::pi;
          const double end = q.angle + (i + 1 == found.size() ? 2.0 * std::numbers::pi : 0.0);
          // The foot may lie beyond the side's ends: then the middle is as good.
          if (!(angle > p.angle && angle < end)) angle = 0.5 * (p.angle + end);
          towards_nearest = std::fmod(angle, 2.0 * std::numbers::pi);
        }
      }
      if (bound >= (1.0 - kKnown) * least ||
          found.size() >= static_cast<std::size_t>(kMostDirectionsTried)) {
        break;
      }
      look(towards_nearest);
    }
    TiltLimit<Dim> best = found.front().tilt;
    for (const Found& one : found) {
      if (one.tilt.limit.status == LimitStatus::undecided) best = one.tilt;
      if (best.limit.status == LimitStatus::undecided) break;
      if (reach(one.tilt) < reach(best)) best = one.tilt;
    }
    int directions = static_cast<int>(found.size());
    for (int step = 0; step < kDescents && best.limit.status == LimitStatus::found; ++step) {
      TiltLimit<Dim> next = towards(normal_of(best.limit));
      ++directions;
      const bool better =
          next.limit.status == LimitStatus::found && reach(next) < (1.0 - kNoDescent) * reach(best);
      if (!better) break;
      best = std::move(next);
    }
    best.directions = directions;
    best.at_least = std::min(bound, best.limit.lower);
    return best;
  }

  [[nodiscard]] static Eigen::Vector2d polar(double angle) {
    return {std::cos(angle), std::sin(angle)};
  }

  /// The direction across gravity in which a mechanism gains most: of all loads it excludes the nearest is there.
  [[nodiscard]] Vec<Dim> normal_of(const Limit<Dim>& limit) const {
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (const BodyMotion<Dim>& motion : limit.mechanism) {
      sum += scene_.bodies[static_cast<std::size_t>(motion.body)].mass.mass * motion.velocity;
    }
    return across(sum);
  }

  const Scene<Dim>& scene_;
  LimitFinder<Dim> finder_;
  double g_ = 0.0;
  Vec<Dim> down_;
};

}  // namespace

template <int Dim>
TiltLimit<Dim> find_tilt(const Scene<Dim>& scene, const State<Dim>& state,
                         const ContactSet<Dim>& contacts, const Vec<Dim>& direction,
                         const LimitOptions& options) {
  Tilt<Dim> tilt(scene, state, contacts, options);
  return tilt.towards(tilt.across(direction));
}

template <int Dim>
TiltLimit<Dim> find_tilt(const Scene<Dim>& scene, const State<Dim>& state,
                         const ContactSet<Dim>& contacts, const LimitOptions& options) {
  return Tilt<Dim>(scene, state, contacts, options).least();
}

template TiltLimit<2> find_tilt(const Scene<2>&, const State<2>&, const ContactSet<2>&,
                                const Vec<2>&, const LimitOptions&);
template TiltLimit<3> find_tilt(const Scene<3>&, const State<3>&, const ContactSet<3>&,
                                const Vec<3>&, const LimitOptions&);
template TiltLimit<2> find_tilt(const Scene<2>&, const State<2>&, const ContactSet<2>&,
                                const LimitOptions&);
template TiltLimit<3> find_tilt(const Scene<3>&, const State<3>&, const ContactSet<3>&,
                                const LimitOptions&);

}  // namespace collapse
