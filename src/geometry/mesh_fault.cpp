#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "collapse/geometry/polygon.hpp"
#include "collapse/geometry/polyhedron.hpp"
#include "geometry/flatness.hpp"
#include "geometry/mesh_location.hpp"
#include "geometry/point_table.hpp"
#include "geometry/triangulate.hpp"

namespace collapse {

namespace {

std::string face_word(int face) { return "face " + std::to_string(face); }

std::string faces_word(int a, int b) {
  return "faces " + std::to_string(std::min(a, b)) + " and " + std::to_string(std::max(a, b));
}

std::string edge_word(int a, int b) {
  return "edge " + std::to_string(std::min(a, b)) + "-" + std::to_string(std::max(a, b));
}

/// Finds what is wrong with a mesh, the simplest first. Vertices at one place count as the first of them.
class MeshJudge {
 public:
  explicit MeshJudge(const Mesh& mesh) : faces_(mesh.faces) {
    fault_ = wrong_numbers(mesh);
    if (!fault_.empty()) return;
    PointTable table;
    std::vector<int> first(mesh.vertices.size(), -1);
    std::vector<int> number(mesh.vertices.size());
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      int& same = first[static_cast<std::size_t>(table.number_of(mesh.vertices[i]))];
      if (same < 0) same = static_cast<int>(i);
      number[i] = same;
    }
    for (std::vector<int>& face : faces_) {
      for (int& vertex : face) vertex = number[static_cast<std::size_t>(vertex)];
    }
    const ExactPoints points(mesh.vertices);
    judge(points);
  }

  [[nodiscard]] const std::string& fault() const { return fault_; }

 private:
  struct Side {
    int from = 0;
    int to = 0;
    int face = 0;
    [[nodiscard]] std::array<int, 2> ends() const {
      return {std::min(from, to), std::max(from, to)};
    }
  };

  void judge(const ExactPoints& points) {
    for (std::size_t i = 0; i < faces_.size() && fault_.empty(); ++i) {
      fault_ = face_fault(points, static_cast<int>(i));
    }
    if (fault_.empty()) fault_ = edge_fault();
    if (fault_.empty() && points.volume_sign(triangles_) == 0) fault_ = "no volume";
    if (!fault_.empty()) return;
    const MeshLocator locator(points, triangles_);
    fault_ = crossing_fault(points, locator);
    if (fault_.empty()) fault_ = direction_fault(points, locator);
  }

  static std::string wrong_numbers(const Mesh& mesh) {
    if (mesh.faces.empty()) return "no faces";
    for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
      const std::string word = face_word(static_cast<int>(i));
      if (mesh.faces[i].size() < 3) {
        const std::size_t count = mesh.faces[i].size();
        return word + " has only " + std::to_string(count) + (count == 1 ? " vertex" : " vertices");
      }
      for (const int vertex : mesh.faces[i]) {
        if (vertex < 0 || vertex >= std::ssize(mesh.vertices)) {
          return word + " has vertex " + std::to_string(vertex) + ", which does not exist";
        }
      }
    }
    return "";
  }

