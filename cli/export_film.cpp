#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/browser.hpp"
#include "cli/export.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/view_page.hpp"
#include "cli/workshop.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/page.hpp"

namespace collapse::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kFilmRate = 30.0;
constexpr double kMostFilmFrames = 1e6;

/// The name under which a film grows.
class PendingFilm {
 public:
  explicit PendingFilm(const std::string& file)
      : file_(file), pending_(fmt::format("{}.part{}", file, ::getpid())) {
    std::error_code fault;
    const fs::file_status status = fs::status(file, fault);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      throw Error("", "something that is not a plain file", "a new or a plain file").in_file(file);
    }
  }
  ~PendingFilm() { std::remove(pending_.c_str()); }
  PendingFilm(const PendingFilm&) = delete;
  PendingFilm& operator=(const PendingFilm&) = delete;

  [[nodiscard]] const std::string& name() const { return pending_; }
  void commit() const {
    if (std::rename(pending_.c_str(), file_.c_str()) == 0) return;
    throw Error("", "that it cannot be written", "a file that can be written").in_file(file_);
  }

 private:
  std::string file_;
  std::string pending_;
};

/// ffmpeg, which gets one picture after the other.
class Encoder {
 public:
  Encoder(const std::string& file, double rate, const std::string& log) : log_(log) {
    const std::optional<std::string> program = find_program({"ffmpeg"});
    if (!program) {
      throw Error("--output", "no ffmpeg, which makes films",
                  "it to be installed (Debian: ffmpeg)");
    }
    const Descriptor said = open_log(log);
    Pipe pictures;
    std::vector<std::pair<int, int>> ends{{pictures.read.number(), 0}};
    if (said.open()) ends.emplace_back(said.number(), 2);
    child_ = std::make_unique<Child>(
        std::vector<std::string>{*program,
                                 "-hide_banner",
                                 "-loglevel",
                                 "error",
                                 "-y",
                                 "-f",
                                 "image2pipe",
                                 "-c:v",
                                 "png",
                                 "-framerate",
                                 fmt::format("{}", rate),
                                 "-i",
                                 "pipe:0",
                                 "-vf",
                                 "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
                                 "-c:v",
                                 "libx264",
                                 "-crf",
                                 "18",
                                 "-preset",
                                 "veryfast",
                                 "-tune",
                                 "animation",
                                 "-colorspace",
                                 "bt709",
                                 "-color_primaries",
                                 "bt709",
                                 "-color_trc",
                                 "bt709",
                                 "-color_range",
                                 "tv",
                                 "-fflags",
                                 "+bitexact",
                                 "-flags:v",
                                 "+bitexact",
                                 "-movflags",
                                 "+faststart",
                                 "-f",
                                 "mp4",
                                 file},
        ends);
    pictures_ = std::move(pictures.write);
    ::fcntl(pictures_.number(), F_SETFL, O_NONBLOCK);
  }

  void add(const std::string& picture) {
    if (!write_all(pictures_.number(), picture)) fail();
  }
  void finish() {
    pictures_.close();
    if (child_->wait() != 0) fail();
  }

 private:
  [[noreturn]] void fail() {
    static_cast<void>(child_->wait());
    std::ifstream stream(log_);
    const std::string said{std::istreambuf_iterator<char>(stream), {}};
    throw Error("ffmpeg", last_line(said), "a film");
  }

  std::string log_;
  Descriptor pictures_;
  std::unique_ptr<Child> child_;
};

void check_film(const ExportArguments& arguments) {
  if (view_page().empty()) {
    throw Error("--output", "a tool that was built without the page that films show",
                "one built with Node.js and npm installed (cmake -DCOLLAPSE_WEB=ON)");
  }
  if (!is_trajectory_argument(arguments.file)) {
    throw Error("", "a scene, which does not move", "a trajectory file")
        .in_file(display_name(arguments.file));
  }
}

struct FilmSize {
  int width = 1280;
  int height = 720;
};

/// 16 to 9 unless told otherwise. Most players want even numbers.
FilmSize film_size(const ExportArguments& arguments) {
  constexpr int kLargest = 8192;
  FilmSize size;
  if (arguments.width > 0) {
    size.width = arguments.width;
    size.height = 2 * static_cast<int>(std::lround(arguments.width * 9.0 / 32.0));
  }
  if (arguments.height > 0) size.height = arguments.height;
  for (const auto& [option, pixels] :
       {std::pair{"--width", size.width}, std::pair{"--height", size.height}}) {
    if (pixels % 2 == 0 && pixels <= kLargest) continue;
    throw Error(option, std::to_string(pixels),
                fmt::format("an even number up to {}, for films", kLargest));
  }
  return size;
}

/// The page that the film shows, of all frames.
template <int Dim>
Exported write_film_page(const ExportArguments& arguments, const TrajectoryReader<Dim>& file,
                         const std::string& name) {
  require_frames(file, arguments.file);
  ExportArguments all = arguments;
  all.frame_rate.reset();
  PageOptions options;
  options.forces = !arguments.no_forces;
  OutputFile page_file(name);
  MotionPage<Dim> page(view_page(), file.scene(), file.header(), file.finished(), options,
                       [&](std::string_view text) { page_file.write(text); });
  const Exported exported =
      for_each_frame(all, file, [&](const Frame<Dim>& frame) { page.add(frame); });
  if (exported.status == kInterrupted || exported.frames == 0) return exported;
  page.finish();
  page_file.commit();
  return exported;
}

Exported make_film(const ExportArguments& arguments) {
  const FilmSize size = film_size(arguments);
  const PendingFilm film(arguments.output);
  const Workshop workshop;
  Exported exported = std::visit(
      [&](const auto& file) {
        return write_film_page(arguments, file, workshop.file("film.html"));
      },
      open_trajectory(arguments.file));
  if (exported.status == kInterrupted || exported.frames == 0) return exported;

  Progress progress;
  progress.show("starting the browser");
  Browser browser(workshop.path(), size.width, size.height);
  browser.open(film_address(workshop.file("film.html")));
  browser.evaluate("collapseView.ready");
  const auto duration = browser.evaluate("collapseView.duration").get<double>();
  const double rate = arguments.frame_rate.value_or(kFilmRate);
  // A little more than the last frame's time is not beyond the end.
  const double count = std::floor(duration / arguments.speed * rate + 1e-6) + 1.0;
  if (!(count <= kMostFilmFrames)) {
    throw Error("--speed", fmt::format("a film of {:.3g} frames", count),
                "at most a million: a higher --speed or a lower --frame-rate");
  }
  Encoder encoder(film.name(), rate, workshop.file("encoder.log"));
  const auto start = std::chrono::steady_clock::now();
  exported.frames = static_cast<std::int64_t>(count);
  for (std::int64_t i = 0; i < exported.frames; ++i) {
    const double time = std::min(duration, static_cast<double>(i) * arguments.speed / rate);
    browser.evaluate(fmt::format("collapseView.showTime({})", time));
    encoder.add(browser.screenshot());
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    progress.show(fmt::format("frame {} of {}, {:.1f} a second", i + 1, exported.frames,
                              static_cast<double>(i + 1) / passed.count()));
  }
  progress.show("");
  encoder.finish();
  film.commit();
  return exported;
}

}  // namespace

Exported export_film(const ExportArguments& arguments) {
  check_film(arguments);
  // A child that goes away is noticed where it is written to.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return make_film(arguments);
  } catch (const Interrupted&) {
    return {kInterrupted, 0};
  }
}

}  // namespace collapse::cli
