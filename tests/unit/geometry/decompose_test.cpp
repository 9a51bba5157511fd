#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "collapse/core/random.hpp"
#include "collapse/geometry/polyhedron.hpp"
#include "tests/unit/geometry/mesh_samples.hpp"

namespace collapse::testing {
namespace {

/// From tetrahedra of the origin and fans of the faces.
Rational volume_inside(const Mesh& mesh) {
  Rational six_volumes = 0;
  for (const std::vector<int>& face : mesh.faces) {
    const auto at = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(face[i])]; };
    for (std::size_t i = 2; i < face.size(); ++i) {
      const ExactVec<3> a = at(0);
      const ExactVec<3> b = at(i - 1);
      const ExactVec<3> c = at(i);
      six_volumes += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                     a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
  }
  return six_volumes / 6;
}

/// A plane of a face of one has the other beyond it, or one across an edge of each: separating planes of convex
/// polyhedra, without rounding.
bool are_apart(const Hull& a, const Hull& b) {
  const auto dot = [](const ExactVec<3>& u, const ExactVec<3>& v) {
    return Rational(u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
  };
  // Doubles say which planes are worth a look.
  const auto seems_to_separate = [&](const Vec<3>& n) {
    const auto range = [&](const Hull& hull) {
      std::pair<double, double> extent{n.dot(hull.vertices()[0]), n.dot(hull.vertices()[0])};
      for (const Vec<3>& vertex : hull.vertices()) {
        extent.first = std::min(extent.first, n.dot(vertex));
        extent.second = std::max(extent.second, n.dot(vertex));
      }
      return extent;
    };
    const auto [low_a, high_a] = range(a);
    const auto [low_b, high_b] = range(b);
    const double tolerance = 1e-9 * n.norm();
    return high_a <= low_b + tolerance || high_b <= low_a + tolerance;
  };
  const auto separates = [&](const ExactVec<3>& n) {
    if (n[0] == 0 && n[1] == 0 && n[2] == 0) return false;
    if (!seems_to_separate(to_double<3>(n))) return false;
    const auto range = [&](const Hull& hull) {
      std::pair<Rational, Rational> extent{dot(n, hull.exact()[0]), dot(n, hull.exact()[0])};
      for (const ExactVec<3>& vertex : hull.exact()) {
        const Rational height = dot(n, vertex);
        extent.first = std::min(extent.first, height);
        extent.second = std::max(extent.second, height);
      }
      return extent;
    };
    const auto [low_a, high_a] = range(a);
    const auto [low_b, high_b] = range(b);
    return high_a <= low_b || high_b <= low_a;
  };
  const auto cross = [](const ExactVec<3>& u, const ExactVec<3>& v) {
    return point3(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  };
  const auto along = [](const Hull& hull, const Hull::Edge& edge) -> ExactVec<3> {
    return hull.exact()[static_cast<std::size_t>(edge.to)] -
           hull.exact()[static_cast<std::size_t>(edge.from)];
  };
  for (const Hull* hull : {&a, &b}) {
    for (const Hull::Face& face : hull->faces()) {
      const auto at = [&](std::size_t i) {
        return hull->exact()[static_cast<std::size_t>(face.loop[i])];
      };
      if (separates(cross(at(1) - at(0), at(2) - at(0)))) return true;
    }
  }
  for (const Hull::Edge& edge : a.edges()) {
    for (const Hull::Edge& other : b.edges()) {
      const Vec<3> n = to_double<3>(along(a, edge)).cross(to_double<3>(along(b, other)));
      if (!seems_to_separate(n)) continue;
      if (separates(cross(along(a, edge), along(b, other)))) return true;
    }
  }
  return false;
}

/// The pieces are the mesh: together as large, none over another. (That none sticks out follows where all corners of
/// the mesh's own cells are whole: pieces come from cutting the hull along faces.)
void expect_exact(const Mesh& mesh, std::size_t most) {
  ASSERT_EQ(mesh_fault(mesh), "");
  const Decomposition decomposition = decompose(mesh);
  EXPECT_EQ(decomposition.excess, 0.0);
  EXPECT_LE(decomposition.pieces.size(), most);
  Rational sum = 0;
  for (const Hull& piece : decomposition.pieces) sum += volume_inside(piece.mesh());
  EXPECT_EQ(sum, volume_inside(mesh));
  for (std::size_t i = 0; i < decomposition.pieces.size(); ++i) {
    EXPECT_EQ(mesh_fault(decomposition.pieces[i].mesh()), "");
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_TRUE(are_apart(decomposition.pieces[i], decomposition.pieces[j])) << i << " " << j;
    }
  }
}

Cubes cubes_of(const std::vector<std::string>& rows) {
  Cubes cubes;
  for (std::size_t y = 0; y < rows.size(); ++y) {
    for (std::size_t x = 0; x < rows[y].size(); ++x) {
      if (rows[y][x] == '#') cubes.insert({static_cast<int>(x), -static_cast<int>(y), 0});
    }
  }
  return cubes;
}

TEST(Decompose, ConvexMeshesAreOnePiece) {
  expect_exact(unit_cube(), 1);
  expect_exact(mesh_of_cubes({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}), 1);
  expect_exact(ball_mesh(4, [](const Vec<3>&) { return 1.0; }), 1);
}

TEST(Decompose, LettersAreFewPieces) {
  expect_exact(mesh_of_cubes(cubes_of({"#.", "#.", "##"})), 2);
  expect_exact(mesh_of_cubes(cubes_of({"###", ".#.", ".#."})), 2);
  expect_exact(mesh_of_cubes(cubes_of({"#.#", "#.#", "###"})), 3);
  expect_exact(mesh_of_cubes(cubes_of({".#.", "###", ".#."})), 3);
  expect_exact(mesh_of_cubes(cubes_of({"#.#", "###", "#.#"})), 3);
  expect_exact(mesh_of_cubes(cubes_of({"###", "#..", "##.", "#..", "###"})), 5);
  expect_exact(mesh_of_cubes(cubes_of({"###", "#.#", "###", "#..", "#.."})), 5);
}

TEST(Decompose, StairsTakeAPieceAStep) {
  Cubes cubes;
  for (int x = 0; x < 6; ++x) {
    for (int y = 0; y <= x; ++y) {
      for (int z = 0; z < 2; ++z) cubes.insert({x, y, z});
    }
  }
  expect_exact(mesh_of_cubes(cubes), 6);
}

TEST(Decompose, ATunnelIsFourPieces) {
  Cubes cubes;
  for (int x = 0; x < 3; ++x) {
    for (int y = 0; y < 3; ++y) {
      for (int z = 0; z < 3; ++z) {
        if (x != 1 || y != 1) cubes.insert({x, y, z});
      }
    }
  }
  expect_exact(mesh_of_cubes(cubes), 4);
}

TEST(Decompose, ACavityIsLeftOut) {
  Cubes cubes;
  for (int x = 0; x < 3; ++x) {
    for (int y = 0; y < 3; ++y) {
      for (int z = 0; z < 3; ++z) {
        if (x != 1 || y != 1 || z != 1) cubes.insert({x, y, z});
      }
    }
  }
  expect_exact(mesh_of_cubes(cubes), 6);
}

TEST(Decompose, SeparatePartsAreSeparatePieces) {
  expect_exact(mesh_of_cubes({{0, 0, 0}, {5, 3, 1}, {-4, 2, 2}}), 3);
}

TEST(Decompose, AStarIsCutAtItsReflexCorners) {
  // Fractions on purpose.
  std::vector<std::pair<Rational, Rational>> star;
  for (int i = 0; i < 10; ++i) {
    const double angle = i * std::numbers::pi / 5;
    const double radius = i % 2 == 0 ? 3.0 : 1.0;
    star.emplace_back(Rational(std::lround(1000 * radius * std::cos(angle))) / 700,
                      Rational(std::lround(1000 * radius * std::sin(angle))) / 700);
  }
  expect_exact(prism(star, Rational(1) / 3), 9);
}

TEST(Decompose, RandomUnionsOfCubesAreExact) {
  Random random(99);
  int divided = 0;
  for (int round = 0; round < 60; ++round) {
    Cubes cubes;
    const int count = 2 + random.below(20);
    for (int i = 0; i < count; ++i) {
      cubes.insert({random.below(4), random.below(4), random.below(3)});
    }
    const Mesh mesh = mesh_of_cubes(cubes);
    // Cubes that share an edge alone are no solid.
    if (!mesh_fault(mesh).empty()) continue;
    SCOPED_TRACE(round);
    expect_exact(mesh, cubes.size());
    ++divided;
  }
  EXPECT_GT(divided, 10);
}

TEST(Decompose, ADentedBallIsCoveredAndSaysHowWell) {
  const Mesh ball = ball_mesh(14, [](const Vec<3>& unit) {
    const double closeness = std::max(0.0, unit[2] - 0.7) / 0.3;
    return 1.0 - 0.5 * closeness * closeness;
  });
  ASSERT_EQ(mesh_fault(ball), "");
  const Decomposition decomposition = decompose(ball);
  EXPECT_GE(decomposition.pieces.size(), 2U);
  EXPECT_LE(decomposition.pieces.size(), 64U);
  EXPECT_GT(decomposition.excess, 0.0);
  EXPECT_LT(decomposition.excess, 0.05);
  Rational sum = 0;
  for (std::size_t i = 0; i < decomposition.pieces.size(); ++i) {
    sum += volume_inside(decomposition.pieces[i].mesh());
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_TRUE(are_apart(decomposition.pieces[i], decomposition.pieces[j])) << i << " " << j;
    }
  }
  EXPECT_DOUBLE_EQ(to_double(Rational(sum / volume_inside(ball) - 1)), decomposition.excess);
  // The hull alone would be worse.
  const double filled =
      to_double(Rational(volume_inside(Hull(ball.vertices).mesh()) / volume_inside(ball) - 1));
  EXPECT_LT(decomposition.excess, 0.5 * filled);
  // Every vertex is covered.
  for (const ExactVec<3>& vertex : ball.vertices) {
    const Vec<3> at = to_double<3>(vertex);
    bool covered = false;
    for (const Hull& piece : decomposition.pieces) {
      bool below = true;
      for (const Hull::Face& face : piece.faces()) {
        below = below && face.normal.dot(at) <= face.offset + 1e-12;
      }
      covered = covered || below;
    }
    EXPECT_TRUE(covered);
  }
}

}  // namespace
}  // namespace collapse::testing
