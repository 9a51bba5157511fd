#include "cli/output_folder.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <utility>

#include "cli/output_file.hpp"
#include "collapse/core/error.hpp"

namespace collapse::cli {
namespace fs = std::filesystem;

namespace {

void demand_written(const std::error_code& fault, const fs::path& folder) {
  if (!fault) return;
  throw Error("", fault.message(), "a folder that can be written").in_file(folder.string());
}

}  // namespace

OutputFolder::OutputFolder(const std::string& folder,
                           std::function<bool(const std::string& name)> ours)
    : folder_(folder),
      temporary_(fmt::format("{}.part{}", folder, ::getpid())),
      ours_(std::move(ours)) {
  refuse_others();
  std::error_code fault;
  fs::create_directory(temporary_, fault);
  demand_written(fault, folder_);
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

/// The folder's name is made up, and what others keep under it is theirs.
void OutputFolder::refuse_others() const {
  std::error_code fault;
  if (!fs::exists(fs::symlink_status(folder_, fault))) return;
  bool all = fs::is_directory(fs::symlink_status(folder_, fault));
  if (all) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, fault)) {
      all = all && entry.is_regular_file(fault) && ours_(entry.path().filename().string());
    }
  }
  if (all && !fault) return;
  throw Error("", "something that was not exported", "a name that is free")
      .in_file(folder_.string());
}

void OutputFolder::write(const std::string& name, std::string_view bytes) {
  OutputFile file((temporary_ / name).string());
  file.write(bytes);
  file.commit();
}

void OutputFolder::commit() {
  refuse_others();
  std::error_code fault;
  fs::remove_all(folder_, fault);
  demand_written(fault, folder_);
  fs::rename(temporary_, folder_, fault);
  demand_written(fault, folder_);
  temporary_.clear();
}

}  // namespace collapse::cli
