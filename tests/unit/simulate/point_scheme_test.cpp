#include "simulate/point_scheme.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collapse/io/scene_reader.hpp"
#include "tests/support/framework_scene.hpp"

namespace collapse::simulate {
namespace {

using collapse::testing::FrameworkScene;

/// A scene run by points, with what must hold in every step.
class PointRun {
 public:
  PointRun(const Scene<2>& scene, double h, SimulationOptions options = {})
      : scene_(scene), options_(std::move(options)), h_(h), state_(initial_state(scene)) {
    options_.threads = 1;
    scheme_ = make_point_scheme(scene_, options_);
  }

  void step() {
    report_ = scheme_->step(state_, time_, h_);
    time_ += h_;
    EXPECT_LE(report_.worst_residual, 1e-7);
    EXPECT_TRUE(report_.incidents.empty());
    unsettled_ += report_.settled ? 0 : 1;
    penetration_ = std::max(penetration_, report_.penetration);
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) step();
  }

  [[nodiscard]] const State<2>& state() const { return state_; }
  [[nodiscard]] const StepReport<2>& report() const { return report_; }
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] double penetration() const { return penetration_; }
  [[nodiscard]] int unsettled() const { return unsettled_; }
  [[nodiscard]] const Vec<2>& point(int i) const {
    return state_.points[static_cast<std::size_t>(i)];
  }

  /// Kinetic and potential, of the framework.
  [[nodiscard]] double energy() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < state_.points.size(); ++i) {
      const FrameworkPoint<2>& point = scene_.framework.points[i];
      if (point.fixed) continue;
      sum += point.mass.value * (0.5 * state_.point_velocities[i].squaredNorm() -
                                 scene_.gravity.value.dot(state_.points[i]));
    }
    return sum;
  }
  /// Largest relative error of a bar.
  [[nodiscard]] double stretch() const {
    double worst = 0.0;
    for (const auto& [i, j] : scene_.framework.bars) {
      const Vec<2> was = scene_.framework.points[static_cast<std::size_t>(i)].position.value -
                         scene_.framework.points[static_cast<std::size_t>(j)].position.value;
      worst = std::max(worst, std::abs((point(i) - point(j)).norm() / was.norm() - 1.0));
    }
    return worst;
  }

 private:
  const Scene<2>& scene_;
  SimulationOptions options_;
  double h_;
  State<2> state_;
  std::unique_ptr<Scheme<2>> scheme_;
  StepReport<2> report_;
  double time_ = 0.0;
  double penetration_ = 0.0;
  int unsettled_ = 0;
};

SimulationOptions with_scheme(SchemeKind scheme) {
  SimulationOptions options;
  options.scheme = scheme;
  return options;
}

SimulationOptions with_model(ModelKind model, SchemeKind scheme = SchemeKind::position) {
  SimulationOptions options;
  options.model = model;
  options.scheme = scheme;
  return options;
}

/// Time between two passages of the lowest point, a whole period apart.
double measured_period(SchemeKind scheme, double h, double amplitude) {
  FrameworkScene pendulum;
  const int peg = pendulum.peg({0.0, 0.0});
  const int bob = pendulum.point({2.0 * std::sin(amplitude), -2.0 * std::cos(amplitude)});
  pendulum.bar(peg, bob);
  PointRun run(pendulum.scene(), h, with_scheme(scheme));
  std::vector<double> passages;
  double last = run.point(bob).x();
  while (passages.size() < 3 && run.time() < 20.0) {
    run.step();
    const double now = run.point(bob).x();
    if ((now < 0.0) != (last < 0.0)) passages.push_back(run.time() - h * now / (now - last));
    last = now;
  }
  EXPECT_EQ(passages.size(), 3U);
  return passages.size() < 3 ? 0.0 : passages[2] - passages[0];
}

