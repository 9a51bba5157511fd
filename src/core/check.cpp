#include "collapse/core/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace collapse {

void demand_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "collapse: internal error: %s does not hold (%s:%d)\n", condition, file,
               line);
  std::abort();
}

}  // namespace collapse
