#include "tests/soak/space_campaign.hpp"

#include <fmt/core.h>

#include "tests/support/random_space_scene.hpp"
#include "tests/support/space_verdict_fault.hpp"

namespace collapse::soak {

std::string space_case(std::uint64_t number) {
  Random random(number);
  const std::string text = testing::random_space_scene(random);
  try {
    const testing::CheckedSceneOf<3> checked = testing::check_text<3>(text);
    const std::string fault = testing::space_verdict_fault(checked);
    return fault.empty() ? fault : checked.scene.name + ": " + fault;
  } catch (const Error& error) {
    return fmt::format("refused: {}", error.what());
  }
}

}  // namespace collapse::soak
