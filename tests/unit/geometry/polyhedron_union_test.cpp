#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/unit/geometry/solids.hpp"

namespace collapse {
namespace {

int convex_vertices(const Surface& surface) {
  return static_cast<int>(std::count_if(surface.vertices.begin(), surface.vertices.end(),
                                        [](const Surface::Vertex& v) { return v.convex; }));
}

int convex_edges(const Surface& surface) {
  return static_cast<int>(std::count_if(surface.edges.begin(), surface.edges.end(),
                                        [](const Surface::Edge& e) { return e.convex; }));
}

void expect_counts(const Surface& surface, int vertices, int edges, int faces) {
  expect_consistent(surface);
  EXPECT_EQ(std::ssize(surface.vertices), vertices);
  EXPECT_EQ(std::ssize(surface.edges), edges);
  EXPECT_EQ(std::ssize(surface.faces), faces);
}

TEST(UnionSurface, OfBoxesSideBySideIsOneBox) {
  const Surface joined = union_surface({block(0, 0, 0, 1, 2, 3), block(1, 0, 0, 5, 2, 3)});
  const Surface whole = surface_of(block(0, 0, 0, 5, 2, 3));
  expect_counts(joined, 8, 12, 6);
  EXPECT_EQ(outlines(joined), outlines(whole));
  EXPECT_EQ(convex_vertices(joined), 8);
  EXPECT_EQ(convex_edges(joined), 12);
  EXPECT_EQ(joined.exact.size(), 8u);
}

TEST(UnionSurface, OfOverlappingOrRepeatedBoxesIsTheirUnion) {
  const Surface whole = surface_of(block(0, 0, 0, 5, 2, 3));
  EXPECT_EQ(outlines(union_surface({block(0, 0, 0, 3, 2, 3), block(2, 0, 0, 5, 2, 3)})),
            outlines(whole));
  EXPECT_EQ(outlines(union_surface({block(0, 0, 0, 5, 2, 3), block(0, 0, 0, 5, 2, 3)})),
            outlines(whole));
  EXPECT_EQ(outlines(union_surface({block(1, 1, 1, 2, 2, 2), block(0, 0, 0, 5, 2, 3)})),
            outlines(whole));
  // Two bars that cross: a plus of twelve corners, made thick.
  const Surface plus = union_surface({block(-3, -1, 0, 3, 1, 1), block(-1, -3, 0, 1, 3, 1)});
  expect_counts(plus, 24, 36, 14);
  EXPECT_EQ(convex_edges(plus), 32);
  EXPECT_EQ(convex_vertices(plus), 16);
}

TEST(UnionSurface, OfAnLHasOneReflexEdge) {
  const Surface shape = union_surface({block(0, 0, 0, 3, 1, 1), block(0, 0, 0, 1, 1, 4)});
  expect_counts(shape, 12, 18, 8);
  EXPECT_EQ(convex_edges(shape), 17);
  EXPECT_EQ(convex_vertices(shape), 10);
  const auto reflex = std::find_if(shape.edges.begin(), shape.edges.end(),
                                   [](const Surface::Edge& e) { return !e.convex; });
  EXPECT_EQ(shape.exact[static_cast<std::size_t>(reflex->from)], at(1, 0, 1));
  EXPECT_EQ(shape.exact[static_cast<std::size_t>(reflex->to)], at(1, 1, 1));
}

TEST(UnionSurface, OfATFromThreeBlocksIsThatFromTwo) {
  const Surface two = union_surface({block(0, 0, 2, 3, 1, 3), block(1, 0, 0, 2, 1, 2)});
  const Surface three =
      union_surface({block(0, 0, 2, 1, 1, 3), block(1, 0, 0, 2, 1, 3), block(2, 0, 2, 3, 1, 3)});
  expect_counts(two, 16, 24, 10);
  EXPECT_EQ(outlines(two), outlines(three));
  EXPECT_EQ(euler_characteristic(two), 2);
}

TEST(UnionSurface, OfABoxOnABiggerBoxHasAHoleInTheFaceBelow) {
  const Surface shape = union_surface({block(0, 0, 0, 5, 5, 1), block(1, 1, 1, 2, 3, 2)});
  expect_counts(shape, 16, 24, 11);
  EXPECT_EQ(euler_characteristic(shape), 2);
  EXPECT_EQ(convex_edges(shape), 20);
  EXPECT_EQ(convex_vertices(shape), 12);
  EXPECT_EQ(std::count_if(shape.faces.begin(), shape.faces.end(),
                          [](const Surface::Face& f) { return f.loops.size() == 2; }),
            1);
}

TEST(UnionSurface, OfARingOfEightBoxesIsATorus) {
  std::vector<Hull> ring;
  for (int x = 0; x < 3; ++x) {
    for (int y = 0; y < 3; ++y) {
      if (x != 1 || y != 1) ring.push_back(block(x, y, 0, x + 1, y + 1, 1));
    }
  }
  const Surface shape = union_surface(ring);
  expect_counts(shape, 16, 24, 10);
  EXPECT_EQ(euler_characteristic(shape), 0);
  EXPECT_EQ(convex_edges(shape), 20);
  EXPECT_EQ(convex_vertices(shape), 8);
}

TEST(UnionSurface, OfBoxesThatTouchAlongAnEdgeKeepsTheirWedgesApart) {
  const Surface shape = union_surface({block(0, 0, 0, 1, 1, 1), block(1, 1, 0, 2, 2, 2)});
  expect_consistent(shape);
  EXPECT_EQ(shape.faces.size(), 12u);
  EXPECT_EQ(convex_edges(shape), static_cast<int>(shape.edges.size()))
      << "all wedges are right angles";
}

TEST(UnionSurface, SplitsAnEdgeWhereTheFaceBesideItChanges) {
  // A box and a prism with a slanted side share the edge line of their common top face.
  const Hull slanted({at(1, 0, 0), at(2, 0, 0), at(1, 3, 0), at(2, 3, 0), at(1, 1, 1), at(2, 1, 1),
                      at(1, 3, 1), at(2, 3, 1)});
  const Surface shape = union_surface({box_between(at(0, 1, 0), at(1, 3, 1)), slanted});
  expect_consistent(shape);
  EXPECT_EQ(euler_characteristic(shape), 2);
  const auto middle = std::find(shape.exact.begin(), shape.exact.end(), at(1, 1, 1));
  ASSERT_NE(middle, shape.exact.end());
  const Surface::Vertex& vertex =
      shape.vertices[static_cast<std::size_t>(middle - shape.exact.begin())];
  EXPECT_FALSE(vertex.convex);
  EXPECT_EQ(vertex.edges.size(), 4u);
  EXPECT_EQ(vertex.faces.size(), 4u);
}

TEST(UnionSurface, TellsSpikesFromPits) {
  // A cube with a pit: four wedges around it, each the hull of a side of the top and of the bottom tip.
  const Points rim{at(0, 0, 2), at(4, 0, 2), at(4, 4, 2), at(0, 4, 2)};
  std::vector<Hull> pieces{block(0, 0, 0, 4, 4, 1)};
  for (std::size_t i = 0; i < 4; ++i) {
    const ExactVec<3>& a = rim[i];
    const ExactVec<3>& b = rim[(i + 1) % 4];
    const ExactVec<3> down = at(0, 0, -1);
    pieces.emplace_back(Points{a, b, a + down, b + down, at(2, 2, 1)});
  }
  const Surface pit = union_surface(pieces);
  expect_consistent(pit);
  const auto tip = std::find(pit.exact.begin(), pit.exact.end(), at(2, 2, 1));
  ASSERT_NE(tip, pit.exact.end());
  EXPECT_FALSE(pit.vertices[static_cast<std::size_t>(tip - pit.exact.begin())].convex);
  EXPECT_EQ(convex_vertices(pit), 8);

  // A star-shaped spike: two crossing wedges with one tip. Convex at the tip although some of its edges are not.
  const auto wedge = [](int x, int y) {
    return Hull(Points{at(-x, -y, 0), at(x, -y, 0), at(-x, y, 0), at(x, y, 0), at(0, 0, 5)});
  };
  const Surface star = union_surface({wedge(3, 1), wedge(1, 3)});
  expect_consistent(star);
  const auto top = std::find(star.exact.begin(), star.exact.end(), at(0, 0, 5));
  ASSERT_NE(top, star.exact.end());
  const Surface::Vertex& vertex = star.vertices[static_cast<std::size_t>(top - star.exact.begin())];
  EXPECT_TRUE(vertex.convex);
  EXPECT_TRUE(std::any_of(vertex.edges.begin(), vertex.edges.end(),
                          [&](int e) { return !star.edges[static_cast<std::size_t>(e)].convex; }));
}

constexpr int kGrid = 7;

/// Which unit cubes of a grid are filled; one empty layer all around.
class Voxels {
 public:
  void fill(const std::array<int, 3>& low, const std::array<int, 3>& high) {
    for (int x = low[0]; x < high[0]; ++x) {
      for (int y = low[1]; y < high[1]; ++y) {
        for (int z = low[2]; z < high[2]; ++z) filled_[index(x, y, z)] = true;
      }
    }
  }
  [[nodiscard]] int volume() const {
    return static_cast<int>(std::count(filled_.begin(), filled_.end(), true));
  }
  [[nodiscard]] int area() const {
    int area = 0;
    for_each([&](int x, int y, int z) {
      for (int k = 0; k < 3; ++k) {
        area += at_cell(x, y, z) != at_cell(x - (k == 0), y - (k == 1), z - (k == 2)) ? 1 : 0;
      }
    });
    return area;
  }
  /// Of the surface: corners, sides and squares between a filled and an empty cell.
  [[nodiscard]] int euler() const {
    int sum = area();
    for_each([&](int x, int y, int z) {
      if (mixed(x, y, z, 1, 1, 1)) ++sum;
      for (int k = 0; k < 3; ++k) {
        if (mixed(x, y, z, k != 0, k != 1, k != 2)) --sum;
      }
    });
    return sum;
  }
  /// No two parts meet in a corner or along a side alone.
  [[nodiscard]] bool manifold() const {
    bool fine = true;
    for_each([&](int x, int y, int z) {
      for (int k = 0; k < 3; ++k) {
        const int i = k == 0 ? 1 : 0;
        const int j = k == 2 ? 1 : 2;
        std::array<int, 3> u{0, 0, 0};
        std::array<int, 3> v{0, 0, 0};
        u[static_cast<std::size_t>(i)] = v[static_cast<std::size_t>(j)] = 1;
        const bool a = at_cell(x, y, z);
        const bool b = at_cell(x - u[0], y - u[1], z - u[2]);
        const bool c = at_cell(x - u[0] - v[0], y - u[1] - v[1], z - u[2] - v[2]);
        const bool d = at_cell(x - v[0], y - v[1], z - v[2]);
        if (a == c && b == d && a != b) fine = false;
      }
      for (const bool kind : {false, true}) fine = fine && connected(x, y, z, kind);
    });
    return fine;
  }

