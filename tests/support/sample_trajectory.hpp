#pragma once
/// Small trajectory files made of invented numbers, in the plane and in space.

#include <gtest/gtest.h>

#include <string>

#include "collapse/core/random.hpp"
#include "collapse/io/scene_reader.hpp"
#include "collapse/io/trajectory.hpp"

namespace collapse::testing {

inline const std::string kSampleScene = R"({"collapse": 1, "dimension": 2, "bodies": [
  {"name": "ground", "plane": {"normal": [0, 1]}},
  {"name": "a, \"b\"", "box": [1, 1], "position": [0, 2]}],
  "framework": {"points": [{"name": "p", "position": [5, 5]}]}})";

inline const std::string kSampleSpaceScene = R"({"collapse": 1, "dimension": 3, "bodies": [
  {"name": "ground", "plane": {"normal": [0, 0, 1]}},
  {"name": "a, \"b\"", "box": [1, 1, 1], "position": [0, 0, 2]}]})";

template <int Dim>
const std::string& sample_scene() {
  return Dim == 2 ? kSampleScene : kSampleSpaceScene;
}

/// There are frameworks in the plane only.
template <int Dim>
inline constexpr int kSamplePoints = Dim == 2 ? 1 : 0;

template <int Dim = 2>
TrajectoryHeader sample_header() {
  TrajectoryHeader header;
  header.tool = "test";
  header.options = {{"scheme", "position"}, {"step", "1/60"}, {"loads", ""}};
  header.dimension = Dim;
  header.bodies = 2;
  header.points = kSamplePoints<Dim>;
  header.scene = sample_scene<Dim>();
  return header;
}

template <int Dim>
Vec<Dim> sample_vector(Random& random) {
  Vec<Dim> vector;
  for (double& number : vector) number = random.between(-9, 9);
  return vector;
}

inline Eigen::Matrix2d sample_rotation(Random& random, const Pose<2>& /*pose*/) {
  return Eigen::Rotation2Dd(random.between(-3, 3)).toRotationMatrix();
}
inline Eigen::Matrix3d sample_rotation(Random& random, const Pose<3>& /*pose*/) {
  return rotation_by(0.3 * sample_vector<3>(random));
}

template <int Dim = 2>
Frame<Dim> sample_frame(std::int64_t number, Random& random) {
  const auto vector = [&] { return sample_vector<Dim>(random); };
  Frame<Dim> frame;
  frame.number = number;
  frame.time = static_cast<double>(number) / 60.0;
  frame.hash = random.bits();
  for (int i = 0; i < 2; ++i) {
    Pose<Dim>& pose = frame.state.poses.emplace_back();
    pose.position = vector();
    pose.rotation = sample_rotation(random, pose);
    Twist<Dim>& velocity = frame.state.velocities.emplace_back();
    for (double& speed : velocity) speed = random.between(-1, 1);
    velocity[1] = -0.0;
    frame.frozen.push_back(static_cast<std::uint8_t>(random.below(2)));
  }
  for (int i = 0; i < kSamplePoints<Dim>; ++i) {
    frame.state.points.push_back(vector());
    frame.state.point_velocities.push_back(vector());
  }
  ContactId id;
  id.b = 1;
  id.feature_a = {FeatureKind::half_space, 0};
  id.feature_b = {Dim == 2 ? FeatureKind::vertex : FeatureKind::capsule, 70'000};
  id.end = Dim == 2 ? 1 : 300;
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

/// For test suites that are made of both dimensions.
template <int Number>
struct Dimension {
  static constexpr int kDim = Number;
};
using BothDimensions = ::testing::Types<Dimension<2>, Dimension<3>>;
struct DimensionNames {
  template <class Type>
  static std::string GetName(int /*index*/) {
    return Type::kDim == 2 ? "Plane" : "Space";
  }
};

}  // namespace collapse::testing
