/// Whole frames of scheme oba.

#include <gtest/gtest.h>

#include "collapse/formulation/rows.hpp"
#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "contact/space/motion_contacts_space.hpp"
#include "scenes/gallery.hpp"

namespace collapse::testing {
namespace {

struct ObaRun {
  Scene<3> scene;
  Simulation<3> simulation;

  ObaRun(const std::string& bodies, const SimulationOptions& options)
      : scene(parse_scene<3>(
            R"({"collapse": 1, "dimension": 3, "gravity": [0, 0, -10],
                "materials": {"wood": {"density": "0.8", "friction": "0.3", "restitution": "0.3"},
                              "glass": {"density": 1, "friction": 0, "restitution": 1}},)" +
            bodies + "}")),
        simulation(scene, options) {}

  void run(int frames) {
    for (int k = 0; k < frames; ++k) {
      ASSERT_TRUE(simulation.step());
      deepest = std::max(deepest, contacts::deepest_overlap(scene, simulation.state().poses));
    }
  }
  [[nodiscard]] int body(const std::string& name) const { return *scene.find_body(name); }
  [[nodiscard]] Vec<3> centre(const std::string& name) const {
    return simulation.state().centre(scene, body(name));
  }
  [[nodiscard]] Vec<3> velocity(const std::string& name) const {
    return simulation.state().velocities[static_cast<std::size_t>(body(name))].head<3>();
  }
  [[nodiscard]] double kinetic_energy() const {
    double energy = 0.0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (!scene.bodies[i].free()) continue;
      const Twist<3>& v = simulation.state().velocities[i];
      const Inertia<3> inertia =
          world_inertia<3>(scene.bodies[i].mass.inertia, simulation.state().poses[i].rotation);
      energy += 0.5 * (scene.bodies[i].mass.mass * v.head<3>().squaredNorm() +
                       v.tail<3>().dot(inertia * v.tail<3>()));
    }
    return energy;
  }
  double deepest = 0.0;
};

SimulationOptions oba_options(double step = 1.0 / 30.0) {
  SimulationOptions options;
  options.scheme = SchemeKind::oba;
  options.step = step;
  options.threads = 1;
  return options;
}

const std::string kGround =
    R"({"name": "ground", "plane": {"normal": [0, 0, 1], "offset": 0}, "material": "wood"})";

TEST(ObaFlight, IsAParabolaThatKeepsEnergy) {
  ObaRun run(R"("bodies": [{"name": "ball", "sphere": 1, "position": [0, 0, 0],
                            "velocity": [1, 0, 5]}])",
             oba_options());
  run.run(30);
  EXPECT_NEAR((run.centre("ball") - Vec<3>(1, 0, 0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((run.velocity("ball") - Vec<3>(1, 0, -5)).norm(), 0.0, 1e-12);
  EXPECT_LE(run.simulation.account().max_gain, 1e-12);
  EXPECT_EQ(run.simulation.account().programs, 0);
}

/// Newton's rule, to the height of ε² and what a frame of falling makes of it.
TEST(ObaBall, BouncesToTheSquareOfItsRestitution) {
  SimulationOptions options = oba_options(1.0 / 240.0);
  ObaRun run(R"("pairs": [{"materials": ["wood", "wood"], "restitution": "0.8"}], "bodies": [)" +
                 kGround +
                 R"(, {"name": "ball", "sphere": "1/2", "material": "wood",
                       "position": [0, 0, "5/2"]}])",
             options);
  double top = 0.0;
  bool down = false;
  for (int k = 0; k < 400; ++k) {
    run.run(1);
    down = down || run.velocity("ball").z() > 0.0;
    if (down) top = std::max(top, run.centre("ball").z() - 0.5);
    if (down && run.velocity("ball").z() < 0.0) break;
  }
  EXPECT_NEAR(top, 0.64 * 2.0, 0.05);
  EXPECT_LE(top, 0.64 * 2.0 + 1e-9);
}

