#pragma once

#include <filesystem>
#include <string>

namespace collapse::cli {

/// A folder for what a film or a picture is made of, gone at the end.
class Workshop {
 public:
  Workshop();
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Where a browser finds the page in a file, without its controls.
[[nodiscard]] std::string film_address(const std::string& file);

}  // namespace collapse::cli
