#include "collapse/formulation/onset.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "collapse/core/error.hpp"
#include "collapse/geometry/motion.hpp"
#include "formulation/far.hpp"
#include "formulation/onset_forces.hpp"
#include "formulation/onset_heuristic.hpp"
#include "formulation/painleve.hpp"
#include "formulation/participants.hpp"

namespace collapse {
namespace {

/// Accelerations up to this share of the largest possible are none. The solver ends with 1e-10 under
/// Coulomb's law, 1e-12 otherwise.
constexpr double kNoAcceleration = 1e-8;
/// Of the same: a motion that is known no better than this is not known.
constexpr double kTrusted = 1e-6;
/// Of the accuracy of a motion: what it says counts from here on.
constexpr double kDoubt = 10.0;
/// Motions that differ by more than this share are different.
constexpr double kOtherMotion = 1e-6;
/// At most this many combinations of one normal for each corner contact are tried.
constexpr std::size_t kMostChoices = 1024;
/// Rounds in the search for a second motion, of structures with many contacts fewer: every round is a program.
constexpr int kSecondSearch = 60;
constexpr int kShortSearch = 8;
constexpr std::size_t kSearchedContacts = 60'000;  ///< rounds times contacts
/// A force is unique if its range is narrower than this share of the largest force.
constexpr double kUniqueForce = 1e-6;

constexpr const char* kParadox = " slides so that its friction presses it on (Painlevé's paradox)";

template <int Dim>
class OnsetFinder {
 public:
  OnsetFinder(const Scene<Dim>& scene, const State<Dim>& state, const ContactSet<Dim>& set,
              const OnsetOptions& options)
      : scene_(scene),
        state_(state),
        set_(set),
        options_(options),
        free_(scene, state),
        external_(forces_in_motion()),
        parts_(
            participants_of(scene, state, set, options.friction_law, options.velocity_tolerance)),
        moment_{scene,
                state,
                free_,
                external_,
                parts_.contacts,
                parts_.terms,
                {options.cone, options.sides}} {}

  Onset<Dim> run() {
    onset_.moves = std::any_of(state_.velocities.begin(), state_.velocities.end(),
                               [](const Twist<Dim>& v) { return !v.isZero(0.0); });
    onset_.reason = parts_.fault.empty() ? far_from_origin(scene_, set_) : parts_.fault;
    if (!onset_.reason.empty()) return std::move(onset_);
    onset_.decided = true;
    if (!free_.bodies.empty()) {
      reference_ = std::max(fastest(free_accelerations()), parts_.largest_beta);
      decide();
    }
    return std::move(onset_);
  }

 private:
  [[nodiscard]] std::vector<Twist<Dim>> forces_in_motion() const {
    std::vector<Twist<Dim>> forces = external_forces(scene_, state_, free_, options_.loads);
    for (std::size_t i = 0; i < forces.size(); ++i) {
      forces[i].template tail<kSpins<Dim>>() += gyroscopic_torque(scene_, state_, free_.bodies[i]);
    }
    return forces;
  }

  void decide() {
    motion_ = solve_counted(moment_, {});
    if (!settled()) {
      if (motion_.guess == analytical::Guess::neither) report();
      return;
    }
    doubt_ = contradiction();
    if (!parts_.corners.empty() && !corners_part() && !decide_corners()) return;
    doubt_ = contradiction();
    if (options_.friction_law == FrictionLaw::coulomb) {
      if (const auto contact = find_paradox(moment_, motion_, zero())) {
        leave_open(fmt::format("{}{}: Coulomb's law allows several motions, or none",
                               pair_name(scene_, moment_.contacts[*contact].id), kParadox));
      } else {
        look_for_other_motion();
      }
    }
    report();
  }

  [[nodiscard]] double zero() const {
    return std::max(kNoAcceleration, kDoubt * doubt_) * reference_;
  }

  void leave_open(const std::string& why) {
    onset_.decided = false;
    onset_.reason = why;
  }

  Solution solve_counted(const Program& program, const SolverOptions& options) {
    ++onset_.programs;
    if (options_.progress) options_.progress(onset_.programs);
    Solution solution = solve(program, options);
    onset_.iterations += solution.effort.iterations;
    return solution;
  }

