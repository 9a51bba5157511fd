#pragma once
/// The tool as a user or a script meets it: a folder of its own, exit statuses, streams, files.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "scenes/gallery.hpp"

namespace collapse::testing {

namespace fs = std::filesystem;

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

inline std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

class Tool : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("collapse-" + std::string(info->name()) + "-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Outcome run(const std::string& arguments, const std::string& input = "") {
    write("stdin", input);
    const std::string command = "cd '" + folder_.string() + "' && '" COLLAPSE_TOOL_PATH "' " +
                                arguments + " <stdin >stdout 2>stderr";
    const int status = std::system(command.c_str());
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(folder_ / "stdout"),
                    content(folder_ / "stderr")};
    for (const char* name : {"stdin", "stdout", "stderr"}) fs::remove(folder_ / name);
    return outcome;
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  void write_gallery(const std::string& name, const std::string& scene,
                     const std::map<std::string, std::string>& options = {}) {
    write(name, scenes::make_scene(scene, options));
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

/// One line, with the tool's name in front.
inline void expect_one_line(const std::string& text) {
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  EXPECT_TRUE(text.starts_with("collapse: ")) << text;
}

}  // namespace collapse::testing
