#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "formulation/limit_finder.hpp"
#include "formulation/participants.hpp"

namespace collapse {
namespace {

/// The bracket of the bisection, absolute below 1 and relative above.
constexpr double kBracket = 1e-9;
/// What falls with this much friction falls with any.
constexpr double kMostFriction = 1e4;

template <int Dim>
class LeastFriction {
 public:
  LeastFriction(const Scene<Dim>& scene, const State<Dim>& state, const ContactSet<Dim>& set,
                const LimitOptions& options)
      : scene_(scene),
        state_(state),
        set_(set),
        statics_(scene, state, options.loads, {options.cone, options.sides}, options.progress) {}

  Limit<Dim> run() {
    limit_.corner_contacts = static_cast<int>(set_.corners.size());
    limit_.reason = far_from_origin(scene_, set_);
    if (limit_.reason.empty()) decide();
    limit_.programs = statics_.programs();
    limit_.iterations = statics_.iterations();
    return std::move(limit_);
  }

 private:
  using Contacts = std::vector<Contact<Dim>>;

  void decide() {
    const auto alone = [this](double mu) { return stands(set_.contacts, mu); };
    Contacts all = set_.contacts;
    for (const CornerContact<Dim>& corner : set_.corners) {
      for (std::size_t side = 0; side < corner.normals.size(); ++side) {
        all.push_back(along_normal(corner, side));
      }
    }
    const std::optional<double> enough = bisect(alone);
    // With corners that push along all their normals less may be enough; what falls then, falls.
    const std::optional<double> at_best =
        set_.corners.empty() ? enough : bisect([&](double mu) { return stands(all, mu); });
    if (!at_best) {
      prove_fall(all, kMostFriction);
      limit_.status = limit_.mechanism.empty() ? LimitStatus::undecided : LimitStatus::falls;
      if (limit_.mechanism.empty()) limit_.reason = "no friction found that is enough";
      return;
    }
    if (enough) take_forces(*enough);
    for (const double less : {1e-6, 1e-5, 1e-4}) {
      if (*at_best == 0.0 || !limit_.mechanism.empty()) break;
      prove_fall(all, (1.0 - less) * *at_best);
    }
    limit_.lower = limit_.mechanism.empty() ? 0.0 : proved_;
    limit_.upper = enough.value_or(std::numeric_limits<double>::infinity());
    limit_.factor = limit_.upper;
    if (!enough || *enough - *at_best > 2.0 * kBracket * std::max(1.0, *enough)) {
      limit_.reason = fmt::format(
          "corner on corner: {:.6g} is too little, {} without forces there", *at_best,
          enough ? fmt::format("{:.6g} is enough", *enough) : std::string("nothing is enough"));
    } else if (*at_best > 0.0 && limit_.mechanism.empty()) {
      limit_.reason = fmt::format(
          "no fall proved with a ten-thousandth less than {:.9g}, which is enough", *enough);
    } else {
      limit_.status = LimitStatus::found;
    }
  }

  [[nodiscard]] Contacts with_friction(Contacts contacts, double mu) const {
    for (Contact<Dim>& contact : contacts) contact.friction = mu;
    return contacts;
  }

  [[nodiscard]] bool stands(const Contacts& contacts, double mu) {
    constexpr double kAnyForces = 1e-3;
    const Contacts rough = with_friction(contacts, mu);
    return statics_.trivial() ||
           statics_.equilibrium(rough, statics_.external(), kAnyForces).has_value();
  }

  /// The least coefficient that is enough; nothing if none is.
  template <class Stands>
  [[nodiscard]] std::optional<double> bisect(const Stands& enough) {
    if (enough(0.0)) return 0.0;
    double low = 0.0;
    double high = 1.0;
    while (!enough(high)) {
      low = high;
      high *= 4.0;
      if (high > kMostFriction) return std::nullopt;
    }
    while (high - low > kBracket * std::max(1.0, high)) {
      const double middle = 0.5 * (low + high);
      (enough(middle) ? high : low) = middle;
    }
    return high;
  }

  void take_forces(double mu) {
    constexpr double kLeastForces = 1e-9;
    const Contacts rough = with_friction(set_.contacts, mu);
    const auto equilibrium = statics_.equilibrium(rough, statics_.external(), kLeastForces);
    if (!equilibrium) return;
    limit_.residual = equilibrium->imbalance;
    for (std::size_t c = 0; c < rough.size(); ++c) {
      limit_.forces.push_back(
          {rough[c].id, rough[c].point, rough[c].normal, equilibrium->forces.contacts[c]});
    }
    for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
      limit_.joint_forces.push_back(
          joint_force(scene_, state_, static_cast<int>(j), equilibrium->forces.joints[j]));
    }
  }

  void prove_fall(const Contacts& contacts, double mu) {
    const Contacts rough = with_friction(contacts, mu);
    const auto mechanism = statics_.mechanism(rough, statics_.onset(rough, statics_.external()));
    if (!mechanism) return;
    proved_ = mu;
    limit_.residual = std::max(limit_.residual, mechanism->violation);
    for (std::size_t i = 0; i < mechanism->motion.size(); ++i) {
      limit_.mechanism.push_back({statics_.free().bodies[i],
                                  mechanism->motion[i].template head<Dim>(),
                                  mechanism->motion[i].template tail<kSpins<Dim>>()});
    }
  }

  const Scene<Dim>& scene_;
  const State<Dim>& state_;
  const ContactSet<Dim>& set_;
  Statics<Dim> statics_;
  double proved_ = 0.0;
  Limit<Dim> limit_;
};

}  // namespace

template <int Dim>
Limit<Dim> find_least_friction(const Scene<Dim>& scene, const State<Dim>& state,
                               const ContactSet<Dim>& contacts, const LimitOptions& options) {
  ConeModel{options.cone, options.sides}.validate();
  return LeastFriction<Dim>(scene, state, contacts, options).run();
}

template Limit<2> find_least_friction(const Scene<2>&, const State<2>&, const ContactSet<2>&,
                                      const LimitOptions&);
template Limit<3> find_least_friction(const Scene<3>&, const State<3>&, const ContactSet<3>&,
                                      const LimitOptions&);

}  // namespace collapse
