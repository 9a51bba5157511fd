#include "collapse/io/page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "collapse/geometry/turn_counter.hpp"
#include "io/page_header.hpp"
#include "io/page_stream.hpp"

namespace collapse {
namespace {

/// Forces are written as logarithm and direction, in these steps: to within 0.1 % and 0.1°, whatever their size.
constexpr double kStepsPerDoubling = 512.0;
constexpr double kStepsPerTurn = 4096.0;

/// The nearest multiple, kept within what a double holds without gaps.
std::int64_t steps(double value, double quantum) {
  constexpr double kLimit = 1LL << 50;
  return std::llround(std::clamp(value / quantum, -kLimit, kLimit));
}

/// A number from frame to frame, as what has to be added to where its last two values lead.
class SmoothNumber {
 public:
  std::int64_t surprise(std::int64_t value) {
    const std::int64_t expected = seen_ == 0 ? 0 : seen_ == 1 ? last_ : 2 * last_ - before_;
    seen_ = std::min(2, seen_ + 1);
    before_ = last_;
    last_ = value;
    return value - expected;
  }
  [[nodiscard]] std::int64_t value() const { return last_; }

 private:
  int seen_ = 0;
  std::int64_t last_ = 0;
  std::int64_t before_ = 0;
};

/// All that one body exerts on another.
struct Resultant {
  Vec<2> force = Vec<2>::Zero();
  Vec<2> moment = Vec<2>::Zero();  ///< of points, weighted
  double weight = 0.0;
};

double kinetic_energy(const Scene<2>& scene, const State<2>& state) {
  double energy = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<2>& body = scene.bodies[i];
    if (!body.free()) continue;
    const Twist<2>& v = state.velocities[i];
    energy += 0.5 * body.mass.mass * v.head<2>().squaredNorm() +
              0.5 * body.mass.inertia(0, 0) * v[2] * v[2];
  }
  for (std::size_t i = 0; i < scene.framework.points.size(); ++i) {
    const FrameworkPoint<2>& point = scene.framework.points[i];
    if (point.fixed) continue;
    energy += 0.5 * point.mass.value * state.point_velocities[i].squaredNorm();
  }
  return energy;
}

}  // namespace

