#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "collapse/core/error.hpp"
#include "collapse/core/random.hpp"
#include "collapse/io/mesh_file.hpp"
#include "tests/support/mutation.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

namespace collapse::testing {
namespace {

const std::string kTetrahedronObj =
    "# a tetrahedron\r\nmtllib x.mtl\r\no first\r\nv 0 0 0\r\nv 0.1 0 0 1.0\r\nv +0 1e-1 -0.\r\nv "
    "0 0 .25\r\n"
    "vt 0 0\r\nvn 0 0 1\r\nf 1 3 2\r\nf 1/1/1 2/1/1 4/1/1\r\nf 2//1 3//1 \\\r\n4//1\r\nf -3 -4 "
    "-1\r\n";

Mesh tetrahedron() {
  Mesh mesh;
  mesh.vertices.resize(4, ExactVec<3>(Rational(0), Rational(0), Rational(0)));
  mesh.vertices[1][0] = Rational(1) / 10;
  mesh.vertices[2][1] = Rational(1) / 10;
  mesh.vertices[3][2] = Rational(1) / 4;
  mesh.faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {1, 0, 3}};
  return mesh;
}

template <class Number>
void append(std::string& bytes, Number number, std::endian order) {
  const auto* begin = reinterpret_cast<const char*>(&number);
  std::string own(begin, sizeof number);
  if (order != std::endian::native) own.assign(own.rbegin(), own.rend());
  bytes += own;
}

std::string binary_stl(const std::vector<std::vector<float>>& triangles) {
  std::string bytes = "solid but binary";
  bytes.resize(80, ' ');
  append(bytes, static_cast<std::uint32_t>(triangles.size()), std::endian::little);
  for (const std::vector<float>& triangle : triangles) {
    for (int i = 0; i < 3; ++i) append(bytes, 0.0F, std::endian::little);
    for (const float x : triangle) append(bytes, x, std::endian::little);
    append(bytes, std::uint16_t{0}, std::endian::little);
  }
  return bytes;
}

std::string binary_ply(std::endian order) {
  std::string bytes = "ply\nformat binary_";
  bytes += order == std::endian::big ? "big" : "little";
  bytes +=
      "_endian 1.0\ncomment made here\nelement vertex 4\nproperty float x\nproperty double "
      "y\nproperty short z\n"
      "property uchar red\nelement face 2\nproperty list uchar float quality\nproperty list uchar "
      "uint vertex_indices\n"
      "element edge 1\nproperty int a\nend_header\n";
  for (int i = 0; i < 4; ++i) {
    append(bytes, i == 1 ? 0.1F : 0.0F, order);
    append(bytes, i == 2 ? 0.1 : 0.0, order);
    append(bytes, static_cast<std::int16_t>(i == 3 ? -7 : 0), order);
    append(bytes, std::uint8_t{255}, order);
  }
  for (std::uint32_t f = 0; f < 2; ++f) {
    append(bytes, std::uint8_t{1}, order);
    append(bytes, 1.5F, order);
    append(bytes, std::uint8_t{3}, order);
    for (std::uint32_t i = 0; i < 3; ++i) append(bytes, f + i, order);
  }
  append(bytes, std::int32_t{5}, order);
  return bytes;
}

const std::string kSquarePly =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
    "z\n"
    "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n1 0.1 0\n0 1 "
    "0\n4 0 1 2 3\n";

const std::string kFacetStl =
    "solid a b\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 0.1 0 0\n   vertex 0 "
    "1e-1 0\n"
    "  endloop\n endfacet\n FACET NORMAL 0 0 1\n  OUTER LOOP\n   VERTEX 0.10 0 0\n   VERTEX 1 1 "
    "0\n   VERTEX 0 .1 0\n"
    "  ENDLOOP\n ENDFACET\nendsolid a b\n";

TEST(MeshFile, ReadsObjExactly) {
  const Mesh mesh = read_obj(kTetrahedronObj);
  EXPECT_EQ(mesh.vertices, tetrahedron().vertices);
  EXPECT_EQ(mesh.faces, tetrahedron().faces);
}

TEST(MeshFile, ReadsObjectsOfObj) {
  const std::string text =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\ng side\no two words\nv 5 5 5\nf 4 2 1\no empty\no two "
      "words\nf 4 1 3\n";
  const std::vector<NamedMesh> parts = read_obj_objects(text);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].name, "");
  EXPECT_EQ(parts[0].mesh.vertices.size(), 3U);
  EXPECT_EQ(parts[1].name, "two words");
  EXPECT_EQ(parts[1].mesh.vertices.size(), 4U);
  EXPECT_EQ(parts[1].mesh.faces, (std::vector<std::vector<int>>{{3, 1, 0}, {3, 0, 2}}));
  const std::vector<NamedMesh> groups =
      read_obj_objects("v 0 0 0\nv 1 0 0\nv 0 1 0\ng a\nf 1 2 3\ng b\nf 3 2 1\ng a\nf 2 3 1\n");
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].name, "a");
  EXPECT_EQ(groups[0].mesh.faces.size(), 2U);
}