  Accelerated<Dim> solve_counted(const Moment<Dim>& moment, AccelerationOptions options) {
    if (options_.progress) options_.progress(onset_.programs + 1);
    options.forces = options_.forces;
    Accelerated<Dim> motion = solve_acceleration(moment, options);
    onset_.programs += motion.programs;
    onset_.iterations += motion.iterations;
    return motion;
  }

  /// Whether the motion is one; says so if not.
  bool settled() {
    onset_.status = motion_.status;
    onset_.residual = motion_.residual;
    if (motion_.settled) return true;
    if (motion_.guess) {
      onset_.guess = motion_.guess;
      leave_open(heuristic_failure(*motion_.guess));
      return false;
    }
    // Nothing is known of the forces: a contact is looked at with the joints alone.
    Accelerated<Dim> without = motion_;
    for (Vec<Dim>& force : without.forces.contacts) force.setZero();
    std::string where;
    if (const auto paradox = find_paradox(moment_, without, zero())) {
      where = pair_name(scene_, moment_.contacts[*paradox].id) + kParadox + ": ";
    }
    for (std::size_t c = 0; c < moment_.contacts.size() && where.empty(); ++c) {
      if (moment_.slides(c)) where = pair_name(scene_, moment_.contacts[c].id) + " slides: ";
    }
    leave_open(fmt::format("{}no motion found that satisfies the laws: {}, residual {:.1e}", where,
                           to_string(motion_.status), motion_.residual));
    return false;
  }

  // --- corner on corner -----------------------------------------------------------------------

  /// A corner contact with one of its normals.
  void add_corner(Moment<Dim>& moment, std::size_t corner, std::size_t side) const {
    const Contact<Dim> contact = along_normal(parts_.corners[corner], side);
    moment.contacts.push_back(contact);
    moment.terms.contacts.push_back(term_at_rest(scene_, state_, contact, options_.friction_law));
  }

  /// Whether the motion without forces at the corners parts them, or leaves them as they are.
  [[nodiscard]] bool corners_part() const {
    for (std::size_t i = 0; i < parts_.corners.size(); ++i) {
      Moment<Dim> with = moment_;
      add_corner(with, i, 0);
      const Vec<Dim> relative = with.relative_acceleration(with.contacts.size() - 1, motion_.x);
      const auto& normals = parts_.corners[i].normals;
      const bool parts = std::any_of(normals.begin(), normals.end(), [&](const Vec<Dim>& normal) {
        return normal.dot(relative) >= -zero();
      });
      if (!parts) return false;
    }
    return true;
  }

  /// Along which normal bodies part is theirs to choose: decided if all choices give one motion. Takes
  /// the one of least constraint.
  bool decide_corners() {
    const std::size_t count = parts_.corners.size();
    const bool rough = std::any_of(parts_.corners.begin(), parts_.corners.end(),
                                   [](const auto& corner) { return corner.friction > 0.0; });
    std::size_t choices = 1;
    for (const CornerContact<Dim>& corner : parts_.corners) {
      choices = std::min(choices * corner.normals.size(), kMostChoices + 1);
    }
    if (rough || choices > kMostChoices) {
      leave_open(fmt::format("corner on corner ({}): {}", corner_names(),
                             rough ? "with friction the direction of its force is not known"
                                   : "more corners than can be tried in all combinations"));
      return false;
    }
    const Moment<Dim> without = moment_;
    std::optional<Moment<Dim>> best_moment;
    Accelerated<Dim> best;
    double least = 0.0;
    bool one_motion = true;
    for (std::size_t choice = 0; choice < choices; ++choice) {
      Moment<Dim> moment = without;
      std::size_t rest = choice;
      for (std::size_t i = 0; i < count; ++i) {
        add_corner(moment, i, rest % parts_.corners[i].normals.size());
        rest /= parts_.corners[i].normals.size();
      }
      Accelerated<Dim> motion = solve_counted(moment, {});
      if (!motion.settled) {
        motion_ = std::move(motion);
        return settled();
      }
      const double constraint = constraint_of(moment.program(), motion.x);
      if (best_moment && difference(motion.x, best.x) > kOtherMotion) one_motion = false;
      if (best_moment && constraint >= least) continue;
      least = constraint;
      best = std::move(motion);
      best_moment.emplace(std::move(moment));
    }
    motion_ = std::move(best);
    moment_.contacts = std::move(best_moment->contacts);
    moment_.terms = std::move(best_moment->terms);
    if (!one_motion) {
      leave_open(
          fmt::format("corner on corner ({}): it may part along either side", corner_names()));
    }
    return true;
  }

