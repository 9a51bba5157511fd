#pragma once
/// Other people's structures as scenes in space, and contact forces for the files they came from (docs/import.md).

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collapse/formulation/verdict.hpp"

namespace collapse {

enum class ForeignFormat {
  compas,  ///< assembly of COMPAS, JSON
  obj,     ///< Wavefront OBJ with one object for each block
  mjcf     ///< model of MuJoCo, XML
};

/// By the file's ending, else by how the text begins; nothing if neither tells.
[[nodiscard]] std::optional<ForeignFormat> guess_format(std::string_view file,
                                                        std::string_view text);

/// What the file does not say. Formats that say it refuse the option.
struct ConvertOptions {
  std::optional<Rational> friction;  ///< of all blocks; default 0.84, the one of compas_cra
  std::optional<Rational> density;   ///< of all blocks; default what the file says, else 1
  /// Downwards; default 1 for COMPAS, whose weights are density times volume, 9.81 for OBJ.
  std::optional<Rational> gravity;
  std::vector<std::string> supports;  ///< fixed blocks: names or keys, in OBJ also numbers from 0
  bool ground = false;                ///< adds the half space below the lowest point
  bool y_up = false;                  ///< y of the file is up: turned so that z is
  /// The bytes of a file that the text names, by its path as written; throws Error.
  std::function<std::string(const std::string&)> read_file;
};

struct Converted {
  std::string scene;                 ///< text of the scene file
  std::vector<std::string> remarks;  ///< what was left out or changed, a line each
};

/// Each throws Error, with the place in the file, where something has no counterpart in a scene.
[[nodiscard]] Converted convert_compas(std::string_view text, const ConvertOptions& options = {});
[[nodiscard]] Converted convert_obj(std::string_view text, const ConvertOptions& options = {});
[[nodiscard]] Converted convert_mjcf(std::string_view text, const ConvertOptions& options = {});
[[nodiscard]] Converted convert(ForeignFormat format, std::string_view text,
                                const ConvertOptions& options = {});

/// The force at one point between two blocks of an assembly, which are named by their keys.
struct InterfaceForce {
  std::string a;
  std::string b;
  int region = 0;  ///< points of a pair with the same number are corners of one interface
  Vec<3> point;
  Vec<3> normal;  ///< unit, from a to b
  Vec<3> force;   ///< on b
};

/// The forces of a verdict, by the names of the bodies. Points of the same two features are one region.
[[nodiscard]] std::vector<InterfaceForce> interface_forces(const Scene<3>& scene,
                                                           const Verdict<3>& verdict);

/// The assembly with `forces` in its interfaces: on the points of those it has where they are the points of
/// `forces`, else on interfaces made for them. All the rest of the file stays as it was.
struct CompasForces {
  std::string text;
  int kept = 0;  ///< interfaces of the file that got forces
  int made = 0;  ///< interfaces that replaced others or are new
};
[[nodiscard]] CompasForces compas_with_forces(std::string_view text,
                                              const std::vector<InterfaceForce>& forces);

}  // namespace collapse
