#include "cli/browser.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string_view>

#include "collapse/core/error.hpp"

namespace collapse::cli {
namespace {

/// Pages of hundreds of megabytes take their time to open.
constexpr double kPatience = 300.0;  // seconds

const std::vector<std::string> kBrowsers{"chromium", "chromium-browser", "google-chrome",
                                         "google-chrome-stable"};

std::vector<std::string> command_line(const std::string& program, const std::string& folder,
                                      int width, int height) {
  std::vector<std::string> command{program,
                                   "--headless=new",
                                   "--remote-debugging-pipe",
                                   "--user-data-dir=" + folder + "/profile",
                                   fmt::format("--window-size={},{}", width, height),
                                   "--force-device-scale-factor=1",
                                   "--force-color-profile=srgb",
                                   "--hide-scrollbars",
                                   "--mute-audio",
                                   "--use-angle=swiftshader",
                                   "--enable-unsafe-swiftshader",
                                   "--disable-gpu-compositing",
                                   "--disable-dev-shm-usage",
                                   "--no-first-run",
                                   "--no-default-browser-check",
                                   "--disable-extensions",
                                   "--disable-sync",
                                   "--disable-component-update",
                                   "--disable-background-networking",
                                   "--disable-crash-reporter",
                                   "--disable-breakpad"};
  // Its sandbox refuses to run as the superuser; the page is ours, and asks nothing of the network.
  if (::geteuid() == 0) command.emplace_back("--no-sandbox");
  command.emplace_back("about:blank");
  return command;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    std::uint32_t digit = 0;
    if (c >= 'A' && c <= 'Z') {
      digit = static_cast<std::uint32_t>(c - 'A');
    } else if (c >= 'a' && c <= 'z') {
      digit = static_cast<std::uint32_t>(c - 'a') + 26;
    } else if (c >= '0' && c <= '9') {
      digit = static_cast<std::uint32_t>(c - '0') + 52;
    } else if (c == '+' || c == '/') {
      digit = c == '+' ? 62 : 63;
    } else {
      break;  // padding
    }
    bits = (bits << 6U) | digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> count) & 0xFFU);
  }
  return bytes;
}

}  // namespace

Browser::Browser(const std::string& folder, int width, int height) : log_(folder + "/browser.log") {
  const std::optional<std::string> program = find_program(kBrowsers);
  if (!program) {
    throw Error("--output", "no browser, which draws the frames of a film",
                "Chromium to be installed (Debian: chromium)");
  }
  Pipe commands;
  Pipe answers;
  const Descriptor log = open_log(log_);
  constexpr int kReadsCommands = 3;
  constexpr int kWritesAnswers = 4;
  std::vector<std::pair<int, int>> ends{{commands.read.number(), kReadsCommands},
                                        {answers.write.number(), kWritesAnswers}};
  if (log.open()) ends.emplace_back(log.number(), 2);
  child_ = std::make_unique<Child>(command_line(*program, folder, width, height), ends);
  to_browser_ = std::move(commands.write);
  from_browser_ = std::move(answers.read);
  commands.read.close();
  answers.write.close();
  ::fcntl(to_browser_.number(), F_SETFL, O_NONBLOCK);

  const Json target = call("Target.createTarget", {{"url", "about:blank"}});
  const Json attached =
      call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}});
  session_ = attached.at("sessionId").get<std::string>();
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
}

/// A browser whose pipe is closed ends by itself, with all of its processes.
Browser::~Browser() {
  to_browser_.close();
  from_browser_.close();
  for (int i = 0; i < 100 && child_ != nullptr && child_->running(); ++i) ::usleep(20'000);
}

void Browser::fail(const std::string& found) const {
  throw Error("the browser", printable(found, 200), "a Chromium that draws pages");
}

void Browser::fail_at_end() const {
  std::ifstream stream(log_);
  const std::string said{std::istreambuf_iterator<char>(stream), {}};
  fail("that it has ended: " + last_line(said));
}

/// The next message, of whatever kind.
std::string Browser::receive(double seconds) {
  std::size_t looked_at = 0;
  while (true) {
    const std::size_t end = received_.find('\0', looked_at);
    if (end != std::string::npos) {
      std::string message = received_.substr(0, end);
      received_.erase(0, end + 1);
      return message;
    }
    looked_at = received_.size();
    if (!wait_until_ready(from_browser_.number(), false, seconds)) {
      fail(fmt::format("no answer for {} seconds", seconds));
    }
    char buffer[1 << 16];
    const ssize_t got = ::read(from_browser_.number(), buffer, sizeof buffer);
    if (got > 0) received_.append(buffer, static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) fail_at_end();
  }
}

Json Browser::call(const std::string& method, Json parameters) {
  const int id = ++calls_;
  Json message = {{"id", id}, {"method", method}, {"params", std::move(parameters)}};
  if (!session_.empty()) message["sessionId"] = session_;
  if (!write_all(to_browser_.number(), message.dump() + '\0')) fail_at_end();
  while (true) {
    Json answer = Json::parse(receive(kPatience), nullptr, false);
    if (answer.is_discarded()) fail("an answer that is not JSON");
    const std::string event = answer.value("method", "");
    if (event == "Inspector.targetCrashed") fail("that the page has crashed");
    if (answer.value("id", 0) != id) continue;  // tells of something else
    if (answer.contains("error")) {
      fail(method + ": " + answer["error"].value("message", "refused"));
    }
    return std::move(answer["result"]);
  }
}

void Browser::open(const std::string& address) {
  call("Inspector.enable", Json::object());
  const Json answer = call("Page.navigate", {{"url", address}});
  if (answer.contains("errorText")) fail(answer["errorText"].get<std::string>());
  // Before the page is there, expressions are about the one before it.
  const char* const loaded =
      "new Promise(done => document.readyState === 'complete' && location.href !== 'about:blank' ? "
      "done(true) : setTimeout(() => done(false), 20))";
  while (!evaluate(loaded).get<bool>()) {
  }
}

Json Browser::evaluate(const std::string& expression) {
  const Json answer =
      call("Runtime.evaluate",
           {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) {
    const Json& details = answer["exceptionDetails"];
    const std::string text = details.value("exception", Json::object())
                                 .value("description", details.value("text", "an exception"));
    throw Error("the page", printable(text.substr(0, text.find('\n')), 200), "a picture");
  }
  return answer.at("result").value("value", Json());
}

std::string Browser::screenshot() {
  const Json answer =
      call("Page.captureScreenshot", {{"format", "png"}, {"optimizeForSpeed", true}});
  return from_base64(answer.at("data").get_ref<const std::string&>());
}

}  // namespace collapse::cli
