#include "collapse/core/error.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace collapse {

namespace {

/// Longest part of a message. Text of the user is cut shorter by those who quote it.
constexpr std::size_t kMaxPartBytes = 400;

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

/// The UTF-8 character at `at`; nothing if the bytes there are not well-formed (overlong forms,
/// surrogates and codes beyond U+10FFFF are not).
std::optional<Character> character_at(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  if (lead < 0x80) return Character{lead, 1};

  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc0 || lead >= 0xf8) return std::nullopt;
  static constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  std::uint32_t code = lead & (0x7fU >> bytes);
  if (text.size() - at < bytes) return std::nullopt;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xc0U) != 0x80U) return std::nullopt;
    code = (code << 6) | (byte(at + i) & 0x3fU);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest[bytes] || code > 0x10ffff || surrogate) return std::nullopt;
  return Character{code, bytes};
}

/// Control characters, line and paragraph separators, and the marks that reorder text: they could
/// break the line or make it read as something else.
bool is_harmful(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         (code >= 0x200e && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

std::string escaped(const std::string& bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  if (bytes == "\n") return "\\n";
  if (bytes == "\r") return "\\r";
  if (bytes == "\t") return "\\t";
  std::string result;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    result += {'\\', 'x', kHex[byte >> 4], kHex[byte & 0x0fU]};
  }
  return result;
}

std::string message(const std::string& file, const std::string& place, const std::string& found,
                    const std::string& expected) {
  std::string result;
  const auto append = [&](const char* separator, const char* label, const std::string& part) {
    if (part.empty()) return;
    if (!result.empty()) result += separator;
    result += label + printable(part, kMaxPartBytes);
  };
  append("", "", file);
  append(": ", "", place);
  append(": ", "found ", found);
  append(found.empty() ? ": " : ", ", "expected ", expected);
  return result;
}

}  // namespace

Error::Error(std::string place, std::string found, std::string expected)
    : Error(std::string(), std::move(place), std::move(found), std::move(expected)) {}

Error::Error(std::string file, std::string place, std::string found, std::string expected)
    : std::runtime_error(message(file, place, found, expected)),
      file_(std::move(file)),
      place_(std::move(place)),
      found_(std::move(found)),
      expected_(std::move(expected)) {}

Error Error::in_file(const std::string& file) const {
  return Error(file, place_, found_, expected_);
}

std::string printable(const std::string& text, std::size_t limit) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<Character> character = character_at(text, at);
    const std::size_t bytes = character ? character->bytes : 1;
    if (at + bytes > limit) return result + "...";
    const std::string piece = text.substr(at, bytes);
    result += !character || is_harmful(character->code) ? escaped(piece) : piece;
    at += bytes;
  }
  return result;
}

}  // namespace collapse
