#include "collapse/model/scene.hpp"

#include <gtest/gtest.h>

#include "collapse/model/state.hpp"

namespace collapse {
namespace {

Number number(int numerator, int denominator = 1) {
  return Number(Rational(numerator, denominator));
}

Scene<2> three_materials() {
  Scene<2> scene;
  scene.materials.resize(3);
  scene.materials[0].friction = number(1, 2);
  scene.materials[1].friction = number(1, 4);
  scene.materials[2].friction = number(1);
  scene.materials[0].restitution = number(1, 3);
  scene.materials[1].restitution = number(1);
  scene.materials[2].restitution = number(0);
  return scene;
}

TEST(SceneMaterials, ThePairHasTheSmallerOfTheTwoNumbersInEitherOrder) {
  const Scene<2> scene = three_materials();
  EXPECT_EQ(scene.friction(0, 1).exact, Rational(1, 4));
  EXPECT_EQ(scene.friction(1, 0).exact, Rational(1, 4));
  EXPECT_EQ(scene.friction(2, 2).exact, Rational(1));
  EXPECT_EQ(scene.restitution(0, 1).exact, Rational(1, 3));
  EXPECT_EQ(scene.restitution(2, 1).exact, Rational(0));
}

TEST(SceneMaterials, APairOverridesOnlyWhatItGives) {
  Scene<2> scene = three_materials();
  scene.pairs.push_back({2, 0, number(9), std::nullopt});
  scene.pairs.push_back({1, 1, std::nullopt, number(1, 7)});
  EXPECT_EQ(scene.friction(0, 2).exact, Rational(9));
  EXPECT_EQ(scene.friction(2, 0).exact, Rational(9));
  EXPECT_EQ(scene.restitution(0, 2).exact, Rational(0));
  EXPECT_EQ(scene.restitution(1, 1).exact, Rational(1, 7));
  EXPECT_EQ(scene.friction(1, 1).exact, Rational(1, 4));
  EXPECT_EQ(scene.friction(1, 2).exact, Rational(1, 4));
}

TEST(SceneNames, AreFoundByIndexAndBack) {
  Scene<2> scene;
  scene.bodies.resize(2);
  scene.bodies[0].name = "a";
  scene.bodies[1].name = "b";
  scene.loads.resize(1);
  scene.loads[0].name = "push";
  EXPECT_EQ(scene.find_body("b"), 1);
  EXPECT_EQ(scene.find_body("push"), std::nullopt);
  EXPECT_EQ(scene.find_load("push"), 0);
  EXPECT_EQ(scene.find_load("a"), std::nullopt);
  EXPECT_EQ(scene.body_name(1), "b");
  EXPECT_EQ(scene.body_name(kWorld), "world");
}

TEST(InitialState, PutsCentresOfMassWhereThePosesSay) {
  Scene<2> scene;
  Body<2>& body = scene.bodies.emplace_back();
  body.mass.centre = Vec<2>(1.0, 0.0);
  body.pose.rotation << 0.0, -1.0, 1.0, 0.0;
  body.pose.position = Vec<2>(5.0, 7.0);
  const State<2> state = initial_state(scene);
  EXPECT_EQ(state.centre(scene, 0), Vec<2>(5.0, 8.0));
}

}  // namespace
}  // namespace collapse
