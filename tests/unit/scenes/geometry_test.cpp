// The scenes' coordinates, exactly: the closed forms that the published results rest on.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "collapse/core/rational.hpp"
#include "collapse/geometry/dim.hpp"
#include "scenes/gallery.hpp"

namespace collapse::scenes {
namespace {

using Json = nlohmann::ordered_json;
using Given = std::map<std::string, std::string>;
using Point = ExactVec<2>;

Json document(const std::string& name, const Given& options = {}) {
  return Json::parse(make_scene(name, options));
}

Rational exact(const Json& number) {
  const std::optional<Rational> value =
      parse_rational(number.is_string() ? number.get<std::string>() : number.dump());
  EXPECT_TRUE(value.has_value()) << number;
  return value.value_or(0);
}

Point point_of(const Json& pair) { return {exact(pair.at(0)), exact(pair.at(1))}; }

std::vector<Point> polygon_of(const Json& body) {
  std::vector<Point> vertices;
  for (const Json& vertex : body.at("polygon")) vertices.push_back(point_of(vertex));
  return vertices;
}

Json body_named(const Json& scene, const std::string& name) {
  for (const Json& body : scene.at("bodies")) {
    if (body.at("name") == name) return body;
  }
  ADD_FAILURE() << "no body " << name;
  return {};
}

struct Brick {
  std::string name;
  bool fixed = false;
  Rational left, right, bottom, top;

