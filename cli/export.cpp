#include <fmt/format.h>

#include <array>
#include <cmath>
#include <csignal>
#include <iterator>
#include <numbers>
#include <optional>

#include "cli/command.hpp"
#include "cli/output_file.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/trajectory.hpp"

namespace collapse::cli {
namespace {

struct ExportArguments {
  std::string file;
  std::string output;
  std::string contacts;
  std::string changes;
};

/// As RFC 4180 wants it: quoted only where that is needed.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// A file of comma-separated values, or none.
class Table {
 public:
  Table(const std::string& file, const char* head) {
    if (file.empty()) return;
    out_.emplace(file);
    out_->write(std::string(head) + "\n");
  }

  [[nodiscard]] bool wanted() const { return out_.has_value(); }
  template <class... Arguments>
  void row(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
    buffer_.push_back('\n');
    constexpr std::size_t kFullBuffer = 1 << 16;
    if (buffer_.size() > kFullBuffer) flush();
  }
  void commit() {
    if (!out_) return;
    flush();
    out_->commit();
  }

 private:
  void flush() {
    out_->write({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

  std::optional<OutputFile> out_;
  fmt::memory_buffer buffer_;
};

/// The angle of a rotation that is only known up to whole turns: the one nearest to where half the spins
/// before and after lead, so that fast bodies are counted right too.
class TurnCounter {
 public:
  double angle(double time, const Pose<2>& pose, double spin) {
    const double bare = std::atan2(pose.rotation(1, 0), pose.rotation(0, 0));
    constexpr double kTurn = 2.0 * std::numbers::pi;
    if (started_) {
      const double expected = angle_ + 0.5 * (spin_ + spin) * (time - time_);
      angle_ = bare + kTurn * std::round((expected - bare) / kTurn);
    } else {
      angle_ = bare;
    }
    started_ = true;
    time_ = time;
    spin_ = spin;
    return angle_;
  }

 private:
  bool started_ = false;
  double time_ = 0.0;
  double angle_ = 0.0;
  double spin_ = 0.0;
};

class CsvExport {
 public:
  CsvExport(const TrajectoryReader& file, const ExportArguments& arguments)
      : scene_(file.scene()),
        motion_(arguments.output, "time,body,x,y,angle,vx,vy,spin"),
        contacts_(arguments.contacts, "time,a,b,x,y,nx,ny,fx,fy"),
        changes_(arguments.changes, "time,a,b,change"),
        turns_(scene_.bodies.size()) {
    for (int i = 0; i < scene_.things(); ++i) names_.push_back(csv_field(scene_.thing_name(i)));
  }

  void add(const Frame<2>& frame) {
    if (motion_.wanted()) add_motion(frame);
    if (contacts_.wanted()) {
      for (const ContactForce<2>& contact : frame.contacts) {
        contacts_.row("{},{},{},{},{},{},{},{},{}", frame.time, name(contact.id.a),
                      name(contact.id.b), contact.point[0], contact.point[1], contact.normal[0],
                      contact.normal[1], contact.force[0], contact.force[1]);
      }
    }
    if (changes_.wanted()) {
      for (const ContactChange& change : frame.changes) {
        changes_.row("{},{},{},{}", change.time, name(change.id.a), name(change.id.b),
                     change.closed ? "closed" : "opened");
      }
    }
  }
  void commit() {
    motion_.commit();
    contacts_.commit();
    changes_.commit();
  }

 private:
  void add_motion(const Frame<2>& frame) {
    const std::size_t bodies = scene_.bodies.size();
    for (std::size_t i = 0; i < bodies; ++i) {
      if (scene_.bodies[i].shape.half_space) continue;  // has no centre and never moves
      const Vec<2> centre = frame.state.centre(scene_, static_cast<int>(i));
      const Twist<2>& velocity = frame.state.velocities[i];
      const double angle = turns_[i].angle(frame.time, frame.state.poses[i], velocity[2]);
      motion_.row("{},{},{},{},{},{},{},{}", frame.time, names_[i], centre[0], centre[1], angle,
                  velocity[0], velocity[1], velocity[2]);
    }
    const std::size_t first_point = bodies + scene_.framework.faces.size();
    for (std::size_t i = 0; i < scene_.framework.points.size(); ++i) {
      const Vec<2>& point = frame.state.points[i];
      const Vec<2>& velocity = frame.state.point_velocities[i];
      motion_.row("{},{},{},{},0,{},{},0", frame.time, names_[first_point + i], point[0], point[1],
                  velocity[0], velocity[1]);
    }
  }

  [[nodiscard]] std::string name(int thing) const {
    return thing == kWorld ? "world" : names_[static_cast<std::size_t>(thing)];
  }

  const Scene<2>& scene_;
  Table motion_;
  Table contacts_;
  Table changes_;
  std::vector<TurnCounter> turns_;
  std::vector<std::string> names_;  ///< of things, as fields
};

void check_ending(const std::string& option, const std::string& file) {
  if (file.empty() || file == "-" || file.ends_with(".csv")) return;
  constexpr std::array<std::string_view, 7> kLater{".glb", ".vtkhdf", ".pvd", ".svg",
                                                   ".png", ".mp4",    ".html"};
  for (const std::string_view ending : kLater) {
    if (!file.ends_with(ending)) continue;
    throw Error(
        option, printable(file),
        fmt::format("a file name that ends in .csv, or -; {} is not supported yet", ending));
  }
  throw Error(option, printable(file), "a file name that ends in .csv, or -");
}

int export_file(const ExportArguments& arguments) {
  check_ending("--output", arguments.output);
  check_ending("--contacts", arguments.contacts);
  check_ending("--changes", arguments.changes);
  int to_standard_output = 0;
  for (const std::string* file : {&arguments.output, &arguments.contacts, &arguments.changes}) {
    if (*file == "-") ++to_standard_output;
  }
  if (to_standard_output > 1) {
    throw Error("--output", "two tables on standard output", "a file for one of them");
  }
  if (arguments.output.empty() && arguments.contacts.empty() && arguments.changes.empty()) {
    throw Error("--output", "nothing to write", "-o FILE.csv, --contacts or --changes");
  }
  // When a reader of standard output goes away that is an error, and the other files are cleaned up.
  if (to_standard_output > 0) std::signal(SIGPIPE, SIG_IGN);
  const TrajectoryReader file(arguments.file);
  Progress progress;
  CsvExport table(file, arguments);
  int status = kDone;
  for (std::int64_t i = 0; i < file.frames() && status == kDone; ++i) {
    if (i % 64 == 0) progress.show(fmt::format("frame {} of {}", i, file.frames()));
    std::optional<Frame<2>> frame;
    try {
      frame = file.frame(i);
    } catch (const Error& error) {
      // The frames before are worth having.
      progress.show("");
      fmt::print(stderr, "collapse: {}\n", error.what());
      status = kBadInput;
    }
    if (frame) table.add(*frame);
  }
  progress.show("");
  table.commit();
  if (status == kDone && !file.fault().empty()) {
    fmt::print(stderr, "collapse: {}: {}; the {} frames before are exported\n",
               display_name(arguments.file), file.fault(), file.frames());
    status = kBadInput;
  }
  return status;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("export", "The motion in a trajectory file, for other programs");
  const auto options = std::make_shared<ExportArguments>();
  command->add_option("FILE", options->file, "Trajectory file, also one that is being written")
      ->required();
  command->add_option("-o,--output", options->output,
                      "Table of all bodies in all frames to write (.csv), - for standard output");
  command->add_option("--contacts", options->contacts,
                      "Table of the contact forces in all frames to write (.csv)");
  command->add_option("--changes", options->changes,
                      "Table of the contacts that began or ceased to carry force to write (.csv)");
  command->footer(
      "Examples:\n"
      "  collapse export diamond.clps -o diamond.csv\n"
      "  collapse export diamond.clps -o - --contacts forces.csv | head\n"
      "Centres of mass, angles in radians (whole turns count on), framework points by name; planes "
      "are\n"
      "left out. Of a damaged file the frames before the damage are exported; the status is 2 "
      "then.");
  command->callback([options, &action] { action = [options] { return export_file(*options); }; });
}

}  // namespace collapse::cli
