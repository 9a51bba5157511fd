// The gallery as a whole: what it lists, what it refuses, and that all of it can be used.

#include "scenes/gallery.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <variant>

#include "collapse/contact/contact.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/scene_reader.hpp"

namespace collapse::scenes {
namespace {

using Given = std::map<std::string, std::string>;

struct Variant {
  std::string scene;
  Given options;
};

std::string label_of(const Variant& variant) {
  std::string label = variant.scene;
  for (const auto& [name, value] : variant.options) label += " --" + name + ' ' + value;
  return label;
}

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const Entry& entry : gallery()) all.push_back({entry.name, {}});
  const std::vector<Variant> others = {
      {"arch", {{"voussoirs", "2"}, {"thickness", "1"}}},
      {"arch", {{"voussoirs", "10"}, {"thickness", "0.107011"}}},
      {"arch", {{"voussoirs", "200"}, {"thickness", "0.01"}}},
      {"column", {{"blocks", "1"}, {"lean", "0"}}},
      {"column", {{"blocks", "30"}, {"lean", "-1/30"}}},
      {"cylinders", {{"friction", "0"}}},
      {"diamond", {{"rows", "1"}}},
      {"diamond", {{"rows", "12"}, {"friction", "0.6"}}},
      {"dstack", {{"d", "1"}}},
      {"dstack", {{"d", "8"}}},
      {"gate", {{"height", "-1"}, {"weight", "1000"}}},
      {"gate", {{"height", "0"}}},
      {"harmonic", {{"bricks", "1"}, {"factor", "1.999"}}},
      {"harmonic", {{"bricks", "300"}, {"factor", "1.001"}}},
      {"harmonic", {{"bricks", "1000"}, {"factor", "0.1234567890123456789012345678901234567"}}},
      {"harmonic", {{"bricks", "1674"}}},
      {"ladder", {{"lean", "1"}}},
      {"ladder", {{"lean", "89"}}},
      {"ladder", {{"half-tangent", "1/2"}}},
      {"lattice", {{"diagonals", "1"}, {"pins", "2"}}},
      {"linkage", {{"crank", "1/3"}, {"speed", "-7/3"}}},
      {"links", {{"links", "1"}}},
      {"links", {{"links", "51"}}},
      {"pile", {{"bricks", "200"}, {"seed", "7"}, {"care", "0"}}},
      {"pile", {{"bricks", "200"}, {"seed", "8"}, {"care", "7"}}},
      {"seesaw", {{"left", "1/3"}, {"pivot", "4"}}},
      {"slope", {{"slope", "0"}}},
      {"slope", {{"slope", "0.7654321"}, {"aspect", "1/3"}}},
      {"tower", {{"bricks", "1"}, {"top-mass", "100"}}},
      {"triangle", {{"rows", "10"}}},
      {"truss", {{"panels", "1"}, {"height", "4"}}},
      {"truss", {{"panels", "9"}, {"height", "1/4"}, {"missing", "5"}}},
      {"wall", {{"courses", "1"}, {"width", "1"}}},
      {"wall", {{"bond", "stack"}}},
      {"wall", {{"bond", "third"}, {"ends", "straight"}, {"opening", "2"}}},
      {"wall", {{"courses", "8"}, {"width", "9"}, {"opening", "3"}, {"height", "7/16"}}},
      {"wedge", {{"angle", "1"}, {"friction", "1"}}},
      {"wedge", {{"angle", "0.123"}}},
      {"arch-3d", {{"voussoirs", "2"}, {"thickness", "1"}, {"depth", "1/100"}}},
      {"arch-3d", {{"voussoirs", "41"}, {"thickness", "0.01"}}},
      {"barrel-vault", {{"voussoirs", "7"}, {"rows", "2"}, {"thickness", "1"}}},
      {"barrel-vault", {{"bond", "stack"}}},
      {"bridge", {{"courses", "2"}, {"stones", "1"}, {"skew", "0"}}},
      {"bridge", {{"angle", "170"}, {"seed", "5"}, {"skew", "-2"}, {"stones", "9"}}},
      {"chain", {{"links", "1"}, {"offset", "0"}}},
      {"chain", {{"links", "9"}, {"offset", "-0.099"}}},
      {"corbelled-vault", {{"courses", "1"}, {"rows", "1"}}},
      {"corbelled-vault", {{"courses", "8"}, {"step", "0.9"}}},
      {"dome", {{"rings", "1"}, {"segments", "3"}, {"thickness", "1"}}},
      {"dome", {{"crown", "open"}, {"rings", "5"}, {"segments", "7"}}},
      {"gate-3d", {{"height", "0"}, {"aside", "-1/4"}}},
      {"jenga", {{"levels", "1"}, {"missing", "none"}}},
      {"jenga", {{"levels", "4"}, {"missing", "2.2,2.3"}}},
      {"keystone", {{"abutments", "3"}}},
      {"keystone", {{"abutments", "12"}, {"taper", "1"}}},
      {"spheres", {{"layers", "5"}}},
      {"spheres", {{"layers", "4"}, {"base", "square"}, {"floor-friction", "0"}}},
      {"stack", {{"blocks", "1"}, {"lean", "0"}}},
      {"stack", {{"lean", "-0.9"}, {"lean-y", "0.9"}}},
      {"stack", {{"blocks", "9"}, {"twist", "-22.5"}}},
      {"table", {{"legs", "3"}, {"x", "-5/4"}, {"y", "3/4"}}},
      {"tilted-block", {{"tilt", "0"}, {"direction", "-200"}}},
      {"tilted-block", {{"tilt", "89"}, {"aspect", "1/1000"}}},
      {"tower-3d", {{"layers", "1"}, {"gap", "0"}}},
      {"tower-3d", {{"layers", "4"}, {"gap", "0.99"}}},
      {"tripod", {{"lean", "10"}, {"weight", "1/1000"}}},
      {"wall-3d", {{"depth", "0"}, {"width", "2"}, {"lean", "1/12"}}},
      {"wall-3d", {{"depth", "2"}, {"width", "2"}, {"courses", "3"}, {"lean", "-0.4"}}},
      {"oba-stack", {{"cubes", "1"}, {"seed", "7"}}},
      {"oba-cs-stack", {{"bodies", "30"}}},
      {"oba-cubejam", {{"cubes", "300"}, {"reach", "3"}}},
      {"oba-blast-wall", {{"courses", "1"}, {"width", "2"}, {"second", "0"}}},
      {"oba-blast-wall", {{"courses", "20"}, {"width", "13"}, {"blast", "0"}}},
      {"oba-jacks", {{"jacks", "200"}, {"seed", "9"}}},
      {"oba-hybrid", {{"cubes", "1"}, {"thickness", "1/1000"}}},
      {"oba-hybrid", {{"cubes", "300"}, {"thickness", "1/20"}}},
      {"oba-robot", {{"bodies", "0"}}},
      {"oba-robot", {{"bodies", "500"}, {"seed", "3"}}},
      {"oba-sphereglass", {{"spheres", "3000"}, {"neck", "2"}}},
      {"oba-cubeglass", {{"cubes", "2000"}, {"neck", "12"}}},
      {"oba-pendulum", {{"sticks", "40"}}},
      {"oba-office-toy", {{"spheres", "5"}, {"lifted", "4"}}},
      {"billiards", {{"speed", "0"}, {"restitution", "0"}}},
      {"dominoes", {{"dominoes", "100"}, {"gap", "1/4"}}},
      {"swinging-chain", {{"links", "1"}}},
      {"chain-blocks", {{"links", "20"}, {"blocks", "12"}}},
      {"wrecking-ball", {{"courses", "30"}}},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

/// The error of a scene that is refused; fails the test if it is not.
Error refusal(const Variant& variant) {
  try {
    static_cast<void>(make_scene(variant.scene, variant.options));
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << label_of(variant) << " is accepted";
  return {"", "", ""};
}

TEST(Gallery, IsInAlphabeticalOrderWithoutRepetition) {
  std::set<std::string> sorted;
  std::vector<std::string> listed;
  for (const Entry& entry : gallery()) {
    sorted.insert(entry.name);
    listed.push_back(entry.name);
  }
  EXPECT_EQ(listed, std::vector<std::string>(sorted.begin(), sorted.end()));
  EXPECT_GE(listed.size(), 16U);
}

TEST(Gallery, SaysInOneLineWhatEverySceneAndOptionIsFor) {
  const auto is_one_line = [](const std::string& text) {
    return !text.empty() && text.size() <= 100 && text.find('\n') == std::string::npos;
  };
  for (const Entry& entry : gallery()) {
    EXPECT_TRUE(is_one_line(entry.about)) << entry.name;
    for (const Option& option : entry.options) {
      EXPECT_TRUE(is_one_line(option.about)) << entry.name << ' ' << option.name;
      EXPECT_TRUE(is_one_line(option.default_value)) << entry.name << ' ' << option.name;
    }
    EXPECT_NE(entry.framework,
              std::ranges::any_of(entry.options,
                                  [](const Option& option) { return option.name == "friction"; }))
        << entry.name;
  }
}

TEST(Gallery, DefaultsWrittenOutGiveTheSameScene) {
  for (const Entry& entry : gallery()) {
    Given defaults;
    for (const Option& option : entry.options) defaults[option.name] = option.default_value;
    EXPECT_EQ(make_scene(entry.name, defaults), make_scene(entry.name)) << entry.name;
  }
}

TEST(Gallery, EveryOptionChangesItsScene) {
  const std::map<std::string, std::string> words = {{"bond", "third"},
                                                    {"ends", "straight"},
                                                    {"half-tangent", "1/3"},
                                                    {"thickness", "1/5"},
                                                    {"factor", "1/2"},
                                                    {"lean", "1/3"},
                                                    {"friction", "1/7"},
                                                    {"pivot", "1/2"},
                                                    {"lean-y", "1/2"},
                                                    {"gap", "1/2"},
                                                    {"missing", "1.2"},
                                                    {"base", "square"},
                                                    {"step", "1/5"},
                                                    {"crown", "open"},
                                                    {"taper", "1/3"},
                                                    {"floor-friction", "1/5"},
                                                    {"legs", "3"},
                                                    {"x", "1/3"},
                                                    {"y", "1/3"},
                                                    {"offset", "1/30"},
                                                    {"aside", "1/5"},
                                                    {"angle", "90"},
                                                    {"restitution", "1/7"}};
  for (const Entry& entry : gallery()) {
    for (const Option& option : entry.options) {
      const auto word = words.find(option.name);
      // Two is in the range of all other options, and the default of a few.
      std::string value = word != words.end() ? word->second : "2";
      if (value == option.default_value) value = "1";
      if (entry.name == "ladder" && option.name == "lean") value = "30";
      if (entry.name == "wedge" && option.name == "angle") value = "1/3";
      if (entry.name == "truss" && option.name == "missing") value = "2";
      if (entry.name == "jenga" && option.name == "levels") value = "12";
      if (entry.name == "dome" && option.name == "segments") value = "12";
      if (entry.name == "keystone" && option.name == "abutments") value = "3";
      if (entry.name == "barrel-vault" && option.name == "bond") value = "stack";
      if (entry.name == "oba-hybrid" && option.name == "thickness") value = "1/40";
      if (entry.name == "dominoes" && option.name == "gap") value = "1/3";
      EXPECT_NE(make_scene(entry.name, {{option.name, value}}), make_scene(entry.name))
          << entry.name << ' ' << option.name;
    }
  }
}

template <int Dim>
void expect_to_touch(const Scene<Dim>& scene) {
  const ContactSet<Dim> found = find_contacts(scene, initial_state(scene));
  EXPECT_TRUE(found.isolated.empty());
  EXPECT_TRUE(found.near_misses.empty());
  EXPECT_TRUE(!found.contacts.empty() || !scene.joints.empty() || !scene.framework.bars.empty());
  for (const Contact<Dim>& contact : found.contacts) EXPECT_LT(std::abs(contact.gap), 1e-12);
  EXPECT_TRUE(scene.find_load("push").has_value());
}

const Entry& entry_of(const Variant& variant) {
  return *std::ranges::find(gallery(), variant.scene, &Entry::name);
}

TEST(Gallery, EverySceneIsReadAndItsBodiesTouchWithoutGaps) {
  for (const Variant& variant : variants()) {
    if (!entry_of(variant).run.empty()) continue;
    SCOPED_TRACE(label_of(variant));
    const AnyScene any = parse_any_scene(make_scene(variant.scene, variant.options));
    std::visit([](const auto& scene) { expect_to_touch(scene); }, any);
  }
}

/// Refuses what is deeper than the tolerance of touching.
template <int Dim>
void expect_no_overlap(const Scene<Dim>& scene) {
  const ContactSet<Dim> found = find_contacts(scene, initial_state(scene));
  for (const Contact<Dim>& contact : found.contacts) EXPECT_LT(std::abs(contact.gap), 1e-12);
  EXPECT_TRUE(scene.find_load("push").has_value());
}

TEST(Gallery, ScenesToBeRunBeginWithoutOverlap) {
  for (const Variant& variant : variants()) {
    if (entry_of(variant).run.empty()) continue;
    SCOPED_TRACE(label_of(variant));
    const AnyScene any = parse_any_scene(make_scene(variant.scene, variant.options));
    std::visit([](const auto& scene) { expect_no_overlap(scene); }, any);
    EXPECT_LE(entry_of(variant).run.size(), 100U);
  }
}

TEST(Gallery, TellsWhichScenesAreInSpace) {
  for (const Entry& entry : gallery()) {
    const AnyScene any = parse_any_scene(make_scene(entry.name));
    EXPECT_EQ(std::holds_alternative<Scene<3>>(any), entry.dimension == 3) << entry.name;
  }
}

TEST(Gallery, SuggestsTheNearestNames) {
  EXPECT_NE(refusal({"harmnic", {}}).expected().find("\"harmonic\""), std::string::npos);
  EXPECT_NE(refusal({"Dimond", {}}).expected().find("\"diamond\""), std::string::npos);
  const Error option = refusal({"wall", {{"cuorses", "3"}}});
  EXPECT_EQ(option.place(), "cuorses");
  EXPECT_NE(option.expected().find("\"courses\""), std::string::npos);
}

TEST(Gallery, RefusesOptionsOutOfRangeNamingThem) {
  struct Case {
    std::string scene, option, value, expected;
  };
  const std::vector<Case> cases = {
      {"harmonic", "bricks", "0", "from 1 to 100000"},
      {"harmonic", "bricks", "-3", "from 1 to 100000"},
      {"harmonic", "bricks", "100001", "from 1 to 100000"},
      {"harmonic", "bricks", "5/2", "whole number"},
      {"harmonic", "bricks", "many", "whole number"},
      {"harmonic", "bricks", "", "whole number"},
      {"harmonic", "bricks", "nan", "whole number"},
      {"harmonic", "bricks", "1e300", "whole number"},
      {"harmonic", "factor", "2", "below 2"},
      {"harmonic", "factor", "1e-200", "40 digits"},
      {"harmonic", "friction", "-1/10", "at least 0"},
      {"harmonic", "friction", "1e999", "at least 0"},
      {"diamond", "rows", "317", "from 1 to 316"},
      {"triangle", "rows", "447", "from 1 to 446"},
      {"dstack", "d", "54", "from 1 to 53"},
      {"wall", "bond", "flemish", "half, stack, third"},
      {"wall", "ends", "Straight", "straight"},
      {"wall", "height", "0", "above 0"},
      {"wall", "courses", "20001", "100000"},
      {"wall", "opening", "4", "width less 2"},
      {"arch", "voussoirs", "1", "from 2"},
      {"arch", "thickness", "0", "above 0"},
      {"arch", "thickness", "1.01", "at most 1"},
      {"ladder", "lean", "90", "at most 89"},
      {"ladder", "half-tangent", "1", "at most 49/50"},
      {"slope", "aspect", "0", "above 0"},
      {"wedge", "angle", "1.5", "at most 1"},
      {"wedge", "block-mass", "0", "above 0"},
      {"column", "lean", "1", "below 1"},
      {"seesaw", "left", "0", "above 0"},
      {"pile", "care", "8", "from 0 to 7"},
      {"pile", "seed", "-1", "from 0"},
      {"truss", "missing", "16", "from 0 to 15"},
      {"stack", "lean-y", "1", "below 1"},
      {"stack", "twist", "91", "at most 90"},
      {"tower-3d", "gap", "1", "below 1"},
      {"jenga", "missing", "10.1", "levels up to 9"},
      {"jenga", "missing", "2.4", "places 1, 2, 3"},
      {"jenga", "missing", "2.1,", "as in 2.1,2.3"},
      {"jenga", "missing", "2.1x", "as in 2.1,2.3"},
      {"wall-3d", "depth", "1", "at least 2"},
      {"wall-3d", "courses", "99999", "100000"},
      {"dome", "crown", "ajar", "closed, open"},
      {"dome", "segments", "2", "from 3"},
      {"spheres", "base", "hexagon", "triangle, square"},
      {"spheres", "floor-friction", "-1", "at least 0"},
      {"keystone", "abutments", "1", "from 2 to 12"},
      {"table", "legs", "5", "from 3 to 4"},
      {"chain", "offset", "1/10", "below 1/10"},
      {"oba-stack", "cubes", "0", "from 1 to 1000"},
      {"oba-stack", "restitution", "1.1", "at most 1"},
      {"oba-cubejam", "reach", "4", "at most 3"},
      {"oba-blast-wall", "courses", "1001", "from 1 to 1000"},
      {"oba-hybrid", "thickness", "0", "above 0"},
      {"oba-sphereglass", "neck", "13", "at most 12"},
      {"oba-office-toy", "lifted", "10", "from 1 to 9"},
  };
  for (const Case& c : cases) {
    const Error error = refusal({c.scene, {{c.option, c.value}}});
    EXPECT_EQ(error.place(), c.option) << c.scene << ' ' << c.value;
    EXPECT_NE(error.expected().find(c.expected), std::string::npos)
        << c.scene << ' ' << c.option << ' ' << c.value << ": " << error.expected();
  }
}

TEST(Gallery, TakesTheLargestSizesItOffers) {
  struct Case {
    Variant variant;
    int boxes;  ///< tables included
  };
  const std::vector<Case> cases = {
      {{"diamond", {{"rows", "316"}}}, 316 * 316},
      {{"triangle", {{"rows", "446"}}}, 446 * 447 / 2},
      {{"dstack", {{"d", "53"}}}, 53 * 52 * 105 / 3 + 2},
      {{"harmonic", {{"bricks", "100000"}}}, 100'001},
      {{"pile", {{"bricks", "100000"}}}, 100'000},
      {{"wall", {{"courses", "1000"}, {"width", "100"}}}, 100'000},
  };
  for (const auto& [variant, boxes] : cases) {
    const std::string text = make_scene(variant.scene, variant.options);
    int found = 0;
    for (auto at = text.find("\"box\""); at != std::string::npos;
         at = text.find("\"box\"", at + 1)) {
      ++found;
    }
    EXPECT_EQ(found, boxes) << label_of(variant);
  }
}

}  // namespace
}  // namespace collapse::scenes
