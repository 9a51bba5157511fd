#pragma once
/// A whole step as one convex program over displacements x (docs/theory/motion.md):
///
///     minimise   ½ (x − x̂)ᵀ M (x − x̂),   x̂ = h v + h² M⁻¹ f
///     contacts   d(q_k) + n·u(x − x_k) ≥ 0,  with friction  … + μσ ± μ t·u(x) ≥ 0
///     joints     g(q_k) + J (x − x_k) = 0
///
/// with turns as vectors along their axes in space, where the rows take in how the exponential map changes with them,
/// linearised at the last result x_k until gaps and joints fit, with σ = |t·u(x_k)| for Coulomb's law and
/// σ = 0 for the associated one. The multipliers are forces times h².

#include <algorithm>
#include <map>
#include <optional>

#include "contact/motion_contacts.hpp"
#include "contact/space/motion_contacts_space.hpp"
#include "simulate/contact_terms.hpp"
#include "simulate/freezer.hpp"
#include "simulate/scheme.hpp"
#include "simulate/slot.hpp"
#include "solver/anderson.hpp"

namespace collapse::simulate {

[[nodiscard]] SolverOptions solver_options(const SimulationOptions& options);

/// How a step comes to its end. A few bodies are followed to the last digits. Of crowds in space, whose forces are
/// seldom unique and whose programs cost more, rounds begin with soft contacts, which the next ones make up for, and
/// end as soon as what is left can be taken away by itself (remove_overlap).
struct Pace {
  int rounds;  ///< programs per step at most; most steps need one to three
  int settled_rows;  ///< from this round on rows are only added: one that comes and goes must not keep it from settling
  int settling;  ///< from this round on σ only goes down, so that friction that has not settled lifts a little and does
                 ///< not let penetrate
  double
      fit;  ///< gaps of bodies that move fit if they are met to this share of the touch tolerance
  /// Of what falls in a step: what was at rest and moves by no more than this is not known to move at all.
  double still;
  double moving_tolerance;  ///< of programs where something moves
  /// Share of the inverse mass at a contact: the compliance of the programs. It is counted from the multipliers of the
  /// last program, so that it vanishes as the rounds settle; it makes multipliers unique and programs well behaved.
  double compliance;
  /// In the first round, where bodies move; halved in each round down to `compliance`.
  double first_compliance;
  /// Where two bodies are nearly still and others move: what is soft there creeps for ever.
  double slow_compliance;
  double joint_fit;  ///< of the touch tolerance: what joints may miss at the end
  double overlap;    ///< of the touch tolerance: what need not be taken away
  double rest_fit;   ///< of the touch tolerance: what gaps of bodies at rest may miss
};
inline constexpr Pace kPlanePace{40, 6, 34, 0.01, 1e-8, 1e-9, 1e-5, 1e-5, 1e-5, 0.01, 0.02, 0.01};
inline constexpr Pace kSpacePace{40, 6, 34, 0.01, 1e-8, 1e-9, 1e-5, 1e-5, 1e-5, 1e-4, 0.02, 0.01};
inline constexpr Pace kCrowdPace{3, 2, 1, 2.0, 1e-4, 1e-6, 1e-5, 1e-2, 1e-4, 1e-4, 2.0, 0.2};
/// More free bodies in space than this are a crowd.
inline constexpr std::size_t kCrowdSize = 64;
/// Of what falls in two steps: gaps of crowds are not known better.
inline constexpr double kCrowdTouch = 1e-4;
/// Of a body's size: but no worse than this.
inline constexpr double kCrowdShare = 1e-5;

template <int Dim>
class PositionScheme final : public Scheme<Dim> {
 public:
  enum class Friction { as_in_the_scene, none };
  PositionScheme(const Scene<Dim>& scene, const SimulationOptions& options,
                 Friction friction = Friction::as_in_the_scene);

  StepReport<Dim> step(State<Dim>& state, double time, double h) override;
  [[nodiscard]] double energy(const State<Dim>& state) const override {
    return world_.energy(state);
  }
  [[nodiscard]] std::span<const std::uint8_t> frozen() const override { return freezer_.frozen(); }
  void forget() override;

