/// Programs written and read back, and texts that are not programs.

#include "collapse/solver/program_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "collapse/core/random.hpp"
#include "tests/support/refusal.hpp"

namespace collapse {
namespace {

std::string written(const Program& program) {
  std::ostringstream out;
  write_program(out, program);
  return out.str();
}

Program read(const std::string& text, const ProgramLimits& limits = {}) {
  std::istringstream in(text);
  return read_program(in, limits);
}

template <class A, class B>
void expect_same_bits(const A& a, const B& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (Eigen::Index j = 0; j < a.cols(); ++j) {
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(double{a(i, j)}),
                std::bit_cast<std::uint64_t>(double{b(i, j)}));
    }
  }
}

void expect_same_group(const Program& a, const Program& b, std::size_t index) {
  const Program::Group& first = a.groups()[index];
  const Program::Group& second = b.groups()[index];
  EXPECT_EQ(first.cone, second.cone);
  EXPECT_EQ(first.rows, second.rows);
  EXPECT_EQ(first.compliance, second.compliance);
  EXPECT_EQ(first.id, second.id);
  EXPECT_EQ(a.label(first), b.label(second));
  ASSERT_EQ(first.terms, second.terms);
  for (std::size_t k = 0; k < a.terms(first).size(); ++k) {
    EXPECT_EQ(a.terms(first)[k].block, b.terms(second)[k].block);
    expect_same_bits(a.coefficients(first, a.terms(first)[k]),
                     b.coefficients(second, b.terms(second)[k]));
  }
}

void expect_same(const Program& a, const Program& b) {
  ASSERT_EQ(a.blocks().size(), b.blocks().size());
  for (std::size_t i = 0; i < a.blocks().size(); ++i) {
    expect_same_bits(a.mass(a.blocks()[i]), b.mass(b.blocks()[i]));
  }
  expect_same_bits(a.linear(), b.linear());
  expect_same_bits(a.bounds(), b.bounds());
  ASSERT_EQ(a.groups().size(), b.groups().size());
  for (std::size_t i = 0; i < a.groups().size(); ++i) expect_same_group(a, b, i);
}

/// Numbers of every size, among them the ones that are hard to write.
double any_number(Random& random) {
  constexpr double kHard[] = {0.0,
                              -0.0,
                              1.0 / 3.0,
                              5e-324,
                              std::numeric_limits<double>::min(),
                              std::numeric_limits<double>::max(),
                              -1e22,
                              9007199254740993.0};
  if (random.below(4) == 0) return kHard[random.below(std::size(kHard))];
  return std::ldexp(random.between(-1.0, 1.0), random.below(200) - 100);
}

Eigen::MatrixXd any_matrix(Random& random, int rows, int columns) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return any_number(random); });
}

Program any_program(Random& random) {
  Program program;
  const int blocks = random.below(6);
  for (int i = 0; i < blocks; ++i) {
    const int size = random.below(7);
    Eigen::MatrixXd mass = any_matrix(random, size, size);
    mass.triangularView<Eigen::StrictlyUpper>() = mass.transpose();
    mass.diagonal() = mass.diagonal().cwiseAbs();
    if (random.below(3) == 0) mass.setZero();
    program.add_block(mass, any_matrix(random, size, 1).col(0));
  }
  const int groups = random.below(6);
  constexpr Cone kCones[] = {Cone::zero, Cone::nonnegative, Cone::second_order};
  constexpr std::string_view kLabels[] = {"", "brick 3 on \"4\"", "a\\b\tc\r\nd", "μ = ½"};
  for (int i = 0; i < groups; ++i) {
    const int rows = 1 + random.below(4);
    program.begin_group(kCones[random.below(3)], any_matrix(random, rows, 1).col(0),
                        {.compliance = random.below(2) * std::abs(any_number(random)),
                         .id = random.below(2) == 0 ? 0 : random.bits(),
                         .label = kLabels[random.below(4)]});
    for (int block = 0; block < blocks; ++block) {
      if (random.below(2) == 0) continue;
      const int size = program.blocks()[static_cast<std::size_t>(block)].size;
      program.add_term(block, any_matrix(random, rows, size));
    }
  }
  return program;
}

TEST(ProgramFile, IsReadBackBitForBit) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Program program = any_program(random);
    const std::string text = written(program);
    const Program again = read(text);
    expect_same(program, again);
    EXPECT_EQ(written(again), text);
  }
}