TEST(MeshFile, ReadsStlAndJoinsVertices) {
  const Mesh mesh = read_stl(kFacetStl);
  EXPECT_EQ(mesh.vertices.size(), 4U);
  EXPECT_EQ(mesh.faces, (std::vector<std::vector<int>>{{0, 1, 2}, {1, 3, 2}}));
  EXPECT_EQ(mesh.vertices[1][0], Rational(1) / 10);
  const Mesh binary =
      read_stl(binary_stl({{0, 0, 0, 0.1F, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 1, 0, 0, 0, 2}}));
  EXPECT_EQ(binary.vertices.size(), 4U);
  EXPECT_EQ(binary.faces, (std::vector<std::vector<int>>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(binary.vertices[1][0], Rational(static_cast<double>(0.1F)));
}

TEST(MeshFile, ReadsPlyOfAllKinds) {
  const Mesh square = read_ply(kSquarePly);
  EXPECT_EQ(square.vertices[2][1], Rational(1) / 10);
  EXPECT_EQ(square.faces, (std::vector<std::vector<int>>{{0, 1, 2, 3}}));
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const Mesh mesh = read_ply(binary_ply(order));
    ASSERT_EQ(mesh.vertices.size(), 4U);
    EXPECT_EQ(mesh.vertices[1][0], Rational(static_cast<double>(0.1F)));
    EXPECT_EQ(mesh.vertices[2][1], Rational(0.1));
    EXPECT_EQ(mesh.vertices[3][2], -7);
    EXPECT_EQ(mesh.faces, (std::vector<std::vector<int>>{{0, 1, 2}, {1, 2, 3}}));
  }
}

TEST(MeshFile, RefusesBadObj) {
  for (const Refusal& refusal : std::vector<Refusal>{
           {"", "", "no vertex", "an OBJ file"},
           {"v 1 2 3\n", "", "no face", "lines `f I J K`"},
           {"v 1 2\n", "line 1", "the end of the line", "three coordinates"},
           {"v 1 2 nan\n", "line 1", "\"nan\"", "three coordinates"},
           {"v 1 2 1/2\n", "line 1", "\"1/2\"", "three coordinates"},
           {"v 1 2 1e999\n", "line 1", "\"1e999\"", "three coordinates"},
           {"v 1 2 3\n\n\nf 1 1\n", "line 4", "a face with 2 vertices", "three vertices"},
           {"v 1 2 3\nf 1 2 3\n", "line 2", "vertex 3", "one of the 1 vertices"},
           {"v 1 2 3\nf 1 0 1\n", "line 2", "\"0\"", "the number of a vertex"},
           {"v 1 2 3\nf 1 -2 1\n", "line 2", "vertex -2", "one of the 1 vertices"},
           {"v 1 2 3\nf 1 a 1\n", "line 2", "\"a\"", "the number of a vertex"},
           {"v 1 2 3\nf 1 99999999999 1\n", "line 2", "\"99999999999\"", "the number of a vertex"},
           {"curv 1 2\n", "line 1", "\"curv\"", "a statement of an OBJ file"}}) {
    expect_refused(refusal, read_obj);
  }
}

TEST(MeshFile, RefusesBadStl) {
  std::string cut = binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, 0}});
  cut[0] = 'x';
  cut.pop_back();
  const float infinite = std::numeric_limits<float>::infinity();
  for (const Refusal& refusal : std::vector<Refusal>{
           {"", "", "0 bytes", "an STL file"},
           {cut, "", "133 bytes", "134 for the 1 triangles"},
           {binary_stl({}), "", "no triangle", "with triangles"},
           {binary_stl({{0, 0, 0, 1, 0, 0, 0, infinite, 0}}), "face 0", "infinite",
            "finite numbers"},
           {"solid\nendsolid\n", "", "no triangle", "with triangles"},
           {"solid\nfacet\nouter loop\nvertex 1 2 x\n", "line 4", "\"x\"", "three coordinates"},
           {"solid\nfacet\nvertex 1 2 3\n", "line 3", "\"vertex\"", "\"outer\""},
           {"solid\nfacet\nouter loop\n", "line 3", "the end of the file", "\"vertex\""},
           {"solid\nhello\n", "line 2", "\"hello\"", "\"facet normal X Y Z\""},
           {"solid\n", "line 1", "the end of the file", "\"endsolid\""}}) {
    expect_refused(refusal, read_stl);
  }
}

