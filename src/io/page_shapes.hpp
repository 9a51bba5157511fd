#pragma once
/// Shapes as the JSON of pages.

#include <nlohmann/json.hpp>

#include "collapse/model/scene.hpp"

namespace collapse {

using PageJson = nlohmann::ordered_json;

/// Numbers and vectors, one after the other.
template <class... Parts>
[[nodiscard]] PageJson row(const Parts&... parts) {
  PageJson numbers = PageJson::array();
  const auto add = [&](const auto& part) {
    if constexpr (requires { part.size(); }) {
      for (Eigen::Index i = 0; i < part.size(); ++i) numbers.push_back(part[i]);
    } else {
      numbers.push_back(part);
    }
  };
  (add(parts), ...);
  return numbers;
}

/// Relative to the centre of mass, as poses are.
[[nodiscard]] PageJson shape_json(const Body<2>& body);
[[nodiscard]] PageJson shape_json(const Body<3>& body);

}  // namespace collapse
