#include "cli/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "cli/interrupt.hpp"
#include "collapse/core/error.hpp"

extern char** environ;

namespace collapse::cli {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// How long a signal may go unnoticed where it does not wake the call to the system.
constexpr int kPollMilliseconds = 100;

/// Out of the way of the numbers that children use.
int moved_up(int number) {
  const int up = ::fcntl(number, F_DUPFD_CLOEXEC, 20);
  const int why = errno;
  ::close(number);
  if (up < 0) throw Error("", std::strerror(why), "room for another open file");
  return up;
}

int exit_status(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void stop_if_interrupted() {
  if (InterruptGuard::requested()) throw Interrupted{};
}

/// What posix_spawn is told, freed at the end.
struct SpawnPlan {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    sigset_t defaults;
    ::sigemptyset(&defaults);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) ::sigaddset(&defaults, signal);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
};

}  // namespace

void Descriptor::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

Pipe::Pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw Error("", std::strerror(errno), "room for another pipe");
  }
  read = Descriptor(moved_up(ends[0]));
  write = Descriptor(moved_up(ends[1]));
}

Descriptor open_log(const std::string& file) {
  const int number =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  return number < 0 ? Descriptor() : Descriptor(moved_up(number));
}

std::optional<std::string> find_program(const std::vector<std::string>& names) {
  const char* const variable = std::getenv("PATH");
  const std::string path = variable == nullptr ? "/usr/bin:/bin" : variable;
  for (const std::string& name : names) {
    for (std::size_t begin = 0; begin <= path.size();) {
      const std::size_t end = std::min(path.find(':', begin), path.size());
      const std::string file = path.substr(begin, end - begin) + "/" + name;
      if (end > begin && ::access(file.c_str(), X_OK) == 0) return file;
      begin = end + 1;
    }
  }
  return std::nullopt;
}

Child::Child(const std::vector<std::string>& command,
             const std::vector<std::pair<int, int>>& descriptors) {
  SpawnPlan plan;
  for (int standard = 0; standard <= 2; ++standard) {
    const bool given = std::ranges::any_of(
        descriptors, [standard](const auto& pair) { return pair.second == standard; });
    if (given) continue;
    ::posix_spawn_file_actions_addopen(&plan.actions, standard, "/dev/null",
                                       standard == 0 ? O_RDONLY : O_WRONLY, 0);
  }
  for (const auto& [ours, theirs] : descriptors) {
    ::posix_spawn_file_actions_adddup2(&plan.actions, ours, theirs);
  }
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int fault =
      ::posix_spawn(&id_, arguments[0], &plan.actions, &plan.attributes, arguments.data(), environ);
  if (fault != 0) {
    id_ = -1;
    throw Error("", std::strerror(fault), "a program that can be started").in_file(command.front());
  }
}

Child::~Child() {
  if (id_ < 0) return;
  // Asked alone it can put an end to its own children; those that outlive it are ended with the group.
  ::kill(id_, SIGTERM);
  const auto patience = Clock::now() + 3s;
  while (running() && Clock::now() < patience) std::this_thread::sleep_for(10ms);
  if (id_ < 0) return;
  ::kill(-id_, SIGKILL);
  while (running()) std::this_thread::sleep_for(1ms);
}

bool Child::running() {
  if (id_ < 0) return false;
  const pid_t ended = ::waitpid(id_, &status_, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return true;
  ::kill(-id_, SIGKILL);
  id_ = -1;
  return false;
}

int Child::wait() {
  auto pause = 1ms;
  while (running()) {
    stop_if_interrupted();
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, 20ms);
  }
  return exit_status(status_);
}

bool wait_until_ready(int descriptor, bool to_write, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    stop_if_interrupted();
    pollfd wanted{descriptor, static_cast<short>(to_write ? POLLOUT : POLLIN), 0};
    if (::poll(&wanted, 1, kPollMilliseconds) > 0) return true;
    if (Clock::now() > end) return false;
  }
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    stop_if_interrupted();
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {
      static_cast<void>(wait_until_ready(descriptor, true, 1.0));
    } else if (written < 0 && errno != EINTR) {
      return false;
    }
  }
  return true;
}

Filtered filter(const std::vector<std::string>& command, std::string_view input) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe in;
  Pipe out;
  Pipe errors;
  Child child(command,
              {{in.read.number(), 0}, {out.write.number(), 1}, {errors.write.number(), 2}});
  in.read.close();
  out.write.close();
  errors.write.close();
  ::fcntl(in.write.number(), F_SETFL, O_NONBLOCK);
  Filtered result;
  const auto read_some = [](Descriptor& from, std::string& to) {
    char buffer[1 << 16];
    const ssize_t got = ::read(from.number(), buffer, sizeof buffer);
    if (got > 0) to.append(buffer, static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) from.close();
  };
  if (input.empty()) in.write.close();
  while (out.read.open() || errors.read.open()) {
    stop_if_interrupted();
    pollfd ends[] = {{in.write.number(), POLLOUT, 0},
                     {out.read.number(), POLLIN, 0},
                     {errors.read.number(), POLLIN, 0}};
    if (::poll(ends, 3, kPollMilliseconds) <= 0) continue;
    if (ends[0].revents != 0) {
      const ssize_t written = ::write(in.write.number(), input.data(), input.size());
      if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
      const bool gone = written < 0 && errno != EAGAIN && errno != EINTR;
      if (input.empty() || gone) in.write.close();
    }
    if (ends[1].revents != 0) read_some(out.read, result.output);
    if (ends[2].revents != 0) read_some(errors.read, result.errors);
  }
  result.status = child.wait();
  return result;
}

std::string last_line(const std::string& text) {
  constexpr std::size_t kLongest = 200;
  std::string line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (text.find_first_not_of(" \t\r\n", begin) < end) line = text.substr(begin, end - begin);
    begin = end + 1;
  }
  return printable(line, kLongest);
}

}  // namespace collapse::cli
