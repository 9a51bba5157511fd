#pragma once
/// What `run` says at its end.

#include <string>

#include "cli/run_plan.hpp"
#include "collapse/io/recorder.hpp"

namespace collapse::cli {

template <int Dim>
struct RunOutcome {
  Frame<Dim> last;
  std::int64_t resumed_from =
      -1;                ///< the frame the file ended with, −1 if the run began at the start
  bool damaged = false;  ///< the file had more behind that frame, which was cut off
  bool interrupted = false;
  bool nothing_to_do = false;
  bool rests = false;               ///< nothing moved in the last step
  double wall = 0.0;                ///< seconds, of this call
  std::int64_t computed_steps = 0;  ///< of this call, with those that were computed again
  std::int64_t changes = 0;
  std::vector<Incident> incidents;
};

template <int Dim>
[[nodiscard]] Json run_json(const Scene<Dim>& scene, const RunArguments& arguments,
                            const RunPlan& plan, const RunOutcome<Dim>& outcome);
template <int Dim>
[[nodiscard]] std::string run_text(const Scene<Dim>& scene, const RunArguments& arguments,
                                   const RunPlan& plan, const RunOutcome<Dim>& outcome);

}  // namespace collapse::cli
