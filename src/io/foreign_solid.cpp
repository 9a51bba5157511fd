#include "io/foreign_solid.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "collapse/core/error.hpp"

namespace collapse::foreign {
namespace {

/// How far, relative to the block's size, a vertex may stand out of a face and the block still be called convex.
/// Coordinates of such files are doubles that were turned and moved a few times.
constexpr double kConvex = 1e-9;

using Loop = std::vector<int>;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

Vec<3> rounded(const ExactVec<3>& point) {
  return {to_double(point[0]), to_double(point[1]), to_double(point[2])};
}

bool comes_before(const ExactVec<3>& a, const ExactVec<3>& b) {
  return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

/// Twice the area of a polygon along its normal, by Newell's sum.
template <class Vector>
Vector area_vector(const std::vector<Vector>& points, const Loop& loop) {
  Vector sum = Vector::Zero();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vector a = points[at(loop[i])] - points[at(loop[0])];
    const Vector b = points[at(loop[(i + 1) % loop.size()])] - points[at(loop[0])];
    sum += Vector(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  }
  return sum;
}

bool is_flat(const std::vector<ExactVec<3>>& points, const Loop& loop) {
  if (loop.size() == 3) return true;
  const ExactVec<3> normal = area_vector(points, loop);
  const ExactVec<3>& first = points[at(loop[0])];
  return std::all_of(loop.begin(), loop.end(), [&](int i) {
    const ExactVec<3> d = points[at(i)] - first;
    return normal[0] * d[0] + normal[1] * d[1] + normal[2] * d[2] == 0;
  });
}

/// Whether the corner at position `i` can be cut off: convex, with no other corner in its triangle.
bool is_ear(const std::vector<Vec<3>>& points, const Loop& loop, std::size_t i,
            const Vec<3>& normal) {
  const int previous = loop[(i + loop.size() - 1) % loop.size()];
  const int next = loop[(i + 1) % loop.size()];
  const std::array<Vec<3>, 3> corner = {points[at(previous)], points[at(loop[i])],
                                        points[at(next)]};
  const auto side = [&](const Vec<3>& a, const Vec<3>& b, const Vec<3>& c) {
    return (b - a).cross(c - a).dot(normal);
  };
  if (side(corner[0], corner[1], corner[2]) <= 0.0) return false;
  return std::none_of(loop.begin(), loop.end(), [&](int other) {
    if (other == previous || other == next || other == loop[i]) return false;
    const Vec<3>& p = points[at(other)];
    return side(corner[0], corner[1], p) >= 0.0 && side(corner[1], corner[2], p) >= 0.0 &&
           side(corner[2], corner[0], p) >= 0.0;
  });
}

/// Of the corners that can be cut off, the last in the order of coordinates goes first: from behind, with the
/// loop turned round, the cuts are the same.
void cut_into_triangles(const Mesh& mesh, const std::vector<Vec<3>>& points, Loop loop,
                        std::vector<Loop>& out) {
  const Vec<3> normal = area_vector(points, loop);
  while (loop.size() > 3) {
    std::size_t ear = loop.size();
    for (std::size_t i = 0; i < loop.size(); ++i) {
      if (!is_ear(points, loop, i, normal)) continue;
      if (ear == loop.size() ||
          comes_before(mesh.vertices[at(loop[ear])], mesh.vertices[at(loop[i])])) {
        ear = i;
      }
    }
    if (ear == loop.size()) ear = 0;  // a bad polygon: whoever judges the mesh will say so
    out.push_back(
        {loop[(ear + loop.size() - 1) % loop.size()], loop[ear], loop[(ear + 1) % loop.size()]});
    loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  out.push_back(std::move(loop));
}

std::vector<Vec<3>> rounded_points(const Mesh& mesh) {
  std::vector<Vec<3>> points;
  points.reserve(mesh.vertices.size());
  for (const ExactVec<3>& vertex : mesh.vertices) points.push_back(rounded(vertex));
  return points;
}

double size_of(const std::vector<Vec<3>>& points) {
  Vec<3> low = points.front();
  Vec<3> high = points.front();
  for (const Vec<3>& point : points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  return (high - low).norm();
}

double signed_volume(const std::vector<Vec<3>>& points, const std::vector<Loop>& faces) {
  double sum = 0.0;
  const Vec<3>& origin = points.front();
  for (const Loop& loop : faces) {
    sum += area_vector(points, loop).dot(points[at(loop.front())] - origin);
  }
  return sum / 6.0;
}

bool is_convex(const std::vector<Vec<3>>& points, const std::vector<Loop>& faces) {
  const double tolerance = kConvex * size_of(points);
  return std::all_of(faces.begin(), faces.end(), [&](const Loop& loop) {
    const Vec<3> normal = area_vector(points, loop).normalized();
    double offset = -std::numeric_limits<double>::infinity();
    for (const int i : loop) offset = std::max(offset, normal.dot(points[at(i)]));
    return std::all_of(points.begin(), points.end(), [&](const Vec<3>& point) {
      return normal.dot(point) <= offset + tolerance;
    });
  });
}

/// Every edge has one face on either side, and they agree about the outside.
void refuse_open_surface(const Mesh& mesh, const std::string& what, const std::string& place) {
  const std::string expected = "the closed surface of a solid";
  if (mesh.faces.size() < 4) {
    throw Error(place, what + " with " + std::to_string(mesh.faces.size()) + " faces", expected);
  }
  std::map<std::pair<int, int>, int> uses;
  for (const Loop& loop : mesh.faces) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      ++uses[{loop[i], loop[(i + 1) % loop.size()]}];
    }
  }
  const auto corner = [&](int i) {
    return "(" + number_text(mesh.vertices[at(i)][0]) + ", " +
           number_text(mesh.vertices[at(i)][1]) + ", " + number_text(mesh.vertices[at(i)][2]) + ")";
  };
  for (const auto& [edge, count] : uses) {
    const auto back = uses.find({edge.second, edge.first});
    if (count == 1 && back != uses.end()) continue;
    throw Error(place,
                fmt::format("{} where the edge from {} to {} has {}", what, corner(edge.first),
                            corner(edge.second),
                            count > 1 ? "two faces on one side" : "a face on one side only"),
                expected);
  }
}

std::string face_text(const Loop& loop) {
  std::string text = "[";
  for (std::size_t i = 0; i < loop.size(); ++i)
    text += (i == 0 ? "" : ",") + std::to_string(loop[i]);
  return text + "]";
}

std::string points_text(const std::vector<ExactVec<3>>& points) {
  std::string text = "[";
  for (std::size_t i = 0; i < points.size(); ++i)
    text += (i == 0 ? "" : ",") + vector_text(points[i]);
  return text + "]";
}

}  // namespace

Mesh with_plain_faces(const Mesh& mesh) {
  Mesh result;
  const auto before = [](const ExactVec<3>& a, const ExactVec<3>& b) { return comes_before(a, b); };
  std::map<ExactVec<3>, int, decltype(before)> numbers(before);
  std::vector<Loop> loops;
  for (const Loop& face : mesh.faces) {
    Loop loop;
    for (const int i : face) {
      const ExactVec<3>& vertex = mesh.vertices[at(i)];
      const auto [entry, added] =
          numbers.try_emplace(vertex, static_cast<int>(result.vertices.size()));
      if (added) result.vertices.push_back(vertex);
      if (loop.empty() || loop.back() != entry->second) loop.push_back(entry->second);
    }
    while (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
    if (loop.size() >= 3) loops.push_back(std::move(loop));
  }
  const std::vector<Vec<3>> points = rounded_points(result);
  for (Loop& loop : loops) {
    if (is_flat(result.vertices, loop)) {
      result.faces.push_back(std::move(loop));
    } else {
      cut_into_triangles(result, points, std::move(loop), result.faces);
    }
  }
  return result;
}

double add_solid(ObjectText& body, const Mesh& mesh, const std::string& what,
                 const std::string& place, std::vector<std::string>& remarks) {
  refuse_open_surface(mesh, what, place);
  const std::vector<Vec<3>> points = rounded_points(mesh);
  std::vector<Loop> faces = mesh.faces;
  double volume = signed_volume(points, faces);
  if (volume < 0.0) {
    remarks.push_back(what + " was inside out: its faces are turned round");
    for (Loop& loop : faces) std::reverse(loop.begin(), loop.end());
    volume = -volume;
  }
  const double size = size_of(points);
  if (!(volume > 1e-12 * size * size * size)) {
    throw Error(place, what + " without volume", "the closed surface of a solid");
  }
  if (is_convex(points, faces)) {
    add_hull(body, mesh.vertices);
    return volume;
  }
  std::string text = "{\"vertices\":" + points_text(mesh.vertices) + ",\"faces\":[";
  for (std::size_t i = 0; i < faces.size(); ++i) text += (i == 0 ? "" : ",") + face_text(faces[i]);
  body.add("mesh", text + "]}");
  return volume;
}

void add_hull(ObjectText& body, const std::vector<ExactVec<3>>& points) {
  body.add("hull", points_text(points));
}

ExactVec<3> y_up_to_z_up(const ExactVec<3>& point) { return {point[0], -point[2], point[1]}; }

}  // namespace collapse::foreign
