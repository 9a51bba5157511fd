#pragma once
/// The frames of a trajectory file, one after the other, as far as they are good.

#include <functional>
#include <string>
#include <type_traits>

#include "collapse/io/trajectory.hpp"

namespace collapse::cli {

/// Refuses a trajectory without frames.
void require_frames(const TrajectoryFile& file, const std::string& name);

/// Calls `one` for every frame, and shows progress. Of a damaged file the frames before the damage: then the status is
/// 2, and the message is printed. 130 after an interrupt.
template <int Dim>
[[nodiscard]] int for_each_good_frame(
    const TrajectoryReader<Dim>& file, const std::string& name,
    const std::type_identity_t<std::function<void(Frame<Dim>&)>>& one);

}  // namespace collapse::cli