 private:
  static std::size_t index(int x, int y, int z) {
    return static_cast<std::size_t>(((x + 1) * (kGrid + 2) + y + 1) * (kGrid + 2) + z + 1);
  }
  [[nodiscard]] bool at_cell(int x, int y, int z) const { return filled_[index(x, y, z)]; }
  /// All lattice points of the grid, each the low corner of its cell.
  template <class Visit>
  static void for_each(Visit visit) {
    for (int x = 0; x <= kGrid; ++x) {
      for (int y = 0; y <= kGrid; ++y) {
        for (int z = 0; z <= kGrid; ++z) visit(x, y, z);
      }
    }
  }
  [[nodiscard]] bool mixed(int x, int y, int z, int dx, int dy, int dz) const {
    bool some = false;
    bool all = true;
    for (int i = 0; i <= dx; ++i) {
      for (int j = 0; j <= dy; ++j) {
        for (int k = 0; k <= dz; ++k) {
          const bool cell = at_cell(x - i, y - j, z - k);
          some = some || cell;
          all = all && cell;
        }
      }
    }
    return some && !all;
  }
  /// Whether the cells of one kind around a corner hang together by their squares.
  [[nodiscard]] bool connected(int x, int y, int z, bool kind) const {
    const auto cell = [&](unsigned i) {
      return at_cell(x - static_cast<int>(i & 1U), y - static_cast<int>((i >> 1U) & 1U),
                     z - static_cast<int>(i >> 2U));
    };
    unsigned all = 0;
    unsigned reached = 0;
    for (unsigned i = 0; i < 8; ++i) {
      if (cell(i) == kind) all |= 1U << i;
    }
    for (unsigned i = 0; i < 8 && reached == 0; ++i) reached = all & (1U << i);
    for (int round = 0; round < 8; ++round) {
      for (unsigned i = 0; i < 8; ++i) {
        if (((reached >> i) & 1U) == 0) continue;
        for (const unsigned step : {1U, 2U, 4U}) reached |= all & (1U << (i ^ step));
      }
    }
    return reached == all;
  }

