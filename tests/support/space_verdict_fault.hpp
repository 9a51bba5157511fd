#pragma once

#include <fmt/core.h>

#include <cmath>
#include <string>

#include "collapse/core/error.hpp"
#include "tests/support/audit.hpp"
#include "tests/support/space_judge.hpp"

namespace collapse::testing {

/// What is wrong with the verdict on a scene in space, in a line; empty if nothing is. Judged by the
/// forces or the motion that it gives, and by a linear program of its own. An undecided verdict is
/// never wrong here.
inline std::string space_verdict_fault(const CheckedSceneOf<3>& checked) {
  const Verdict<3>& verdict = checked.verdict;
  if (!std::isfinite(verdict.margin) || !std::isfinite(verdict.residual)) return "not finite";
  double weight = 0.0;
  for (const Body<3>& body : checked.scene.bodies) {
    if (!body.free()) continue;
    weight += body.mass.mass * checked.scene.gravity.value.norm();
  }
  if (verdict.stability == Stability::stable) {
    const double imbalance = worst_imbalance(checked, true);
    if (!(imbalance < 1e-7 * weight)) return fmt::format("imbalance {} of {}", imbalance, weight);
    const double outside = worst_force_outside(checked);
    if (!(outside < 1e-6 * weight))
      return fmt::format("{} of {} outside the cone", outside, weight);
  }
  if (verdict.stability == Stability::unstable) {
    const MotionAudit audit = audit_mechanism(checked);
    if (!(audit.violation < 1e-7)) return fmt::format("violation {}", audit.violation);
    if (!(audit.gain > 0.0)) return fmt::format("gain {}", audit.gain);
  }
  const SpaceJudgement judgement =
      SpaceJudge(checked.scene, checked.state, checked.contacts).judge();
  if (judgement.at_a_loss) return "the judge is at a loss";
  const bool wrong = (verdict.stability == Stability::unstable && judgement.stands()) ||
                     (verdict.stability == Stability::stable && judgement.falls());
  if (!wrong) return {};
  return fmt::format("{}, but pyramids inside leave {}, around {}", to_string(verdict.stability),
                     judgement.inside, judgement.around);
}

}  // namespace collapse::testing
