/// The onset of motion with the contact forces of 1989.

#include <gtest/gtest.h>

#include "collapse/core/error.hpp"
#include "tests/support/onset_scene.hpp"

namespace collapse::testing {
namespace {

using analytical::Guess;

OnsetOptions by_heuristic() {
  OnsetOptions options;
  options.forces = ForceMethod::heuristic;
  return options;
}

/// That the heuristic's motion is that of the program, with forces that balance.
void expect_same_onset(const std::string& text, Guess guess) {
  const OnsetScene convex = onset_of(text);
  const OnsetScene guessed = onset_of(text, by_heuristic());
  ASSERT_TRUE(guessed.onset.decided) << guessed.onset.reason;
  EXPECT_EQ(guessed.onset.guess, guess);
  EXPECT_FALSE(convex.onset.guess);
  ASSERT_EQ(guessed.onset.bodies.size(), convex.onset.bodies.size());
  for (std::size_t i = 0; i < convex.onset.bodies.size(); ++i) {
    const BodyAcceleration<2>& x = convex.onset.bodies[i];
    const BodyAcceleration<2>& y = guessed.onset.bodies[i];
    EXPECT_LT((x.linear - y.linear).norm() + (x.angular - y.angular).norm(), 1e-7) << i;
  }
  EXPECT_LT(worst_force_fault(guessed), 1e-6);
}

TEST(OnsetByHeuristic, IsTheProgramsWhereAGuessWasRight) {
  expect_same_onset(scenes::make_scene("tower", {}), Guess::none_vanish);
  expect_same_onset(scenes::make_scene("triangle", {{"rows", "3"}}), Guess::residuals);
  expect_same_onset(scenes::make_scene("diamond", {{"rows", "5"}}), Guess::residuals);
  expect_same_onset(scenes::make_scene("wedge", {}), Guess::none_vanish);
}

TEST(OnsetByHeuristic, HasJointsInTheSameSystem) {
  // A block on the floor with a rod pinned to it that hangs over its side.
  expect_same_onset(R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
    {"name": "ground", "plane": {"normal": [0, 1], "offset": 0}},
    {"name": "block", "box": [1, 1], "position": [0, "1/2"]},
    {"name": "arm", "box": [4, "1/5"], "position": ["5/2", "1/2"]}],
    "joints": [{"type": "weld", "bodies": ["block", "arm"], "at": ["1/2", "1/2"]}]})",
                    Guess::residuals);
  expect_same_onset(R"({"collapse": 1, "dimension": 2, "gravity": [0, -10], "bodies": [
    {"name": "ground", "plane": {"normal": [0, 1], "offset": 0}},
    {"name": "block", "box": [1, 1], "position": [0, "1/2"]},
    {"name": "arm", "box": [1, "1/5"], "position": [1, "1/2"]}],
    "joints": [{"type": "pin", "bodies": ["block", "arm"], "at": ["1/2", "1/2"]}]})",
                    Guess::none_vanish);
}

TEST(OnsetByHeuristic, IsUndecidedWithTheForcesOfLeastSumWhereNoGuessWas) {
  const OnsetScene result =
      onset_of(scenes::make_scene("harmonic", {{"factor", "1.1"}}), by_heuristic());
  EXPECT_FALSE(result.onset.decided);
  EXPECT_EQ(result.onset.guess, Guess::neither);
  EXPECT_NE(result.onset.reason.find("no forces after 2 guesses"), std::string::npos);
  ASSERT_FALSE(result.onset.contacts.empty());
  // They balance and let nothing overlap, but push where contacts open.
  EXPECT_LT(worst_force_fault(result), 1e-6);
  double power = 0.0;
  for (const OnsetContact<2>& contact : result.onset.contacts) {
    EXPECT_GT(contact.acceleration, -1e-6);
    power += contact.acceleration * contact.force.norm();
  }
  EXPECT_GT(power, 1e-3);
}

TEST(OnsetByHeuristic, RefusesFrictionNamingTheContact) {
  try {
    static_cast<void>(onset_of(scenes::make_scene("wall", {{"friction", "1/2"}}), by_heuristic()));
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), "--forces");
    EXPECT_NE(error.found().find("friction 0.5 of \""), std::string::npos) << error.found();
  }
}

TEST(OnsetByHeuristic, TakesFacesAndEdgesInSpace) {
  // A box on the edge of another one that is turned by 45°: its face on an edge, in two points; and a box on three fixed
  // ones: corners of regions.
  const std::string text = R"({"collapse": 1, "dimension": 3, "gravity": [0, 0, -10], "bodies": [
    {"name": "ridge", "hull": [[-2, -1, 0], [2, -1, 0], [-2, 1, 0], [2, 1, 0], [-2, 0, 1], [2, 0, 1]],
     "fixed": true},
    {"name": "bar", "hull": [[0, -2, 1], [0, 2, 1], [-1, -2, 2], [-1, 2, 2], [1, -2, 2], [1, 2, 2]],
     "position": ["1/4", 0, 0]},
    {"name": "table", "box": [2, 2, 1], "position": [8, 0, "-1/2"], "fixed": true},
    {"name": "block", "box": [2, 2, 1], "position": ["19/2", 0, "1/2"]}]})";
  const Scene<3> scene = parse_scene<3>(text);
  const State<3> state = initial_state(scene);
  const ContactSet<3> contacts = find_contacts(scene, state);
  ASSERT_GT(contacts.contacts.size(), 4U);  // one of edges, and the region's corners
  const Onset<3> convex = find_onset(scene, state, contacts);
  const Onset<3> guessed = find_onset(scene, state, contacts, by_heuristic());
  ASSERT_TRUE(guessed.decided) << guessed.reason;
  ASSERT_EQ(guessed.bodies.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT((guessed.bodies[i].linear - convex.bodies[i].linear).norm(), 1e-7);
    EXPECT_LT((guessed.bodies[i].angular - convex.bodies[i].angular).norm(), 1e-7);
  }
  EXPECT_TRUE(guessed.accelerates);
}

}  // namespace
}  // namespace collapse::testing
