#include "simulate/point_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "simulate/point_program.hpp"

namespace collapse::simulate {
namespace {

/// Lengths and sides fit if they are wrong by no more than this share of the bar or the smaller face.
constexpr double kFit = 1e-9;
constexpr int kMaxPrograms = 20;
constexpr int kMaxHalvings = 4;
/// Corrections that leave more than this share of the misfit are not going to succeed as they are.
constexpr double kSlow = 0.3;
/// No bar turns by more than this (radians) in one step; longer steps are cut.
constexpr double kMaxTurn = 0.5;
constexpr double kMaxSubSteps = 1000.0;
/// A solution with larger residuals is used only if there is no other.
constexpr double kUsable = 1e-7;

class PointScheme final : public Scheme<2> {
 public:
  PointScheme(const Scene<2>& scene, const SimulationOptions& options, const PointRules& rules)
      : scene_(scene),
        options_(options),
        model_(make_point_model(scene, options.model, options.touch)),
        program_(model_, links_of(scene, options, model_), options.scheme, rules, options.touch),
        rest_(model_),
        solver_(solver_options()) {
    acceleration_ = common_acceleration<2>(scene, options.loads);
  }

  StepReport<2> step(State<2>& state, double time, double h) override {
    read_motion(scene_, model_, state, time, h, motion_);
    const bool from_rest = is_still(motion_);
    // A step from rest that ended where it began ends there again.
    if (from_rest && rests_ && h == rested_step_ && motion_.start == rested_at_) return resting_;
    StepReport<2> report;
    State<2> next = state;
    rested_at_ = motion_.start;
    rested_step_ = h;
    const int parts = program_.fits() ? sub_steps(next, h) : 1;
    forces_.clear();
    for (int part = 0; part < parts; ++part) {
      advance(next, time + part * (h / parts), h / parts, 0, report);
      if (report.interrupted) return report;
    }
    for (auto& [id, contact] : forces_) {
      contact.force /= h;  // so far an impulse
      report.contacts.push_back(contact);
    }
    read_motion(scene_, model_, next, time + h, h, motion_);
    rests_ = from_rest && is_still(motion_) && motion_.start == rested_at_;
    if (rests_) {
      resting_ = report;
      resting_.programs = resting_.iterations = 0;
    }
    state = std::move(next);
    return report;
  }

  /// The velocities are those of the step that was made last, u/h: they belong to its middle. Together with the
  /// positions at its end they would make energy swing with m·g·v·h/2.
  [[nodiscard]] double energy(const State<2>& state) const override {
    PointMotion motion;
    read_motion(scene_, model_, state, 0.0, 1.0, motion);
    double sum = 0.0;
    for (int i = 0; i < model_.points(); ++i) {
      if (!model_.is_free(i)) continue;
      const Vec<2>& velocity = motion.shift[slot(i)];
      const Vec<2> middle = motion.start[slot(i)] - 0.5 * last_step_ * velocity;
      sum += model_.masses[slot(i)] * (0.5 * velocity.squaredNorm() - acceleration_.dot(middle));
    }
    return sum;
  }

  void forget() override {
    solver_ = Solver(solver_options());
    rests_ = false;
  }

 private:
  static bool is_still(const PointMotion& motion) {
    return std::all_of(motion.shift.begin(), motion.shift.end(),
                       [](const Vec<2>& shift) { return shift.isZero(0.0); });
  }

  /// Joints are between bodies.
  static std::vector<PointLink> links_of(const Scene<2>& scene, const SimulationOptions& options,
                                         const PointModel& model) {
    if (options.model == ModelKind::rigid) return {};
    return point_links(scene, model);
  }

  [[nodiscard]] SolverOptions solver_options() const {
    SolverOptions solver;
    solver.threads = options_.threads;
    solver.interrupt = options_.interrupt;
    return solver;
  }

  [[nodiscard]] int sub_steps(const State<2>& state, double h) {
    read_motion(scene_, model_, state, 0.0, h, motion_);
    double turn = 0.0;
    for (const PointBar& bar : model_.bars) {
      const Vec<2> r = motion_.start[slot(bar.i)] - motion_.start[slot(bar.j)];
      const Vec<2> u = motion_.shift[slot(bar.i)] - motion_.shift[slot(bar.j)];
      turn = std::max(turn, std::abs(r.x() * u.y() - r.y() * u.x()) / r.squaredNorm());
    }
    return static_cast<int>(std::clamp(std::ceil(turn / kMaxTurn), 1.0, kMaxSubSteps));
  }

  /// A step, in halves where the whole does not fit: a whip cracks faster than any step foresees.
  void advance(State<2>& state, double time, double h, int halvings, StepReport<2>& report) {
    read_motion(scene_, model_, state, time, h, motion_);
    external_.assign(slot(model_.points()), acceleration_);
    driven_.assign(slot(model_.points()), Vec<2>::Zero());
    add_force_loads(state);
    program_.begin(motion_, external_, h);
    rest_.begin(motion_, h * h * acceleration_.norm());
    const Outcome outcome = solve_step(report);
    if (outcome == Outcome::interrupted) return;
    if (outcome == Outcome::unsettled && halvings < kMaxHalvings) {
      for (const double part : {0.0, 0.5}) {
        advance(state, time + part * h, 0.5 * h, halvings + 1, report);
        if (report.interrupted) return;
      }
      return;
    }
    if (outcome != Outcome::settled) report.settled = false;
    report.crushed = outcome == Outcome::penalised || outcome == Outcome::stopped;
    if (outcome == Outcome::penalised) {
      report.incidents.emplace_back(
          "bars and contacts that cannot all hold at once: kept by a penalty in this step");
    } else if (outcome == Outcome::stopped) {
      report.incidents.emplace_back("a program without solution: all points stopped");
    }
    record(h, report);
    last_step_ = h;
    write_motion(scene_, model_, motion_, time, h, state);
  }

