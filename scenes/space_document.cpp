#include "scenes/space_document.hpp"

#include <utility>

namespace collapse::scenes {

Quaternion operator*(const Quaternion& second, const Quaternion& first) {
  const auto& [a, b, c, d] = second;
  const auto& [w, x, y, z] = first;
  return {a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
          a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w};
}

Point3 turned(const Quaternion& rotation, const Point3& vector) {
  const auto& [w, x, y, z] = rotation;
  const Quaternion moved =
      rotation * Quaternion{0, vector[0], vector[1], vector[2]} * Quaternion{w, -x, -y, -z};
  const Rational square = w * w + x * x + y * y + z * z;
  return Point3(moved.x, moved.y, moved.z) / square;
}

Quaternion turn_about(int axis, const Rational& half_tangent) {
  return {1, axis == 0 ? half_tangent : Rational(0), axis == 1 ? half_tangent : Rational(0),
          axis == 2 ? half_tangent : Rational(0)};
}

Json quaternion_json(const Quaternion& rotation) {
  return Json::array(
      {number(rotation.w), number(rotation.x), number(rotation.y), number(rotation.z)});
}

SpaceDocument::SpaceDocument(std::string name, const Rational& friction)
    : BasicDocument(std::move(name), friction) {}

void SpaceDocument::add_box(const std::string& name, const Point3& sides, const Point3& centre,
                            const BodyTraits& traits, const Quaternion& orientation) {
  Json& body = add_body(name, traits);
  body["box"] = vector_json<3>(sides);
  body["position"] = vector_json<3>(centre);
  if (!orientation.is_identity()) body["orientation"] = quaternion_json(orientation);
}

void SpaceDocument::add_hull(const std::string& name, const std::vector<Point3>& points,
                             const BodyTraits& traits) {
  add_body(name, traits)["hull"] = points_json<3>(points);
}

void SpaceDocument::add_sphere(const std::string& name, const Rational& radius,
                               const Point3& centre, const BodyTraits& traits) {
  Json& body = add_body(name, traits);
  body["sphere"] = number(radius);
  body["position"] = vector_json<3>(centre);
}

void SpaceDocument::add_union(const std::string& name, const std::vector<Brick>& boxes,
                              const std::vector<std::vector<Point3>>& hulls,
                              const BodyTraits& traits) {
  Json parts = Json::array();
  for (const auto& [sides, centre] : boxes) {
    parts.push_back({{"box", vector_json<3>(sides)}, {"position", vector_json<3>(centre)}});
  }
  for (const auto& points : hulls) parts.push_back({{"hull", points_json<3>(points)}});
  add_body(name, traits)["parts"] = std::move(parts);
}

void SpaceDocument::set_pose(const Point3& position, const Quaternion& orientation) {
  last_body()["position"] = vector_json<3>(position);
  if (!orientation.is_identity()) last_body()["orientation"] = quaternion_json(orientation);
}

void SpaceDocument::set_velocity(const Point3& velocity) {
  last_body()["velocity"] = vector_json<3>(velocity);
}

void SpaceDocument::set_path(const std::vector<PathPoint>& path) {
  set_pose(path.front().position, path.front().orientation);
  Json& keyframes = last_body()["motion"]["keyframes"];
  for (const auto& [time, position, orientation] : path) {
    keyframes.push_back({{"time", number(time)},
                         {"position", vector_json<3>(position)},
                         {"orientation", quaternion_json(orientation)}});
  }
}

void SpaceDocument::add_ball(const std::string& a, const std::string& b, const Point3& at) {
  add_joint("ball", a, b, at);
}

void SpaceDocument::add_hinge(const std::string& a, const std::string& b, const Point3& at,
                              const Point3& axis) {
  add_joint("hinge", a, b, at);
  joints_.back()["axis"] = vector_json<3>(axis);
}

}  // namespace collapse::scenes
