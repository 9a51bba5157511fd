#include "simulate/point_program.hpp"

#include <algorithm>
#include <cmath>

namespace collapse::simulate {
namespace {

/// Pairs are looked for this far around faces, relative to the smaller one.
constexpr double kPairMargin = 0.1;
/// Overlaps up to this share of the smaller face need no further rows.
constexpr double kNoOverlap = 1e-9;
/// Multipliers up to this share of the largest are no force.
constexpr double kNoForce = 1e-9;

}  // namespace

PointProgram::PointProgram(const PointModel& model, std::vector<PointLink> links, SchemeKind level,
                           const PointRules& rules, double touch)
    : model_(model),
      links_(std::move(links)),
      level_(level),
      rules_(rules),
      touch_(touch),
      block_(slot(model.points()), -1) {
  int blocks = 0;
  for (int i = 0; i < model_.points(); ++i) {
    if (model_.is_free(i)) block_[slot(i)] = blocks++;
  }
}

void PointProgram::begin(const PointMotion& motion, const std::vector<Vec<2>>& external, double h) {
  motion_ = motion;
  external_ = external;
  h_ = h;
  shift_ = motion.shift;
  for (int i = 0; i < model_.points(); ++i) {
    if (model_.is_free(i)) shift_[slot(i)] += h * h * external[slot(i)];
  }
  bars_.resize(model_.bars.size());
  for (std::size_t b = 0; b < bars_.size(); ++b) {
    const PointBar& bar = model_.bars[b];
    const Vec<2> r = motion_.start[slot(bar.i)] - motion_.start[slot(bar.j)];
    bars_[b].length = r.norm();
    bars_[b].along = r / bars_[b].length;
  }
  link_along_.clear();
  for (const PointLink& link : links_) link_along_.push_back(link.along(motion_.start));
  sides_.clear();
  const PointMotion free{motion_.start, shift_};
  add_sides(model_, free, near_pairs(model_, free, kPairMargin), touch_, sides_);
  for (SideRow& row : sides_) linearise(model_, free, touch_, row);
  if (!fits()) drop_sides_apart();
  // The last displacements keep the lengths of redundant bars; the free motion would not.
  set_bounds(motion_.shift);
}

/// Of the rules to first order: rows are for vertices that touch and do not separate.
void PointProgram::drop_sides_apart() {
  const std::vector<Vec<2>> still(motion_.shift.size(), Vec<2>::Zero());
  std::erase_if(sides_, [&](const SideRow& row) {
    const double limit = touch_ * row.size;
    return height(model_, motion_.start, still, row) > limit ||
           side_value(motion_.shift, row) > limit;
  });
}

/// Left-hand side of a bar's row.
double PointProgram::bar_value(const std::vector<Vec<2>>& shift, std::size_t b) const {
  const PointBar& bar = model_.bars[b];
  return bars_[b].along.dot(shift[slot(bar.i)] - shift[slot(bar.j)]);
}

/// How much too long a bar is at these displacements.
double PointProgram::stretch(const std::vector<Vec<2>>& shift, std::size_t b) const {
  const PointBar& bar = model_.bars[b];
  const Vec<2> r = motion_.start[slot(bar.i)] - motion_.start[slot(bar.j)];
  return (r + shift[slot(bar.i)] - shift[slot(bar.j)]).norm() - bar.length;
}

void PointProgram::set_bounds(const std::vector<Vec<2>>& anchor) {
  bounds_.resize(static_cast<Eigen::Index>(first_side() + sides_.size()));
  Eigen::Index row = 0;
  for (std::size_t b = 0; b < bars_.size(); ++b) bounds_[row++] = bar_bound(b, anchor);
  for (std::size_t l = 0; l < links_.size(); ++l) bounds_[row++] = link_bound(l, anchor);
  for (const SideRow& side : sides_) bounds_[row++] = side_bound(side, anchor);
}

/// On displacements, or on accelerations. The fitted rule takes the row's own value at the anchor and the true
/// error there; at level acceleration u = h v + h² a, and the anchor is h v.
double PointProgram::bar_bound(std::size_t b, const std::vector<Vec<2>>& anchor) const {
  if (rules_.bars == PointRule::fitted) {
    const double excess = stretch(anchor, b);
    return by_acceleration() ? -excess / (h_ * h_) : bar_value(anchor, b) - excess;
  }
  const PointBar& bar = model_.bars[b];
  const Vec<2> delta = motion_.shift[slot(bar.i)] - motion_.shift[slot(bar.j)];
  const double length = bars_[b].length;
  if (by_acceleration()) return -(delta / h_).squaredNorm() / length;
  if (rules_.bars == PointRule::projected) return bar.length - length;
  const double turning = -delta.squaredNorm() / length;
  return rules_.bars == PointRule::extended ? turning + bar_value(motion_.shift, b) : turning;
}

double PointProgram::side_bound(const SideRow& row, const std::vector<Vec<2>>& anchor) const {
  if (rules_.sides == PointRule::fitted) {
    const double gap = height(model_, motion_.start, anchor, row);
    return by_acceleration() ? -gap / (h_ * h_) : side_value(anchor, row) - gap;
  }
  const double edge =
      row.is_plane() ? 1.0 : (motion_.start[slot(row.j)] - motion_.start[slot(row.i)]).norm();
  if (by_acceleration()) {
    std::vector<Vec<2>> velocity = motion_.shift;
    for (Vec<2>& v : velocity) v /= h_;
    return -2.0 * doubled_area(velocity, row) / edge;
  }
  const std::vector<Vec<2>> still(motion_.shift.size(), Vec<2>::Zero());
  const double gap = height(model_, motion_.start, still, row);
  const double turning = -2.0 * doubled_area(motion_.shift, row) / edge;
  switch (rules_.sides) {
    case PointRule::extended:
      return side_value(motion_.shift, row) + turning;
    case PointRule::theorem:
      return turning - gap;
    case PointRule::misprint:
      return turning / h_ - gap;
    default:
      return -gap;
  }
}

const Program& PointProgram::build(bool soft) {
  program_.clear();
  for (int i = 0; i < model_.points(); ++i) {
    if (!model_.is_free(i)) continue;
    const double m = model_.masses[slot(i)];
    const Vec<2> target = by_acceleration()
                              ? external_[slot(i)]
                              : Vec<2>(motion_.shift[slot(i)] + h_ * h_ * external_[slot(i)]);
    program_.add_block(m * Eigen::Matrix2d::Identity(), m * target);
  }
  const auto add = [&](int point, const Vec<2>& coefficients) {
    if (block_[slot(point)] < 0) return;
    program_.add_term(block_[slot(point)], coefficients.transpose());
  };
  using Bound = Eigen::Matrix<double, 1, 1>;
  Eigen::Index row = 0;
  for (std::size_t b = 0; b < bars_.size(); ++b) {
    const PointBar& bar = model_.bars[b];
    program_.begin_group(
        Cone::zero, Bound(bounds_[row++]),
        {.compliance = soft ? softness(bar.i, bar.j) : 0.0, .id = b + 1, .label = {}});
    add(bar.i, bars_[b].along);
    add(bar.j, -bars_[b].along);
  }
  add_links(soft, row);
  const std::uint64_t base = first_side() + 1;
  const std::uint64_t count = slot(model_.points()) + model_.planes.size();
  for (const SideRow& side : sides_) {
    const std::uint64_t line = side.is_plane() ? slot(model_.points() + side.j) : slot(side.i);
    const int other = side.is_plane() ? side.k : side.i;
    program_.begin_group(Cone::nonnegative, Bound(bounds_[row++] - given_value(side)),
                         {.compliance = soft ? softness(side.k, other) : 0.0,
                          .id = base + (slot(side.k) * count + line) * count + slot(side.j),
                          .label = {}});
    add(side.k, side.normal);
    if (side.is_plane()) continue;
    add(side.i, -(1.0 - side.alpha) * side.normal);
    add(side.j, -side.alpha * side.normal);
  }
  return program_;
}

/// The part of a row's left-hand side that is due to points that are not free. At level acceleration the bound
/// takes care of it.
double PointProgram::given_value(const SideRow& row) const {
  if (by_acceleration() || row.is_plane()) return 0.0;
  const auto part = [&](int point, double weight) {
    return model_.is_free(point) ? 0.0 : weight * row.normal.dot(motion_.shift[slot(point)]);
  };
  return part(row.k, 1.0) - part(row.i, 1.0 - row.alpha) - part(row.j, row.alpha);
}

/// The penalty as a compliance of the row, whose coefficients have length one: 1/(100 m).
double PointProgram::softness(int i, int j) const {
  return 1.0 / (kPenalty * std::max(model_.masses[slot(i)], model_.masses[slot(j)]));
}

void PointProgram::take(const Eigen::VectorXd& x, const Eigen::VectorXd& lambda) {
  for (int i = 0; i < model_.points(); ++i) {
    const int block = block_[slot(i)];
    if (block < 0) continue;
    const Vec<2> part = x.segment<2>(2 * block);
    shift_[slot(i)] = by_acceleration() ? Vec<2>(motion_.shift[slot(i)] + h_ * h_ * part) : part;
  }
  lambda_ = lambda;
}

bool PointProgram::add_missed_sides() {
  const PointMotion taken{motion_.start, shift_};
  const std::vector<Vec<2>> end = moved().start;
  std::vector<std::pair<int, int>> pairs = near_pairs(model_, taken, kPairMargin);
  std::erase_if(pairs, [&](const std::pair<int, int>& pair) {
    const double limit = kNoOverlap * model_.smaller_size(pair.first, pair.second);
    return separation(model_, end, pair.first, pair.second) >= -limit;
  });
  const std::size_t before = sides_.size();
  add_sides(model_, taken, pairs, touch_, sides_);
  for (std::size_t s = before; s < sides_.size(); ++s) linearise(model_, taken, touch_, sides_[s]);
  if (sides_.size() == before) return false;
  const Eigen::Index known = lambda_.size();
  lambda_.conservativeResize(known + static_cast<Eigen::Index>(sides_.size() - before));
  lambda_.tail(lambda_.size() - known).setZero();
  return true;
}

double PointProgram::side_force(std::size_t side) const {
  const double lambda = lambda_[static_cast<Eigen::Index>(first_side() + side)];
  const double largest = lambda_.lpNorm<Eigen::Infinity>();
  if (lambda <= kNoForce * largest) return 0.0;
  return by_acceleration() ? lambda : lambda / (h_ * h_);
}

double PointProgram::misfit() const {
  double worst = 0.0;
  for (std::size_t b = 0; b < bars_.size(); ++b) {
    worst = std::max(worst, std::abs(stretch(shift_, b)) / model_.bars[b].length);
  }
  for (std::size_t l = 0; l < links_.size(); ++l) {
    worst = std::max(worst, std::abs(link_error(l, shift_)) / links_[l].size);
  }
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const double gap = height(model_, motion_.start, shift_, sides_[s]) / sides_[s].size;
    worst = std::max(worst, side_force(s) > 0.0 ? std::abs(gap) : -gap);
  }
  return worst;
}

