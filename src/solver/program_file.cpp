#include "collapse/solver/program_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "collapse/core/error.hpp"

namespace collapse {

namespace {

constexpr std::string_view kHeader = "collapse-program 1";

/// Pairs of a character and the letter that stands for it behind a backslash.
constexpr std::pair<char, char> kEscapes[] = {
    {'\\', '\\'}, {'"', '"'}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}};

// ── writing ─────────────────────────────────────────────────────────────────────────────────────

class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  template <class... Arguments>
  void text(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(fmt::appender(buffer_), format, std::forward<Arguments>(arguments)...);
  }
  void numbers(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) text(" {}", matrix(i, j));
    }
    end_line();
  }
  void quoted(std::string_view label) {
    buffer_.push_back('"');
    for (const char c : label) {
      char letter = 0;
      for (const auto& [character, escape] : kEscapes) {
        if (c == character) letter = escape;
      }
      if (letter != 0) buffer_.push_back('\\');
      buffer_.push_back(letter != 0 ? letter : c);
    }
    buffer_.push_back('"');
  }
  void end_line() {
    buffer_.push_back('\n');
    constexpr std::size_t kFull = 1 << 16;
    if (buffer_.size() > kFull) flush();
  }
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

 private:
  std::ostream& out_;
  fmt::memory_buffer buffer_;
};

/// Not a single bit set: −0 has to be written out.
bool is_plain_zero(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  for (const double entry : matrix.reshaped()) {
    if (entry != 0.0 || std::signbit(entry)) return false;
  }
  return true;
}

void write_block(Writer& writer, const Program& program, const Program::Block& block) {
  writer.text("block {}\nmass", block.size);
  if (is_plain_zero(program.mass(block))) {
    writer.text(" 0\n");
  } else {
    writer.numbers(program.mass(block));
  }
  writer.text("linear");
  writer.numbers(program.linear().segment(block.first, block.size));
}

void write_group(Writer& writer, const Program& program, const Program::Group& group) {
  writer.text("group {} {}", to_string(group.cone), group.rows);
  if (group.compliance != 0.0) writer.text(" compliance {}", group.compliance);
  if (group.id != 0) writer.text(" id {}", group.id);
  if (const std::string_view label = program.label(group); !label.empty()) {
    writer.text(" label ");
    writer.quoted(label);
  }
  writer.text("\nbounds");
  writer.numbers(program.bounds().segment(group.first_row, group.rows));
  for (const Program::Term& term : program.terms(group)) {
    writer.text("term {}", term.block);
    writer.numbers(program.coefficients(group, term));
  }
}

// ── reading ─────────────────────────────────────────────────────────────────────────────────────

/// The lines that mean something, one at a time, and the words of the present one.
class Lines {
 public:
  explicit Lines(std::istream& in) : in_(in) {}

  /// Goes to the next line; false at the end of the text.
  bool next() {
    do {
      ++number_;
      if (!std::getline(in_, line_)) {
        line_.clear();
        rest_ = {};
        return false;
      }
      if (!line_.empty() && line_.back() == '\r') line_.pop_back();
      rest_ = line_;
      skip_blanks();
    } while (rest_.empty() || rest_.front() == '#');
    return true;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] std::string_view peek() const {
    return {rest_.begin(), std::find_if(rest_.begin(), rest_.end(), is_blank)};
  }
  std::string_view word() {
    const std::string_view result = peek();
    rest_.remove_prefix(result.size());
    skip_blanks();
    return result;
  }
  /// Takes the word if it is this one.
  bool accept(std::string_view keyword) {
    if (peek() != keyword) return false;
    word();
    return true;
  }
  [[noreturn]] void refuse(std::string_view found, std::string_view expected) const {
    throw Error(fmt::format("line {}", number_), std::string(found), std::string(expected));
  }
  [[noreturn]] void refuse_word(std::string_view word, std::string_view expected) const {
    refuse(word.empty() ? "the end of the line" : quote(word), expected);
  }
  void expect_end(std::string_view expected) const {
    if (!rest_.empty()) refuse_word(peek(), expected);
  }
  static std::string quote(std::string_view word) {
    return fmt::format("\"{}\"", printable(std::string(word)));
  }