  void record(double h, StepReport<2>& report) {
    report.penetration = program_.penetration();
    report.driven_work += program_.driven_work();
    motion_.shift = program_.shift();
    for (int i = 0; i < model_.points(); ++i) {
      report.driven_work += driven_[slot(i)].dot(motion_.shift[slot(i)]);
    }
    for (const ContactForce<2>& contact : program_.forces()) {
      const auto [known, added] = forces_.emplace(contact.id, contact);
      const Vec<2> before = added ? Vec<2>(Vec<2>::Zero()) : known->second.force;
      known->second = contact;
      known->second.force = before + h * contact.force;
    }
  }

  void add_force_loads(const State<2>& state) {
    for (const AppliedLoad& applied : options_.loads) {
      const Load<2>& load = scene_.loads[slot(applied.load)];
      if (load.acceleration) continue;
      for (const PointBody& part : model_.bodies) {
        if (!part.free || part.body != load.body) continue;
        add_wrench(part, state, load_wrench<2>(scene_, state.poses, applied));
      }
    }
  }

  /// A force and a torque about the centre of mass, spread over the points as the accelerations of a rigid body.
  void add_wrench(const PointBody& part, const State<2>& state, const Twist<2>& wrench) {
    const Vec<2> centre = state.centre(scene_, part.body);
    double mass = 0.0;
    double inertia = 0.0;
    for (std::size_t k = 0; k < part.local.size(); ++k) {
      mass += part.masses[k];
      inertia += part.masses[k] * (motion_.start[slot(part.first) + k] - centre).squaredNorm();
    }
    const Spin<2> spin(wrench[2] / inertia);
    for (std::size_t k = 0; k < part.local.size(); ++k) {
      const std::size_t point = slot(part.first) + k;
      const Vec<2> a =
          wrench.head<2>() / mass + spin_velocity<2>(spin, Vec<2>(motion_.start[point] - centre));
      external_[point] += a;
      driven_[point] += part.masses[k] * a;
    }
  }

  enum class Outcome {
    settled,
    unsettled,  ///< lengths or sides do not fit
    penalised,  ///< there is no solution without a penalty
    stopped,    ///< nor with it
    interrupted,
  };

  /// Programs until everything fits.
  Outcome solve_step(StepReport<2>& report) {
    const bool once = !program_.fits() || options_.scheme == SchemeKind::acceleration;
    bool started_over = false;
    bool turned = false;
    bool soft = false;
    bool has_solution = false;
    double last_misfit = std::numeric_limits<double>::infinity();
    for (int round = 1; round <= kMaxPrograms; ++round) {
      report.interrupted = options_.interrupt && options_.interrupt();
      if (report.interrupted) return Outcome::interrupted;
      const Solution& solution = solver_.solve(program_.build(soft));
      report.count(solution);
      report.interrupted = solution.status == Status::interrupted;
      if (report.interrupted) return Outcome::interrupted;
      if (is_usable(solution)) {
        program_.take(solution.x, solution.lambda);
        if (program_.fits()) program_.hold(rest_);
        if (soft) return Outcome::penalised;
        if (once) return Outcome::settled;
        has_solution = true;
        const bool more = program_.add_missed_sides();
        const double misfit = program_.misfit();
        if (!more && misfit <= kFit) return Outcome::settled;
        if (turned && !more && misfit > last_misfit) return Outcome::unsettled;
        turned = turned || (!more && misfit > kSlow * last_misfit);
        last_misfit = misfit;
        program_.correct(turned);
      } else if (has_solution && !turned) {
        turned = true;
        program_.correct(turned);
      } else if (!has_solution && !started_over && program_.fits()) {
        started_over = true;
        program_.start_over();
      } else if (!soft) {
        soft = true;
      } else {
        program_.stop();
        return Outcome::stopped;
      }
    }
    return Outcome::unsettled;
  }

  static bool is_usable(const Solution& solution) {
    return (solution.status == Status::optimal || solution.residuals.worst() <= kUsable) &&
           solution.x.allFinite() && solution.lambda.allFinite();
  }

  const Scene<2>& scene_;
  const SimulationOptions& options_;
  PointModel model_;
  PointProgram program_;
  PointRest rest_;
  Solver solver_;
  double last_step_ = 0.0;                ///< its length; 0 at the start
  bool rests_ = false;                    ///< the last step was one from rest, and changed nothing
  std::vector<Vec<2>> rested_at_;         ///< start of the last step that was computed
  double rested_step_ = 0.0;              ///< and its length
  StepReport<2> resting_;                 ///< of such a step
  Vec<2> acceleration_ = Vec<2>::Zero();  ///< of gravity and loads, the same for all
  PointMotion motion_;
  std::vector<Vec<2>> external_;  ///< accelerations of the points without bars and contacts
  std::vector<Vec<2>> driven_;    ///< forces of loads on them
  std::map<ContactId, ContactForce<2>> forces_;  ///< of the step, summed over its parts
};

}  // namespace

std::unique_ptr<Scheme<2>> make_point_scheme(const Scene<2>& scene,
                                             const SimulationOptions& options,
                                             const PointRules& rules) {
  return std::make_unique<PointScheme>(scene, options, rules);
}

std::unique_ptr<Scheme<2>> make_point_scheme(const Scene<2>& scene,
                                             const SimulationOptions& options) {
  return make_point_scheme(scene, options, PointRules{});
}

}  // namespace collapse::simulate
