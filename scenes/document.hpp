#pragma once
/// A scene file as it is being written: exact numbers, one body a line.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse::scenes {

using Point = ExactVec<2>;

struct BodyTraits {
  bool fixed = false;
  std::optional<Rational> mass;  ///< instead of density 1 times area
};

struct PointTraits {
  bool fixed = false;
  Point velocity = Point::Zero();
};

/// Everything is of one material of density 1. Gravity is (0, −10); the load "push" is an equal
/// acceleration to the right, so that its factor is a share of gravity.
class Document {
 public:
  Document(std::string name, const Rational& friction);

  /// The fixed half plane y ≤ 0.
  void add_ground();
  /// The fixed half plane normal·x ≤ offset.
  void add_plane(const std::string& name, const Point& normal, const Rational& offset);
  void add_box(const std::string& name, const Rational& width, const Rational& height,
               const Point& centre, const BodyTraits& traits = {});
  void add_polygon(const std::string& name, const std::vector<Point>& vertices,
                   const BodyTraits& traits = {});
  void add_disk(const std::string& name, const Rational& radius, const Point& centre);

  /// Joins two bodies, "world" for the fixed frame.
  void add_pin(const std::string& a, const std::string& b, const Point& at);
  void add_rod(const std::string& a, const std::string& b, const Point& at_a, const Point& at_b);
  /// These two bodies do not touch.
  void ignore(const std::string& a, const std::string& b);

  /// Point masses of 1, and what joins them. Faces are convex.
  void add_point(const std::string& name, const Point& position, const PointTraits& traits = {});
  void add_bar(const std::string& p, const std::string& q);
  void add_face(const std::vector<std::string>& points);

  /// The scene file.
  [[nodiscard]] std::string text() const;

 private:
  std::string name_;
  Rational friction_;
  std::vector<nlohmann::ordered_json> bodies_;
  std::vector<nlohmann::ordered_json> joints_;
  std::vector<nlohmann::ordered_json> ignored_;
  std::vector<nlohmann::ordered_json> points_;
  std::vector<nlohmann::ordered_json> bars_;
  std::vector<nlohmann::ordered_json> faces_;
};

}  // namespace collapse::scenes
