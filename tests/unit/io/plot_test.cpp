#include "collapse/io/plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "collapse/core/error.hpp"

namespace collapse::testing {
namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

PlotPanel small_panel() {
  return {"step", "error", {{"one", {{0.1, 1e-2}, {0.01, 1e-4}}}}, 0.0, "", {}};
}

TEST(Plot, HasAMarkForEveryPointThatCanBeShownAndOneInTheLegend) {
  PlotPanel panel = small_panel();
  panel.curves[0].points.emplace_back(0.05, 0.0);
  panel.curves[0].points.emplace_back(std::numeric_limits<double>::quiet_NaN(), 1.0);
  const std::string svg = draw_plots({panel});
  EXPECT_EQ(occurrences(svg, "<circle class=\"p0\""), 3U) << svg;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Plot, GivesACurveOfTheSameNameTheSameColourInAllPanels) {
  PlotPanel first = small_panel();
  PlotPanel second = small_panel();
  second.curves = {{"two", {{1.0, 1.0}}}, {"one", {{1.0, 1.0}, {2.0, 2.0}}}};
  const std::string svg = draw_plots({first, second});
  EXPECT_EQ(occurrences(svg, "<circle class=\"p0\""), 5U);  // with the legend's
  EXPECT_EQ(occurrences(svg, "<circle class=\"p1\""), 2U);
}

TEST(Plot, WritesPowersOfTenOnLongAxesAndPlainNumbersOnShortOnes) {
  PlotPanel panel = small_panel();
  panel.curves[0].points = {{0.02, 1e-9}, {0.1, 1e-1}};
  const std::string svg = draw_plots({panel});
  EXPECT_NE(svg.find(">10⁻⁶<"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">0.05<"), std::string::npos) << svg;
}

TEST(Plot, DrawsTheFloorAndSlopesAndExplainsThem) {
  PlotPanel panel = small_panel();
  panel.floor = 1e-6;
  panel.floor_name = "as far as is known";
  panel.slopes = {1.0, 2.0};
  const std::string svg = draw_plots({panel, panel});
  EXPECT_EQ(occurrences(svg, "class=\"floor\""), 3U);
  EXPECT_EQ(occurrences(svg, "class=\"slope\""), 5U);
  EXPECT_NE(svg.find("as far as is known"), std::string::npos);
  EXPECT_NE(svg.find(">order 1 and 2<"), std::string::npos) << svg;
}

TEST(Plot, DrawsPointsAloneSmallAndWithoutALine) {
  PlotPanel panel = small_panel();
  panel.curves[0].connected = false;
  const std::string svg = draw_plots({panel});
  EXPECT_EQ(occurrences(svg, "<circle class=\"p0\""), 3U);
  EXPECT_EQ(occurrences(svg, "class=\"c0\""), 0U) << svg;
  EXPECT_GT(occurrences(draw_plots({small_panel()}), "class=\"c0\""), 0U);
}

TEST(Plot, IsDrawnWithoutAnyPointToo) {
  const std::string svg = draw_plots({PlotPanel{}});
  EXPECT_TRUE(svg.ends_with("</svg>\n")) << svg;
  EXPECT_THROW(static_cast<void>(draw_plots({}, {.width = 10, .title = "", .subtitle = ""})),
               Error);
}

}  // namespace
}  // namespace collapse::testing
