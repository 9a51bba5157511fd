#pragma once
/// A .glb file, read back byte by byte as the specification of glTF 2.0 has it.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace collapse::testing {

using Document = nlohmann::json;

class GlbFile {
 public:
  explicit GlbFile(const std::string& bytes) : bytes_(bytes) {
    EXPECT_EQ(word(0), 0x46546C67U);
    EXPECT_EQ(word(4), 2U);
    EXPECT_EQ(word(8), bytes.size());
    const std::uint32_t text = word(12);
    EXPECT_EQ(word(16), 0x4E4F534AU);
    EXPECT_EQ(text % 4, 0U);
    document = Document::parse(bytes.substr(20, text));
    EXPECT_EQ(word(20 + text), bytes.size() - 28 - text);
    EXPECT_EQ(word(24 + text), 0x004E4942U);
    binary_ = 28 + text;
    EXPECT_EQ(document["buffers"][0]["byteLength"], bytes.size() - binary_);
  }

  /// Rows of an accessor of floats.
  [[nodiscard]] std::vector<std::vector<double>> floats(int accessor) const {
    const Document& a = document["accessors"][static_cast<std::size_t>(accessor)];
    const Document& view = document["bufferViews"][a["bufferView"].get<std::size_t>()];
    EXPECT_EQ(a["componentType"], 5126);
    const std::string type = a["type"];
    const std::size_t size = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4;
    const std::size_t begin =
        binary_ + view["byteOffset"].get<std::size_t>() + a.value("byteOffset", std::size_t{0});
    std::vector<std::vector<double>> rows(a["count"].get<std::size_t>());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = 0; k < size; ++k) {
        rows[i].push_back(std::bit_cast<float>(word(begin + 4 * (i * size + k))));
      }
    }
    return rows;
  }

  [[nodiscard]] int node(const std::string& name) const {
    for (std::size_t i = 0; i < document["nodes"].size(); ++i) {
      if (document["nodes"][i]["name"] == name) return static_cast<int>(i);
    }
    ADD_FAILURE() << "no node " << name;
    return 0;
  }
  [[nodiscard]] Document node_at(const std::string& name) const {
    return document["nodes"][static_cast<std::size_t>(node(name))];
  }

  /// What a player shows: the sampler's value at a time, linear (places) or by slerp (rotations).
  [[nodiscard]] std::vector<double> at(const std::string& name, const std::string& path,
                                       double time) const {
    const Document* sampler = find_sampler(name, path);
    if (sampler == nullptr) {
      const std::vector<double> rest =
          path == "rotation" ? std::vector<double>{0, 0, 0, 1} : std::vector<double>{0, 0, 0};
      return node_at(name).value(path, rest);
    }
    EXPECT_EQ((*sampler)["interpolation"], "LINEAR");
    const auto times = floats((*sampler)["input"]);
    const auto values = floats((*sampler)["output"]);
    EXPECT_EQ(times.size(), values.size());
    std::size_t i = 1;
    while (i + 1 < times.size() && times[i][0] < time) ++i;
    const double share =
        std::clamp((time - times[i - 1][0]) / (times[i][0] - times[i - 1][0]), 0.0, 1.0);
    std::vector<double> result;
    if (path == "translation") {
      for (std::size_t k = 0; k < 3; ++k) {
        result.push_back(values[i - 1][k] + share * (values[i][k] - values[i - 1][k]));
      }
      return result;
    }
    const Eigen::Quaterniond a(values[i - 1][3], values[i - 1][0], values[i - 1][1],
                               values[i - 1][2]);
    const Eigen::Quaterniond b(values[i][3], values[i][0], values[i][1], values[i][2]);
    const Eigen::Quaterniond q = a.slerp(share, b);
    return {q.x(), q.y(), q.z(), q.w()};
  }

  [[nodiscard]] const Document* find_sampler(const std::string& name,
                                             const std::string& path) const {
    if (!document.contains("animations")) return nullptr;
    const Document& animation = document["animations"][0];
    const int wanted = node(name);
    for (const Document& channel : animation["channels"]) {
      if (channel["target"]["node"] == wanted && channel["target"]["path"] == path) {
        return &animation["samplers"][channel["sampler"].get<std::size_t>()];
      }
    }
    return nullptr;
  }

  Document document;

 private:
  [[nodiscard]] std::uint32_t word(std::size_t at) const {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) {
      value = (value << 8U) | static_cast<unsigned char>(bytes_.at(at + i));
    }
    return value;
  }

  std::string bytes_;
  std::size_t binary_ = 0;
};

}  // namespace collapse::testing
