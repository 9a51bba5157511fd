#pragma once

#include <stdexcept>
#include <string>

namespace collapse {

/// Input that cannot be used. One line for the user: file, place, what was found, what was
/// expected.
class Error : public std::runtime_error {
 public:
  /// `place` is a path into the input (`bodies[3].box[1]`, `line 4, column 7`), empty for all of
  /// it.
  Error(std::string place, std::string found, std::string expected);

  /// The same error, told of the file it is about.
  [[nodiscard]] Error in_file(const std::string& file) const;

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] const std::string& found() const { return found_; }
  [[nodiscard]] const std::string& expected() const { return expected_; }

 private:
  Error(std::string file, std::string place, std::string found, std::string expected);

  std::string file_;
  std::string place_;
  std::string found_;
  std::string expected_;
};

/// `text` made safe to print on one line: control characters escaped, cut after `limit` bytes.
[[nodiscard]] std::string printable(const std::string& text, std::size_t limit = 60);

}  // namespace collapse
