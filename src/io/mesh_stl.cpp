#include <bit>
#include <cstdint>

#include "collapse/core/error.hpp"
#include "collapse/io/mesh_file.hpp"
#include "geometry/point_table.hpp"
#include "io/mesh_bytes.hpp"
#include "io/mesh_text.hpp"

namespace collapse {

namespace {

using mesh_text::is_word;
using mesh_text::Lines;
using mesh_text::take_word;
using mesh_text::told;

class StlMesh {
 public:
  void add_face(const std::string& place) {
    mesh_text::check_face_count(mesh_.faces.size() + 1, place);
    mesh_.faces.emplace_back();
  }
  void add_corner(const ExactVec<3>& point, const std::string& place) {
    mesh_.faces.back().push_back(points_.number_of(point));
    mesh_text::check_vertex_count(points_.points().size(), place);
  }
  [[nodiscard]] Mesh finished() {
    if (mesh_.faces.empty()) throw Error("", "no triangle", "an STL file with triangles");
    mesh_.vertices = points_.take_points();
    return std::move(mesh_);
  }

 private:
  Mesh mesh_;
  PointTable points_;
};

/// `facet normal …`, `outer loop`, three `vertex X Y Z`, `endloop`, `endfacet`, words in any case; normals are not
/// looked at: the order of the vertices says which side is outside.
class StlTextReader {
 public:
  explicit StlTextReader(std::string_view text) : lines_(text) {
    expect("solid");
    bool in_solid = true;
    while (next_statement()) {
      if (in_solid && is_word(word_, "facet")) {
        read_facet();
      } else if (in_solid && is_word(word_, "endsolid")) {
        in_solid = false;
      } else if (!in_solid && is_word(word_, "solid")) {
        in_solid = true;
      } else {
        refuse(in_solid ? "\"facet normal X Y Z\" or \"endsolid\""
                        : "\"solid\" or the end of the file");
      }
    }
    if (in_solid) throw Error(lines_.place(), "the end of the file", "\"endsolid\"");
  }

  [[nodiscard]] Mesh mesh() { return mesh_.finished(); }

 private:
  [[noreturn]] void refuse(const std::string& expected) const {
    throw Error(lines_.place(), told(word_), expected);
  }

  /// Goes to the next line that is not empty.
  bool next_statement() {
    while (!lines_.at_end()) {
      line_ = lines_.next();
      word_ = take_word(line_);
      if (!word_.empty()) return true;
    }
    return false;
  }

  void expect(std::string_view word) {
    const std::string quoted = "\"" + std::string(word) + "\"";
    if (!next_statement()) throw Error(lines_.place(), "the end of the file", quoted);
    if (!is_word(word_, word)) refuse(quoted);
  }

  void read_facet() {
    mesh_.add_face(lines_.place());
    expect("outer");
    for (int i = 0; i < 3; ++i) {
      expect("vertex");
      mesh_.add_corner(mesh_text::take_point(line_, lines_.place()), lines_.place());
    }
    expect("endloop");
    expect("endfacet");
  }

  Lines lines_;
  std::string_view line_;
  std::string_view word_;
  StlMesh mesh_;
};

constexpr std::size_t kStlHeader = 84;    ///< 80 bytes of anything and the number of triangles
constexpr std::size_t kStlTriangle = 50;  ///< a normal, three vertices, two bytes of anything

std::size_t triangles_announced(std::string_view bytes) {
  return mesh_bytes::integer_at<std::uint32_t>(bytes, kStlHeader - 4, std::endian::little);
}

/// Text may begin with any 80 bytes as a binary file may begin with "solid": the length decides.
bool is_binary_stl(std::string_view bytes) {
  return bytes.size() >= kStlHeader &&
         bytes.size() - kStlHeader == triangles_announced(bytes) * kStlTriangle;
}

Mesh read_binary_stl(std::string_view bytes) {
  StlMesh mesh;
  const std::size_t count = triangles_announced(bytes);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string place = "face " + std::to_string(i);
    mesh.add_face(place);
    for (std::size_t corner = 1; corner <= 3; ++corner) {
      ExactVec<3> point;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = kStlHeader + i * kStlTriangle + 12 * corner + 4 * k;
        const float value = std::bit_cast<float>(
            mesh_bytes::integer_at<std::uint32_t>(bytes, at, std::endian::little));
        point[static_cast<Eigen::Index>(k)] =
            mesh_text::exact_coordinate(static_cast<double>(value), place);
      }
      mesh.add_corner(point, place);
    }
  }
  return mesh.finished();
}

}  // namespace

Mesh read_stl(std::string_view bytes) {
  if (is_binary_stl(bytes)) return read_binary_stl(bytes);
  std::string_view beginning = bytes.substr(0, bytes.find_first_of("\r\n"));
  if (is_word(take_word(beginning), "solid")) return StlTextReader(bytes).mesh();
  if (bytes.size() < kStlHeader) {
    throw Error("", std::to_string(bytes.size()) + " bytes",
                "an STL file: text that begins with \"solid\", or at least 84 bytes");
  }
  const std::size_t count = triangles_announced(bytes);
  throw Error("", std::to_string(bytes.size()) + " bytes",
              std::to_string(kStlHeader + count * kStlTriangle) + " for the " +
                  std::to_string(count) +
                  " triangles that the header announces, or text that begins with \"solid\"");
}

}  // namespace collapse
