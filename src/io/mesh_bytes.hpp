#pragma once
/// Numbers in binary mesh files.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace collapse::mesh_bytes {

/// The unsigned integer whose bytes begin at `at`, which must all be there.
template <class Unsigned>
[[nodiscard]] Unsigned integer_at(std::string_view bytes, std::size_t at, std::endian order) {
  Unsigned value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    const std::size_t byte = order == std::endian::big ? i : sizeof(Unsigned) - 1 - i;
    value = static_cast<Unsigned>((static_cast<std::uint64_t>(value) << 8U) |
                                  static_cast<unsigned char>(bytes[at + byte]));
  }
  return value;
}

}  // namespace collapse::mesh_bytes
