#pragma once
/// A small trajectory file made of invented numbers.

#include <string>

#include "collapse/core/random.hpp"
#include "collapse/io/scene_reader.hpp"
#include "collapse/io/trajectory.hpp"

namespace collapse::testing {

inline const std::string kSampleScene = R"({"collapse": 1, "dimension": 2, "bodies": [
  {"name": "ground", "plane": {"normal": [0, 1]}},
  {"name": "a, \"b\"", "box": [1, 1], "position": [0, 2]}],
  "framework": {"points": [{"name": "p", "position": [5, 5]}]}})";

inline TrajectoryHeader sample_header() {
  TrajectoryHeader header;
  header.tool = "test";
  header.options = {{"scheme", "position"}, {"step", "1/60"}, {"loads", ""}};
  header.bodies = 2;
  header.points = 1;
  header.scene = kSampleScene;
  return header;
}

inline Frame<2> sample_frame(std::int64_t number, Random& random) {
  const auto vector = [&] { return Vec<2>(random.between(-9, 9), random.between(-9, 9)); };
  Frame<2> frame;
  frame.number = number;
  frame.time = static_cast<double>(number) / 60.0;
  frame.hash = random.bits();
  for (int i = 0; i < 2; ++i) {
    Pose<2>& pose = frame.state.poses.emplace_back();
    pose.position = vector();
    const double angle = random.between(-3, 3);
    pose.rotation << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    frame.state.velocities.emplace_back(random.between(-1, 1), -0.0, random.between(-1, 1));
    frame.frozen.push_back(static_cast<std::uint8_t>(random.below(2)));
  }
  frame.state.points.push_back(vector());
  frame.state.point_velocities.push_back(vector());
  ContactId id;
  id.b = 1;
  id.feature_a = {FeatureKind::half_space, 0};
  id.feature_b = {FeatureKind::vertex, 70'000};
  id.end = 1;
  for (int i = 0; i < static_cast<int>(number % 3); ++i) {
    frame.contacts.push_back({id, vector(), vector(), vector()});
  }
  if (number % 2 == 0) frame.changes.push_back({frame.time, id, true});
  if (number % 4 == 1) frame.incidents.push_back({frame.time, "the sky fell, line\n2 é"});
  frame.account.steps = number;
  frame.account.iterations = -1;
  frame.account.worst_residual = 1e-12;
  frame.account.crushed_steps = 1LL << 40;
  if (number % 2 == 0) frame.snapshot = {1.5, -2.5, 5e-324};
  return frame;
}

}  // namespace collapse::testing
