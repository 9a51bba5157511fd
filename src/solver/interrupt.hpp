#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

namespace collapse {

/// Whether the caller wants a solve to end. Islands are solved side by side, but the caller is asked by one
/// thread at a time, and not again once the answer was yes: then all of them end.
class Interrupt {
 public:
  explicit Interrupt(std::function<bool()> ask) : ask_(std::move(ask)) {}

  /// For the next solve.
  void reset() { came_ = false; }

  /// Asks.
  [[nodiscard]] bool wanted() {
    if (!ask_) return false;
    if (came_) return true;
    const std::lock_guard lock(one_);
    if (!came_ && ask_()) came_ = true;
    return came_;
  }

  /// Whether an answer was yes.
  [[nodiscard]] bool came() const { return came_; }

 private:
  std::function<bool()> ask_;
  std::mutex one_;
  std::atomic<bool> came_ = false;
};

}  // namespace collapse
