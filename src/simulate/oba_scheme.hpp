#pragma once
/// Scheme `oba`: optimization-based animation after Schmidl and Milenkovic (docs/theory/oba.md). A frame is one step:
///
///     targets      free flight with the velocities v⁻ that the last frame ended with:  x̂ = x + ½ h (v + v⁻)
///                  (fast and thin bodies bounce on their way there: simulate/oba_retroactive.hpp)
///     positions    as near to the targets as bodies get without overlap                       (simulate/oba_position.hpp)
///     momenta      collisions of what touches there:  v⁻ → v                                  (simulate/oba_momentum.hpp)
///     forces       what gravity, loads and contacts do to v in the next frame:  v → v⁻              (simulate/oba_static.hpp)
///
/// The velocities of a state are those after collisions: of a body in free flight those of its parabola.

#include "contact/space/motion_contacts_space.hpp"
#include "simulate/oba_freezer.hpp"
#include "simulate/oba_momentum.hpp"
#include "simulate/oba_position.hpp"
#include "simulate/oba_retroactive.hpp"
#include "simulate/oba_static.hpp"

namespace collapse::simulate {

class ObaScheme final : public Scheme<3> {
 public:
  ObaScheme(const Scene<3>& scene, const SimulationOptions& options);

  StepReport<3> step(State<3>& state, double time, double h) override;
  [[nodiscard]] double energy(const State<3>& state) const override { return world_.energy(state); }
  [[nodiscard]] std::span<const std::uint8_t> frozen() const override { return freezer_.frozen(); }
  void forget() override;
  void save(std::vector<double>& numbers) const override;
  const double* load(const double* numbers) override;

 private:
  /// What touches at poses, with the impulses of a frame.
  struct Touching {
    std::vector<ObaContact> contacts;
    std::vector<std::uint8_t> touches;  ///< of each contact: 0 if it is at a distance
    std::vector<MovingJointRow<3>> joints;
    ObaImpulses impulses;
  };

  /// False if it was interrupted: then only the state is as before.
  [[nodiscard]] bool advance(State<3>& state, double time, double h, StepReport<3>& report);
  void wake_in_the_way(const State<3>& state, double time, double h);
  void set_targets(const State<3>& state, double time, double h);
  void turn_spins();
  void find_touching(std::span<const Pose<3>> poses, double h);
  [[nodiscard]] std::vector<Pose<3>> next_poses(std::span<const Pose<3>> poses, double h) const;
  void drop_distant_contacts();
  [[nodiscard]] ObaTouch touch(std::span<const Pose<3>> poses) const {
    return {poses, touching_.contacts, touching_.joints};
  }
  /// Collisions, then forces for a frame of length h that begins at `time`. False if it was interrupted.
  [[nodiscard]] bool respond(const State<3>& state, std::span<const Pose<3>> poses, double time,
                             double h, StepReport<3>& report);
  [[nodiscard]] bool find_forces(std::span<const Pose<3>> poses, double time, double h,
                                 StepReport<3>& report);
  void name_wedged(const ObaImpulses& impulses, std::span<const Pose<3>> poses, double h,
                   StepReport<3>& report) const;
  void count_collisions(StepReport<3>& report) const;
  [[nodiscard]] std::vector<std::pair<int, int>> touching_pairs() const;
  [[nodiscard]] std::vector<std::uint8_t> driven_bodies() const;
  void take_gain(const State<3>& state);
  void undo_lifts(const State<3>& state, double h);
  void release_held();
  void hold_back(const std::vector<Twist<3>>& before, double h,
                 std::vector<Twist<3>>& velocities) const;
  [[nodiscard]] double work_beside_gravity(std::span<const Pose<3>> poses, double h) const;
  void freeze(double h);
  [[nodiscard]] bool counts_calm_frames() const;
  void finish(State<3>& state, double h, StepReport<3>& report);

  const SimulationOptions& options_;
  World<3> world_;
  contacts::MotionContacts<3> finder_;
  ObaFreezer freezer_;
  ObaPosition position_;
  ObaRetroactive retroactive_;
  ObaMomentum momentum_;
  ObaStatic static_;
  double largest_size_ = 0.0;  ///< of the free bodies

  bool known_ = false;        ///< the next lines
  bool crushed_ = false;      ///< something, in the last frame
  double coming_work_ = 0.0;  ///< of given bodies, on the way to these velocities
  std::vector<Twist<3>>
      later_;  ///< v⁻: of each body, what forces make of its velocity in the next frame
  std::vector<std::uint8_t> pushed_;  ///< of each body: a contact has to do with that
  /// Of each body: at rest, and where forces would move it the position update found no way. It stays until something
  /// that moves touches its pile.
  std::vector<std::uint8_t> held_;

  // Of the frame.
  std::vector<Pose<3>> start_;
  std::vector<Pose<3>> targets_;
  std::vector<Pose<3>> poses_;
  std::vector<Twist<3>> velocities_;
  std::vector<Twist<3>> leaving_;  ///< see EnergyFrame
  std::vector<std::uint8_t> movable_;
  std::vector<std::uint8_t> still_;
  std::vector<contacts::MotionRow<3>> rows_;
  Touching touching_;
};

}  // namespace collapse::simulate
