#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collapse/contact/contact.hpp"
#include "collapse/core/error.hpp"
#include "contact/apart.hpp"
#include "contact/overlap.hpp"
#include "contact/pair_contacts.hpp"

namespace collapse {
namespace contacts {

void Pair::add(int body, Feature feature, Feature other_feature, const Vec<2>& foot,
               const Vec<2>& normal, double gap, bool normal_turns, int end) const {
  Contact<2> contact;
  const bool of_b = body == b;
  contact.id = {a, b, of_b ? other_feature : feature, of_b ? feature : other_feature,
                static_cast<std::uint8_t>(end)};
  contact.point = foot + 0.5 * gap * normal;
  contact.normal = of_b ? normal : Vec<2>(-normal);
  contact.gap = gap;
  contact.friction = friction;
  contact.normal_turns = normal_turns;
  out.contacts.push_back(contact);
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

class Finder {
 public:
  Finder(const Scene<2>& scene, const State<2>& state, const ContactOptions& options)
      : scene_(scene), options_(options), placement_(scene, state), apart_(scene) {}

  [[nodiscard]] ContactSet<2> find() {
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

  /// Sorted. Half planes have no box: each is paired with every body.
  [[nodiscard]] std::vector<std::pair<int, int>> candidate_pairs() const {
    std::vector<int> bodies;
    std::vector<int> half_planes;
    std::vector<Bounds<2>> boxes;
    for (int i = 0; i < placement_.bodies(); ++i) {
      const PlacedBody& body = placement_.body(i);
      if (body.half_plane) {
        half_planes.push_back(i);
        continue;
      }
      bodies.push_back(i);
      const double rounding = 64.0 * std::numeric_limits<double>::epsilon() * body.magnitude;
      boxes.push_back(body.bounds.grown(0.5 * reach(body.size) + rounding));
    }
    std::vector<std::pair<int, int>> pairs;
    for (const auto& [i, j] : meeting_pairs<2>(boxes)) {
      const std::pair pair(bodies[static_cast<std::size_t>(i)],
                           bodies[static_cast<std::size_t>(j)]);
      if (may_touch(pair.first, pair.second)) pairs.push_back(pair);
    }
    for (const int plane : half_planes) {
      for (const int body : bodies) {
        const std::pair<int, int> pair = std::minmax(plane, body);
        if (may_touch(pair.first, pair.second) && near_plane(body, plane)) pairs.push_back(pair);
      }
    }
    if (!half_planes.empty()) std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  [[nodiscard]] bool near_plane(int body, int plane) const {
    const PlacedBody& solid = placement_.body(body);
    const PlacedBody& half = placement_.body(plane);
    const Vec<2> lowest =
        (half.plane_normal.array() > 0.0).select(solid.bounds.low, solid.bounds.high);
    const double height = half.plane_normal.dot(lowest) - half.plane_offset;
    const double magnitude = solid.magnitude + half.magnitude;
    const double rounding = 64.0 * std::numeric_limits<double>::epsilon() * magnitude;
    return height <= reach(solid.size) + rounding;
  }

  void examine(int a, int b) {
    const double size = std::min(placement_.body(a).size, placement_.body(b).size);
    const double tolerance = options_.touch * size;
    Judge judge(placement_, a, b);
    const double depth = overlap_depth(placement_, judge, a, b, tolerance);
    if (depth > 0.0) {
      overlaps_.push_back({a, b, depth});
      return;
    }
    const std::size_t before = out_.contacts.size() + out_.corners.size();
    const auto material = [&](int i) {
      return scene_.bodies[static_cast<std::size_t>(i)].material;
    };
    const Pair pair{.placement = placement_,
                    .judge = judge,
                    .a = a,
                    .b = b,
                    .tolerance = tolerance,
                    .angle = std::max(options_.touch, kSmallestAngle),
                    .friction = scene_.friction(material(a), material(b)).value,
                    .out = out_};
    if (placement_.body(a).half_plane || placement_.body(b).half_plane) {
      find_half_plane_contacts(pair);
    } else {
      find_polygon_contacts(pair);
      find_ball_contacts(pair);
    }
    if (judge.used_exact()) ++out_.exact_pairs;
    if (out_.contacts.size() + out_.corners.size() > before) return;
    const double gap = distance_within(placement_, a, b, reach(size));
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
    for (const Contact<2>& contact : out_.contacts) hold_both(contact.id);
    for (const CornerContact<2>& corner : out_.corners) hold_both(corner.id);
    for (const Joint<2>& joint : scene_.joints) hold_both(joint);
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (!held[i] && scene_.bodies[i].free()) out_.isolated.push_back(static_cast<int>(i));
    }
  }

  const Scene<2>& scene_;
  const ContactOptions& options_;
  Placement placement_;
  PairsKeptApart apart_;
  std::vector<Overlap> overlaps_;
  ContactSet<2> out_;
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
  static_assert(Dim == 2);
  contacts::validate(options);
  return contacts::Finder(scene, state, options).find();
}

template ContactSet<2> find_contacts<2>(const Scene<2>&, const State<2>&, const ContactOptions&);

}  // namespace collapse
