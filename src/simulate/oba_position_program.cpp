/// The programs of the position update: how they are built and what is made of their solutions.

#include <algorithm>
#include <array>
#include <cmath>

#include "simulate/oba_position.hpp"
#include "simulate/slot.hpp"

namespace collapse::simulate {
namespace {

/// Of the inverse mass at a point, counted from the multipliers of the last program.
constexpr double kRowCompliance = 1e-6;
/// The same where there is no room.
constexpr double kSoftRows = 1e-3;
/// Of a body's size: give of a point that may mean that there is no room.
constexpr double kMuchGive = 1e-5;
/// A program with a larger residual is solved again from scratch; if it keeps the second, it counts as without solution.
/// What bodies do to each other where it puts them is looked at in any case, and corrected by the next one.
constexpr double kTrustedResidual = 1e-4;
constexpr double kUselessResidual = 1e-2;

/// Of what a body moved in the last program: about what it moves in the next. Measured in crowds, 0.05 to 0.3.
constexpr double kNextReach = 0.1;

/// Of the lighter body's mass, for motions of a plane as ways at the smaller body. Between points any plane will do, but
/// programs with variables that nothing holds take twice the iterations, or fail; and a round part keeps its distance
/// only up to the square of the tilt. Planes are found anew for each program, so this vanishes where they come to rest.
constexpr double kPlaneWeight = 1e-2;

/// Radians, about, for planes beside given bodies that move. Rows have these where they will be and the others where
/// they are: a small body on a floor that rises is then below the foot of the wall, and a plane that tilts far enough
/// about it lets it into the wall. (Bounds for all planes cost a crowd half as many programs again.)
constexpr double kLargestTilt = 0.3;

double share_of(ObaPosition::Rows rows) {
  switch (rows) {
    case ObaPosition::Rows::hard:
      return 0.0;
    case ObaPosition::Rows::normal:
      return kRowCompliance;
    case ObaPosition::Rows::soft:
      return kSoftRows;
  }
  return 0.0;
}

std::uint64_t group_id_of(const ClosePair& pair, bool of_b) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const int number : {pair.a, pair.b, of_b ? 1 : 0}) {
    hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x100000001b3ULL;
  }
  return hash | 1U;
}

}  // namespace

/// A plane has a block only where it can move: a half space is its own, and two balls need none.
void ObaPosition::build_program(Rows rows) {
  program_.clear();
  first_.clear();
  inverses_.clear();
  wanted_.clear();
  int variables = 0;
  for (const int body : active_) {
    const MassMatrix<3> M = weight(body);
    wanted_.push_back(world_.displacement(body, poses_[slot_of(body)], targets_[slot_of(body)]));
    inverses_.push_back(M.inverse());
    const int size = round_[slot_of(body)] != 0 ? 3 : 6;
    program_.add_block(M.topLeftCorner(size, size), (M * wanted_.back()).head(size));
    first_.push_back(variables);
    variables += size;
  }
  int blocks = static_cast<int>(active_.size());
  row_ = 0;
  for (ClosePair& pair : pairs_) {
    set_inverse_mass(pair);
    pair.first_row = pair.block = -1;
    const auto [a, b] = bodies(pair);
    if ((block_of(a) < 0 && block_of(b) < 0) || is_out_of_reach(pair)) continue;
    if (are_balls(pair)) {
      add_row_of_balls(pair, rows);
    } else if (parts_.part(pair.a).kind == ConvexPart::Kind::half_space) {
      add_rows(pair, -1, rows);
    } else {
      program_.add_block(plane_weight(pair), Eigen::Vector3d::Zero());
      pair.block = blocks++;
      first_.push_back(variables);
      variables += 3;
      add_rows(pair, pair.block, rows);
    }
  }
  add_joints(rows);
  add_bounds();
  add_tilt_bounds();
}

/// Whether nothing suggests that the parts of a pair come together in this program. They are looked at afterwards, and if
/// they have, the pair takes part from then on.
bool ObaPosition::is_out_of_reach(const ClosePair& pair) const {
  if (pair.meets || pair.push > wishes_ * tolerance(pair.size)) return false;
  const auto [a, b] = bodies(pair);
  return pair.plane.gap > reach_[slot_of(a)] + reach_[slot_of(b)] + tolerance(pair.size);
}

