#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <vector>

#include "benchmarks/peers/crowd_engines.hpp"

namespace collapse::benchmarks {
namespace {

btVector3 to_bullet(const Vec<3>& v) {
  return {static_cast<btScalar>(v[0]), static_cast<btScalar>(v[1]), static_cast<btScalar>(v[2])};
}

Vec<3> from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

btTransform bullet_transform(const PlacedBox& box) {
  const auto at = [&](int i, int j) { return static_cast<btScalar>(box.axes(i, j)); };
  return btTransform(btMatrix3x3(at(0, 0), at(0, 1), at(0, 2), at(1, 0), at(1, 1), at(1, 2),
                                 at(2, 0), at(2, 1), at(2, 2)),
                     to_bullet(box.centre));
}

class BulletCrowd final : public CrowdEngine {
 public:
  BulletCrowd(const CrowdScene& scene, const BulletSettings& settings)
      : scene_(scene), settings_(settings) {
    world_.setGravity({0, 0, static_cast<btScalar>(scene.gravity)});
    for (const CrowdBox& box : scene.boxes) {
      add(std::make_unique<btBoxShape>(to_bullet(box.placed.half)), box.mass, box.moments,
          bullet_transform(box.placed));
    }
    for (const SolidHalf& solid : scene.halves) {
      add(std::make_unique<btStaticPlaneShape>(to_bullet(solid.normal),
                                               static_cast<btScalar>(solid.offset)),
          0.0, Vec<3>::Zero(), btTransform::getIdentity());
    }
  }

  ~BulletCrowd() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletCrowd(const BulletCrowd&) = delete;
  BulletCrowd& operator=(const BulletCrowd&) = delete;

  bool make_frame() override {
    const auto frame = static_cast<btScalar>(kFrame);
    if (settings_.substeps == 1) {
      world_.stepSimulation(frame, 0);
    } else {
      for (int k = 0; k < settings_.substeps; ++k) {
        world_.stepSimulation(frame / static_cast<btScalar>(settings_.substeps), 0);
      }
    }
    return true;
  }

  [[nodiscard]] std::vector<CrowdState> states() const override {
    std::vector<CrowdState> result(scene_.boxes.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const btTransform& at = bodies_[i]->getCenterOfMassTransform();
      result[i].placed.centre = from_bullet(at.getOrigin());
      result[i].placed.half = scene_.boxes[i].placed.half;
      for (int j = 0; j < 3; ++j) {
        result[i].placed.axes.col(j) = from_bullet(at.getBasis().getColumn(j));
      }
      result[i].velocity = from_bullet(bodies_[i]->getLinearVelocity());
      result[i].spin = from_bullet(bodies_[i]->getAngularVelocity());
    }
    return result;
  }

 private:
  void add(std::unique_ptr<btCollisionShape> shape, double mass, const Vec<3>& moments,
           const btTransform& at) {
    shapes_.push_back(std::move(shape));
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr,
                                                  shapes_.back().get(), to_bullet(moments));
    info.m_startWorldTransform = at;
    // Of a pair it takes the product.
    info.m_friction = static_cast<btScalar>(std::sqrt(scene_.friction));
    auto made = std::make_unique<btRigidBody>(info);
    if (!settings_.sleeping) made->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(made.get());
    bodies_.push_back(std::move(made));
  }

  const CrowdScene& scene_;
  BulletSettings settings_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  // Bodies keep pointers to their shapes, the world to its bodies: the world goes first.
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
};

}  // namespace

std::unique_ptr<CrowdEngine> bullet_crowd(const CrowdScene& scene, const BulletSettings& settings) {
  return std::make_unique<BulletCrowd>(scene, settings);
}

}  // namespace collapse::benchmarks