  [[nodiscard]] static double constraint_of(const Program& program, const Eigen::VectorXd& x) {
    Eigen::VectorXd product;
    program.mass_times(x, product);
    return 0.5 * x.dot(product) - program.linear().dot(x);
  }

  [[nodiscard]] std::string corner_names() const {
    constexpr std::size_t kNamed = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, parts_.corners.size()); ++i) {
      names += (i == 0 ? "" : ", ") + pair_name(scene_, parts_.corners[i].id);
    }
    if (parts_.corners.size() > kNamed) {
      names += fmt::format(" and {} more", parts_.corners.size() - kNamed);
    }
    return names;
  }

  // --- several motions ------------------------------------------------------------------------

  /// Sticking contacts may hold what nothing squeezes together, or let it go: both satisfy Coulomb's
  /// law. The search begins with the motion without friction.
  void look_for_other_motion() {
    Moment<Dim> smooth = moment_;
    bool sticks = false;
    for (ContactTerm<Dim>& term : smooth.terms.contacts) {
      sticks = sticks || term.rows == ContactRows::cone;
      term.rows = ContactRows::normal;
      term.drag.setZero();
    }
    if (!sticks) return;
    const Accelerated<Dim> start = solve_counted(smooth, {});
    if (!start.settled || difference(start.x, motion_.x) <= kOtherMotion) return;
    AccelerationOptions options;
    options.max_rounds = std::clamp(static_cast<int>(kSearchedContacts / moment_.contacts.size()),
                                    kShortSearch, kSecondSearch);
    const Program program = moment_.program();
    options.start = Eigen::VectorXd::Zero(program.rows());
    std::size_t c = 0;
    for (const Program::Group& group : program.groups()) {
      if (c == moment_.contacts.size()) break;
      if (group.cone == Cone::second_order) {
        const Vec<Dim> relative = moment_.relative_acceleration(c, start.x);
        const Vec<Dim>& n = moment_.contacts[c].normal;
        options.start[group.first_row] = (relative - n.dot(relative) * n).norm();
      }
      ++c;
    }
    const Accelerated<Dim> other = solve_counted(moment_, options);
    const double apart = difference(other.x, motion_.x);
    if (!other.settled || apart <= kOtherMotion) return;
    std::size_t where = 0;
    double most = 0.0;
    for (std::size_t k = 0; k < moment_.contacts.size(); ++k) {
      const double change = (other.forces.contacts[k] - motion_.forces.contacts[k]).norm();
      if (change > most) where = k;
      most = std::max(most, change);
    }
    leave_open(fmt::format(
        "Coulomb's law allows more than one motion, with accelerations of {:.2g} and of {:.2g} of "
        "the free ones; they differ most in the force of {}",
        fastest(motion_.x) / reference_, fastest(other.x) / reference_,
        pair_name(scene_, moment_.contacts[where].id)));
  }

  // --- sizes ----------------------------------------------------------------------------------

  [[nodiscard]] Eigen::VectorXd free_accelerations() const {
    const Program program = moment_.program();
    Eigen::VectorXd x(program.variables());
    for (const Program::Block& block : program.blocks()) {
      x.segment(block.first, block.size) =
          program.mass(block).inverse() * program.linear().segment(block.first, block.size);
    }
    return x;
  }

  [[nodiscard]] Twist<Dim> twist(const Eigen::VectorXd& x, std::size_t i) const {
    return x.template segment<kDofs<Dim>>(static_cast<Eigen::Index>(i) * kDofs<Dim>);
  }

