#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace collapse::cli {

/// A folder that is there as a whole or not at all, like OutputFile. One of that name is replaced if `ours` knows all
/// the names in it, and refused otherwise. Throws Error, with the name, where writing fails.
class OutputFolder {
 public:
  OutputFolder(const std::string& folder, std::function<bool(const std::string& name)> ours);
  /// Without `commit` nothing is left behind.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  void write(const std::string& name, std::string_view bytes);
  void commit();

 private:
  void refuse_others() const;

  std::filesystem::path folder_;
  std::filesystem::path temporary_;
  std::function<bool(const std::string&)> ours_;
};

}  // namespace collapse::cli
