#pragma once
/// The numbers of a glTF file: few views into one buffer, many accessors into these.

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/mesh.hpp"

namespace collapse::gltf {

using Json = nlohmann::ordered_json;

/// What a view holds.
enum class Use : std::uint8_t { vertices, indices, times, translations, rotations };

class Buffer {
 public:
  /// Each returns the number of its accessor. Meshes and times that are there already are not
  /// stored again.
  [[nodiscard]] int points(const std::vector<Point3>& points);
  [[nodiscard]] int indices(const std::vector<std::uint32_t>& indices);
  [[nodiscard]] int times(const std::vector<float>& times);
  [[nodiscard]] int translations(const std::vector<Point3>& values);
  /// As quaternions x, y, z, w.
  [[nodiscard]] int rotations(const std::vector<std::array<float, 4>>& values);

  /// `accessors`, `bufferViews` and `buffers`; then the bytes, of a length that is a multiple of 4.
  void finish(Json& document, std::string& bytes) const;

 private:
  int add(Use use, const std::string& bytes, Json accessor);

  static constexpr std::size_t kUses = 5;
  std::array<std::string, kUses> views_;
  Json accessors_ = Json::array();
  std::vector<Use> use_of_;
  std::map<std::string, int> known_;  ///< by use and bytes
};

/// Header, JSON and bytes as one binary file.
[[nodiscard]] std::string binary_file(const Json& document, const std::string& bytes);

}  // namespace collapse::gltf
