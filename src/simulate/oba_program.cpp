#include "simulate/oba_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/oba_planes.hpp"
#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Of the programs, free of units.
constexpr double kAccurate = 1e-10;
constexpr double kQuick = 1e-7;
/// Share of the inverse mass at a contact: what is missing of the velocities at one, about. In large piles forces that are
/// not unique would cost iterations.
constexpr double kAccurateCompliance = 1e-7;
constexpr double kQuickCompliance = 1e-6;
constexpr double kAccurateCrowdCompliance = 1e-5;
constexpr double kQuickCrowdCompliance = 1e-4;
/// Bodies of a large program.
constexpr std::size_t kCrowd = 300;
/// Inverse masses at contacts count for the compliance up to this multiple of the least one.
constexpr double kObaMassRatio = 100.0;
/// A program with a larger residual is solved again from scratch, and reported if that does not help.
constexpr double kObaTrusted = 1e-6;

/// Contacts that touch make sparse factors: of a thousand bodies one costs less than conjugate gradients do.
SolverOptions oba_solver_options(const SimulationOptions& options, ObaProgram::Kind kind) {
  SolverOptions out;
  out.linear = LinearMethod::direct;
  out.threads = options.threads;
  out.interrupt = options.interrupt;
  out.tolerance = out.complementarity_tolerance =
      kind == ObaProgram::Kind::accurate ? kAccurate : kQuick;
  return out;
}

using FrameRows = Eigen::Matrix<double, 6, 3>;

FrameRows frame_rows(const Twist<3>& normal, const ContactTerms<3>::TangentRows& tangents) {
  FrameRows rows;
  rows << normal, tangents;
  return rows;
}

}  // namespace

ObaCone oba_cone(const ContactTerms<3>& terms, double mu, const ConeModel& model) {
  if (mu == 0.0) return ObaCone(Eigen::RowVector3d::Unit(0));
  if (model.cone == FrictionCone::circular) {
    return Vec<3>(1.0, mu, mu).asDiagonal().toDenseMatrix() / std::sqrt(1.0 + mu * mu);
  }
  Contact<3> contact;
  contact.normal = terms.normal;
  contact.friction = mu;
  Eigen::Matrix3d frame;
  frame << terms.normal, terms.tangents;
  return cone_directions<3>(contact, model).transpose() * frame;
}

Vec<3> motion_over(const ContactTerms<3>& terms, std::span<const Twist<3>> velocities) {
  Vec<3> motion;
  motion << terms.along_normal(velocities), terms.along_tangents(velocities);
  return motion;
}

double work_of_given(const World<3>& world, const ContactTerms<3>& terms, const Vec<3>& impulse,
                     std::span<const Twist<3>> velocities) {
  const double normal = terms.normal.dot(impulse);
  const Vec<2> tangential = terms.tangents.transpose() * impulse;
  const auto work = [&](int body, const Twist<3>& n, const ContactTerms<3>::TangentRows& t) {
    if (world.block_of(body) >= 0) return 0.0;
    const Twist<3>& v = velocities[slot_of(body)];
    return -normal * n.dot(v) - tangential.dot(t.transpose() * v);
  };
  return work(terms.a, terms.normal_a, terms.tangents_a) +
         work(terms.b, terms.normal_b, terms.tangents_b);
}

double fastest_motion(const ObaTouch& touch, std::span<const Twist<3>> velocities) {
  double fastest = 0.0;
  for (const ObaContact& contact : touch.contacts) {
    fastest = std::max(fastest, motion_over(contact.terms, velocities).norm());
  }
  return fastest;
}

ObaBodies::ObaBodies(const World<3>& world, const ObaTouch& touch,
                     std::span<const std::uint8_t> fixed)
    : blocks(touch.poses.size(), -1),
      masses(touch.poses.size(), MassMatrix<3>::Zero()),
      inverses(touch.poses.size(), MassMatrix<3>::Zero()) {
  std::vector<std::uint8_t> takes_part(touch.poses.size(), 0);
  const auto mark = [&](int body) {
    if (world.block_of(body) < 0) return;
    if (fixed.empty() || fixed[slot_of(body)] == 0) takes_part[slot_of(body)] = 1;
  };
  for (const ObaContact& contact : touch.contacts) {
    mark(contact.terms.a);
    mark(contact.terms.b);
  }
  for (const MovingJointRow<3>& row : touch.joints) {
    const Joint<3>& joint = world.scene().joints[slot_of(row.joint)];
    mark(joint.a);
    mark(joint.b);
  }
  for (const int body : world.free_bodies()) {
    const std::size_t i = slot_of(body);
    if (takes_part[i] == 0) continue;
    blocks[i] = static_cast<int>(active.size());
    active.push_back(body);
    masses[i] = world.mass_matrix(body, touch.poses[i]);
    inverses[i] = world.inverse_mass_matrix(body, touch.poses[i]);
  }
}

