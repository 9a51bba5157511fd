/// Long random campaigns, kept out of CI but for a sample: `collapse_soak CAMPAIGN`.
///
/// Cases are numbered; each depends on its number alone. A run goes on after the last case of the
/// run before it (build/soak/CAMPAIGN.next), stops at the first case that fails, and says how to
/// repeat it.

#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "tests/soak/campaign.hpp"

namespace {

using collapse::soak::Campaign;
using collapse::soak::campaigns;

constexpr const char* kUsage =
    "collapse_soak CAMPAIGN [--seconds N] [--from N] [--case N]\n"
    "collapse_soak --list\n"
    "  --seconds N  stop after this time (default: an hour)\n"
    "  --from N     begin with case N instead of going on where the last run stopped\n"
    "  --case N     only case N\n";

struct Options {
  const Campaign* campaign = nullptr;
  double seconds = 3600.0;
  std::optional<std::uint64_t> from;
  std::optional<std::uint64_t> single;
};

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (const Campaign& campaign : campaigns()) {
    if (argc > 1 && campaign.name == argv[1]) options.campaign = &campaign;
  }
  if (options.campaign == nullptr || argc % 2 != 0) return std::nullopt;
  for (int i = 2; i < argc; i += 2) {
    const std::string key = argv[i];
    char* end = nullptr;
    const std::uint64_t value = std::strtoull(argv[i + 1], &end, 10);
    if (*end != '\0' || end == argv[i + 1]) return std::nullopt;
    if (key == "--seconds") {
      options.seconds = static_cast<double>(value);
    } else if (key == "--from") {
      options.from = value;
    } else if (key == "--case") {
      options.single = value;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

int run(const Options& options) {
  const std::filesystem::path folder = "build/soak";
  std::filesystem::create_directories(folder);
  const std::filesystem::path state = folder / (options.campaign->name + ".next");
  std::uint64_t number = 0;
  if (options.single) {
    number = *options.single;
  } else if (options.from) {
    number = *options.from;
  } else {
    std::ifstream(state) >> number;
  }
  const std::uint64_t first = number;
  const std::uint64_t end = options.single ? number + 1 : std::numeric_limits<std::uint64_t>::max();
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (; number < end && elapsed() < options.seconds; ++number) {
    const std::string fault = options.campaign->run(number);
    if (!fault.empty()) {
      fmt::print(stderr, "{}: case {} fails: {}\n  repeat it with: ./dev soak {} --case {}\n",
                 options.campaign->name, number, fault, options.campaign->name, number);
      return 1;
    }
    if (!options.single && number % 64 == 63) std::ofstream(state) << number + 1 << "\n";
  }
  if (!options.single) std::ofstream(state) << number << "\n";
  fmt::print("{}: cases {} to {} pass ({:.0f} s)\n", options.campaign->name, first, number - 1,
             elapsed());
  return number > first ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--list") {
    for (const Campaign& campaign : campaigns()) fmt::print("{}\n", campaign.name);
    return 0;
  }
  const std::optional<Options> options = parse(argc, argv);
  if (!options) {
    fmt::print(stderr, "{}", kUsage);
    for (const Campaign& campaign : campaigns()) {
      fmt::print(stderr, "  {:<12} {}\n", campaign.name, campaign.about);
    }
    return 2;
  }
  return run(*options);
}
