#pragma once
/// The position update of scheme `oba` (docs/theory/oba.md): from poses without overlap as near to the targets as
/// bodies get without overlap. A sequence of programs over perturbations Δx, Δφ of the bodies and, for every close pair
/// of convex parts, of the plane between them,
///
///     minimise   Σ m ‖x + Δx − x̂‖² + (Δφ − Δφ̂)ᵀ I (Δφ − Δφ̂)          (or 1 and D² in place of m and I)
///     point q of a     n·(q − o) + n·Δq + (n_x·(q − o)) δ_x + (n_y·(q − o)) δ_y − d ≤ −radius      (b: ≥ +radius)
///     joints           J Δ = −error,        |Δφ| ≤ 0.1 in every component
///
/// with Δq = Δx + Δφ × (q − x), and o a point of the plane. After each of them planes are found anew, close pairs and
/// critical points are added and never removed. Where there is no solution the last perturbation is taken back. Rows of
/// pairs that are further apart than their bodies move are left out of a program, until it turns out otherwise.
///
/// Near its end this converges only as fast as multipliers are small, because planes turn while they are pushed. So
/// targets then come nearer to the bodies from program to program, x̂ ← x + s (x̂ − x): if x is where it would end, it
/// still is, with multipliers of s times their size.

#include <cstdint>
#include <span>
#include <vector>

#include "collapse/solver/solution.hpp"
#include "contact/apart.hpp"
#include "simulate/contact_terms.hpp"
#include "simulate/oba_planes.hpp"
#include "simulate/scheme.hpp"

namespace collapse::simulate {

/// A frame as the position update sees it.
struct PositionTask {
  std::span<const Pose<3>> start;
  std::span<const Pose<3>> targets;       ///< of given bodies: where they will be
  std::span<const std::uint8_t> movable;  ///< of each body: free and not frozen
  double h = 0.0;
};

/// One critical point: its row in the program.
struct CriticalPoint {
  bool of_b = false;
  int number = 0;  ///< of the part's points
  double multiplier = 0.0;
  double found =
      0.0;  ///< likewise, also where the program was not the last word: what the next one begins near
};

/// Two convex parts of different bodies that are or may come close.
struct ClosePair {
  int a = 0;  ///< parts
  int b = 0;
  double size = 0.0;  ///< of the smaller body
  double slab = 0.0;  ///< points so near to the plane are critical
  contacts::WitnessCache witness;
  SeparatingPlane plane;              ///< at the iterate
  std::vector<CriticalPoint> points;  ///< those of a first
  double turned = 0.0;                ///< of the normal, by the last perturbation
  int first_row = -1;    ///< of its points, in the last program; −1 if it was out of reach
  int block = -1;        ///< of its plane, in the last program; −1 if it had none
  bool bounded = false;  ///< the tilt of its plane has rows
  bool meets = false;    ///< at the targets, or after a program that had left it out
  double inverse_mass = 0.0;
  double lift =
      0.0;  ///< potential energy by which a given body has lifted the other one off its target
  double push = 0.0;  ///< the way that the largest multiplier of its points makes a body give
  Vec<3> found = Vec<3>::Zero();  ///< of the plane: see CriticalPoint::found
};

class ObaPosition {
 public:
  /// How much the rows of points give: nothing; so little that programs behave well; so much that there is always a
  /// solution.
  enum class Rows { hard, normal, soft };

  ObaPosition(const World<3>& world, const SimulationOptions& options);

  /// False if it was interrupted.
  [[nodiscard]] bool update(const PositionTask& task, std::vector<Pose<3>>& poses,
                            StepReport<3>& report);
  /// Of the last update.
  [[nodiscard]] const std::vector<ClosePair>& pairs() const { return pairs_; }
  [[nodiscard]] std::pair<int, int> bodies(const ClosePair& pair) const {
    return {parts_.part(pair.a).body, parts_.part(pair.b).body};
  }
  /// Whether bodies overlap at these poses, each between its start and its target in the last update.
  [[nodiscard]] bool overlap_at(std::span<const Pose<3>> poses);
  /// Free bodies that are not movable and that a given one comes near on its way, itself or through others.
  [[nodiscard]] std::vector<int> in_the_way(const PositionTask& task);
  /// See Simulation::forget.
  void forget();

 private:
  struct Candidate {
    int a = 0;
    int b = 0;
    bool close = false;
    bool meets = false;  ///< at the targets
    contacts::WitnessCache witness;
  };
  enum class Step { solved, infeasible, interrupted };

  void begin(const PositionTask& task);
  void expect_ways();
  void find_candidates();
  [[nodiscard]] bool sweep_over(int part, const Bounds<3>& box);
  void add_close_pairs();
  void give_blocks();
  void add_new_pairs();
  [[nodiscard]] bool changes_sides(Candidate& candidate, double size);
  void add_pair(Candidate& candidate);
  void update_plane(ClosePair& pair);
  [[nodiscard]] int block_of(int body) const {
    return body == kWorld ? -1 : blocks_[static_cast<std::size_t>(body)];
  }
  [[nodiscard]] bool is_free(int body) const {
    return body != kWorld && movable_[static_cast<std::size_t>(body)] != 0;
  }
  [[nodiscard]] double nearness(double size) const;
  [[nodiscard]] double tolerance(double size) const;
  [[nodiscard]] MassMatrix<3> weight(int body) const;

