#include "web/engine/outline.hpp"

#include <nlohmann/json.hpp>

namespace collapse::web {
namespace {

const char* outline_kind(const Body<2>& body) {
  if (body.fixed) return "fixed";
  return body.motion.empty() ? "free" : "moved";
}

Json outline_of(const Scene<2>& scene, const Body<2>& body) {
  const Material& material = scene.materials[static_cast<std::size_t>(body.material)];
  Json json = {{"name", body.name},
               {"kind", outline_kind(body)},
               {"material", material.name},
               {"friction", material.friction.value},
               {"mass", body.mass.mass},
               {"centre", to_json(body.mass.centre)},
               {"pose",
                {body.pose.position[0], body.pose.position[1], body.pose.rotation(0, 0),
                 body.pose.rotation(1, 0)}}};
  if (body.shape.half_space) {
    const HalfSpace<2>& half = *body.shape.half_space;
    json["half_space"] = {half.normal[0], half.normal[1], half.offset};
  }
  Json& loops = json["loops"] = Json::array();
  for (const Loop& loop : body.shape.boundary) {
    Json numbers = Json::array();
    for (const Vec<2>& point : loop.vertices()) {
      numbers.push_back(point[0]);
      numbers.push_back(point[1]);
    }
    loops.push_back(std::move(numbers));
  }
  Json& balls = json["balls"] = Json::array();
  for (const Ball<2>& ball : body.shape.balls) {
    balls.push_back({ball.centre[0], ball.centre[1], ball.radius});
  }
  return json;
}

}  // namespace

Json outline_json(const Scene<2>& scene) {
  Json json = {{"bodies", Json::array()}, {"joints", Json::array()}};
  for (const Body<2>& body : scene.bodies) json["bodies"].push_back(outline_of(scene, body));
  for (const Joint<2>& joint : scene.joints) {
    json["joints"].push_back({{"type", to_string(joint.type)},
                              {"a", joint.a},
                              {"b", joint.b},
                              {"at_a", to_json(joint.at_a.value)},
                              {"at_b", to_json(joint.at_b.value)}});
  }
  Json points = Json::array();
  for (const FrameworkPoint<2>& point : scene.framework.points) {
    points.push_back({{"name", point.name},
                      {"position", to_json(point.position.value)},
                      {"fixed", point.fixed}});
  }
  json["framework"] = {
      {"points", points}, {"bars", scene.framework.bars}, {"faces", scene.framework.faces}};
  return json;
}

}  // namespace collapse::web
