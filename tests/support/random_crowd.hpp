#pragma once
/// Random crowded scenes in space: solids of all kinds, sizes 1 : 100, masses 1 : 1000, in a container, with joints
/// and bodies on given paths.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "collapse/core/random.hpp"
#include "collapse/geometry/dim.hpp"

namespace collapse::testing {

/// Inside of the container, in its own axes: |x|, |y| below `half`, z above 0. Its walls are 20 high.
struct Crowd {
  std::string text;
  double half = 0.0;
  std::string container;  ///< the body that the inside moves with; empty: it stays
};

/// `few`: 5 to 64 bodies, mostly no more than 40; `many`: 65 to 150.
enum class CrowdSize { few, many };

class RandomCrowd {
 public:
  RandomCrowd(Random& random, CrowdSize size) : random_(random), size_(size) {}

  [[nodiscard]] Crowd draw() {
    half_ = random_.between(1.5, 3.0);
    bounce_ = random_.below(2) == 0 ? 0.0 : random_.between(0.0, 0.7);
    moving_at_start_ = random_.below(2) == 0;
    Crowd crowd;
    crowd.half = half_;
    crowd.container = add_container();
    if (random_.below(3) == 0) add_stirrer();
    const int bodies = body_count();
    const bool joints = random_.below(3) == 0;
    largest_ = random_.between(0.3, 1.0);
    for (int i = 0; i < bodies; ++i) add_body(joints && i > 0 && random_.below(3) == 0);
    const double friction = random_.below(4) == 0 ? 0.0 : random_.between(0.0, 1.0);
    crowd.text = fmt::format(
        R"({{"collapse": 1, "dimension": 3, "gravity": [0, 0, -10], "materials": {{"default": {{"friction": {:.3f}, "restitution": {:.3f}}}}}, "bodies": [{}], "joints": [{}]}})",
        friction, bounce_, bodies_, joints_);
    return crowd;
  }

 private:
  struct Place {
    Vec<3> centre;
    double radius;
  };

  static std::string text(const Vec<3>& v) {
    return fmt::format("[{:.6f}, {:.6f}, {:.6f}]", v[0], v[1], v[2]);
  }
  Vec<3> vector(double size) {
    return {random_.between(-size, size), random_.between(-size, size),
            random_.between(-size, size)};
  }
  std::string orientation() {
    const std::array<int, 4> q{1 + random_.below(9), random_.below(19) - 9, random_.below(19) - 9,
                               random_.below(19) - 9};
    return fmt::format("[{}, {}, {}, {}]", q[0], q[1], q[2], q[3]);
  }
  int body_count() {
    if (size_ == CrowdSize::many) return 65 + random_.below(86);
    return random_.below(12) == 0 ? 41 + random_.below(24) : 5 + random_.below(36);
  }
  void add_text(const std::string& body) { bodies_ += (bodies_.empty() ? "" : ", ") + body; }

  static std::string brick(const Vec<3>& low, const Vec<3>& high) {
    return R"("box": )" + text(high - low) + R"(, "position": )" + text(0.5 * (low + high));
  }

  /// Half spaces, plates of their own, or one body of all of them, which may be shaken.
  std::string add_container() {
    const int kind = random_.below(4);
    const double w = half_;
    if (kind == 0) {
      add_text(R"({"name": "floor", "plane": {"normal": [0, 0, 1], "offset": 0}})");
      for (const char* normal : {"[1, 0, 0]", "[-1, 0, 0]", "[0, 1, 0]", "[0, -1, 0]"}) {
        add_text(
            fmt::format(R"({{"name": "wall {}", "plane": {{"normal": {}, "offset": {:.6f}}}}})",
                        normal, normal, -w));
      }
      return {};
    }
    const double t = kind == 1 ? 0.02 : 0.3;
    const std::vector<std::string> plates{
        brick(Vec<3>(-w - t, -w - t, -t), Vec<3>(w + t, w + t, 0)),
        brick(Vec<3>(-w - t, -w - t, 0), Vec<3>(-w, w + t, 20)),
        brick(Vec<3>(w, -w - t, 0), Vec<3>(w + t, w + t, 20)),
        brick(Vec<3>(-w, -w - t, 0), Vec<3>(w, -w, 20)),
        brick(Vec<3>(-w, w, 0), Vec<3>(w, w + t, 20))};
    if (kind < 3) {
      for (std::size_t i = 0; i < plates.size(); ++i) {
        add_text(fmt::format(R"({{"name": "plate {}", {}, "fixed": true}})", i, plates[i]));
      }
      return {};
    }
    std::string parts;
    for (const std::string& plate : plates) parts += (parts.empty() ? "{" : ", {") + plate + "}";
    std::string motion = R"("fixed": true)";
    if (random_.below(2) == 0) {
      const Vec<3> way{random_.between(-0.5, 0.5), random_.between(-0.5, 0.5),
                       random_.between(-0.2, 0.2)};
      const double beat = random_.between(0.2, 1.0);
      motion = R"("motion": {"keyframes": [)";
      for (int k = 0; k * beat < 5.0; ++k) {
        motion += fmt::format(R"({}{{"time": {:.6f}, "position": {}}})", k == 0 ? "" : ", ",
                              k * beat, text((k % 2) * way));
      }
      motion += "]}";
    }
    add_text(R"({"name": "container", "parts": [)" + parts + "], " + motion + "}");
    return "container";
  }

