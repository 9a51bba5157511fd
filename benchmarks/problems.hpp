#pragma once
/// Programs to measure solvers with, made without scenes, contact search or simulator. All are one
/// time step at the level of velocities: v⁻ before, v after, loads f, step h,
///
///     minimise   ½ vᵀMv − (M v⁻ + h f)ᵀv     subject to     G v + d/h ∈ K*
///
/// one group per contact point, with its gap d ≥ 0, so that v = 0 is feasible. Without friction a
/// group is one nonnegative row, the relative normal velocity n·u. With friction μ (associated law) it
/// is a second-order cone of 2 rows in the plane and 3 in space, (n·u/μ, T u): then λ₀ = μ r_n and
/// λ_T = r_T for the contact impulse r, and only d/(hμ) in row 0 is not zero.
///
/// Blocks are bodies, (v_x, v_y, ω) in the plane and (v, ω) in space; the fixed ground is none.
/// f is gravity, downwards along y in the plane and along z in space. Lengths in m, times in s,
/// masses in kg. Ids of groups come from the two bodies and the number of the point between them.
/// The same arguments give the same program on every machine.

#include <Eigen/Core>
#include <cstdint>

#include "collapse/solver/program.hpp"

namespace collapse::benchmarks {

inline constexpr double kGravity = 9.81;      ///< m/s²
inline constexpr double kFrame = 1.0 / 60.0;  ///< s, one frame of an animation

struct WallOptions {
  double friction = 0.0;
  double projectile_speed = 0.0;  ///< m/s; 0: no projectile
  double mass_ratio = 1.0;        ///< heavy to light bricks, like the squares of a chess board
  double step = kFrame;
};

/// A wall in the plane: `rows` courses of bricks of 1 × ½ m in running bond, courses of `columns`
/// bricks and of `columns` − 1 bricks between two halves in turn, so that its ends are straight.
/// Two points for every pair that touches, the ends of the common edge; bricks of one course touch too.
/// The projectile is one more brick, the last block, that touches the left end halfway up (it
/// straddles two courses) and moves against it.
[[nodiscard]] Program wall(int rows, int columns, const WallOptions& options = {});

struct TowerOptions {
  double friction = 0.5;
  double step = kFrame;
};

/// A tower in space of n unit cubes, each turned by 45° against the one below: they share a regular
/// octagon with 8 points, the lowest stands on its 4 corners. n bodies, 8n − 4 points.
[[nodiscard]] Program tower(int n, const TowerOptions& options = {});

struct StackOptions {
  double friction = 0.5;
  double step = kFrame;
  bool with_midpoints = true;  ///< 8 points per face, corners and midpoints of edges, or 4 corners
};

/// A grid in space of nx × ny × nz unit cubes that touch face to face, upwards and sideways, on the
/// ground. The points of a face depend on each other: contact impulses are far from unique.
/// 10 × 10 × 10: 2800 faces, 22,400 points (11,200 without midpoints).
[[nodiscard]] Program cube_stack(int nx, int ny, int nz, const StackOptions& options = {});

struct PileOptions {
  double friction = 0.5;
  double compliance = 0.0;  ///< ε: E = ε w, w the diagonal entry of G M⁻¹Gᵀ of the contact's row 0
  double largest_gap = 1e-4;  ///< m; of the points that are open, uniform from 0
  double open_share = 0.25;   ///< of the pairs
  bool sides = true;          ///< of the pit
  double step = kFrame;
};

/// A disordered pile in space of n boxes of about 1 m in a pit with a floor and four sides. The
/// contacts are not those of real boxes but of the same kind: centres packed as balls are, pairs of
/// neighbours, normals tilted against the line of centres, 1 to 4 points on a patch around the middle.
/// Edges of 0.8 to 1.2 m, any orientation. 6.2 to 6.7 points per body.
/// In the pit nearly all of it is at rest (all but 1 % of the bodies, if no pair is open), but with
/// friction it is wedged in: there need not be a strictly feasible v, and hard contacts then have
/// impulses without bound. Without sides the outer bodies slide off, and growing away from a point far
/// below is strictly feasible.
[[nodiscard]] Program pile(int n, std::uint64_t seed, const PileOptions& options = {});

struct IslandsOptions {
  double friction = 0.5;
  double step = kFrame;
};

/// `count` separate towers in the plane of `bodies_each` bricks of 1 × ½ m, each brick moved sideways
/// at random by up to 0.1 m. Two points per pair: 2 · count · bodies_each.
[[nodiscard]] Program islands(int count, int bodies_each, std::uint64_t seed,
                              const IslandsOptions& options = {});

struct NextStepOptions {
  double step = kFrame;
  double disturbance = 1e-6;  ///< m/s; of every component of v⁻ and of d/h, for what a step changes
  std::uint64_t seed = 1;
};

/// The step after the one that `program` took to the velocities v: the same contact points with the
/// same ids, v⁻ = v, gaps d + h n·u but not below 0, both disturbed. All of the above can be stepped.
[[nodiscard]] Program next_step(const Program& program, const Eigen::VectorXd& v,
                                const NextStepOptions& options = {});

}  // namespace collapse::benchmarks
