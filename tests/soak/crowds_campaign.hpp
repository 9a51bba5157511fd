#pragma once

#include <cstdint>
#include <string>

#include "collapse/simulate/simulation.hpp"
#include "tests/support/random_crowd.hpp"

namespace collapse::soak {

/// Crowds in a container, five seconds each: nothing gets out, overlaps, or gains energy from nowhere.
[[nodiscard]] std::string crowds_case(std::uint64_t number);
/// More bodies, which the scheme follows more loosely (kCrowdPace).
[[nodiscard]] std::string large_crowds_case(std::uint64_t number);
/// By scheme oba.
[[nodiscard]] std::string oba_crowds_case(std::uint64_t number);
/// The same for a crowd that is given: to make a case that fails smaller.
[[nodiscard]] std::string crowd_fault(const testing::Crowd& crowd,
                                      const SimulationOptions& options);

}  // namespace collapse::soak