 private:
  /// A contact of the step with what it needs in the program.
  struct Entry {
    contacts::MotionRow<Dim> row;
    double start_gap = 0.0;
    double least_gap = 0.0;  ///< what it has to be at the end: 0, or the overlap at the start
    double mu = 0.0;
    double sigma = -1.0;      ///< −1: not known yet
    ContactTerms<Dim> terms;  ///< at the last iterate
    double gap = 0.0;         ///< likewise
    int first_row = 0;
    int rows = 0;  ///< none where both bodies are held
    /// Of the last program, or of the last step: what the compliance is counted from.
    RowValues<Dim> multipliers = RowValues<Dim>::Zero();
    double compliance = 0.0;
    double give = 0.0;                  ///< what the compliance let the last program miss, length
    Vec<Dim> force = Vec<Dim>::Zero();  ///< on b, from the last program
    double push = 0.0;  ///< the way that the force makes the two bodies give in the step
  };

  [[nodiscard]] StepReport<Dim> step_in_parts(State<Dim>& state, double time, double h,
                                              int halvings);
  [[nodiscard]] bool whole_step(State<Dim>& state, double time, double h, bool may_fail,
                                StepReport<Dim>& report);
  /// One program, from where the last one ended; false if it was interrupted.
  [[nodiscard]] bool make_round(StepReport<Dim>& report);
  [[nodiscard]] std::vector<int> movers() const;
  [[nodiscard]] bool most_rest(const std::vector<int>& moving) const;
  [[nodiscard]] bool comes_to_rest() const;
  [[nodiscard]] bool settle_movers(StepReport<Dim>& report);
  [[nodiscard]] bool went_astray();
  /// Rounds have not settled, and leave more than can be taken away by itself.
  [[nodiscard]] bool overlaps_still(const StepReport<Dim>& report) const;
  [[nodiscard]] bool turned_far() const;
  [[nodiscard]] bool spins_fast(const State<Dim>& state, double h) const;
  /// A ball is the same however it is turned.
  [[nodiscard]] bool turn_matters(int body) const {
    return !world_.scene().bodies[slot_of(body)].shape.is_ball();
  }
  void begin(const State<Dim>& state, double time, double h);
  void give_blocks();
  void find_rows(bool keep_all);
  void keep_rows(std::vector<Entry>& old);
  void doubt_overlap_at_start();
  void ask_frozen();
  [[nodiscard]] bool shoves(int body) const;
  void wake_touched();
  void freeze();
  [[nodiscard]] bool rows_are_current() const;
  void linearise();
  void turn_rows();
  void update_sigma();
  enum class Stiffness { hard, normal, soft };
  void build_program(Stiffness stiffness);
  /// Whether one of the two bodies is on a path.
  [[nodiscard]] bool is_pushed(const ContactId& id) const;
  [[nodiscard]] double compliance_share(const Entry& entry, Stiffness stiffness) const;
  /// False if it was interrupted.
  [[nodiscard]] bool solve_program(StepReport<Dim>& report);
  [[nodiscard]] bool give_way(StepReport<Dim>& report);
  void take_solution(const Solution& solution);
  /// Moves to the program's solution; whether gaps, joints and friction fit there.
  /// What the gap of a contact may be wrong by.
  [[nodiscard]] double give_tolerance(const Entry& entry) const;
  [[nodiscard]] double fit_tolerance(const Entry& entry) const;
  /// A length no body is known to move by.
  [[nodiscard]] double still_way() const { return pace_.still * near_; }
  [[nodiscard]] bool is_still(int body, const Twist<Dim>& x) const;
  [[nodiscard]] bool fits();
  /// To this share of the touch tolerance.
  [[nodiscard]] bool joints_fit(double share);
  /// Of bodies on paths on each free body.
  [[nodiscard]] std::vector<double> driven_work() const;
  void bounce(const State<Dim>& state, StepReport<Dim>& report);
  /// How much is left to part, relative to the bodies' sizes.
  [[nodiscard]] double left_to_part() const;
  void remove_overlap(StepReport<Dim>& report);
  void name_crushed(StepReport<Dim>& report);
  void name_wedged(StepReport<Dim>& report);
  void name_squeezed(const Eigen::VectorXd& ray, StepReport<Dim>& report);
  [[nodiscard]] double measure_overlap(StepReport<Dim>& report);
  /// Of what overlaps at a contact, what is to be taken away, relative to what bodies may miss.
  [[nodiscard]] double to_part(const Entry& entry) const {
    return (0.5 * entry.least_gap - entry.gap) / touch_of(entry.row.size);
  }
  [[nodiscard]] std::vector<int> bodies_to_part(int round) const;
  [[nodiscard]] bool part_crowd(int round, StepReport<Dim>& report);
  [[nodiscard]] bool part(const std::vector<int>& bodies, double softness, double inertia,
                          StepReport<Dim>& report);
  void finish(State<Dim>& state, StepReport<Dim>& report);
  [[nodiscard]] int block_of(int body) const {
    return body == kWorld ? -1 : blocks_[static_cast<std::size_t>(body)];
  }
  /// The touch tolerance as a length. Programs of crowds are not solved to the last digits, which grow with the step.
  [[nodiscard]] double touch_of(double size) const {
    return std::max(options_.touch * size,
                    is_crowd() ? std::min(kCrowdTouch * near_, kCrowdShare * size) : 0.0);
  }
  [[nodiscard]] double tolerance(double size) const;
  /// Inverse of the mass that a row of the two bodies at a contact sees; 0 if both are given.
  [[nodiscard]] double inverse_mass(const ContactTerms<Dim>& terms) const;
  /// The most that counts of it for the compliance of contacts.
  [[nodiscard]] double largest_softness() const;
  [[nodiscard]] double joint_softness(const MovingJointRow<Dim>& joint) const;
  [[nodiscard]] double way_of(int body, const Twist<Dim>& x) const {
    return world_.way_of(body, x);
  }
  /// Whether the contact carries more than rounding.
  [[nodiscard]] bool carries(const Entry& entry) const;

