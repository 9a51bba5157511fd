#include "collapse/formulation/potential.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collapse/core/error.hpp"

namespace collapse {
namespace {

/// A box with its sides along the axes, or the ground.
struct Slab {
  int body = 0;
  int block = -1;  ///< −1: fixed
  double left = 0.0;
  double right = 0.0;
  double middle = 0.0;
  double height = 0.0;  ///< of the centre
  double thickness = 0.0;
  bool ground = false;
};

[[noreturn]] void refuse_body(const Scene<2>& scene, int body, const std::string& found) {
  throw Error(fmt::format("bodies[{}]", body),
              fmt::format("{} (\"{}\")", found, printable(scene.body_name(body))),
              "upright boxes and a level ground, for the potential energy of flat bricks");
}

Slab slab_of(const Scene<2>& scene, int number) {
  const Body<2>& body = scene.bodies[static_cast<std::size_t>(number)];
  Slab slab;
  slab.body = number;
  if (const auto& half_space = body.shape.half_space) {
    const Vec<2> normal = body.pose.turn(half_space->normal);
    if (!(std::abs(normal.x()) < 1e-12 && normal.y() > 0.0))
      refuse_body(scene, number, "a half plane that is not level");
    slab.ground = true;
    slab.height = half_space->offset + normal.dot(body.pose.position);
    return slab;
  }
  if (!body.motion.empty()) refuse_body(scene, number, "a body on a given path");
  if (!body.shape.balls.empty() || body.shape.pieces.size() != 1 ||
      body.shape.pieces[0].size() != 4) {
    refuse_body(scene, number, "a body that is not a box");
  }
  Vec<2> low = Vec<2>::Constant(std::numeric_limits<double>::infinity());
  Vec<2> high = -low;
  for (const Vec<2>& vertex : body.shape.pieces[0].vertices()) {
    const Vec<2> at = body.pose.apply(vertex);
    low = low.cwiseMin(at);
    high = high.cwiseMax(at);
  }
  for (const Vec<2>& vertex : body.shape.pieces[0].vertices()) {
    const Vec<2> at = body.pose.apply(vertex);
    const double off = std::min(at.x() - low.x(), high.x() - at.x()) +
                       std::min(at.y() - low.y(), high.y() - at.y());
    if (off > 1e-9 * (high - low).norm()) refuse_body(scene, number, "a box that is not upright");
  }
  slab.left = low.x();
  slab.right = high.x();
  slab.middle = 0.5 * (low.x() + high.x());
  slab.height = 0.5 * (low.y() + high.y());
  slab.thickness = high.y() - low.y();
  return slab;
}

}  // namespace

LeastPotential least_potential(const Scene<2>& scene) {
  const Vec<2>& gravity = scene.gravity.value;
  if (!(gravity.x() == 0.0 && gravity.y() < 0.0)) {
    throw Error("gravity", fmt::format("[{:g}, {:g}]", gravity.x(), gravity.y()),
                "[0, y] with y below 0");
  }
  std::vector<Slab> slabs;
  Program program;
  LeastPotential result;
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    Slab slab = slab_of(scene, i);
    const Body<2>& body = scene.bodies[static_cast<std::size_t>(i)];
    if (body.free()) {
      const double weight = -body.mass.mass * gravity.y();
      slab.block = program.add_block(Eigen::Matrix2d::Zero(), Eigen::Vector2d(-weight, 0.0));
      result.energy_at_start += weight * slab.height;
    }
    slabs.push_back(slab);
  }
  const auto rest_on = [&](const Slab& upper, const Slab& lower) {
    const double left = lower.ground ? upper.left : std::max(upper.left, lower.left);
    const double right = lower.ground ? upper.right : std::min(upper.right, lower.right);
    if (!(right - left > 1e-9 * (upper.right - upper.left))) return;
    for (const double x : {left, right}) {
      double bound = 0.5 * (upper.thickness + lower.thickness);
      if (upper.block < 0) bound -= upper.height;
      if (lower.block < 0) bound += lower.height;
      program.begin_row(Cone::nonnegative, bound);
      if (upper.block >= 0)
        program.add_term(upper.block, Eigen::RowVector2d(1.0, x - upper.middle));
      if (lower.block >= 0)
        program.add_term(lower.block, Eigen::RowVector2d(-1.0, lower.middle - x));
    }
  };
  for (const Slab& a : slabs) {
    for (const Slab& b : slabs) {
      if (a.ground || (a.block < 0 && b.block < 0)) continue;
      if (b.ground || b.height < a.height) rest_on(a, b);
    }
  }
  const Solution solution = solve(program);
  result.status = solution.status;
  result.residual = solution.residuals.worst();
  if (!solution.x.allFinite()) return result;
  for (const Slab& slab : slabs) {
    if (slab.block < 0) continue;
    const FlatBrick brick{slab.body, solution.x[2 * slab.block], solution.x[2 * slab.block + 1]};
    result.energy -=
        scene.bodies[static_cast<std::size_t>(slab.body)].mass.mass * gravity.y() * brick.height;
    result.bricks.push_back(brick);
  }
  return result;
}

}  // namespace collapse
