#pragma once
/// What all commands share: options, exit statuses, and the way to standard output.

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "collapse/formulation/verdict.hpp"
#include "collapse/io/answers.hpp"
#include "collapse/io/scene_reader.hpp"

namespace collapse::cli {

/// Exit statuses of the tool.
inline constexpr int kDone = 0;
inline constexpr int kNo = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kUndecided = 3;
inline constexpr int kInterrupted = 130;

/// Each adds its subcommand to `app`; when it is chosen, `action` is set to what it does.
using Action = std::function<int()>;
void add_check(CLI::App& app, Action& action);
void add_onset(CLI::App& app, Action& action);
void add_limit(CLI::App& app, Action& action);
void add_inspect(CLI::App& app, Action& action);
void add_draw(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_settle(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);
void add_convert(CLI::App& app, Action& action);
void add_gallery(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);

/// Scene, its start, and what touches in it.
template <int Dim>
struct Loaded {
  Scene<Dim> scene;
  State<Dim> state;
  ContactSet<Dim> contacts;
};
/// What a command does with scenes that have point masses and bars.
enum class Frameworks { refused, used };
/// In the plane or in space: for std::visit. Throws Error with the file's name.
[[nodiscard]] std::variant<Loaded<2>, Loaded<3>> load(const std::string& file, double touch,
                                                      Frameworks frameworks = Frameworks::refused);
/// For commands that know the plane only: refuses scenes in space.
[[nodiscard]] Loaded<2> load_plane(const std::string& file, double touch,
                                   Frameworks frameworks = Frameworks::refused);

/// How messages name a file.
[[nodiscard]] std::string display_name(const std::string& file);
/// What an answer begins with: the scene's name, or its file where it has none; with the file before it on demand.
[[nodiscard]] std::string title(const std::string& file, const std::string& scene_name,
                                bool with_file);

/// `--touch` with its default.
void add_touch_option(CLI::App& command, double& touch);

/// Runs `one` for each file; an Error is one line on standard error and status 2. Returns the
/// largest status.
[[nodiscard]] int for_each_scene(const std::vector<std::string>& files,
                                 const std::function<int(const std::string&)>& one);

/// Writes all of `text` to `file` or nothing at all; `-` is standard output. Throws Error.
void write_file(const std::string& file, const std::string& text);

/// Lines about isolated bodies, near misses and corner contacts, for a person.
template <int Dim>
[[nodiscard]] std::string remarks(const Scene<Dim>& scene, const ContactSet<Dim>& contacts);

/// "1 frame", "2 frames".
[[nodiscard]] std::string counted(std::int64_t count, const std::string& what);
template <int Dim>
[[nodiscard]] std::string bodies_and_contacts(const Scene<Dim>& scene,
                                              const ContactSet<Dim>& contacts);
/// "(x, y)" or "(x, y, z)" with `digits` digits; what is below `rounding` is zero.
[[nodiscard]] std::string in_brackets(const Eigen::Ref<const Eigen::VectorXd>& vector, int digits,
                                      double rounding = 0.0);

enum class Colour { green, red, yellow, faint };
/// `text` in that colour on a terminal, plain elsewhere and where NO_COLOR is set.
[[nodiscard]] std::string coloured(const std::string& text, Colour colour);

/// One line on standard error that replaces itself, on a terminal only.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const std::string& text);

 private:
  bool terminal_ = false;
  bool shown_ = false;
};

}  // namespace collapse::cli
