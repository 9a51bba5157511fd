#pragma once
/// Systems in coordinates of their own, with inequalities and equations between them: what a scene file cannot state.
/// For tests and benchmarks of collapse/analytical.

#include "collapse/analytical/least_constraint.hpp"

namespace collapse::scenes {

struct GeneralisedScene {
  analytical::System system;
  analytical::CoordinateState start;
};

enum class Corner {
  acute,   ///< x − y ≥ 0, y ≥ 0: of Jonquet, Nocent and Remion
  obtuse,  ///< y ≥ 0, x + y ≥ 0: where their third algorithm sticks
};

/// A particle at rest in the corner (0, 0), with a constant force.
[[nodiscard]] GeneralisedScene corner_particle(Corner corner, double mass,
                                               const Eigen::Vector2d& force);

/// Ten balls of diameter 1 and mass 1 in a triangle in the corner of a table, each touching its neighbours, four of them
/// the one side and one the other side; an eleventh comes along the bisector with this speed, from a distance of 5. Two
/// inequalities for the sides for each ball, one for each pair: 77.
[[nodiscard]] GeneralisedScene billiards(double speed);
inline constexpr int kBilliardBalls = 11;

/// Masses of 1 at distances of 1 on a line to the right of a pivot, under gravity 10. As points with an equation for each
/// link, or in the angles of the links (from straight down), without equations.
[[nodiscard]] GeneralisedScene chain_of_points(int links);
[[nodiscard]] GeneralisedScene chain_of_angles(int links);
/// Where the last mass of a chain of angles is.
[[nodiscard]] Eigen::Vector2d end_of_chain(const Eigen::VectorXd& angles);

/// A bead of mass 1 on the curve y = x²/2 under gravity 10, its coordinate the place along x, at rest at x = `from`; it
/// may not pass x = 0.
[[nodiscard]] GeneralisedScene bead_on_parabola(double from);

/// A ball of mass 1 above the floor, falling with `speed`, without gravity.
[[nodiscard]] GeneralisedScene falling_ball(double height, double speed, double gravity = 0.0);

/// Rigid bodies of the plane at rest, with mass 1 and the inertia of a unit square, under gravity 10, that touch each other
/// and the world at random points with random normals, without friction: the program of their accelerations.
[[nodiscard]] analytical::LeastConstraint random_contacts(std::uint64_t seed, int bodies,
                                                          int contacts);

}  // namespace collapse::scenes
