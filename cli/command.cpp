#include "cli/command.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "cli/output_file.hpp"
#include "collapse/core/error.hpp"

namespace collapse::cli {

std::string display_name(const std::string& file) {
  return file == "-" ? "standard input" : printable(file, 200);
}

std::string title(const std::string& file, const std::string& scene_name, bool with_file) {
  if (scene_name.empty()) return display_name(file);
  return (with_file ? display_name(file) + ": " : "") + printable(scene_name, 200);
}

namespace {

template <int Dim>
Loaded<Dim> with_contacts(Scene<Dim> scene, const std::string& file, double touch,
                          Frameworks frameworks) {
  Loaded<Dim> loaded;
  loaded.scene = std::move(scene);
  if (frameworks == Frameworks::refused && !loaded.scene.framework.points.empty()) {
    throw Error("framework", "a framework, which this command knows nothing of",
                "a scene of bodies alone")
        .in_file(display_name(file));
  }
  loaded.state = initial_state(loaded.scene);
  ContactOptions options;
  options.touch = touch;
  try {
    loaded.contacts = find_contacts(loaded.scene, loaded.state, options);
  } catch (const Error& error) {
    throw error.in_file(display_name(file));
  }
  return loaded;
}

}  // namespace

std::variant<Loaded<2>, Loaded<3>> load(const std::string& file, double touch,
                                        Frameworks frameworks) {
  return std::visit(
      [&]<int Dim>(Scene<Dim>&& scene) -> std::variant<Loaded<2>, Loaded<3>> {
        return with_contacts<Dim>(std::move(scene), file, touch, frameworks);
      },
      read_scene_text(file).scene);
}

Loaded<2> load_plane(const std::string& file, double touch, Frameworks frameworks) {
  return with_contacts<2>(read_scene<2>(file), file, touch, frameworks);
}

void add_touch_option(CLI::App& command, double& touch) {
  command
      .add_option("--touch", touch,
                  "Bodies touch up to this gap, relative to the smaller body's size")
      ->check(CLI::Range(0.0, 0.1))
      ->capture_default_str();
}

int for_each_scene(const std::vector<std::string>& files,
                   const std::function<int(const std::string&)>& one) {
  int status = kDone;
  for (const std::string& file : files) {
    try {
      status = std::max(status, one(file));
    } catch (const Error& error) {
      fmt::print(stderr, "collapse: {}\n", error.what());
      status = std::max(status, kBadInput);
    }
  }
  return status;
}

void write_file(const std::string& file, const std::string& text) {
  OutputFile out(file);
  out.write(text);
  out.commit();
}

template <int Dim>
std::string remarks(const Scene<Dim>& scene, const ContactSet<Dim>& contacts) {
  constexpr std::size_t kShown = 3;
  std::string text;
  const auto add = [&](const std::string& title, std::size_t count, const auto& describe) {
    if (count == 0) return;
    text += fmt::format("  {} ", title);
    for (std::size_t i = 0; i < std::min(kShown, count); ++i) {
      text += fmt::format("{}{}", i == 0 ? "" : ", ", describe(i));
    }
    text += count > kShown ? fmt::format(" and {} more\n", count - kShown) : "\n";
  };
  add("touches nothing:", contacts.isolated.size(), [&](std::size_t i) {
    return fmt::format("\"{}\"", printable(scene.body_name(contacts.isolated[i])));
  });
  add("only just misses:", contacts.near_misses.size(), [&](std::size_t i) {
    const NearMiss& miss = contacts.near_misses[i];
    return fmt::format("\"{}\" and \"{}\" (gap {:.2g})", printable(scene.body_name(miss.a)),
                       printable(scene.body_name(miss.b)), miss.gap);
  });
  add("corner on corner:", contacts.corners.size(), [&](std::size_t i) {
    const ContactId& id = contacts.corners[i].id;
    return fmt::format("\"{}\" and \"{}\"", printable(scene.body_name(id.a)),
                       printable(scene.body_name(id.b)));
  });
  return text;
}

template std::string remarks(const Scene<2>&, const ContactSet<2>&);
template std::string remarks(const Scene<3>&, const ContactSet<3>&);

std::string counted(std::int64_t count, const std::string& what) {
  if (count == 1) return "1 " + what;
  const bool y = what.back() == 'y';
  return fmt::format("{} {}{}", count, y ? what.substr(0, what.size() - 1) : what, y ? "ies" : "s");
}

template <int Dim>
std::string bodies_and_contacts(const Scene<Dim>& scene, const ContactSet<Dim>& contacts) {
  return counted(static_cast<std::int64_t>(scene.bodies.size()), "body") + ", " +
         counted(static_cast<std::int64_t>(contacts.contacts.size()), "contact");
}

template std::string bodies_and_contacts(const Scene<2>&, const ContactSet<2>&);
template std::string bodies_and_contacts(const Scene<3>&, const ContactSet<3>&);

std::string in_brackets(const Eigen::Ref<const Eigen::VectorXd>& vector, int digits,
                        double rounding) {
  std::string text;
  for (const double x : vector) {
    text += fmt::format("{}{:.{}g}", text.empty() ? "(" : ", ", std::abs(x) > rounding ? x : 0.0,
                        digits);
  }
  return text + ")";
}

std::string coloured(const std::string& text, Colour colour) {
  static const bool on = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  if (!on) return text;
  const char* code = "2";
  switch (colour) {
    case Colour::green:
      code = "1;32";
      break;
    case Colour::red:
      code = "1;31";
      break;
    case Colour::yellow:
      code = "1;33";
      break;
    case Colour::faint:
      code = "2";
      break;
  }
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void Progress::show(const std::string& text) {
  if (!terminal_) return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace collapse::cli
