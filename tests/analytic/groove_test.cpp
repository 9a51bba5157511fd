/// A cylinder in a groove of two others: the steepest tilt along the groove uses friction across it, which presses
/// the cylinder into the groove.

#include <gtest/gtest.h>

#include <cmath>

#include "collapse/contact/contact.hpp"
#include "collapse/formulation/limit.hpp"
#include "collapse/io/scene_reader.hpp"

namespace collapse {
namespace {

/// Radii of 1, the lower axes 2.2 apart: normals lean by φ with sin φ = 0.55. Too long to tip over its front end.
std::string groove(const std::string& friction) {
  return R"({"collapse": 1, "dimension": 3, "gravity": [0, 0, -10],
    "materials": {"default": {"friction": )" +
         friction + R"(}}, "bodies": [
    {"name": "left", "fixed": true, "cylinder": [1, 8], "position": [-1.1, 0, 0], "orientation": [1, 1, 0, 0]},
    {"name": "right", "fixed": true, "cylinder": [1, 8], "position": [1.1, 0, 0], "orientation": [1, 1, 0, 0]},
    {"name": "upper", "cylinder": [1, 4], "position": [0, 0, 1.6703293088490065], "orientation": [1, 1, 0, 0]}]})";
}

TEST(Groove, TiltAlongItIsThatOfTheBestSharesOfFriction) {
  // Normal force N and friction k·N across, √(μ² − k²)·N along: with N (cos φ − k sin φ) for the weight the tangent is
  // √(μ² − k²)/(cos φ − k sin φ), largest for k = μ² tan φ.
  const double sine = 0.55;
  const double cosine = std::sqrt(1 - sine * sine);
  for (const double mu : {0.25, 0.5, 1.0}) {
    const Scene<3> scene = parse_scene<3>(groove(std::to_string(mu)));
    const State<3> state = initial_state(scene);
    const ContactSet<3> contacts = find_contacts(scene, state);
    const double k = mu * mu * sine / cosine;
    const double expected = std::sqrt(mu * mu - k * k) / (cosine - k * sine);
    const TiltLimit<3> tilt = find_tilt<3>(scene, state, contacts, Vec<3>(0, 1, 0));
    ASSERT_EQ(tilt.limit.status, LimitStatus::found) << mu << ": " << tilt.limit.reason;
    EXPECT_NEAR(tilt.limit.factor, expected, 1e-6) << mu;
  }
}

}  // namespace
}  // namespace collapse