  template <class Integer>
  Integer integer(Integer low, Integer high, std::string_view what) {
    const std::string_view digits = word();
    Integer value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc{} && end == digits.data() + digits.size();
    if (!whole || value < low || value > high) {
      refuse_word(digits, fmt::format("{} from {} to {}", what, low, high));
    }
    return value;
  }
  double number() {
    const std::string_view digits = word();
    double value = 0.0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value)) {
      refuse_word(digits, "a finite number");
    }
    return value;
  }
  /// All numbers of the line; it grows with what is really there, not with what was announced.
  void numbers(std::vector<double>& values) {
    values.clear();
    while (!rest_.empty()) values.push_back(number());
  }
  std::string quoted() {
    if (rest_.empty() || rest_.front() != '"') refuse_word(peek(), "a label in quotation marks");
    std::string result;
    std::size_t at = 1;
    for (; at < rest_.size() && rest_[at] != '"'; ++at) {
      result += rest_[at] == '\\' ? unescaped(++at) : rest_[at];
    }
    if (at >= rest_.size()) refuse_word(rest_, "a quotation mark at the end of the label");
    rest_.remove_prefix(at + 1);
    skip_blanks();
    return result;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  void skip_blanks() {
    rest_ = {std::find_if_not(rest_.begin(), rest_.end(), is_blank), rest_.end()};
  }
  char unescaped(std::size_t at) const {
    const char letter = at < rest_.size() ? rest_[at] : '\0';
    for (const auto& [character, escape] : kEscapes) {
      if (letter == escape) return character;
    }
    refuse_word(rest_, R"(one of \\, \", \n, \r, \t in a label)");
  }

  std::istream& in_;
  std::string line_;
  std::string_view rest_;  ///< of line_
  int number_ = 0;
};

class Reader {
 public:
  Reader(std::istream& in, const ProgramLimits& limits) : lines_(in), limits_(limits) {}

  Program read() {
    if (!lines_.next()) lines_.refuse("the end of the text", fmt::format("\"{}\"", kHeader));
    if (lines_.rest() != kHeader) {
      lines_.refuse(Lines::quote(lines_.rest()), fmt::format("\"{}\"", kHeader));
    }
    next_line("block, group or end");
    while (!lines_.accept("end")) read_block_or_group();
    lines_.expect_end("the end of the line");
    if (lines_.next()) lines_.refuse_word(lines_.peek(), "nothing after the end of the program");
    return std::move(program_);
  }

 private:
  void read_block_or_group() {
    if (lines_.accept("block")) {
      read_block();
    } else if (lines_.accept("group")) {
      read_group();
    } else {
      const bool in_group = !program_.groups().empty();
      lines_.refuse_word(lines_.peek(),
                         in_group ? "term, block, group or end" : "block, group or end");
    }
  }

  void read_block() {
    const int size = lines_.integer(0, limits_.block_size, "a size");
    lines_.expect_end("the end of the line after the size");
    count(std::int64_t{size} * size + size);
    Eigen::MatrixXd mass;
    read_mass(size, mass);
    begin_line("linear");
    read_numbers(size, "one number per variable");
    program_.add_block(mass, Eigen::Map<const Eigen::VectorXd>(numbers_.data(), size));
    group_of_block_.push_back(-1);
    next_line("block, group or end");
  }

  void read_mass(int size, Eigen::MatrixXd& mass) {
    begin_line("mass");
    lines_.numbers(numbers_);
    if (numbers_.size() == 1 && numbers_[0] == 0.0 && size != 1) {
      mass.setZero(size, size);
      return;
    }
    demand_count(std::int64_t{size} * size, "the rows of a square matrix, or 0");
    mass = by_rows(size, size);
    check_mass(mass);
  }

  /// Masses are products of rotations and inertias: symmetric to rounding, in the scale that their
  /// diagonal sets.
  void check_mass(const Eigen::MatrixXd& mass) const {
    constexpr double kRounding = 1e-10;
    for (Eigen::Index i = 0; i < mass.rows(); ++i) {
      if (mass(i, i) < 0.0) {
        lines_.refuse(fmt::format("{} on the diagonal", mass(i, i)),
                      "a positive semidefinite mass");
      }
    }
    for (Eigen::Index i = 0; i < mass.rows(); ++i) {
      for (Eigen::Index j = 0; j < i; ++j) {
        const double scale = std::sqrt(mass(i, i)) * std::sqrt(mass(j, j));
        if (std::abs(mass(i, j) - mass(j, i)) <= kRounding * scale) continue;
        lines_.refuse(fmt::format("{} at ({}, {}) and {} at ({}, {})", mass(i, j), i + 1, j + 1,
                                  mass(j, i), j + 1, i + 1),
                      "a symmetric mass");
      }
    }
  }

