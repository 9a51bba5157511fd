#include <fmt/format.h>

#include <csignal>
#include <iterator>
#include <optional>

#include "cli/export.hpp"
#include "cli/output_file.hpp"
#include "collapse/core/error.hpp"
#include "collapse/geometry/turn_counter.hpp"

namespace collapse::cli {
namespace {

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

}  // namespace

Exported export_csv(const ExportArguments& arguments) {
  int to_standard_output = 0;
  for (const std::string* file : {&arguments.output, &arguments.contacts, &arguments.changes}) {
    if (*file == "-") ++to_standard_output;
  }
  if (to_standard_output > 1) {
    throw Error("--output", "two tables on standard output", "a file for one of them");
  }
  // When a reader of standard output goes away that is an error, and the other files are cleaned up.
  if (to_standard_output > 0) std::signal(SIGPIPE, SIG_IGN);
  const TrajectoryReader file(arguments.file);
  CsvExport table(file, arguments);
  const Exported exported =
      for_each_frame(arguments, file, [&](const Frame<2>& frame) { table.add(frame); });
  if (exported.status != kInterrupted) table.commit();
  return exported;
}

}  // namespace collapse::cli
