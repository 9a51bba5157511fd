#pragma once

#include <cstddef>

namespace collapse::simulate {

/// The number of a body, block or part as an index.
[[nodiscard]] inline std::size_t slot_of(int number) { return static_cast<std::size_t>(number); }

}  // namespace collapse::simulate
