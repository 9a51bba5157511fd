#include "benchmarks/peers/crowd_engines.hpp"
#include "collapse/core/check.hpp"

namespace collapse::benchmarks {
namespace {

class OurCrowd final : public CrowdEngine {
 public:
  OurCrowd(const Scene<3>& scene, const CrowdScene& plain, const SimulationOptions& options)
      : plain_(plain), simulation_(scene, options) {
    COLLAPSE_DEMAND(options.step == kFrame);
  }

  bool make_frame() override { return simulation_.step(); }

  [[nodiscard]] std::vector<CrowdState> states() const override {
    std::vector<CrowdState> result(plain_.boxes.size());
    const State<3>& state = simulation_.state();
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto body = static_cast<std::size_t>(plain_.bodies[i]);
      // The centre of mass is the origin of a box.
      result[i].placed.centre = state.poses[body].position;
      result[i].placed.axes = state.poses[body].rotation;
      result[i].placed.half = plain_.boxes[i].placed.half;
      result[i].velocity = state.velocities[body].head<3>();
      result[i].spin = state.velocities[body].tail<3>();
    }
    return result;
  }

 private:
  const CrowdScene& plain_;
  Simulation<3> simulation_;
};

}  // namespace

std::unique_ptr<CrowdEngine> our_crowd(const Scene<3>& scene, const CrowdScene& plain,
                                       SchemeKind scheme) {
  SimulationOptions options;
  options.scheme = scheme;
  options.step = kFrame;
  options.threads = 1;
  return std::make_unique<OurCrowd>(scene, plain, options);
}

}  // namespace collapse::benchmarks
