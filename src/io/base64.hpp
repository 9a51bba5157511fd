#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace collapse {

[[nodiscard]] inline std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t byte = k < left ? static_cast<unsigned char>(bytes[i + k]) : 0U;
      word = (word << 8U) | byte;
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= left ? kDigits[(word >> (6 * (3 - k))) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace collapse
