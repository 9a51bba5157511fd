#include "io/gltf_buffer.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "collapse/core/error.hpp"

namespace collapse::gltf {
namespace {

constexpr int kUnsignedShort = 5123;
constexpr int kUnsignedInt = 5125;
constexpr int kFloat = 5126;

/// Little-endian, as the file wants them whatever the machine.
class Numbers {
 public:
  void add(float value) { add(std::bit_cast<std::uint32_t>(value)); }
  void add(std::uint32_t value) { append(value, 4); }
  void add(std::uint16_t value) { append(value, 2); }
  [[nodiscard]] std::string take() {
    while (bytes_.size() % 4 != 0) bytes_ += '\0';
    return std::move(bytes_);
  }

 private:
  void append(std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_ += static_cast<char>((value >> (8 * i)) & 0xFFU);
  }
  std::string bytes_;
};

std::string vector_bytes(const std::vector<Point3>& values) {
  Numbers numbers;
  for (const Point3& value : values) {
    for (const float x : value) numbers.add(x);
  }
  return numbers.take();
}

std::string padded(std::string text, char filler) {
  while (text.size() % 4 != 0) text += filler;
  return text;
}

}  // namespace

int Buffer::add(Use use, const std::string& bytes, Json accessor) {
  std::string key = std::to_string(static_cast<int>(use)) + accessor["type"].get<std::string>();
  if (accessor.contains("min")) key += 'm';
  key += bytes;
  const int number = static_cast<int>(use_of_.size());
  // Paths are all different.
  if (use != Use::translations && use != Use::rotations) {
    const auto [found, added] = known_.try_emplace(std::move(key), number);
    if (!added) return found->second;
  }
  std::string& view = views_[static_cast<std::size_t>(use)];
  if (!view.empty()) accessor["byteOffset"] = view.size();
  view += bytes;
  accessors_.push_back(std::move(accessor));
  use_of_.push_back(use);
  return number;
}

int Buffer::points(const std::vector<Point3>& points) {
  Point3 low = points.front();
  Point3 high = points.front();
  for (const Point3& point : points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  return add(Use::vertices, vector_bytes(points),
             {{"componentType", kFloat},
              {"count", points.size()},
              {"type", "VEC3"},
              {"min", {low.x(), low.y(), low.z()}},
              {"max", {high.x(), high.y(), high.z()}}});
}

int Buffer::indices(const std::vector<std::uint32_t>& indices) {
  // The largest number of either size is not an index.
  const bool small = *std::ranges::max_element(indices) < std::numeric_limits<std::uint16_t>::max();
  Numbers numbers;
  for (const std::uint32_t index : indices) {
    if (small) {
      numbers.add(static_cast<std::uint16_t>(index));
    } else {
      numbers.add(index);
    }
  }
  return add(Use::indices, numbers.take(),
             {{"componentType", small ? kUnsignedShort : kUnsignedInt},
              {"count", indices.size()},
              {"type", "SCALAR"}});
}

int Buffer::times(const std::vector<float>& times) {
  Numbers numbers;
  for (const float time : times) numbers.add(time);
  return add(Use::times, numbers.take(),
             {{"componentType", kFloat},
              {"count", times.size()},
              {"type", "SCALAR"},
              {"min", {times.front()}},
              {"max", {times.back()}}});
}

int Buffer::translations(const std::vector<Point3>& values) {
  return add(Use::translations, vector_bytes(values),
             {{"componentType", kFloat}, {"count", values.size()}, {"type", "VEC3"}});
}

int Buffer::rotations(const std::vector<std::array<float, 4>>& values) {
  Numbers numbers;
  for (const std::array<float, 4>& value : values) {
    for (const float x : value) numbers.add(x);
  }
  return add(Use::rotations, numbers.take(),
             {{"componentType", kFloat}, {"count", values.size()}, {"type", "VEC4"}});
}

void Buffer::finish(Json& document, std::string& bytes) const {
  constexpr int kVertexTarget = 34962;
  constexpr int kIndexTarget = 34963;
  constexpr int kVertexStride = 12;
  std::array<int, kUses> view_of{};
  Json views = Json::array();
  for (std::size_t use = 0; use < kUses; ++use) {
    if (views_[use].empty()) continue;
    view_of[use] = static_cast<int>(views.size());
    Json view = {{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", views_[use].size()}};
    if (use == static_cast<std::size_t>(Use::vertices)) {
      view["byteStride"] = kVertexStride;
      view["target"] = kVertexTarget;
    } else if (use == static_cast<std::size_t>(Use::indices)) {
      view["target"] = kIndexTarget;
    }
    views.push_back(std::move(view));
    bytes += views_[use];
  }
  Json accessors = accessors_;
  for (std::size_t i = 0; i < use_of_.size(); ++i) {
    accessors[i]["bufferView"] = view_of[static_cast<std::size_t>(use_of_[i])];
  }
  document["accessors"] = std::move(accessors);
  document["bufferViews"] = std::move(views);
  document["buffers"] = {{{"byteLength", bytes.size()}}};
}

std::string binary_file(const Json& document, const std::string& bytes) {
  constexpr std::uint32_t kMagic = 0x46546C67;  // "glTF"
  constexpr std::uint32_t kJson = 0x4E4F534A;   // "JSON"
  constexpr std::uint32_t kBytes = 0x004E4942;  // "BIN"
  constexpr std::size_t kHeads = 12 + 8 + 8;
  // Names are whatever the user wrote.
  const std::string text =
      padded(document.dump(-1, ' ', false, Json::error_handler_t::replace), ' ');
  const std::size_t length = kHeads + text.size() + bytes.size();
  if (length > std::numeric_limits<std::uint32_t>::max()) {
    throw Error("", std::to_string(length) + " bytes",
                "at most 4 GiB, the most that a .glb file can hold; a lower --frame-rate helps");
  }
  const auto words = [](std::initializer_list<std::uint32_t> values) {
    Numbers numbers;
    for (const std::uint32_t value : values) numbers.add(value);
    return numbers.take();
  };
  std::string file;
  file.reserve(length);
  file += words({kMagic, 2, static_cast<std::uint32_t>(length),
                 static_cast<std::uint32_t>(text.size()), kJson});
  file += text;
  file += words({static_cast<std::uint32_t>(bytes.size()), kBytes});
  file += bytes;
  return file;
}

}  // namespace collapse::gltf
