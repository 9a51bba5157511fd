#include <bit>

#include "collapse/simulate/simulation.hpp"

namespace collapse {

void StateHash::add(std::uint64_t number) {
  constexpr std::uint64_t kPrime = 0x100000001b3ULL;
  for (unsigned shift = 0; shift < 64U; shift += 8U) {
    value_ = (value_ ^ ((number >> shift) & 0xffU)) * kPrime;
  }
}

void StateHash::add(double number) {
  add(std::bit_cast<std::uint64_t>(number == 0.0 ? 0.0 : number));
}

}  // namespace collapse
