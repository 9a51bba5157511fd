#pragma once
/// The parts of scheme `oba`, optimization-based animation after Schmidl and Milenkovic (docs/theory/oba.md). Names
/// are theirs.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collapse/formulation/rows.hpp"

namespace collapse {

/// How contacts that do not collide get their forces.
enum class StaticContact {
  impulses,  ///< gravity for one frame added to the velocities, then the momentum program without bounce
  accelerations,  ///< the acceleration program without friction
  cones,          ///< the same with friction, by moving acceleration cones
};

/// What pulls bodies to their targets in the position update.
enum class ObaObjective {
  mass,  ///< m and the moments of inertia
  size,  ///< 1 and the diameter squared, the same for all bodies
};

/// A box in world coordinates.
struct ColdVolume {
  Vec<3> least = Vec<3>::Zero();
  Vec<3> most = Vec<3>::Zero();
};

[[nodiscard]] std::string_view to_string(StaticContact contact);
[[nodiscard]] std::string_view to_string(ObaObjective objective);

struct ObaOptions {
  ObaObjective objective = ObaObjective::mass;
  ConeModel cone{FrictionCone::inner, 8};  ///< of friction in the momentum update
  /// Least kinetic energy as published: what slides lifts. Otherwise Coulomb's law, by rounds of programs.
  bool lift = true;
  StaticContact static_contact = StaticContact::impulses;
  int cone_iterations = 3;  ///< of the moving acceleration cones
  int sequential_collisions =
      -1;  ///< n: resolved one by one before the program; −1: by the number of bodies
  /// Rounds towards the least kinetic energy of bodies that bounce; each ends admissible. 0: by the number of bodies.
  int bounce_rounds = 0;
  double largest_turn = 0.1;     ///< |Δφ| per program and component, radians
  bool hybrid_position = false;  ///< fast and thin bodies are bounced on their way, retroactively
  int c_max = 8;                 ///< bounces of a pair in a frame, at most
  double v_min = 0.0;            ///< and only while it is faster; 0: what gravity gives in a frame
  bool bounce_at_distance = false;
  /// Not of theirs: bodies that touch and would have more energy after a frame than before lose speed instead.
  bool keep_energy = true;
  bool freezing_by_energy =
      true;     ///< with SimulationOptions::freezing: counters as published, else only exact rest
  int c_f = 3;  ///< frames in a row below that energy
  std::vector<ColdVolume> cold;  ///< where bodies may freeze, by their centres; empty: everywhere

  /// Throws Error naming the field if a value makes no sense.
  void validate() const;
  /// Sets what the dissertation, or the page, calls so. Throws Error if there is no such name or value.
  void set(std::string_view option, const std::string& value);
  /// Several: `cone=circular,n=20`. What has no `=` goes on with the value before it (`cold=0,0,0,1,1,1`).
  void set_all(const std::string& text);
  /// All of them, as names and values that `set` takes.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> describe() const;
};

/// Name and one line on what it does, of all that ObaOptions::set knows.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> oba_option_help();

/// What a frame of scheme oba, or all so far, had to deal with.
struct CrowdCounts {
  std::int64_t close_pairs = 0;  ///< of convex parts, with a plane between them
  std::int64_t collisions =
      0;  ///< contacts whose bodies approach each other after the position update
  std::int64_t contacts = 0;   ///< after that
  std::int64_t rollbacks = 0;  ///< perturbations taken back in the position update
  /// Wall clock of the position update, the momentum update and static contact: for benchmarks alone.
  double position_seconds = 0.0;
  double momentum_seconds = 0.0;
  double static_seconds = 0.0;

  CrowdCounts& operator+=(const CrowdCounts& other) {
    close_pairs += other.close_pairs;
    collisions += other.collisions;
    contacts += other.contacts;
    rollbacks += other.rollbacks;
    position_seconds += other.position_seconds;
    momentum_seconds += other.momentum_seconds;
    static_seconds += other.static_seconds;
    return *this;
  }
};

}  // namespace collapse
