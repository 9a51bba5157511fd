#pragma once

#include "collapse/model/scene.hpp"
#include "io/node.hpp"

namespace collapse::reader {

inline constexpr std::size_t kMaxPoints = 1'000'000;

/// The point masses, bars and faces of a scene.
[[nodiscard]] Framework<2> read_framework(const Node& node);

}  // namespace collapse::reader