TEST(PointPendulum, HasItsPeriodToSecondOrder) {
  const double amplitude = 1.2;
  // T = 2π √(ℓ/g) / agm(1, cos(θ/2)).
  double a = 1.0;
  double b = std::cos(amplitude / 2.0);
  for (int i = 0; i < 6; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  const double period = 2.0 * std::numbers::pi * std::sqrt(2.0 / 10.0) / a;
  for (const SchemeKind scheme : {SchemeKind::position, SchemeKind::acceleration}) {
    const double coarse = measured_period(scheme, 0.02, amplitude) - period;
    const double fine = measured_period(scheme, 0.01, amplitude) - period;
    EXPECT_LE(std::abs(fine), 1e-4 * period);
    EXPECT_NEAR(coarse / fine, 4.0, 0.8);
  }
}

TEST(PointChain, KeepsLengthsAndEnergyOverAMinute) {
  FrameworkScene chain;
  int last = chain.peg({0.0, 0.0});
  for (int i = 1; i <= 3; ++i) {
    const int next = chain.point({static_cast<double>(i), 0.0});
    chain.bar(last, next);
    last = next;
  }
  PointRun run(chain.scene(), 0.005);
  double low = 1e9;
  double high = -1e9;
  for (int step = 0; step < 12000; ++step) {
    run.step();
    EXPECT_LE(run.stretch(), 1e-9);
    low = std::min(low, run.energy());
    high = std::max(high, run.energy());
  }
  EXPECT_EQ(run.unsettled(), 0);
  // Velocities are half a step behind positions, so that kinetic energy is too low on the way down and too high
  // on the way up, by about h v·g; it swings and does not drift. At its fastest the chain has 180/3 per mass.
  const double speed = std::sqrt(2.0 * 60.0);
  EXPECT_LE(high - low, 3.0 * 2.0 * 0.005 * speed * 10.0);
}

/// The scheme's own account: velocities belong to the middles of steps, so energy does not swing with h·g·v/2.
TEST(PointChain, HasAnEnergyOfSecondOrder) {
  FrameworkScene chain;
  const int peg = chain.peg({0.0, 0.0});
  chain.bar(peg, chain.point({1.0, 0.0}));
  const SimulationOptions options;
  const auto largest_error = [&](double h) {
    const auto scheme = make_point_scheme(chain.scene(), options);
    State<2> state = initial_state(chain.scene());
    const double before = scheme->energy(state);
    double worst = 0.0;
    for (int i = 0; i * h < 2.0; ++i) {
      scheme->step(state, i * h, h);
      worst = std::max(worst, std::abs(scheme->energy(state) - before));
    }
    return worst;
  };
  const double coarse = largest_error(1.0 / 60.0);
  const double fine = largest_error(1.0 / 120.0);
  EXPECT_LE(coarse, 0.05);  // of 20 that turn from potential to kinetic
  EXPECT_NEAR(coarse / fine, 4.0, 0.5);
}

TEST(PointFlight, KeepsSpinAndFollowsItsParabola) {
  const Scene<2> scene = parse_scene(R"({"collapse":1,"dimension":2,"gravity":[0,-10],
    "bodies":[{"polygon":[[0,0],[4,0],[4,1],[1,1],[1,3],[0,3]],"velocity":[3,4],"spin":5,"angle":20}]})");
  for (const SchemeKind scheme : {SchemeKind::position, SchemeKind::acceleration}) {
    const double h = 0.01;
    const int n = 300;
    PointRun run(scene, h, with_model(ModelKind::nine_points, scheme));
    const Vec<2> start = run.state().centre(scene, 0);
    run.run(n);
    const Vec<2> expected =
        start + n * h * Vec<2>(3.0, 4.0) + 0.5 * h * h * n * (n + 1) * Vec<2>(0.0, -10.0);
    EXPECT_LE((run.state().centre(scene, 0) - expected).norm(), 1e-10);
    const Twist<2>& twist = run.state().velocities[0];
    EXPECT_NEAR(twist[0], 3.0, 1e-10);
    EXPECT_NEAR(twist[1], 4.0 - 10.0 * n * h, 1e-10);
    // One program a step keeps rigid bodies only to h⁴ or so.
    EXPECT_NEAR(twist[2], 5.0, scheme == SchemeKind::position ? 1e-7 : 1e-4);
    const Eigen::Matrix2d& R = run.state().poses[0].rotation;
    EXPECT_LE((R.transpose() * R - Eigen::Matrix2d::Identity()).norm(), 1e-14);
    EXPECT_EQ(run.unsettled(), 0);
  }
}