void PointProgram::correct(bool turn) {
  if (turn) {
    const PointMotion end = moved();
    for (std::size_t b = 0; b < bars_.size(); ++b) {
      const PointBar& bar = model_.bars[b];
      bars_[b].along = (end.start[slot(bar.i)] - end.start[slot(bar.j)]).normalized();
    }
    for (std::size_t l = 0; l < links_.size(); ++l) link_along_[l] = links_[l].along(end.start);
    for (SideRow& side : sides_) linearise(model_, end, touch_, side);
  }
  set_bounds(shift_);
}

void PointProgram::start_over() {
  set_bounds(std::vector<Vec<2>>(motion_.start.size(), Vec<2>::Zero()));
}

void PointProgram::stop() {
  for (int i = 0; i < model_.points(); ++i) {
    if (model_.is_free(i)) shift_[slot(i)].setZero();
  }
  lambda_.setZero(static_cast<Eigen::Index>(first_side() + sides_.size()));
}

/// Where the displacements lead, at rest.
PointMotion PointProgram::moved() const {
  PointMotion end{motion_.start, std::vector<Vec<2>>(shift_.size(), Vec<2>::Zero())};
  for (std::size_t i = 0; i < shift_.size(); ++i) end.start[i] += shift_[i];
  return end;
}

