#pragma once
/// Exact numbers in JSON, and back.

#include <nlohmann/json.hpp>

#include "collapse/geometry/dim.hpp"

namespace collapse::scenes {

using Json = nlohmann::ordered_json;

/// A whole number that every reader of JSON keeps exact as it is, all others as the string of a
/// fraction.
[[nodiscard]] Json number(const Rational& value);

template <int Dim>
[[nodiscard]] Json vector_json(const ExactVec<Dim>& vector) {
  Json list = Json::array();
  for (const Rational& component : vector) list.push_back(number(component));
  return list;
}

template <int Dim>
[[nodiscard]] Json points_json(const std::vector<ExactVec<Dim>>& points) {
  Json list = Json::array();
  for (const ExactVec<Dim>& point : points) list.push_back(vector_json<Dim>(point));
  return list;
}

}  // namespace collapse::scenes
