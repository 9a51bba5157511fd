#pragma once

#include <string>

namespace collapse::benchmarks {

struct CrowdOptions {
  int cubes = 1000;
  int side = 10;  ///< of the container
  int frames = 600;
  int seed = 1;
  int limit_s = 1800;  ///< of CPU time for each engine
  std::string only;    ///< engines whose name has this in it
};

/// Cubes that fall into a container: Bullet, MuJoCo and ours on the same scene, one thread each.
void compare_crowd(const CrowdOptions& options);

}  // namespace collapse::benchmarks
