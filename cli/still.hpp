#pragma once
/// One moment of a structure: a scene as it is, or a frame of a trajectory.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/command.hpp"
#include "collapse/io/svg.hpp"
#include "collapse/io/trajectory.hpp"

namespace collapse::cli {

/// What the commands that show a moment share.
struct StillArguments {
  std::string file;                ///< scene, `-` for standard input, or trajectory
  std::string output;              ///< empty or `-`: standard output
  std::vector<std::string> loads;  ///< of a scene
  std::string time;                ///< of a trajectory; empty: not given
  std::int64_t frame = -1;         ///< of a trajectory; negative: not given
  double touch = ContactOptions{}.touch;
  bool no_forces = false;
  DrawOptions draw;
  bool json = false;
};

/// `--load`, `--touch`, `--time` and `--frame`.
void add_still_options(CLI::App& command, StillArguments& arguments);

template <int Dim>
struct Still {
  Scene<Dim> scene;
  State<Dim> state;
  ContactSet<Dim> contacts;
  /// Of a frame and of a scene with a framework: nothing but forces.
  Verdict<Dim> verdict;
  std::string caption;                ///< for pictures that are not about the verdict
  std::optional<std::int64_t> frame;  ///< none of a scene
  double time = 0.0;
};

[[nodiscard]] bool is_trajectory_argument(const std::string& file);

/// Of a trajectory loads cannot be chosen.
void refuse_loads(const StillArguments& arguments);

using AnyStill = std::variant<Still<2>, Still<3>>;

/// With the verdict's forces where it stands and the mechanism where it falls; frameworks are not judged.
[[nodiscard]] AnyStill still_of_scene(const StillArguments& arguments);
/// The last frame unless told otherwise.
[[nodiscard]] AnyStill still_of_trajectory(const StillArguments& arguments);

/// An SVG picture as pixels, by rsvg-convert. Throws Error where there is none.
[[nodiscard]] std::string to_png(const std::string& svg);

/// Draws the moment, by the output's ending: .svg, or .png by way of rsvg-convert, in space of the page in a browser.
[[nodiscard]] int draw_still(const StillArguments& arguments);

}  // namespace collapse::cli