TEST(ProgramFile, IsWrittenAsItsDocumentationSays) {
  Program program;
  program.add_block(Eigen::Vector3d(2.0, 2.0, 0.5).asDiagonal().toDenseMatrix(),
                    Eigen::Vector3d(0.0, -19.62, 0.0));
  program.begin_group(Cone::second_order, Eigen::Vector2d::Zero(),
                      {.compliance = 1e-6, .id = 17, .label = "brick 3 on brick 1"});
  program.add_term(0, Eigen::Matrix<double, 2, 3>::Identity());
  EXPECT_EQ(written(program),
            "collapse-program 1\n"
            "# minimise 1/2 x'Mx - c'x subject to Gx - b + E lambda in K*, lambda in K\n"
            "# 3 variables, 2 rows\n"
            "block 3\n"
            "mass 2 0 0 0 2 0 0 0 0.5\n"
            "linear 0 -19.62 0\n"
            "group second_order 2 compliance 1e-06 id 17 label \"brick 3 on brick 1\"\n"
            "bounds 0 0\n"
            "term 0 1 0 0 0 1 0\n"
            "end\n");
}

TEST(ProgramFile, MatricesAreReadRowByRow) {
  const Program program = read(
      "collapse-program 1\r\n\n  # made by hand\nblock 2\nmass 0\nlinear 0 0\n"
      "group zero 3\nbounds 0 0 0\n\tterm 0  1 2  3 4  5 6 \nend\n\n# done\n");
  const Program::Group& group = program.groups().front();
  Eigen::MatrixXd expected(3, 2);
  expected << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(program.coefficients(group, program.terms(group).front()), expected);
}

using testing::Refusal;

void expect_refused(const Refusal& refusal, const ProgramLimits& limits = {}) {
  testing::expect_refused(refusal, [&](const std::string& text) { return read(text, limits); });
}

/// Texts that go on after the first line and a good beginning.
struct After {
  std::string beginning;

  void expect_all_refused(std::vector<Refusal> refusals) const {
    for (Refusal& refusal : refusals) {
      refusal.text = "collapse-program 1\n" + beginning + refusal.text;
      expect_refused(refusal);
    }
  }
};

TEST(ProgramFile, RefusesTextsOfAnotherKind) {
  expect_refused({"", "line 1", "the end of the text", "collapse-program 1"});
  expect_refused({"collapse-program 2\nend\n", "line 1", "collapse-program 2", "program 1\""});
  expect_refused({"\n\n{\"collapse\": 1}", "line 3", "{\"collapse\": 1}", "program 1\""});
  After{""}.expect_all_refused({
      {"", "line 2", "the end of the text", "block, group or end"},
      {"row 3\nend\n", "line 2", "\"row\"", "block, group or end"},
      {"term 0 1\nend\n", "line 2", "\"term\"", "block, group or end"},
      {"end of it\n", "line 2", "\"of\"", "the end of the line"},
      {"end\n\nblock 1\n", "line 4", "\"block\"", "nothing after"},
  });
}

TEST(ProgramFile, RefusesBlocks) {
  After{""}.expect_all_refused({
      {"block\n", "line 2", "the end of the line", "a size from 0 to 10000"},
      {"block -1\n", "line 2", "\"-1\"", "a size from 0 to 10000"},
      {"block 10001\n", "line 2", "\"10001\"", "a size from 0 to 10000"},
      {"block 99999999999999999999\n", "line 2", "\"9999", "a size from 0 to 10000"},
      {"block 2.5\n", "line 2", "\"2.5\"", "a size from 0 to 10000"},
      {"block 1 1\n", "line 2", "\"1\"", "the end of the line"},
      {"block 1\nlinear 0\n", "line 3", "\"linear\"", "mass"},
      {"block 1\n", "line 3", "the end of the text", "mass"},
      {"block 1\nmass\n", "line 3", "0 numbers", "1, the rows of a square matrix"},
      {"block 2\nmass 1 0\n", "line 3", "2 numbers", "4, the rows of a square matrix, or 0"},
      {"block 2\nmass 1 0 0 1 0\n", "line 3", "5 numbers", "4, the rows"},
      {"block 2\nmass 1 0 x 1\n", "line 3", "\"x\"", "a finite number"},
      {"block 2\nmass 1 0 0 1e\n", "line 3", "\"1e\"", "a finite number"},
      {"block 1\nmass nan\n", "line 3", "\"nan\"", "a finite number"},
      {"block 1\nmass inf\n", "line 3", "\"inf\"", "a finite number"},
      {"block 1\nmass 1e999\n", "line 3", "\"1e999\"", "a finite number"},
      {"block 1\nmass -1\n", "line 3", "-1 on the diagonal", "a positive semidefinite mass"},
      {"block 2\nmass 1 0.5 0.25 1\n", "line 3", "0.25 at (2, 1) and 0.5 at (1, 2)", "symmetric"},
      {"block 2\nmass 0 1e-300 0 0\n", "line 3", "1e-300 at (1, 2)", "a symmetric mass"},
      {"block 1\nmass 1\nlinear\n", "line 4", "0 numbers", "1, one number per variable"},
      {"block 1\nmass 1\nlinear -inf\n", "line 4", "\"-inf\"", "a finite number"},
      {"block 1\nmass 1\nlinear 0\n", "line 5", "the end of the text", "block, group or end"},
  });
}

