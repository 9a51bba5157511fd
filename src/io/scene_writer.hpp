#pragma once
/// A scene file in space as it is being written: exact numbers, one body a line.

#include <optional>
#include <string>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse::foreign {

/// As JSON: a decimal number where there is one of at most 40 digits, else a fraction in quotes.
[[nodiscard]] std::string number_text(const Rational& value);
/// The same without quotes, for names.
[[nodiscard]] std::string plain_number(const Rational& value);
[[nodiscard]] std::string vector_text(const ExactVec<3>& value);
/// In quotes; bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_string(const std::string& text);

/// Of a file that is not JSON: `+1`, `.5`, `5.` and `007` are numbers there too. Throws Error.
[[nodiscard]] Rational foreign_number(std::string_view text, const std::string& place);

/// `"key":value` pairs in order.
class ObjectText {
 public:
  void add(const std::string& key, const std::string& value);
  [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

class SceneWriter {
 public:
  std::string name;
  ExactVec<3> gravity = ExactVec<3>(0, 0, Rational(-981) / 100);
  std::optional<Rational> step;  ///< of a simulation

  void add_material(const std::string& material, const Rational& density, const Rational& friction);
  void add_pair(const std::string& a, const std::string& b, const Rational& friction);
  void add_body(const ObjectText& body) { bodies_.push_back(body.text()); }
  void add_joint(const ObjectText& joint) { joints_.push_back(joint.text()); }
  void ignore(const std::string& a, const std::string& b);
  [[nodiscard]] bool empty() const { return bodies_.empty(); }

  /// `name`, or with a number after it where another body has that name; at most 200 bytes, no control characters.
  [[nodiscard]] std::string unique_name(const std::string& wanted);

  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> materials_;
  std::vector<std::string> pairs_;
  std::vector<std::string> bodies_;
  std::vector<std::string> joints_;
  std::vector<std::string> ignored_;
  std::vector<std::string> names_;
};

}  // namespace collapse::foreign