/// The layout of a frame is the one that web/src/view/decode.ts reads, field by field.
class MotionPage::Impl {
 public:
  Impl(std::string_view page, const Scene<2>& scene, const State<2>& start,
       const PageContent<2>& content, const PageOptions& options, PageSink sink)
      : scene_(scene),
        forces_(options.forces && content.motion != nullptr),
        quanta_(page_quanta(scene, start)),
        moving_(moving_bodies(scene)),
        place_of_(scene.bodies.size(), -1),
        turns_(moving_.size()),
        coordinates_(3 * moving_.size()),
        points_(2 * scene.framework.points.size()),
        stream_(page, std::move(sink)) {
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      place_of_[static_cast<std::size_t>(moving_[i])] = static_cast<int>(i);
    }
    const std::string header = page_header(scene, start, quanta_, content, options);
    bytes_.length(static_cast<std::uint32_t>(header.size()));
    bytes_.text(header);
    flush();
  }

  void add(const Frame<2>& frame) {
    bytes_.real(frame.time);
    bytes_.real(frame.account.energy);
    bytes_.real(kinetic_energy(scene_, frame.state));
    bytes_.count(frame.contacts.size());
    add_poses(frame);
    add_points(frame);
    if (forces_) {
      add_forces(frame);
      add_changes(frame);
      previous_ = frame.contacts;
    }
    flush();
  }

  void finish() { stream_.finish(); }

 private:
  /// All x, then all y, then all angles: numbers that are alike are side by side.
  void add_poses(const Frame<2>& frame) {
    const std::size_t count = moving_.size();
    std::vector<Vec<2>> centres(count);
    for (std::size_t i = 0; i < count; ++i) centres[i] = frame.state.centre(scene_, moving_[i]);
    for (int axis = 0; axis < 2; ++axis) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t column = static_cast<std::size_t>(axis) * count + i;
        bytes_.whole(coordinates_[column].surprise(steps(centres[i][axis], quanta_.length)));
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto body = static_cast<std::size_t>(moving_[i]);
      const double angle =
          turns_[i].angle(frame.time, frame.state.poses[body], frame.state.velocities[body][2]);
      bytes_.whole(coordinates_[2 * count + i].surprise(steps(angle, quanta_.angle)));
    }
  }

  void add_points(const Frame<2>& frame) {
    const std::size_t count = scene_.framework.points.size();
    for (std::size_t axis = 0; axis < 2; ++axis) {
      for (std::size_t i = 0; i < count; ++i) {
        const double value = frame.state.points[i][static_cast<Eigen::Index>(axis)];
        bytes_.whole(points_[axis * count + i].surprise(steps(value, quanta_.length)));
      }
    }
  }

  /// Where points of a pair are measured from: the centre of b, or of a, as the page knows it. They move with it.
  [[nodiscard]] Vec<2> base_of(int a, int b) const {
    for (const int thing : {b, a}) {
      if (thing < 0 || thing >= static_cast<int>(place_of_.size())) continue;
      const int place = place_of_[static_cast<std::size_t>(thing)];
      if (place < 0) continue;
      const auto i = static_cast<std::size_t>(place);
      const Vec<2> whole(static_cast<double>(coordinates_[i].value()),
                         static_cast<double>(coordinates_[moving_.size() + i].value()));
      return quanta_.length * whole;
    }
    return Vec<2>::Zero();
  }

  void add_forces(const Frame<2>& frame) {
    std::map<std::size_t, Resultant> resultants;  // by number of the pair
    std::vector<std::pair<int, int>> fresh;
    for (const ContactForce<2>& contact : frame.contacts) {
      const std::pair<int, int> names(contact.id.a, contact.id.b);
      const auto [known, is_new] = pairs_.try_emplace(names, pairs_.size());
      if (is_new) fresh.push_back(names);
      Resultant& sum = resultants[known->second];
      const double weight = contact.force.stableNorm();
      sum.force += contact.force;
      sum.moment += weight * contact.point;
      sum.weight += weight;
    }
    std::erase_if(resultants, [](const auto& entry) {
      const double size = entry.second.force.stableNorm();
      return !(size > 1e-12 * entry.second.weight) || !std::isnormal(size) ||
             !std::isfinite(entry.second.weight);
    });
    bytes_.count(fresh.size());
    for (const auto& [a, b] : fresh) {
      bytes_.count(static_cast<std::uint64_t>(a));
      bytes_.count(static_cast<std::uint64_t>(b));
      names_.emplace_back(a, b);
    }
    last_forces_.resize(pairs_.size());
    write_resultants(resultants);
  }

  void write_resultants(const std::map<std::size_t, Resultant>& resultants) {
    bytes_.count(resultants.size());
    std::size_t next = 0;
    for (const auto& [pair, unused] : resultants) {
      bytes_.count(pair - next);
      next = pair + 1;
    }
    for (int column = 0; column < 4; ++column) {
      for (const auto& [pair, sum] : resultants) {
        const std::int64_t value = force_number(column, pair, sum);
        std::int64_t& last = last_forces_[pair][static_cast<std::size_t>(column)];
        bytes_.whole(value - last);
        last = value;
      }
    }
  }

  /// Where it acts (x, y), how large it is, where it points.
  [[nodiscard]] std::int64_t force_number(int column, std::size_t pair,
                                          const Resultant& sum) const {
    if (column < 2) {
      const auto [a, b] = names_[pair];
      const Vec<2> point = sum.moment / sum.weight - base_of(a, b);
      return steps(point[column], quanta_.point);
    }
    if (column == 2) return std::llround(kStepsPerDoubling * std::log2(sum.force.stableNorm()));
    const double turns = std::atan2(sum.force[1], sum.force[0]) / (2.0 * std::numbers::pi);
    return std::llround(kStepsPerTurn * turns);
  }

  /// Where contacts opened or closed since the frame before: a closed one is in this frame, an opened one was in
  /// the one before. Those that did both in between are in neither.
  void add_changes(const Frame<2>& frame) {
    struct Mark {
      bool closed;
      Vec<2> point;
    };
    std::vector<Mark> marks;
    for (const ContactChange& change : frame.changes) {
      const std::vector<ContactForce<2>>& all = change.closed ? frame.contacts : previous_;
      const auto found = std::ranges::lower_bound(all, change.id, {}, &ContactForce<2>::id);
      if (found != all.end() && found->id == change.id) {
        marks.push_back({change.closed, found->point});
      }
    }
    bytes_.count(marks.size());
    std::int64_t x = 0;
    std::int64_t y = 0;
    for (const Mark& mark : marks) {
      const std::int64_t next_x = steps(mark.point[0], quanta_.point);
      const std::int64_t next_y = steps(mark.point[1], quanta_.point);
      bytes_.count(mark.closed ? 1 : 0);
      bytes_.whole(next_x - x);
      bytes_.whole(next_y - y);
      x = next_x;
      y = next_y;
    }
  }

  void flush() {
    stream_.write(bytes_.bytes());
    bytes_.clear();
  }

  const Scene<2>& scene_;
  bool forces_;
  PageQuanta quanta_;
  std::vector<int> moving_;
  std::vector<int> place_of_;  ///< by body: where it is in moving_, −1 if it is not
  std::vector<TurnCounter> turns_;
  std::vector<SmoothNumber> coordinates_;
  std::vector<SmoothNumber> points_;
  std::map<std::pair<int, int>, std::size_t> pairs_;      ///< numbered as they first touch
  std::vector<std::pair<int, int>> names_;                ///< of the pairs, by number
  std::vector<std::array<std::int64_t, 4>> last_forces_;  ///< by pair
  std::vector<ContactForce<2>> previous_;
  PageBytes bytes_;
  PageStream stream_;
};

MotionPage::MotionPage(std::string_view page, const TrajectoryReader& file,
                       const PageOptions& options, PageSink sink) {
  PageContent<2> content;
  content.motion = &file;
  impl_ = std::make_unique<Impl>(page, file.scene(), initial_state(file.scene()), content, options,
                                 std::move(sink));
}

MotionPage::~MotionPage() = default;

void MotionPage::add(const Frame<2>& frame) { impl_->add(frame); }

void MotionPage::finish() { impl_->finish(); }

template <int Dim>
void write_scene_page(std::string_view page, const Scene<Dim>& scene, const State<Dim>& state,
                      const std::type_identity_t<ContactSet<Dim>>& contacts,
                      const std::type_identity_t<Verdict<Dim>>* verdict, const PageOptions& options,
                      const PageSink& sink) {
  PageContent<Dim> content;
  content.contacts = &contacts;
  content.verdict = verdict;
  PageStream stream(page, sink);
  const std::string header = page_header(scene, state, page_quanta(scene, state), content, options);
  PageBytes bytes;
  bytes.length(static_cast<std::uint32_t>(header.size()));
  bytes.text(header);
  stream.write(bytes.bytes());
  stream.finish();
}

template void write_scene_page(std::string_view, const Scene<2>&, const State<2>&,
                               const ContactSet<2>&, const Verdict<2>*, const PageOptions&,
                               const PageSink&);
template void write_scene_page(std::string_view, const Scene<3>&, const State<3>&,
                               const ContactSet<3>&, const Verdict<3>*, const PageOptions&,
                               const PageSink&);

}  // namespace collapse
