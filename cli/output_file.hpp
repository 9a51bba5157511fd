#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace collapse::cli {

/// A file that is there as a whole or not at all: it gets its name when it is complete. `-` is standard
/// output; that and devices are written as it comes. Throws Error, with the file's name, where writing fails.
class OutputFile {
 public:
  explicit OutputFile(const std::string& file);
  /// Without `commit` nothing is left behind.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail() const;

  std::string file_;
  std::string temporary_;  ///< empty if written directly
  std::FILE* out_ = nullptr;
};

}  // namespace collapse::cli