void ObaPosition::set_inverse_mass(ClosePair& pair) const {
  pair.inverse_mass = 0.0;
  for (const int part : {pair.a, pair.b}) {
    const int block = block_of(parts_.part(part).body);
    if (block < 0) continue;
    pair.inverse_mass = std::max(pair.inverse_mass, inverses_[slot_of(block)](0, 0));
  }
}

Eigen::Matrix3d ObaPosition::plane_weight(const ClosePair& pair) const {
  Eigen::Matrix3d weight = Eigen::Matrix3d::Zero();
  if (pair.inverse_mass > 0.0) weight(0, 0) = weight(1, 1) = kPlaneWeight / pair.inverse_mass;
  return weight;
}

void ObaPosition::add_body_term(int body, const Twist<3>& row) {
  if (round_[slot_of(body)] != 0) {
    program_.add_term(block_of(body), row.head<3>().transpose());
  } else {
    program_.add_term(block_of(body), row.transpose());
  }
}

Twist<3> ObaPosition::motion_of(int body, const Solution& solution) const {
  const std::size_t block = slot_of(block_of(body));
  if (round_[slot_of(body)] == 0) return solution.x.segment<6>(first_[block]);
  Twist<3> motion = wanted_[block];
  motion.head<3>() = solution.x.segment<3>(first_[block]);
  return motion;
}

/// A group for the points of each part: what is counted costs by groups.
void ObaPosition::add_rows(ClosePair& pair, int plane_block, Rows rows) {
  SeparatingPlane plane = pair.plane;
  if (plane_block < 0) plane.at = target_parts_.plane_offset(pair.a) * plane.normal;
  pair.first_row = row_;
  const double compliance = share_of(rows) * pair.inverse_mass;
  auto point = pair.points.begin();
  for (const bool of_b : {false, true}) {
    const auto last = std::find_if(point, pair.points.end(),
                                   [&](const CriticalPoint& other) { return other.of_b != of_b; });
    const auto count = last - point;
    if (count == 0) continue;
    const int part = of_b ? pair.b : pair.a;
    const int body = parts_.part(part).body;
    const int block = block_of(body);
    const double side = of_b ? 1.0 : -1.0;
    const Vec<3> outwards = -side * plane.normal;
    bounds_.resize(count);
    on_body_.resize(count, 6);
    on_plane_.resize(count, 3);
    for (Eigen::Index i = 0; i < count; ++i, ++point) {
      const Vec<3> at =
          (is_free(body) ? parts_ : target_parts_).point(part, point->number, outwards);
      const Vec<3> centre = block >= 0 ? world_.centre(body, poses_) : at;
      const PlaneRow row = plane_row(plane, at, centre, pair.size);
      const double shift = rows == Rows::normal ? compliance * point->multiplier : 0.0;
      bounds_[i] = parts_.part(part).radius - side * row.height + shift;
      on_body_.row(i) = side * row.on_body.transpose();
      on_plane_.row(i) = side * row.on_plane.transpose();
    }
    program_.begin_group(Cone::nonnegative, bounds_,
                         {.compliance = compliance, .id = group_id_of(pair, of_b)});
    if (block >= 0) program_.add_term(block, on_body_.leftCols(round_[slot_of(body)] != 0 ? 3 : 6));
    if (plane_block >= 0) program_.add_term(plane_block, on_plane_);
    row_ += static_cast<int>(count);
  }
}

/// n·(q_b − q_a) is at least the sum of the radii.
void ObaPosition::add_row_of_balls(ClosePair& pair, Rows rows) {
  pair.first_row = row_++;
  const CriticalPoint& point = pair.points.front();
  const double compliance = share_of(rows) * pair.inverse_mass;
  double bound = rows == Rows::normal ? compliance * point.multiplier : 0.0;
  std::array<Twist<3>, 2> on_body;
  for (const bool of_b : {false, true}) {
    const int part = of_b ? pair.b : pair.a;
    const int body = parts_.part(part).body;
    const bool moves = block_of(body) >= 0;
    const Vec<3> at = (is_free(body) ? parts_ : target_parts_).point(part, 0, pair.plane.normal);
    const Vec<3> centre = moves ? world_.centre(body, poses_) : at;
    const PlaneRow row = plane_row(pair.plane, at, centre, pair.size);
    const double side = of_b ? 1.0 : -1.0;
    bound += parts_.part(part).radius - side * row.height;
    on_body[of_b ? 1 : 0] = side * row.on_body;
  }
  program_.begin_group(Cone::nonnegative, Eigen::Matrix<double, 1, 1>(bound),
                       {.compliance = compliance, .id = group_id_of(pair, true)});
  for (const bool of_b : {false, true}) {
    const int body = parts_.part(of_b ? pair.b : pair.a).body;
    if (block_of(body) >= 0) add_body_term(body, on_body[of_b ? 1 : 0]);
  }
}

