#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "collapse/contact/contact.hpp"
#include "collapse/core/error.hpp"
#include "contact/add_contact.hpp"
#include "contact/apart.hpp"
#include "contact/overlap.hpp"
#include "contact/pair_contacts.hpp"
#include "contact/space/pair.hpp"

namespace collapse {
namespace contacts {

void Pair::add(int body, Feature feature, Feature other_feature, const Vec<2>& foot,
               const Vec<2>& normal, double gap, bool normal_turns, int end) const {
  add_contact<2>(*this, contact_id(*this, body, feature, other_feature, end), body, foot, normal,
                 gap, normal_turns);
}

namespace {

/// Separating directions of a corner on a corner that differ by less than this (radians) count as
/// one also where the touch tolerance is smaller: they come out of floating point.
constexpr double kSmallestAngle = 1e-12;

struct Overlap {
  int a = 0;
  int b = 0;
  double depth = 0.0;
};

/// What the narrow phase is told of a pair.
struct PairTask {
  int a = 0;
  int b = 0;
  double tolerance = 0.0;
  double angle = 0.0;
  double friction = 0.0;
};

bool is_half_space(const PlacedBody& body) { return body.half_plane; }
bool is_half_space(const SpaceBody& body) { return body.half_space; }

double rounding_of(double magnitude) {
  return 64.0 * std::numeric_limits<double>::epsilon() * magnitude;
}

/// Adds the contacts of a pair, or returns how deep its overlap is (0: it does not).
double examine_pair(const Placement& placement, const PairTask& task, ContactSet<2>& out) {
  Judge judge(placement, task.a, task.b);
  const double depth = overlap_depth(placement, judge, task.a, task.b, task.tolerance);
  if (depth > 0.0) return depth;
  const Pair pair{.placement = placement,
                  .judge = judge,
                  .a = task.a,
                  .b = task.b,
                  .tolerance = task.tolerance,
                  .angle = task.angle,
                  .friction = task.friction,
                  .out = out};
  if (placement.body(task.a).half_plane || placement.body(task.b).half_plane) {
    find_half_plane_contacts(pair);
  } else {
    find_polygon_contacts(pair);
    find_ball_contacts(pair);
  }
  if (judge.used_exact()) ++out.exact_pairs;
  return 0.0;
}

SpacePair space_pair(const SpacePlacement& placement, const PairTask& task, ContactSet<3>& out) {
  const double rounding =
      rounding_of(placement.body(task.a).magnitude + placement.body(task.b).magnitude);
  return {.placement = placement,
          .a = task.a,
          .b = task.b,
          .tolerance = task.tolerance + rounding,
          .rounding = rounding,
          .angle = task.angle,
          .friction = task.friction,
          .out = out};
}

double examine_pair(const SpacePlacement& placement, const PairTask& task, ContactSet<3>& out) {
  const SpacePair pair = space_pair(placement, task, out);
  const SpaceBody& a = placement.body(task.a);
  const SpaceBody& b = placement.body(task.b);
  const double flat = polyhedron_depth(pair);
  const double round = a.round() || b.round() ? round_depth(pair) : -1.0;
  const double depth = std::max(flat, round);
  if (depth > pair.tolerance) return depth;
  if (flat >= -pair.tolerance) {
    if (a.half_space || b.half_space) {
      find_half_space_contacts(pair);
    } else {
      find_polyhedron_contacts(pair);
    }
  }
  if (a.round() || b.round()) find_round_contacts(pair);
  return 0.0;
}

double distance_of_pair(const Placement& placement, const PairTask& task, double reach) {
  return distance_within(placement, task.a, task.b, reach);
}

double distance_of_pair(const SpacePlacement& placement, const PairTask& task, double reach) {
  ContactSet<3> none;
  const SpacePair pair = space_pair(placement, task, none);
  double nearest = polyhedron_distance(pair, reach);
  if (placement.body(task.a).round() || placement.body(task.b).round()) {
    nearest = std::min(nearest, round_distance(pair, reach));
  }
  return nearest;
}

template <int Dim>
using PlacementIn = std::conditional_t<Dim == 2, Placement, SpacePlacement>;

template <int Dim>
class Finder {
 public:
  Finder(const Scene<Dim>& scene, const State<Dim>& state, const ContactOptions& options)
      : scene_(scene), options_(options), placement_(scene, state), apart_(scene) {}

