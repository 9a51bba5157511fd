#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

#include "benchmarks/peers/engines.hpp"

namespace collapse::benchmarks {
namespace {

constexpr double kHalfDepth = 0.5;

btVector3 to_bullet(const Vec<2>& v, double z = 0.0) {
  return {static_cast<btScalar>(v[0]), static_cast<btScalar>(v[1]), static_cast<btScalar>(z)};
}

std::unique_ptr<btCollisionShape> bullet_shape(const EngineBody& body) {
  if (body.ground) {
    return std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0),
                                                static_cast<btScalar>(-body.centre[1]));
  }
  if (body.half_extent) {
    return std::make_unique<btBoxShape>(to_bullet(*body.half_extent, kHalfDepth));
  }
  auto hull = std::make_unique<btConvexHullShape>();
  for (const Vec<2>& corner : body.corners) {
    hull->addPoint(to_bullet(corner, -kHalfDepth), false);
    hull->addPoint(to_bullet(corner, kHalfDepth), false);
  }
  hull->recalcLocalAabb();
  // A box keeps its default margin of 0.04 inside itself; a hull grows by it, and neighbours that
  // are 0.1 long would begin 0.08 deep in each other.
  hull->setMargin(0.0);
  return hull;
}

/// Bodies keep pointers to their shapes and motion states, the world to its bodies: the world goes
/// first.
struct BulletWorld {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};

  ~BulletWorld() {
    for (const auto& body : bodies) world.removeRigidBody(body.get());
  }

  void add(const EngineBody& body, double friction) {
    shapes.push_back(bullet_shape(body));
    // Inertia counts about z alone, the other axes being locked.
    const auto inertia = static_cast<btScalar>(body.inertia);
    btRigidBody::btRigidBodyConstructionInfo info(
        body.fixed ? btScalar(0) : static_cast<btScalar>(body.mass), nullptr, shapes.back().get(),
        body.fixed ? btVector3(0, 0, 0) : btVector3(inertia, inertia, inertia));
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(to_bullet(body.centre));
    // Of a pair it takes the product.
    info.m_friction = static_cast<btScalar>(std::sqrt(friction));
    auto made = std::make_unique<btRigidBody>(info);
    made->setLinearFactor({1, 1, 0});
    made->setAngularFactor({0, 0, 1});
    world.addRigidBody(made.get());
    bodies.push_back(std::move(made));
  }
};

}  // namespace

EngineRun run_bullet(const EngineScene& scene, const EngineLimits& limits) {
  BulletWorld bullet;
  bullet.world.setGravity({0, static_cast<btScalar>(scene.gravity), 0});
  for (const EngineBody& body : scene.bodies) bullet.add(body, scene.friction);
  const auto step = static_cast<btScalar>(limits.step_s);
  return measure_run(
      scene.bodies, limits,
      [&] {
        bullet.world.stepSimulation(step, 0);
        return true;
      },
      [&](std::size_t i) {
        const btVector3& at = bullet.bodies[i]->getCenterOfMassPosition();
        return Vec<2>(at.x(), at.y());
      });
}

}  // namespace collapse::benchmarks
