#pragma once
/// The hybrid position update of scheme `oba`: pairs of bodies so fast, or so thin, that one could get deep into the other
/// in a frame are bounced off each other on their way, at the moment they meet. A pair is bounced up to c_max times in a
/// frame and only while it is faster than v_min; then it does not see itself any more, and the position update has to do
/// with the targets that come out, overlap and all.

#include <span>
#include <vector>

#include "contact/apart.hpp"
#include "simulate/oba_planes.hpp"
#include "simulate/scheme.hpp"
#include "simulate/world.hpp"

namespace collapse::simulate {

class ObaRetroactive {
 public:
  ObaRetroactive(const World<3>& world, const SimulationOptions& options);

  /// Changes targets and velocities (those at the end of the frame) of bodies that bounce. Returns how many bounces
  /// there were.
  int bounce(std::span<const Pose<3>> start, std::span<const std::uint8_t> movable, double h,
             std::vector<Pose<3>>& targets, std::vector<Twist<3>>& velocities,
             StepReport<3>& report);

 private:
  /// How a body goes on from a moment: straight and evenly.
  struct Leg {
    double since = 0.0;
    Pose<3> pose;
    Twist<3> rate = Twist<3>::Zero();
  };
  struct FastPair {
    int a = 0;  ///< parts
    int b = 0;
    int bounces = 0;
    double meets = 0.0;  ///< when; beyond the frame if it does not
    SeparatingPlane plane;
    contacts::WitnessCache witness;
  };

  void find_pairs();
  void add_pairs_of(int body);
  [[nodiscard]] Bounds<3> way_box(int part);
  [[nodiscard]] bool is_fast(int a, int b) const;
  void place(int body, double time);
  [[nodiscard]] Pose<3> pose_at(int body, double time) const;
  void predict(FastPair& pair, double now);
  void strike(FastPair& pair, std::vector<Twist<3>>& velocities, StepReport<3>& report);
  [[nodiscard]] Vec<3> place_of_hit(const FastPair& pair);
  [[nodiscard]] Vec<3> velocity_of(int body, double time, const Vec<3>& at) const;
  [[nodiscard]] int body_of(int part) const { return parts_.part(part).body; }

  const World<3>& world_;
  const SimulationOptions& options_;
  contacts::PairsKeptApart<3> kept_apart_;
  PlacedParts parts_;

  // Of the frame.
  double h_ = 0.0;
  double slow_ = 0.0;
  std::span<const std::uint8_t> movable_;
  std::vector<Leg> legs_;
  std::vector<FastPair> pairs_;
};

}  // namespace collapse::simulate