/// A brick that sticks out over the edge of a table by more than half begins to tip with m g d/(I + m d²), d how
/// far its centre is beyond the edge.
double tipping(ModelKind model, SchemeKind scheme) {
  const Scene<2> scene = parse_scene(R"({"collapse":1,"dimension":2,"gravity":[0,-10],
    "bodies":[{"name":"table","fixed":true,"box":[4,1],"position":[-2,"-1/2"]},
              {"name":"brick","box":[2,"1/2"],"position":["1/4","1/4"]}]})");
  PointRun run(scene, 1e-4, with_model(model, scheme));
  run.step();
  EXPECT_EQ(run.report().contacts.size(), 1U);
  return -run.state().velocities[1][2] / 1e-4;
}

TEST(PointBrick, TipsOverATableAsItsMomentsSay) {
  const double mass = 1.0;
  const double inertia = mass * (4.0 + 0.25) / 12.0;
  const double d = 0.25;
  for (const SchemeKind scheme : {SchemeKind::position, SchemeKind::acceleration}) {
    EXPECT_NEAR(tipping(ModelKind::nine_points, scheme), mass * 10.0 * d / (inertia + mass * d * d),
                1e-6);
    EXPECT_NEAR(tipping(ModelKind::corners, scheme),
                mass * 10.0 * d / (3.0 * inertia + mass * d * d), 1e-6);
  }
}

TEST(PointBrick, RestsOnTheGroundWithItsWeight) {
  const Scene<2> scene = parse_scene(R"({"collapse":1,"dimension":2,"gravity":[0,-10],
    "bodies":[{"name":"ground","plane":{"normal":[0,1]}},
              {"name":"lower","box":[2,1],"position":[0,"1/2"]},
              {"name":"upper","box":[2,1],"position":["1/2","3/2"]}]})");
  for (const SchemeKind scheme : {SchemeKind::position, SchemeKind::acceleration}) {
    PointRun run(scene, 1.0 / 60.0, with_model(ModelKind::nine_points, scheme));
    run.run(600);
    EXPECT_LE((run.state().centre(scene, 1) - Vec<2>(0.0, 0.5)).norm(), 1e-10);
    EXPECT_LE((run.state().centre(scene, 2) - Vec<2>(0.5, 1.5)).norm(), 1e-10);
    double from_ground = 0.0;
    double from_lower = 0.0;
    for (const ContactForce<2>& contact : run.report().contacts) {
      EXPECT_LE((contact.normal - Vec<2>(0.0, 1.0)).norm(), 1e-9);
      (contact.id.a == 0 ? from_ground : from_lower) += contact.force.y();
    }
    EXPECT_NEAR(from_ground, 40.0, 1e-6);
    EXPECT_NEAR(from_lower, 20.0, 1e-6);
  }
}