  [[nodiscard]] ContactSet<Dim> find() {
    for (const auto& [a, b] : candidate_pairs()) examine(a, b);
    if (!overlaps_.empty()) refuse_overlap();
    const auto by_id = [](const auto& x, const auto& y) { return x.id < y.id; };
    std::sort(out_.contacts.begin(), out_.contacts.end(), by_id);
    std::sort(out_.corners.begin(), out_.corners.end(), by_id);
    list_isolated();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool may_touch(int a, int b) const {
    const auto free = [&](int i) { return scene_.bodies[static_cast<std::size_t>(i)].free(); };
    return (free(a) || free(b)) && !apart_.contains(a, b);
  }

  /// The largest gap that is still of interest. Of a pair: at the smaller size.
  [[nodiscard]] double reach(double size) const {
    return std::max(1.0, options_.near_miss_factor) * options_.touch * size;
  }

  /// Sorted. Half spaces have no box: each is paired with every body.
  [[nodiscard]] std::vector<std::pair<int, int>> candidate_pairs() const {
    std::vector<int> bodies;
    std::vector<int> half_spaces;
    std::vector<Bounds<Dim>> boxes;
    for (int i = 0; i < placement_.bodies(); ++i) {
      const auto& body = placement_.body(i);
      if (is_half_space(body)) {
        half_spaces.push_back(i);
        continue;
      }
      bodies.push_back(i);
      const double rounding = rounding_of(body.magnitude);
      boxes.push_back(body.bounds.grown(0.5 * reach(body.size) + rounding));
    }
    std::vector<std::pair<int, int>> pairs;
    for (const auto& [i, j] : meeting_pairs<Dim>(boxes)) {
      const std::pair pair(bodies[static_cast<std::size_t>(i)],
                           bodies[static_cast<std::size_t>(j)]);
      if (may_touch(pair.first, pair.second)) pairs.push_back(pair);
    }
    for (const int plane : half_spaces) {
      for (const int body : bodies) {
        const std::pair<int, int> pair = std::minmax(plane, body);
        if (may_touch(pair.first, pair.second) && near_plane(body, plane)) pairs.push_back(pair);
      }
    }
    if (!half_spaces.empty()) std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  [[nodiscard]] bool near_plane(int body, int plane) const {
    const auto& solid = placement_.body(body);
    const auto& half = placement_.body(plane);
    const Vec<Dim> lowest =
        (half.plane_normal.array() > 0.0).select(solid.bounds.low, solid.bounds.high);
    const double height = half.plane_normal.dot(lowest) - half.plane_offset;
    const double magnitude = solid.magnitude + half.magnitude;
    const double rounding = rounding_of(magnitude);
    return height <= reach(solid.size) + rounding;
  }

  void examine(int a, int b) {
    const double size = std::min(placement_.body(a).size, placement_.body(b).size);
    const auto material = [&](int i) {
      return scene_.bodies[static_cast<std::size_t>(i)].material;
    };
    const PairTask task{.a = a,
                        .b = b,
                        .tolerance = options_.touch * size,
                        .angle = std::max(options_.touch, kSmallestAngle),
                        .friction = scene_.friction(material(a), material(b)).value};
    const std::size_t before = out_.contacts.size() + out_.corners.size();
    const double depth = examine_pair(placement_, task, out_);
    if (depth > 0.0) {
      overlaps_.push_back({a, b, depth});
      return;
    }
    if (out_.contacts.size() + out_.corners.size() > before) return;
    const double gap = distance_of_pair(placement_, task, reach(size));
    if (gap <= reach(size)) out_.near_misses.push_back({a, b, gap});
  }

  [[noreturn]] void refuse_overlap() const {
    const Overlap& worst =
        *std::max_element(overlaps_.begin(), overlaps_.end(),
                          [](const Overlap& x, const Overlap& y) { return x.depth < y.depth; });
    std::string found =
        fmt::format("\"{}\" and \"{}\" overlap by {:.6g}", printable(scene_.body_name(worst.a)),
                    printable(scene_.body_name(worst.b)), worst.depth);
    if (overlaps_.size() > 1) {
      found += fmt::format(", the deepest of {} overlapping pairs", overlaps_.size());
    }
    throw Error(fmt::format("bodies[{}]", worst.b), found,
                fmt::format("bodies that touch or are apart (touch tolerance {:g} of the smaller "
                            "body's size)",
                            options_.touch));
  }

  void list_isolated() {
    std::vector<bool> held(scene_.bodies.size(), false);
    const auto hold = [&](int i) {
      if (i != kWorld) held[static_cast<std::size_t>(i)] = true;
    };
    const auto hold_both = [&](const auto& pair) {
      hold(pair.a);
      hold(pair.b);
    };
    for (const Contact<Dim>& contact : out_.contacts) hold_both(contact.id);
    for (const CornerContact<Dim>& corner : out_.corners) hold_both(corner.id);
    for (const Joint<Dim>& joint : scene_.joints) hold_both(joint);
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (!held[i] && scene_.bodies[i].free()) out_.isolated.push_back(static_cast<int>(i));
    }
  }

  const Scene<Dim>& scene_;
  const ContactOptions& options_;
  PlacementIn<Dim> placement_;
  PairsKeptApart<Dim> apart_;
  std::vector<Overlap> overlaps_;
  ContactSet<Dim> out_;
};

void validate(const ContactOptions& options) {
  // From half a body's size on, the two sides of a disk could not be told apart.
  if (!(options.touch >= 0.0 && options.touch < 0.5)) {
    throw Error("touch", fmt::format("{:g}", options.touch), "a number from 0 to below 1/2");
  }
  if (!(options.near_miss_factor >= 0.0 && std::isfinite(options.near_miss_factor))) {
    throw Error("near_miss_factor", fmt::format("{:g}", options.near_miss_factor),
                "a finite number, at least 0");
  }
}

}  // namespace
}  // namespace contacts

template <int Dim>
ContactSet<Dim> find_contacts(const Scene<Dim>& scene, const State<Dim>& state,
                              const ContactOptions& options) {
  contacts::validate(options);
  return contacts::Finder<Dim>(scene, state, options).find();
}

template ContactSet<2> find_contacts<2>(const Scene<2>&, const State<2>&, const ContactOptions&);
template ContactSet<3> find_contacts<3>(const Scene<3>&, const State<3>&, const ContactOptions&);

}  // namespace collapse
