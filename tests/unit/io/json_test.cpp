#include "collapse/io/json.hpp"

#include <gtest/gtest.h>

#include <string>

#include "collapse/core/error.hpp"

namespace collapse::json {
namespace {

TEST(JsonParse, KeepsTheTextOfNumbers) {
  const Value list = parse(
      "[0.1, 1E5, -0.50, 18446744073709551615, -12, "
      "123456789012345678901234567890, 1e-300]");
  ASSERT_EQ(list.items.size(), 7U);
  EXPECT_EQ(list.items[0].text, "0.1");
  EXPECT_EQ(list.items[1].text, "1E5");
  EXPECT_EQ(list.items[2].text, "-0.50");
  EXPECT_EQ(list.items[3].text, "18446744073709551615");
  EXPECT_EQ(list.items[4].text, "-12");
  EXPECT_EQ(list.items[5].text, "123456789012345678901234567890");
  EXPECT_EQ(list.items[6].text, "1e-300");
  for (const Value& item : list.items) EXPECT_EQ(item.kind, Kind::number);
}

TEST(JsonParse, KeepsMembersInOrderAndFindsThem) {
  const Value value = parse(R"({"b": [true, null], "a": {"x": "\u00e9\n"}})");
  ASSERT_EQ(value.members.size(), 2U);
  EXPECT_EQ(value.members[0].name, "b");
  EXPECT_EQ(value.members[1].name, "a");
  ASSERT_NE(value.find("b"), nullptr);
  EXPECT_TRUE(value.find("b")->items[0].boolean);
  EXPECT_EQ(value.find("b")->items[1].kind, Kind::null);
  EXPECT_EQ(value.find("a")->find("x")->text, "\u00e9\n");
  EXPECT_EQ(value.find("c"), nullptr);
}

TEST(JsonParse, AcceptsOneValueOfAnyKind) {
  EXPECT_EQ(parse("null").kind, Kind::null);
  EXPECT_EQ(parse(" \"x\" ").text, "x");
  EXPECT_EQ(parse("[]").kind, Kind::array);
  EXPECT_EQ(parse("{}").kind, Kind::object);
}

struct Fault {
  std::string text;
  std::string place;
  std::string found;
  std::string expected;
};

TEST(JsonParse, NamesThePlaceOfEveryFault) {
  const std::string deep_list = std::string(65, '[') + std::string(65, ']');
  std::string deep_place;
  for (int i = 0; i + 1 < kMaxDepth; ++i) deep_place += "[0]";
  const Fault faults[] = {
      {"", "line 1, column 1", "unexpected end of input", ""},
      {"{\"a\": 1,\n \"b\": }", "line 2, column 7", "unexpected '}'", ""},
      {"[1, 2", "line 1, column 6", "unexpected end of input", "']'"},
      {"[1] 2", "line 1, column 5", "unexpected number literal", "end of input"},
      {"{\"é\": x}", "line 1, column 7", "invalid literal", "valid JSON"},
      {"[\"a\xff\"]", "line 1, column 4", "ill-formed UTF-8", "valid JSON"},
      {"[\"\xc0\x80\"]", "line 1, column 3", "ill-formed UTF-8", "valid JSON"},
      {"[\"\\ud800\"]", "line 1, column 9", "surrogate", "valid JSON"},
      {"[\"a\nb\"]", "line 1, column 4", "control character", "valid JSON"},
      {"[01]", "line 1, column 3", "unexpected number literal", "']'"},
      {std::string("[1]\0[2]", 7), "line 1, column 4", "a NUL byte", "valid JSON"},
      {"[nan]", "line 1, column 3", "invalid literal", "valid JSON"},
      {"[1e400]", "line 1, column 6", "the number '1e400'", "nearest double is finite"},
      {"{\"a\": {\"b\": 1, \"c\": 2, \"b\": 3}}", "a", "the key \"b\" twice", "at most once"},
      {"[0, {\"k\": 1, \"k\": 1}]", "[1]", "the key \"k\" twice", "at most once"},
      {deep_list, deep_place, "more than 64 deep", "less nesting"},
  };
  for (const Fault& fault : faults) {
    SCOPED_TRACE(fault.text);
    try {
      static_cast<void>(parse(fault.text));
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), fault.place);
      EXPECT_NE(error.found().find(fault.found), std::string::npos) << error.found();
      EXPECT_NE(error.expected().find(fault.expected), std::string::npos) << error.expected();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

TEST(JsonParse, AllowsTheDeepestNestingAndNoMore) {
  const auto nested = [](int depth) {
    const auto n = static_cast<std::size_t>(depth);
    return std::string(n, '[') + std::string(n, ']');
  };
  EXPECT_NO_THROW(static_cast<void>(parse(nested(kMaxDepth))));
  EXPECT_THROW(static_cast<void>(parse(nested(kMaxDepth + 1))), Error);
  EXPECT_THROW(static_cast<void>(parse(std::string(1'000'000, '['))), Error);
}

TEST(JsonParse, RefusesTextThatIsTooLong) {
  std::string text(kMaxBytes + 1, ' ');
  text.front() = '1';
  try {
    static_cast<void>(parse(text));
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.found(), "more than 64 MiB of text");
  }
}

TEST(JsonDescribe, IsShortAndPrintable) {
  EXPECT_EQ(describe(parse("12")), "the number 12");
  EXPECT_EQ(describe(parse("\"a\\nb\"")), "the string \"a\\nb\"");
  EXPECT_EQ(describe(parse("[]")), "an empty list");
  EXPECT_EQ(describe(parse("[1,2]")), "a list of 2");
  EXPECT_EQ(describe(parse("{}")), "an empty object");
  EXPECT_EQ(describe(parse("{\"a\":1}")), "an object");
  EXPECT_EQ(describe(parse("false")), "false");
  EXPECT_EQ(describe(parse("null")), "null");
  EXPECT_LT(describe(parse('"' + std::string(5000, 'x') + '"')).size(), 100U);
  EXPECT_LT(describe(parse("0." + std::string(5000, '1'))).size(), 100U);
}

}  // namespace
}  // namespace collapse::json
