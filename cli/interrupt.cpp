#include "cli/interrupt.hpp"

#include <atomic>

namespace collapse::cli {
namespace {

// A handler gets nothing but the signal's number.
std::atomic<bool> interrupt_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

extern "C" {
static void collapse_remember_interrupt(int /*signal*/) { interrupt_requested.store(true); }
}

InterruptGuard::InterruptGuard() {
  interrupt_requested.store(false);
  struct sigaction action = {};
  action.sa_handler = collapse_remember_interrupt;
  // The second signal finds the system's own handler again.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &old_interrupt_);
  ::sigaction(SIGTERM, &action, &old_terminate_);
  // A shell that starts the program in the background has it ignore SIGINT: that stays so.
  if (old_interrupt_.sa_handler == SIG_IGN) ::sigaction(SIGINT, &old_interrupt_, nullptr);
}

InterruptGuard::~InterruptGuard() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool InterruptGuard::requested() { return interrupt_requested.load(std::memory_order_relaxed); }

}  // namespace collapse::cli