  /// A paddle that goes about and turns, with room to the walls.
  void add_stirrer() {
    const Vec<3> sides{random_.between(0.2, 1.0), random_.between(0.05, 0.3),
                       random_.between(0.1, 0.6)};
    const double reach = 0.5 * sides.norm();
    const double room = std::max(0.0, half_ - reach - 0.4);
    std::string frames;
    for (int k = 0; k <= 5; ++k) {
      const Vec<3> at{random_.between(-room, room), random_.between(-room, room),
                      reach + random_.between(0.1, 1.0)};
      if (k == 0) places_.push_back({at, reach});
      frames += fmt::format(R"({}{{"time": {}, "position": {}, "orientation": {}}})",
                            k == 0 ? "" : ", ", k, text(at), orientation());
    }
    add_text(fmt::format(R"({{"name": "stirrer", "box": {}, "motion": {{"keyframes": [{}]}}}})",
                         text(sides), frames));
  }

  /// A solid within `radius` of its origin.
  std::string shape(double radius) {
    const auto share = [&](double low) { return radius * random_.between(low, 1.0); };
    switch (random_.below(7)) {
      case 0:
        return fmt::format(R"("sphere": {:.6f})", radius);
      case 1: {
        const double r = share(0.1) * 0.7;
        return fmt::format(R"("cylinder": [{:.6f}, {:.6f}])", r,
                           2.0 * share(0.2) * std::sqrt(1.0 - r * r / (radius * radius)));
      }
      case 2: {
        const double r = share(0.1) * 0.7;
        return fmt::format(R"("capsule": [{:.6f}, {:.6f}])", r, 2.0 * (radius - r));
      }
      case 3: {
        std::string points;
        const int count = 4 + random_.below(9);
        const Vec<3> squeeze{random_.between(0.2, 1.0), random_.between(0.2, 1.0), 1.0};
        for (int i = 0; i < count; ++i) {
          // The first four span a solid whatever comes after them.
          Vec<3> at = vector(1.0);
          if (i < 4)
            at = Vec<3>(i == 0 ? 1 : -0.4, i == 1 ? 1 : -0.4, i == 2 ? 1 : -0.4) + 0.2 * at;
          points += (i == 0 ? "" : ", ") +
                    text(0.99 * radius * squeeze.cwiseProduct(at / std::max(1.0, at.norm())));
        }
        return R"("hull": [)" + points + "]";
      }
      case 4:
        return united(radius);
      default:
        return R"("box": )" + text(1.15 * Vec<3>{share(0.1), share(0.1), share(0.3)});
    }
  }

