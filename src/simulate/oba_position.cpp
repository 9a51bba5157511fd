#include "simulate/oba_position.hpp"

#include <algorithm>
#include <cmath>

#include "simulate/slot.hpp"
#include "simulate/together.hpp"

namespace collapse::simulate {
namespace {

/// Of the smaller body's size: overlap that counts as none. A tenth of the touch tolerance, so that what was pushed
/// apart touches.
constexpr double kOverlapShare = 0.1;
/// Of the touch tolerance: a pair that pushes and is further apart could come closer to its targets.
constexpr double kOpenShare = 0.5;
/// Of a body's size, and of 4 h² g: pairs so near are close, points so near to their plane critical. Wider means more
/// rows, narrower more programs.
constexpr double kNearSize = 0.01;
constexpr double kNearFall = 0.5;
constexpr double kFallSize = 0.05;
/// Radians: planes of pairs that push have to turn by less in the last program, or forces act along old normals.
constexpr double kSameNormal = 0.01;
/// Programs of a frame at most, and then to part what still overlaps. Where a round body is pushed hard, the planes can
/// swing to and fro between two positions for ever; without targets far away they come to rest in a few programs.
constexpr int kPrograms = 16;
constexpr int kPartingPrograms = 24;
/// Of these, those after which joints may be as loose as programs leave them.
constexpr int kPatientPartings = 8;
/// Programs with the targets as they are, once no body turns as far as it may, of few bodies and of many; from then on
/// targets come nearer by this factor. When less than the last one is left of the ways to them, what does not overlap is
/// good enough. Where all are slow, less: gaps that are left where bodies push each other keep a pile from coming to rest.
constexpr int kWholePrograms = 6;
constexpr int kWholeCrowdPrograms = 2;
constexpr double kNearer = 0.1;
constexpr double kFewWishes = 0.2;
constexpr double kFewSlowWishes = 0.01;
/// What programs leave is corrected by the next one.
constexpr double kPositionTolerance = 1e-7;
/// With so many bodies the programs before targets come nearer are solved to fewer digits, and none from the solution
/// of the last one: between two programs too many pairs begin and cease to push.
constexpr std::size_t kCrowdBodies = 50;
constexpr double kCrowdTolerance = 1e-4;
/// Of the way to its target: what counts as within reach of a body in the first program. Neighbours move together.
constexpr double kFirstReach = 0.3;
/// Joints are closed to this, length over the size of the smaller body. Where contacts push as well, programs leave
/// about a tenth of their tolerance.
constexpr double kJointShare = 5e-10;
/// The same where programs do not get as far: of bodies much smaller or lighter than others. The next frame goes on.
constexpr double kLooseJointShare = 1e-5;

SolverOptions position_solver_options(const SimulationOptions& options, bool crowd) {
  SolverOptions out;
  out.threads = options.threads;
  out.interrupt = options.interrupt;
  out.tolerance = out.complementarity_tolerance = kPositionTolerance;
  out.warm_start = !crowd;
  return out;
}

}  // namespace

ObaPosition::ObaPosition(const World<3>& world, const SimulationOptions& options)
    : world_(world),
      options_(options),
      kept_apart_(world.scene()),
      parts_(world.scene()),
      target_parts_(world.scene()),
      round_(round_bodies(world.scene())),
      crowd_(world.free_bodies().size() >= kCrowdBodies),
      solver_(position_solver_options(options, crowd_)) {
  for (const Body<3>& body : world.scene().bodies) {
    diameters_.push_back(body.free() ? diameter_of(body.shape) : 0.0);
  }
}

void ObaPosition::forget() {
  solver_ = Solver(position_solver_options(options_, crowd_));
  found_ = false;
}

double ObaPosition::tolerance(double size) const { return kOverlapShare * options_.touch * size; }

double ObaPosition::nearness(double size) const {
  const double fall = 4.0 * h_ * h_ * world_.acceleration().norm();
  return kNearSize * size + std::min(kNearFall * fall, kFallSize * size);
}

MassMatrix<3> ObaPosition::weight(int body) const {
  if (options_.oba.objective == ObaObjective::mass) {
    return world_.mass_matrix(body, poses_[slot_of(body)]);
  }
  MassMatrix<3> weight = MassMatrix<3>::Identity();
  weight.bottomRightCorner<3, 3>() *= diameters_[slot_of(body)] * diameters_[slot_of(body)];
  return weight;
}

bool ObaPosition::update(const PositionTask& task, std::vector<Pose<3>>& poses,
                         StepReport<3>& report) {
  begin(task);
  find_candidates();
  add_close_pairs();
  if (!active_.empty()) {
    world_.joint_rows(poses_, joints_);
    if (!iterate(report)) return false;
  }
  move_given();
  for (const ClosePair& pair : pairs_) {
    report.penetration = std::max(report.penetration, -pair.plane.gap);
  }
  report.driven_work += settled_lift_;
  for (const ClosePair& pair : pairs_) report.driven_work += pair.lift;
  report.crowd.close_pairs += static_cast<std::int64_t>(pairs_.size());
  poses = poses_;
  return true;
}

/// Those on paths are where they have to be, whatever became of the others.
void ObaPosition::move_given() {
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    if (movable_[i] == 0) poses_[i] = targets_[i];
  }
}

