#include "cli/frames.hpp"

#include <fmt/format.h>

#include <optional>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "collapse/core/error.hpp"

namespace collapse::cli {

void require_frames(const TrajectoryFile& file, const std::string& name) {
  if (file.frames() > 0) return;
  throw Error("", "a trajectory without a complete frame", "at least one")
      .in_file(display_name(name));
}

template <int Dim>
int for_each_good_frame(const TrajectoryReader<Dim>& file, const std::string& name,
                        const std::type_identity_t<std::function<void(Frame<Dim>&)>>& one) {
  Progress progress;
  for (std::int64_t i = 0; i < file.frames(); ++i) {
    if (InterruptGuard::requested()) return kInterrupted;
    if (i % 64 == 0) progress.show(fmt::format("frame {} of {}", i, file.frames()));
    std::optional<Frame<Dim>> frame;
    try {
      frame = file.frame(i);
    } catch (const Error& error) {
      // The frames before are worth having.
      progress.show("");
      fmt::print(stderr, "collapse: {}\n", error.what());
      return kBadInput;
    }
    one(*frame);
  }
  progress.show("");
  if (file.fault().empty()) return kDone;
  fmt::print(stderr, "collapse: {}: {}; the {} frames before are used\n", display_name(name),
             file.fault(), file.frames());
  return kBadInput;
}

template int for_each_good_frame(const TrajectoryReader<2>&, const std::string&,
                                 const std::function<void(Frame<2>&)>&);
template int for_each_good_frame(const TrajectoryReader<3>&, const std::string&,
                                 const std::function<void(Frame<3>&)>&);

}  // namespace collapse::cli