/// A rod of length ℓ that hangs from its end swings like a pendulum of 2ℓ/3 (its thickness counts a little).
TEST(PointJoints, LetABarSwingWithItsOwnPeriod) {
  const Scene<2> scene = parse_scene(R"({"collapse":1,"dimension":2,"gravity":[0,-10],
    "bodies":[{"name":"bar","polygon":[[0,"-1/20"],[3,"-1/20"],[3,"1/20"],[0,"1/20"]],
               "angle":-84}],
    "joints":[{"type":"pin","bodies":["bar","world"],"at":[0,0]}]})");
  const double inertia_over_mass = (9.0 + 0.01) / 12.0 + 1.5 * 1.5;
  const double amplitude = 6.0 * std::numbers::pi / 180.0;
  // First correction for the amplitude: 1 + θ²/16.
  const double period = 2.0 * std::numbers::pi * std::sqrt(inertia_over_mass / (1.5 * 10.0)) *
                        (1.0 + amplitude * amplitude / 16.0);
  for (const SchemeKind scheme : {SchemeKind::position, SchemeKind::acceleration}) {
    const double h = 0.005;
    PointRun run(scene, h, with_model(ModelKind::nine_points, scheme));
    std::vector<double> passages;
    double last = run.state().centre(scene, 0).x();
    while (passages.size() < 3 && run.time() < 20.0) {
      run.step();
      const double now = run.state().centre(scene, 0).x();
      if ((now < 0.0) != (last < 0.0)) passages.push_back(run.time() - h * now / (now - last));
      last = now;
      EXPECT_LE(run.state().poses[0].position.norm(), 1e-6);  // the bar's end stays at the pin
    }
    ASSERT_EQ(passages.size(), 3U);
    EXPECT_NEAR(passages[2] - passages[0], period, 1e-4 * period);
  }
}

/// Two bars, pinned to each other and to the world, and the same two welded to one, which swing as one.
TEST(PointJoints, HoldBodiesTogether) {
  const std::string bodies = R"({"collapse":1,"dimension":2,"gravity":[0,-10],
    "bodies":[{"name":"a","box":[2,"1/10"],"position":[1,0]},
              {"name":"b","box":[2,"1/10"],"position":[3,0]}],
    "joints":[{"type":"pin","bodies":["a","world"],"at":[0,0]},
              {"type":")";
  for (const char* const type : {"pin", "weld"}) {
    const Scene<2> scene = parse_scene(bodies + type + R"(","bodies":["a","b"],"at":[2,0]}]})");
    PointRun run(scene, 0.01, with_model(ModelKind::nine_points));
    for (int step = 0; step < 200; ++step) {
      run.step();
      const State<2>& state = run.state();
      const Vec<2> end_of_a = state.poses[0].apply(Vec<2>(1.0, 0.0));
      const Vec<2> start_of_b = state.poses[1].apply(Vec<2>(-1.0, 0.0));
      EXPECT_LE((end_of_a - start_of_b).norm(), 1e-8);
      EXPECT_LE(state.poses[0].apply(Vec<2>(-1.0, 0.0)).norm(), 1e-8);
    }
    const Eigen::Matrix2d turn =
        run.state().poses[0].rotation.transpose() * run.state().poses[1].rotation;
    const double bend = std::abs(std::atan2(turn(1, 0), turn(0, 0)));
    if (std::string(type) == "weld") {
      EXPECT_LE(bend, 1e-8);
    } else {
      EXPECT_GE(bend, 0.1);
    }
    EXPECT_EQ(run.unsettled(), 0);
  }
}

TEST(PointJoints, RodsKeepTheirLength) {
  const Scene<2> scene = parse_scene(R"({"collapse":1,"dimension":2,"gravity":[0,-10],
    "bodies":[{"name":"a","box":[1,1]}],
    "joints":[{"type":"rod","bodies":["a","world"],"at":[["1/2","1/2"],[3,2]]}]})");
  PointRun run(scene, 0.01, with_model(ModelKind::nine_points));
  for (int step = 0; step < 300; ++step) {
    run.step();
    const Vec<2> end = run.state().poses[0].apply(Vec<2>(0.5, 0.5));
    EXPECT_NEAR((end - Vec<2>(3.0, 2.0)).norm(), std::sqrt(2.5 * 2.5 + 1.5 * 1.5), 1e-8);
  }
  EXPECT_EQ(run.unsettled(), 0);
}