TEST(MeshFile, RefusesBadPly) {
  const std::string header = "ply\nformat ascii 1.0\n";
  const std::string vertex =
      "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
  const std::string face = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::string points = "0 0 0 1 0 0 0 1 0\n";
  std::string cut = binary_ply(std::endian::big);
  cut.resize(cut.size() - 3);
  const std::string cut_in_face = cut.substr(0, cut.size() - 4);
  for (const Refusal& refusal : std::vector<Refusal>{
           {"", "line 1", "the end of the line", "\"ply\""},
           {"ply\n", "line 1", "the end of the file", "\"end_header\""},
           {"ply\nformat ascii 2.0\n", "line 2", "\"2.0\"", "version 1.0"},
           {"ply\nformat words 1.0\n", "line 2", "\"words\"", "ascii, binary"},
           {"ply\nend_header\n", "line 2", "\"end_header\"", "a line \"format"},
           {header + "element vertex -3\n", "line 3", "\"-3\"", "a name and a count"},
           {header + "element vertex 3\nproperty half x\n", "line 4", "\"half\"", "a type"},
           {header + "property float x\n", "line 3", "\"property\"", "property of an element"},
           {header + "element vertex 0\nproperty list float int x\n", "line 4", "fractional count",
            "integer"},
           {header + "element vertex 4000000000\nproperty float x\nproperty float y\nproperty "
                     "float z\nend_header\n",
            "element vertex", "fewer bytes", "4000000000 rows"},
           {header + "element vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n",
            "element vertex", "no property z", "x, y and z"},
           {header + vertex + "element face 1\nproperty int a\nend_header\n" + points + "3\n",
            "element face", "no list of vertices", "vertex_indices"},
           {header + vertex + face + points + "2 0 1\n", "line 11", "a face with 2 vertices",
            "three"},
           {header + vertex + face + points + "3 0 1 3\n", "face 0", "vertex 3", "one of the 3"},
           {header + vertex + face + points + "3 0 1 -1\n", "line 11", "vertex -1", "from 0 on"},
           {header + vertex + face + points + "3 0 1 1.5\n", "line 11", "vertex 3/2", "from 0 on"},
           {header + vertex + face + points + "3 0 1\n", "line 11", "the end of the file",
            "more numbers"},
           {header + vertex + face + points + "999999 0 1\n", "line 11", "999999 corners",
            "at most"},
           {header + vertex + "end_header\n" + points, "", "no face", "element \"face\""},
           {cut, "element edge", "fewer bytes", "1 rows"},
           {cut_in_face, "face 1", "the end of the file", "more bytes"}}) {
    expect_refused(refusal, read_ply);
  }
}

TEST(MeshFile, IsReadByEndingOrContentWithItsName) {
  const TemporaryFolder folder("meshes");
  EXPECT_EQ(read_mesh_file(folder.write("a.OBJ", kTetrahedronObj)).faces.size(), 4U);
  EXPECT_EQ(read_mesh_file(folder.write("b.mesh", kTetrahedronObj)).faces.size(), 4U);
  EXPECT_EQ(read_mesh_file(folder.write("c.stl", kFacetStl)).faces.size(), 2U);
  EXPECT_EQ(read_mesh_file(folder.write("d", kSquarePly)).faces.size(), 1U);
  for (const std::string& path : {folder.write("e.obj", "v 1\n"), folder.write("f.txt", "hello\n"),
                                  folder.file("none.obj"), folder.file(".")}) {
    try {
      static_cast<void>(read_mesh_file(path));
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.file(), path);
      EXPECT_FALSE(error.found().empty());
    }
  }
}

/// Whether it was a mesh. Whatever the bytes: a mesh whose numbers are those of its vertices, or an Error.
template <class Read>
bool survives_reading(const std::string& bytes, const Read& read) {
  try {
    const Mesh mesh = read(bytes);
    EXPECT_FALSE(mesh.faces.empty());
    for (const std::vector<int>& face : mesh.faces) {
      EXPECT_GE(face.size(), 3U);
      for (const int vertex : face) {
        EXPECT_GE(vertex, 0);
        EXPECT_LT(vertex, std::ssize(mesh.vertices));
      }
    }
    static_cast<void>(mesh_fault(tidied(mesh)));
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    EXPECT_FALSE(error.found().empty());
    EXPECT_FALSE(error.expected().empty());
    return false;
  }
}

template <class Read>
void expect_survival(const std::vector<std::string>& samples, const Read& read) {
  Random random(77);
  int meshes = 0;
  constexpr int kRounds = 4000;
  for (int i = 0; i < kRounds; ++i) {
    const auto any = [&]() -> const std::string& {
      return samples[static_cast<std::size_t>(random.below(static_cast<int>(samples.size())))];
    };
    const std::string& sample = any();
    if (survives_reading(mutated(sample, any(), random), read)) ++meshes;
  }
  EXPECT_GT(meshes, kRounds / 50);
  EXPECT_LT(meshes, kRounds);
}

TEST(MeshFile, MutatedObjIsReadOrRefused) { expect_survival({kTetrahedronObj}, read_obj); }

TEST(MeshFile, MutatedStlIsReadOrRefused) {
  expect_survival({kFacetStl, binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, 0}})}, read_stl);
}

TEST(MeshFile, MutatedPlyIsReadOrRefused) {
  expect_survival({kSquarePly, binary_ply(std::endian::big), binary_ply(std::endian::little)},
                  read_ply);
}

}  // namespace
}  // namespace collapse::testing
