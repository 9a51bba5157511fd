#pragma once
/// Numbers as little-endian bytes and back.

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "collapse/core/error.hpp"

namespace collapse::trajectory {

class ByteWriter {
 public:
  explicit ByteWriter(std::size_t expected) { bytes_.reserve(expected); }

  void put8(std::uint8_t number) { bytes_.push_back(static_cast<char>(number)); }
  void put32(std::uint32_t number) { put(number, 4); }
  void put64(std::uint64_t number) { put(number, 8); }
  void put(double number) { put64(std::bit_cast<std::uint64_t>(number)); }
  void put(std::string_view text) { bytes_.append(text); }
  /// Its lowest `count` bytes, 8 at most.
  void put(std::uint64_t number, unsigned count) {
    char letters[8];
    for (unsigned i = 0; i < count; ++i) {
      letters[i] = static_cast<char>((number >> (8U * i)) & 0xffU);
    }
    bytes_.append(letters, count);
  }

  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Throws Error (place empty) where there are fewer bytes than asked for.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::size_t left() const { return rest_.size(); }

  std::uint8_t get8() { return static_cast<std::uint8_t>(get(1)); }
  std::uint32_t get32() { return static_cast<std::uint32_t>(get(4)); }
  std::uint64_t get64() { return get(8); }
  /// A whole number of so many bytes, 8 at most.
  std::uint64_t get(unsigned bytes) {
    demand(bytes);
    std::uint64_t number = 0;
    for (unsigned i = 0; i < bytes; ++i) {
      number |= std::uint64_t{static_cast<unsigned char>(rest_[i])} << (8U * i);
    }
    rest_.remove_prefix(bytes);
    return number;
  }
  double number() {
    const auto value = std::bit_cast<double>(get64());
    if (!std::isfinite(value)) throw Error("", "a number that is not finite", "finite numbers");
    return value;
  }
  /// As many things of at least `bytes_each` bytes as are said to follow: a number that the rest can hold.
  std::size_t count(std::size_t bytes_each) {
    const std::uint64_t said = get64();
    if (said > rest_.size() / bytes_each) {
      throw Error("", "a list longer than the block", "lists that fit");
    }
    return static_cast<std::size_t>(said);
  }
  std::string_view text(std::size_t length) {
    demand(length);
    const std::string_view result = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return result;
  }

 private:
  void demand(std::size_t bytes) const {
    if (rest_.size() < bytes) throw Error("", "a block that is too short", "all its numbers");
  }

  std::string_view rest_;
};

}  // namespace collapse::trajectory
