#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "collapse/geometry/polyhedron.hpp"
#include "tests/unit/geometry/mesh_samples.hpp"

namespace collapse::testing {
namespace {

void expect_fault(const Mesh& mesh, const std::string& words) {
  const std::string fault = mesh_fault(mesh);
  EXPECT_NE(fault.find(words), std::string::npos) << fault;
  EXPECT_EQ(fault.find('\n'), std::string::npos);
}

Mesh together(const Mesh& a, const Mesh& b) {
  Mesh mesh = a;
  const int count = static_cast<int>(a.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (std::vector<int> face : b.faces) {
    for (int& vertex : face) vertex += count;
    mesh.faces.push_back(face);
  }
  return mesh;
}

Mesh moved_cube(const Rational& x, const Rational& y, const Rational& z, const Rational& size) {
  Mesh mesh = unit_cube();
  for (ExactVec<3>& vertex : mesh.vertices) vertex = vertex * size + point3(x, y, z);
  return mesh;
}

Mesh turned_inside_out(Mesh mesh) {
  for (std::vector<int>& face : mesh.faces) std::reverse(face.begin(), face.end());
  return mesh;
}

TEST(MeshFault, SolidsHaveNone) {
  EXPECT_EQ(mesh_fault(unit_cube()), "");
  EXPECT_EQ(mesh_fault(mesh_of_cubes({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}})), "");
  EXPECT_EQ(mesh_fault(ball_mesh(6, [](const Vec<3>&) { return 2.0; })), "");
  EXPECT_EQ(mesh_fault(prism({{0, 0}, {2, 0}, {2, 2}, {1, Rational(1) / 3}, {0, 2}}, 1)), "");
}

TEST(MeshFault, PartsApartOrTouchingAtAVertexAreFine) {
  EXPECT_EQ(mesh_fault(together(unit_cube(), moved_cube(3, 0, 0, 1))), "");
  EXPECT_EQ(mesh_fault(together(unit_cube(), moved_cube(1, 1, 1, 1))), "");
}

TEST(MeshFault, NamesWrongNumbers) {
  expect_fault({}, "no faces");
  Mesh mesh = unit_cube();
  mesh.faces[2] = {0, 1};
  expect_fault(mesh, "face 2 has only 2 vertices");
  mesh = unit_cube();
  mesh.faces[3][1] = 8;
  expect_fault(mesh, "face 3 has vertex 8, which does not exist");
  mesh.faces[3][1] = -1;
  expect_fault(mesh, "face 3 has vertex -1, which does not exist");
  mesh = unit_cube();
  mesh.faces[1][2] = mesh.faces[1][0];
  expect_fault(mesh, "face 1 has vertex " + std::to_string(mesh.faces[1][0]) + " twice");
}

TEST(MeshFault, NamesFacesThatAreNoPolygons) {
  Mesh mesh = unit_cube();
  mesh.vertices.push_back(point3(2, 0, 0));
  mesh.vertices.push_back(point3(4, 0, 0));
  mesh.vertices.push_back(point3(7, 0, 0));
  mesh.faces.push_back({8, 9, 10});
  expect_fault(mesh, "face 6 has no area");

  mesh = unit_cube();
  mesh.vertices[static_cast<std::size_t>(mesh.faces[0][0])][0] += Rational(1) / 100;
  expect_fault(mesh, "face 0 is not flat: vertex");
  expect_fault(mesh, "is off its plane by 0.00");

  mesh = prism({{0, 0}, {2, 2}, {2, 0}, {0, 1}}, 1);
  expect_fault(mesh, "is not a polygon: edges 0 and 2 cross");
}

TEST(MeshFault, NamesOpenEdges) {
  Mesh mesh = unit_cube();
  mesh.faces.pop_back();
  expect_fault(mesh, "the surface is not closed: edge ");
  expect_fault(mesh, "(and 3 more such edges)");
}

TEST(MeshFault, NamesEdgesWithMoreThanTwoFaces) {
  expect_fault(mesh_of_cubes({{0, 0, 0}, {1, 1, 0}}), "has 4 faces, among them faces ");
}

TEST(MeshFault, NamesFacesThatDisagree) {
  Mesh mesh = unit_cube();
  std::reverse(mesh.faces[4].begin(), mesh.faces[4].end());
  expect_fault(mesh, "and 4 disagree about the outside: both run along edge ");
}

TEST(MeshFault, TellsOfAnEmptyInside) {
  Mesh mesh;
  mesh.vertices = {point3(0, 0, 0), point3(1, 0, 0), point3(0, 1, 0)};
  mesh.faces = {{0, 1, 2}, {0, 2, 1}};
  expect_fault(mesh, "no volume");
}

TEST(MeshFault, TellsOfInsideOut) {
  expect_fault(turned_inside_out(unit_cube()), "the surface is inside out");
  expect_fault(together(unit_cube(), turned_inside_out(moved_cube(3, 0, 0, Rational(1) / 2))),
               "the part with face 6 is inside out");
}

TEST(MeshFault, ACavityRunsTheOtherWay) {
  const Mesh outer = moved_cube(0, 0, 0, 4);
  const Mesh inner = moved_cube(1, 1, 1, 1);
  EXPECT_EQ(mesh_fault(together(outer, turned_inside_out(inner))), "");
  expect_fault(together(outer, inner), "the part with face 6 lies inside another one");
}

TEST(MeshFault, NamesFacesThatCross) {
  const Rational half = Rational(1) / 2;
  expect_fault(together(unit_cube(), moved_cube(half, half, half, 1)), " cross");
  // A corner that pierces a face.
  expect_fault(together(moved_cube(0, 0, 0, 4), moved_cube(3, 1, 1, 2)), " cross");
  // Two that touch along a part of a face.
  expect_fault(together(unit_cube(), moved_cube(1, half, half, 1)),
               "overlap or touch in one plane");
}

/// A needle that comes near a face by next to nothing: no rounding may decide.
TEST(MeshFault, TouchIsDecidedExactly) {
  const Rational tiny = Rational(1) / Rational(Integer(1) << 200);
  Mesh needle;
  needle.vertices = {point3(Rational(1) / 3, Rational(2) / 7, 1), point3(0, 0, 3), point3(1, 0, 3),
                     point3(0, 1, 3)};
  needle.faces = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  ASSERT_EQ(mesh_fault(needle), "");
  expect_fault(together(unit_cube(), needle), " cross or touch");
  needle.vertices[0][2] += tiny;
  EXPECT_EQ(mesh_fault(together(unit_cube(), needle)), "");
  needle.vertices[0][2] -= 2 * tiny;
  expect_fault(together(unit_cube(), needle), " cross or touch");
}

TEST(Tidied, JoinsDropsAndTriangulates) {
  // A cube as a soup of squares, each with vertices of its own, a spare vertex, a doubled corner, a face of two corners.
  const Mesh cube = unit_cube();
  Mesh soup;
  soup.vertices.push_back(point3(9, 9, 9));
  for (const std::vector<int>& face : cube.faces) {
    std::vector<int> own;
    for (const int vertex : face) {
      own.push_back(static_cast<int>(soup.vertices.size()));
      soup.vertices.push_back(cube.vertices[static_cast<std::size_t>(vertex)]);
    }
    soup.faces.push_back(own);
  }
  soup.faces[2].push_back(soup.faces[2].back());
  soup.faces.push_back({1, 2, 1});
  const Mesh mesh = tidied(soup);
  EXPECT_EQ(mesh.vertices.size(), 8U);
  EXPECT_EQ(mesh.faces.size(), 6U);
  EXPECT_EQ(mesh_fault(mesh), "");

  Mesh rounded = cube;
  rounded.vertices[0][0] += Rational(1) / 100'000'000;
  EXPECT_NE(mesh_fault(rounded), "");
  const Mesh cut = tidied(rounded);
  EXPECT_EQ(mesh_fault(cut), "");
  EXPECT_GT(cut.faces.size(), 6U);
  // Beyond rounding it is a fault that stays.
  rounded.vertices[0][0] += Rational(1) / 1000;
  EXPECT_NE(mesh_fault(tidied(rounded)).find("is not flat"), std::string::npos);
}

}  // namespace
}  // namespace collapse::testing
