#pragma once
/// Other programs as children: converters of pictures, encoders of films, the browser that draws them.

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace collapse::cli {

/// Thrown where a child is waited for and the user has had enough (cli/interrupt.hpp).
struct Interrupted {};

/// A file descriptor that is closed at the end and that no child inherits by itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool open() const { return number_ >= 0; }
  void close();

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
  Pipe();
};

/// A new or emptied file that a child may write to. Not open where that cannot be.
[[nodiscard]] Descriptor open_log(const std::string& file);

/// Path of the first of these programs that PATH has.
[[nodiscard]] std::optional<std::string> find_program(const std::vector<std::string>& names);

/// A running program. It is in a process group of its own, so that Ctrl-C reaches it only through this one; the
/// whole group is ended with it, and it leaves no zombie.
class Child {
 public:
  /// `descriptors` are (ours, theirs), ours as this header makes them: out of the way of theirs. Those of 0, 1 and 2 that are not among them are the null device.
  Child(const std::vector<std::string>& command,
        const std::vector<std::pair<int, int>>& descriptors);
  /// Ends it, kindly first.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for its end: the exit status, 128 and more for a signal. Throws Interrupted.
  [[nodiscard]] int wait();
  [[nodiscard]] bool running();

 private:
  pid_t id_ = -1;
  int status_ = 0;
};

/// Waits until `descriptor` can be written (or read). False after `seconds`. Throws Interrupted.
[[nodiscard]] bool wait_until_ready(int descriptor, bool to_write, double seconds);

/// All of `bytes`; false where the other end is gone. SIGPIPE must be ignored. Throws Interrupted.
[[nodiscard]] bool write_all(int descriptor, std::string_view bytes);

struct Filtered {
  int status = 0;
  std::string output;
  std::string errors;
};
/// Runs a program over `input`.
[[nodiscard]] Filtered filter(const std::vector<std::string>& command, std::string_view input);

/// The last line of a program's complaints that says something, made printable.
[[nodiscard]] std::string last_line(const std::string& text);

}  // namespace collapse::cli