void ObaPosition::add_joints(Rows rows) {
  for (const MovingJointRow<3>& joint : joints_) {
    const Joint<3>& source = world_.scene().joints[slot_of(joint.joint)];
    double compliance = 0.0;
    for (const int body : {source.a, source.b}) {
      if (block_of(body) < 0) continue;
      if (rows != Rows::soft) continue;
      compliance = std::max(compliance, kSoftRows * inverses_[slot_of(block_of(body))](0, 0));
    }
    const auto id = static_cast<std::uint64_t>(joint.joint) * 16 +
                    static_cast<std::uint64_t>(joint.number) * 2 + 2;
    add_joint<3>(program_, world_, blocks_, joint, -joint.row.error,
                 {.compliance = compliance, .id = id});
  }
}

/// Only of bodies that have wanted to turn far: most never do.
void ObaPosition::add_bounds() {
  Eigen::Matrix<double, 6, 6> rows = Eigen::Matrix<double, 6, 6>::Zero();
  rows.topRightCorner<3, 3>().setIdentity();
  rows.bottomRightCorner<3, 3>() = -Eigen::Matrix3d::Identity();
  for (const int body : active_) {
    const std::size_t i = slot_of(body);
    if (round_[i] != 0) continue;
    const std::size_t block = slot_of(blocks_[i]);
    if (wanted_[block].tail<3>().cwiseAbs().maxCoeff() > 0.5 * turn_bound_) bounded_[i] = 1;
    if (bounded_[i] == 0) continue;
    const auto id = (static_cast<std::uint64_t>(body) << 1U) + (1ULL << 62U);
    program_.begin_group(Cone::nonnegative, Eigen::Matrix<double, 6, 1>::Constant(-turn_bound_),
                         {.compliance = kRowCompliance * inverses_[block](3, 3), .id = id});
    program_.add_term(blocks_[i], rows);
  }
}

/// Only of planes beside given bodies that a program has tilted far.
void ObaPosition::add_tilt_bounds() {
  Eigen::Matrix<double, 4, 3> rows = Eigen::Matrix<double, 4, 3>::Zero();
  rows.topLeftCorner<2, 2>().setIdentity();
  rows.bottomLeftCorner<2, 2>() = -Eigen::Matrix2d::Identity();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const ClosePair& pair = pairs_[i];
    if (!pair.bounded || pair.block < 0) continue;
    const auto id = (static_cast<std::uint64_t>(i) << 1U) + (1ULL << 61U);
    program_.begin_group(
        Cone::nonnegative, Eigen::Vector4d::Constant(-kLargestTilt * pair.size),
        {.compliance = kRowCompliance * pair.inverse_mass / kPlaneWeight, .id = id});
    program_.add_term(pair.block, rows);
  }
}

/// How far compliance lets a point into the other body, beyond what it is counted from, over the body's size.
double ObaPosition::give(const Solution& solution) const {
  double largest = 0.0;
  for (const ClosePair& pair : pairs_) {
    if (pair.first_row < 0) continue;
    for (std::size_t k = 0; k < pair.points.size(); ++k) {
      const double more =
          solution.lambda[pair.first_row + static_cast<int>(k)] - pair.points[k].multiplier;
      largest = std::max(largest, kRowCompliance * pair.inverse_mass * more / pair.size);
    }
  }
  return largest;
}

/// Of a crowd: where the last program led, or, if it was not enough, what it found.
void ObaPosition::begin_near_last() {
  if (!crowd_ || !found_) return;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(program_.variables());
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(program_.rows());
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const int size = round_[slot_of(active_[k])] != 0 ? 3 : 6;
    x.segment(first_[k], size) = found_motions_[slot_of(active_[k])].head(size);
  }
  for (const ClosePair& pair : pairs_) {
    if (pair.first_row < 0) continue;
    if (pair.block >= 0) x.segment<3>(first_[slot_of(pair.block)]) = pair.found;
    for (std::size_t k = 0; k < pair.points.size(); ++k)
      lambda[pair.first_row + static_cast<int>(k)] = pair.points[k].found;
  }
  solver_.begin_near(std::move(x), std::move(lambda));
}

