#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>

namespace collapse::benchmarks {

struct FreeMujoco {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

/// From the text of an MJCF file. From here on MuJoCo throws its errors and keeps its warnings to itself; by
/// itself it would write a file into the current folder and end the process.
[[nodiscard]] std::unique_ptr<mjModel, FreeMujoco> compile_mujoco(const std::string& text);

}  // namespace collapse::benchmarks