bool ObaPosition::overlap_at(std::span<const Pose<3>> poses) {
  parts_.place(poses);
  return std::any_of(candidates_.begin(), candidates_.end(), [&](Candidate& candidate) {
    const double size = std::min(parts_.part(candidate.a).size, parts_.part(candidate.b).size);
    return gap_beyond(parts_, candidate.a, candidate.b, 0.0, &candidate.witness) < -tolerance(size);
  });
}

/// By boxes, which meet sooner than bodies. What is pushed along goes as fast as what pushes it.
std::vector<int> ObaPosition::in_the_way(const PositionTask& task) {
  const auto is_given = [&](int body) {
    return !world_.scene().bodies[slot_of(body)].free() &&
           task.targets[slot_of(body)] != task.start[slot_of(body)];
  };
  double fastest = 0.0;
  for (std::size_t i = 0; i < task.start.size(); ++i) {
    const int body = static_cast<int>(i);
    if (!is_given(body)) continue;
    const Twist<3> way = world_.displacement(body, task.start[i], task.targets[i]);
    fastest = std::max(fastest, world_.way_of(body, way));
  }
  if (fastest == 0.0) return {};
  parts_.place(task.start);
  target_parts_.place(task.targets);
  bool endless = false;
  std::vector<Bounds<3>> boxes;
  std::vector<int> owners;
  for (int i = 0; i < parts_.count(); ++i) {
    const ConvexPart& part = parts_.part(i);
    if (!is_given(part.body) && !world_.scene().bodies[slot_of(part.body)].free()) continue;
    if (part.kind == ConvexPart::Kind::half_space) {
      endless = true;
      continue;
    }
    Bounds<3> box = parts_.bounds(i);
    box.include(target_parts_.bounds(i));
    boxes.push_back(box.grown(kNearSize * part.size + fastest));
    owners.push_back(part.body);
  }
  Together together(task.start.size());
  std::vector<std::uint8_t> pushed(task.start.size(), endless ? 1 : 0);
  const auto meet = [&](int a, int b) {
    if (a == kWorld || b == kWorld) return;
    if (is_given(a)) pushed[slot_of(b)] = 1;
    if (is_given(b)) pushed[slot_of(a)] = 1;
    if (world_.scene().bodies[slot_of(a)].free() && world_.scene().bodies[slot_of(b)].free()) {
      together.join(a, b);
    }
  };
  for (const auto& [i, k] : meeting_pairs<3>(boxes)) meet(owners[slot_of(i)], owners[slot_of(k)]);
  for (const Joint<3>& joint : world_.scene().joints) meet(joint.a, joint.b);
  for (std::size_t i = 0; i < pushed.size(); ++i) {
    if (pushed[i] != 0) pushed[together.root(i)] = 1;
  }
  std::vector<int> reached;
  for (const int body : world_.free_bodies()) {
    if (task.movable[slot_of(body)] == 0 && pushed[together.root(slot_of(body))] != 0) {
      reached.push_back(body);
    }
  }
  return reached;
}

