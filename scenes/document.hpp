#pragma once
/// A scene file as it is being written: exact numbers, one body a line.

#include <optional>
#include <string>
#include <vector>

#include "scenes/exact_json.hpp"

namespace collapse::scenes {

using Point = ExactVec<2>;

struct BodyTraits {
  bool fixed = false;
  std::optional<Rational> mass;  ///< instead of density 1 times area or volume
};

struct PointTraits {
  bool fixed = false;
  Point velocity = Point::Zero();
};

/// What scenes in the plane and in space share. Everything is of one material, of density 1 unless it is
/// set. Gravity is 10 downwards; the load "push" is an equal acceleration to the right, so that its
/// factor is a share of gravity.
template <int Dim>
class BasicDocument {
 public:
  static constexpr int kDimension = Dim;
  using Position = ExactVec<Dim>;

  /// The fixed half plane y ≤ 0 or half space z ≤ 0.
  void add_ground();
  /// The fixed solid normal·x ≤ offset.
  void add_plane(const std::string& name, const Position& normal, const Rational& offset);
  void add_rod(const std::string& a, const std::string& b, const Position& at_a,
               const Position& at_b);
  /// These two bodies do not touch.
  void ignore(const std::string& a, const std::string& b);
  /// Between the ground, which is there already, and all else.
  void set_ground_friction(const Rational& friction);
  /// Of everything.
  void set_material(const Rational& density, const Rational& restitution);
  /// How long `run` goes on, in frames, and how many of them are in a unit of time; steps are frames.
  void set_frames(int frames, int frame_rate);
  /// Collisions one at a time, for `run`.
  void set_sequential_impact() { simulation_["impact"] = "sequential"; }

  /// The scene file.
  [[nodiscard]] std::string text() const;

 protected:
  BasicDocument(std::string name, const Rational& friction);

  /// The caller adds the shape.
  Json& add_body(const std::string& name, const BodyTraits& traits);
  [[nodiscard]] Json& last_body() { return bodies_.back(); }
  void add_joint(const char* type, const std::string& a, const std::string& b, const Position& at);

  std::vector<Json> joints_;
  std::vector<Json> points_;  ///< the last three are of a framework
  std::vector<Json> bars_;
  std::vector<Json> faces_;

 private:
  std::string name_;
  Rational friction_;
  std::optional<Rational> ground_friction_;
  Rational density_{1};
  std::optional<Rational> restitution_;
  Json simulation_;
  std::vector<Json> bodies_;
  std::vector<Json> ignored_;
};

extern template class BasicDocument<2>;
extern template class BasicDocument<3>;

/// In the plane.
class Document : public BasicDocument<2> {
 public:
  Document(std::string name, const Rational& friction);

  void add_box(const std::string& name, const Rational& width, const Rational& height,
               const Point& centre, const BodyTraits& traits = {});
  void add_polygon(const std::string& name, const std::vector<Point>& vertices,
                   const BodyTraits& traits = {});
  void add_disk(const std::string& name, const Rational& radius, const Point& centre);

  /// Joins two bodies, "world" for the fixed frame.
  void add_pin(const std::string& a, const std::string& b, const Point& at);

  /// Point masses of 1, and what joins them. Faces are convex.
  void add_point(const std::string& name, const Point& position, const PointTraits& traits = {});
  void add_bar(const std::string& p, const std::string& q);
  void add_face(const std::vector<std::string>& points);
};

}  // namespace collapse::scenes
