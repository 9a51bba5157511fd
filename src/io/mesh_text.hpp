#pragma once
/// What the readers of mesh files share: lines, words, numbers as such files write them, limits.

#include <optional>
#include <string>
#include <string_view>

#include "collapse/geometry/dim.hpp"

namespace collapse::mesh_text {

/// Lines without their ends (\n, \r\n or \r alone), counted from 1.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  std::string_view next();
  /// `line 17`: the one that `next` gave last.
  [[nodiscard]] std::string place() const { return "line " + std::to_string(number_); }
  /// What `next` has not given yet.
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// The first word, taken off `line`; empty if there is none.
std::string_view take_word(std::string_view& line);

/// `word` in quotes, or "the end of the line".
[[nodiscard]] std::string told(std::string_view word);

/// Whether they are the same but for upper and lower case; `word` is written in lower case.
[[nodiscard]] bool is_word(std::string_view text, std::string_view word);

/// A decimal number exactly as written; unlike in a scene `+1`, `.5`, `5.` and `007` are numbers, too.
[[nodiscard]] std::optional<Rational> parse_decimal(std::string_view word);

/// Takes x, y, z off `line`. Throws Error at `place` where one is missing or no number.
[[nodiscard]] ExactVec<3> take_point(std::string_view& line, const std::string& place);

/// `value` exactly. Throws Error at `place` if it is not a number or infinite.
[[nodiscard]] Rational exact_coordinate(double value, const std::string& place);

/// Throw Error at `place` where a mesh would grow beyond its limits.
void check_vertex_count(std::size_t count, const std::string& place);
void check_face_count(std::size_t count, const std::string& place);
void check_corner_count(std::size_t count, const std::string& place);

}  // namespace collapse::mesh_text