  /// An angle, a cross of three bars, or a dumb-bell.
  std::string united(double radius) {
    const double a = 0.9 * radius;
    const double b = a * random_.between(0.1, 0.4);
    const auto part = [](const Vec<3>& sides, const Vec<3>& at) {
      return R"({"box": )" + text(sides) + R"(, "position": )" + text(at) + "}";
    };
    const Vec<3> origin = Vec<3>::Zero();
    switch (random_.below(3)) {
      case 0:
        return R"("parts": [)" + part(Vec<3>(a, b, b), Vec<3>(0.5 * a, 0, 0)) + ", " +
               part(Vec<3>(b, b, a), Vec<3>(0, 0, 0.5 * a)) + "]";
      case 1:
        return R"("parts": [)" + part(Vec<3>(2 * a, b, b), origin) + ", " +
               part(Vec<3>(b, 2 * a, b), origin) + ", " + part(Vec<3>(b, b, 2 * a), origin) + "]";
      default: {
        const double r = std::floor(1e5 * 0.3 * radius) * 1e-5;
        const double l = std::floor(1e5 * 0.35 * radius) * 1e-5;
        return R"("parts": [)" + part(Vec<3>(2 * l, b, b), origin) +
               fmt::format(
                   R"(, {{"sphere": {:.6f}, "position": [{:.6f}, 0, 0]}}, {{"sphere": {:.6f}, "position": [{:.6f}, 0, 0]}}])",
                   r, l + r, r, -l - r);
      }
    }
  }

  [[nodiscard]] bool fits(const Place& place) const {
    const Vec<3>& at = place.centre;
    if (std::max(std::abs(at[0]), std::abs(at[1])) + place.radius > half_ - 1e-3) return false;
    if (at[2] - place.radius < 1e-3) return false;
    return std::none_of(places_.begin(), places_.end(), [&](const Place& other) {
      return (at - other.centre).norm() < place.radius + other.radius + 1e-3;
    });
  }

  void add_body(bool joined) {
    const double radius = largest_ * std::pow(100.0, -random_.between(0.0, 1.0));
    Place place{Vec<3>::Zero(), radius};
    if (joined) {
      const Place& last = places_.back();
      place.centre = last.centre + (last.radius + radius + 2e-3) * vector(1.0).normalized();
      joined = !last_name_.empty() && fits(place);
    }
    if (!joined) {
      double high = 2.0;
      do {
        place.centre = Vec<3>{random_.between(-half_, half_), random_.between(-half_, half_),
                              random_.between(0.0, high)};
        high += 0.02;
      } while (!fits(place));
    }
    const std::string solid = shape(radius);
    const std::string name = fmt::format("{} {}", solid.substr(1, solid.find(':') - 2), ++count_);
    const double mass = std::pow(1000.0, random_.between(-0.5, 0.5));
    std::string body =
        fmt::format(R"({{"name": "{}", {}, "mass": {:.6g}, "position": {}, "orientation": {})",
                    name, solid, mass, text(place.centre), orientation());
    if (moving_at_start_ && !joined) {
      body += R"(, "velocity": )" + text(vector(4.0));
      body += R"(, "spin": )" + text(vector(10.0));
    }
    add_text(body + "}");
    if (joined) add_joint(last_name_, name, places_.back(), place);
    places_.push_back(place);
    last_name_ = name;
  }

  void add_joint(const std::string& a, const std::string& b, const Place& at_a, const Place& at_b) {
    const Vec<3> way = (at_b.centre - at_a.centre).normalized();
    const std::string at = text(at_a.centre + (at_a.radius + 1e-3) * way);
    const std::string bodies = fmt::format(R"("bodies": ["{}", "{}"], )", a, b);
    std::string joint;
    switch (random_.below(4)) {
      case 0:
        joint = R"({"type": "hinge", )" + bodies + R"("at": )" + at + R"(, "axis": )" +
                text(vector(1.0));
        break;
      case 1:
        joint = R"({"type": "weld", )" + bodies + R"("at": )" + at;
        break;
      case 2:
        joint = R"({"type": "rod", )" + bodies + R"("at": [)" + text(at_a.centre) + ", " +
                text(at_b.centre) + "]";
        break;
      default:
        joint = R"({"type": "ball", )" + bodies + R"("at": )" + at;
    }
    if (random_.below(2) == 0) joint += R"(, "collide": true)";
    joints_ += (joints_.empty() ? "" : ", ") + joint + "}";
  }

  Random& random_;
  CrowdSize size_;
  double half_ = 0.0;
  double bounce_ = 0.0;
  double largest_ = 0.0;
  bool moving_at_start_ = false;
  int count_ = 0;
  std::vector<Place> places_;
  std::string last_name_;
  std::string bodies_;
  std::string joints_;
};

}  // namespace collapse::testing
