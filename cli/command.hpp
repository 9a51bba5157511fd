#pragma once
/// What all commands share: options, exit statuses, and the way to standard output.

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
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
void add_inspect(CLI::App& app, Action& action);
void add_draw(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_settle(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);
void add_gallery(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);

/// Scene, its start, and what touches in it.
struct Loaded {
  Scene<2> scene;
  State<2> state;
  ContactSet<2> contacts;
};
/// What a command does with scenes that have point masses and bars.
enum class Frameworks { refused, used };
/// Throws Error with the file's name.
[[nodiscard]] Loaded load(const std::string& file, double touch,
                          Frameworks frameworks = Frameworks::refused);

/// How messages name a file.
[[nodiscard]] std::string display_name(const std::string& file);

/// `--touch` with its default.
void add_touch_option(CLI::App& command, double& touch);

/// Runs `one` for each file; an Error is one line on standard error and status 2. Returns the
/// largest status.
[[nodiscard]] int for_each_scene(const std::vector<std::string>& files,
                                 const std::function<int(const std::string&)>& one);

/// Writes all of `text` to `file` or nothing at all; `-` is standard output. Throws Error.
void write_file(const std::string& file, const std::string& text);

/// Lines about isolated bodies, near misses and corner contacts, for a person.
[[nodiscard]] std::string remarks(const Scene<2>& scene, const ContactSet<2>& contacts);

/// "1 frame", "2 frames".
[[nodiscard]] std::string counted(std::int64_t count, const std::string& what);
[[nodiscard]] std::string bodies_and_contacts(const Scene<2>& scene, const ContactSet<2>& contacts);

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
