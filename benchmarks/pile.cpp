/// The disordered pile of problems.hpp: centres packed like balls in a pit, then contacts between
/// neighbours.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "benchmarks/contact_rows.hpp"
#include "benchmarks/problems.hpp"
#include "collapse/core/random.hpp"

namespace collapse::benchmarks {

namespace {

/// Balls of diameter 1: what random packings of cubes and of balls have in common is the number of
/// neighbours.
constexpr double kDiameter = 1.0;
/// Centres up to this distance touch; with it a pile has 6.2 to 6.7 points per body.
constexpr double kReach = 1.1 * kDiameter;

/// The square pit 0 ≤ x, y ≤ side, 0 ≤ z, without a lid.
struct Packing {
  double side = 0.0;
  std::vector<Vec<3>> centres;
};

// ── neighbours ──────────────────────────────────────────────────────────────────────────────────

/// Finds all pairs of centres within a distance, by sorting them into cells of that size.
class Cells {
 public:
  Cells(const Packing& packing, double reach) : packing_(packing), reach_(reach) {
    double top = 0.0;
    for (const Vec<3>& centre : packing.centres) top = std::max(top, centre.z());
    const auto cells = [&](double length) { return static_cast<int>(length / reach) + 1; };
    shape_ = {cells(packing.side), cells(packing.side), cells(top)};
    sort();
  }

  /// visit(i, j) for i < j, in the order of i.
  template <class Visitor>
  void visit_pairs(const Visitor& visit) const {
    for (int i = 0; i < static_cast<int>(packing_.centres.size()); ++i) {
      const Vec<3> centre = at(i);
      const Eigen::Vector3i cell = cell_of(centre);
      const Eigen::Vector3i low = (cell.array() - 1).max(0);
      const Eigen::Vector3i high = (cell.array() + 1).min(shape_.array() - 1);
      for (int z = low.z(); z <= high.z(); ++z) {
        for (int y = low.y(); y <= high.y(); ++y) {
          // Cells of one row lie behind each other.
          const int first = first_[index_of({low.x(), y, z})];
          const int end = first_[index_of({high.x(), y, z}) + 1];
          for (int k = first; k < end; ++k) {
            const int j = members_[static_cast<std::size_t>(k)];
            if (j > i && (at(j) - centre).squaredNorm() < reach_ * reach_) visit(i, j);
          }
        }
      }
    }
  }

