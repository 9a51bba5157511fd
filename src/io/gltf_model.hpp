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
  Vec<3> place;
};
struct TurnKey {
  double time = 0.0;
  Eigen::Quaterniond turn;
};

/// About z.
[[nodiscard]] Eigen::Quaterniond turn_in_plane(double angle);

class Model {
 public:
  /// Everything is told as if it was there, and the whole is moved: coordinates near zero are more precise.
  void set_origin(const Vec<3>& origin) { origin_ = origin; }

  /// What is told has z upwards; in the file, as everywhere in glTF, y is.
  void raise_z() { z_is_up_ = true; }

  /// Of one colour with dark outlines and, where there is one, a dark mark. Equal ones are stored once.
  [[nodiscard]] int mesh(const Triangles& mesh, const Colour& colour,
                         const std::optional<Triangles>& mark);

  /// `scale` is along x, and along y and z.
  [[nodiscard]] int node(const std::string& name, int mesh, const Vec<2>& place, double z,
                         double angle, const Vec<2>& scale);
  [[nodiscard]] int node(const std::string& name, int mesh, const Vec<3>& place,
                         const Eigen::Quaterniond& turn, const Vec<3>& scale);
  void animate_place(int node, const std::vector<PlaceKey>& keys);
  /// Steps must be shorter than half a turn: viewers take the shorter way.
  void animate_turn(int node, const std::vector<TurnKey>& keys);

  /// The whole file.
  [[nodiscard]] std::string finish(const std::string& name);

 private:
  [[nodiscard]] int material(const Colour& colour, double roughness);
  [[nodiscard]] Json triangles(const Triangles& mesh, int material);
  void animate(int node, const char* path, int input, int output);
  [[nodiscard]] Point3 moved(const Vec<3>& place) const;

  Vec<3> origin_ = Vec<3>::Zero();
  bool z_is_up_ = false;
  Buffer buffer_;
  Json materials_ = Json::array();
  Json meshes_ = Json::array();
  Json nodes_ = Json::array();
  Json samplers_ = Json::array();
  Json channels_ = Json::array();
  std::map<std::string, int> known_materials_;
  std::map<std::string, int> known_meshes_;
};

}  // namespace collapse::gltf
