#include "collapse/io/svg.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "collapse/core/error.hpp"
#include "io/svg_canvas.hpp"

namespace collapse {
namespace {

ExactVec<2> at(const Rational& x, const Rational& y) { return {x, y}; }

Scene<2> empty_scene(const std::string& name) {
  Scene<2> scene;
  scene.name = name;
  scene.gravity = NumberVec<2>(at(0, -10));
  scene.materials.resize(2);
  scene.materials[0].name = "default";
  scene.materials[1].name = "oak";
  return scene;
}

Body<2>& add_body(Scene<2>& scene, const std::string& name, const Shape<2>& shape, double x,
                  double y) {
  Body<2> body;
  body.name = name;
  body.shape = shape;
  body.mass = mass_properties(shape);
  body.pose.position = {x, y};
  body.fixed = shape.half_space.has_value();
  scene.bodies.push_back(body);
  return scene.bodies.back();
}

/// A picture's input, with contacts and forces written down by hand.
struct Sample {
  Scene<2> scene;
  ContactSet<2> contacts;
  Verdict<2> verdict;

  explicit Sample(const std::string& name = "sample") : scene(empty_scene(name)) {}

  void touch(int a, int b, const Vec<2>& point, const Vec<2>& force_on_b) {
    Contact<2> contact;
    contact.id = {a, b, {}, {}, static_cast<std::uint8_t>(contacts.contacts.size())};
    contact.point = point;
    contact.normal = {0.0, 1.0};
    contacts.contacts.push_back(contact);
    verdict.forces.push_back({contact.id, point, contact.normal, force_on_b});
  }