double PointProgram::penetration() const {
  const std::vector<Vec<2>> end = moved().start;
  double deepest = 0.0;
  for (const auto& [f, g] : near_pairs(model_, {motion_.start, shift_}, kPairMargin)) {
    deepest = std::max(deepest, -separation(model_, end, f, g));
  }
  for (const SideRow& side : sides_) {
    if (side.is_plane()) {
      deepest = std::max(deepest, -height(model_, motion_.start, shift_, side));
    }
  }
  return deepest;
}

std::vector<ContactForce<2>> PointProgram::forces() const {
  std::vector<ContactForce<2>> result;
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const double force = side_force(s);
    if (force <= 0.0) continue;
    const SideRow& side = sides_[s];
    const PointFace& owner = model_.faces[slot(side.vertex_face)];
    const Feature vertex = owner.vertex_features[slot(side.vertex)];
    int other = 0;
    Feature line{FeatureKind::half_space, 0};
    if (side.is_plane()) {
      other = model_.planes[slot(side.j)].body;
    } else {
      const PointFace& face = model_.faces[slot(side.edge_face)];
      other = face.thing;
      line = face.edge_features[slot(side.edge)];
    }
    // The normal points at the vertex.
    const bool vertex_is_b = other < owner.thing;
    const Vec<2> normal = vertex_is_b ? side.normal : Vec<2>(-side.normal);
    ContactForce<2> contact;
    contact.id = vertex_is_b ? ContactId{other, owner.thing, line, vertex, 0}
                             : ContactId{owner.thing, other, vertex, line, 0};
    contact.point = motion_.start[slot(side.k)] + shift_[slot(side.k)];
    contact.normal = normal;
    contact.force = force * normal;
    result.push_back(contact);
  }
  return result;
}

double PointProgram::driven_work() const {
  double work = 0.0;
  const double scale = by_acceleration() ? 1.0 : 1.0 / (h_ * h_);
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const double force = scale * lambda_[static_cast<Eigen::Index>(bars_.size() + l)];
    work -= force * given_link_value(l);
  }
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const SideRow& side = sides_[s];
    if (side.is_plane()) continue;
    const auto part = [&](int point, double weight) {
      return model_.is_free(point) ? 0.0 : weight * side.normal.dot(motion_.shift[slot(point)]);
    };
    const double way =
        part(side.k, 1.0) - part(side.i, 1.0 - side.alpha) - part(side.j, side.alpha);
    work -= side_force(s) * way;
  }
  return work;
}

}  // namespace collapse::simulate
