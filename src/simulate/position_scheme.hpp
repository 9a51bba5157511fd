#pragma once
/// A whole step as one convex program over displacements x (docs/theory/motion.md):
///
///     minimise   ½ (x − x̂)ᵀ M (x − x̂),   x̂ = h v + h² M⁻¹ f
///     contacts   d(q_k) + n·u(x − x_k) ≥ 0,  with friction  … + μσ ± μ t·u(x) ≥ 0
///     joints     g(q_k) + J (x − x_k) = 0
///
/// linearised at the last result x_k until gaps and joints fit, with σ = |t·u(x_k)| for Coulomb's law and
/// σ = 0 for the associated one. The multipliers are forces times h².

#include <optional>

#include "contact/motion_contacts.hpp"
#include "simulate/contact_terms.hpp"
#include "simulate/freezer.hpp"
#include "simulate/scheme.hpp"
#include "solver/anderson.hpp"

namespace collapse::simulate {

class PositionScheme final : public Scheme {
 public:
  enum class Friction { as_in_the_scene, none };
  PositionScheme(const Scene<2>& scene, const SimulationOptions& options,
                 Friction friction = Friction::as_in_the_scene);

  StepReport step(State<2>& state, double time, double h) override;
  [[nodiscard]] double energy(const State<2>& state) const override { return world_.energy(state); }
  [[nodiscard]] std::span<const std::uint8_t> frozen() const override { return freezer_.frozen(); }
  void forget() override;

 private:
  /// A contact of the step with what it needs in the program.
  struct Entry {
    contacts::MotionRow row;
    double start_gap = 0.0;
    double least_gap = 0.0;  ///< what it has to be at the end: 0, or the overlap at the start
    double mu = 0.0;
    double sigma = -1.0;  ///< −1: not known yet
    ContactTerms terms;   ///< at the last iterate
    double gap = 0.0;     ///< likewise
    int first_row = 0;
    int rows = 0;
    /// Of the last program, or of the last step: what the compliance is counted from.
    Eigen::Vector2d multipliers = Eigen::Vector2d::Zero();
    double compliance = 0.0;
    double give = 0.0;              ///< what the compliance let the last program miss, length
    Vec<2> force = Vec<2>::Zero();  ///< on b, from the last program
    double push = 0.0;  ///< the way that the force makes the two bodies give in the step
  };

  [[nodiscard]] bool is_repeat(const State<2>& state, double time) const;
  void begin(const State<2>& state, double time, double h);
  void give_blocks();
  void find_rows(bool keep_all);
  void wake_touched();
  void freeze();
  [[nodiscard]] bool rows_are_current() const;
  void linearise();
  void update_sigma(int round);
  enum class Stiffness { hard, normal, soft };
  void build_program(Stiffness stiffness);
  /// False if it was interrupted.
  [[nodiscard]] bool solve_program(StepReport& report);
  [[nodiscard]] bool give_way(StepReport& report);
  void take_solution(const Solution& solution);
  /// Moves to the program's solution; whether gaps, joints and friction fit there.
  /// What the gap of a contact may be wrong by.
  [[nodiscard]] double give_tolerance(const Entry& entry) const;
  [[nodiscard]] bool is_still(int body, const Twist<2>& x) const;
  [[nodiscard]] bool fits();
  void bounce(const State<2>& state, StepReport& report);
  void remove_overlap(StepReport& report);
  void finish(State<2>& state, StepReport& report);
  [[nodiscard]] int block_of(int body) const {
    return body == kWorld ? -1 : blocks_[static_cast<std::size_t>(body)];
  }
  [[nodiscard]] double tolerance(double size) const;
  /// Inverse of the mass that a row of the two bodies at a contact sees; 0 if both are given.
  [[nodiscard]] double inverse_mass(const ContactTerms& terms) const;
  [[nodiscard]] double joint_softness(const MovingJointRow& joint) const;
  /// How far a displacement takes any point of a body, at most.
  [[nodiscard]] double way_of(int body, const Twist<2>& x) const;
  /// Whether the contact carries more than rounding.
  [[nodiscard]] bool carries(const Entry& entry) const;

  const SimulationOptions& options_;
  bool smooth_;  ///< no friction anywhere
  World world_;
  contacts::MotionContacts finder_;
  Freezer freezer_;
  Solver solver_;
  Solver impact_solver_;
  Anderson anderson_;
  std::vector<ContactId> rough_;  ///< what it is about
  double best_slip_ = 0.0;        ///< least change of σ so far, of the step

  struct Held {
    ContactId id;
    Eigen::Vector2d multipliers;  ///< divided by h²
  };
  std::vector<Held> held_;       ///< multipliers of the last step, sorted by id
  std::vector<Twist<2>> gains_;  ///< of displacements in the last step over the one before
  double gained_in_ = 0.0;       ///< its length
  bool rests_ = false;           ///< the last step changed nothing
  StepReport rest_;              ///< of such a step

  // Of the step being made.
  int round_ = 0;
  double h_ = 0.0;
  double near_ = 0.0;
  std::vector<Pose<2>> start_;
  std::vector<Pose<2>> poses_;           ///< at the iterate
  std::vector<Twist<2>> targets_;        ///< x̂
  std::vector<Twist<2>> displacements_;  ///< x, of all bodies
  std::vector<Twist<2>> found_for_;      ///< displacements that the rows were found for
  std::vector<Twist<2>> velocities_;     ///< at the end
  std::vector<Twist<2>> external_;
  Blocks blocks_;
  std::vector<int> active_;  ///< bodies with a block, in their order
  std::vector<std::uint8_t>
      still_;            ///< bodies that stay where they are whatever happens: see Sweep
  double change_ = 0.0;  ///< of the displacement of a body that may rest, between rounds
  bool something_stopped_ =
      false;  ///< a body at rest was found to move by no more than the accuracy
  std::vector<std::uint8_t> at_rest_;  ///< at the start
  std::vector<Entry> entries_;
  std::vector<contacts::MotionRow> rows_;
  std::vector<MovingJointRow> joints_;
  Program program_;
};

}  // namespace collapse::simulate
