#include "cli/export.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/gltf.hpp"

namespace collapse::cli {
namespace {

template <int Dim>
std::string model_of(const Still<Dim>& still) {
  GltfExport<Dim> model(still.scene);
  model.add(0.0, still.state);
  model.add_forces(still.verdict.forces);
  return model.finish();
}

template <int Dim>
Exported write_model(const ExportArguments& arguments, const TrajectoryReader<Dim>& file) {
  require_frames(file, arguments.file);
  GltfExport<Dim> model(file.scene());
  const Exported exported = for_each_frame(
      arguments, file, [&](const Frame<Dim>& frame) { model.add(frame.time, frame.state); });
  if (exported.status == kInterrupted || exported.frames == 0) return exported;
  write_file(arguments.output, model.finish());
  return exported;
}

}  // namespace

Exported export_glb(const ExportArguments& arguments) {
  try {
    if (!is_trajectory_argument(arguments.file)) {
      write_file(arguments.output, std::visit([](const auto& still) { return model_of(still); },
                                              still_of_scene(arguments)));
      return {kDone, 1};
    }
    return std::visit([&](const auto& file) { return write_model(arguments, file); },
                      open_trajectory(arguments.file));
  } catch (const Error& error) {
    throw error.file().empty() && error.place().empty()
        ? error.in_file(display_name(arguments.file))
        : error;
  }
}

}  // namespace collapse::cli
