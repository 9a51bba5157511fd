#include "scenes/extrusion.hpp"

#include <algorithm>
#include <optional>

#include "collapse/core/error.hpp"
#include "collapse/geometry/pose.hpp"

namespace collapse::scenes {
namespace {

Rational rational(const Json& json) {
  const std::optional<Rational> value =
      parse_rational(json.is_string() ? json.get<std::string>() : json.dump());
  if (!value) throw Error("", json.dump(), "a number");
  return *value;
}

Point planar(const Json& json) { return {rational(json.at(0)), rational(json.at(1))}; }

/// The rotation about the y axis that turns the plane's x axis to (c, s), a unit vector: from x
/// towards z, against the sense of y.
Quaternion turn_to(const Rational& c, const Rational& s) {
  return c == -1 ? Quaternion{0, 0, 1, 0} : Quaternion{1 + c, 0, -s, 0};
}

/// Takes the z axis, along which cylinders are, to the y axis.
const Quaternion kLying{1, -1, 0, 0};

bool is_convex(const std::vector<Point>& loop) {
  int left = 0;
  int right = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point a = loop[(i + 1) % loop.size()] - loop[i];
    const Point b = loop[(i + 2) % loop.size()] - loop[(i + 1) % loop.size()];
    const Rational turn = a[0] * b[1] - a[1] * b[0];
    left += turn > 0 ? 1 : 0;
    right += turn < 0 ? 1 : 0;
  }
  return left == 0 || right == 0;
}

Rational doubled_area(const std::vector<Point>& loop) {
  Rational area = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point& a = loop[i];
    const Point& b = loop[(i + 1) % loop.size()];
    area += a[0] * b[1] - a[1] * b[0];
  }
  return area;
}

/// Polygons all around: both ends, and a rectangle for each side.
Json prism(std::vector<Point> loop, const Rational& depth) {
  if (doubled_area(loop) < 0) std::reverse(loop.begin(), loop.end());
  const int n = static_cast<int>(loop.size());
  std::vector<Point3> vertices;  // at −depth/2, then at +depth/2
  for (const Rational& y : {Rational(-depth / 2), Rational(depth / 2)}) {
    for (const Point& p : loop) vertices.emplace_back(p[0], y, p[1]);
  }
  // Seen along +y, from the side of −depth/2, x is to the right and z up: counter-clockwise.
  Json near = Json::array();
  Json far = Json::array();
  Json faces = Json::array();
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n;
    near.push_back(i);
    far.push_back(2 * n - 1 - i);
    faces.push_back(Json::array({next, i, n + i, n + next}));
  }
  faces.push_back(near);
  faces.push_back(far);
  return {{"vertices", points_json<3>(vertices)}, {"faces", faces}};
}

class Extrusion {
 public:
  Extrusion(const Rational& depth, const Quaternion& rotation)
      : depth_(depth), rotation_(rotation) {}

  [[nodiscard]] Json scene(const Json& plane) const {
    if (plane.value("dimension", 0) != 2) throw Error("dimension", "not 2", "a plane scene");
    if (plane.contains("framework")) {
      throw Error("framework", "points and bars",
                  "bodies: a framework has no counterpart in space");
    }
    Json out = plane;
    out["dimension"] = 3;
    const Json down = Json::array({0, "-9.81"});
    out["gravity"] = vector(plane.contains("gravity") ? plane["gravity"] : down);
    for (Json& body : out["bodies"]) extrude(body);
    if (out.contains("joints")) {
      for (Json& joint : out["joints"]) extrude_joint(joint);
    }
    if (out.contains("loads")) {
      for (Json& load : out["loads"]) extrude_load(load);
    }
    return out;
  }

 private:
  /// A point or direction of the plane.
  [[nodiscard]] Point3 put(const Json& json) const {
    const Point p = planar(json);
    return turned(rotation_, Point3(p[0], 0, p[1]));
  }
  [[nodiscard]] Json vector(const Json& json) const { return vector_json<3>(put(json)); }
  /// A rotation or torque of the plane: about the axis that x turns to y about.
  [[nodiscard]] Json axial(const Rational& amount) const {
    return vector_json<3>(turned(rotation_, Point3(0, -amount, 0)));
  }
  [[nodiscard]] Json scaled(const Json& json) const { return number(rational(json) * depth_); }

