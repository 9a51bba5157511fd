#include <fmt/format.h>

#include <csignal>
#include <iterator>
#include <optional>
#include <type_traits>

#include "cli/export.hpp"
#include "cli/output_file.hpp"
#include "collapse/core/error.hpp"
#include "collapse/geometry/continuous_turn.hpp"
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
  /// Numbers, vectors of them, and fields that are written as they are.
  template <class... Fields>
  void row(double time, const Fields&... fields) {
    fmt::format_to(std::back_inserter(buffer_), "{}", time);
    (add(fields), ...);
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
  void add(double number) { fmt::format_to(std::back_inserter(buffer_), ",{}", number); }
  void add(std::string_view field) {
    buffer_.push_back(',');
    buffer_.append(field);
  }
  template <int Count>
  void add(const Eigen::Matrix<double, Count, 1>& numbers) {
    for (const double number : numbers) add(number);
  }
  void flush() {
    out_->write({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

  std::optional<OutputFile> out_;
  fmt::memory_buffer buffer_;
};

/// The columns of a body's row after time and name.
template <int Dim>
struct CsvColumns;
template <>
struct CsvColumns<2> {
  static constexpr const char* kMotion = "time,body,x,y,angle,vx,vy,spin";
  static constexpr const char* kContacts = "time,a,b,x,y,nx,ny,fx,fy";
};
template <>
struct CsvColumns<3> {
  static constexpr const char* kMotion = "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz";
  static constexpr const char* kContacts = "time,a,b,x,y,z,nx,ny,nz,fx,fy,fz";
};

/// Angles from frame to frame: whole turns count on.
class PlaneTurns {
 public:
  explicit PlaneTurns(std::size_t bodies) : turns_(bodies) {}
  [[nodiscard]] double numbers(std::size_t body, const Frame<2>& frame) {
    return turns_[body].angle(frame.time, frame.state.poses[body], frame.state.velocities[body][2]);
  }

 private:
  std::vector<TurnCounter> turns_;
};

/// Unit quaternions, of q and −q the one that goes on from the frame before.
class SpaceTurns {
 public:
  explicit SpaceTurns(std::size_t bodies) : turns_(bodies) {}
  /// w, x, y, z.
  [[nodiscard]] Eigen::Vector4d numbers(std::size_t body, const Frame<3>& frame) {
    const Eigen::Quaterniond q = turns_[body].next(frame.time, frame.state.poses[body].rotation,
                                                   frame.state.velocities[body].tail<3>());
    return {q.w(), q.x(), q.y(), q.z()};
  }

 private:
  std::vector<ContinuousTurn> turns_;
};

template <int Dim>
class CsvExport {
 public:
  CsvExport(const TrajectoryReader<Dim>& file, const ExportArguments& arguments)
      : scene_(file.scene()),
        motion_(arguments.output, CsvColumns<Dim>::kMotion),
        contacts_(arguments.contacts, CsvColumns<Dim>::kContacts),
        changes_(arguments.changes, "time,a,b,change"),
        turns_(scene_.bodies.size()) {
    for (int i = 0; i < scene_.things(); ++i) names_.push_back(csv_field(scene_.thing_name(i)));
  }

  void add(const Frame<Dim>& frame) {
    if (motion_.wanted()) add_motion(frame);
    if (contacts_.wanted()) {
      for (const ContactForce<Dim>& contact : frame.contacts) {
        contacts_.row(frame.time, name(contact.id.a), name(contact.id.b), contact.point,
                      contact.normal, contact.force);
      }
    }
    if (changes_.wanted()) {
      for (const ContactChange& change : frame.changes) {
        changes_.row(change.time, name(change.id.a), name(change.id.b),
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
  void add_motion(const Frame<Dim>& frame) {
    const std::size_t bodies = scene_.bodies.size();
    for (std::size_t i = 0; i < bodies; ++i) {
      if (scene_.bodies[i].shape.half_space) continue;  // has no centre and never moves
      motion_.row(frame.time, names_[i], frame.state.centre(scene_, static_cast<int>(i)),
                  turns_.numbers(i, frame), frame.state.velocities[i]);
    }
    const std::size_t first_point = bodies + scene_.framework.faces.size();
    for (std::size_t i = 0; i < scene_.framework.points.size(); ++i) {
      motion_.row(frame.time, names_[first_point + i], frame.state.points[i], "0",
                  frame.state.point_velocities[i], "0");
    }
  }

  [[nodiscard]] std::string name(int thing) const {
    return thing == kWorld ? "world" : names_[static_cast<std::size_t>(thing)];
  }

  const Scene<Dim>& scene_;
  Table motion_;
  Table contacts_;
  Table changes_;
  std::conditional_t<Dim == 2, PlaneTurns, SpaceTurns> turns_;
  std::vector<std::string> names_;  ///< of things, as fields
};

template <int Dim>
Exported write_tables(const TrajectoryReader<Dim>& file, const ExportArguments& arguments) {
  CsvExport<Dim> table(file, arguments);
  const Exported exported =
      for_each_frame(arguments, file, [&](const Frame<Dim>& frame) { table.add(frame); });
  if (exported.status != kInterrupted) table.commit();
  return exported;
}

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
  return std::visit([&](const auto& file) { return write_tables(file, arguments); },
                    open_trajectory(arguments.file));
}

}  // namespace collapse::cli
