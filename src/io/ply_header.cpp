#include "io/ply_header.hpp"

#include <array>
#include <charconv>
#include <limits>

#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace collapse::ply {

namespace {

using mesh_text::Lines;
using mesh_text::take_word;
using mesh_text::told;

struct TypeName {
  std::string_view name;
  Type type;
};
constexpr std::array<TypeName, 16> kTypeNames{{{"char", Type::int8},
                                               {"int8", Type::int8},
                                               {"uchar", Type::uint8},
                                               {"uint8", Type::uint8},
                                               {"short", Type::int16},
                                               {"int16", Type::int16},
                                               {"ushort", Type::uint16},
                                               {"uint16", Type::uint16},
                                               {"int", Type::int32},
                                               {"int32", Type::int32},
                                               {"uint", Type::uint32},
                                               {"uint32", Type::uint32},
                                               {"float", Type::float32},
                                               {"float32", Type::float32},
                                               {"double", Type::float64},
                                               {"float64", Type::float64}}};
constexpr std::size_t kMaxProperties = 1000;  ///< of all elements together, and of elements

Type take_type(std::string_view& line, const std::string& place) {
  const std::string_view word = take_word(line);
  for (const TypeName& known : kTypeNames) {
    if (known.name == word) return known.type;
  }
  throw Error(place, told(word), "a type: char, uchar, short, ushort, int, uint, float or double");
}

Format take_format(std::string_view& line, const std::string& place) {
  const std::string_view word = take_word(line);
  const std::string_view version = take_word(line);
  if (version != "1.0") throw Error(place, told(version), "version 1.0 of the format");
  if (word == "ascii") return Format::text;
  if (word == "binary_little_endian") return Format::little_endian;
  if (word == "binary_big_endian") return Format::big_endian;
  throw Error(place, told(word), "ascii, binary_little_endian or binary_big_endian");
}

Element take_element(std::string_view& line, const std::string& place) {
  Element element;
  element.name = std::string(take_word(line));
  const std::string_view word = take_word(line);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), element.count);
  // Far beyond any file, and small enough that counts can be multiplied.
  constexpr std::size_t kMaxCount = std::numeric_limits<std::uint32_t>::max();
  if (element.name.empty() || error != std::errc() || end != word.data() + word.size() ||
      element.count > kMaxCount) {
    throw Error(place, told(word), "\"element\", a name and a count");
  }
  return element;
}

Property take_property(std::string_view& line, const std::string& place) {
  Property property;
  std::string_view after = line;
  if (take_word(after) == "list") {
    line = after;
    property.is_list = true;
    property.count_type = take_type(line, place);
    if (is_float(property.count_type)) {
      throw Error(place, "a list with a fractional count", "a count of an integer type");
    }
  }
  property.type = take_type(line, place);
  const std::string_view name = take_word(line);
  if (name.empty()) throw Error(place, told(name), "the name of the property");
  property.name = std::string(name);
  return property;
}

}  // namespace

std::size_t bytes_of(Type type) {
  constexpr std::array<std::size_t, 8> kBytes{1, 1, 2, 2, 4, 4, 4, 8};
  return kBytes[static_cast<std::size_t>(type)];
}

bool is_float(Type type) { return type == Type::float32 || type == Type::float64; }

Header read_header(Lines& lines) {
  std::string_view first = lines.next();
  if (const std::string_view word = take_word(first); word != "ply") {
    throw Error(lines.place(), told(word), "\"ply\"");
  }
  Header header;
  bool has_format = false;
  std::size_t properties = 0;
  while (!lines.at_end()) {
    std::string_view line = lines.next();
    const std::string place = lines.place();
    const std::string_view word = take_word(line);
    if (word.empty() || word == "comment" || word == "obj_info") continue;
    if (word == "end_header") {
      if (!has_format) throw Error(place, in_quotes(word), "a line \"format ... 1.0\" before");
      return header;
    }
    if (word == "format") {
      header.format = take_format(line, place);
      has_format = true;
    } else if (word == "element") {
      header.elements.push_back(take_element(line, place));
    } else if (word == "property" && !header.elements.empty()) {
      header.elements.back().properties.push_back(take_property(line, place));
      ++properties;
    } else {
      throw Error(place, in_quotes(word),
                  "format, element, property of an element, comment or end_header");
    }
    if (properties > kMaxProperties || header.elements.size() > kMaxProperties) {
      throw Error(place, "more than 1000 elements or properties", "fewer");
    }
  }
  throw Error(lines.place(), "the end of the file", "\"end_header\"");
}

}  // namespace collapse::ply
