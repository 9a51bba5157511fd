#include "io/mesh_text.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/core/error.hpp"
#include "collapse/io/mesh_file.hpp"
#include "collapse/io/place.hpp"

namespace collapse::mesh_text {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

void check_count(std::size_t count, std::size_t limit, const char* things,
                 const std::string& place) {
  if (count <= limit) return;
  throw Error(place, std::to_string(count) + " " + things,
              "at most " + std::to_string(limit) + " " + things);
}

}  // namespace

std::string_view Lines::next() {
  const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
  const std::string_view line = rest_.substr(0, end);
  const std::size_t length = rest_.substr(end).starts_with("\r\n") ? 2 : 1;
  rest_.remove_prefix(std::min(end + length, rest_.size()));
  ++number_;
  return line;
}

std::string_view take_word(std::string_view& line) {
  const auto begin = std::find_if_not(line.begin(), line.end(), is_blank);
  const auto end = std::find_if(begin, line.end(), is_blank);
  const std::string_view word(begin, end);
  line.remove_prefix(static_cast<std::size_t>(end - line.begin()));
  return word;
}

std::string told(std::string_view word) {
  return word.empty() ? "the end of the line" : in_quotes(word);
}

bool is_word(std::string_view text, std::string_view word) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [&](char a, char b) { return lower(a) == b; });
}

std::optional<Rational> parse_decimal(std::string_view word) {
  if (word.size() > 2 * static_cast<std::size_t>(kMaxDigits)) return std::nullopt;
  std::string plain;
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) {
    if (word.front() == '-') plain = "-";
    word.remove_prefix(1);
  }
  const auto digits_at = [&](std::size_t from) {
    std::size_t count = 0;
    while (from + count < word.size() && is_decimal_digit(word[from + count])) ++count;
    return word.substr(from, count);
  };
  std::string_view whole = digits_at(0);
  word.remove_prefix(whole.size());
  std::string_view decimals;
  if (word.starts_with('.')) {
    decimals = digits_at(1);
    word.remove_prefix(1 + decimals.size());
  }
  if (whole.empty() && decimals.empty()) return std::nullopt;
  if (word.starts_with('/')) return std::nullopt;
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  plain += whole.empty() ? "0" : std::string(whole);
  if (!decimals.empty()) plain += "." + std::string(decimals);
  return parse_rational(plain + std::string(word));
}

ExactVec<3> take_point(std::string_view& line, const std::string& place) {
  ExactVec<3> point;
  for (int k = 0; k < 3; ++k) {
    const std::string_view word = take_word(line);
    std::optional<Rational> coordinate = parse_decimal(word);
    if (!coordinate) throw Error(place, told(word), "three coordinates: decimal numbers");
    point[k] = std::move(*coordinate);
  }
  return point;
}

Rational exact_coordinate(double value, const std::string& place) {
  if (!std::isfinite(value)) {
    throw Error(place,
                std::isnan(value) ? "a coordinate that is not a number" : "an infinite coordinate",
                "three finite numbers");
  }
  return Rational(value);
}

void check_vertex_count(std::size_t count, const std::string& place) {
  check_count(count, kMaxMeshVertices, "vertices", place);
}
void check_face_count(std::size_t count, const std::string& place) {
  check_count(count, kMaxMeshFaces, "faces", place);
}
void check_corner_count(std::size_t count, const std::string& place) {
  check_count(count, kMaxFaceCorners, "corners of a face", place);
}

}  // namespace collapse::mesh_text