TEST(ProgramFile, RefusesGroups) {
  After{"block 1\nmass 1\nlinear 0\n"}.expect_all_refused({
      {"group\n", "line 5", "the end of the line", "zero, nonnegative or second_order"},
      {"group cone 1\n", "line 5", "\"cone\"", "zero, nonnegative or second_order"},
      {"group zero\n", "line 5", "the end of the line", "a number of rows from 1 to"},
      {"group zero 0\n", "line 5", "\"0\"", "a number of rows from 1 to"},
      {"group zero 1 compliance\n", "line 5", "the end of the line", "a finite number"},
      {"group zero 1 compliance -1e-9\n", "line 5", "-1e-09", "a compliance of 0 or more"},
      {"group zero 1 compliance nan\n", "line 5", "\"nan\"", "a finite number"},
      {"group zero 1 id -3\n", "line 5", "\"-3\"", "an id from 0 to"},
      {"group zero 1 id 18446744073709551616\n", "line 5", "\"18446744073709551616\"", "an id"},
      {"group zero 1 id 3 compliance 1\n", "line 5", "\"compliance\"", "in this order"},
      {"group zero 1 label a\n", "line 5", "\"a\"", "a label in quotation marks"},
      {"group zero 1 label \"a\n", "line 5", "\"\"a\"", "a quotation mark at the end"},
      {"group zero 1 label \"a\\q\"\n", "line 5", "a\\q", "one of"},
      {"group zero 1 label \"a\\", "line 5", "a\\", "one of"},
      {"group zero 1 label \"a\" b\n", "line 5", "\"b\"", "the end of the line"},
      {"group zero 1\nterm 0 1\n", "line 6", "\"term\"", "bounds"},
      {"group zero 2\nbounds 0\n", "line 6", "1 numbers", "2, one number per row"},
      {"group zero 1\nbounds inf\n", "line 6", "\"inf\"", "a finite number"},
      {"group zero 1\nbounds 0\n", "line 7", "the end of the text", "term, block, group or end"},
      {"group zero 1\nbounds 0\nrow\n", "line 7", "\"row\"", "term, block, group or end"},
  });
}

TEST(ProgramFile, RefusesTerms) {
  After{"block 2\nmass 0\nlinear 0 0\ngroup nonnegative 1\nbounds 0\n"}.expect_all_refused({
      {"term\n", "line 7", "the end of the line", "a block from 0 to 0"},
      {"term 1 1 0\n", "line 7", "\"1\"", "a block from 0 to 0"},
      {"term -1 1 0\n", "line 7", "\"-1\"", "a block from 0 to 0"},
      {"term 0 1\n", "line 7", "1 numbers", "2, a row of the block's size"},
      {"term 0 1 0 0\n", "line 7", "3 numbers", "2, a row of the block's size"},
      {"term 0 1 nan\n", "line 7", "\"nan\"", "a finite number"},
      {"term 0 1 0\nterm 0 0 1\n", "line 8", "block 0 again", "each block once in a group"},
      {"term 0 1 0\n", "line 8", "the end of the text", "term, block, group or end"},
  });
  After{""}.expect_all_refused(
      {{"group zero 1\nbounds 0\nterm 0 1\n", "line 4", "\"0\"", "a block before"}});
}

TEST(ProgramFile, RefusesProgramsOverTheLimits) {
  const std::string text =
      "collapse-program 1\nblock 2\nmass 0\nlinear 0 0\ngroup zero 2\nbounds 0 0\n"
      "term 0 1 2 3 4\nend\n";
  EXPECT_EQ(read(text, {.block_size = 2, .group_rows = 2, .numbers = 12}).variables(), 2);
  expect_refused({text, "line 2", "\"2\"", "a size from 0 to 1"}, {.block_size = 1});
  expect_refused({text, "line 5", "\"2\"", "rows from 1 to 1"}, {.group_rows = 1});
  expect_refused({text, "line 2", "6 numbers", "at most 5"}, {.numbers = 5});
  expect_refused({text, "line 5", "8 numbers", "at most 7"}, {.numbers = 7});
  expect_refused({text, "line 7", "12 numbers", "at most 11"}, {.numbers = 11});
}

}  // namespace
}  // namespace collapse