  /// Of any point of any body.
  [[nodiscard]] double fastest(const Eigen::VectorXd& x) const {
    double most = 0.0;
    for (std::size_t i = 0; i < free_.bodies.size(); ++i) {
      const auto body = static_cast<std::size_t>(free_.bodies[i]);
      most = std::max(most, fastest_point(scene_.bodies[body].shape, state_.poses[body],
                                          free_.centres[body], twist(x, i)));
    }
    return most;
  }

  [[nodiscard]] double difference(const Eigen::VectorXd& x, const Eigen::VectorXd& y) const {
    return reference_ > 0.0 ? fastest(x - y) / reference_ : 0.0;
  }

  /// Of contacts and joints, as an acceleration.
  [[nodiscard]] double violation() const {
    double worst = 0.0;
    for (std::size_t c = 0; c < moment_.contacts.size(); ++c) {
      const Contact<Dim>& contact = moment_.contacts[c];
      const Vec<Dim> relative = moment_.relative_acceleration(c, motion_.x);
      const double normal = contact.normal.dot(relative);
      const Vec<Dim> across = relative - normal * contact.normal;
      worst = std::max(worst, moment_.lift(c, across) - normal);
    }
    for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
      const Joint<Dim>& joint = scene_.joints[j];
      const JointRows<Dim> rows = joint_rows(scene_, state_, joint);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        double left = moment_.terms.joints[j][static_cast<Eigen::Index>(k)];
        for (const auto& [body, row] :
             {std::pair(joint.a, rows[k].on_a), std::pair(joint.b, rows[k].on_b)}) {
          const int block = free_.block_of(body);
          if (block >= 0) left += row.dot(twist(motion_.x, static_cast<std::size_t>(block)));
        }
        worst = std::max(worst, std::abs(left));
      }
    }
    return worst;
  }

  /// The largest share at which contacts open and push all the same.
  [[nodiscard]] double contradiction() const {
    double largest = 0.0;
    for (const Vec<Dim>& force : motion_.forces.contacts) {
      largest = std::max(largest, force.norm());
    }
    if (largest == 0.0 || reference_ == 0.0) return 0.0;
    double worst = 0.0;
    for (std::size_t c = 0; c < moment_.contacts.size(); ++c) {
      const Contact<Dim>& contact = moment_.contacts[c];
      const Vec<Dim> relative = moment_.relative_acceleration(c, motion_.x);
      const double normal = contact.normal.dot(relative);
      const double lift = moment_.lift(c, relative - normal * contact.normal);
      worst = std::max(worst, std::min(motion_.forces.contacts[c].norm() / largest,
                                       (normal - lift) / reference_));
    }
    return worst;
  }

  // --- the answer -----------------------------------------------------------------------------

  void report() {
    onset_.guess = motion_.guess;
    onset_.share = reference_ > 0.0 ? fastest(motion_.x) / reference_ : 0.0;
    onset_.accelerates = onset_.share * reference_ > zero();
    onset_.moves = onset_.moves || onset_.accelerates;
    for (std::size_t i = 0; i < free_.bodies.size(); ++i) {
      const Twist<Dim> a = twist(motion_.x, i);
      onset_.bodies.push_back(
          {free_.bodies[i], a.template head<Dim>(), a.template tail<kSpins<Dim>>()});
    }
    const OnsetForces<Dim> forces(moment_, motion_, zero(),
                                  [this](const Program& program, const SolverOptions& options) {
                                    return solve_counted(program, options);
                                  });
    onset_.residual =
        std::max({forces.imbalance(), reference_ > 0.0 ? violation() / reference_ : 0.0, doubt_});
    if (onset_.decided && onset_.residual > kTrusted) {
      leave_open(fmt::format(
          "the motion is known only to {:.1g} of the free acceleration: masses or sizes differ by "
          "too much for the arithmetic",
          onset_.residual));
    }
    report_contacts(forces);
    report_parting();
    std::stable_sort(onset_.contacts.begin(), onset_.contacts.end(),
                     [](const auto& x, const auto& y) { return x.id < y.id; });
    for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
      onset_.joint_forces.push_back(
          joint_force(scene_, state_, static_cast<int>(j), forces.forces().joints[j]));
    }
  }

  void report_contacts(const OnsetForces<Dim>& forces) {
    std::vector<std::optional<std::array<double, 2>>> ranges(moment_.contacts.size());
    if (options_.ranges && motion_.settled) ranges = forces.ranges();
    double largest = 0.0;
    for (const Vec<Dim>& force : forces.forces().contacts)
      largest = std::max(largest, force.norm());
    for (std::size_t c = 0; c < moment_.contacts.size(); ++c) {
      const Contact<Dim>& at = moment_.contacts[c];
      const Vec<Dim> relative = moment_.relative_acceleration(c, motion_.x);
      OnsetContact<Dim> contact;
      contact.id = at.id;
      contact.point = at.point;
      contact.normal = at.normal;
      contact.force = forces.forces().contacts[c];
      contact.acceleration = at.normal.dot(relative);
      const Vec<Dim> across = relative - contact.acceleration * at.normal;
      if (!forces.carries(c)) {
        contact.state = ContactState::opening;
      } else if (moment_.slides(c)) {
        contact.state = ContactState::sliding;
      } else if (across.norm() > zero()) {
        contact.state = ContactState::slipping;
      }
      contact.range = ranges[c];
      contact.unique =
          contact.range && (*contact.range)[1] - (*contact.range)[0] <= kUniqueForce * largest;
      onset_.contacts.push_back(contact);
    }
  }

  void report_parting() {
    Moment<Dim> parting = moment_;
    parting.contacts = parts_.parting;
    parting.terms.contacts.assign(parts_.parting.size(), {});
    for (std::size_t c = 0; c < parting.contacts.size(); ++c) {
      const Contact<Dim>& at = parting.contacts[c];
      const auto facing = facing_of(scene_, state_, at, options_.velocity_tolerance);
      if (facing) {
        parting.terms.contacts[c].beta = contact_motion(scene_, state_, at, *facing).beta;
      }
      OnsetContact<Dim> contact;
      contact.id = at.id;
      contact.point = at.point;
      contact.normal = at.normal;
      contact.force = Vec<Dim>::Zero();
      contact.acceleration = at.normal.dot(parting.relative_acceleration(c, motion_.x));
      contact.state = ContactState::parting;
      if (options_.ranges) contact.range = std::array<double, 2>{0.0, 0.0};
      contact.unique = options_.ranges;
      onset_.contacts.push_back(contact);
    }
  }

  const Scene<Dim>& scene_;
  const State<Dim>& state_;
  const ContactSet<Dim>& set_;
  const OnsetOptions& options_;
  FreeBodies<Dim> free_;
  std::vector<Twist<Dim>> external_;
  Participants<Dim> parts_;
  Moment<Dim> moment_;
  double reference_ = 0.0;  ///< largest acceleration that loads and velocities alone would give
  Accelerated<Dim> motion_;
  double doubt_ = 0.0;  ///< share of the reference to which the motion contradicts itself
  Onset<Dim> onset_;
};

}  // namespace

