#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>

#include "collapse/core/error.hpp"
#include "collapse/io/mesh_file.hpp"
#include "collapse/io/place.hpp"
#include "io/mesh_text.hpp"

namespace collapse {

namespace {

using mesh_text::Lines;
using mesh_text::take_word;
using mesh_text::told;

/// Statements that say nothing about the surface of a solid.
constexpr std::array<std::string_view, 17> kSkippedStatements{
    "vt",     "vn",    "vp",  "s",  "usemtl",   "mtllib",   "l",          "p",        "usemap",
    "maplib", "bevel", "lod", "mg", "c_interp", "d_interp", "shadow_obj", "trace_obj"};

struct ObjFace {
  std::vector<int> corners;
  int object = 0;  ///< number of the name
  int group = 0;
  std::string place;
};

/// Names in the order they first appear, the empty one first.
class NameList {
 public:
  int number_of(const std::string& name) {
    const auto [at, is_new] = numbers_.try_emplace(name, static_cast<int>(names_.size()));
    if (is_new) names_.push_back(name);
    return at->second;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_{""};
  std::map<std::string, int> numbers_{{"", 0}};
};

class ObjReader {
 public:
  explicit ObjReader(std::string_view text) : lines_(text) {
    while (!lines_.at_end()) read_statement();
    if (vertices_.empty())
      throw Error("", "no vertex", "an OBJ file: lines `v X Y Z` and `f I J K`");
    if (faces_.empty()) throw Error("", "no face", "lines `f I J K`");
    check_numbers();
  }

  [[nodiscard]] Mesh whole() {
    Mesh mesh;
    mesh.vertices = std::move(vertices_);
    mesh.faces.reserve(faces_.size());
    for (ObjFace& face : faces_) mesh.faces.push_back(std::move(face.corners));
    return mesh;
  }

  [[nodiscard]] std::vector<NamedMesh> parts() const {
    const bool by_object = std::any_of(faces_.begin(), faces_.end(),
                                       [](const ObjFace& face) { return face.object != 0; });
    const std::vector<std::string>& names = by_object ? objects_.names() : groups_.names();
    std::vector<std::vector<const ObjFace*>> members(names.size());
    for (const ObjFace& face : faces_) {
      members[static_cast<std::size_t>(by_object ? face.object : face.group)].push_back(&face);
    }
    std::vector<NamedMesh> result;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!members[i].empty()) result.push_back({names[i], part_of(members[i])});
    }
    return result;
  }

 private:
  /// A line with those it is continued in (a backslash at the end), without comment.
  std::string_view next_line() {
    std::string_view line = lines_.next();
    place_ = lines_.place();
    joined_.clear();
    while (line.ends_with('\\') && !lines_.at_end()) {
      joined_ += line.substr(0, line.size() - 1);
      joined_ += ' ';
      line = lines_.next();
    }
    if (!joined_.empty()) {
      joined_ += line;
      line = joined_;
    }
    return line.substr(0, line.find('#'));
  }

  void read_statement() {
    std::string_view line = next_line();
    const std::string_view statement = take_word(line);
    if (statement.empty()) return;
    if (statement == "v") {
      mesh_text::check_vertex_count(vertices_.size() + 1, place_);
      vertices_.push_back(mesh_text::take_point(line, place_));
    } else if (statement == "f" || statement == "fo") {
      read_face(line);
    } else if (statement == "o") {
      object_ = objects_.number_of(name_in(line));
    } else if (statement == "g") {
      group_ = groups_.number_of(name_in(line));
    } else if (std::find(kSkippedStatements.begin(), kSkippedStatements.end(), statement) ==
               kSkippedStatements.end()) {
      throw Error(place_, in_quotes(statement),
                  "a statement of an OBJ file with polygons: v, f, o, g");
    }
  }

  static std::string name_in(std::string_view line) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    const std::size_t end = line.find_last_not_of(" \t") + 1;
    return begin < end ? std::string(line.substr(begin, end - begin)) : std::string();
  }

  void read_face(std::string_view line) {
    mesh_text::check_face_count(faces_.size() + 1, place_);
    ObjFace face{{}, object_, group_, place_};
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      mesh_text::check_corner_count(face.corners.size() + 1, place_);
      face.corners.push_back(vertex_of(word));
    }
    if (face.corners.size() < 3) {
      throw Error(place_, "a face with " + std::to_string(face.corners.size()) + " vertices",
                  "three vertices or more");
    }
    faces_.push_back(std::move(face));
  }

  /// `7`, `7/1`, `7/1/2` or `7//2`; −1 is the vertex before.
  [[nodiscard]] int vertex_of(std::string_view word) const {
    const std::string_view digits = word.substr(0, word.find('/'));
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size() || number == 0) {
      throw Error(place_, told(word),
                  "the number of a vertex, from 1 on, or -1, -2, ... backwards");
    }
    if (number > 0) return number - 1;
    if (number < -std::ssize(vertices_)) refuse_vertex(number, place_);
    return static_cast<int>(std::ssize(vertices_)) + number;
  }

  [[noreturn]] void refuse_vertex(int number, const std::string& place) const {
    const std::size_t count = vertices_.size();
    throw Error(place, "vertex " + std::to_string(number),
                count == 0 ? "vertices before the face that uses them"
                           : "one of the " + std::to_string(count) + " vertices");
  }

  /// A face may come before its vertices.
  void check_numbers() const {
    for (const ObjFace& face : faces_) {
      const int largest = *std::max_element(face.corners.begin(), face.corners.end());
      if (largest >= std::ssize(vertices_)) refuse_vertex(largest + 1, face.place);
    }
  }

  [[nodiscard]] Mesh part_of(const std::vector<const ObjFace*>& faces) const {
    std::map<int, int> numbers;
    for (const ObjFace* face : faces) {
      for (const int corner : face->corners) numbers.emplace(corner, 0);
    }
    Mesh mesh;
    mesh.vertices.reserve(numbers.size());
    for (auto& [vertex, number] : numbers) {
      number = static_cast<int>(mesh.vertices.size());
      mesh.vertices.push_back(vertices_[static_cast<std::size_t>(vertex)]);
    }
    mesh.faces.reserve(faces.size());
    for (const ObjFace* face : faces) {
      std::vector<int>& loop = mesh.faces.emplace_back();
      loop.reserve(face->corners.size());
      for (const int corner : face->corners) loop.push_back(numbers.at(corner));
    }
    return mesh;
  }

  Lines lines_;
  std::string place_;
  std::string joined_;
  std::vector<ExactVec<3>> vertices_;
  std::vector<ObjFace> faces_;
  NameList objects_;
  NameList groups_;
  int object_ = 0;
  int group_ = 0;
};

}  // namespace

std::vector<NamedMesh> read_obj_objects(std::string_view text) { return ObjReader(text).parts(); }

Mesh read_obj(std::string_view text) { return ObjReader(text).whole(); }

}  // namespace collapse
