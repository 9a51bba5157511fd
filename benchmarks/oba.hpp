#pragma once

#include "benchmarks/benchmarks.hpp"

namespace collapse::benchmarks {

/// The scenes of the dissertation by scheme `oba` beside its Tables 7.1 and 7.2, and by the default scheme. `frames`: at
/// most so many of each. `only`: this scene alone (`oba-robot`), all if empty.
[[nodiscard]] Table oba_scenes(const std::function<void(const std::string&)>& progress, int frames,
                               const std::string& only = {});
/// With freezing and without, beside its Table 7.3. `frames` and `only`: likewise.
[[nodiscard]] Table oba_freezing(const std::function<void(const std::string&)>& progress,
                                 int frames, const std::string& only = {});
/// How the cost of each part of a frame grows with what it has to deal with: Figures 7.2 to 7.4.
[[nodiscard]] Table oba_growth(const std::function<void(const std::string&)>& progress);

}  // namespace collapse::benchmarks
