#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace collapse::soak {

/// A long seeded test: case after case, each determined by its number alone.
struct Campaign {
  std::string name;
  std::string about;
  /// What is wrong with this case, in a line; empty if nothing is.
  std::function<std::string(std::uint64_t number)> run;
};

[[nodiscard]] const std::vector<Campaign>& campaigns();

}  // namespace collapse::soak