  /// Whether rounds leave to remove_overlap what the next program would have to make good.
  [[nodiscard]] bool is_crowd() const { return &pace_ == &kCrowdPace; }

  const SimulationOptions& options_;
  bool smooth_;  ///< no friction anywhere
  World<Dim> world_;
  const Pace& pace_;
  std::vector<int> sizes_;  ///< of each body's block: see block_sizes
  contacts::MotionContacts<Dim> finder_;
  Freezer<Dim> freezer_;
  Solver solver_;
  Solver impact_solver_;
  Solver overlap_solver_;
  Anderson anderson_;
  std::vector<ContactId> rough_;  ///< what it is about
  double best_slip_ = 0.0;        ///< least change of σ so far, of the step

  struct Held {
    ContactId id;
    RowValues<Dim> multipliers;  ///< divided by h²
  };
  std::vector<Held> held_;         ///< multipliers of the last step, sorted by id
  std::vector<Twist<Dim>> gains_;  ///< of displacements in the last step over the one before
  double gained_in_ = 0.0;         ///< its length
  int unasked_ = 0;                ///< steps since frozen bodies were asked
  int stayed_ = 0;                 ///< steps since something moved
  bool wedged_ = false;            ///< the last step crushed something

  // Of the step being made.
  int round_ = 0;
  bool moves_ = false;     ///< something does, and is not nearly still
  double accuracy_ = 0.0;  ///< of its programs
  double h_ = 0.0;
  double near_ = 0.0;
  /// Gaps of pairs of bodies that overlap there: found when they are asked for.
  std::optional<std::map<std::pair<int, int>, double>> overlap_at_start_;
  std::vector<Pose<Dim>> start_;
  std::vector<Pose<Dim>> poses_;         ///< at the iterate
  std::vector<Twist<Dim>> targets_;      ///< x̂
  std::vector<Twist<Dim>> drifts_;       ///< of the free flights, see Flight
  std::vector<MassMatrix<Dim>> masses_;  ///< of active bodies, at the start
  std::vector<MassMatrix<Dim>> inverse_masses_;
  std::vector<Twist<Dim>> displacements_;  ///< x, of all bodies
  std::vector<Twist<Dim>> found_for_;      ///< displacements that the rows were found for
  std::vector<Twist<Dim>> velocities_;     ///< at the end
  std::vector<double> joint_forces_;       ///< from the last programs
  std::vector<Twist<Dim>> external_;
  Blocks blocks_;
  std::vector<int> active_;  ///< bodies with a block, in their order
  std::vector<std::uint8_t>
      still_;                  ///< bodies that stay where they are whatever happens: see Sweep
  double change_ = 0.0;        ///< of the displacement of a body that may rest, between rounds
  bool rows_missing_ = false;  ///< at the last result there are some that it does not fit
  bool held_back_ = false;     ///< some body was to turn by more than rows are good for
  bool something_stopped_ =
      false;  ///< a body at rest was found to move by no more than the accuracy
  std::vector<std::uint8_t> at_rest_;  ///< at the start
  std::vector<Entry> entries_;
  std::vector<contacts::MotionRow<Dim>> rows_;
  std::vector<MovingJointRow<Dim>> joints_;
  Program program_;
};

}  // namespace collapse::simulate