  void read_group() {
    const Cone cone = read_cone();
    const int rows = lines_.integer(1, limits_.group_rows, "a number of rows");
    Program::Traits traits;
    std::string label;
    if (lines_.accept("compliance")) traits.compliance = read_compliance();
    if (lines_.accept("id")) traits.id = lines_.integer<std::uint64_t>(0, UINT64_MAX, "an id");
    if (lines_.accept("label")) label = lines_.quoted();
    traits.label = label;
    lines_.expect_end("the end of the line, or compliance, id, label in this order");
    count(rows);
    begin_line("bounds");
    read_numbers(rows, "one number per row");
    program_.begin_group(cone, Eigen::Map<const Eigen::VectorXd>(numbers_.data(), rows), traits);
    next_line("term, block, group or end");
    while (lines_.accept("term")) read_term(rows);
  }

  Cone read_cone() {
    const std::string_view word = lines_.word();
    for (const Cone cone : {Cone::zero, Cone::nonnegative, Cone::second_order}) {
      if (word == to_string(cone)) return cone;
    }
    lines_.refuse_word(word, "zero, nonnegative or second_order");
  }

  double read_compliance() {
    const double compliance = lines_.number();
    if (compliance < 0.0) lines_.refuse(fmt::format("{}", compliance), "a compliance of 0 or more");
    return compliance;
  }

  void read_term(int rows) {
    const auto blocks = static_cast<int>(program_.blocks().size());
    if (blocks == 0) lines_.refuse_word(lines_.peek(), "a block before the first term");
    const int block = lines_.integer(0, blocks - 1, "a block");
    const auto group = static_cast<int>(program_.groups().size()) - 1;
    int& group_of_block = group_of_block_[static_cast<std::size_t>(block)];
    if (group_of_block == group) {
      lines_.refuse(fmt::format("block {} again", block), "each block once in a group");
    }
    group_of_block = group;
    const int size = program_.blocks()[static_cast<std::size_t>(block)].size;
    count(std::int64_t{rows} * size);
    read_numbers(std::int64_t{rows} * size, "a row of the block's size for each row of the group");
    program_.add_term(block, by_rows(rows, size));
    next_line("term, block, group or end");
  }

  void next_line(std::string_view expected) {
    if (!lines_.next()) lines_.refuse("the end of the text", expected);
  }
  void begin_line(std::string_view keyword) {
    next_line(keyword);
    if (!lines_.accept(keyword)) lines_.refuse_word(lines_.peek(), keyword);
  }
  void read_numbers(std::int64_t expected, std::string_view meaning) {
    lines_.numbers(numbers_);
    demand_count(expected, meaning);
  }
  void demand_count(std::int64_t expected, std::string_view meaning) const {
    if (std::cmp_equal(numbers_.size(), expected)) return;
    lines_.refuse(fmt::format("{} numbers", numbers_.size()),
                  fmt::format("{}, {}", expected, meaning));
  }
  /// The numbers read last, as a matrix.
  [[nodiscard]] Eigen::MatrixXd by_rows(int rows, int columns) const {
    return Eigen::Map<const Eigen::MatrixXd>(numbers_.data(), columns, rows).transpose();
  }
  /// Keeps the total below the limit; a block or term without numbers counts as one.
  void count(std::int64_t numbers) {
    total_ += std::max<std::int64_t>(numbers, 1);
    if (total_ <= limits_.numbers) return;
    lines_.refuse(fmt::format("a program of {} numbers", total_),
                  fmt::format("at most {}", limits_.numbers));
  }

  Lines lines_;
  ProgramLimits limits_;
  Program program_;
  std::int64_t total_ = 0;
  std::vector<double> numbers_;      ///< of the line read last
  std::vector<int> group_of_block_;  ///< the last group with a term in each block
};

}  // namespace

void write_program(std::ostream& out, const Program& program) {
  Writer writer(out);
  writer.text("{}\n", kHeader);
  writer.text("# minimise 1/2 x'Mx - c'x subject to Gx - b + E lambda in K*, lambda in K\n");
  writer.text("# {} variables, {} rows\n", program.variables(), program.rows());
  for (const Program::Block& block : program.blocks()) write_block(writer, program, block);
  for (const Program::Group& group : program.groups()) write_group(writer, program, group);
  writer.text("end\n");
  writer.flush();
}

Program read_program(std::istream& in, const ProgramLimits& limits) {
  return Reader(in, limits).read();
}

}  // namespace collapse
