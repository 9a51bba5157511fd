#pragma once
/// The text at the beginning of a PLY file, which says what follows.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/mesh_text.hpp"

namespace collapse::ply {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

[[nodiscard]] std::size_t bytes_of(Type type);
[[nodiscard]] bool is_float(Type type);

struct Property {
  std::string name;
  Type type = Type::float32;
  bool is_list = false;
  Type count_type = Type::uint8;  ///< of a list
};

struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;
};

enum class Format { text, little_endian, big_endian };

struct Header {
  Format format = Format::text;
  std::vector<Element> elements;
};

/// Reads up to `end_header`; the rows follow in `lines.rest()`.
[[nodiscard]] Header read_header(mesh_text::Lines& lines);

}  // namespace collapse::ply