void ObaPosition::begin(const PositionTask& task) {
  h_ = task.h;
  turn_bound_ = options_.oba.largest_turn;
  wishes_ = 1.0;
  settled_lift_ = 0.0;
  movable_ = task.movable;
  start_.assign(task.start.begin(), task.start.end());
  goals_ = task.targets;
  targets_.assign(goals_.begin(), goals_.end());
  poses_ = start_;
  parts_.place(start_);
  target_parts_.place(targets_);
  ways_.clear();
  for (std::size_t i = 0; i < start_.size(); ++i) {
    const int body = static_cast<int>(i);
    ways_.push_back(world_.way_of(body, world_.displacement(body, start_[i], targets_[i])));
  }
  expect_ways();
  past_.clear();
  found_ = false;
  found_motions_.assign(start_.size(), Twist<3>::Zero());
  pairs_.clear();
  candidates_.clear();
  taken_.assign(start_.size(), 0);
  waits_.assign(start_.size(), 0);
  blocks_.assign(start_.size(), -1);
  active_.clear();
  bounded_.assign(start_.size(), 0);
  swept_.assign(slot_of(parts_.count()), Bounds<3>::empty());
  for (int i = 0; i < parts_.count(); ++i) {
    if (parts_.part(i).kind == ConvexPart::Kind::half_space) continue;
    Bounds<3> box = parts_.bounds(i);
    box.include(target_parts_.bounds(i));
    swept_[slot_of(i)] = box.grown(nearness(parts_.part(i).size));
  }
}

/// Of the first program.
void ObaPosition::expect_ways() {
  reach_.clear();
  for (const double way : ways_) reach_.push_back(kFirstReach * way);
}

/// Pairs of parts whose boxes meet on their way. Those that are close already stay so.
void ObaPosition::find_candidates() {
  std::vector<Bounds<3>> boxes;
  std::vector<int> boxed;
  std::vector<int> planes;
  for (int i = 0; i < parts_.count(); ++i) {
    if (parts_.part(i).kind == ConvexPart::Kind::half_space) {
      planes.push_back(i);
    } else {
      boxes.push_back(swept_[slot_of(i)]);
      boxed.push_back(i);
    }
  }
  std::vector<std::pair<int, int>> known;
  for (const Candidate& old : candidates_) {
    if (old.close) known.emplace_back(old.a, old.b);
  }
  std::sort(known.begin(), known.end());
  candidates_.clear();
  const auto add = [&](int a, int b) {
    const int body_a = parts_.part(a).body;
    const int body_b = parts_.part(b).body;
    if (body_a == body_b || (!is_free(body_a) && !is_free(body_b))) return;
    if (kept_apart_.contains(std::min(body_a, body_b), std::max(body_a, body_b))) return;
    Candidate candidate;
    candidate.a = a;
    candidate.b = b;
    candidate.close = std::binary_search(known.begin(), known.end(), std::pair(a, b));
    candidates_.push_back(candidate);
  };
  for (const auto& [i, k] : meeting_pairs<3>(boxes)) add(boxed[slot_of(i)], boxed[slot_of(k)]);
  for (const int plane : planes) {
    for (const int i : boxed) add(plane, i);
  }
}

