#pragma once

#include "benchmarks/overlap.hpp"

namespace collapse::testing {

using benchmarks::OverlapJudge;

}  // namespace collapse::testing
