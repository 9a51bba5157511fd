#pragma once
/// A scene as the user described it: immutable once read. What moves is in State (model/state.hpp).

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collapse/geometry/shape.hpp"

namespace collapse {

/// Stands for the fixed frame where a body's index is expected.
inline constexpr int kWorld = -1;

template <int Dim>
struct NumberVec {
  ExactVec<Dim> exact = ExactVec<Dim>::Zero();
  Vec<Dim> value = Vec<Dim>::Zero();

  NumberVec() = default;
  explicit NumberVec(ExactVec<Dim> numbers)
      : exact(std::move(numbers)), value(to_double<Dim>(exact)) {}
};

struct Material {
  std::string name;
  Number density{Rational(1)};
  Number friction{Rational(0)};
  Number restitution{Rational(0)};
};

/// Overrides what the two materials alone would give.
struct MaterialPair {
  int a = 0;
  int b = 0;
  std::optional<Number> friction;
  std::optional<Number> restitution;
};

/// A given path: poses at times, linear in between, held outside.
template <int Dim>
struct Keyframe {
  Number time;
  ExactPose<Dim> pose;
};

template <int Dim>
struct Body {
  std::string name;
  int material = 0;
  bool fixed = false;
  Shape<Dim> shape;           ///< in body coordinates
  MassProperties<Dim> mass;   ///< in body coordinates
  ExactPose<Dim> exact_pose;  ///< at the start
  Pose<Dim> pose;             ///< the same, rounded
  bool exact = true;          ///< whether exact_pose is the pose as written, without rounding
  NumberVec<Dim> velocity;    ///< of the centre of mass
  Spin<Dim> spin = Spin<Dim>::Zero();
  std::vector<Keyframe<Dim>> motion;  ///< empty: the body is not on a given path

  /// Neither fixed nor on a given path.
  [[nodiscard]] bool free() const { return !fixed && motion.empty(); }
};

/// A pin is a ball joint in space; a hinge holds a point and an axis, in space only.
enum class JointType { pin, rod, weld, hinge };
[[nodiscard]] std::string_view to_string(JointType type);

template <int Dim>
struct Joint {
  JointType type = JointType::pin;
  int a = kWorld;
  int b = kWorld;
  NumberVec<Dim> at_a;               ///< world coordinates at the start
  NumberVec<Dim> at_b;               ///< a rod's other end; the same point for all other types
  double length = 0.0;               ///< of a rod
  Vec<Dim> axis = Vec<Dim>::Zero();  ///< of a hinge: unit, world coordinates at the start
  bool collide = false;
};

/// Acts only where a command names it. Either an acceleration of every free body, or a force at a
/// world point and a torque on one body.
template <int Dim>
struct Load {
  std::string name;
  std::optional<NumberVec<Dim>> acceleration;
  int body = kWorld;
  NumberVec<Dim> at;
  NumberVec<Dim> force;
  Spin<Dim> torque = Spin<Dim>::Zero();
};

template <int Dim>
struct FrameworkPoint {
  std::string name;
  NumberVec<Dim> position;
  NumberVec<Dim> velocity;
  Number mass{Rational(1)};
  bool fixed = false;
};

/// Point masses held together by bars. Faces are polygons (corners counter-clockwise) whose edges no
/// other point may cross. A framework touches itself and fixed bodies, without friction.
template <int Dim>
struct Framework {
  std::vector<FrameworkPoint<Dim>> points;
  std::vector<std::pair<int, int>> bars;
  std::vector<std::vector<int>> faces;
};

/// Defaults for `run`.
struct SimulationSettings {
  std::string scheme = "position";
  std::string impact = "simultaneous";
  Number step{Rational(1, 60)};
  Number duration{Rational(5)};
  Number frame_rate{Rational(60)};
};

template <int Dim>
struct Scene {
  std::string name;
  NumberVec<Dim> gravity;
  std::vector<Material> materials;  ///< [0] is the default material
  std::vector<MaterialPair> pairs;
  std::vector<Body<Dim>> bodies;
  std::vector<Joint<Dim>> joints;
  std::vector<Load<Dim>> loads;
  Framework<Dim> framework;
  std::vector<std::pair<int, int>> ignored;  ///< pairs that do not touch, besides joined ones
  SimulationSettings simulation;

  /// Of a pair of materials: the smaller of the two unless `pairs` says otherwise.
  [[nodiscard]] const Number& friction(int material_a, int material_b) const;
  [[nodiscard]] const Number& restitution(int material_a, int material_b) const;
  /// Index of the body or load of that name, or nothing.
  [[nodiscard]] std::optional<int> find_body(const std::string& body_name) const;
  [[nodiscard]] std::optional<int> find_load(const std::string& load_name) const;
  /// "world" for kWorld.
  [[nodiscard]] const std::string& body_name(int body) const;
  /// Contacts number what touches: bodies, then faces of the framework, then its points.
  [[nodiscard]] int things() const;
  [[nodiscard]] std::string thing_name(int thing) const;
};

extern template struct Scene<2>;
extern template struct Scene<3>;

}  // namespace collapse
