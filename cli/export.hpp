#pragma once
/// What the formats of `export` share; one file for each of them.

#include <functional>
#include <optional>
#include <string>

#include "cli/frames.hpp"
#include "cli/still.hpp"

namespace collapse::cli {

struct ExportArguments : StillArguments {
  std::string contacts;  ///< tables beside the one of all bodies
  std::string changes;
  std::optional<double> frame_rate;  ///< frames per unit of time; of films, per second
  double speed = 1.0;                ///< units of time per second of a film
  int width = 0;                     ///< pixels, of a picture or film; 0: not given
  int height = 0;                    ///< of a film
};

struct Exported {
  int status = kDone;
  std::int64_t frames = 0;
};

[[nodiscard]] Exported export_csv(const ExportArguments& arguments);
[[nodiscard]] Exported export_glb(const ExportArguments& arguments);
[[nodiscard]] Exported export_vtk(const ExportArguments& arguments);
[[nodiscard]] Exported export_film(const ExportArguments& arguments);

/// Calls `one` for every frame, or for those nearest to the given rate, and shows progress. Of a damaged file the
/// frames before the damage: then the status is 2, and the message is printed. 130 after an interrupt, with
/// which what was written is of no use.
template <int Dim>
[[nodiscard]] Exported for_each_frame(
    const ExportArguments& arguments, const TrajectoryReader<Dim>& file,
    const std::type_identity_t<std::function<void(const Frame<Dim>&)>>& one);

}  // namespace collapse::cli
