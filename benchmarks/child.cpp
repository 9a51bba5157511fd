#include "benchmarks/child.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <ctime>
#include <exception>

#include "collapse/core/check.hpp"

namespace collapse::benchmarks {

ChildResult run_in_child(const std::function<std::vector<double>()>& work) {
  std::array<int, 2> ends{};
  COLLAPSE_DEMAND(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  COLLAPSE_DEMAND(child >= 0);
  if (child == 0) {
    int status = 1;
    try {
      const std::vector<double> values = work();
      const std::size_t bytes = values.size() * sizeof(double);
      if (::write(ends[1], values.data(), bytes) == static_cast<ssize_t>(bytes)) status = 0;
    } catch (const std::exception&) {
      status = 1;
    }
    ::_exit(status);
  }
  ::close(ends[1]);
  ChildResult result;
  for (double value = 0.0; ::read(ends[0], &value, sizeof value) == sizeof value;) {
    result.values.push_back(value);
  }
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  COLLAPSE_DEMAND(::wait4(child, &status, 0, &usage) == child);
  result.ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  result.peak_megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
  return result;
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double cpu_seconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace collapse::benchmarks