  /// Takes `angle` or `rotation` out of the body.
  static Quaternion take_turn(Json& body) {
    Quaternion turn;
    if (body.contains("angle")) {
      const auto matrix = exact_rotation(rational(body["angle"]));
      turn = turn_to(matrix(0, 0), matrix(1, 0));
    } else if (body.contains("rotation")) {
      const Point direction = planar(body["rotation"]);
      const auto matrix = rotation_from_direction(direction[0], direction[1]).rotation;
      turn = turn_to(matrix(0, 0), matrix(1, 0));
    }
    body.erase("angle");
    body.erase("rotation");
    return turn;
  }

  /// Box, polygon, disk or parts, in the body's own coordinates; the turn that the new shape needs.
  [[nodiscard]] Quaternion extrude_shape(Json& body) const {
    if (body.contains("box")) {
      body["box"] = Json::array({body["box"][0], number(depth_), body["box"][1]});
    } else if (body.contains("polygon")) {
      std::vector<Point> loop;
      for (const Json& vertex : body["polygon"]) loop.push_back(planar(vertex));
      Json solid = prism(loop, depth_);
      body.erase("polygon");
      if (is_convex(loop)) {
        body["hull"] = solid["vertices"];
      } else {
        body["mesh"] = std::move(solid);
      }
    } else if (body.contains("disk")) {
      body["cylinder"] = Json::array({body["disk"], number(depth_)});
      body.erase("disk");
      return kLying;
    } else if (body.contains("parts")) {
      const Extrusion unturned(depth_, {});
      for (Json& part : body["parts"]) unturned.pose_and_shape(part);
    }
    return {};
  }

  void pose_and_shape(Json& body) const {
    const Quaternion turn = rotation_ * take_turn(body) * extrude_shape(body);
    if (body.contains("position")) body["position"] = vector(body["position"]);
    if (!turn.is_identity()) body["orientation"] = quaternion_json(turn);
  }

  void extrude(Json& body) const {
    if (body.contains("plane")) {
      body["plane"]["normal"] = vector(body["plane"]["normal"]);
      return;
    }
    pose_and_shape(body);
    if (body.contains("mass")) body["mass"] = scaled(body["mass"]);
    if (body.contains("inertia")) {
      throw Error("inertia", "a number", "none: in space it has more than one");
    }
    if (body.contains("velocity")) body["velocity"] = vector(body["velocity"]);
    if (body.contains("spin")) body["spin"] = axial(rational(body["spin"]));
    if (!body.contains("motion")) return;
    for (Json& frame : body["motion"]["keyframes"]) {
      const Quaternion turn = rotation_ * take_turn(frame);
      if (frame.contains("position")) frame["position"] = vector(frame["position"]);
      frame["orientation"] = quaternion_json(turn);
    }
  }

  void extrude_joint(Json& joint) const {
    if (joint["type"] == "rod") {
      for (Json& end : joint["at"]) end = vector(end);
      return;
    }
    joint["at"] = vector(joint["at"]);
    if (joint["type"] != "pin") return;
    joint["type"] = "hinge";
    joint["axis"] = axial(1);
  }

  void extrude_load(Json& load) const {
    if (load.contains("acceleration")) load["acceleration"] = vector(load["acceleration"]);
    if (load.contains("at")) load["at"] = vector(load["at"]);
    if (load.contains("force")) load["force"] = vector_json<3>(put(load["force"]) * depth_);
    if (load.contains("torque")) load["torque"] = axial(rational(load["torque"]) * depth_);
  }

  Rational depth_;
  Quaternion rotation_;
};

}  // namespace

std::string extruded(const std::string& text, const Rational& depth, const Quaternion& rotation) {
  Json plane;
  try {
    plane = Json::parse(text);
  } catch (const Json::exception&) {
    throw Error("", "no JSON", "a scene");
  }
  return Extrusion(depth, rotation).scene(plane).dump(1) + "\n";
}

}  // namespace collapse::scenes