  [[nodiscard]] std::string draw(const DrawOptions& options = {}) const {
    return draw_svg(scene, initial_state(scene), contacts, verdict, options);
  }
};

/// Two boxes on the ground, one upon the other; of four contacts one has no force.
Sample tower() {
  Sample s("tower");
  add_body(s.scene, "ground", make_half_plane(at(0, 1), 0), 0, 0);
  add_body(s.scene, "lower", make_box(1, Rational(1, 4)), 0, 0.125);
  add_body(s.scene, "upper", make_box(1, Rational(1, 4)), 0.25, 0.375);
  s.touch(0, 1, {-0.5, 0.0}, {0.0, 1.0});
  s.touch(0, 1, {0.5, 0.0}, {0.0, 4.0});
  s.touch(1, 2, {-0.25, 0.25}, {0.0, 2.5});
  s.touch(1, 2, {0.5, 0.25}, {0.0, 1e-12});
  s.verdict.stability = Stability::stable;
  s.verdict.strength = Strength::strong;
  s.verdict.margin = 0.25;
  return s;
}

/// The upper box turns clockwise about the lower one's right upper corner.
Sample falling_tower() {
  Sample s = tower();
  s.scene.bodies[2].pose.position = {0.75, 0.375};
  s.contacts.contacts[2].point = {0.25, 0.25};
  s.verdict.forces.clear();
  s.verdict.stability = Stability::unstable;
  s.verdict.margin = -0.125;
  s.verdict.mechanism = {{1, Vec<2>(0.0, 0.0), Spin<2>(0.0)},
                         {2, Vec<2>(0.125, -0.25), Spin<2>(-1.0)}};
  return s;
}

int count(std::string_view text, std::string_view part) {
  int found = 0;
  for (auto i = text.find(part); i != std::string_view::npos; i = text.find(part, i + 1)) ++found;
  return found;
}

/// What is wrong with `text` as XML, as far as pictures use it (elements, attributes in double
/// quotes, five entities); empty if nothing.
std::string xml_fault(std::string_view text) {
  std::vector<std::string> open;
  const auto entity_fault = [](std::string_view part) -> std::string {
    for (std::size_t i = part.find('&'); i != part.npos; i = part.find('&', i + 1)) {
      bool known = false;
      for (const std::string_view name : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
        known = known || part.substr(i, name.size()) == name;
      }
      if (!known) return "bare & in " + std::string(part);
    }
    return {};
  };
  while (!text.empty()) {
    const std::size_t start = text.find('<');
    if (std::string fault = entity_fault(text.substr(0, start)); !fault.empty()) return fault;
    if (start == text.npos) break;
    std::size_t end = start + 1;
    for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end) {
      if (text[end] == '"') quoted = !quoted;
      if (text[end] == '<') return "< inside of a tag";
    }
    if (end >= text.size()) return "a tag without end";
    const std::string_view tag = text.substr(start + 1, end - start - 1);
    if (std::string fault = entity_fault(tag); !fault.empty()) return fault;
    const std::string name(tag.substr(0, tag.find_first_of(" /", 1)));
    if (tag.front() == '/') {
      if (open.empty() || "/" + open.back() != name) return "closes " + name;
      open.pop_back();
    } else if (tag.front() != '?' && tag.back() != '/') {
      open.push_back(name);
    }
    text.remove_prefix(end + 1);
  }
  return open.empty() ? "" : open.back() + " stays open";
}

/// The drawing without what people read: names may well contain "nan".
std::string markup_only(const std::string& text) {
  std::string markup;
  bool inside = false;
  for (const char c : text) {
    if (c == '<') inside = true;
    if (inside) markup += c;
    if (c == '>') inside = false;
  }
  return markup;
}

void expect_sound(const std::string& picture) {
  EXPECT_EQ(xml_fault(picture), "");
  const std::string markup = markup_only(picture);
  EXPECT_EQ(count(markup, "nan"), 0);
  EXPECT_EQ(count(markup, "inf"), 0);
}

/// The data of the paths of that class, in order.
std::vector<std::string> paths(const std::string& picture, const std::string& classes) {
  std::vector<std::string> found;
  const std::string start = "<path class=\"" + classes;
  for (auto i = picture.find(start); i != picture.npos; i = picture.find(start, i + 1)) {
    const auto from = picture.find("d=\"", i) + 3;
    found.push_back(picture.substr(from, picture.find('"', from) - from));
  }
  return found;
}

TEST(Svg, XmlCheckOfThisTestSeesFaults) {
  EXPECT_EQ(xml_fault("<a><b x=\"1>2\"/>t &amp; u</a>"), "");
  EXPECT_NE(xml_fault("<a><b></a>"), "");
  EXPECT_NE(xml_fault("<a>x & y</a>"), "");
  EXPECT_NE(xml_fault("<a t=\"<\"/>"), "");
  EXPECT_NE(xml_fault("<a>"), "");
}

TEST(Svg, HasOnePathPerBodyAndOneArrowPerLoadedContact) {
  const std::string picture = tower().draw();
  expect_sound(picture);
  EXPECT_EQ(paths(picture, "body").size(), 3u);
  EXPECT_EQ(paths(picture, "force").size(), 3u);
  // The fourth contact, and its explanation.
  EXPECT_EQ(count(picture, "<circle class=\"unloaded\""), 2);
  EXPECT_NE(picture.find("1 contact without force"), picture.npos);
}

TEST(Svg, CaptionTellsVerdictMarginAndNumbers) {
  const std::string stands = tower().draw();
  EXPECT_NE(stands.find(">stands<"), stands.npos);
  EXPECT_NE(stands.find("strongly · margin 0.25 · 3 bodies · 4 contacts"), stands.npos);
  const std::string falls = falling_tower().draw();
  EXPECT_NE(falls.find(">falls<"), falls.npos);
  EXPECT_NE(falls.find("margin −0.12"), falls.npos);
  Sample undecided;
  undecided.verdict.reason = "too close to call";
  const std::string unknown = undecided.draw();
  EXPECT_NE(unknown.find(">undecided<"), unknown.npos);
  EXPECT_NE(unknown.find("too close to call"), unknown.npos);
}

TEST(Svg, IsTheSameEveryTime) {
  EXPECT_EQ(tower().draw(), tower().draw());
  EXPECT_EQ(falling_tower().draw(), falling_tower().draw());
}

TEST(Svg, EscapesWhatUsersWrite) {
  Sample s("<script>alert(\"1\")</script> & 'Türme' \x01\xff");
  s.scene.materials[0].name = "<b>";
  add_body(s.scene, "</path><script>", make_box(4, 1), 0, 0);
  add_body(s.scene, "\"><x y='", make_box(4, 1), 0, 2).material = 1;
  DrawOptions options;
  options.names = true;
  const std::string picture = s.draw(options);
  expect_sound(picture);
  EXPECT_EQ(count(picture, "<script"), 0);
  EXPECT_EQ(count(picture, "\x01"), 0);
  EXPECT_EQ(count(picture, "\xff"), 0);
  EXPECT_NE(picture.find("Türme"), picture.npos);
  EXPECT_NE(picture.find("&lt;script&gt;"), picture.npos);
}

TEST(Svg, ReplacesWhatXmlDoesNotAllow) {
  EXPECT_EQ(svg::escape("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(svg::escape("Ω→𝄞"), "Ω→𝄞");
  const std::string bad = "\uFFFD";
  EXPECT_EQ(svg::escape(std::string_view("\0\n\x7f", 3)), bad + bad + bad);
  EXPECT_EQ(svg::escape("\xc3"), bad);                      // cut short
  EXPECT_EQ(svg::escape("\xc0\xaf"), bad + bad);            // overlong
  EXPECT_EQ(svg::escape("\xed\xa0\x80"), bad + bad + bad);  // surrogate
  EXPECT_EQ(svg::escape("\uFFFF"), bad);
}

TEST(Svg, ShowsNoSeamsBetweenPartsOfABody) {
  const Shape<2> polygon =
      make_polygon({at(0, 0), at(2, 0), at(2, 1), at(1, 1), at(1, 2), at(0, 2)});
  ExactPose<2> lower;
  lower.position = at(1, Rational(1, 2));
  ExactPose<2> upper;
  upper.position = at(Rational(1, 2), Rational(3, 2));
  const Shape<2> united = unite({moved(make_box(1, 1), upper), moved(make_box(2, 1), lower)});
  Sample a;
  add_body(a.scene, "L", polygon, 0, 0);
  Sample b;
  add_body(b.scene, "L", united, 0, 0);
  EXPECT_EQ(a.draw(), b.draw());
}

TEST(Svg, DrawsHolesWithinTheSamePath) {
  std::vector<Shape<2>> sides;
  const auto add = [&](const Rational& w, const Rational& h, const Rational& x, const Rational& y) {
    ExactPose<2> pose;
    pose.position = at(x, y);
    sides.push_back(moved(make_box(w, h), pose));
  };
  add(3, 1, 0, 1);
  add(3, 1, 0, -1);
  add(1, 3, 1, 0);
  add(1, 3, -1, 0);
  Sample s;
  add_body(s.scene, "frame", unite(sides), 0, 0);
  const std::vector<std::string> bodies = paths(s.draw(), "body");
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_EQ(count(bodies.front(), "z"), 2);
}

TEST(Svg, KeepsTheYAxisUpAndTheAspect) {
  Sample s;
  add_body(s.scene, "right", make_box(2, 1), 1, 0);
  const std::vector<std::string> wide = paths(s.draw(), "body");
  ASSERT_EQ(wide.size(), 1u);
  // Margins of 60 pixels; counter-clockwise from the upper left corner means down first.
  EXPECT_EQ(wide.front().substr(0, 3), "M60");
  EXPECT_NE(wide.front().find("v440h880v-440z"), std::string::npos) << wide.front();
}

TEST(Svg, DoesNotDependOnWhichBodyOfAPairComesFirst) {
  const std::vector<std::string> arrows = paths(tower().draw(), "force");
  Sample swapped("tower");
  add_body(swapped.scene, "upper", make_box(1, Rational(1, 4)), 0.25, 0.375);
  add_body(swapped.scene, "lower", make_box(1, Rational(1, 4)), 0, 0.125);
  add_body(swapped.scene, "ground", make_half_plane(at(0, 1), 0), 0, 0);
  swapped.touch(0, 1, {-0.25, 0.25}, {0.0, -2.5});
  swapped.touch(0, 1, {0.5, 0.25}, {0.0, -1e-12});
  swapped.touch(1, 2, {-0.5, 0.0}, {0.0, -1.0});
  swapped.touch(1, 2, {0.5, 0.0}, {0.0, -4.0});
  swapped.verdict.stability = Stability::stable;
  EXPECT_EQ(paths(swapped.draw(), "force"), arrows);
}

TEST(Svg, KeepsTheForceOnADiskAtItsContact) {
  Sample s;
  add_body(s.scene, "ground", make_half_plane(at(0, 1), 0), 0, 0);
  add_body(s.scene, "disk", make_disk(1), 0, 1);
  s.touch(0, 1, {0.0, 0.0}, {0.0, 3.0});
  const std::string upright = paths(s.draw(), "force").front();
  s.verdict.forces.front().force = {1e-9, 3.0};  // friction turns the force, not its place
  EXPECT_EQ(paths(s.draw(), "force").front(), upright);
  // The arrow is symmetric about the middle of the picture.
  EXPECT_EQ(upright.substr(0, 3), "M49");
  s.verdict.forces.front().force = {1.0, 3.0};
  EXPECT_NE(paths(s.draw(), "force").front(), upright);
}

TEST(Svg, ShowsAMechanismAsGhostsOfTheBodiesThatMove) {
  const std::string picture = falling_tower().draw();
  expect_sound(picture);
  EXPECT_EQ(paths(picture, "body").size(), 3u);
  EXPECT_EQ(paths(picture, "ghost").size(), 3u);
  EXPECT_EQ(paths(picture, "velocity").size(), 1u);
  EXPECT_EQ(paths(picture, "force").size(), 0u);
  EXPECT_NE(picture.find("begins to fall like this"), picture.npos);
  // Of its two contacts one opens and one is the hinge; the lower box stays. Each kind of mark is
  // once more in the legend.
  EXPECT_EQ(count(picture, "<circle class=\"opens\""), 1 + 1);
  EXPECT_EQ(count(picture, "<circle class=\"holds\""), 3 + 1);
  EXPECT_EQ(paths(picture, "slides").size(), 0u);
}

TEST(Svg, DrawsJointsAndTheirForces) {
  Sample s("joints");
  add_body(s.scene, "bar", make_box(3, Rational(1, 4)), 0, 0);
  add_body(s.scene, "weight", make_disk(Rational(1, 2)), 1, -2);
  const auto join = [&](JointType type, int a, int b, const ExactVec<2>& p, const ExactVec<2>& q) {
    Joint<2> joint;
    joint.type = type;
    joint.a = a;
    joint.b = b;
    joint.at_a = NumberVec<2>(p);
    joint.at_b = NumberVec<2>(q);
    s.scene.joints.push_back(joint);
  };
  join(JointType::pin, kWorld, 0, at(-1, 0), at(-1, 0));
  join(JointType::weld, kWorld, 0, at(1, 0), at(1, 0));
  join(JointType::rod, 0, 1, at(1, 0), at(1, -2));
  s.verdict.joint_forces = {{0, Vec<2>(-1, 0), Vec<2>(0, 3), Spin<2>(0.0)},
                            {2, Vec<2>(1, -2), Vec<2>(0, 2), Spin<2>(0.0)}};
  const std::string picture = s.draw();
  expect_sound(picture);
  EXPECT_EQ(count(picture, "<circle class=\"joint\""), 3);
  EXPECT_EQ(paths(picture, "joint\"").size(), 1u);
  EXPECT_EQ(paths(picture, "rod").size(), 1u);
  EXPECT_EQ(paths(picture, "jointforce").size(), 2u);
}

TEST(Svg, MarksCornerContactsOnceEach) {
  Sample s = tower();
  CornerContact<2> corner{};
  corner.id = {1, 2, {}, {}, 9};
  corner.point = {0.5, 0.25};
  s.contacts.corners.push_back(corner);
  s.verdict.forces.push_back({corner.id, corner.point, Vec<2>(0, 1), Vec<2>(0, 0)});
  const std::string picture = s.draw();
  EXPECT_EQ(paths(picture, "corner").size(), 2u);  // one in the legend
  EXPECT_EQ(count(picture, "<circle class=\"unloaded\""), 2);
}

TEST(Svg, StaysSoundForExtremeScenes) {
  expect_sound(Sample().draw());
  {
    Sample ground_only;
    add_body(ground_only.scene, "g", make_half_plane(at(3, 4), 1000000), 0, 0);
    const std::string picture = ground_only.draw();
    expect_sound(picture);
    EXPECT_NE(paths(picture, "body").front(), "");
  }
  for (const double size : {1e-60, 1e-9, 1e9, 1e60}) {
    Sample s;
    add_body(s.scene, "flat", make_box(Rational(size), Rational(size * 1e-6)), 0, 0);
    add_body(s.scene, "tall", make_box(Rational(size * 1e-6), Rational(size)), 0, size);
    s.touch(0, 1, {0.0, 0.5 * size}, {0.0, size});
    DrawOptions options;
    options.names = true;
    expect_sound(s.draw(options));
    s.verdict.mechanism = {{1, Vec<2>(size, 0.0), Spin<2>(1.0)}};
    expect_sound(s.draw(options));
  }
  Sample weightless = tower();
  for (ContactForce<2>& f : weightless.verdict.forces) f.force.setZero();
  weightless.scene.gravity = {};
  expect_sound(weightless.draw());
}

TEST(Svg, StaysCompact) {
  Sample s;
  for (int i = 0; i < 400; ++i) {
    add_body(s.scene, "brick", make_box(1, Rational(1, 2)), i % 20, 0.5 * (i / 20));
  }
  const std::size_t small = s.draw().size();
  for (int i = 400; i < 800; ++i) {
    add_body(s.scene, "brick", make_box(1, Rational(1, 2)), i % 20, 0.5 * (i / 20));
  }
  EXPECT_LT(s.draw().size() - small, 400u * 70u);
}

TEST(Svg, WritesNamesThatFit) {
  Sample s;
  add_body(s.scene, "large", make_box(4, 2), 0, 0);
  add_body(s.scene, "small", make_box(Rational(1, 100), Rational(1, 100)), 3, 0);
  EXPECT_EQ(count(s.draw(), "class=\"label\""), 0);
  DrawOptions options;
  options.names = true;
  const std::string picture = s.draw(options);
  EXPECT_EQ(count(picture, "class=\"label\""), 1);
  EXPECT_EQ(count(picture, ">large</text>"), 1);
}

TEST(Svg, RefusesWidthsThatMakeNoPicture) {
  for (const int width : {-1, 0, 99, 20001}) {
    DrawOptions options;
    options.width = width;
    EXPECT_THROW((void)tower().draw(options), Error) << width;
  }
}

TEST(Svg, WritesNumbersShort) {
  EXPECT_EQ(svg::number(0.0), "0");
  EXPECT_EQ(svg::number(-0.001), "0");
  EXPECT_EQ(svg::number(0.5), ".5");
  EXPECT_EQ(svg::number(-12.254), "-12.25");
  EXPECT_EQ(svg::number(3.1), "3.1");
  EXPECT_EQ(svg::quantity(0.1234, 2), "0.12");
  EXPECT_EQ(svg::quantity(2000.0, 1), "2000");
  EXPECT_EQ(svg::quantity(-1.5e-7, 2), "−1.5e−7");
}

/// A square of points with bars around it and across, and a peg beside it.
Sample braced_square() {
  Sample s("square");
  add_body(s.scene, "ground", make_half_plane(at(0, 1), 0), 0, 0);
  const auto point = [&](int x, int y, bool fixed) {
    FrameworkPoint<2> p;
    p.name = "p" + std::to_string(s.scene.framework.points.size());
    p.position = NumberVec<2>(at(x, y));
    p.fixed = fixed;
    s.scene.framework.points.push_back(p);
  };
  point(0, 0, false);
  point(1, 0, false);
  point(1, 1, false);
  point(0, 1, false);
  point(3, 1, true);
  s.scene.framework.bars = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}, {2, 4}};
  s.scene.framework.faces = {{0, 1, 2, 3}};
  // Things: the ground is 0, the face 1, the points 2 to 6.
  s.touch(0, 1, {0.0, 0.0}, {0.0, 10.0});
  s.touch(0, 3, {1.0, 0.0}, {0.0, 5.0});
  return s;
}

TEST(Svg, ShowsFrameworksWithTheirForces) {
  DrawOptions options;
  options.caption = "time 1";
  options.names = true;
  const std::string picture = braced_square().draw(options);
  expect_sound(picture);
  EXPECT_EQ(count(picture, "class=\"face\""), 1);
  EXPECT_EQ(count(picture, "class=\"point\""), 4);
  EXPECT_EQ(count(picture, "class=\"peg\""), 1);
  EXPECT_EQ(count(picture, "class=\"bar\""), 1);  // all five in one path
  EXPECT_EQ(count(picture, "class=\"bar brace\""), 1);
  EXPECT_EQ(count(picture, "class=\"force "), 2);
  EXPECT_EQ(count(picture, "ground on face 0: 10"), 1);
  EXPECT_EQ(count(picture, "ground on p1: 5"), 1);
  EXPECT_EQ(count(picture, ">p4</text>"), 1);
  EXPECT_NE(picture.find("1 body · 5 points · 6 bars · 2 contacts"), std::string::npos);
}

}  // namespace
}  // namespace collapse