  [[nodiscard]] Rational middle() const { return (left + right) / 2; }
};

std::vector<Brick> bricks_of(const Json& scene) {
  std::vector<Brick> bricks;
  for (const Json& body : scene.at("bodies")) {
    if (!body.contains("box")) continue;
    const Point half = point_of(body.at("box")) / Rational(2);
    const Point centre = point_of(body.at("position"));
    bricks.push_back({body.at("name"), body.value("fixed", false), centre[0] - half[0],
                      centre[0] + half[0], centre[1] - half[1], centre[1] + half[1]});
  }
  return bricks;
}

std::ptrdiff_t free_bricks(const Json& scene) {
  return std::ranges::count_if(bricks_of(scene), [](const Brick& brick) { return !brick.fixed; });
}

/// How far the free bricks reach to the right of x = 0, the table's edge.
Rational overhang(const Json& scene) {
  Rational reach = 0;
  for (const Brick& brick : bricks_of(scene)) {
    if (!brick.fixed) reach = std::max(reach, brick.right);
  }
  return reach;
}

Rational cross(const Point& a, const Point& b) { return a[0] * b[1] - a[1] * b[0]; }

TEST(BrickScenes, NoBricksOverlapAndEachLiesExactlyOnSomething) {
  const std::vector<std::pair<std::string, Given>> cases = {
      {"harmonic", {{"bricks", "40"}}},
      {"diamond", {{"rows", "7"}}},
      {"triangle", {{"rows", "7"}}},
      {"dstack", {}},
      {"tower", {}},
      {"column", {}},
      {"seesaw", {}},
      {"pile", {{"bricks", "300"}, {"care", "0"}}},
      {"pile", {{"bricks", "300"}, {"seed", "2"}}},
      {"wall", {}},
      {"wall", {{"bond", "third"}, {"opening", "2"}}},
      {"wall", {{"ends", "straight"}, {"opening", "3"}, {"courses", "7"}}},
      {"wall", {{"width", "8"}, {"opening", "3"}, {"courses", "2"}}},
  };
  for (const auto& [name, options] : cases) {
    const std::vector<Brick> bricks = bricks_of(document(name, options));
    for (const Brick& brick : bricks) {
      bool lies = brick.fixed || brick.bottom == 0;
      for (const Brick& other : bricks) {
        const bool beside = brick.right <= other.left || other.right <= brick.left;
        const bool over = brick.top <= other.bottom || other.top <= brick.bottom;
        EXPECT_TRUE(beside || over || &brick == &other) << name << ' ' << brick.name;
        lies = lies || (!beside && brick.bottom == other.top);
      }
      EXPECT_TRUE(lies) << name << ' ' << brick.name;
    }
  }
}

TEST(HarmonicTower, OverhangIsHalfTheHarmonicNumber) {
  Rational harmonic = 0;
  for (int n = 1; n <= 40; ++n) {
    harmonic += Rational(1, n);
    const Given options = {{"bricks", std::to_string(n)}, {"factor", "3/4"}};
    EXPECT_EQ(overhang(document("harmonic", options)), harmonic * 3 / 8) << n;
  }
}

TEST(HarmonicTower, TopBricksHaveTheirCentreExactlyAboveTheEdgeBelow) {
  const std::vector<Brick> bricks = bricks_of(document("harmonic", {{"bricks", "25"}}));
  Rational sum = 0;
  for (std::size_t i = bricks.size() - 1; i > 0; --i) {
    sum += bricks[i].middle();
    EXPECT_EQ(sum / (bricks.size() - i), bricks[i - 1].right) << bricks[i].name;
  }
}

TEST(HarmonicTower, LengthsNeedThePublishedNumbersOfBricks) {
  const std::vector<int> needed = {4, 31, 227, 1674};
  for (int length = 1; length <= 4; ++length) {
    const int n = needed[static_cast<std::size_t>(length - 1)];
    EXPECT_GE(overhang(document("harmonic", {{"bricks", std::to_string(n)}})), length);
    EXPECT_LT(overhang(document("harmonic", {{"bricks", std::to_string(n - 1)}})), length);
  }
}

TEST(Diamond, HasTheSquareOfItsRowsInBricks) {
  for (int m = 1; m <= 8; ++m) {
    EXPECT_EQ(free_bricks(document("diamond", {{"rows", std::to_string(m)}})), m * m);
  }
}

TEST(Triangle, StandsOnItsTip) {
  const Json scene = document("triangle", {{"rows", "4"}});
  EXPECT_EQ(free_bricks(scene), 10);
  EXPECT_EQ(std::ranges::count_if(bricks_of(scene), [](const Brick& b) { return b.bottom == 0; }),
            1);
  EXPECT_EQ(overhang(scene), 2);
}

TEST(ParabolicStack, HasThePublishedBricksAndOverhang) {
  for (int d = 1; d <= 12; ++d) {
    const Json scene = document("dstack", {{"d", std::to_string(d)}});
    EXPECT_EQ(free_bricks(scene), d * (d - 1) * (2 * d - 1) / 3 + 1) << d;
    EXPECT_EQ(overhang(scene), Rational(d) / 2) << d;
  }
  EXPECT_EQ(free_bricks(document("dstack")), 111);
}

TEST(ParabolicStack, HasItsCentreExactlyAboveTheTableEdge) {
  Rational sum = 0;
  const std::vector<Brick> bricks = bricks_of(document("dstack"));
  for (const Brick& brick : bricks) {
    if (!brick.fixed) sum += brick.middle();
  }
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(bricks.front().name, "table");
  EXPECT_EQ(bricks.front().right, 0);
}

TEST(Column, CriticalLeanPutsTheUpperBlocksExactlyAboveTheEdgeOfTheLowest) {
  const int n = 7;
  const std::vector<Brick> blocks =
      bricks_of(document("column", {{"blocks", std::to_string(n)}, {"lean", "1/7"}}));
  Rational sum = 0;
  for (std::size_t i = 1; i < blocks.size(); ++i) sum += blocks[i].middle();
  EXPECT_EQ(sum / (n - 1), blocks.front().right);
}

TEST(Wall, HalfBondEndsHaveTheirCentreExactlyAboveTheEndBelow) {
  const std::vector<Brick> bricks = bricks_of(document("wall"));
  ASSERT_EQ(bricks.size(), 25U);
  for (std::size_t course = 1; course < 5; ++course) {
    const Brick& first = bricks[5 * course];
    const Brick& last = bricks[5 * course + 4];
    if (course % 2 == 1) {
      EXPECT_EQ(last.middle(), bricks[5 * course - 1].right);
    } else {
      EXPECT_EQ(first.middle(), bricks[5 * course - 5].left);
    }
  }
}

TEST(Wall, StraightEndsAreCutAtTheWidth) {
  for (const char* bond : {"half", "third", "stack"}) {
    Rational length = 0;
    for (const Brick& brick : bricks_of(document("wall", {{"ends", "straight"}, {"bond", bond}}))) {
      EXPECT_GE(brick.left, 0);
      EXPECT_LE(brick.right, 5);
      length += brick.right - brick.left;
    }
    EXPECT_EQ(length, 25) << bond;
  }
}

TEST(Wall, OpeningIsEmptyAndSpannedByTheLintel) {
  const Json scene = document("wall", {{"courses", "6"}, {"width", "7"}, {"opening", "2"}});
  for (const Brick& brick : bricks_of(scene)) {
    if (brick.top <= Rational(3, 4)) {
      EXPECT_TRUE(brick.right <= Rational(5, 2) || brick.left >= Rational(9, 2)) << brick.name;
    }
    if (brick.name == "lintel") {
      EXPECT_EQ(brick.left, 2);
      EXPECT_EQ(brick.right, 5);
      EXPECT_EQ(brick.bottom, Rational(3, 4));
    }
  }
  EXPECT_TRUE(body_named(scene, "lintel").contains("box"));
}

TEST(Pile, IsTheSameForTheSameSeedOnly) {
  EXPECT_EQ(make_scene("pile", {{"seed", "5"}}), make_scene("pile", {{"seed", "5"}}));
  EXPECT_NE(make_scene("pile", {{"seed", "5"}}), make_scene("pile", {{"seed", "6"}}));
}

TEST(Arch, NeighboursShareRadialJointsExactly) {
  for (const char* voussoirs : {"2", "10", "31", "32"}) {
    const Json scene = document("arch", {{"voussoirs", voussoirs}, {"thickness", "0.1"}});
    std::vector<std::vector<Point>> stones;
    for (const Json& body : scene.at("bodies")) {
      if (body.contains("polygon")) stones.push_back(polygon_of(body));
    }
    ASSERT_EQ(stones.size(), static_cast<std::size_t>(std::stoi(voussoirs)));
    for (std::size_t i = 0; i < stones.size(); ++i) {
      const std::vector<Point>& stone = stones[i];
      EXPECT_EQ(cross(stone[0], stone[1]), 0);
      EXPECT_EQ(stone[0].squaredNorm(), Rational(361, 400));
      EXPECT_EQ(stone[1].squaredNorm(), Rational(441, 400));
      if (i == 0) continue;
      EXPECT_EQ(stone[0], stones[i - 1][3]);
      EXPECT_EQ(stone[1], stones[i - 1][2]);
    }
    for (std::size_t i = 0; i < stones.size(); ++i) {
      const std::vector<Point>& mirrored = stones[stones.size() - 1 - i];
      EXPECT_EQ(stones[i][1], Point(-mirrored[2][0], mirrored[2][1]));
    }
    EXPECT_EQ(stones.front()[1], Point(Rational(21, 20), 0));
    EXPECT_EQ(stones.back()[2], Point(Rational(-21, 20), 0));
  }
}

TEST(Ladder, TipsLieExactlyOnFloorAndWall) {
  for (const Given& options : {Given{}, Given{{"lean", "17.5"}}, Given{{"half-tangent", "1/2"}}}) {
    const std::vector<Point> ladder = polygon_of(body_named(document("ladder", options), "ladder"));
    EXPECT_EQ(ladder[0][1], 0);
    EXPECT_EQ(ladder[2][0], 0);
    EXPECT_EQ((ladder[2] - ladder[0]).squaredNorm(), 1);
    EXPECT_EQ(ladder[0] + ladder[2], ladder[1] + ladder[3]);
    for (const std::size_t side : {1U, 3U}) {
      EXPECT_GT(ladder[side][0], 0);
      EXPECT_GT(ladder[side][1], 0);
    }
  }
}

TEST(Ladder, HalfTangentIsTakenExactly) {
  const std::vector<Point> ladder =
      polygon_of(body_named(document("ladder", {{"half-tangent", "1/2"}}), "ladder"));
  EXPECT_EQ(ladder[0], Point(Rational(4, 5), 0));
  EXPECT_EQ(ladder[2], Point(0, Rational(3, 5)));
}

TEST(Slope, BlockIsARectangleOfTheAspectOnTheSlope) {
  const Json scene = document("slope", {{"slope", "2/7"}, {"aspect", "3/2"}});
  const std::vector<Point> block = polygon_of(body_named(scene, "block"));
  const Point normal = point_of(body_named(scene, "slope").at("plane").at("normal"));
  const Point base = block[1] - block[0];
  const Point side = block[3] - block[0];
  EXPECT_EQ(base[1] / base[0], Rational(2, 7));
  EXPECT_EQ(normal.dot(base), 0);
  EXPECT_EQ(base.dot(side), 0);
  EXPECT_EQ(base.squaredNorm(), side.squaredNorm() * Rational(9, 4));
  EXPECT_EQ(normal.dot(block[0]), 0);
}

TEST(Wedge, BlockLiesExactlyOnTheFace) {
  const Json scene = document("wedge", {{"angle", "3/7"}});
  const std::vector<Point> wedge = polygon_of(body_named(scene, "wedge"));
  const std::vector<Point> block = polygon_of(body_named(scene, "block"));
  const Point face = wedge[2] - wedge[1];
  EXPECT_EQ(cross(face, block[0] - wedge[1]), 0);
  EXPECT_EQ(cross(face, block[1] - wedge[1]), 0);
  EXPECT_EQ((block[1] - block[0]).dot(block[3] - block[0]), 0);
  EXPECT_EQ(-face[1] / face[0], Rational(3, 7));
}

TEST(Cylinders, GapsAreFarBelowTheToleranceOfTouching) {
  const Json scene = document("cylinders");
  const Point left = point_of(body_named(scene, "left").at("position"));
  const Point top = point_of(body_named(scene, "top").at("position"));
  const Rational square = (top - left).squaredNorm();
  EXPECT_GE(square, 4);
  EXPECT_LT(square - 4, Rational(1, Integer("1000000000000")));
}

TEST(Truss, HasAsManyBarsAsHoldItStill) {
  for (const int panels : {1, 4, 9}) {
    const Json scene = document("truss", {{"panels", std::to_string(panels)}});
    const std::size_t nodes = static_cast<std::size_t>(2 * panels + 1);
    const std::size_t bars = scene.at("bodies").size();
    EXPECT_EQ(bars, 2 * nodes - 3);
    // Three degrees of freedom a bar, two equations a pin, one the rod.
    EXPECT_EQ(3 * bars, 2 * (scene.at("joints").size() - 1) + 1);
  }
}

TEST(Truss, BarsEndExactlyAtTheirPins) {
  const Json scene = document("truss", {{"height", "2/3"}});
  for (const Json& joint : scene.at("joints")) {
    const Json& at = joint.at("at");
    const Point pin = point_of(joint.at("type") == "rod" ? at.at(0) : at);
    for (const Json& name : joint.at("bodies")) {
      if (name == "world") continue;
      const std::vector<Point> bar = polygon_of(body_named(scene, name));
      EXPECT_TRUE(bar[0] == pin || bar[2] == pin) << joint;
    }
  }
}

TEST(Truss, LeavesOutTheMissingBarOnly) {
  const Json scene = document("truss", {{"missing", "3"}});
  EXPECT_EQ(scene.at("bodies").size(), document("truss").at("bodies").size() - 1);
  for (const Json& body : scene.at("bodies")) EXPECT_NE(body.at("name"), "bar 3");
}

}  // namespace
}  // namespace collapse::scenes
