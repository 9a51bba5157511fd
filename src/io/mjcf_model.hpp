#pragma once
/// A model of MuJoCo as far as a scene can have it.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/mjcf_element.hpp"

namespace collapse::foreign {

struct MjcfGeom {
  std::string name;
  std::string place;
  MjcfPose pose;      ///< in its body
  std::string shape;  ///< key in a scene: box, sphere, …; empty for a plane
  std::string value;  ///< what stands there, as JSON
  double volume = 0.0;
  Rational friction{1};
  Rational density{1000};
  std::optional<Rational> mass;
  int priority = 0;
  bool frictionless = false;   ///< condim 1
  std::uint32_t type = 1;      ///< contype
  std::uint32_t affinity = 1;  ///< conaffinity
};

struct MjcfBody {
  std::string name;
  std::string place;
  bool fixed = false;
  MjcfPose world;
  std::vector<MjcfGeom> geoms;
};

inline constexpr int kMjcfWorld = -1;

struct MjcfJoint {
  std::string type;  ///< ball or hinge
  int body = 0;
  int parent = kMjcfWorld;
  ExactVec<3> at;
  ExactVec<3> axis;
};

struct MjcfModel {
  std::string name;
  ExactVec<3> gravity = ExactVec<3>(0, 0, Rational(-981) / 100);
  std::optional<Rational> step;
  std::vector<MjcfBody> bodies;
  std::vector<MjcfJoint> joints;
  std::vector<std::pair<int, int>> excluded;  ///< bodies that do not touch
  std::vector<std::string> remarks;
};

/// Throws Error with line, element and name for everything that has no counterpart. `read_file` gives the bytes of
/// a mesh file by its path in the model.
[[nodiscard]] MjcfModel read_mjcf(std::string_view text,
                                  const std::function<std::string(const std::string&)>& read_file);

}  // namespace collapse::foreign
