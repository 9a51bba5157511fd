#include "cli/workshop.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>

#include "collapse/core/error.hpp"

namespace collapse::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

Workshop::Workshop() {
  std::string name = (fs::temp_directory_path() / "collapse-film-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error("", "that no temporary folder can be made", "room for one")
        .in_file(fs::temp_directory_path().string());
  }
  path_ = name;
}

Workshop::~Workshop() {
  // The last of the browser's processes may still be writing.
  std::error_code fault;
  for (int i = 0; i < 20; ++i) {
    fs::remove_all(path_, fault);
    if (!fs::exists(path_, fault)) return;
    ::usleep(50'000);
  }
}

std::string film_address(const std::string& file) {
  std::string address = "file://";
  for (const char c : file) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '-' ||
                       c == '_' || c == '.';
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address + "#film";
}

}  // namespace collapse::cli
