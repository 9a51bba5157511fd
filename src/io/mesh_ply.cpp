#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "collapse/core/error.hpp"
#include "collapse/io/mesh_file.hpp"
#include "io/mesh_bytes.hpp"
#include "io/mesh_text.hpp"
#include "io/ply_header.hpp"

namespace collapse {

namespace {

using mesh_text::Lines;
using mesh_text::told;

/// Numbers in words, in lines as they come.
class PlyWords {
 public:
  explicit PlyWords(const Lines& lines) : lines_(lines) {}

  [[nodiscard]] Rational take(ply::Type /*type*/, const std::string& what) {
    while (true) {
      const std::string_view word = mesh_text::take_word(line_);
      if (!word.empty()) {
        std::optional<Rational> number = mesh_text::parse_decimal(word);
        if (!number) throw Error(place_of(what), told(word), "a decimal number");
        return std::move(*number);
      }
      if (lines_.at_end()) throw Error(place_of(what), "the end of the file", "more numbers");
      line_ = lines_.next();
    }
  }
  void skip(ply::Type /*type*/, const std::string& what) {
    while (mesh_text::take_word(line_).empty()) {
      if (lines_.at_end()) throw Error(place_of(what), "the end of the file", "more numbers");
      line_ = lines_.next();
    }
  }
  [[nodiscard]] std::string place_of(const std::string& /*what*/) const { return lines_.place(); }
  /// A number and what separates it from the next take two bytes, but for the last.
  [[nodiscard]] bool can_hold(std::size_t rows, std::size_t numbers, std::size_t /*bytes*/) const {
    return rows * numbers <= (line_.size() + lines_.rest().size() + 1) / 2;
  }

 private:
  Lines lines_;
  std::string_view line_;
};

/// Numbers in bytes.
class PlyBytes {
 public:
  PlyBytes(std::string_view bytes, std::endian order) : bytes_(bytes), order_(order) {}

  [[nodiscard]] Rational take(ply::Type type, const std::string& what) {
    demand(ply::bytes_of(type), what);
    Rational number = number_at(type, what);
    bytes_.remove_prefix(ply::bytes_of(type));
    return number;
  }
  void skip(ply::Type type, const std::string& what) {
    demand(ply::bytes_of(type), what);
    bytes_.remove_prefix(ply::bytes_of(type));
  }
  [[nodiscard]] static std::string place_of(const std::string& what) { return what; }
  [[nodiscard]] bool can_hold(std::size_t rows, std::size_t /*numbers*/, std::size_t bytes) const {
    return rows * bytes <= bytes_.size();
  }

 private:
  template <class Unsigned>
  [[nodiscard]] Unsigned bits() const {
    return mesh_bytes::integer_at<Unsigned>(bytes_, 0, order_);
  }

  void demand(std::size_t count, const std::string& what) const {
    if (bytes_.size() < count) throw Error(what, "the end of the file", "more bytes");
  }

  [[nodiscard]] Rational number_at(ply::Type type, const std::string& what) const {
    using ply::Type;
    switch (type) {
      case Type::int8:
        return Rational(static_cast<int>(std::bit_cast<std::int8_t>(bits<std::uint8_t>())));
      case Type::uint8:
        return Rational(static_cast<int>(bits<std::uint8_t>()));
      case Type::int16:
        return Rational(static_cast<int>(std::bit_cast<std::int16_t>(bits<std::uint16_t>())));
      case Type::uint16:
        return Rational(static_cast<int>(bits<std::uint16_t>()));
      case Type::int32:
        return Rational(std::bit_cast<std::int32_t>(bits<std::uint32_t>()));
      case Type::uint32:
        return Rational(bits<std::uint32_t>());
      case Type::float32:
        return mesh_text::exact_coordinate(
            static_cast<double>(std::bit_cast<float>(bits<std::uint32_t>())), what);
      default:
        return mesh_text::exact_coordinate(std::bit_cast<double>(bits<std::uint64_t>()), what);
    }
  }

  std::string_view bytes_;
  std::endian order_;
};

/// Reads the rows of all elements, from words or bytes.
template <class Source>
class PlyReader {
 public:
  PlyReader(Source source, const ply::Header& header) : source_(std::move(source)) {
    for (const ply::Element& element : header.elements) {
      check_size(element);
      if (element.name == "vertex") {
        read_vertices(element);
      } else if (element.name == "face") {
        read_faces(element);
      } else {
        skip(element);
      }
    }
    if (mesh_.vertices.empty()) throw Error("", "no vertex", "an element \"vertex\"");
    if (mesh_.faces.empty()) throw Error("", "no face", "an element \"face\"");
    check_numbers();
  }

  [[nodiscard]] Mesh mesh() { return std::move(mesh_); }

 private:
  /// Before anything is made for rows that are not there.
  void check_size(const ply::Element& element) const {
    std::size_t bytes = 0;
    for (const ply::Property& property : element.properties) {
      bytes += ply::bytes_of(property.is_list ? property.count_type : property.type);
    }
    if (source_.can_hold(element.count, element.properties.size(), bytes)) return;
    throw Error("element " + printable(element.name), "fewer bytes than rows need",
                std::to_string(element.count) + " rows");
  }