  void build_program(Rows rows);
  [[nodiscard]] bool is_out_of_reach(const ClosePair& pair) const;
  void set_inverse_mass(ClosePair& pair) const;
  [[nodiscard]] Eigen::Matrix3d plane_weight(const ClosePair& pair) const;
  [[nodiscard]] bool are_balls(const ClosePair& pair) const {
    return parts_.part(pair.a).kind == ConvexPart::Kind::ball &&
           parts_.part(pair.b).kind == ConvexPart::Kind::ball;
  }
  void add_body_term(int body, const Twist<3>& row);
  [[nodiscard]] Twist<3> motion_of(int body, const Solution& solution) const;
  void add_rows(ClosePair& pair, int plane_block, Rows rows);
  void add_row_of_balls(ClosePair& pair, Rows rows);
  void add_joints(Rows rows);
  void add_bounds();
  void add_tilt_bounds();
  [[nodiscard]] double give(const Solution& solution) const;
  [[nodiscard]] bool pierces(const Solution& solution);
  [[nodiscard]] double depth_to_be_through(int a, int b) const;
  void begin_near_last();
  void keep_found(const Solution& solution);
  [[nodiscard]] Step solve_program(StepReport<3>& report);
  void apply(const Solution& solution);
  [[nodiscard]] bool is_pushed(const ClosePair& pair) const;
  [[nodiscard]] double lift_by_given(const ClosePair& pair, const Solution& solution) const;
  void move_given();
  [[nodiscard]] bool leads_astray(const Solution& solution) const;
  [[nodiscard]] std::vector<Twist<3>> motions_by(const Solution& solution) const;
  [[nodiscard]] bool passes_through(const Solution& solution);
  [[nodiscard]] bool gets_deep(int a, int b, std::span<const Twist<3>> motions,
                               contacts::WitnessCache* witness) const;
  [[nodiscard]] bool turns_too_far(const Solution& solution);
  [[nodiscard]] bool tilts_too_far(const Solution& solution);
  [[nodiscard]] bool iterate(StepReport<3>& report);
  [[nodiscard]] bool crush(StepReport<3>& report);
  void roll_back(StepReport<3>& report);
  void choose_bodies(bool only_turning);
  void lower_wishes(double share);
  void forget_lifts();
  [[nodiscard]] bool all_slow() const;
  [[nodiscard]] bool turns_are_bounded() const;
  [[nodiscard]] bool is_driven() const;
  [[nodiscard]] bool has_no_room(StepReport<3>& report);
  void give_up(StepReport<3>& report);
  void look();
  [[nodiscard]] bool apart(double joint_share) const;
  [[nodiscard]] bool fits() const;

  const World<3>& world_;
  const SimulationOptions& options_;
  contacts::PairsKeptApart<3> kept_apart_;
  PlacedParts parts_;                ///< at the iterate
  PlacedParts target_parts_;         ///< at the targets
  std::vector<std::uint8_t> round_;  ///< programs do not turn them
  std::vector<double> diameters_;
  bool crowd_;  ///< so many bodies that programs are solved otherwise
  Solver solver_;
  Program program_;

  // Of the frame.
  double h_ = 0.0;
  double turn_bound_ = 0.0;
  std::span<const std::uint8_t> movable_;
  std::vector<Pose<3>> poses_;
  std::vector<Pose<3>> start_;
  std::span<const Pose<3>> goals_;  ///< the targets as they were given
  std::vector<Pose<3>> targets_;
  std::vector<double> ways_;  ///< to the targets, of each body: the longest of any point
  std::vector<double>
      reach_;  ///< of each body: pairs further apart are left out of the next program
  std::vector<std::vector<Pose<3>>> past_;  ///< iterates before the perturbations made so far
  std::vector<Candidate> candidates_;
  std::vector<Bounds<3>> swept_;  ///< of each part, room included
  std::vector<ClosePair> pairs_;
  std::vector<MovingJointRow<3>> joints_;
  std::vector<std::uint8_t> taken_;  ///< bodies that take part
  std::vector<std::uint8_t>
      waits_;  ///< of these, the ones that stay where they are in the next program
  Blocks blocks_;
  std::vector<int> active_;            ///< bodies with a block, by their blocks
  std::vector<std::uint8_t> bounded_;  ///< bodies whose turn has rows: 1, and 2 if these held
  Eigen::VectorXd bounds_;             ///< of the rows that are being added, with their terms
  Eigen::MatrixXd on_body_, on_plane_;
  Eigen::VectorXd slack_;
  std::vector<int> first_;               ///< of the variables, by block; planes after bodies
  std::vector<MassMatrix<3>> inverses_;  ///< of the weights, by block
  std::vector<Twist<3>> wanted_;         ///< displacements to the targets, by block
  double wishes_ =
      1.0;  ///< of the ways to the targets, what is left in the program: see lower_wishes
  bool found_ = false;                   ///< there was a program in this frame
  std::vector<Twist<3>> found_motions_;  ///< of bodies: see CriticalPoint::found
  double settled_lift_ = 0.0;  ///< what was left of ClosePair::lift when the targets came nearer
  int row_ = 0;
  std::vector<int> scratch_;
};

}  // namespace collapse::simulate