std::string_view to_string(ContactState state) {
  switch (state) {
    case ContactState::parting:
      return "parting";
    case ContactState::opening:
      return "opening";
    case ContactState::resting:
      return "resting";
    case ContactState::slipping:
      return "slipping";
    case ContactState::sliding:
      return "sliding";
  }
  return "resting";
}

template <int Dim>
Onset<Dim> find_onset(const Scene<Dim>& scene, const State<Dim>& state,
                      const ContactSet<Dim>& contacts, const OnsetOptions& options) {
  if (options.forces == ForceMethod::heuristic) refuse_friction(scene, contacts);
  ConeModel{options.cone, options.sides}.validate();
  if (Dim == 3 && options.cone != FrictionCone::circular &&
      options.friction_law == FrictionLaw::coulomb) {
    throw Error(
        "cone", std::string(to_string(options.cone)),
        "circular: under Coulomb's law friction acts against the sliding, in any direction");
  }
  return OnsetFinder<Dim>(scene, state, contacts, options).run();
}

template Onset<2> find_onset(const Scene<2>&, const State<2>&, const ContactSet<2>&,
                             const OnsetOptions&);
template Onset<3> find_onset(const Scene<3>&, const State<3>&, const ContactSet<3>&,
                             const OnsetOptions&);

}  // namespace collapse