/// Of all pairs that are near or overlap at the targets, those of bodies that hang together with an overlap or an open
/// joint there. All other bodies go where they want.
void ObaPosition::add_close_pairs() {
  const std::size_t bodies = poses_.size();
  Together together(bodies);
  std::vector<std::uint8_t> urgent(bodies, 0);
  std::vector<Candidate*> close;
  for (Candidate& candidate : candidates_) {
    const ConvexPart& a = parts_.part(candidate.a);
    const ConvexPart& b = parts_.part(candidate.b);
    const double size = std::min(a.size, b.size);
    const double at_target = gap_beyond(target_parts_, candidate.a, candidate.b, 0.0);
    const bool overlaps = at_target < -tolerance(size) || changes_sides(candidate, size);
    if (!overlaps && gap_beyond(parts_, candidate.a, candidate.b, nearness(size),
                                &candidate.witness) > nearness(size)) {
      continue;
    }
    candidate.meets = overlaps;
    close.push_back(&candidate);
    if (is_free(a.body) && is_free(b.body)) together.join(a.body, b.body);
    if (overlaps) urgent[slot_of(is_free(a.body) ? a.body : b.body)] = 1;
  }
  world_.joint_rows(targets_, joints_);
  for (const MovingJointRow<3>& joint : joints_) {
    const Joint<3>& source = world_.scene().joints[slot_of(joint.joint)];
    if (is_free(source.a) && is_free(source.b)) together.join(source.a, source.b);
    if (!is_free(source.a) && !is_free(source.b)) continue;
    const bool open = std::abs(joint.row.error) > kJointShare * joint.size;
    if (open) urgent[slot_of(is_free(source.a) ? source.a : source.b)] = 1;
  }
  for (std::size_t i = 0; i < bodies; ++i) {
    if (urgent[i] != 0) urgent[together.root(i)] = 1;
  }
  for (std::size_t i = 0; i < bodies; ++i) {
    if (movable_[i] != 0 && urgent[together.root(i)] != 0) {
      taken_[i] = 1;
    } else if (movable_[i] != 0) {
      poses_[i] = targets_[i];
      parts_.place(static_cast<int>(i), poses_[i]);
    }
  }
  for (Candidate* candidate : close) {
    const bool taken = taken_[slot_of(parts_.part(candidate->a).body)] != 0 ||
                       taken_[slot_of(parts_.part(candidate->b).body)] != 0;
    if (taken) add_pair(*candidate);
  }
  give_blocks();
  for (ClosePair& pair : pairs_) update_plane(pair);
}

void ObaPosition::add_pair(Candidate& candidate) {
  candidate.close = true;
  ClosePair pair;
  pair.a = candidate.a;
  pair.b = candidate.b;
  pair.size = std::min(parts_.part(pair.a).size, parts_.part(pair.b).size);
  pair.slab = nearness(pair.size);
  pair.meets = candidate.meets;
  pair.witness = candidate.witness;
  for (const int part : {pair.a, pair.b}) {
    const int body = parts_.part(part).body;
    if (is_free(body)) taken_[slot_of(body)] = 1;
  }
  pairs_.push_back(std::move(pair));
}

/// Numbers for all bodies that take part and do not wait, by their order.
void ObaPosition::give_blocks() {
  active_.clear();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    blocks_[i] = -1;
    if (taken_[i] == 0 || waits_[i] != 0) continue;
    blocks_[i] = static_cast<int>(active_.size());
    active_.push_back(static_cast<int>(i));
  }
}

/// The plane between the parts where they are now; the points near it become critical.
void ObaPosition::update_plane(ClosePair& pair) {
  const Vec<3> last = pair.plane.normal;
  pair.plane = separating_plane(parts_, pair.a, pair.b, &pair.witness);
  pair.turned = last.cross(pair.plane.normal).norm();
  if (last.dot(pair.plane.normal) < 0.0) pair.turned = 1.0;
  if (are_balls(pair)) {
    if (pair.points.empty()) pair.points.push_back({true, 0});
    return;
  }
  for (const bool of_b : {false, true}) {
    const int part = of_b ? pair.b : pair.a;
    if (parts_.part(part).kind == ConvexPart::Kind::half_space) continue;
    const Vec<3> outwards = of_b ? Vec<3>(-pair.plane.normal) : pair.plane.normal;
    parts_.extreme_points(part, outwards, pair.slab + std::max(0.0, -pair.plane.gap), scratch_);
    for (const int number : scratch_) {
      const bool known = std::any_of(
          pair.points.begin(), pair.points.end(),
          [&](const CriticalPoint& point) { return point.of_b == of_b && point.number == number; });
      if (!known) pair.points.push_back({of_b, number});
    }
  }
  std::stable_partition(pair.points.begin(), pair.points.end(),
                        [](const CriticalPoint& point) { return !point.of_b; });
}