/// Whether rows are missed by as much as takes a thin part through another one, and by more than counts: residuals are
/// relative to the heaviest bodies and the longest levers, and what a rough program misses of them may be all that a
/// small body is.
bool ObaPosition::pierces(const Solution& solution) {
  program_.slack(solution.x, solution.lambda, slack_);
  return std::any_of(pairs_.begin(), pairs_.end(), [&](const ClosePair& pair) {
    if (pair.first_row < 0) return false;
    std::array<double, 2> least{};  // of the points of a, of b
    for (std::size_t k = 0; k < pair.points.size(); ++k) {
      double& side = least[pair.points[k].of_b ? 1 : 0];
      side = std::min(side, slack_[pair.first_row + static_cast<int>(k)]);
    }
    return -least[0] - least[1] >
           std::max(depth_to_be_through(pair.a, pair.b), tolerance(pair.size));
  });
}

void ObaPosition::keep_found(const Solution& solution) {
  found_ = solution.x.allFinite() && solution.lambda.allFinite();
  if (!crowd_ || !found_) return;
  for (const int body : active_) found_motions_[slot_of(body)] = motion_of(body, solution);
  for (ClosePair& pair : pairs_) {
    if (pair.first_row < 0) continue;
    if (pair.block >= 0) pair.found = solution.x.segment<3>(first_[slot_of(pair.block)]);
    for (std::size_t k = 0; k < pair.points.size(); ++k)
      pair.points[k].found = solution.lambda[pair.first_row + static_cast<int>(k)];
  }
}

ObaPosition::Step ObaPosition::solve_program(StepReport<3>& report) {
  for (;;) {
    begin_near_last();
    const Solution* solution = &solver_.solve(program_);
    report.count(*solution);
    const auto is_worse = [](const Solution& s, double residual) {
      return s.status != Status::optimal && !(s.residuals.worst() <= residual);
    };
    const auto bad = [&](const Solution& s) { return is_worse(s, kUselessResidual); };
    if (solution->status != Status::interrupted &&
        (is_worse(*solution, kTrustedResidual) || pierces(*solution))) {
      forget();
      solution = &solver_.solve(program_);
      report.count(*solution);
    }
    // Compliance hides that there is no room: then without.
    Solution hard;
    if (solution->status != Status::interrupted && !bad(*solution) && give(*solution) > kMuchGive) {
      build_program(Rows::hard);
      hard = solve(program_, {.threads = options_.threads, .interrupt = options_.interrupt});
      report.count(hard);
      solution = &hard;
    }
    if (solution->status == Status::interrupted) return Step::interrupted;
    keep_found(*solution);
    if (bad(*solution) || solution->status == Status::infeasible || !solution->x.allFinite() ||
        pierces(*solution)) {
      return Step::infeasible;
    }
    const bool turns = turns_too_far(*solution);
    if (!tilts_too_far(*solution) && !turns) {
      if (leads_astray(*solution)) return Step::infeasible;
      if (!passes_through(*solution)) {
        apply(*solution);
        return Step::solved;
      }
    }
    build_program(Rows::normal);
  }
}

/// Whether a body without rows for that does; it gets them.
bool ObaPosition::turns_too_far(const Solution& solution) {
  bool too_far = false;
  for (const int body : active_) {
    const std::size_t i = slot_of(body);
    if (round_[i] != 0 || bounded_[i] != 0) continue;
    const double turn = motion_of(body, solution).tail<3>().cwiseAbs().maxCoeff();
    if (turn <= 1.001 * turn_bound_) continue;
    bounded_[i] = 1;
    too_far = true;
  }
  return too_far;
}

/// Likewise, for planes.
bool ObaPosition::tilts_too_far(const Solution& solution) {
  bool too_far = false;
  for (ClosePair& pair : pairs_) {
    if (pair.block < 0 || pair.bounded || !is_pushed(pair)) continue;
    const double tilt = solution.x.segment<2>(first_[slot_of(pair.block)]).cwiseAbs().maxCoeff();
    if (tilt <= 1.001 * kLargestTilt * pair.size) continue;
    pair.bounded = too_far = true;
  }
  return too_far;
}

