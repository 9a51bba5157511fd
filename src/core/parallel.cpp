#include "core/parallel.hpp"

#include <algorithm>

#ifdef COLLAPSE_HAS_TBB
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace collapse::internal {
namespace {

void run_in_turn(int count, TaskCall call, const void* task) {
  for (int k = 0; k < count; ++k) call(task, k);
}

}  // namespace

#ifdef COLLAPSE_HAS_TBB

namespace {

// Whether this thread was asked to work alone. Even to ask oneTBB how many threads it has starts it, which
// takes milliseconds: more than a small program.
thread_local bool t_alone = false;

class Alone {
 public:
  Alone() : before_(t_alone) { t_alone = true; }
  ~Alone() { t_alone = before_; }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  bool before_;
};

}  // namespace

void run_tasks(int count, TaskCall call, const void* task) {
  if (count <= 1 || t_alone || oneapi::tbb::this_task_arena::max_concurrency() == 1) {
    run_in_turn(count, call, task);
    return;
  }
  // Each its own: tasks differ in size.
  oneapi::tbb::parallel_for(
      oneapi::tbb::blocked_range<int>(0, count),
      [call, task](const oneapi::tbb::blocked_range<int>& range) {
        for (int k = range.begin(); k < range.end(); ++k) call(task, k);
      },
      oneapi::tbb::simple_partitioner());
}

void with_threads(int threads, TaskCall call, const void* task) {
  if (threads == 0) return call(task, 0);
  if (threads == 1) {
    const Alone alone;
    return call(task, 0);
  }
  oneapi::tbb::task_arena arena(std::min(threads, oneapi::tbb::info::default_concurrency()));
  arena.execute([call, task] { call(task, 0); });
}

#else

void run_tasks(int count, TaskCall call, const void* task) { run_in_turn(count, call, task); }

void with_threads(int /*threads*/, TaskCall call, const void* task) { call(task, 0); }

#endif

}  // namespace collapse::internal