/// Whether a part was not expected to come into the box; it is now.
bool ObaPosition::sweep_over(int part, const Bounds<3>& box) {
  Bounds<3>& swept = swept_[slot_of(part)];
  const bool inside = (swept.low.array() <= box.low.array()).all() &&
                      (box.high.array() <= swept.high.array()).all();
  if (!inside) swept.include(box.grown(0.1 * parts_.part(part).size));
  return !inside;
}

/// Planes and close pairs where the bodies are now.
void ObaPosition::look() {
  parts_.place(poses_);
  bool outside = false;
  for (const int body : active_) {
    for (int i = parts_.first_part(body); i < parts_.first_part(body + 1); ++i) {
      if (sweep_over(i, parts_.bounds(i))) outside = true;
    }
  }
  if (outside) find_candidates();
  add_new_pairs();
  for (ClosePair& pair : pairs_) {
    update_plane(pair);
    if (pair.first_row < 0 && pair.plane.gap < -tolerance(pair.size)) pair.meets = true;
  }
  world_.joint_rows(poses_, joints_);
}

void ObaPosition::add_new_pairs() {
  const std::size_t before = pairs_.size();
  for (Candidate& candidate : candidates_) {
    if (candidate.close) continue;
    const ConvexPart& a = parts_.part(candidate.a);
    const ConvexPart& b = parts_.part(candidate.b);
    if (block_of(a.body) < 0 && block_of(b.body) < 0) continue;
    const double near = nearness(std::min(a.size, b.size));
    const double gap = gap_beyond(parts_, candidate.a, candidate.b, near, &candidate.witness);
    if (gap <= near) add_pair(candidate);
  }
  if (pairs_.size() > before) give_blocks();
}

/// False if it was interrupted.
bool ObaPosition::iterate(StepReport<3>& report) {
  int left = kPrograms;
  const int whole_programs = crowd_ ? kWholeCrowdPrograms : kWholePrograms;
  const double few_wishes = all_slow() ? kFewSlowWishes : kFewWishes;
  int whole = 0;
  bool parting = false;
  for (;;) {
    const bool rough = crowd_ && whole <= whole_programs && !parting;
    solver_.set_tolerance(rough ? kCrowdTolerance : kPositionTolerance);
    build_program(Rows::normal);
    const Step step = solve_program(report);
    if (step == Step::interrupted) return false;
    if (step == Step::infeasible) {
      if (past_.empty()) return has_no_room(report);
      roll_back(report);
    } else {
      look();
      if (fits() || ((parting || wishes_ < few_wishes) && apart(kJointShare))) return true;
      const bool turns = turns_are_bounded();
      if (!turns || crowd_) ++whole;
      choose_bodies(turns && whole >= whole_programs && !parting);
      if (parting) {
        // From where it is now: what wants to go back turns to and fro for ever.
        lower_wishes(0.0);
        if (turns) turn_bound_ *= 0.5;
      } else if (!turns && whole > whole_programs) {
        lower_wishes(kNearer);
      }
    }
    --left;
    // Before the first program given bodies are where they began.
    const bool may_end = !past_.empty() || !is_driven();
    const bool patient = !parting || left > kPartingPrograms - kPatientPartings;
    if ((left == 0 || !patient) && may_end && apart(kLooseJointShare)) {
      report.settled = false;
      return true;
    }
    if (left > 0) continue;
    if (parting) return has_no_room(report);
    // To stay where they are is now all that bodies want, but apart.
    parting = true;
    choose_bodies(false);
    lower_wishes(0.0);
    left = kPartingPrograms;
  }
}

/// Whether no body wants to go further than it falls in a frame from rest.
bool ObaPosition::all_slow() const {
  const double fall = h_ * h_ * world_.acceleration().norm();
  return std::all_of(active_.begin(), active_.end(),
                     [&](int body) { return ways_[slot_of(body)] <= fall; });
}

bool ObaPosition::turns_are_bounded() const {
  return std::any_of(active_.begin(), active_.end(),
                     [&](int body) { return bounded_[slot_of(body)] == 2; });
}