  std::vector<bool> filled_ =
      std::vector<bool>(static_cast<std::size_t>((kGrid + 2) * (kGrid + 2) * (kGrid + 2)), false);
};

TEST(UnionSurface, OfRandomBlocksIsThatOfTheirCells) {
  Random random(61);
  int manifold = 0;
  for (int sample = 0; sample < 150; ++sample) {
    Voxels voxels;
    std::vector<Hull> blocks;
    const int count = 2 + random.below(7);
    for (int i = 0; i < count; ++i) {
      std::array<int, 3> low{};
      std::array<int, 3> high{};
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = random.below(kGrid - 1);
        high[k] = low[k] + 1 + random.below(std::min(3, kGrid - low[k]));
      }
      voxels.fill(low, high);
      blocks.push_back(block(low[0], low[1], low[2], high[0], high[1], high[2]));
    }
    const Surface surface = union_surface(blocks);
    expect_consistent(surface);
    EXPECT_EQ(volume_moments(surface).volume, voxels.volume());
    EXPECT_NEAR(area_of(surface), voxels.area(), 1e-10);
    if (voxels.manifold()) {
      ++manifold;
      EXPECT_EQ(euler_characteristic(surface), voxels.euler());
    }
    std::reverse(blocks.begin(), blocks.end());
    const Surface reversed = union_surface(blocks);
    EXPECT_EQ(reversed.exact.size(), surface.exact.size());
    EXPECT_EQ(outlines(reversed), outlines(surface));
    EXPECT_EQ(convex_edges(reversed), convex_edges(surface));
    EXPECT_EQ(convex_vertices(reversed), convex_vertices(surface));
    if (HasFailure()) FAIL() << "sample " << sample;
  }
  EXPECT_GT(manifold, 30);
}

TEST(UnionSurface, TurnsWithItsPieces) {
  Random random(62);
  for (int sample = 0; sample < 12; ++sample) {
    const auto entry = [&] { return Rational(random.below(9) - 4); };
    ExactPose<3> pose = shift_by(entry(), entry(), Rational(1, 3));
    pose.rotation = rotation_from_quaternion(5, entry(), entry(), entry());
    std::vector<Hull> blocks;
    std::vector<Hull> turned;
    for (int i = 0; i < 4; ++i) {
      const ExactVec<3> low = at(entry(), entry(), entry());
      const ExactVec<3> sides = at(1 + random.below(5), 1 + random.below(5), 1 + random.below(5));
      Points corners = box_corners(low, low + sides);
      blocks.emplace_back(corners);
      for (ExactVec<3>& corner : corners) corner = pose.apply(corner);
      turned.emplace_back(corners);
    }
    const Surface before = union_surface(blocks);
    const Surface after = union_surface(turned);
    expect_consistent(after);
    EXPECT_EQ(volume_moments(after).volume, volume_moments(before).volume);
    EXPECT_EQ(after.vertices.size(), before.vertices.size());
    EXPECT_EQ(after.edges.size(), before.edges.size());
    EXPECT_EQ(after.faces.size(), before.faces.size());
    EXPECT_EQ(convex_edges(after), convex_edges(before));
    EXPECT_EQ(convex_vertices(after), convex_vertices(before));
  }
}

TEST(UnionSurface, OfACubeCutInTwoIsTheCube) {
  Random random(63);
  for (int sample = 0; sample < 30; ++sample) {
    // A slanted plane across the four edges along x.
    Points cut;
    for (const int y : {0, 4}) {
      for (const int z : {0, 4}) cut.push_back(at(Rational(1 + random.below(3)), y, z));
    }
    cut[3][0] = cut[1][0] + cut[2][0] - cut[0][0];
    if (cut[3][0] <= 0 || cut[3][0] >= 4) continue;
    Points low = cut;
    Points high = cut;
    const Points cube = box_corners(at(0, 0, 0), at(4, 4, 4));
    for (const ExactVec<3>& corner : cube) (corner[0] == 0 ? low : high).push_back(corner);
    const Surface whole = union_surface({Hull(low), Hull(high)});
    expect_consistent(whole);
    EXPECT_EQ(outlines(whole), outlines(surface_of(Hull(cube))));
  }
}

/// How often the surface goes around a point: the solid angles of its triangles over 4π (van Oosterom and Strackee).
double winding_number(const Surface& surface, const Vec<3>& point) {
  double angle = 0.0;
  for (const Surface::Face& face : surface.faces) {
    for (const std::vector<int>& piece : face.pieces) {
      for (std::size_t i = 2; i < piece.size(); ++i) {
        const auto lever = [&](std::size_t k) -> Vec<3> {
          return surface.points[static_cast<std::size_t>(piece[k])] - point;
        };
        const Vec<3> a = lever(0);
        const Vec<3> b = lever(i - 1);
        const Vec<3> c = lever(i);
        angle += 2.0 * std::atan2(a.dot(b.cross(c)), a.norm() * b.norm() * c.norm() +
                                                         a.dot(b) * c.norm() + b.dot(c) * a.norm() +
                                                         c.dot(a) * b.norm());
      }
    }
  }
  return angle / (4.0 * std::numbers::pi);
}

bool is_inside(const Hull& hull, const Vec<3>& point) {
  return std::all_of(hull.faces().begin(), hull.faces().end(),
                     [&](const Hull::Face& face) { return face.normal.dot(point) < face.offset; });
}

TEST(UnionSurface, OfRandomHullsHoldsThePointsOfEach) {
  Random random(64);
  int inside = 0;
  int outside = 0;
  for (int sample = 0; sample < 40; ++sample) {
    std::vector<Hull> hulls;
    while (hulls.size() < 4) {
      Points points;
      const int grid = sample % 2 == 0 ? 5 : 100;  // coarse: many faces and edges in line
      for (int i = 0; i < 8; ++i) {
        points.push_back(at(Rational(random.below(grid), grid), Rational(random.below(grid), grid),
                            Rational(random.below(grid), grid)));
      }
      if (spans_solid(points)) hulls.emplace_back(points);
    }
    const Surface surface = union_surface(hulls);
    expect_consistent(surface);
    for (int i = 0; i < 30; ++i) {
      const Vec<3> point(random.between(0, 1), random.between(0, 1), random.between(0, 1));
      const bool held = std::any_of(hulls.begin(), hulls.end(),
                                    [&](const Hull& hull) { return is_inside(hull, point); });
      EXPECT_NEAR(winding_number(surface, point), held ? 1.0 : 0.0, 1e-9);
      ++(held ? inside : outside);
    }
    if (HasFailure()) FAIL() << "sample " << sample;
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(outside, 100);
}

TEST(SurfaceOfMesh, JoinsTrianglesInOnePlane) {
  const Hull hull = block(0, 0, 0, 2, 3, 4);
  Mesh mesh = hull.mesh();
  Mesh triangles{mesh.vertices, {}};
  for (const std::vector<int>& face : mesh.faces) {
    triangles.faces.push_back({face[0], face[1], face[2]});
    triangles.faces.push_back({face[0], face[2], face[3]});
  }
  const Surface surface = surface_of(triangles);
  expect_counts(surface, 8, 12, 6);
  EXPECT_EQ(outlines(surface), outlines(surface_of(hull)));
}

TEST(SurfaceOfMesh, KeepsHolesAndTunnels) {
  std::vector<Hull> ring;
  for (int i = 0; i < 9; ++i) {
    if (i != 4) ring.push_back(block(i / 3, i % 3, 0, i / 3 + 1, i % 3 + 1, 1));
  }
  const Surface shape = union_surface(ring);
  Mesh mesh{shape.exact, {}};
  for (const Surface::Face& face : shape.faces) {
    mesh.faces.insert(mesh.faces.end(), face.pieces.begin(), face.pieces.end());
  }
  const Surface again = surface_of(mesh);
  expect_counts(again, 16, 24, 10);
  EXPECT_EQ(outlines(again), outlines(shape));
  EXPECT_EQ(volume_moments(mesh).volume, 8);
}

}  // namespace
}  // namespace collapse
