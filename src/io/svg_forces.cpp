#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/shown_force.hpp"
#include "io/svg_picture.hpp"
#include "io/svg_style.hpp"

namespace collapse::svg {
namespace {

/// Forces below this share of the largest are drawn as none.
constexpr double kNoForce = 1e-9;
/// Arrows of smaller shares of the largest force keep this length, or they could not be seen; their
/// colour still tells them apart.
constexpr double kShortestArrow = 0.15;

/// The largest 1, 2 or 5 times a power of ten that is at most `value`, and the ones below it;
/// none for zero.
std::vector<double> round_values(double value, int count) {
  std::vector<double> values;
  if (!(value > 0.0)) return values;
  const int first = static_cast<int>(std::floor(std::log10(value)));
  for (int exponent = first + 1; std::ssize(values) < count && exponent > first - 3; --exponent) {
    for (const double digit : {5.0, 2.0, 1.0}) {
      const double candidate = digit * std::pow(10.0, exponent);
      if (candidate <= value * (1.0 + 1e-9) && std::ssize(values) < count) {
        values.push_back(candidate);
      }
    }
  }
  return values;
}

}  // namespace

/// Its tail is at `tail`, and it is `share` times the largest.
Path Picture::force_arrow(const Pixel& tail, const Pixel& direction, double share) const {
  const double length = std::max(share, kShortestArrow) * longest_;
  return arrow(tail, tail + length * direction, force_width(share));
}

double Picture::force_width(double share) const {
  return widest_ * std::sqrt(std::max(share, kShortestArrow));
}

/// Two bodies beside each other may rest on the same point of a third: each arrow is moved along
/// the contact into the body it acts on, by little more than half its width.
Pixel Picture::force_tail(int on, const Vec<2>& point, const Vec<2>& normal, double share) const {
  Pixel tail = view_.place(point);
  if (!can_move(scene_, on)) return tail;
  const Pixel tangent = view_.turn(tangents_of<2>(normal));
  const double room = tangent.dot(view_.place(thing_centre(on)) - tail);
  const double wanted = 0.9 * force_width(share) + line_;
  return tail + std::clamp(room, -wanted, wanted) * tangent;
}

void Picture::draw_forces() {
  double largest = 0.0;
  for (const ContactForce<2>& f : verdict_.forces)
    largest = std::max(largest, f.force.stableNorm());
  for (const JointForce<2>& f : verdict_.joint_forces) {
    largest = std::max(largest, f.force.stableNorm());
  }

  std::size_t unloaded = 0;
  std::vector<const ContactForce<2>*> loaded;
  for (const ContactForce<2>& f : verdict_.forces) {
    if (f.force.stableNorm() > kNoForce * largest) {
      loaded.push_back(&f);
    } else if (!std::ranges::binary_search(contacts_.corners, f.id, {}, &CornerContact<2>::id)) {
      canvas_.circle("unloaded", view_.place(f.point), mark_);
      ++unloaded;
    }
  }
  std::ranges::stable_sort(loaded, {}, [](const auto* f) { return f->force.stableNorm(); });
  for (const ContactForce<2>* f : loaded) {
    const double share = f->force.stableNorm() / largest;
    draw_force(f->id.a, f->id.b, f->point, f->force, share, &f->normal);
  }
  for (const JointForce<2>& f : verdict_.joint_forces) {
    const double share = largest > 0.0 ? f.force.stableNorm() / largest : 0.0;
    if (!(share > kNoForce)) continue;
    const Joint<2>& joint = scene_.joints[static_cast<std::size_t>(f.joint)];
    draw_force(joint.a, joint.b, f.point, f.force, share, nullptr);
  }
  explain_forces(largest, unloaded);
}

/// `normal` is that of a contact, null for a joint.
void Picture::draw_force(int a, int b, const Vec<2>& point, const Vec<2>& force_on_b, double share,
                         const Vec<2>* normal) {
  const double size = force_on_b.stableNorm();
  const bool on_a = shown_on_a(scene_, a, b, force_on_b);
  const int on = on_a ? a : b;
  const int by = on_a ? b : a;
  const Pixel direction = view_.turn((on_a ? -1.0 : 1.0) * force_on_b / size);
  const Pixel tail = normal ? force_tail(on, point, *normal, share) : view_.place(point);
  const std::string classes = normal ? fmt::format("force f{}", shade_class(share)) : "jointforce";
  std::string title;
  if (titled()) {
    title = fmt::format("{} on {}: {}", thing_name(by), thing_name(on), quantity(size, 4));
  }
  canvas_.path(classes, force_arrow(tail, direction, share), title);
}

void Picture::explain_forces(double largest, std::size_t unloaded) {
  const bool of_contacts = !verdict_.forces.empty();
  // Where arrows are too small to see in the legend, colours have to do.
  const bool as_arrows = !of_contacts || longest_ > 1.5 * font_;
  for (const double value : round_values(largest, 3)) {
    const double share = std::min(1.0, value / largest);
    const double width = as_arrows ? std::max(share, kShortestArrow) * longest_ : 0.9 * font_;
    legend_.add(quantity(value, 1), width, [=, this](const Pixel& at) {
      const std::string classes =
          of_contacts ? fmt::format("scale f{}", shade_class(share)) : "scale jointforce";
      if (as_arrows) {
        canvas_.path(classes, force_arrow(at, Pixel(1.0, 0.0), share));
      } else {
        canvas_.rectangle(classes, at - Pixel(0.0, 0.35 * font_), {width, 0.7 * font_});
      }
    });
  }
  if (of_contacts && largest > 0.0) legend_.add("force on the upper body");
  if (!verdict_.joint_forces.empty()) {
    const double width = 1.8 * font_;
    legend_.add("force of a joint on the upper body", width, [=, this](const Pixel& at) {
      canvas_.path("scale jointforce", arrow(at, at + Pixel(width, 0.0), 0.15 * font_));
    });
  }
  if (unloaded > 0) {
    legend_.add(fmt::format("{} without force", counted(unloaded, "contact", "contacts")),
                0.6 * font_, [this](const Pixel& at) {
                  canvas_.circle("unloaded", at + Pixel(0.3 * font_, 0), 0.25 * font_);
                });
  }
}

}  // namespace collapse::svg
