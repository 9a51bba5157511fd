#pragma once

#include <csignal>

namespace collapse::cli {

/// While it lives, the first SIGINT or SIGTERM is only remembered; a second one ends the program at once.
/// There is at most one at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// From any thread.
  [[nodiscard]] static bool requested();

 private:
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
};

}  // namespace collapse::cli