double ObaBodies::inverse_mass(const ContactTerms<3>& terms) const {
  return terms.normal_a.dot(inverses[slot_of(terms.a)] * terms.normal_a) +
         terms.normal_b.dot(inverses[slot_of(terms.b)] * terms.normal_b);
}

ObaProgram::ObaProgram(const World<3>& world, const SimulationOptions& options, Kind kind)
    : world_(world),
      options_(options),
      kind_(kind),
      solver_(oba_solver_options(options, kind)),
      round_(round_bodies(world.scene())) {}

void ObaProgram::forget() {
  solver_ = Solver(oba_solver_options(options_, kind_));
  held_.clear();
}

Eigen::VectorXd ObaProgram::shift_of(const ContactId& id, double compliance,
                                     Eigen::Index rows) const {
  const auto held = std::lower_bound(held_.begin(), held_.end(), id,
                                     [](const Held& x, const ContactId& y) { return x.id < y; });
  const bool known = held != held_.end() && held->id == id && held->multipliers.size() == rows;
  if (!known) return Eigen::VectorXd::Zero(rows);
  return compliance * held->multipliers;
}

/// Contacts without friction do not turn what is round.
void ObaProgram::choose_variables(const Question& question) {
  const ObaBodies& bodies = question.bodies;
  sizes_.assign(bodies.active.size(), 6);
  for (std::size_t k = 0; k < bodies.active.size(); ++k) {
    if (round_[slot_of(bodies.active[k])] != 0) sizes_[k] = 3;
  }
  for (const ObaContact& contact : question.touch.contacts) {
    if (!question.friction || contact.mu == 0.0) continue;
    for (const int body : {contact.terms.a, contact.terms.b}) {
      const int block = bodies.blocks[slot_of(body)];
      if (block >= 0) sizes_[slot_of(block)] = 6;
    }
  }
  first_.clear();
  int first = 0;
  for (const int size : sizes_) {
    first_.push_back(first);
    first += size;
  }
}

void ObaProgram::build(const Question& question, std::span<const Twist<3>> velocities) {
  const ObaBodies& bodies = question.bodies;
  program_.clear();
  choose_variables(question);
  double least = std::numeric_limits<double>::infinity();
  for (const int body : bodies.active) {
    const std::size_t i = slot_of(body);
    const int size = sizes_[slot_of(bodies.blocks[i])];
    program_.add_block(bodies.masses[i].topLeftCorner(size, size), question.momenta[i].head(size));
    least = std::min(least, bodies.inverses[i](0, 0));
  }
  const bool crowd = bodies.active.size() >= kCrowd;
  const double share = kind_ == Kind::accurate
                           ? (crowd ? kAccurateCrowdCompliance : kAccurateCompliance)
                           : (crowd ? kQuickCrowdCompliance : kQuickCompliance);
  first_rows_.clear();
  for (std::size_t c = 0; c < question.touch.contacts.size(); ++c) {
    const ObaContact& contact = question.touch.contacts[c];
    const ContactTerms<3>& terms = contact.terms;
    const int block_a = bodies.blocks[slot_of(terms.a)];
    const int block_b = bodies.blocks[slot_of(terms.b)];
    first_rows_.push_back(block_a < 0 && block_b < 0 ? -1 : program_.rows());
    if (first_rows_.back() < 0) continue;
    const ObaCone cone = oba_cone(terms, question.friction ? contact.mu : 0.0, options_.oba.cone);
    const FrameRows rows_a = frame_rows(terms.normal_a, terms.tangents_a);
    const FrameRows rows_b = frame_rows(terms.normal_b, terms.tangents_b);
    Vec<3> tip = question.tips[c];
    if (block_a < 0) tip -= rows_a.transpose() * velocities[slot_of(terms.a)];
    if (block_b < 0) tip -= rows_b.transpose() * velocities[slot_of(terms.b)];
    Program::Traits traits;
    traits.id = group_id(contact.id);
    traits.compliance = share * std::min(bodies.inverse_mass(terms), kObaMassRatio * least);
    const bool round = cone.rows() > 1 && options_.oba.cone.cone == FrictionCone::circular;
    program_.begin_group(round ? Cone::second_order : Cone::nonnegative,
                         cone * tip + shift_of(contact.id, traits.compliance, cone.rows()), traits);
    for (const auto& [block, rows] : {std::pair(block_a, &rows_a), {block_b, &rows_b}}) {
      if (block < 0) continue;
      program_.add_term(block, cone * rows->topRows(sizes_[slot_of(block)]).transpose());
    }
  }
  add_joints(question, velocities);
}

