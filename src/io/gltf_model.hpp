#pragma once
/// The tree of a glTF file: nodes with meshes, materials and one animation. Knows nothing of scenes.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/gltf_buffer.hpp"
#include "io/palette.hpp"

namespace collapse::gltf {

struct PlaceKey {
  double time = 0.0;
  Vec<2> place;
};
struct AngleKey {
  double time = 0.0;
  double angle = 0.0;
};

class Model {
 public:
  /// Everything is told as if it was there, and the whole is moved: coordinates near zero are more precise.
  void set_origin(const Vec<2>& origin) { origin_ = origin; }

  /// Of one colour with dark outlines and, where there is one, a dark mark. Equal ones are stored once.
  [[nodiscard]] int mesh(const Triangles& mesh, const Colour& colour,
                         const std::optional<Triangles>& mark);

  /// `scale` is along x, and along y and z.
  [[nodiscard]] int node(const std::string& name, int mesh, const Vec<2>& place, double z,
                         double angle, const Vec<2>& scale);
  void animate_place(int node, const std::vector<PlaceKey>& keys);
  /// Steps must be shorter than half a turn.
  void animate_angle(int node, const std::vector<AngleKey>& keys);

  /// The whole file.
  [[nodiscard]] std::string finish(const std::string& name);

 private:
  [[nodiscard]] int material(const Colour& colour, double roughness);
  [[nodiscard]] Json triangles(const Triangles& mesh, int material);
  void animate(int node, const char* path, int input, int output);
  [[nodiscard]] Point3 moved(const Vec<2>& place, double z) const;

  Vec<2> origin_ = Vec<2>::Zero();
  Buffer buffer_;
  Json materials_ = Json::array();
  Json meshes_ = Json::array();
  Json nodes_ = Json::array();
  Json samplers_ = Json::array();
  Json channels_ = Json::array();
  std::vector<double> z_of_;  ///< by node
  std::map<std::string, int> known_materials_;
  std::map<std::string, int> known_meshes_;
};

}  // namespace collapse::gltf