  /// Of one face by itself. Adds its triangles.
  std::string face_fault(const ExactPoints& points, int face) {
    const std::vector<int>& loop = faces_[static_cast<std::size_t>(face)];
    std::vector<int> sorted = loop;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      return face_word(face) + " has vertex " + std::to_string(*twice) + " twice";
    }
    const Flatness flatness = flatness_of(points, loop);
    if (flatness.in_line) return face_word(face) + " has no area";
    if (!flatness.flat) {
      std::array<char, 32> distance{};
      std::snprintf(distance.data(), distance.size(), "%.3g", flatness.deviation);
      return face_word(face) + " is not flat: vertex " + std::to_string(flatness.farthest) +
             " is off its plane by " + distance.data();
    }
    if (loop.size() > 3 && !is_convex_quadrangle(points, loop)) {
      const std::string fault = polygon_fault(projected(points, loop));
      if (!fault.empty()) return face_word(face) + " is not a polygon: " + fault;
    }
    for (const Triangle& triangle : triangulated(points, loop)) {
      triangles_.push_back(triangle);
      face_of_.push_back(face);
    }
    return face_of_.empty() || face_of_.back() != face ? face_word(face) + " has no area" : "";
  }

  static bool is_convex_quadrangle(const ExactPoints& points, const std::vector<int>& loop) {
    const int axis = main_axis(points, loop);
    if (loop.size() != 4 || axis < 0) return false;
    int sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      sum += points.turn(loop[i], loop[(i + 1) % 4], loop[(i + 2) % 4], axis);
    }
    return std::abs(sum) == 4;
  }

  static std::vector<ExactVec<2>> projected(const ExactPoints& points,
                                            const std::vector<int>& loop) {
    int axis = main_axis(points, loop);
    // A polygon that meets itself may have no area: then along any axis that does not make it a line.
    for (int k = 0; axis < 0 && k < 3; ++k) {
      for (std::size_t i = 2; i < loop.size(); ++i) {
        if (points.turn(loop[0], loop[1], loop[i], k) != 0) axis = k;
      }
    }
    std::vector<ExactVec<2>> result;
    for (const int i : loop) {
      const ExactVec<3>& point = points.exact(i);
      result.emplace_back(point[(axis + 1) % 3], point[(axis + 2) % 3]);
    }
    return result;
  }

  std::string edge_fault() {
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      const std::vector<int>& loop = faces_[f];
      for (std::size_t i = 0; i < loop.size(); ++i) {
        sides_.push_back({loop[i], loop[(i + 1) % loop.size()], static_cast<int>(f)});
      }
    }
    std::sort(sides_.begin(), sides_.end(), [](const Side& a, const Side& b) {
      if (a.ends() != b.ends()) return a.ends() < b.ends();
      return a.face < b.face;
    });
    int open = 0;
    std::string open_fault;
    std::string direction_fault;
    for (std::size_t i = 0; i < sides_.size();) {
      std::size_t end = i + 1;
      while (end < sides_.size() && sides_[end].ends() == sides_[i].ends()) ++end;
      const std::string word = edge_word(sides_[i].from, sides_[i].to);
      if (end - i > 2) {
        return word + " has " + std::to_string(end - i) + " faces, among them " +
               faces_word(sides_[i].face, sides_[i + 1].face) + ": a solid has two at each edge";
      }
      if (end - i == 1 && open++ == 0) {
        open_fault = word + " has one face only, " + std::to_string(sides_[i].face);
      }
      if (end - i == 2 && sides_[i].from == sides_[i + 1].from && direction_fault.empty()) {
        direction_fault = faces_word(sides_[i].face, sides_[i + 1].face) +
                          " disagree about the outside: both run along " + word +
                          " in the same direction";
      }
      i = end;
    }
    if (open > 0) {
      return "the surface is not closed: " + open_fault +
             (open == 1 ? "" : " (and " + std::to_string(open - 1) + " more such edges)");
    }
    return direction_fault;
  }

  [[nodiscard]] std::string crossing_fault(const ExactPoints& points,
                                           const MeshLocator& locator) const {
    const std::vector<Triangle>& triangles = locator.triangles();
    std::string fault;
    for (std::size_t i = 0; i < triangles.size() && fault.empty(); ++i) {
      const SpaceBox& box = locator.tree().box(static_cast<int>(i));
      locator.tree().visit_where(
          [&](const SpaceBox& other) { return other.meets(box); },
          [&](int j) {
            const auto other = static_cast<std::size_t>(j);
            if (other <= i || face_of_[i] == face_of_[other]) return true;
            const Meeting meeting = meeting_of(points, triangles[i], triangles[other]);
            if (meeting == Meeting::none) return true;
            fault = faces_word(face_of_[i], face_of_[other]) +
                    (meeting == Meeting::overlap ? " overlap or touch in one plane"
                                                 : " cross or touch away from their edges");
            return false;
          });
    }
    return fault;
  }

  /// Numbers of connected parts of the surface, for each face.
  [[nodiscard]] std::vector<int> parts() const {
    std::vector<int> part(faces_.size(), -1);
    std::vector<std::vector<int>> beside(faces_.size());
    for (std::size_t i = 0; i + 1 < sides_.size(); i += 2) {
      beside[static_cast<std::size_t>(sides_[i].face)].push_back(sides_[i + 1].face);
      beside[static_cast<std::size_t>(sides_[i + 1].face)].push_back(sides_[i].face);
    }
    int count = 0;
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      if (part[i] >= 0) continue;
      std::vector<std::size_t> open{i};
      part[i] = count;
      while (!open.empty()) {
        const std::size_t face = open.back();
        open.pop_back();
        for (const int other : beside[face]) {
          if (part[static_cast<std::size_t>(other)] >= 0) continue;
          part[static_cast<std::size_t>(other)] = count;
          open.push_back(static_cast<std::size_t>(other));
        }
      }
      ++count;
    }
    return part;
  }

  /// Each part must have its outside outwards, or inwards if it lies in an odd number of others: a cavity.
  [[nodiscard]] std::string direction_fault(const ExactPoints& points,
                                            const MeshLocator& locator) const {
    const std::vector<int> part = parts();
    const auto part_of = [&](std::size_t triangle) {
      return part[static_cast<std::size_t>(face_of_[triangle])];
    };
    const int count = *std::max_element(part.begin(), part.end()) + 1;
    std::vector<std::vector<Triangle>> members(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      members[static_cast<std::size_t>(part_of(i))].push_back(triangles_[i]);
    }
    for (int p = 0; p < count; ++p) {
      const std::vector<Triangle>& own = members[static_cast<std::size_t>(p)];
      const auto face = std::find(part.begin(), part.end(), p) - part.begin();
      const int sign = points.volume_sign(own);
      bool inside = false;
      if (count > 1) {
        const auto& [a, b, c] = own.front();
        const ExactVec<3> middle =
            (points.exact(a) + points.exact(b) + points.exact(c)) / Rational(3);
        const Vec<3> value = to_double<3>(middle);
        inside = locator.contains({middle, value},
                                  [&](int i) { return part_of(static_cast<std::size_t>(i)) != p; });
      }
      if (sign == (inside ? -1 : 1)) continue;
      const std::string which =
          count == 1 ? "the surface" : "the part with " + face_word(static_cast<int>(face));
      if (!inside) {
        return which + " is inside out: its faces run clockwise seen from outside";
      }
      return which + " lies inside another one: as a cavity its faces must run the other way";
    }
    return "";
  }

  std::vector<std::vector<int>> faces_;
  std::vector<Triangle> triangles_;
  std::vector<int> face_of_;  ///< each triangle
  std::vector<Side> sides_;   ///< sorted by edge
  std::string fault_;
};

}  // namespace

/// Faces and vertices are numbered from 0.
std::string mesh_fault(const Mesh& mesh) { return MeshJudge(mesh).fault(); }

}  // namespace collapse
