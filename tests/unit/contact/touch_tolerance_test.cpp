/// Where touching ends: tolerances decided without rounding, near misses, refused overlaps.

#include <gtest/gtest.h>

#include "collapse/core/error.hpp"
#include "contact_scenes.hpp"

namespace collapse {
namespace {

using namespace collapse::contact_test;

/// A power of two, so that the tolerance 5·touch of 3 × 4 boxes is a double.
ContactOptions binary_touch() {
  ContactOptions options;
  options.touch = 0x1p-20;
  return options;
}
Rational tolerance() { return ratio(5, 1L << 20); }
/// Far below what a double resolves next to 1.
Rational hair() { return Rational(Integer(1), Integer(1) << 200); }

Similarity turned() { return {Rational(1), pythagorean_pose(at(7, ratio(1, 3)))}; }

struct Case {
  std::string name;
  std::vector<Item> (*at_gap)(const Rational& gap);
};

/// Bodies of size 5 (3 × 4 boxes, disks of diameter 5) at a given gap.
std::vector<Case> cases() {
  return {
      {"edge over edge",
       [](const Rational& gap) {
         return std::vector{box(0, 0, 3, 4), box(1, 4 + gap, 4, 8 + gap)};
       }},
      {"flush edges",
       [](const Rational& gap) {
         return std::vector{box(0, 0, 3, 4), box(0, 4 + gap, 3, 8 + gap)};
       }},
      {"corner beside corner",
       [](const Rational& gap) {
         const Rational x = 3 + gap * 3 / 5;
         const Rational y = 4 + gap * 4 / 5;
         return std::vector{box(0, 0, 3, 4), box(x, y, x + 3, y + 4)};
       }},
      {"corner straight over corner",
       [](const Rational& gap) {
         return std::vector{box(0, 0, 3, 4), box(3, 4 + gap, 6, 8 + gap)};
       }},
      {"tip over edge",
       [](const Rational& gap) {
         return std::vector{box(0, 0, 3, 4), polygon({at(1, 4 + gap), at(5, 9), at(-3, 9)})};
       }},
      {"disks",
       [](const Rational& gap) {
         const Rational d = 5 + gap;
         return std::vector{disk(0, 0, ratio(5, 2)), disk(d * 3 / 5, d * 4 / 5, ratio(5, 2))};
       }},
      {"disk over edge",
       [](const Rational& gap) {
         return std::vector{box(0, 0, 3, 4), disk(1, 4 + ratio(5, 2) + gap, ratio(5, 2))};
       }},
      {"disk beside corner",
       [](const Rational& gap) {
         const Rational d = ratio(5, 2) + gap;
         return std::vector{box(0, 0, 3, 4), disk(3 + d * 3 / 5, 4 + d * 4 / 5, ratio(5, 2))};
       }},
      {"box over plane",
       [](const Rational& gap) {
         return std::vector{half_plane(0, 7, 0), box(0, gap, 3, 4 + gap)};
       }},
      {"disk over plane",
       [](const Rational& gap) {
         return std::vector{half_plane(3, 4, 0),
                            disk(ratio(3, 2) + gap * 3 / 5, 2 + gap * 4 / 5, ratio(5, 2))};
       }},
  };
}

std::size_t touching(const std::vector<Item>& items, const Similarity& similarity,
                     const ContactOptions& options) {
  const auto set = contacts_of(items, similarity, options);
  return set.contacts.size() + set.corners.size();
}

TEST(TouchTolerance, AGapOfExactlyTheToleranceTouchesAndAHairMoreDoesNot) {
  for (const Case& c : cases()) {
    for (const Similarity& similarity : {Similarity{}, turned()}) {
      EXPECT_GT(touching(c.at_gap(tolerance()), similarity, binary_touch()), 0u) << c.name;
      EXPECT_EQ(touching(c.at_gap(tolerance() + hair()), similarity, binary_touch()), 0u) << c.name;
      const auto set = contacts_of(c.at_gap(tolerance()), similarity, binary_touch());
      EXPECT_EQ(set.exact_pairs, 1) << c.name;
    }
  }
}

TEST(TouchTolerance, AnOverlapOfExactlyTheToleranceTouchesAndAHairMoreIsRefused) {
  for (const Case& c : cases()) {
    // The overlap of two corners is the lesser of its two sides, not its diagonal.
    if (c.name == "corner beside corner") continue;
    if (c.name == "corner straight over corner") continue;
    for (const Similarity& similarity : {Similarity{}, turned()}) {
      EXPECT_GT(touching(c.at_gap(-tolerance()), similarity, binary_touch()), 0u) << c.name;
      EXPECT_THROW(contacts_of(c.at_gap(-tolerance() - hair()), similarity, binary_touch()), Error)
          << c.name;
    }
  }
}

TEST(TouchTolerance, ZeroMeansExactTouching) {
  ContactOptions options;
  options.touch = 0.0;
  for (const Case& c : cases()) {
    for (const Similarity& similarity : {Similarity{}, turned()}) {
      EXPECT_GT(touching(c.at_gap(Rational(0)), similarity, options), 0u) << c.name;
      EXPECT_EQ(touching(c.at_gap(hair()), similarity, options), 0u) << c.name;
    }
  }
}

TEST(TouchTolerance, ClearCasesNeedNoExactArithmetic) {
  for (const Case& c : cases()) {
    EXPECT_EQ(contacts_of(c.at_gap(Rational(0)), turned()).exact_pairs, 0) << c.name;
    EXPECT_EQ(contacts_of(c.at_gap(ratio(1, 1000)), turned()).exact_pairs, 0) << c.name;
  }
}

TEST(TouchTolerance, FarFromTheOriginExactArithmeticTellsTouchingFromApart) {
  // At 1e12 doubles are 1e-4 apart, the tolerance is 5e-6.
  const Rational far = Rational(1000000000000L) + ratio(1, 3);
  const Similarity similarity{Rational(1), pythagorean_pose(at(far, -far))};
  for (const Case& c : cases()) {
    const auto set = contacts_of(c.at_gap(Rational(0)), similarity);
    EXPECT_GT(set.contacts.size() + set.corners.size(), 0u) << c.name;
    EXPECT_EQ(set.exact_pairs, 1) << c.name;
    for (const Contact<2>& contact : set.contacts) {
      EXPECT_NEAR(contact.gap, 0.0, 1e-14) << c.name;
      EXPECT_NEAR(contact.normal.norm(), 1.0, 1e-14) << c.name;
    }
    EXPECT_EQ(touching(c.at_gap(ratio(1, 100000)), similarity, {}), 0u) << c.name;
  }
}

TEST(TouchTolerance, MovedBodiesAreJudgedInFloatingPoint) {
  Scene<2> scene = scene_of({box(0, 0, 3, 4), box(0, 4 + tolerance(), 3, 9)});
  State<2> state = initial_state(scene);
  state.poses[1].position.y() += 0x1p-30;
  const auto set = find_contacts<2>(scene, state, binary_touch());
  EXPECT_TRUE(set.contacts.empty());
  EXPECT_EQ(set.exact_pairs, 0);
}

TEST(NearMiss, IsReportedWithItsGapUpToAThousandTolerances) {
  for (const Case& c : cases()) {
    const Rational gap = ratio(1, 1000);  // the limit is 1000·1e-6·5
    const auto set = contacts_of(c.at_gap(gap), turned());
    ASSERT_EQ(set.near_misses.size(), 1u) << c.name;
    EXPECT_NEAR(set.near_misses[0].gap, 0.001, 1e-13) << c.name;
    EXPECT_EQ(set.near_misses[0].a, 0);
    EXPECT_EQ(set.near_misses[0].b, 1);
    EXPECT_FALSE(set.isolated.empty());
    EXPECT_TRUE(contacts_of(c.at_gap(ratio(51, 10000)), turned()).near_misses.empty()) << c.name;
    EXPECT_EQ(contacts_of(c.at_gap(ratio(49, 10000)), turned()).near_misses.size(), 1u) << c.name;
    EXPECT_TRUE(contacts_of(c.at_gap(Rational(0)), turned()).near_misses.empty()) << c.name;
  }
}

TEST(NearMiss, TheToleranceIsRelativeToTheSmallerBody) {
  // A pebble of diameter 0.01 at 1e-4 over a floor 10 long: 1e4 tolerances.
  const auto pebble = disk(0, ratio(51, 10000), ratio(1, 200));
  EXPECT_TRUE(contacts_of({box(-5, -1, 5, 0), pebble}).near_misses.empty());
  const auto boulder = disk(0, ratio(10001, 10000), 1);
  EXPECT_EQ(contacts_of({box(-5, -1, 5, 0), boulder}).near_misses.size(), 1u);
}

std::string refusal(const std::vector<Item>& items) {
  try {
    (void)contacts_of(items);
  } catch (const Error& error) {
    return error.place() + "|" + error.found() + "|" + error.expected();
  }
  return "accepted";
}

TEST(Overlap, IsRefusedWithPairAndDepth) {
  const std::string expected =
      "|bodies that touch or are apart (touch tolerance 1e-06 of the smaller body's size)";
  EXPECT_EQ(refusal({box(0, 0, 2, 2), box(1, ratio(7, 4), 3, 4)}),
            "bodies[1]|\"body0\" and \"body1\" overlap by 0.25" + expected);
  EXPECT_EQ(refusal({box(9, 9, 10, 10), disk(0, 0, 3), disk(3, 4, ratio(5, 2))}),
            "bodies[2]|\"body1\" and \"body2\" overlap by 0.5" + expected);
  EXPECT_EQ(refusal({half_plane(0, 1, 0), box(0, ratio(-1, 8), 1, 1)}),
            "bodies[1]|\"body0\" and \"body1\" overlap by 0.125" + expected);
  EXPECT_EQ(refusal({half_plane(3, 4, 0), disk(3, 4, 6)}),
            "bodies[1]|\"body0\" and \"body1\" overlap by 1" + expected);
  // Beside a corner a disk's depth is that of the corner: 1/2, not the 1 below the lines of its
  // sides.
  EXPECT_EQ(refusal({box(-9, -9, 0, 0), disk(3, 4, ratio(11, 2))}),
            "bodies[1]|\"body0\" and \"body1\" overlap by 0.5" + expected);
  EXPECT_EQ(refusal({box(-9, -9, 9, 9), disk(0, 8, 1)}),
            "bodies[1]|\"body0\" and \"body1\" overlap by 2" + expected);
}

TEST(Overlap, TheDeepestOfSeveralPairsIsNamed) {
  const std::string found =
      refusal({box(0, 0, 4, 1), box(0, ratio(7, 8), 4, 2), box(0, ratio(3, 2), 4, 3)});
  EXPECT_NE(found.find("\"body1\" and \"body2\" overlap by 0.5, the deepest of 2"),
            std::string::npos)
      << found;
}

TEST(Overlap, ABodyInsideTheHollowOfAnotherDoesNotOverlapIt) {
  const auto bridge =
      polygon({at(0, 0), at(1, 0), at(1, 2), at(3, 2), at(3, 0), at(4, 0), at(4, 3), at(0, 3)});
  EXPECT_EQ(contacts_of({bridge, box(1, 0, 3, 2)}).contacts.size(), 6u);
  EXPECT_NE(refusal({bridge, box(1, 0, 3, ratio(9, 4))}), "accepted");
}

TEST(ContactOptions, ToleranceOutOfRangeIsRefused) {
  for (const double touch : {-1e-9, 0.5, std::numeric_limits<double>::quiet_NaN()}) {
    ContactOptions options;
    options.touch = touch;
    EXPECT_THROW(contacts_of({box(0, 0, 1, 1)}, {}, options), Error);
  }
}

}  // namespace
}  // namespace collapse
