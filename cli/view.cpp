#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "cli/command.hpp"
#include "cli/frames.hpp"
#include "cli/loads.hpp"
#include "cli/output_file.hpp"
#include "cli/view_page.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/page.hpp"

namespace collapse::cli {
namespace {

struct ViewArguments {
  std::string file;
  std::string output;
  std::vector<std::string> loads;
  std::string frame_rate;
  double touch = ContactOptions{}.touch;
  bool no_forces = false;
  bool json = false;
};

/// The file that a page is written to, with the number of bytes.
class PageFile {
 public:
  explicit PageFile(const std::string& file) : out_(file) {}

  [[nodiscard]] PageSink sink() {
    return [this](std::string_view text) {
      out_.write(text);
      bytes_ += text.size();
    };
  }
  void commit() { out_.commit(); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  OutputFile out_;
  std::uint64_t bytes_ = 0;
};

template <int Dim>
int write_page(const ViewArguments& arguments, const Loaded<Dim>& loaded, Progress& progress) {
  PageOptions options;
  options.loads = arguments.loads;
  std::optional<Verdict<Dim>> verdict;
  CheckOptions check_options;
  check_options.loads = applied_loads(loaded.scene, arguments.loads);
  if (loaded.scene.framework.points.empty()) {  // there is no verdict about frameworks
    check_options.progress = [&](int number) { progress.show(fmt::format("program {}", number)); };
    verdict = check(loaded.scene, loaded.state, loaded.contacts, check_options);
  }
  PageFile page(arguments.output);
  write_scene_page(view_page(), loaded.scene, loaded.state, loaded.contacts,
                   verdict ? &*verdict : nullptr, options, page.sink());
  page.commit();
  progress.show("");
  if (arguments.json) {
    Json json = {{"scene", arguments.file}, {"output", arguments.output}, {"bytes", page.bytes()}};
    if (verdict) json["verdict"] = to_string(verdict->stability);
    fmt::print("{}\n", json.dump());
  }
  return kDone;
}

int view_scene(const ViewArguments& arguments) {
  if (!arguments.frame_rate.empty() || arguments.no_forces) {
    throw Error(arguments.no_forces ? "--no-forces" : "--frame-rate",
                "a scene, which has no frames", "a trajectory file");
  }
  Progress progress;
  progress.show(fmt::format("reading {}", arguments.file));
  return std::visit([&](const auto& loaded) { return write_page(arguments, loaded, progress); },
                    load(arguments.file, arguments.touch, Frameworks::used));
}

/// Frames closer together than this are left out.
double least_distance(const ViewArguments& arguments) {
  if (arguments.frame_rate.empty()) return 0.0;
  const std::optional<Rational> rate = parse_rational(arguments.frame_rate);
  if (!rate || !(*rate > 0) || !std::isnormal(1.0 / to_double(*rate))) {
    throw Error("--frame-rate", printable(arguments.frame_rate),
                "a number greater than 0, such as 30");
  }
  // Times are sums of rounded steps: one that comes a little early is not too early.
  return (1.0 - 1e-6) / to_double(*rate);
}

/// Adds frames, all or so many per unit of time. Returns the status.
template <int Dim>
int add_frames(const TrajectoryReader<Dim>& file, const std::string& name, double distance,
               MotionPage<Dim>& page, std::int64_t& shown) {
  std::vector<ContactChange> skipped;  // of frames left out
  double last_time = 0.0;
  std::int64_t left = file.frames();
  return for_each_good_frame(file, name, [&](Frame<Dim>& frame) {
    const bool last = --left == 0;
    if (shown > 0 && !last && frame.time - last_time < distance) {
      skipped.insert(skipped.end(), frame.changes.begin(), frame.changes.end());
      return;
    }
    frame.changes.insert(frame.changes.begin(), skipped.begin(), skipped.end());
    skipped.clear();
    last_time = frame.time;
    page.add(frame);
    ++shown;
  });
}

template <int Dim>
int write_motion(const ViewArguments& arguments, double distance,
                 const TrajectoryReader<Dim>& file) {
  require_frames(file, arguments.file);
  PageOptions options;
  options.forces = !arguments.no_forces;
  PageFile out(arguments.output);
  MotionPage<Dim> page(view_page(), file.scene(), file.header(), file.finished(), options,
                       out.sink());
  std::int64_t shown = 0;
  const int status = add_frames(file, arguments.file, distance, page, shown);
  page.finish();
  out.commit();
  if (arguments.json) {
    const Json json = {{"trajectory", arguments.file},
                       {"output", arguments.output},
                       {"bytes", out.bytes()},
                       {"frames", shown}};
    fmt::print("{}\n", json.dump());
  }
  return status;
}

int view_motion(const ViewArguments& arguments) {
  if (!arguments.loads.empty()) {
    throw Error("--load", "a trajectory, whose loads are those it was run with", "a scene");
  }
  const double distance = least_distance(arguments);
  return std::visit([&](const auto& file) { return write_motion(arguments, distance, file); },
                    open_trajectory(arguments.file));
}

int view(const ViewArguments& arguments) {
  if (view_page().empty()) {
    throw Error("view", "a tool that was built without its page",
                "one built with Node.js and npm installed (cmake -DCOLLAPSE_WEB=ON)");
  }
  if (arguments.output != "-" && !arguments.output.ends_with(".html")) {
    throw Error("--output", printable(arguments.output), "a file name that ends in .html, or -");
  }
  if (arguments.output == "-" && arguments.json) {
    throw Error("--json", "the page on standard output as well", "a file for the page");
  }
  const bool recorded = arguments.file != "-" && is_trajectory(arguments.file);
  return recorded ? view_motion(arguments) : view_scene(arguments);
}

}  // namespace

void add_view(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "view",
      "One page for any browser: a motion to play, or a scene with its forces or the way it "
      "begins to fall");
  const auto options = std::make_shared<ViewArguments>();
  command
      ->add_option("FILE", options->file,
                   "Trajectory file, also one that is being written; or a scene file, - for "
                   "standard input")
      ->required();
  command
      ->add_option("-o,--output", options->output, "Page to write (.html), - for standard output")
      ->required();
  add_load_option(*command, options->loads);
  add_touch_option(*command, options->touch);
  command->add_flag("--no-forces", options->no_forces,
                    "Of a trajectory: leave the contact forces out, for a smaller page");
  command->add_option(
      "--frame-rate", options->frame_rate,
      "Of a trajectory: at most so many frames per unit of time, for a smaller page");
  command->add_flag("--json", options->json, "One JSON object about the page");
  command->footer(
      "Examples:\n"
      "  collapse gallery diamond -o diamond.json && collapse view diamond.json -o diamond.html\n"
      "  collapse run diamond.json -o diamond.clps && collapse view diamond.clps -o fall.html\n"
      "  collapse view wall.clps --no-forces --frame-rate 30 -o wall.html\n"
      "The page needs nothing else: no server, no network. Of a damaged file it has the frames "
      "before\nthe damage; the status is 2 then.");
  command->callback([options, &action] { action = [options] { return view(*options); }; });
}

}  // namespace collapse::cli
