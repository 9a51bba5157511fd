#include "cli/still.hpp"

#include <fmt/core.h>

#include <cmath>

#include "cli/child.hpp"
#include "cli/interrupt.hpp"
#include "cli/loads.hpp"
#include "cli/picture.hpp"
#include "collapse/core/error.hpp"

namespace collapse::cli {
namespace {

std::int64_t chosen_frame(const TrajectoryFile& file, const StillArguments& arguments) {
  if (file.frames() == 0) {
    throw Error("", "a trajectory without a complete frame", "at least one")
        .in_file(arguments.file);
  }
  if (arguments.frame >= 0) {
    if (arguments.frame < file.frames()) return arguments.frame;
    throw Error("--frame", std::to_string(arguments.frame),
                fmt::format("a number from 0 to {}", file.frames() - 1));
  }
  if (arguments.time.empty()) return file.frames() - 1;
  const std::optional<Rational> time = parse_rational(arguments.time);
  if (!time || !std::isfinite(to_double(*time))) {
    throw Error("--time", printable(arguments.time), "a number such as 2.5 or 5/2");
  }
  return file.frame_near(to_double(*time));
}

/// A scene at its start with what is said of it.
template <int Dim>
Still<Dim> judged(Loaded<Dim>&& loaded, const StillArguments& arguments, Progress& progress) {
  CheckOptions options;
  options.loads = applied_loads(loaded.scene, arguments.loads);
  options.progress = [&](int number) { progress.show(fmt::format("program {}", number)); };
  Still<Dim> still;
  if (loaded.scene.framework.points.empty()) {
    still.verdict = check(loaded.scene, loaded.state, loaded.contacts, options);
  } else {
    still.caption = "at the start";
  }
  still.scene = std::move(loaded.scene);
  still.state = std::move(loaded.state);
  still.contacts = std::move(loaded.contacts);
  if (arguments.no_forces) {
    still.verdict.forces.clear();
    still.verdict.joint_forces.clear();
  }
  return still;
}

/// A frame with what carried force in it.
template <int Dim>
Still<Dim> still_of_frame(const TrajectoryReader<Dim>& file, Frame<Dim>&& frame, bool with_forces) {
  Still<Dim> still;
  still.scene = file.scene();
  still.state = std::move(frame.state);
  still.frame = frame.number;
  still.time = frame.time;
  still.caption = fmt::format("time {:.6g}", frame.time);
  for (const ContactForce<Dim>& force : frame.contacts) {
    Contact<Dim>& contact = still.contacts.contacts.emplace_back();
    contact.id = force.id;
    contact.point = force.point;
    contact.normal = force.normal;
  }
  if (with_forces) still.verdict.forces = std::move(frame.contacts);
  return still;
}

/// The picture's file: SVG, or pixels.
std::string drawn(const Still<2>& still, const StillArguments& arguments) {
  DrawOptions draw = arguments.draw;
  draw.caption = still.caption;
  const std::string svg = draw_svg(still.scene, still.state, still.contacts, still.verdict, draw);
  return arguments.output.ends_with(".png") ? to_png(svg) : svg;
}

std::string drawn(const Still<3>& still, const StillArguments& arguments) {
  if (!arguments.output.ends_with(".png")) {
    throw Error("--output", "a drawing of a scene in space",
                "a picture (export -o FILE.png) or a page (view)");
  }
  if (arguments.draw.names) {
    throw Error("--names", "a picture of a scene in space", "a scene in the plane");
  }
  return page_picture(still, arguments);
}

}  // namespace

std::string to_png(const std::string& svg) {
  const std::optional<std::string> converter = find_program({"rsvg-convert"});
  if (!converter) {
    throw Error("--output", "no rsvg-convert, which makes PNG pictures",
                "it to be installed (Debian: librsvg2-bin), or a file name that ends in .svg");
  }
  const Filtered converted = filter({*converter, "--unlimited", "--format=png"}, svg);
  if (converted.status == 0 && !converted.output.empty()) return converted.output;
  throw Error("rsvg-convert", last_line(converted.errors), "a picture");
}

void add_still_options(CLI::App& command, StillArguments& arguments) {
  add_load_option(command, arguments.loads);
  add_touch_option(command, arguments.touch);
  auto* const time = command.add_option(
      "--time", arguments.time, "Of a trajectory: the frame nearest to it, instead of the last");
  command.add_option("--frame", arguments.frame, "Of a trajectory: this frame, from 0")
      ->check(CLI::NonNegativeNumber)
      ->excludes(time);
}

bool is_trajectory_argument(const std::string& file) { return file != "-" && is_trajectory(file); }

void refuse_loads(const StillArguments& arguments) {
  if (arguments.loads.empty()) return;
  throw Error("--load", "a trajectory, whose loads are those it was run with", "a scene");
}

AnyStill still_of_scene(const StillArguments& arguments) {
  if (!arguments.time.empty() || arguments.frame >= 0) {
    throw Error(arguments.time.empty() ? "--frame" : "--time", "a scene, which has no frames",
                "a trajectory file");
  }
  Progress progress;
  progress.show(fmt::format("reading {}", arguments.file));
  return std::visit(
      [&](auto&& loaded) -> AnyStill {
        return judged(std::forward<decltype(loaded)>(loaded), arguments, progress);
      },
      load(arguments.file, arguments.touch, Frameworks::used));
}

AnyStill still_of_trajectory(const StillArguments& arguments) {
  refuse_loads(arguments);
  return std::visit(
      [&](const auto& file) -> AnyStill {
        return still_of_frame(file, file.frame(chosen_frame(file, arguments)),
                              !arguments.no_forces);
      },
      open_trajectory(arguments.file));
}

int draw_still(const StillArguments& arguments) {
  const bool recorded = is_trajectory_argument(arguments.file);
  const AnyStill any = recorded ? still_of_trajectory(arguments) : still_of_scene(arguments);
  return std::visit(
      [&](const auto& still) {
        const InterruptGuard guard;
        try {
          write_file(arguments.output, drawn(still, arguments));
        } catch (const Interrupted&) {
          return kInterrupted;
        }
        if (!arguments.json) return kDone;
        Json json = {{recorded ? "trajectory" : "scene", arguments.file},
                     {"output", arguments.output}};
        if (recorded) {
          json["frame"] = *still.frame;
          json["time"] = still.time;
        } else if (still.caption.empty()) {
          json["verdict"] = to_string(still.verdict.stability);
        }
        fmt::print("{}\n", json.dump());
        return kDone;
      },
      any);
}

}  // namespace collapse::cli