void ObaProgram::add_joints(const Question& question, std::span<const Twist<3>> velocities) {
  const Blocks& blocks = question.bodies.blocks;
  for (const MovingJointRow<3>& joint : question.touch.joints) {
    const Joint<3>& source = world_.scene().joints[slot_of(joint.joint)];
    double bound = 0.0;
    if (source.a != kWorld && blocks[slot_of(source.a)] < 0) {
      bound -= joint.row.on_a.dot(velocities[slot_of(source.a)]);
    }
    if (source.b != kWorld && blocks[slot_of(source.b)] < 0) {
      bound -= joint.row.on_b.dot(velocities[slot_of(source.b)]);
    }
    const auto id = static_cast<std::uint64_t>(joint.joint) * 16 +
                    static_cast<std::uint64_t>(joint.number) * 2 + 2;
    add_joint(program_, world_, blocks, joint, bound, {.id = id});
  }
}

void ObaProgram::read_velocities(const Question& question, const Eigen::VectorXd& x,
                                 std::vector<Twist<3>>& velocities) const {
  for (const int body : question.bodies.active) {
    const std::size_t i = slot_of(body);
    const std::size_t block = slot_of(question.bodies.blocks[i]);
    if (sizes_[block] < 6) velocities[i] = question.bodies.inverses[i] * question.momenta[i];
    velocities[i].head(sizes_[block]) = x.segment(first_[block], sizes_[block]);
  }
}

bool ObaProgram::solve(const Question& question, std::vector<Twist<3>>& velocities,
                       ObaImpulses& impulses, StepReport<3>& report) {
  impulses.assign(question.touch.contacts.size(), Vec<3>::Zero());
  if (question.bodies.active.empty()) return true;
  build(question, velocities);
  const Solution* solution = &solver_.solve(program_);
  report.count(*solution);
  if (solution->status != Status::optimal && !(solution->residuals.worst() <= kObaTrusted) &&
      solution->status != Status::interrupted) {
    solver_ = Solver(oba_solver_options(options_, kind_));
    solution = &solver_.solve(program_);
    report.count(*solution);
    if (!(solution->residuals.worst() <= kObaTrusted) && solution->status != Status::interrupted) {
      report.incidents.push_back(
          fmt::format("a momentum program was solved to {:.1e} only", solution->residuals.worst()));
    }
  }
  if (solution->status == Status::interrupted) return false;
  if (!solution->x.allFinite() || !solution->lambda.allFinite()) return true;
  read_velocities(question, solution->x, velocities);
  held_.clear();
  for (std::size_t c = 0; c < impulses.size(); ++c) {
    if (first_rows_[c] < 0) continue;
    const ObaContact& contact = question.touch.contacts[c];
    const ObaCone cone =
        oba_cone(contact.terms, question.friction ? contact.mu : 0.0, options_.oba.cone);
    const Eigen::VectorXd lambda = solution->lambda.segment(first_rows_[c], cone.rows());
    const Vec<3> in_frame = cone.transpose() * lambda;
    impulses[c] = in_frame[0] * contact.terms.normal + contact.terms.tangents * in_frame.tail<2>();
    if (kind_ == Kind::accurate) held_.push_back({contact.id, lambda});
  }
  return true;
}

}  // namespace collapse::simulate
