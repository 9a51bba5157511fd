#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "cli/export.hpp"
#include "cli/output_file.hpp"
#include "cli/output_folder.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/vtk.hpp"

namespace collapse::cli {
namespace {

/// `bodies_000012.vtu`.
bool is_grid_name(const std::string& name) {
  for (const std::string start : {"bodies_", "contacts_"}) {
    if (!name.starts_with(start) || !name.ends_with(".vtu")) continue;
    const std::string number = name.substr(start.size(), name.size() - start.size() - 4);
    return !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
  }
  return false;
}

/// The collection and, beside it, the folder of its grids.
template <int Dim>
class VtkFiles {
 public:
  VtkFiles(const ExportArguments& arguments, const Scene<Dim>& scene,
           const std::vector<State<Dim>>& shown)
      : with_forces_(!arguments.no_forces),
        name_(std::filesystem::path(arguments.output).stem().string() + "_vtu"),
        collection_(arguments.output),
        folder_((std::filesystem::path(arguments.output).parent_path() / name_).string(),
                is_grid_name),
        grids_(scene, shown) {}

  void add(double time, const State<Dim>& state, const std::vector<ContactForce<Dim>>& forces) {
    VtkStep step;
    step.time = time;
    step.bodies = write("bodies", grids_.bodies(state));
    if (with_forces_) step.contacts = write("contacts", vtk_contacts(forces));
    steps_.push_back(std::move(step));
  }

  void commit() {
    folder_.commit();
    collection_.write(vtk_collection(steps_));
    collection_.commit();
  }

 private:
  std::string write(const char* what, const std::string& grid) {
    const std::string name = fmt::format("{}_{:06}.vtu", what, steps_.size());
    folder_.write(name, grid);
    return name_ + "/" + name;
  }

  bool with_forces_;
  std::string name_;
  OutputFile collection_;
  OutputFolder folder_;
  VtkExport<Dim> grids_;
  std::vector<VtkStep> steps_;
};

template <int Dim>
void write_still(const ExportArguments& arguments, const Still<Dim>& still) {
  VtkFiles<Dim> files(arguments, still.scene, {still.state});
  files.add(0.0, still.state, still.verdict.forces);
  files.commit();
}

template <int Dim>
Exported write_series(const ExportArguments& arguments, const TrajectoryReader<Dim>& file) {
  require_frames(file, arguments.file);
  std::vector<State<Dim>> shown{file.frame(0).state};
  try {
    shown.push_back(file.frame(file.frames() - 1).state);
  } catch (const Error&) {
    // Damaged: told when it is this frame's turn.
  }
  VtkFiles<Dim> files(arguments, file.scene(), shown);
  const Exported exported = for_each_frame(arguments, file, [&](const Frame<Dim>& frame) {
    files.add(frame.time, frame.state, frame.contacts);
  });
  if (exported.status != kInterrupted) files.commit();
  return exported;
}

}  // namespace

Exported export_vtk(const ExportArguments& arguments) {
  if (!is_trajectory_argument(arguments.file)) {
    std::visit([&](const auto& still) { write_still(arguments, still); },
               still_of_scene(arguments));
    return {kDone, 1};
  }
  return std::visit([&](const auto& file) { return write_series(arguments, file); },
                    open_trajectory(arguments.file));
}

}  // namespace collapse::cli
