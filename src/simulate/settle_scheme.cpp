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

template <int Dim>
class SettleScheme final : public Scheme<Dim> {
 public:
  SettleScheme(const Scene<Dim>& scene, const SimulationOptions& options)
      : world_(scene, options), position_(scene, options, PositionScheme<Dim>::Friction::none) {
    trust_ = kTrust * world_.smallest_size();
    // Without gravity forces alone move things: any τ will do to begin with.
    const double acceleration = world_.acceleration().norm();
    largest_ = acceleration > 0.0 ? 2.0 * trust_ / acceleration : 1.0;
    tau_ = 0.1 * largest_;
  }

  void prepare(State<Dim>& state) override { stop(state); }

  StepReport<Dim> step(State<Dim>& state, double time, double /*h*/) override {
    StepReport<Dim> total;
    for (int attempt = 0;; ++attempt) {
      State<Dim> next = state;
      const StepReport<Dim> report = position_.step(next, time, std::sqrt(tau_));
      if (report.interrupted) {
        total.interrupted = true;
        return total;
      }
      const double way = farthest(state, next);
      if (way > trust_ && attempt < kShorterSteps) {
        tau_ *= std::max(0.1, 0.7 * trust_ / way);
        total.programs += report.programs;
        total.iterations += report.iterations;
        continue;
      }
      total += report;
      if (way < 0.5 * trust_) tau_ = std::min(2.0 * tau_, largest_);
      state = std::move(next);
      stop(state);
      return total;
    }
  }

  [[nodiscard]] double energy(const State<Dim>& state) const override {
    return world_.energy(state);
  }
  void forget() override { position_.forget(); }
  void save(std::vector<double>& numbers) const override { numbers.push_back(tau_); }
  const double* load(const double* numbers) override {
    tau_ = *numbers;
    return numbers + 1;
  }

 private:
  static void stop(State<Dim>& state) {
    for (Twist<Dim>& velocity : state.velocities) velocity.setZero();
  }

  [[nodiscard]] double farthest(const State<Dim>& from, const State<Dim>& to) const {
    double way = 0.0;
    for (const int body : world_.free_bodies()) {
      const auto i = static_cast<std::size_t>(body);
      const Twist<Dim> x = world_.displacement(body, from.poses[i], to.poses[i]);
      way = std::max(way, world_.way_of(body, x));
    }
    return way;
  }

  World<Dim> world_;
  PositionScheme<Dim> position_;
  double trust_ = 0.0;
  double largest_ = 0.0;
  double tau_ = 0.0;
};

}  // namespace

template <int Dim>
std::unique_ptr<Scheme<Dim>> make_settle_scheme(const Scene<Dim>& scene,
                                                const SimulationOptions& options) {
  return std::make_unique<SettleScheme<Dim>>(scene, options);
}

template std::unique_ptr<Scheme<2>> make_settle_scheme<2>(const Scene<2>&,
                                                          const SimulationOptions&);
template std::unique_ptr<Scheme<3>> make_settle_scheme<3>(const Scene<3>&,
                                                          const SimulationOptions&);

}  // namespace collapse::simulate
