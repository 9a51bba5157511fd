#include "collapse/core/error.hpp"

#include <gtest/gtest.h>

#include "collapse/core/check.hpp"

namespace collapse {
namespace {

TEST(Error, SaysPlaceFoundAndExpectedOnOneLine) {
  const Error error("bodies[3].box[1]", "-2", "a number above 0");
  EXPECT_STREQ(error.what(), "bodies[3].box[1]: found -2, expected a number above 0");
  EXPECT_STREQ(error.in_file("a.json").what(),
               "a.json: bodies[3].box[1]: found -2, expected a number above 0");
  EXPECT_EQ(error.in_file("a.json").file(), "a.json");
  EXPECT_EQ(error.in_file("a.json").place(), "bodies[3].box[1]");
}

TEST(Error, LeavesOutWhatIsEmpty) {
  EXPECT_STREQ(Error("", "no parts", "at least one").what(),
               "found no parts, expected at least one");
  EXPECT_STREQ(Error("name", "", "a string").what(), "name: expected a string");
  EXPECT_STREQ(Error("name", "a number", "").what(), "name: found a number");
  EXPECT_STREQ(Error("", "", "a string").in_file("f").what(), "f: expected a string");
}

TEST(Error, StaysOnOneLineWhateverTheInputHolds) {
  const std::string message = Error("a\nb", "x\r\ny\x1b[31m", "z").in_file("f\n").what();
  EXPECT_EQ(message, "f\\n: a\\nb: found x\\r\\ny\\x1b[31m, expected z");
}

TEST(Printable, KeepsTextAndEscapesWhatWouldHarmTheTerminal) {
  EXPECT_EQ(printable("Mauer über \"Stein\" \\ 石"), "Mauer über \"Stein\" \\ 石");
  EXPECT_EQ(printable(std::string("a\0b\t\x7f", 5)), "a\\x00b\\t\\x7f");
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae") << "right-to-left override";
  EXPECT_EQ(printable("\xc2\x85"), "\\xc2\\x85") << "next line, a C1 control";
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut off";
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond Unicode";
}

TEST(Printable, CutsAfterTheLimitAndNeverInsideACharacter) {
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdefg", 6), "abcdef...");
  EXPECT_EQ(printable("abcdeü", 6), "abcde...");
}

TEST(Printable, ChangesNothingTheSecondTime) {
  const std::string once = printable("a\n\xff\\ü");
  EXPECT_EQ(printable(once), once);
}

TEST(DemandDeathTest, EndsTheProgramAndNamesTheCondition) {
  EXPECT_DEATH(COLLAPSE_DEMAND(1 + 1 == 3), "1 \\+ 1 == 3");
}

}  // namespace
}  // namespace collapse
