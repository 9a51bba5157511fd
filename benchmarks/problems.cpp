#include "benchmarks/problems.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "benchmarks/contact_rows.hpp"
#include "collapse/core/check.hpp"
#include "collapse/core/random.hpp"

namespace collapse::benchmarks {

namespace {

constexpr double kBrickHeight = 0.5;

// ── bricks in the plane ─────────────────────────────────────────────────────────────────────────

struct Brick {
  double left = 0.0;
  double right = 0.0;
  double bottom = 0.0;
  int body = kGround;

  [[nodiscard]] double top() const { return bottom + kBrickHeight; }
};

using Course = std::vector<Brick>;

void add_brick(ContactProgram<2>& program, Brick& brick, double density, double speed = 0.0) {
  const double width = brick.right - brick.left;
  const double mass = density * width * kBrickHeight;
  const Inertia<2> inertia(mass * (width * width + kBrickHeight * kBrickHeight) / 12.0);
  const Vec<2> centre(0.5 * (brick.left + brick.right), brick.bottom + 0.5 * kBrickHeight);
  brick.body = program.add_body(centre, mass, inertia, Twist<2>(speed, 0.0, 0.0));
}

/// The ends of the edge on which b lies on a.
void add_bed_joint(ContactProgram<2>& program, const Brick& a, const Brick& b) {
  const double left = std::max(a.left, b.left);
  const double right = std::min(a.right, b.right);
  if (left >= right) return;
  const Vec<2> up(0.0, 1.0);
  program.add_contact({a.body, b.body, 0, Vec<2>(left, b.bottom), up});
  program.add_contact({a.body, b.body, 1, Vec<2>(right, b.bottom), up});
}

/// The ends of the edge where b is next to a, on its right.
void add_head_joint(ContactProgram<2>& program, const Brick& a, const Brick& b) {
  const double bottom = std::max(a.bottom, b.bottom);
  const double top = std::min(a.top(), b.top());
  if (bottom >= top) return;
  const Vec<2> right(1.0, 0.0);
  program.add_contact({a.body, b.body, 0, Vec<2>(b.left, bottom), right});
  program.add_contact({a.body, b.body, 1, Vec<2>(b.left, top), right});
}

/// Whole bricks, or halves at both ends with whole bricks between them.
Course course(int row, int columns) {
  Course bricks;
  double left = 0.0;
  while (left < columns) {
    const bool half = row % 2 == 1 && (left == 0.0 || left + 1.0 > columns);
    const double right = left + (half ? 0.5 : 1.0);
    bricks.push_back({left, right, row * kBrickHeight});
    left = right;
  }
  return bricks;
}

/// All joints between two courses; both are sorted from left to right.
void add_bed_joints(ContactProgram<2>& program, const Course& below, const Course& above) {
  auto first = below.begin();
  for (const Brick& brick : above) {
    while (first != below.end() && first->right <= brick.left) ++first;
    for (auto a = first; a != below.end() && a->left < brick.right; ++a) {
      add_bed_joint(program, *a, brick);
    }
  }
}

// ── unit cubes in space ─────────────────────────────────────────────────────────────────────────

int add_cube(ContactProgram<3>& program, const Vec<3>& centre) {
  return program.add_body(centre, 1.0, Inertia<3>::Identity() / 6.0);
}

/// Points of the face between a and b around `centre`, with the axis number `axis` as its normal.
void add_face(ContactProgram<3>& program, int a, int b, const Vec<3>& centre, int axis,
              bool with_midpoints) {
  int corner = 0;
  for (const double s : {-0.5, 0.0, 0.5}) {
    for (const double t : {-0.5, 0.0, 0.5}) {
      const bool midpoint = s == 0.0 || t == 0.0;
      if ((midpoint && !with_midpoints) || (s == 0.0 && t == 0.0)) continue;
      Vec<3> p = centre;
      p[(axis + 1) % 3] += s;
      p[(axis + 2) % 3] += t;
      program.add_contact({a, b, corner++, p, Vec<3>::Unit(axis)});
    }
  }
}

}  // namespace

Program wall(int rows, int columns, const WallOptions& options) {
  COLLAPSE_DEMAND(rows > 0 && columns > 0);
  ContactProgram<2> program({options.friction, 0.0, options.step});
  std::vector<Course> courses;
  for (int row = 0; row < rows; ++row) {
    courses.push_back(course(row, columns));
    int number = row;
    for (Brick& brick : courses.back()) {
      add_brick(program, brick, number++ % 2 == 0 ? 1.0 : options.mass_ratio);
    }
  }
  const bool hit = options.projectile_speed != 0.0;
  const int middle = rows / 2;
  Brick projectile{-1.0, 0.0, std::max(0.0, (middle - 0.5) * kBrickHeight)};
  if (hit) add_brick(program, projectile, 1.0, options.projectile_speed);

  const Course ground = {{0.0, static_cast<double>(columns), -kBrickHeight}};
  for (std::size_t row = 0; row < courses.size(); ++row) {
    const Course& bricks = courses[row];
    add_bed_joints(program, row == 0 ? ground : courses[row - 1], bricks);
    for (std::size_t k = 1; k < bricks.size(); ++k) {
      add_head_joint(program, bricks[k - 1], bricks[k]);
    }
    if (hit) add_head_joint(program, projectile, bricks.front());
  }
  return program.take();
}

Program tower(int n, const TowerOptions& options) {
  ContactProgram<3> program({options.friction, 0.0, options.step});
  for (int i = 0; i < n; ++i) add_cube(program, Vec<3>(0.0, 0.0, i + 0.5));
  if (n > 0) add_face(program, kGround, 0, Vec<3>::Zero(), 2, false);
  for (int i = 1; i < n; ++i) {
    // The octagon around a circle of radius ½.
    for (int corner = 0; corner < 8; ++corner) {
      const double angle = (corner + 0.5) * std::numbers::pi / 4.0;
      const double radius = 0.5 / std::cos(std::numbers::pi / 8.0);
      const Vec<3> p(radius * std::cos(angle), radius * std::sin(angle), i);
      program.add_contact({i - 1, i, corner, p, Vec<3>::UnitZ()});
    }
  }
  return program.take();
}

Program cube_stack(int nx, int ny, int nz, const StackOptions& options) {
  ContactProgram<3> program({options.friction, 0.0, options.step});
  const auto cubes = [&](auto&& visit) {
    for (int z = 0; z < nz; ++z) {
      for (int y = 0; y < ny; ++y) {
        for (int x = 0; x < nx; ++x) visit(Eigen::Vector3i(x, y, z));
      }
    }
  };
  const Eigen::Vector3i stride(1, nx, nx * ny);
  const auto centre = [](const Eigen::Vector3i& cell) {
    return Vec<3>(cell.cast<double>() + Vec<3>::Constant(0.5));
  };
  cubes([&](const Eigen::Vector3i& cell) { add_cube(program, centre(cell)); });
  cubes([&](const Eigen::Vector3i& cell) {
    const int b = cell.dot(stride);
    for (int axis = 0; axis < 3; ++axis) {
      if (cell[axis] == 0 && axis != 2) continue;
      const int a = cell[axis] == 0 ? kGround : b - stride[axis];
      const Vec<3> face = centre(cell) - 0.5 * Vec<3>::Unit(axis);
      add_face(program, a, b, face, axis, options.with_midpoints);
    }
  });
  return program.take();
}

Program islands(int count, int bodies_each, std::uint64_t seed, const IslandsOptions& options) {
  ContactProgram<2> program({options.friction, 0.0, options.step});
  Random random(seed);
  std::vector<Course> towers(static_cast<std::size_t>(count));
  for (Course& tower : towers) {
    for (int i = 0; i < bodies_each; ++i) {
      const double left = random.between(-0.1, 0.1);
      tower.push_back({left, left + 1.0, i * kBrickHeight});
      add_brick(program, tower.back(), 1.0);
    }
  }
  const Brick ground{-1.0, 2.0, -kBrickHeight};
  for (const Course& tower : towers) {
    for (std::size_t i = 0; i < tower.size(); ++i) {
      add_bed_joint(program, i == 0 ? ground : tower[i - 1], tower[i]);
    }
  }
  return program.take();
}

Program next_step(const Program& program, const Eigen::VectorXd& v,
                  const NextStepOptions& options) {
  Random random(options.seed);
  const double size = options.disturbance;
  Eigen::VectorXd v_free = v;
  for (double& component : v_free) component += random.between(-size, size);
  for (const Program::Block& block : program.blocks()) {
    const int down = block.size == kDofs<2> ? 1 : 2;
    v_free[block.first + down] -= options.step * kGravity;
  }
  Eigen::VectorXd linear;
  program.mass_times(v_free, linear);
  // Row 0 of a group is d/h + n·u, the next gap over h, perhaps divided by μ: it is carried over as
  // it is, whatever μ and h were. The other rows have no bound.
  Eigen::VectorXd gaps;
  program.rows_times(v, gaps);
  gaps -= program.bounds();

  Program next;
  for (const Program::Block& block : program.blocks()) {
    next.add_block(program.mass(block), linear.segment(block.first, block.size));
  }
  for (const Program::Group& group : program.groups()) {
    Eigen::VectorXd bounds = Eigen::VectorXd::Zero(group.rows);
    bounds[0] = std::min(0.0, random.between(-size, size) - gaps[group.first_row]);
    next.begin_group(group.cone, bounds,
                     {.compliance = group.compliance, .id = group.id, .label = {}});
    for (const Program::Term& term : program.terms(group)) {
      next.add_term(term.block, program.coefficients(group, term));
    }
  }
  return next;
}

}  // namespace collapse::benchmarks
