#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "collapse/core/error.hpp"
#include "io/trajectory_format.hpp"

namespace collapse {

void TrajectoryWriter::refuse(const std::string& found, const std::string& expected) const {
  throw Error("", found, expected).in_file(path_);
}

void TrajectoryWriter::open() {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) refuse(std::strerror(errno), "a file that can be written");
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(std::exchange(file_, -1));
    refuse("a file that another run is writing", "a file of its own");
  }
}

void TrajectoryWriter::cut(std::uint64_t bytes) {
  struct ::stat status = {};
  if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) return;  // a device has no length
  if (::ftruncate(file_, static_cast<::off_t>(bytes)) != 0 || ::lseek(file_, 0, SEEK_END) < 0) {
    refuse(std::strerror(errno), "a file that can be written");
  }
}

TrajectoryWriter::TrajectoryWriter(const std::string& path, const TrajectoryHeader& header,
                                   bool force)
    : path_(path) {
  struct ::stat status = {};
  const bool something = ::stat(path.c_str(), &status) == 0 && status.st_size > 0;
  if (something && S_ISREG(status.st_mode) && !force && !is_trajectory(path)) {
    refuse("a file that is not a trajectory",
           "a new file, or a trajectory to replace (--force replaces any file)");
  }
  open();
  try {
    cut(0);
    put(std::string(trajectory::kOpening) +
        trajectory::block(trajectory::kHeaderTag, trajectory::encode_header(header)) +
        trajectory::block(trajectory::kSceneTag, header.scene));
  } catch (...) {
    ::close(file_);
    throw;
  }
}

TrajectoryWriter::TrajectoryWriter(const std::string& path, std::uint64_t bytes) : path_(path) {
  open();
  try {
    cut(bytes);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

TrajectoryWriter::~TrajectoryWriter() { ::close(file_); }

void TrajectoryWriter::put(const std::string& bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ::ssize_t count = ::write(file_, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) refuse(std::strerror(errno), "room to write");
    written += static_cast<std::size_t>(count);
  }
}

template <int Dim>
void TrajectoryWriter::write(const Frame<Dim>& frame) {
  put(trajectory::block(trajectory::kFrameTag, trajectory::encode_frame(frame)));
}

template void TrajectoryWriter::write(const Frame<2>&);
template void TrajectoryWriter::write(const Frame<3>&);

template <int Dim>
void TrajectoryWriter::finish(const Frame<Dim>& last) {
  put(trajectory::block(trajectory::kEndTag, trajectory::encode_end(last.number + 1, last.hash)));
  // What is reported from now on must be true; some file systems tell only here that they are full.
  if (::fsync(file_) != 0 && errno != EINVAL && errno != EROFS) {
    refuse(std::strerror(errno), "room to write");
  }
}

template void TrajectoryWriter::finish(const Frame<2>&);
template void TrajectoryWriter::finish(const Frame<3>&);

}  // namespace collapse