 private:
  [[nodiscard]] const Vec<3>& at(int i) const {
    return packing_.centres[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] Eigen::Vector3i cell_of(const Vec<3>& centre) const {
    return (centre / reach_)
        .cast<int>()
        .cwiseMax(0)
        .cwiseMin(shape_.array().matrix() - Eigen::Vector3i::Ones());
  }
  [[nodiscard]] std::size_t index_of(const Eigen::Vector3i& cell) const {
    const int index = (cell.z() * shape_.y() + cell.y()) * shape_.x() + cell.x();
    return static_cast<std::size_t>(index);
  }

  /// Counting sort: cell number k has the members first_[k], …, first_[k + 1] − 1.
  void sort() {
    first_.assign(static_cast<std::size_t>(shape_.prod()) + 1, 0);
    for (const Vec<3>& centre : packing_.centres) ++first_[index_of(cell_of(centre))];
    int total = 0;
    for (int& count : first_) count = (total += count) - count;
    members_.resize(packing_.centres.size());
    std::vector<int> next = first_;
    for (int i = 0; i < static_cast<int>(members_.size()); ++i) {
      members_[static_cast<std::size_t>(next[index_of(cell_of(at(i)))]++)] = i;
    }
  }

  const Packing& packing_;
  double reach_;
  Eigen::Vector3i shape_;
  std::vector<int> first_;
  std::vector<int> members_;
};

// ── packing ─────────────────────────────────────────────────────────────────────────────────────

/// As high as wide, layer by layer, each centre somewhere around its place on a grid.
Packing jittered_grid(int n, Random& random) {
  const int columns = std::max(1, static_cast<int>(std::lround(std::cbrt(n))));
  Packing packing{columns * kDiameter, {}};
  for (int i = 0; i < n; ++i) {
    const int row = i / columns;
    const int layer = row / columns;
    const Vec<3> cell(i % columns, row % columns, layer);
    Vec<3> jitter;
    for (double& component : jitter) component = random.between(0.1, 0.9);
    packing.centres.push_back(kDiameter * (cell + jitter));
  }
  return packing;
}

/// One sweep: balls sink, overlapping ones push each other away, the pit keeps them in.
void relax(Packing& packing) {
  constexpr double kSink = 0.01 * kDiameter;
  constexpr double kPush = 0.45;  // of the overlap, for each of the two
  const Cells cells(packing, kDiameter);
  auto& centres = packing.centres;
  for (Vec<3>& centre : centres) centre.z() -= kSink;
  cells.visit_pairs([&](int i, int j) {
    Vec<3>& a = centres[static_cast<std::size_t>(i)];
    Vec<3>& b = centres[static_cast<std::size_t>(j)];
    const double distance = (b - a).norm();
    const Vec<3> push = kPush * (kDiameter / distance - 1.0) * (b - a);
    a -= push;
    b += push;
  });
  const double low = 0.5 * kDiameter;
  for (Vec<3>& centre : centres) {
    centre.head<2>() = centre.head<2>().cwiseMax(low).cwiseMin(packing.side - low);
    centre.z() = std::max(centre.z(), low);
  }
}

// ── contacts ────────────────────────────────────────────────────────────────────────────────────

Vec<3> random_direction(Random& random) {
  const double z = random.between(-1.0, 1.0);
  const double angle = random.between(0.0, 2.0 * std::numbers::pi);
  const double radius = std::sqrt(1.0 - z * z);
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

/// A box of density 1 with edges of 0.8 to 1.2 m, turned anyhow.
void add_box(ContactProgram<3>& program, const Vec<3>& centre, Random& random) {
  Vec<3> edges;
  for (double& edge : edges) edge = random.between(0.8, 1.2);
  const double mass = edges.prod();
  const Vec<3> squares = edges.cwiseAbs2();
  const Vec<3> moments = mass / 12.0 * (Vec<3>::Constant(squares.sum()) - squares);
  const Eigen::AngleAxisd turn(random.between(0.0, 2.0 * std::numbers::pi),
                               random_direction(random));
  const Inertia<3> inertia =
      world_inertia<3>(moments.asDiagonal().toDenseMatrix(), turn.toRotationMatrix());
  program.add_body(centre, mass, 0.5 * (inertia + inertia.transpose()));
}

/// How often a pair touches in 1, 2, 3, 4 points: vertex or crossing edges, edge, faces.
int random_point_count(Random& random) {
  const double u = random.between(0.0, 1.0);
  return u < 0.4 ? 1 : u < 0.75 ? 2 : u < 0.85 ? 3 : 4;
}

/// A pair that touches.
struct Pair {
  int a = kGround;
  int b = 0;
  int first_corner = 0;
  Vec<3> middle;
  Vec<3> n;
};

/// The points of a pair: corners of a square patch across n around the middle, or the middle itself.
void add_patch(ContactProgram<3>& program, const Pair& pair, const PileOptions& options,
               Random& random) {
  constexpr double kPatch = 0.3;  // m, from the middle to a corner
  const int points = random_point_count(random);
  const double turn = random.between(0.0, 2.0 * std::numbers::pi);
  const bool open = random.between(0.0, 1.0) < options.open_share;
  const Eigen::Matrix<double, 3, 2> tangents = tangents_of<3>(pair.n);
  for (int corner = 0; corner < points; ++corner) {
    // Two points lie opposite each other: the middle of the patch is where the force passes.
    const double angle = turn + corner * std::numbers::pi / (points == 2 ? 1.0 : 2.0);
    const double radius = points == 1 ? 0.0 : kPatch;
    const Vec<3> p = pair.middle + radius * tangents * Vec<2>(std::cos(angle), std::sin(angle));
    const double gap = open ? random.between(0.0, options.largest_gap) : 0.0;
    program.add_contact({pair.a, pair.b, pair.first_corner + corner, p, pair.n, gap});
  }
}

/// Contacts with the floor and the four sides of the pit, all of them the ground.
void add_pit_contacts(ContactProgram<3>& program, const Packing& packing, int body,
                      const PileOptions& options, Random& random) {
  constexpr int kCornersOfAPlane = 4;
  const Vec<3>& centre = packing.centres[static_cast<std::size_t>(body)];
  const Vec<3> far = Vec<3>::Constant(packing.side) - centre;
  int corner = 0;
  const auto touch = [&](const Vec<3>& n, double distance) {
    if (distance < 0.5 * kReach) {
      add_patch(program, {kGround, body, corner, centre - distance * n, n}, options, random);
    }
    corner += kCornersOfAPlane;
  };
  touch(Vec<3>::UnitZ(), centre.z());
  if (!options.sides) return;
  for (int axis = 0; axis < 2; ++axis) {
    touch(Vec<3>::Unit(axis), centre[axis]);
    touch(-Vec<3>::Unit(axis), far[axis]);
  }
}

}  // namespace

Program pile(int n, std::uint64_t seed, const PileOptions& options) {
  Random random(seed);
  Packing packing = jittered_grid(n, random);
  constexpr int kSweeps = 40;
  for (int sweep = 0; sweep < kSweeps; ++sweep) relax(packing);

  ContactProgram<3> program({options.friction, options.compliance, options.step});
  for (const Vec<3>& centre : packing.centres) add_box(program, centre, random);
  for (int body = 0; body < n; ++body) add_pit_contacts(program, packing, body, options, random);
  Cells(packing, kReach).visit_pairs([&](int a, int b) {
    constexpr double kTilt = 0.2;
    const Vec<3>& from = packing.centres[static_cast<std::size_t>(a)];
    const Vec<3>& to = packing.centres[static_cast<std::size_t>(b)];
    const Vec<3> normal =
        ((to - from).normalized() + kTilt * random_direction(random)).normalized();
    add_patch(program, {a, b, 0, 0.5 * (from + to), normal}, options, random);
  });
  return program.take();
}

}  // namespace collapse::benchmarks
