#pragma once
/// A browser without a window that draws pages for films.

#include <memory>
#include <string>

#include "cli/child.hpp"
#include "cli/command.hpp"

namespace collapse::cli {

/// Chromium, told what to do through two pipes (its remote debugging protocol), so that no port is opened. It draws
/// by software: films are the same with any graphics card and with none. Throws Error where there is no browser or it
/// fails, Interrupted after a signal.
class Browser {
 public:
  /// Keeps what it needs in `folder`, which must be there and is the caller's to remove.
  Browser(const std::string& folder, int width, int height);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// The address of a file may have a part behind a #.
  void open(const std::string& address);
  /// The value of a JavaScript expression; of a promise, what it comes to.
  Json evaluate(const std::string& expression);
  /// What is to be seen now, as a PNG.
  [[nodiscard]] std::string screenshot();

 private:
  Json call(const std::string& method, Json parameters);
  [[nodiscard]] std::string receive(double seconds);
  [[noreturn]] void fail(const std::string& found) const;
  [[noreturn]] void fail_at_end() const;

  std::string log_;  ///< file with what the browser says
  Descriptor to_browser_;
  Descriptor from_browser_;
  std::unique_ptr<Child> child_;
  std::string received_;  ///< the beginning of a message
  std::string session_;
  int calls_ = 0;
};

}  // namespace collapse::cli
