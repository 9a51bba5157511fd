/// Where does it come to rest, whatever the way? Zero-order physics: from rest, again and again,
///
///     minimise   ½ xᵀ M x/τ − fᵀ x     subject to   no penetration, joints
///
/// which is the position program without velocity and friction at h² = τ. Since x = 0 is admissible, every step
/// lowers the potential energy; τ is chosen such that no body goes further than a part of the smallest one.

#include <algorithm>
#include <cmath>

#include "simulate/position_scheme.hpp"

namespace collapse::simulate {
namespace {

/// Of the smallest body: how far any point may go in a step.
constexpr double kTrust = 0.1;
/// A step that went too far is made again with a smaller τ so often at most.
constexpr int kShorterSteps = 20;

class SettleScheme final : public Scheme {
 public:
  SettleScheme(const Scene<2>& scene, const SimulationOptions& options)
      : scene_(scene),
        world_(scene, options),
        position_(scene, options, PositionScheme::Friction::none) {
    trust_ = kTrust * world_.smallest_size();
    // Without gravity forces alone move things: any τ will do to begin with.
    const double acceleration = world_.acceleration().norm();
    largest_ = acceleration > 0.0 ? 2.0 * trust_ / acceleration : 1.0;
    tau_ = 0.1 * largest_;
  }

  void prepare(State<2>& state) override { stop(state); }

  StepReport step(State<2>& state, double time, double /*h*/) override {
    StepReport total;
    for (int attempt = 0;; ++attempt) {
      State<2> next = state;
      const StepReport report = position_.step(next, time, std::sqrt(tau_));
      total.contacts.clear();
      total += report;
      if (report.interrupted) {
        total.interrupted = true;
        return total;
      }
      const double way = farthest(state, next);
      if (way > trust_ && attempt < kShorterSteps) {
        tau_ *= std::max(0.1, 0.7 * trust_ / way);
        continue;
      }
      if (way < 0.5 * trust_) tau_ = std::min(2.0 * tau_, largest_);
      state = std::move(next);
      stop(state);
      return total;
    }
  }

  [[nodiscard]] double energy(const State<2>& state) const override { return world_.energy(state); }
  void forget() override { position_.forget(); }
  void save(std::vector<double>& numbers) const override { numbers.push_back(tau_); }
  const double* load(const double* numbers) override {
    tau_ = *numbers;
    return numbers + 1;
  }

 private:
  static void stop(State<2>& state) {
    for (Twist<2>& velocity : state.velocities) velocity.setZero();
  }

  [[nodiscard]] double farthest(const State<2>& from, const State<2>& to) const {
    double way = 0.0;
    for (const int body : world_.free_bodies()) {
      const auto i = static_cast<std::size_t>(body);
      const Twist<2> x = world_.displacement(body, from.poses[i], to.poses[i]);
      const Body<2>& solid = scene_.bodies[i];
      way =
          std::max(way, x.head<2>().norm() + std::abs(x[2]) * solid.shape.reach(solid.mass.centre));
    }
    return way;
  }

  const Scene<2>& scene_;
  World world_;
  PositionScheme position_;
  double trust_ = 0.0;
  double largest_ = 0.0;
  double tau_ = 0.0;
};

}  // namespace

std::unique_ptr<Scheme> make_settle_scheme(const Scene<2>& scene,
                                           const SimulationOptions& options) {
  return std::make_unique<SettleScheme>(scene, options);
}

}  // namespace collapse::simulate
