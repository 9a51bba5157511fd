#pragma once

#include <cstdint>
#include <string>

namespace collapse::soak {

/// Random structures in space, judged by a linear program of its own.
[[nodiscard]] std::string space_case(std::uint64_t number);

}  // namespace collapse::soak
