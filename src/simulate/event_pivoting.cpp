#include "simulate/event_pivoting.hpp"

#include <algorithm>
#include <cmath>

#include "simulate/event_plane_problem.hpp"

namespace collapse::simulate {
namespace {

/// By which in space friction may be off the direction of sliding.
constexpr double kTurned = 1e-10;
/// Share of it by which equations may be missed: those of contacts that cannot all be held.
constexpr double kMissed = 1e-9;
/// Share of the scale of forces.
constexpr double kWild = 1e8;
/// Rounds in which all contacts change although their number does not fall, and rounds after that.
constexpr int kPatience = 6;
constexpr int kSingleRounds = 12;

template <int Dim>
class PivotSearch {
 public:
  PivotSearch(ModeEquations<Dim>& equations, std::span<const Hold> can, const PivotScales& scales)
      : equations_(equations), can_(can), scales_(scales) {}

  std::optional<HeldMotion<Dim>> run(const Eigen::VectorXd& free) {
    std::size_t fewest = equations_.size() + 1;
    int patience = kPatience;
    while (patience > -kSingleRounds) {
      HeldMotion<Dim> motion = equations_.solve(free);
      if (!motion.accelerations.allFinite() || equations_.pressed_on()) return std::nullopt;
      changes_.clear();
      for (std::size_t c = 0; c < equations_.size(); ++c) look_at(c, motion.contacts[c]);
      if (changes_.empty()) {
        if (motion.residual > kMissed * scales_.motion || is_wild(motion)) return std::nullopt;
        return motion;
      }
      --patience;
      if (changes_.size() < fewest) {
        fewest = changes_.size();
        patience = kPatience;
      }
      const std::size_t first = patience > 0 ? 0 : changes_.size() - 1;
      for (std::size_t k = first; k < changes_.size(); ++k) {
        equations_.change(changes_[k].contact, changes_[k].hold, changes_[k].slide);
      }
    }
    return std::nullopt;
  }

 private:
  struct Change {
    std::size_t contact;
    Hold hold;
    Vec<Dim> slide;
  };

  /// Forces that are next to none at all: friction of contacts that slide presses these on.
  [[nodiscard]] bool is_wild(const HeldMotion<Dim>& motion) const {
    for (std::size_t c = 0; c < motion.contacts.size(); ++c) {
      if (motion.contacts[c].normal > kWild * scales_.forces[c]) return true;
    }
    return false;
  }

  void look_at(std::size_t c, const HeldForce<Dim>& force) {
    const EquationContact<Dim>& contact = equations_.contact(c);
    const double pull = kNoPull * scales_.forces[c];
    const double closes = scales_.closing;
    if (contact.hold == Hold::idle) {
      if (force.apart < -closes) changes_.push_back({c, can_[c], contact.slide});
      return;
    }
    if (force.normal < -pull) {
      changes_.push_back({c, Hold::idle, contact.slide});
      return;
    }
    if (can_[c] != Hold::sticking) return;
    if (contact.hold == Hold::sticking) {
      const double drag = force.friction.norm();
      if (drag > contact.mu * force.normal + pull) {
        changes_.push_back({c, Hold::sliding, Vec<Dim>(-force.friction / drag)});
      }
      return;
    }
    if (contact.hold == Hold::steady) {
      if (force.across.norm() > closes) changes_.push_back({c, Hold::sticking, contact.slide});
      return;
    }
    if (force.across.dot(contact.slide) < -closes) {
      changes_.push_back({c, Hold::sticking, contact.slide});
      return;
    }
    // In space friction turns until it is opposite to the way in which sliding begins.
    if (Dim == 2 || force.across.norm() <= kNoMotion * scales_.motion) return;
    const Vec<Dim> ahead = force.across.normalized();
    if ((ahead - contact.slide).norm() > kTurned) changes_.push_back({c, Hold::sliding, ahead});
  }

  ModeEquations<Dim>& equations_;
  std::span<const Hold> can_;
  const PivotScales& scales_;
  std::vector<Change> changes_;
};

}  // namespace

template <int Dim>
std::optional<HeldMotion<Dim>> pivot(ModeEquations<Dim>& equations, const Eigen::VectorXd& free,
                                     std::span<const Hold> can, const PivotScales& scales) {
  PivotSearch<Dim> search(equations, can, scales);
  std::optional<HeldMotion<Dim>> found = search.run(free);
  if constexpr (Dim == 2) {
    if (!found && PlaneProblem(equations, free, can).find_holds()) found = search.run(free);
  }
  return found;
}

std::optional<Eigen::VectorXd> nearly_complementary(ModeEquations<2>& equations,
                                                    const Eigen::VectorXd& free,
                                                    std::span<const Hold> can) {
  return PlaneProblem(equations, free, can).find_motion();
}

template std::optional<HeldMotion<2>> pivot(ModeEquations<2>&, const Eigen::VectorXd&,
                                            std::span<const Hold>, const PivotScales&);
template std::optional<HeldMotion<3>> pivot(ModeEquations<3>&, const Eigen::VectorXd&,
                                            std::span<const Hold>, const PivotScales&);

}  // namespace collapse::simulate