TEST(PointContact, StopsABulletAtAThinPlateInOneStep) {
  for (const SchemeKind scheme : {SchemeKind::position, SchemeKind::acceleration}) {
    FrameworkScene scene;
    scene.gravity({0.0, 0.0});
    const double thickness = 0.01;
    scene.plate({scene.point({0.0, 0.0}), scene.point({thickness, 0.0}),
                 scene.point({thickness, 1.0}), scene.point({0.0, 1.0})});
    const double h = 1.0 / 60.0;
    const int bullet = scene.point({-3.0, 0.6}, {1000.0 * thickness / h, 0.0}, 0.01);
    PointRun run(scene.scene(), h, with_scheme(scheme));
    // One program a step, as accelerations have it, does not foresee how the plate turns.
    const double tolerance = thickness * (scheme == SchemeKind::position ? 1e-6 : 1e-2);
    for (int step = 0; step < 5; ++step) {
      run.step();
      EXPECT_LE(run.penetration(), tolerance);
      // Left of the plate's left side, whose length is one.
      const Vec<2> side = run.point(3) - run.point(0);
      const Vec<2> from = run.point(bullet) - run.point(0);
      EXPECT_GE(side.x() * from.y() - side.y() * from.x(), -tolerance);
    }
    // Momentum is kept, and after the impact the two move together.
    double momentum = 0.0;
    for (std::size_t i = 0; i < 5; ++i) {
      momentum +=
          scene.scene().framework.points[i].mass.value * run.state().point_velocities[i].x();
    }
    EXPECT_NEAR(momentum, 0.01 * 600.0, 1e-6);
  }
}

/// Squares that share corners, alternately below and above: they fold up as they fall on the ground.
TEST(PointContact, KeepsArticulatedSquaresApart) {
  FrameworkScene scene;
  scene.ground();
  const double tilt = 0.3;
  const Vec<2> right(std::cos(tilt), std::sin(tilt));
  const Vec<2> up(-std::sin(tilt), std::cos(tilt));
  Vec<2> corner(0.0, 1.0);
  int shared = scene.point(corner);
  for (int i = 0; i < 5; ++i) {
    const bool rises = i % 2 == 0;
    const Vec<2> next = corner + right + (rises ? up : Vec<2>(-up));
    const int end = scene.point(next);
    const int low = scene.point(rises ? corner + right : Vec<2>(corner - up));
    const int high = scene.point(rises ? Vec<2>(corner + up) : corner + right);
    scene.plate({shared, low, end, high});
    shared = end;
    corner = next;
  }
  PointRun run(scene.scene(), 0.01);
  run.run(600);
  EXPECT_LE(run.stretch(), 2e-9);
  EXPECT_LE(run.penetration(), 2e-9);
  EXPECT_EQ(run.unsettled(), 0);
  EXPECT_GE(run.report().contacts.size(), 5U);
}

TEST(PointTruss, MayHaveMoreBarsThanItNeeds) {
  FrameworkScene truss;
  std::vector<int> low{truss.peg({0.0, 0.0})};
  std::vector<int> high{truss.point({0.0, 1.0})};
  truss.bar(low[0], high[0]);
  for (int i = 1; i <= 6; ++i) {
    low.push_back(truss.point({static_cast<double>(i), 0.0}));
    high.push_back(truss.point({static_cast<double>(i), 1.0}));
    const auto now = static_cast<std::size_t>(i);
    const auto before = now - 1;
    truss.bar(low[now], high[now]);
    for (const int p : {low[before], high[before]}) {
      for (const int q : {low[now], high[now]}) truss.bar(p, q);
    }
  }
  PointRun run(truss.scene(), 0.01);
  const double start = run.energy();
  for (int step = 0; step < 500; ++step) {
    run.step();
    EXPECT_LE(run.stretch(), 1e-9);
    EXPECT_LE(std::abs(run.energy() - start), 5.0);  // of 13 · 10 · 7, and swinging
  }
  EXPECT_EQ(run.unsettled(), 0);
}

