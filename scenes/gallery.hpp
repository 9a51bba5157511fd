#pragma once
/// Every built-in scene, written once: for the gallery command, tests, benchmarks and
/// documentation.

#include <map>
#include <string>
#include <vector>

#include "collapse/core/rational.hpp"

namespace collapse::scenes {

struct Option {
  std::string name;           ///< as on the command line without `--`
  std::string default_value;  ///< a number as in a scene, or a word
  std::string about;
};

struct Entry {
  std::string name;
  std::string about;
  std::vector<Option> options;
  /// Point masses and bars: they move, but whether they stand is not asked. Without friction.
  bool framework = false;
  /// Options of `collapse run` that show what the scene is for; empty: it is made to be checked, and its bodies touch
  /// from the start.
  std::string run = {};
  int dimension = 2;  ///< 3: in space
};

/// In alphabetical order.
[[nodiscard]] const std::vector<Entry>& gallery();

/// The text of a scene file. Throws Error for an unknown scene or option (place: the option's name)
/// and for values out of range; suggests the nearest known name.
[[nodiscard]] std::string make_scene(const std::string& name,
                                     const std::map<std::string, std::string>& options = {});

}  // namespace collapse::scenes
