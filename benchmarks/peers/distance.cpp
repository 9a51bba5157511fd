#include "benchmarks/peers/distance.hpp"

#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "collapse/core/random.hpp"
#include "contact/space/convex_distance.hpp"

namespace collapse::benchmarks {
namespace {

constexpr int kPairs = 500;
constexpr int kRepetitions = 5;

struct DistanceCase {
  std::string_view name;
  int points;       ///< of the hull; 0: a brick
  double thinnest;  ///< side, of size 1
  double gap;       ///< along the separating normal, relative to the size; NaN: wherever it falls
};

struct PeerSolid {
  std::shared_ptr<const Hull> hull;
  std::shared_ptr<const fcl::Convex<double>> convex;
  Pose<3> pose;
  std::vector<Vec<3>> vertices;

  [[nodiscard]] contacts::ConvexSolid solid() const {
    return contacts::ConvexSolid::polyhedron(*hull, vertices, pose.rotation);
  }
  [[nodiscard]] fcl::Transform3<double> transform() const {
    fcl::Transform3<double> transform = fcl::Transform3<double>::Identity();
    transform.linear() = pose.rotation;
    transform.translation() = pose.position;
    return transform;
  }
};

PeerSolid random_solid(const DistanceCase& which, Random& random) {
  const auto side = [&] { return std::pow(which.thinnest, random.between(0.0, 1.0)); };
  const Vec<3> sides(side(), side(), side());
  std::vector<ExactVec<3>> points;
  const int count = which.points == 0 ? 8 : which.points;
  for (int i = 0; i < count; ++i) {
    Vec<3> at((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5, (i & 4) != 0 ? 0.5 : -0.5);
    if (which.points > 0) {
      do {
        at = {random.between(-0.5, 0.5), random.between(-0.5, 0.5), random.between(-0.5, 0.5)};
      } while (at.norm() > 0.5 || at.norm() < 0.1);
      at *= 0.5 / at.norm();
    }
    at = at.cwiseProduct(sides);
    points.emplace_back(Rational(at.x()), Rational(at.y()), Rational(at.z()));
  }
  PeerSolid solid;
  solid.hull = std::make_shared<const Hull>(points);
  std::vector<int> faces;
  for (const Hull::Face& face : solid.hull->faces()) {
    faces.push_back(static_cast<int>(face.loop.size()));
    faces.insert(faces.end(), face.loop.begin(), face.loop.end());
  }
  solid.convex = std::make_shared<const fcl::Convex<double>>(
      std::make_shared<const std::vector<Vec<3>>>(solid.hull->vertices()),
      static_cast<int>(solid.hull->faces().size()),
      std::make_shared<const std::vector<int>>(std::move(faces)));
  Eigen::Vector4d q;
  do {
    for (int i = 0; i < 4; ++i) q[i] = random.between(-1.0, 1.0);
  } while (q.norm() > 1.0 || q.norm() < 0.1);
  solid.pose.rotation = Eigen::Quaterniond(q).normalized().toRotationMatrix();
  return solid;
}

struct PeerPair {
  PeerSolid a;
  PeerSolid b;
  contacts::WitnessCache cache;
};

std::vector<PeerPair> random_pairs(const DistanceCase& which) {
  Random random(1);
  std::vector<PeerPair> pairs;
  for (int k = 0; k < kPairs; ++k) {
    PeerPair pair{random_solid(which, random), random_solid(which, random), {}};
    for (int i = 0; i < 3; ++i) pair.b.pose.position[i] = random.between(-1.5, 1.5);
    const auto place = [](PeerSolid& solid) {
      solid.vertices = contacts::placed_vertices(*solid.hull, solid.pose);
    };
    place(pair.a);
    place(pair.b);
    if (!std::isnan(which.gap)) {
      const contacts::ConvexDistance found = contacts::distance_of(pair.a.solid(), pair.b.solid());
      pair.b.pose.position += (which.gap - found.distance) * found.normal;
      place(pair.b);
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

/// Microseconds per pair, the shortest of several rounds.
template <class Measure>
double microseconds(std::vector<PeerPair>& pairs, const Measure& measure) {
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRepetitions; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (PeerPair& pair : pairs) measure(pair);
    const std::chrono::duration<double, std::micro> spent =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, spent.count() / static_cast<double>(pairs.size()));
  }
  return best;
}

double fcl_distance(const PeerPair& pair, const fcl::detail::GJKSolver_libccd<double>& solver) {
  double distance = 0.0;
  Vec<3> on_a;
  Vec<3> on_b;
  solver.shapeSignedDistance(*pair.a.convex, pair.a.transform(), *pair.b.convex, pair.b.transform(),
                             &distance, &on_a, &on_b);
  return distance;
}

}  // namespace

void compare_distance() {
  constexpr double kAnywhere = std::numeric_limits<double>::quiet_NaN();
  const std::vector<DistanceCase> cases = {
      {"bricks apart", 0, 0.3, kAnywhere},
      {"bricks, gap 1e-3", 0, 0.3, 1e-3},
      {"bricks, depth 1e-3", 0, 0.3, -1e-3},
      {"bricks 1 : 1000, gap 1e-3", 0, 1e-3, 1e-3},
      {"hulls of 20 points, gap 1e-3", 20, 0.5, 1e-3},
      {"hulls of 20 points, depth 1e-3", 20, 0.5, -1e-3},
      {"hulls of 200 points, gap 1e-3", 200, 0.5, 1e-3},
      {"hulls of 200 points, depth 1e-3", 200, 0.5, -1e-3},
  };
  fcl::detail::GJKSolver_libccd<double> solver;
  solver.distance_tolerance = 1e-6;
  fmt::print(
      "| pairs | ours, µs | ours, warm | FCL, µs | median difference | largest | FCL gave up |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (const DistanceCase& which : cases) {
    std::vector<PeerPair> pairs = random_pairs(which);
    double sum = 0.0;
    const double cold = microseconds(pairs, [&](PeerPair& pair) {
      sum += contacts::distance_of(pair.a.solid(), pair.b.solid()).distance;
    });
    const double warm = microseconds(pairs, [&](PeerPair& pair) {
      sum += contacts::distance_of(pair.a.solid(), pair.b.solid(), &pair.cache).distance;
    });
    int failures = 0;
    const auto try_fcl = [&](const PeerPair& pair) {
      try {
        return fcl_distance(pair, solver);
      } catch (const std::exception&) {
        return std::numeric_limits<double>::quiet_NaN();
      }
    };
    const double theirs = microseconds(pairs, [&](PeerPair& pair) { sum += try_fcl(pair); });
    std::vector<double> differences;
    for (const PeerPair& pair : pairs) {
      const double ours = contacts::distance_of(pair.a.solid(), pair.b.solid()).distance;
      const double other = try_fcl(pair);
      if (std::isnan(other)) {
        ++failures;
      } else {
        differences.push_back(std::abs(ours - other));
      }
    }
    std::sort(differences.begin(), differences.end());
    if (differences.empty()) differences.push_back(std::numeric_limits<double>::quiet_NaN());
    fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} | {:.0e} | {:.0e} | {} |\n", which.name, cold, warm,
               theirs, differences[differences.size() / 2], differences.back(), failures);
  }
}

}  // namespace collapse::benchmarks