TEST(ObaStack, OfTenCubesComesToRest) {
  for (const int heavy : {1, 100}) {
    std::string bodies = "\"bodies\": [" + kGround;
    for (int k = 0; k < 10; ++k) {
      bodies += R"(, {"name": "cube )" + std::to_string(k) +
                R"(", "box": [1, 1, 1], "material": "wood", "position": [)" +
                (k % 2 == 0 ? "0" : "0.03") + ", 0, " + std::to_string(0.6 + 1.1 * k) + "]" +
                (k == 9 ? R"(, "mass": )" + std::to_string(0.8 * heavy) : "") + "}";
    }
    ObaRun run(bodies + "]", oba_options());
    run.run(200);
    EXPECT_LE(run.deepest, 1e-6) << heavy;
    EXPECT_LE(run.kinetic_energy(), 1e-8 * 0.8 * 10.0) << heavy;
    // Overlap up to the touch tolerance may be taken away again, which lifts a cube by 1e-6 for each one below.
    EXPECT_LE(run.simulation.account().max_gain, 1e-6 * 0.8 * 10.0 * (45 + 10 * heavy)) << heavy;
    const Vec<3> top = run.centre("cube 9");
    EXPECT_NEAR(top.z(), 9.5, 1e-5) << heavy;
    run.run(100);
    EXPECT_NEAR((run.centre("cube 9") - top).norm(), 0.0, 1e-6) << heavy;
  }
}

/// Contacts stop its turn at once: landed flat it must not go on to its other edge, and back, for ever.
TEST(ObaBrick, ThatTumblesComesToRestOnAFace) {
  ObaRun run("\"bodies\": [" + kGround +
                 R"(, {"name": "brick", "box": [1, "0.5", "0.25"], "material": "wood",
                       "position": [0, 0, "0.125"], "velocity": [0, 0, "-0.08"],
                       "spin": [18, 0, 0]}])",
             oba_options());
  run.run(30);
  EXPECT_TRUE(run.simulation.resting());
  EXPECT_NEAR(run.centre("brick").z(), 0.125, 1e-6);
  EXPECT_LE(run.simulation.account().max_gain, 1e-12);
}

/// Rest repeats itself only until a given body begins to move.
TEST(ObaPile, FallsWhenItsTableIsPulledAway) {
  ObaRun run(
      "\"bodies\": [" + kGround +
          R"(, {"name": "table", "box": [4, 4, 1], "material": "wood", "position": [0, 0, "1.5"],
                       "motion": {"keyframes": [{"time": 2, "position": [0, 0, "1.5"]},
                                                {"time": 3, "position": [40, 0, "1.5"]}]}},
                 {"name": "lower", "box": [1, 1, 1], "material": "wood", "position": [0, 0, "2.5"]},
                 {"name": "upper", "box": [1, 1, 1], "material": "wood",
                  "position": ["0.2", 0, "3.5"]}])",
      oba_options());
  run.run(59);
  EXPECT_TRUE(run.simulation.resting());
  EXPECT_LE(run.simulation.account().programs, 4);
  run.run(91);
  EXPECT_NEAR(run.centre("lower").z(), 0.5, 1e-5);
  EXPECT_LE(run.deepest, 1e-6);
}

/// A slope below the angle of friction holds a cube: the position update, which knows no friction, must not move it.
TEST(ObaCubeOnASlope, StaysWhereFrictionHoldsIt) {
  ObaRun run(R"("bodies": [{"name": "slope", "plane": {"normal": [7, 0, 24], "offset": 0},
                            "material": "wood"},
                 {"name": "cube", "box": [1, 1, 1], "material": "wood",
                  "position": ["0.14", 0, "0.48"], "rotation_vector": [0, "16.26020470831196", 0]}])",
             oba_options());
  run.run(300);
  EXPECT_NEAR((run.centre("cube") - Vec<3>(0.14, 0, 0.48)).norm(), 0.0, 1e-5);
}

const std::string kThin = R"("bodies": [
    {"name": "plate", "fixed": true, "box": [4, 4, "0.01"], "material": "wood"},
    {"name": "chip", "box": ["0.2", "0.2", "0.02"], "material": "wood", "position": ["0.1", 0, 1],
     "velocity": [0, 0, -40]}])";

TEST(ObaChip, IsHeldByAPlateThatIsThinnerThanItsStep) {
  ObaRun run(kThin, oba_options());
  run.run(30);
  EXPECT_GT(run.centre("chip").z(), 0.0);
  EXPECT_LE(run.deepest, 1e-6);
  EXPECT_LE(run.simulation.account().max_gain, 1e-9);
}

