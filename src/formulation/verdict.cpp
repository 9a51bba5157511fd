#include "collapse/formulation/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "formulation/far.hpp"
#include "formulation/statics.hpp"

namespace collapse {
namespace {

/// Weakened by this share a structure must still stand to be called stable: what falls then is too
/// near the boundary for this arithmetic.
constexpr double kSafeShare = 1e-6;
/// Reported forces are the least ones to within this share of the largest.
constexpr double kLeastForces = 1e-9;
constexpr double kNearlyLeastForces = 1e-3;
/// The margin is found to within this factor.
constexpr double kMarginFactor = 1.1;
/// What stands weakened by this share counts as standing weakened by all: at 1 every region is a
/// point, and most structures are then exactly critical.
constexpr double kLargestShare = 0.99;
/// Normals that differ by less are the same.
constexpr double kSameDirection = 1e-9;
/// At most this many combinations of one normal for each corner contact are tried.
constexpr std::size_t kMaxChoices = 1024;
/// And only as long as their number times that of bodies is at most this.
constexpr std::size_t kMaxCornerWork = 100'000;

template <int Dim>
class Check {
 public:
  Check(const Scene<Dim>& scene, const State<Dim>& state, const ContactSet<Dim>& set,
        const CheckOptions& options)
      : scene_(scene),
        state_(state),
        set_(set),
        options_(options),
        statics_(scene, state, options.loads, {options.cone, options.sides}, options.progress) {}

  Verdict<Dim> run() {
    decide();
    if (Dim == 3 && is_rough()) limit_to_pyramid();
    verdict_.programs = statics_.programs();
    verdict_.iterations = statics_.iterations();
    return std::move(verdict_);
  }

 private:
  using Onset = typename Statics<Dim>::Onset;
  using Contacts = std::vector<Contact<Dim>>;

  void decide() {
    const Contacts& contacts = set_.contacts;
    if (statics_.trivial()) {
      accept({}, 1.0);
      return;
    }
    verdict_.reason = far_from_origin(scene_, set_);
    if (!verdict_.reason.empty()) return;
    const Perturbation<Dim> perturbation(scene_, state_, statics_.free(), contacts);
    if (statics_.stands_weakened(perturbation, kSafeShare)) {
      if (accept_with_forces(contacts)) find_margin(perturbation);
      return;
    }
    const Onset onset = onset_with(contacts);
    if (set_.corners.empty()) {
      if (!reject(contacts, onset)) leave_open(contacts, onset);
    } else {
      verdict_.corner_contacts = static_cast<int>(set_.corners.size());
      const bool friction = std::any_of(set_.corners.begin(), set_.corners.end(),
                                        [](const auto& corner) { return corner.friction > 0.0; });
      friction ? decide_frictional_corners() : decide_corners(onset);
    }
  }

  Onset onset_with(const Contacts& contacts) {
    return statics_.onset(contacts, statics_.external());
  }

  /// The contacts with one ordinary contact for each chosen normal of each corner.
  template <class Choose>
  Contacts with_corners(const Choose& chosen) const {
    Contacts contacts = set_.contacts;
    for (std::size_t i = 0; i < set_.corners.size(); ++i) {
      const CornerContact<Dim>& corner = set_.corners[i];
      for (std::size_t side = 0; side < corner.normals.size(); ++side) {
        if (!chosen(i, side)) continue;
        contacts.push_back(
            {corner.id, corner.point, corner.normals[side], corner.gap, corner.friction});
      }
    }
    std::stable_sort(contacts.begin(), contacts.end(),
                     [](const auto& x, const auto& y) { return x.id < y.id; });
    return contacts;
  }

  /// Without friction, bodies may part along any one of the normals: a fall under some choice is a fall;
  /// rest under every choice is rest.
  void decide_corners(const Onset& without_corners) {
    // The motion without the corners suggests which way they part; often that choice already falls.
    std::vector<std::size_t> side(set_.corners.size());
    for (std::size_t i = 0; i < side.size(); ++i) {
      side[i] = parting_side(set_.corners[i], without_corners);
      if (i > 0 && same_edges(i - 1, i)) side[i] = side[i - 1];
    }
    const auto chosen = [&] {
      return with_corners([&](std::size_t i, std::size_t s) { return side[i] == s; });
    };
    const Contacts suggested = chosen();
    if (reject(suggested, onset_with(suggested))) return;
    std::size_t choices = 1;
    for (const CornerContact<Dim>& corner : set_.corners) {
      choices = std::min(choices * corner.normals.size(), kMaxChoices + 1);
    }
    if (choices > kMaxChoices || statics_.free().bodies.size() * choices > kMaxCornerWork) {
      leave_open_at_corners("more corners than can be tried in all combinations");
      return;
    }
    bool stands = true;
    for (std::size_t choice = 0; choice < choices; ++choice) {
      std::size_t rest = choice;
      for (std::size_t i = 0; i < side.size(); ++i) {
        side[i] = rest % set_.corners[i].normals.size();
        rest /= set_.corners[i].normals.size();
      }
      const Contacts contacts = chosen();
      const Perturbation<Dim> perturbation(scene_, state_, statics_.free(), contacts);
      if (statics_.stands_weakened(perturbation, kSafeShare)) continue;
      stands = false;
      if (parts_along_edges(side) && reject(contacts, onset_with(contacts))) return;
    }
    if (stands) {
      verdict_.margin_is_bound = accept_with_forces(suggested);
    } else {
      leave_open_at_corners("near the boundary for some choice of normals");
    }
  }