/// All, or only those that hang together with a body whose turn was bounded: a few that spin do not keep a crowd busy.
void ObaPosition::choose_bodies(bool only_turning) {
  waits_.assign(poses_.size(), only_turning ? 1 : 0);
  if (only_turning) {
    Together together(poses_.size());
    const auto join = [&](int a, int b) {
      if (is_free(a) && is_free(b)) together.join(a, b);
    };
    for (const ClosePair& pair : pairs_) {
      const auto [a, b] = bodies(pair);
      if (!is_out_of_reach(pair)) join(a, b);
    }
    for (const Joint<3>& joint : world_.scene().joints) join(joint.a, joint.b);
    for (const int body : active_) {
      if (bounded_[slot_of(body)] == 2) waits_[together.root(slot_of(body))] = 0;
    }
    for (std::size_t i = 0; i < waits_.size(); ++i) waits_[i] = waits_[together.root(i)];
  }
  give_blocks();
}

void ObaPosition::lower_wishes(double share) {
  for (const int body : active_) {
    const std::size_t i = slot_of(body);
    const Twist<3> way = world_.displacement(body, poses_[i], targets_[i]);
    targets_[i] = world_.moved(body, poses_[i], Twist<3>(share * way));
    reach_[i] *= share;
  }
  for (ClosePair& pair : pairs_) {
    pair.push *= share;
    settled_lift_ += (1.0 - share) * pair.lift;
    pair.lift *= share;
    for (CriticalPoint& point : pair.points) {
      point.multiplier *= share;
      point.found *= share;
    }
  }
  wishes_ *= share;
}

/// Whether a given body moves: nothing else can take away room.
bool ObaPosition::is_driven() const {
  for (std::size_t i = 0; i < start_.size(); ++i) {
    if (movable_[i] == 0 && targets_[i] != start_[i]) return true;
  }
  return false;
}

/// No solution where the frame begins, or none that parts all bodies. False if it was interrupted.
bool ObaPosition::has_no_room(StepReport<3>& report) {
  if (!is_driven()) {
    give_up(report);
    return true;
  }
  if (!past_.empty()) {
    past_.resize(1);
    roll_back(report);
    turn_bound_ = options_.oba.largest_turn;
    build_program(Rows::hard);
  }
  return crush(report);
}

void ObaPosition::roll_back(StepReport<3>& report) {
  ++report.crowd.rollbacks;
  found_ = false;
  poses_ = std::move(past_.back());
  past_.pop_back();
  expect_ways();
  std::copy(goals_.begin(), goals_.end(), targets_.begin());
  wishes_ = 1.0;
  forget_lifts();
  turn_bound_ *= 0.5;
  choose_bodies(false);
  for (const int body : active_) bounded_[slot_of(body)] = 1;
  for (ClosePair& pair : pairs_) {
    for (CriticalPoint& point : pair.points) point.multiplier = 0.0;
  }
  look();
}

void ObaPosition::forget_lifts() {
  settled_lift_ = 0.0;
  for (ClosePair& pair : pairs_) pair.lift = 0.0;
}

/// All the way back, with those that had gone to their targets: where the frame began nothing overlapped.
void ObaPosition::give_up(StepReport<3>& report) {
  report.settled = false;
  report.incidents.emplace_back("the position update did not part all bodies");
  forget_lifts();
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    if (movable_[i] != 0) poses_[i] = start_[i];
  }
  look();
}

bool ObaPosition::apart(double joint_share) const {
  for (const ClosePair& pair : pairs_) {
    if (pair.plane.gap < -tolerance(pair.size)) return false;
  }
  return std::all_of(joints_.begin(), joints_.end(), [&](const MovingJointRow<3>& joint) {
    return std::abs(joint.row.error) <= joint_share * joint.size;
  });
}

bool ObaPosition::fits() const {
  if (!apart(kJointShare)) return false;
  if (turns_are_bounded()) return false;
  return std::all_of(pairs_.begin(), pairs_.end(), [&](const ClosePair& pair) {
    if (pair.push <= wishes_ * tolerance(pair.size)) return true;
    return pair.plane.gap <= kOpenShare * options_.touch * pair.size && pair.turned <= kSameNormal;
  });
}

}  // namespace collapse::simulate
