#pragma once
/// Surfaces from OBJ, STL and PLY files. Coordinates are exactly as written (`0.1` is one tenth), those of binary files
/// exactly the numbers stored. Whatever the bytes: a mesh or an Error.
///
/// A mesh that was read is not yet the boundary of a solid: `mesh_fault` says.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "collapse/geometry/polyhedron.hpp"

namespace collapse {

/// Limits of a mesh file: they keep hostile input from filling memory.
inline constexpr std::size_t kMaxMeshBytes = std::size_t{256} << 20;
inline constexpr std::size_t kMaxMeshVertices = 1'000'000;
inline constexpr std::size_t kMaxMeshFaces = 2'000'000;
inline constexpr std::size_t kMaxFaceCorners = 10'000;

struct NamedMesh {
  std::string name;
  Mesh mesh;
};

/// Each object (`o`) of an OBJ file with the vertices it uses, in the order they first appear; in a file without
/// objects each group (`g`). Faces before the first name have an empty one. Those without faces are left out.
[[nodiscard]] std::vector<NamedMesh> read_obj_objects(std::string_view text);
/// All faces of an OBJ file, with all its vertices. Lines, points, textures, normals and materials are skipped.
[[nodiscard]] Mesh read_obj(std::string_view text);
/// ASCII or binary. Vertices at the same coordinates are one; several solids are one mesh.
[[nodiscard]] Mesh read_stl(std::string_view bytes);
/// ASCII or binary of either byte order. Elements other than vertices and faces are skipped.
[[nodiscard]] Mesh read_ply(std::string_view bytes);

enum class MeshFormat { obj, stl, ply };
/// By the ending of the file's name, or by what the file begins with if that tells nothing. Throws Error if neither does.
[[nodiscard]] MeshFormat mesh_format(const std::string& path, std::string_view bytes);

/// The bytes of a mesh file. Throws Error with the file's name.
[[nodiscard]] std::string read_mesh_bytes(const std::string& path);
/// Reads a file of any of these formats and tidies the mesh (`tidied`). Throws Error with the file's name.
[[nodiscard]] Mesh read_mesh_file(const std::string& path);

}  // namespace collapse
