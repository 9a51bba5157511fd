#include "benchmarks/peers/mujoco_model.hpp"

#include <array>
#include <cstring>
#include <stdexcept>

#include "collapse/core/check.hpp"

namespace collapse::benchmarks {
namespace {

void ignore_mujoco_warning(const char* /*text*/) {}
void throw_mujoco_error(const char* text) { throw std::runtime_error(text); }

}  // namespace

std::unique_ptr<mjModel, FreeMujoco> compile_mujoco(const std::string& text) {
  mju_user_warning = ignore_mujoco_warning;
  mju_user_error = throw_mujoco_error;
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  COLLAPSE_DEMAND(mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size())) ==
                  0);
  std::memcpy(files->filedata[0], text.data(), text.size());
  std::array<char, 500> error{};
  std::unique_ptr<mjModel, FreeMujoco> model(
      mj_loadXML("scene.xml", files.get(), error.data(), static_cast<int>(error.size())));
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(std::string("MuJoCo: ") + error.data());
  return model;
}

}  // namespace collapse::benchmarks