  /// Whether two corner contacts are the ends of what two edges share.
  bool same_edges(std::size_t i, std::size_t j) const {
    const ContactId& one = set_.corners[i].id;
    ContactId other = set_.corners[j].id;
    other.end = one.end;
    return one == other && set_.corners[i].normals.size() == set_.corners[j].normals.size();
  }

  /// Whether a choice parts the points between the ends too: if both ends part along one normal.
  bool parts_along_edges(const std::vector<std::size_t>& side) const {
    for (std::size_t i = 1; i < side.size(); ++i) {
      if (!same_edges(i - 1, i)) continue;
      const Vec<Dim>& one = set_.corners[i - 1].normals[side[i - 1]];
      if ((set_.corners[i].normals[side[i]] - one).norm() > kSameDirection) return false;
    }
    return true;
  }

  /// With friction a fall is proved only if forces along all normals together cannot prevent it.
  void decide_frictional_corners() {
    const Contacts all = with_corners([](std::size_t, std::size_t) { return true; });
    if (reject(all, onset_with(all))) return;
    leave_open_at_corners("falls without the forces there, may stand with them");
  }

  std::size_t parting_side(const CornerContact<Dim>& corner, const Onset& onset) const {
    const auto velocity = [&](int body) -> Vec<Dim> {
      const int block = statics_.free().block_of(body);
      if (block < 0) return Vec<Dim>::Zero();
      const Twist<Dim>& twist = onset.accelerations[static_cast<std::size_t>(block)];
      const Vec<Dim> r = corner.point - statics_.free().centres[static_cast<std::size_t>(body)];
      return twist.template head<Dim>() + spin_velocity<Dim>(twist.template tail<kSpins<Dim>>(), r);
    };
    const Vec<Dim> relative = velocity(corner.id.b) - velocity(corner.id.a);
    std::size_t best = 0;
    for (std::size_t side = 1; side < corner.normals.size(); ++side) {
      if (corner.normals[side].dot(relative) > corner.normals[best].dot(relative)) best = side;
    }
    return best;
  }

  bool is_rough() const {
    const auto rough = [](const auto& contact) { return contact.friction > 0.0; };
    return std::any_of(set_.contacts.begin(), set_.contacts.end(), rough) ||
           std::any_of(set_.corners.begin(), set_.corners.end(), rough);
  }

  /// What falls with less than the cone may stand with all of it, and the other way round: forces and motion are
  /// reported, but they prove nothing.
  void limit_to_pyramid() {
    const auto open = [&](const char* does, const char* where, const char* may) {
      verdict_.stability = Stability::undecided;
      verdict_.strength = Strength::unknown;
      verdict_.reason = fmt::format("{} with pyramids of {} sides {} the friction cones: {}", does,
                                    options_.sides, where, may);
    };
    if (options_.cone == FrictionCone::inner && verdict_.stability == Stability::unstable) {
      open("falls", "inside", "may stand with the cones themselves");
    } else if (options_.cone == FrictionCone::outer && verdict_.stability == Stability::stable) {
      open("stands", "around", "may fall with the cones themselves");
    }
  }

  void accept(std::vector<ContactForce<Dim>> forces, double margin) {
    verdict_.stability = Stability::stable;
    verdict_.strength = is_rough() ? Strength::unknown : Strength::strong;
    verdict_.forces = std::move(forces);
    verdict_.margin = margin;
  }

  bool accept_with_forces(const Contacts& contacts) {
    if (!take_forces(contacts)) {
      verdict_.reason = "rest, but no forces found that balance the loads to within rounding";
      return false;
    }
    accept(std::move(verdict_.forces), kSafeShare);
    return true;
  }

