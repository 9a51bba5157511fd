#include <cstring>

#include "collapse/simulate/simulation.hpp"

namespace collapse {

void StateHash::add(std::uint64_t number) {
  constexpr std::uint64_t kPrime = 0x100000001b3ULL;
  for (unsigned shift = 0; shift < 64U; shift += 8U) {
    value_ = (value_ ^ ((number >> shift) & 0xffU)) * kPrime;
  }
}

void StateHash::add(double number) {
  const double unsigned_zero = number == 0.0 ? 0.0 : number;
  std::uint64_t bits =
      0;  // not std::bit_cast, which the browser's standard library does not have yet
  std::memcpy(&bits, &unsigned_zero, sizeof bits);
  add(bits);
}

}  // namespace collapse
