#include "cli/export.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/gltf.hpp"

namespace collapse::cli {

Exported export_glb(const ExportArguments& arguments) {
  try {
    if (!is_trajectory_argument(arguments.file)) {
      const Still still = still_of_scene(arguments);
      GltfExport model(still.scene);
      model.add(0.0, still.state);
      model.add_forces(still.verdict.forces);
      write_file(arguments.output, model.finish());
      return {kDone, 1};
    }
    const TrajectoryReader file(arguments.file);
    require_frames(file, arguments.file);
    GltfExport model(file.scene());
    const Exported exported = for_each_frame(
        arguments, file, [&](const Frame<2>& frame) { model.add(frame.time, frame.state); });
    if (exported.status == kInterrupted || exported.frames == 0) return exported;
    write_file(arguments.output, model.finish());
    return exported;
  } catch (const Error& error) {
    throw error.file().empty() && error.place().empty()
        ? error.in_file(display_name(arguments.file))
        : error;
  }
}

}  // namespace collapse::cli
