#pragma once

namespace collapse {
namespace internal {

using TaskCall = void (*)(const void* task, int number);
void run_tasks(int count, TaskCall call, const void* task);
void with_threads(int threads, TaskCall call, const void* task);

template <class Task>
void call_task(const void* task, int number) {
  (*static_cast<const Task*>(task))(number);
}

}  // namespace internal

/// Calls task(0) … task(count − 1), several at a time where the library is built with oneTBB, otherwise one
/// after the other. Tasks must not depend on each other; then neither does any result on the threads.
template <class Task>
void run_tasks(int count, const Task& task) {
  internal::run_tasks(count, internal::call_task<Task>, &task);
}

/// Calls task(0) with at most so many threads for the tasks within it; 0: as many as there are cores.
template <class Task>
void with_threads(int threads, const Task& task) {
  internal::with_threads(threads, internal::call_task<Task>, &task);
}

}  // namespace collapse