/// Bars in line between two pegs hold the point between them only to second order: the penalty has to step in,
/// and says so.
TEST(PointChain, PulledTautStaysFinite) {
  FrameworkScene taut;
  const int left = taut.peg({0.0, 0.0});
  const int middle = taut.point({1.0, 0.0});
  const int right = taut.peg({2.0, 0.0});
  taut.bar(left, middle);
  taut.bar(middle, right);
  for (const SchemeKind scheme : {SchemeKind::position, SchemeKind::acceleration}) {
    SimulationOptions options = with_scheme(scheme);
    const auto loop = make_point_scheme(taut.scene(), options);
    State<2> state = initial_state(taut.scene());
    for (int step = 0; step < 300; ++step) {
      const StepReport<2> report = loop->step(state, 0.01 * step, 0.01);
      EXPECT_LE((state.points[1] - Vec<2>(1.0, 0.0)).norm(), 0.01);
      EXPECT_EQ(report.settled, report.incidents.empty());
    }
  }
}

TEST(PointScheme, DoesNotDependOnUnits) {
  const auto fall = [](double length, double mass) {
    FrameworkScene scene;
    scene.gravity({0.0, -10.0 * length});
    scene.ground();
    scene.plate({scene.point(Vec<2>(0.0, 1.0) * length, Vec<2>(1.0, 0.0) * length, mass),
                 scene.point(Vec<2>(1.0, 1.25) * length, Vec<2>(1.0, 0.0) * length, mass),
                 scene.point(Vec<2>(0.5, 2.0) * length, Vec<2>(1.0, 0.0) * length, mass)});
    PointRun run(scene.scene(), 0.01);
    run.run(100);
    std::vector<Vec<2>> points = run.state().points;
    for (Vec<2>& p : points) p /= length;
    return points;
  };
  const std::vector<Vec<2>> metres = fall(1.0, 1.0);
  const std::vector<Vec<2>> others = fall(0x1p20, 0x1p-30);
  for (std::size_t i = 0; i < metres.size(); ++i) EXPECT_LE((metres[i] - others[i]).norm(), 1e-9);
}

TEST(PointScheme, LeavesTheStateAloneWhenInterrupted) {
  FrameworkScene pendulum;
  const int peg = pendulum.peg({0.0, 0.0});
  pendulum.bar(peg, pendulum.point({1.0, 0.0}));
  SimulationOptions options;
  options.interrupt = [] { return true; };
  const auto scheme = make_point_scheme(pendulum.scene(), options);
  State<2> state = initial_state(pendulum.scene());
  const StepReport<2> report = scheme->step(state, 0.0, 0.01);
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(state.points[1], Vec<2>(1.0, 0.0));
}

/// A box on a given path comes from the left and pushes a plate along.
TEST(PointScheme, IsPushedByBodiesOnGivenPaths) {
  const Scene<2> scene = parse_scene(R"({"collapse":1,"dimension":2,"gravity":[0,-10],
    "bodies":[{"name":"ground","plane":{"normal":[0,1]}},
              {"name":"ram","box":[1,1],"motion":{"keyframes":[
                {"time":0,"position":[-2,"1/2"]},{"time":2,"position":[2,"1/2"]}]}}],
    "framework":{"points":[{"name":"a","position":[0,0]},{"name":"b","position":[1,0]},
                           {"name":"c","position":[1,1]},{"name":"d","position":[0,1]}],
      "bars":[["a","b"],["b","c"],["c","d"],["d","a"],["a","c"]],"faces":[["a","b","c","d"]]}})");
  PointRun run(scene, 0.01);
  double work = 0.0;
  for (int step = 0; step < 150; ++step) {
    run.step();
    work += run.report().driven_work;
  }
  EXPECT_NEAR(run.state().poses[1].position.x(), 1.0, 1e-12);
  EXPECT_NEAR(run.point(0).x(), 1.5, 1e-8);
  EXPECT_NEAR(run.state().point_velocities[0].x(), 2.0, 1e-6);
  // Four masses of one at speed 2; hit inelastically, they cost twice what they get.
  EXPECT_NEAR(work, 2.0 * 0.5 * 4.0 * 4.0, 0.1);
}

}  // namespace
}  // namespace collapse::simulate
