// The tables of `collapse bench analytical` say what the sources say.

#include "benchmarks/analytical.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace collapse::benchmarks {
namespace {

void show_nothing(const std::string& /*text*/) {}

void expect_complete(const Table& table) {
  EXPECT_FALSE(table.rows.empty());
  for (const std::vector<double>& row : table.rows) {
    ASSERT_EQ(row.size(), table.columns.size()) << table.title;
    for (const double cell : row) EXPECT_TRUE(std::isfinite(cell)) << table.title;
  }
}

TEST(AnalyticalTables, OfTheCornerSayWhoHoldsWhat) {
  const Table table = corner_cases(show_nothing);
  expect_complete(table);
  for (const std::vector<double>& row : table.rows) {
    const double corner = row[0];
    const double force = row[1];
    const double algorithm = row[4];
    const double violation = row[5];
    const double error = row[6];
    const bool platt_breaks = algorithm == 1.0 && corner == 1.0 && force == 2.0;
    const bool improved_breaks = algorithm == 2.0 && force == -1.0;
    EXPECT_EQ(violation > 1e-8, platt_breaks || improved_breaks);
    if (algorithm == 3.0) {
      EXPECT_EQ(error > 1.0, corner == 2.0);
    } else if (algorithm == 4.0) {
      EXPECT_LT(error, 1e-8);
    }
  }
}

TEST(AnalyticalTables, OfTheFiguresOscillateForPlattAlone) {
  const Table table = corner_figures(show_nothing);
  expect_complete(table);
  for (const std::size_t platt : {std::size_t{1}, std::size_t{5}}) {
    int turns = 0;
    for (std::size_t i = 1; i < table.rows.size(); ++i) {
      if (table.rows[i][platt + 1] * table.rows[i - 1][platt + 1] < 0.0) ++turns;
      EXPECT_LT(std::abs(table.rows[i][platt + 2]), 1e-8);
      EXPECT_LT(std::abs(table.rows[i][platt + 3]), 1e-8);
    }
    EXPECT_GT(turns, 12);
  }
}

TEST(AnalyticalTables, OfCollisionsCountTheImpacts) {
  expect_complete(balls_in_line(show_nothing));
  const Table table = mass_ratios(show_nothing);
  expect_complete(table);
  for (const std::vector<double>& row : table.rows) {
    EXPECT_NEAR(row[1], row[2], 2.0);
    EXPECT_LT(row[4], 1e-9);
  }
}

}  // namespace
}  // namespace collapse::benchmarks