void ObaPosition::apply(const Solution& solution) {
  past_.push_back(poses_);
  std::fill(found_motions_.begin(), found_motions_.end(), Twist<3>::Zero());
  move_given();
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    if (taken_[i] == 0) reach_[i] = 0.0;
  }
  for (const int body : active_) {
    const std::size_t i = slot_of(body);
    const Twist<3> x = motion_of(body, solution);
    reach_[i] = kNextReach * world_.way_of(body, x);
    poses_[i] = world_.moved(body, poses_[i], x);
    if (bounded_[i] != 0) {
      bounded_[i] = x.tail<3>().cwiseAbs().maxCoeff() >= 0.99 * turn_bound_ ? 2 : 1;
    }
  }
  for (ClosePair& pair : pairs_) {
    pair.found.setZero();
    const auto [a, b] = bodies(pair);
    if (block_of(a) < 0 && block_of(b) < 0) continue;  // waits
    pair.lift = pair.first_row < 0 ? 0.0 : lift_by_given(pair, solution);
    if (pair.first_row < 0) continue;
    pair.push = 0.0;
    for (std::size_t k = 0; k < pair.points.size(); ++k) {
      CriticalPoint& point = pair.points[k];
      point.multiplier = solution.lambda[pair.first_row + static_cast<int>(k)];
      pair.push = std::max(pair.push, point.multiplier * pair.inverse_mass);
    }
  }
}

/// By a given body that moves.
bool ObaPosition::is_pushed(const ClosePair& pair) const {
  const auto [a, b] = bodies(pair);
  if (is_free(a) == is_free(b)) return false;
  const std::size_t given = slot_of(is_free(a) ? b : a);
  return goals_[given] != start_[given];
}

/// Potential energy that the push of a given body which moves brings its neighbour. Pushes of free bodies among each other
/// leave the centre of their masses where it is, and those of fixed ones only take away speed.
double ObaPosition::lift_by_given(const ClosePair& pair, const Solution& solution) const {
  if (!is_pushed(pair)) return 0.0;
  const auto [a, b] = bodies(pair);
  double push = 0.0;
  for (std::size_t k = 0; k < pair.points.size(); ++k) {
    if (!are_balls(pair) && pair.points[k].of_b != is_free(b)) continue;
    push += solution.lambda[pair.first_row + static_cast<int>(k)];
  }
  const int body = is_free(b) ? b : a;
  const double mass = world_.scene().bodies[slot_of(body)].mass.mass;
  const double way = push * inverses_[slot_of(block_of(body))](0, 0);
  const double side = is_free(b) ? 1.0 : -1.0;
  return -side * mass * way * world_.acceleration().dot(pair.plane.normal);
}

/// Where nothing can give way at the beginning of the frame, a given body leaves no room: softly then, and the pair that
/// is in the way most is told. False if it was interrupted.
bool ObaPosition::crush(StepReport<3>& report) {
  const Solution proof =
      solve(program_, {.threads = options_.threads, .interrupt = options_.interrupt});
  report.count(proof);
  if (proof.status == Status::interrupted) return false;
  std::string where = "joints and given paths leave no room";
  double largest = 0.0;
  const Eigen::VectorXd& share = proof.status == Status::infeasible ? proof.ray : proof.lambda;
  for (const ClosePair& pair : pairs_) {
    if (pair.first_row < 0) continue;
    const auto [a, b] = bodies(pair);
    for (std::size_t k = 0; k < pair.points.size(); ++k) {
      const double part = std::abs(share[pair.first_row + static_cast<int>(k)]);
      if (part <= largest) continue;
      largest = part;
      where = world_.crushed_line(a, b);
    }
  }
  report.incidents.push_back(where);
  report.crushed = true;
  build_program(Rows::soft);
  const Solution& solution = solver_.solve(program_);
  report.count(solution);
  if (solution.status == Status::interrupted) return false;
  if (solution.residuals.worst() <= kUselessResidual && solution.x.allFinite() &&
      !leads_astray(solution)) {
    apply(solution);
  } else {
    give_up(report);
  }
  look();
  return true;
}

}  // namespace collapse::simulate