  std::size_t take_count(const ply::Property& property, const std::string& what) {
    const Rational count = source_.take(property.count_type, what);
    if (count < 0 || denominator(count) != 1 || count > 1'000'000'000) {
      throw Error(source_.place_of(what), "a list of " + told_number(count) + " numbers",
                  "a whole count");
    }
    return numerator(count).template convert_to<std::size_t>();
  }

  static std::string told_number(const Rational& number) { return printable(to_string(number)); }

  void skip(const ply::Property& property, const std::string& what) {
    const std::size_t count = property.is_list ? take_count(property, what) : 1;
    for (std::size_t i = 0; i < count; ++i) source_.skip(property.type, what);
  }

  void skip(const ply::Element& element) {
    if (element.name == "tristrips") {
      throw Error("element tristrips", "strips of triangles", "an element \"face\" with polygons");
    }
    if (element.properties.empty()) return;
    for (std::size_t row = 0; row < element.count; ++row) {
      const std::string what = printable(element.name) + " " + std::to_string(row);
      for (const ply::Property& property : element.properties) skip(property, what);
    }
  }

  void read_vertices(const ply::Element& element) {
    mesh_text::check_vertex_count(mesh_.vertices.size() + element.count, "element vertex");
    for (const std::string_view name : {"x", "y", "z"}) {
      const bool known = std::any_of(element.properties.begin(), element.properties.end(),
                                     [&](const ply::Property& property) {
                                       return !property.is_list && property.name == name;
                                     });
      if (!known) {
        throw Error("element vertex", "no property " + std::string(name), "properties x, y and z");
      }
    }
    for (std::size_t row = 0; row < element.count; ++row) {
      const std::string what = "vertex " + std::to_string(row);
      ExactVec<3> point;
      for (const ply::Property& property : element.properties) {
        const bool is_coordinate = !property.is_list && property.name.size() == 1 &&
                                   property.name[0] >= 'x' && property.name[0] <= 'z';
        if (is_coordinate) {
          point[property.name[0] - 'x'] = source_.take(property.type, what);
        } else {
          skip(property, what);
        }
      }
      mesh_.vertices.push_back(std::move(point));
    }
  }

  void read_faces(const ply::Element& element) {
    mesh_text::check_face_count(mesh_.faces.size() + element.count, "element face");
    const auto is_corners = [](const ply::Property& property) {
      return property.is_list && !ply::is_float(property.type) &&
             (property.name == "vertex_indices" || property.name == "vertex_index");
    };
    if (std::count_if(element.properties.begin(), element.properties.end(), is_corners) != 1) {
      throw Error("element face", "no list of vertices", "property list uchar int vertex_indices");
    }
    for (std::size_t row = 0; row < element.count; ++row) {
      const std::string what = "face " + std::to_string(row);
      for (const ply::Property& property : element.properties) {
        if (is_corners(property)) {
          read_corners(property, what);
        } else {
          skip(property, what);
        }
      }
    }
  }

  void read_corners(const ply::Property& property, const std::string& what) {
    const std::size_t count = take_count(property, what);
    if (count < 3) {
      throw Error(source_.place_of(what), "a face with " + std::to_string(count) + " vertices",
                  "three vertices or more");
    }
    mesh_text::check_corner_count(count, source_.place_of(what));
    std::vector<int> loop;
    loop.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Rational number = source_.take(property.type, what);
      if (number < 0 || denominator(number) != 1 || number >= kMaxMeshVertices) {
        throw Error(source_.place_of(what), "vertex " + told_number(number),
                    "the number of a vertex, from 0 on");
      }
      loop.push_back(numerator(number).template convert_to<int>());
    }
    mesh_.faces.push_back(std::move(loop));
  }

  /// Faces may come before vertices.
  void check_numbers() const {
    for (std::size_t i = 0; i < mesh_.faces.size(); ++i) {
      const int largest = *std::max_element(mesh_.faces[i].begin(), mesh_.faces[i].end());
      if (largest < std::ssize(mesh_.vertices)) continue;
      throw Error(
          "face " + std::to_string(i), "vertex " + std::to_string(largest),
          "one of the " + std::to_string(mesh_.vertices.size()) + " vertices, numbered from 0");
    }
  }

  Source source_;
  Mesh mesh_;
};

}  // namespace

Mesh read_ply(std::string_view bytes) {
  Lines lines(bytes);
  const ply::Header header = ply::read_header(lines);
  if (header.format == ply::Format::text) {
    return PlyReader<PlyWords>(PlyWords(lines), header).mesh();
  }
  const std::endian order =
      header.format == ply::Format::big_endian ? std::endian::big : std::endian::little;
  return PlyReader<PlyBytes>(PlyBytes(lines.rest(), order), header).mesh();
}

}  // namespace collapse
