#include "cli/output_file.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "collapse/core/error.hpp"

namespace collapse::cli {

OutputFile::OutputFile(const std::string& file) : file_(file) {
  if (file == "-") {
    out_ = stdout;
    return;
  }
  // A rename would put a plain file in the place of a device or pipe.
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  const bool special = std::filesystem::is_other(status) ||
                       status.type() == std::filesystem::file_type::character ||
                       status.type() == std::filesystem::file_type::fifo;
  if (!special) temporary_ = fmt::format("{}.part{}", file, ::getpid());
  out_ = std::fopen(special ? file.c_str() : temporary_.c_str(), "wb");
  if (out_ == nullptr) fail();
}

OutputFile::~OutputFile() {
  if (out_ == nullptr || out_ == stdout) return;
  std::fclose(out_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), out_) != text.size()) fail();
}

void OutputFile::commit() {
  if (std::fflush(out_) != 0) fail();
  if (out_ == stdout) return;
  // Some file systems tell only when closing that they are full.
  bool good = std::fclose(std::exchange(out_, nullptr)) == 0;
  if (!temporary_.empty()) {
    good = good && std::rename(temporary_.c_str(), file_.c_str()) == 0;
    const int why = errno;
    if (!good) std::remove(temporary_.c_str());
    errno = why;
  }
  if (!good) fail();
}

void OutputFile::fail() const {
  const std::string why = std::strerror(errno);
  if (file_ == "-") throw Error("standard output", why, "room to write");
  throw Error("", why, "a file that can be written").in_file(file_);
}

}  // namespace collapse::cli
