/// Programs of structures in space, with round cones, have the same solution for any number of threads.

#include <gtest/gtest.h>

#include <span>

#include "collapse/formulation/acceleration.hpp"
#include "collapse/formulation/force.hpp"
#include "scenes/space_document.hpp"
#include "tests/support/checked_scene.hpp"

namespace collapse::testing {
namespace {

/// Leaning stacks beside each other: as many islands.
std::string many_stacks() {
  scenes::SpaceDocument scene("stacks", Rational(1, 2));
  scene.add_ground();
  for (int stack = 0; stack < 100; ++stack) {
    for (int i = 0; i < 5; ++i) {
      const scenes::Point3 at(Rational(3 * stack) + Rational(i * (stack % 7), 20),
                              Rational(i * (stack % 5), 20), Rational(2 * i + 1, 2));
      scene.add_box(std::to_string(stack) + "." + std::to_string(i), scenes::Point3(1, 1, 1), at);
    }
  }
  return scene.text();
}

void expect_same_bits(const Program& program, const std::string& name) {
  SolverOptions options;
  options.threads = 1;
  const Solution alone = solve(program, options);
  for (const int threads : {2, 3, 8, 0}) {
    options.threads = threads;
    const Solution together = solve(program, options);
    EXPECT_EQ(together.status, alone.status) << name;
    EXPECT_EQ(together.x, alone.x) << name << ", " << threads;
    EXPECT_EQ(together.lambda, alone.lambda) << name << ", " << threads;
    EXPECT_EQ(together.effort.iterations, alone.effort.iterations) << name;
  }
}

TEST(ThreadsInSpace, DoNotChangeASingleBit) {
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"stacks", many_stacks()},  // islands
           {"wall", scenes::make_scene("wall-3d", {})},
           {"vault", scenes::make_scene("barrel-vault", {})}}) {
    const Scene<3> scene = parse_scene<3>(text);
    const State<3> state = initial_state(scene);
    const ContactSet<3> set = find_contacts(scene, state);
    const FreeBodies<3> free(scene, state);
    const std::vector<Twist<3>> external = external_forces<3>(scene, state, free, {});
    const std::span<const Contact<3>> contacts = set.contacts;
    expect_same_bits(acceleration_program<3>(scene, state, free, contacts, external), name);
    expect_same_bits(force_program<3>(scene, state, free, contacts, external), name);
  }
}

}  // namespace
}  // namespace collapse::testing