TEST(ObaChip, BouncesOffWithTheHybridPositionUpdate) {
  SimulationOptions options = oba_options();
  options.oba.hybrid_position = true;
  ObaRun run(kThin, options);
  run.run(1);
  EXPECT_GT(run.centre("chip").z(), 0.0);
  EXPECT_NEAR(run.velocity("chip").z(), 0.3 * 40.0, 0.5);
  EXPECT_NEAR(run.simulation.state().velocities[1].tail<3>().norm(), 0.0, 1e-6);
  run.run(10);
  EXPECT_GT(run.centre("chip").z(), 0.0);
  EXPECT_LE(run.simulation.account().max_gain, 1e-9);
}

TEST(ObaCube, IsReportedWhenAGivenBodyCrushesIt) {
  ObaRun run(R"("bodies": [)" + kGround + R"(,
      {"name": "wall", "fixed": true, "box": [1, 4, 4], "position": ["1.5", 0, 2]},
      {"name": "cube", "box": [1, 1, 1], "position": ["0.5", 0, "0.5"]},
      {"name": "ram", "box": [1, 1, 1], "motion": {"keyframes": [
          {"time": 0, "position": ["-0.6", 0, "0.5"]},
          {"time": 1, "position": ["-0.3", 0, "0.5"]}]}}])",
             oba_options());
  std::vector<std::string> told;
  for (int k = 0; k < 40; ++k) {
    run.run(1);
    for (const Incident& incident : run.simulation.incidents()) told.push_back(incident.what);
  }
  EXPECT_GT(run.simulation.account().crushed_steps, 0);
  ASSERT_FALSE(told.empty());
  EXPECT_NE(told.front().find("\"cube\" is crushed against"), std::string::npos) << told.front();
  EXPECT_TRUE(run.centre("cube").allFinite());
  EXPECT_LT(run.velocity("cube").norm(), 5.0);
}

/// In a wedge that is narrower than the cone of friction no impulse lets a ball out; the position update, without
/// friction, does.
TEST(ObaBall, IsSaidToBeCrushedInANarrowWedge) {
  const std::string bodies = R"("bodies": [)" + kGround + R"(,
      {"name": "ball", "sphere": "1/2", "material": "wood", "position": [0, 0, "1/2"]},
      {"name": "press", "box": [8, 4, 1], "material": "wood", "orientation": [10, 0, 1, 0],
       "motion": {"keyframes": [{"time": 0, "position": [0, 0, "1.6"]},
                                {"time": 1, "position": [0, 0, "1.1"]}]}}])";
  for (const bool narrow : {true, false}) {
    const std::string friction = narrow ? "1" : "0.05";
    ObaRun run(
        R"("pairs": [{"materials": ["wood", "wood"], "friction": )" + friction + "}]," + bodies,
        oba_options(1.0 / 60.0));
    run.run(30);
    EXPECT_LE(run.deepest, 1e-6);
    EXPECT_EQ(run.simulation.account().crushed_steps > 0, narrow);
    // Weight times what the press goes down is all that there is to gain.
    EXPECT_LE(std::abs(run.simulation.account().driven_work), 20.0);
    EXPECT_LE(run.simulation.account().max_gain, 1e-9);
  }
}

/// A given body has priority: what can give way is pushed along, a frozen body too.
TEST(ObaCube, IsPushedByAGivenBody) {
  for (const bool freezing : {false, true}) {
    SimulationOptions options = oba_options();
    options.freezing = freezing;
    ObaRun run(R"("bodies": [)" + kGround + R"(,
        {"name": "cube", "box": [1, 1, 1], "material": "wood", "position": ["0.6", 0, "0.5"]},
        {"name": "ram", "box": [1, 1, 1], "motion": {"keyframes": [
            {"time": 1, "position": ["-0.6", 0, "0.6"]}, {"time": 2, "position": ["0.4", 0, "0.6"]}]}}])",
               options);
    run.run(30);
    EXPECT_EQ(run.simulation.frozen()[1], freezing ? 1 : 0);
    run.run(30);
    EXPECT_GE(run.centre("cube").x(), 1.4 - 1e-5);
    EXPECT_LE(run.deepest, 1e-6);
    EXPECT_EQ(run.simulation.account().crushed_steps, 0);
  }
}

