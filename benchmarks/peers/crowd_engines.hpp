#pragma once
/// Crowds of boxes in space as every engine takes them: free boxes between fixed half spaces, one coefficient of
/// friction, no restitution.

#include <memory>
#include <vector>

#include "benchmarks/box_overlap.hpp"
#include "collapse/simulate/simulation.hpp"

namespace collapse::benchmarks {

struct CrowdBox {
  PlacedBox placed;
  double mass = 0.0;
  Vec<3> moments = Vec<3>::Zero();  ///< of inertia about its axes
};

/// Demands that a scene has nothing else, gravity along −z and that nothing moves at the beginning.
struct CrowdScene {
  std::vector<CrowdBox> boxes;
  std::vector<SolidHalf> halves;
  double gravity = 0.0;  ///< along z
  double friction = 0.0;
  std::vector<int> bodies;  ///< of each box, its index in the scene

  explicit CrowdScene(const Scene<3>& scene);
};

/// A box on its way. Velocity is of the centre, spin in world coordinates.
struct CrowdState {
  PlacedBox placed;
  Vec<3> velocity = Vec<3>::Zero();
  Vec<3> spin = Vec<3>::Zero();
};

class CrowdEngine {
 public:
  CrowdEngine() = default;
  virtual ~CrowdEngine() = default;
  CrowdEngine(const CrowdEngine&) = delete;
  CrowdEngine& operator=(const CrowdEngine&) = delete;

  /// 1/60 s. False if it cannot go on.
  [[nodiscard]] virtual bool make_frame() = 0;
  /// Of all boxes, in their order.
  [[nodiscard]] virtual std::vector<CrowdState> states() const = 0;
};

inline constexpr double kFrame = 1.0 / 60.0;

struct BulletSettings {
  int substeps = 1;  ///< of a frame
  bool sleeping = true;
};
/// Sequential impulses, ten iterations, single precision: as it comes.
[[nodiscard]] std::unique_ptr<CrowdEngine> bullet_crowd(const CrowdScene& scene,
                                                        const BulletSettings& settings);

struct MujocoSettings {
  enum class Method { conjugate_gradients, newton };
  Method method = Method::conjugate_gradients;
  int substeps = 1;  ///< of a frame
};
/// Elliptic cones; softness, tolerance and iterations as they come.
[[nodiscard]] std::unique_ptr<CrowdEngine> mujoco_crowd(const CrowdScene& scene,
                                                        const MujocoSettings& settings);

/// Defaults, on one thread; freezing is off.
[[nodiscard]] std::unique_ptr<CrowdEngine> our_crowd(const Scene<3>& scene, const CrowdScene& plain,
                                                     SchemeKind scheme);

}  // namespace collapse::benchmarks
