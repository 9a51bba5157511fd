#include <box2d/box2d.h>

#include <vector>

#include "benchmarks/peers/engines.hpp"
#include "collapse/core/check.hpp"

namespace collapse::benchmarks {
namespace {

constexpr int kVelocityIterations = 8;
constexpr int kPositionIterations = 3;

b2Vec2 to_box2d(const Vec<2>& v) { return {static_cast<float>(v[0]), static_cast<float>(v[1])}; }

b2Body* add_to_box2d(b2World& world, const EngineBody& body, double friction) {
  COLLAPSE_DEMAND(body.corners.size() <= b2_maxPolygonVertices);
  b2BodyDef definition;
  definition.type = body.fixed ? b2_staticBody : b2_dynamicBody;
  definition.position = to_box2d(body.centre);
  b2Body* const made = world.CreateBody(&definition);

  std::vector<b2Vec2> corners;
  for (const Vec<2>& corner : body.corners) corners.push_back(to_box2d(corner));
  b2PolygonShape shape;
  shape.Set(corners.data(), static_cast<int32>(corners.size()));
  b2FixtureDef fixture;
  fixture.shape = &shape;
  fixture.density = 1.0F;
  // Of a pair it takes the geometric mean: right where all are equal.
  fixture.friction = static_cast<float>(friction);
  made->CreateFixture(&fixture);

  if (!body.fixed) {
    const b2MassData mass{static_cast<float>(body.mass), b2Vec2_zero,
                          static_cast<float>(body.inertia)};
    made->SetMassData(&mass);
  }
  return made;
}

}  // namespace

EngineRun run_box2d(const EngineScene& scene, const EngineLimits& limits) {
  b2World world(b2Vec2(0.0F, static_cast<float>(scene.gravity)));
  std::vector<b2Body*> bodies;
  for (const EngineBody& body : scene.bodies) {
    bodies.push_back(add_to_box2d(world, body, scene.friction));
  }
  const auto step = static_cast<float>(limits.step_s);
  return measure_run(
      scene.bodies, limits,
      [&] {
        world.Step(step, kVelocityIterations, kPositionIterations);
        return true;
      },
      [&](std::size_t i) {
        const b2Vec2 at = bodies[i]->GetWorldCenter();
        return Vec<2>(at.x, at.y);
      });
}

}  // namespace collapse::benchmarks