/// And so are those behind it, though only the first is in the given body's way.
TEST(ObaCube, PushesAFrozenOneAlong) {
  SimulationOptions options = oba_options();
  options.freezing = true;
  ObaRun run(R"("bodies": [)" + kGround + R"(,
      {"name": "cube", "box": [1, 1, 1], "material": "wood", "position": ["0.6", 0, "0.5"]},
      {"name": "next", "box": [1, 1, 1], "material": "wood", "position": ["1.7", 0, "0.5"]},
      {"name": "ram", "box": [1, 1, 1], "motion": {"keyframes": [
          {"time": 1, "position": ["-0.6", 0, "0.6"]}, {"time": "3.5", "position": ["-0.1", 0, "0.6"]}]}}])",
             options);
  run.run(30);
  EXPECT_EQ(run.simulation.frozen()[2], 1);
  run.run(75);  // too slow to wake it by a collision
  EXPECT_GE(run.centre("next").x(), 1.9 - 1e-5);
  EXPECT_LE(run.deepest, 1e-6);
  EXPECT_EQ(run.simulation.account().crushed_steps, 0);
  EXPECT_EQ(run.simulation.account().unsettled_steps, 0);
}

TEST(ObaPendulum, KeepsItsJointsClosedAndGainsNoEnergy) {
  std::string bodies = R"("bodies": [)";
  std::string joints = R"("joints": [)";
  for (int k = 0; k < 4; ++k) {
    const std::string x = std::to_string(k);
    bodies += std::string(k > 0 ? "," : "") + R"({"name": "link )" + x +
              R"(", "box": ["0.8", "0.1", "0.1"], "position": [)" + x + R"(.5, 0, 0]})";
    joints += std::string(k > 0 ? "," : "") + R"({"type": "ball", "bodies": [")" +
              (k > 0 ? "link " + std::to_string(k - 1) : "world") + R"(", "link )" + x +
              R"("], "at": [)" + x + ", 0, 0]}";
  }
  ObaRun run(bodies + "], " + joints + "]", oba_options(1.0 / 60.0));
  double widest = 0.0;
  for (int k = 0; k < 300; ++k) {
    run.run(1);
    for (const Joint<3>& joint : run.scene.joints) {
      const auto [a, b] = joint_ends<3>(run.scene, run.simulation.state().poses, joint);
      widest = std::max(widest, (a - b).norm());
    }
  }
  EXPECT_LE(widest, 1e-9);
  EXPECT_LT(run.centre("link 3").z(), 0.5);
  EXPECT_LE(run.simulation.account().max_gain, 1e-9);
}

/// The same bits after a restart.
TEST(ObaRuns, GoOnFromASnapshot) {
  std::string bodies = "\"bodies\": [" + kGround;
  for (int k = 0; k < 6; ++k) {
    bodies += R"(, {"name": "cube )" + std::to_string(k) +
              R"(", "box": [1, 1, 1], "material": "wood", "position": [)" +
              std::to_string(0.3 * (k % 3)) + ", 0, " + std::to_string(1.0 + 1.5 * k) +
              R"(], "rotation_vector": [)" + std::to_string(5 * k) + ", 10, 0]}";
  }
  ObaRun whole(bodies + "]", oba_options());
  whole.run(40);
  whole.simulation.forget();
  ObaRun second(bodies + "]", oba_options());
  second.simulation.restore(whole.simulation.snapshot(), whole.simulation.account(),
                            whole.simulation.contacts());
  whole.run(20);
  second.run(20);
  EXPECT_EQ(whole.simulation.snapshot(), second.simulation.snapshot());
}

/// Degenerate programs that are solved to few digits are no proof that there is no room.
TEST(ObaJacks, AreNotCrushedWhereNothingIsDriven) {
  const Scene<3> scene = parse_scene<3>(scenes::make_scene("oba-jacks"));
  Simulation<3> simulation(scene, oba_options());
  double deepest = 0.0;
  for (int frame = 0; frame < 33; ++frame) {
    ASSERT_TRUE(simulation.step());
    deepest = std::max(deepest, contacts::deepest_overlap(scene, simulation.state().poses));
    EXPECT_TRUE(simulation.incidents().empty()) << frame;
  }
  EXPECT_EQ(simulation.account().crushed_steps, 0);
  EXPECT_LE(deepest, 1e-6);
}

}  // namespace
}  // namespace collapse::testing
