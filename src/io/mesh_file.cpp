#include "collapse/io/mesh_file.hpp"

#include <filesystem>
#include <fstream>

#include "collapse/core/error.hpp"
#include "io/mesh_text.hpp"

namespace collapse {

namespace {

std::string bytes_of_file(const std::string& path) {
  std::error_code fault;
  const std::filesystem::file_status status = std::filesystem::status(path, fault);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw Error("", "no such file", "a mesh file");
  }
  if (status.type() == std::filesystem::file_type::directory) {
    throw Error("", "a directory", "a mesh file");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string bytes;
  std::string block(std::size_t{1} << 16U, '\0');
  while (stream && bytes.size() <= kMaxMeshBytes) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    bytes.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.is_open() || stream.bad()) {
    throw Error("", "a file that cannot be read", "a readable mesh file");
  }
  if (bytes.size() > kMaxMeshBytes) {
    throw Error("", "more than " + std::to_string(kMaxMeshBytes) + " bytes", "a smaller mesh file");
  }
  return bytes;
}

Mesh parse_mesh(MeshFormat format, std::string_view bytes) {
  switch (format) {
    case MeshFormat::obj:
      return read_obj(bytes);
    case MeshFormat::stl:
      return read_stl(bytes);
    default:
      return read_ply(bytes);
  }
}

}  // namespace

MeshFormat mesh_format(const std::string& path, std::string_view bytes) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (mesh_text::is_word(ending, ".obj")) return MeshFormat::obj;
  if (mesh_text::is_word(ending, ".stl")) return MeshFormat::stl;
  if (mesh_text::is_word(ending, ".ply")) return MeshFormat::ply;
  mesh_text::Lines lines(bytes);
  while (!lines.at_end()) {
    std::string_view line = lines.next();
    const std::string_view word = mesh_text::take_word(line);
    if (word.empty() || word.starts_with('#')) continue;
    if (word == "ply") return MeshFormat::ply;
    if (mesh_text::is_word(word, "solid")) return MeshFormat::stl;
    for (const std::string_view statement : {"v", "o", "g", "mtllib"}) {
      if (word == statement) return MeshFormat::obj;
    }
    break;
  }
  throw Error("", ending.empty() ? "no ending" : "ending \"" + printable(ending) + "\"",
              "a mesh file: .obj, .stl or .ply");
}

std::string read_mesh_bytes(const std::string& path) {
  try {
    return bytes_of_file(path);
  } catch (const Error& error) {
    throw error.in_file(path);
  }
}

Mesh read_mesh_file(const std::string& path) {
  const std::string bytes = read_mesh_bytes(path);
  try {
    return tidied(parse_mesh(mesh_format(path, bytes), bytes));
  } catch (const Error& error) {
    throw error.in_file(path);
  }
}

}  // namespace collapse