  /// Puts the least forces into the verdict if they balance the loads.
  bool take_forces(const Contacts& contacts) {
    auto equilibrium = statics_.equilibrium(contacts, statics_.external(), kLeastForces);
    // Near the boundary of round cones the last digits of the least forces cost their balance.
    if (!equilibrium && Dim == 3) {
      equilibrium = statics_.equilibrium(contacts, statics_.external(), kNearlyLeastForces);
    }
    if (!equilibrium) return false;
    verdict_.residual = equilibrium->imbalance;
    verdict_.status = equilibrium->status;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      verdict_.forces.push_back(
          {contacts[c].id, contacts[c].point, contacts[c].normal, equilibrium->forces.contacts[c]});
    }
    for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
      verdict_.joint_forces.push_back(
          joint_force(scene_, state_, static_cast<int>(j), equilibrium->forces.joints[j]));
    }
    return true;
  }

  /// Unstable, if the onset proves it.
  bool reject(const Contacts& contacts, const Onset& onset) {
    const auto mechanism = statics_.mechanism(contacts, onset);
    if (!mechanism) return false;
    verdict_.stability = Stability::unstable;
    verdict_.residual = mechanism->violation;
    verdict_.status = onset.status;
    verdict_.margin = -std::min(1.0, onset.fall);
    for (std::size_t i = 0; i < mechanism->motion.size(); ++i) {
      const Twist<Dim>& twist = mechanism->motion[i];
      verdict_.mechanism.push_back({statics_.free().bodies[i], twist.template head<Dim>(),
                                    twist.template tail<kSpins<Dim>>()});
    }
    return true;
  }

  void leave_open(const Contacts& contacts, const Onset& onset) {
    verdict_.status = onset.status;
    verdict_.margin = 0.0;
    if (onset.status != Status::optimal) {
      verdict_.residual = onset.residual;
      verdict_.reason = fmt::format("the solver did not converge: {}, residual {:.1e}",
                                    to_string(onset.status), onset.residual);
    } else if (take_forces(contacts)) {
      verdict_.reason = fmt::format(
          "too close to call: in balance to within {:.1e}, but falls when weakened by {:.0e}",
          verdict_.residual, kSafeShare);
    } else {
      verdict_.residual = onset.residual;
      verdict_.reason = fmt::format(
          "too close to call: accelerations are {:.1e} of the free ones, within the solver's "
          "accuracy",
          onset.fall);
    }
  }

  void leave_open_at_corners(const std::string& why) {
    constexpr std::size_t kNamed = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, set_.corners.size()); ++i) {
      const ContactId& id = set_.corners[i].id;
      names += fmt::format("{}\"{}\" on \"{}\"", i == 0 ? "" : ", ", scene_.body_name(id.b),
                           scene_.body_name(id.a));
    }
    if (set_.corners.size() > kNamed) {
      names += fmt::format(" and {} more", set_.corners.size() - kNamed);
    }
    verdict_.reason = fmt::format("corner on corner ({}): {}", names, why);
  }

  /// The largest share by which the structure can be weakened, by bisection of its logarithm.
  void find_margin(const Perturbation<Dim>& perturbation) {
    verdict_.margin_is_bound =
        !options_.full_margin &&
        statics_.free().bodies.size() > static_cast<std::size_t>(options_.margin_bodies);
    if (verdict_.margin_is_bound) return;
    if (statics_.stands_weakened(perturbation, kLargestShare)) {
      verdict_.margin = 1.0;
      return;
    }
    double high = kLargestShare;
    while (high > kMarginFactor * verdict_.margin) {
      const double middle = std::sqrt(high * verdict_.margin);
      const bool stands = statics_.stands_weakened(perturbation, middle);
      (stands ? verdict_.margin : high) = middle;
    }
  }

  const Scene<Dim>& scene_;
  const State<Dim>& state_;
  const ContactSet<Dim>& set_;
  const CheckOptions& options_;
  Statics<Dim> statics_;
  Verdict<Dim> verdict_;
};

}  // namespace

std::string_view to_string(Stability stability) {
  switch (stability) {
    case Stability::stable:
      return "stable";
    case Stability::unstable:
      return "unstable";
    case Stability::undecided:
      return "undecided";
  }
  return "undecided";
}

std::string_view to_string(Strength strength) {
  switch (strength) {
    case Strength::strong:
      return "strong";
    case Strength::weak:
      return "weak";
    case Strength::unknown:
      return "unknown";
  }
  return "unknown";
}

template <int Dim>
Verdict<Dim> check(const Scene<Dim>& scene, const State<Dim>& state,
                   const ContactSet<Dim>& contacts, const CheckOptions& options) {
  ConeModel{options.cone, options.sides}.validate();
  return Check<Dim>(scene, state, contacts, options).run();
}

template Verdict<2> check(const Scene<2>&, const State<2>&, const ContactSet<2>&,
                          const CheckOptions&);
template Verdict<3> check(const Scene<3>&, const State<3>&, const ContactSet<3>&,
                          const CheckOptions&);

}  // namespace collapse
