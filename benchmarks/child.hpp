#pragma once

#include <functional>
#include <vector>

namespace collapse::benchmarks {

struct ChildResult {
  bool ended_well = false;
  std::vector<double> values;  ///< what the work returned
  double peak_megabytes = 0.0;
};

/// Runs `work` in a process of its own, so that its peak memory is its own too.
[[nodiscard]] ChildResult run_in_child(const std::function<std::vector<double>()>& work);

/// Seconds that `work` takes.
[[nodiscard]] double seconds(const std::function<void()>& work);
/// The same by the processor's clock, all threads together: what other jobs do meanwhile counts less.
[[nodiscard]] double cpu_seconds(const std::function<void()>& work);

}  // namespace collapse::benchmarks
