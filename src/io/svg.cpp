#include "collapse/io/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collapse/core/error.hpp"
#include "io/palette.hpp"
#include "io/svg_picture.hpp"
#include "io/svg_style.hpp"

namespace collapse {
namespace svg {

std::vector<Pixel> quad(const Pixel& centre, double r, double turn) {
  std::vector<Pixel> corners;
  for (int i = 0; i < 4; ++i) {
    const double angle = turn + 0.5 * std::numbers::pi * i;
    corners.push_back(centre + r * Pixel(std::cos(angle), std::sin(angle)));
  }
  return corners;
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

Picture::Picture(const Scene<2>& scene, const State<2>& state, const ContactSet<2>& contacts,
                 const Verdict<2>& verdict, const DrawOptions& options)
    : scene_(scene),
      state_(state),
      contacts_(contacts),
      verdict_(verdict),
      options_(options),
      font_(std::max(7.0, 0.014 * options.width)),
      motion_of_(scene.bodies.size(), nullptr),
      typical_(typical_size(scene)),
      view_(Extent{Vec<2>(-1, -1), Vec<2>(1, 1)}, options.width, 4.0 * font_),
      fill_of_(fills_of(scene)),
      legend_(font_),
      canvas_(options.width) {
  for (const BodyMotion<2>& motion : verdict.mechanism) {
    motion_of_[static_cast<std::size_t>(motion.body)] = &motion;
    fastest_ = std::max(fastest_, top_speed(motion));
  }
  time_ = ghost_time();
  view_ = View(content(), options.width, 4.0 * font_);

  const double u = 0.001 * options.width;
  const double thickness = view_.scale() * typical_.thickness;
  const double length = view_.scale() * typical_.length;
  // Long enough to compare, short enough to stay within the body: long thin ones get arrows that
  // are longer than they are thick.
  longest_ = std::min(std::max(0.66 * thickness, 0.36 * std::sqrt(thickness * length)), 110.0 * u);
  // Short arrows are stouter, or they would fade away.
  widest_ = std::min((0.08 + 0.07 * std::exp(-longest_ / (25.0 * u))) * longest_, 6.0 * u);
  mark_ = std::clamp(0.065 * longest_, 0.5 * u, 4.0 * u);
  line_ = std::clamp(0.035 * thickness, 0.12 * u, 1.5 * u);
}

Extent Picture::content() const {
  Extent extent = extent_of(scene_, state_);
  for (int i = 0; i < std::ssize(scene_.bodies); ++i) {
    if (const BodyMotion<2>* motion = motion_of_[static_cast<std::size_t>(i)]) {
      extent.include(
          extent_of(body(i).shape, moved_on(pose(i), state_.centre(scene_, i), *motion, time_)));
    }
  }
  for (const Joint<2>& joint : scene_.joints) {
    extent.include(joint_end(joint.a, joint.at_a.value));
    extent.include(joint_end(joint.b, joint.at_b.value));
  }
  if (!extent.empty() && extent.size().maxCoeff() > 0.0) return extent;
  // Half planes alone: around a point of the first one's edge.
  Vec<2> middle = Vec<2>::Zero();
  if (!scene_.bodies.empty() && body(0).shape.half_space) {
    const HalfSpace<2>& half_plane = *body(0).shape.half_space;
    middle = pose(0).apply(half_plane.offset * half_plane.normal);
  }
  extent = {};
  extent.include(middle, 1.0);
  return extent;
}

/// Joints are described at the start of a scene; their ends go with the bodies.
Vec<2> Picture::joint_end(int index, const Vec<2>& at) const {
  if (index == kWorld) return at;
  const Pose<2>& start = body(index).pose;
  return pose(index).apply(start.rotation.transpose() * (at - start.position));
}

void Picture::write_style() {
  StyleSizes sizes;
  sizes.line = line_;
  sizes.mark = mark_;
  sizes.hatch = 0.009 * options_.width;
  const auto fills = std::count_if(fill_of_.begin(), fill_of_.end(), [](int f) { return f >= 0; });
  canvas_.style(style_sheet(sizes, static_cast<int>(fills), !scene_.framework.points.empty(),
                            !verdict_.mechanism.empty()));
  canvas_.define(hatch_pattern(sizes));
  canvas_.define(fmt::format(
      "<clipPath id=\"view\"><rect x=\"0\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
      number(view_.top()), number(view_.width()), number(view_.height())));
}

void Picture::tell_verdict(std::vector<Canvas::Span>& spans, std::vector<std::string>& facts) {
  switch (verdict_.stability) {
    case Stability::stable:
      spans.push_back({"stands", "stands"});
      facts.emplace_back(verdict_.strength == Strength::strong ? "strongly"
                         : verdict_.strength == Strength::weak ? "weakly"
                                                               : "(strength unknown)");
      break;
    case Stability::unstable:
      spans.push_back({"falls", "falls"});
      break;
    case Stability::undecided:
      spans.push_back({"undecided", "undecided"});
      if (!verdict_.reason.empty()) legend_.add("undecided: " + verdict_.reason);
      break;
  }
  if (verdict_.stability != Stability::undecided) {
    facts.push_back(fmt::format("margin {}{}", verdict_.margin_is_bound ? "≥ " : "",
                                quantity(verdict_.margin, 2)));
  }
}

void Picture::draw_caption() {
  const double size = 1.25 * font_;
  const double left = 1.5 * font_;
  const double room = view_.width() - 2.0 * left;
  std::vector<Canvas::Span> spans;
  std::vector<std::string> facts;
  if (options_.caption.empty()) {
    tell_verdict(spans, facts);
  } else {
    spans.push_back({"k", options_.caption + " ·"});
  }
  const Framework<2>& framework = scene_.framework;
  if (!scene_.bodies.empty()) facts.push_back(counted(scene_.bodies.size(), "body", "bodies"));
  if (!framework.points.empty()) {
    facts.push_back(counted(framework.points.size(), "point", "points"));
    facts.push_back(counted(framework.bars.size(), "bar", "bars"));
  }
  const std::size_t touching = contacts_.contacts.size() + contacts_.corners.size();
  // Contacts of frameworks are known only in motion.
  if (touching > 0 || framework.points.empty()) {
    facts.push_back(counted(touching, "contact", "contacts"));
  }
  const std::string rest = fmt::format("{}", fmt::join(facts, " · "));
  const double used = text_width(spans.front().text, size);
  spans.push_back({"k", fitted(rest, size, room - used - size)});
  if (!scene_.name.empty()) {
    canvas_.text("name", {left, 1.9 * font_}, size, fitted(scene_.name, size, room));
  }
  canvas_.text({left, scene_.name.empty() ? 2.8 * font_ : 3.7 * font_}, size, spans);
}

void Picture::draw_bodies() {
  // What does not move is drawn first: it is the ground of the picture.
  for (const bool fixed : {true, false}) {
    for (int i = 0; i < std::ssize(scene_.bodies); ++i) {
      if (body(i).fixed != fixed) continue;
      const std::string classes =
          fixed ? "body fixed"
                : fmt::format("body m{}",
                              fill_class(fill_of_[static_cast<std::size_t>(body(i).material)]));
      canvas_.path(classes, view_.outline(body(i).shape, pose(i)), titled() ? body(i).name : "");
    }
  }
}

void Picture::draw_joints() {
  const double r = std::clamp(1.4 * mark_, 1.2, 5.0);
  for (const Joint<2>& joint : scene_.joints) {
    const Pixel a = view_.place(joint_end(joint.a, joint.at_a.value));
    const Pixel b = view_.place(joint_end(joint.b, joint.at_b.value));
    switch (joint.type) {
      case JointType::pin:
      case JointType::hinge:  // in space only
        canvas_.circle("joint", b, r);
        break;
      case JointType::rod:
        canvas_.path("rod", Path().segment(a, b));
        canvas_.circle("joint", a, 0.7 * r);
        canvas_.circle("joint", b, 0.7 * r);
        break;
      case JointType::weld:
        canvas_.path("joint", Path().loop(quad(b, 1.3 * r, 0.25 * std::numbers::pi)));
        break;
    }
  }
}

void Picture::draw_still_contacts() {
  for (const Contact<2>& contact : contacts_.contacts) {
    canvas_.circle("contact", view_.place(contact.point), mark_);
  }
}

void Picture::draw_corners() {
  if (contacts_.corners.empty()) return;
  const double r = std::clamp(2.0 * mark_, 1.5, 6.0);
  for (const CornerContact<2>& corner : contacts_.corners) {
    canvas_.path("corner", Path().loop(quad(view_.place(corner.point), r, 0.0)));
  }
  legend_.add(counted(contacts_.corners.size(), "corner on corner", "corners on corners"),
              0.8 * font_, [this](const Pixel& at) {
                const Pixel centre = at + Pixel(0.4 * font_, 0);
                canvas_.path("corner", Path().loop(quad(centre, 0.4 * font_, 0.0)));
              });
}

/// As large as fits into the body, whose outline fills only a share of the box around it.
void Picture::draw_names() {
  constexpr double kSmallest = 4.0;
  for (int i = 0; i < std::ssize(scene_.bodies); ++i) {
    Pixel middle = view_.place(state_.centre(scene_, i));
    Vec<2> room(0.0, 0.0);
    if (body(i).shape.half_space) {
      const std::vector<Pixel> seen = view_.clip(*body(i).shape.half_space, pose(i));
      if (seen.empty()) continue;
      Extent extent;
      middle.setZero();
      for (const Pixel& corner : seen) {
        extent.include(corner);
        middle += corner / static_cast<double>(seen.size());
      }
      room = 0.5 * extent.size();
    } else {
      const Extent extent = extent_of(body(i).shape, pose(i));
      const Extent own = extent_of(body(i).shape, Pose<2>());
      const double fill = std::min(1.0, own.size().cwiseQuotient(extent.size()).prod());
      room = fill * view_.scale() * extent.size();
    }
    const double unit_width = text_width(body(i).name, 1.0);
    if (!(unit_width > 0.0)) continue;
    const double size = std::min({1.1 * font_, 0.55 * room.y(), 0.85 * room.x() / unit_width});
    if (size < kSmallest) continue;
    canvas_.text("label", middle + Pixel(0.0, 0.35 * size), size, body(i).name);
  }
}

void Picture::explain_materials() {
  const auto used = std::count_if(fill_of_.begin(), fill_of_.end(), [](int f) { return f >= 0; });
  if (used < 2 || used > kFills) return;
  for (std::size_t m = 0; m < fill_of_.size(); ++m) {
    if (fill_of_[m] < 0) continue;
    legend_.add(scene_.materials[m].name, font_, [this, m](const Pixel& at) {
      canvas_.rectangle(fmt::format("swatch m{}", fill_class(fill_of_[m])),
                        at - Pixel(0.0, 0.4 * font_), {font_, 0.8 * font_});
    });
  }
}

std::string Picture::draw() {
  write_style();
  draw_caption();
  canvas_.open_group("clip-path=\"url(#view)\"");
  draw_bodies();
  draw_framework();
  if (fastest_ > 0.0) draw_ghosts();
  draw_joints();
  if (fastest_ > 0.0) {
    draw_velocities();
    draw_moving_contacts();
  } else if (verdict_.forces.empty() && verdict_.joint_forces.empty()) {
    draw_still_contacts();
  }
  if (!verdict_.forces.empty() || !verdict_.joint_forces.empty()) draw_forces();
  draw_corners();
  if (options_.names) {
    draw_names();
    draw_point_names();
  }
  canvas_.close_group();
  explain_materials();
  const double margin = 1.5 * font_;
  const double bottom = legend_.draw(canvas_, margin, view_.width() - margin,
                                     view_.top() + view_.height() + 0.6 * font_);
  return canvas_.finish(std::ceil(bottom + 0.6 * font_), scene_.name);
}

}  // namespace svg

std::string draw_svg(const Scene<2>& scene, const State<2>& state, const ContactSet<2>& contacts,
                     const Verdict<2>& verdict, const DrawOptions& options) {
  constexpr int kNarrowest = 100;
  constexpr int kWidest = 20000;
  if (options.width < kNarrowest || options.width > kWidest) {
    throw Error("width", std::to_string(options.width),
                fmt::format("a number of pixels from {} to {}", kNarrowest, kWidest));
  }
  return svg::Picture(scene, state, contacts, verdict, options).draw();
}

}  // namespace collapse
