/// That a solve of a program with the pattern of the last one allocates nothing. A program of its own:
/// it replaces malloc by one that counts, which sanitizers do not allow.

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "benchmarks/problems.hpp"
#include "collapse/solver/solution.hpp"

// The names are those of the C library.
// NOLINTBEGIN
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {
std::atomic<bool> counting = false;
std::atomic<long> allocations = 0;
void count() {
  if (counting) ++allocations;
}
}  // namespace

extern "C" {
void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  count();
  return __libc_calloc(n, size);
}
void* realloc(void* memory, std::size_t size) {
  count();
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
}
// NOLINTEND

namespace {

using namespace collapse;

int failures = 0;

/// Solves a program and one with other bounds, then both again, counting.
void expect_no_allocation(const char* name, const Program& program, bool warm) {
  SolverOptions options;
  options.tolerance = options.complementarity_tolerance = 1e-9;
  options.warm_start = warm;
  options.threads = 1;
  Solver solver(options);
  Program again = program;
  again.set_bounds(1.001 * program.bounds());
  const Status first = solver.solve(program).status;
  // So that every method that is needed has had its first turn.
  for (int round = 0; round < 3; ++round) {
    solver.solve(again);
    solver.solve(program);
  }
  allocations = 0;
  counting = true;
  const Status second = solver.solve(again).status;
  const Status third = solver.solve(program).status;
  counting = false;
  const bool optimal =
      first == Status::optimal && second == Status::optimal && third == Status::optimal;
  if (allocations != 0 || !optimal) ++failures;
  std::printf("%-40s %ld allocations%s\n", name, allocations.load(), optimal ? "" : ", NOT SOLVED");
}

/// Bodies in a row, each joined to the next by equations and held up by a cone.
Program chain(int n) {
  Program program;
  for (int i = 0; i < n; ++i) {
    program.add_block(Eigen::MatrixXd::Identity(3, 3), Eigen::Vector3d(0.1 * i, -1.0, 0.2));
  }
  for (int i = 0; i < n; ++i) {
    program.begin_group(Cone::second_order, Eigen::Vector3d(-0.1, 0.0, 0.0));
    program.add_term(i, Eigen::Matrix3d::Identity().rowwise().reverse());
    if (i == 0) continue;
    program.begin_group(Cone::zero, Eigen::Vector2d::Zero());
    program.add_term(i - 1, Eigen::Matrix3d::Identity().topRows(2));
    program.add_term(i, -Eigen::Matrix3d::Identity().topRows(2));
  }
  return program;
}

}  // namespace

int main() {
  using namespace collapse::benchmarks;
  WallOptions friction;
  friction.friction = 0.5;
  PileOptions soft;
  soft.compliance = 1e-4;
  for (const bool warm : {false, true}) {
    std::printf("%s\n", warm ? "warm:" : "cold:");
    expect_no_allocation("wall", wall(12, 12), warm);
    expect_no_allocation("wall with friction", wall(12, 12, friction), warm);
    expect_no_allocation("wall of several subtrees", wall(60, 60, friction), warm);
    expect_no_allocation("tower, second-order cones", tower(20), warm);
    expect_no_allocation("many islands", islands(40, 5, 1), warm);
    expect_no_allocation("chain with equations", chain(30), warm);
    expect_no_allocation("pile, factor", pile(80, 1, soft), warm);
    expect_no_allocation("pile, conjugate gradients", pile(320, 1, soft), warm);
  }
  return failures == 0 ? 0 : 1;
}
