#include "collapse/formulation/limit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "cli/command.hpp"
#include "cli/cones.hpp"
#include "cli/loads.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace collapse::cli {
namespace {

struct LimitArguments {
  std::vector<std::string> scenes;
  std::string load;
  std::string direction;
  std::vector<std::string> others;  ///< loads that do not grow
  bool by_load = false;
  bool by_tilt = false;
  bool by_friction = false;
  ConeArguments cones;
  double touch = ContactOptions{}.touch;
  bool json = false;
};

/// Bodies slower than this, where the fastest point moves with 1, do not take part.
constexpr double kMovesAtLimit = 1e-6;

int limit_status(LimitStatus status) {
  switch (status) {
    case LimitStatus::found:
    case LimitStatus::unbounded:
      return kDone;
    case LimitStatus::falls:
      return kNo;
    case LimitStatus::undecided:
      return kUndecided;
  }
  return kUndecided;
}

double number_of(std::string_view text, const std::string& all) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    throw Error("--tilt", in_quotes(all),
                "a direction: x, -x, in space also y and -y, or numbers as 1,0,0");
  }
  return value;
}

/// "x", "-y" or "1,0,0".
template <int Dim>
Vec<Dim> direction_of(const std::string& text) {
  const std::string_view axes = Dim == 2 ? "xy" : "xyz";
  std::string_view rest = text;
  const double sign = !rest.empty() && rest.front() == '-' ? -1.0 : 1.0;
  const std::string_view bare =
      !rest.empty() && (rest.front() == '-' || rest.front() == '+') ? rest.substr(1) : rest;
  if (bare.size() == 1 && axes.find(bare.front()) != std::string_view::npos) {
    return sign * Vec<Dim>::Unit(static_cast<Eigen::Index>(axes.find(bare.front())));
  }
  Vec<Dim> direction;
  for (int i = 0; i < Dim; ++i) {
    const std::size_t comma = rest.find(',');
    const bool last = i + 1 == Dim;
    if (last != (comma == std::string_view::npos)) {
      throw Error("--tilt", in_quotes(text), fmt::format("{} numbers with commas between", Dim));
    }
    direction[i] = number_of(rest.substr(0, comma), text);
    if (!last) rest = rest.substr(comma + 1);
  }
  if (direction.isZero(0.0)) throw Error("--tilt", in_quotes(text), "a direction");
  return direction / direction.cwiseAbs().maxCoeff();
}

template <int Dim>
struct LimitAnswer {
  Limit<Dim> limit;
  std::optional<TiltLimit<Dim>> tilt;
};

template <int Dim>
LimitAnswer<Dim> ask(const Loaded<Dim>& loaded, const LimitArguments& arguments,
                     const LimitOptions& options) {
  const auto& [scene, state, contacts] = loaded;
  LimitAnswer<Dim> answer;
  if (arguments.by_friction) {
    answer.limit = find_least_friction<Dim>(scene, state, contacts, options);
  } else if (arguments.by_tilt) {
    answer.tilt = arguments.direction.empty()
                      ? find_tilt<Dim>(scene, state, contacts, options)
                      : find_tilt<Dim>(scene, state, contacts,
                                       direction_of<Dim>(arguments.direction), options);
    answer.limit = answer.tilt->limit;
  } else {
    const AppliedLoad load = applied_loads(scene, {arguments.load}).front();
    if (load.factor != 1.0) {
      throw Error("--load", in_quotes(arguments.load), "the name alone: its factor is the answer");
    }
    answer.limit = find_limit<Dim>(scene, state, contacts, load.load, options);
  }
  return answer;
}

double degrees_of(double tangent) { return std::atan(tangent) * 180.0 / std::numbers::pi; }

Json bound_of_limit(double bound) { return std::isfinite(bound) ? Json(bound) : Json(nullptr); }

template <int Dim>
Json limit_json(const std::string& file, const Loaded<Dim>& loaded, const LimitArguments& arguments,
                const LimitAnswer<Dim>& answer) {
  const Scene<Dim>& scene = loaded.scene;
  const Limit<Dim>& limit = answer.limit;
  const bool found = limit.status == LimitStatus::found;
  Json json = {{"scene", file}, {"name", scene.name}, {"limit", to_string(limit.status)}};
  if (!limit.reason.empty()) json["reason"] = limit.reason;
  if (arguments.by_load) json["load"] = arguments.load;
  json["factor"] = found ? Json(limit.factor) : Json(nullptr);
  if (answer.tilt) {
    json["degrees"] = found                                    ? Json(degrees_of(limit.factor))
                      : limit.status == LimitStatus::unbounded ? Json(90.0)
                                                               : Json(nullptr);
    json["direction"] = to_json(answer.tilt->direction);
    json["directions"] = answer.tilt->directions;
    json["at_least"] = bound_of_limit(answer.tilt->at_least);
  }
  json["certified"] = false;
  json["lower"] = bound_of_limit(limit.lower);
  json["upper"] = bound_of_limit(limit.upper);
  json["residual"] = limit.residual;
  if (Dim == 3) {
    json["cone"] = arguments.cones.cone;
    if (arguments.cones.cone != "circular") json["sides"] = arguments.cones.sides;
  }
  Json& contacts = json["contacts"] = Json::array();
  for (const ContactForce<Dim>& contact : limit.forces) {
    contacts.push_back({{"a", scene.body_name(contact.id.a)},
                        {"b", scene.body_name(contact.id.b)},
                        {"point", to_json(contact.point)},
                        {"normal", to_json(contact.normal)},
                        {"force", to_json(contact.force)}});
  }
  if (!limit.joint_forces.empty()) json["joints"] = joint_forces_json(scene, limit.joint_forces);
  Json& mechanism = json["mechanism"] = Json::array();
  for (const BodyMotion<Dim>& motion : limit.mechanism) {
    mechanism.push_back({{"body", scene.body_name(motion.body)},
                         {"velocity", to_json(motion.velocity)},
                         {"spin", spin_json(motion.spin)}});
  }
  json["corners"] = corners_json(scene, loaded.contacts);
  json["isolated"] = isolated_json(scene, loaded.contacts);
  json["near_misses"] = near_misses_json(scene, loaded.contacts);
  json["solver"] = {{"programs", limit.programs}, {"iterations", limit.iterations}};
  return json;
}

/// The answer in words.
template <int Dim>
std::string limit_line(const LimitArguments& arguments, const LimitAnswer<Dim>& answer) {
  const Limit<Dim>& limit = answer.limit;
  switch (limit.status) {
    case LimitStatus::falls:
      return coloured(arguments.by_friction ? "falls with any friction"
                      : arguments.by_tilt   ? "falls without any tilt"
                                            : "falls without the load",
                      Colour::red);
    case LimitStatus::undecided:
      return coloured("undecided", Colour::yellow);
    case LimitStatus::unbounded:
      return coloured(arguments.by_tilt ? "stands at any tilt" : "carries any multiple",
                      Colour::green);
    case LimitStatus::found:
      break;
  }
  if (arguments.by_friction)
    return fmt::format("needs a friction coefficient of {:.9g}", limit.factor);
  if (!arguments.by_tilt) {
    return fmt::format("carries {:.9g} times \"{}\"", limit.factor, printable(arguments.load));
  }
  constexpr double kNoTilt = 1e-12;
  const double tangent = limit.factor < kNoTilt ? 0.0 : limit.factor;
  return fmt::format("stands up to a tilt of {:.6g}° (tangent {:.9g}) towards {}",
                     degrees_of(tangent), tangent, in_brackets(answer.tilt->direction, 4, 1e-12));
}

template <int Dim>
std::string limit_for_a_person(const std::string& file, const Loaded<Dim>& loaded,
                               const LimitArguments& arguments, const LimitAnswer<Dim>& answer) {
  const Scene<Dim>& scene = loaded.scene;
  std::string text = fmt::format("{}: {}\n", title(file, scene.name, arguments.scenes.size() > 1),
                                 limit_line(arguments, answer));
  text += fmt::format("  {}\n", bodies_and_contacts(scene, loaded.contacts));
  if (!answer.limit.reason.empty()) text += fmt::format("  {}\n", answer.limit.reason);
  if (answer.tilt && arguments.direction.empty() && answer.limit.status == LimitStatus::found) {
    text += fmt::format("  the least of {} directions; none has less than {:.6g}\n",
                        answer.tilt->directions, answer.tilt->at_least);
  }
  const auto& mechanism = answer.limit.mechanism;
  const auto moving = std::count_if(mechanism.begin(), mechanism.end(), [](const auto& motion) {
    return motion.velocity.norm() > kMovesAtLimit || motion.spin.norm() > kMovesAtLimit;
  });
  if (moving > 0) {
    text += fmt::format("  {} then {}\n", counted(moving, "body"),
                        moving == 1 ? "begins to move" : "begin to move");
  }
  text += coloured(remarks(scene, loaded.contacts), Colour::faint);
  return text;
}

template <int Dim>
int limit_loaded(const std::string& file, const Loaded<Dim>& loaded,
                 const LimitArguments& arguments, Progress& progress) {
  LimitOptions options;
  options.loads = applied_loads(loaded.scene, arguments.others, "--with");
  const ConeModel model = arguments.cones.model();
  options.cone = model.cone;
  options.sides = model.sides;
  options.progress = [&](int number) {
    progress.show(
        fmt::format("{}: program {}", bodies_and_contacts(loaded.scene, loaded.contacts), number));
  };
  const LimitAnswer<Dim> answer = ask(loaded, arguments, options);
  progress.show("");
  if (arguments.json) {
    fmt::print("{}\n", limit_json(file, loaded, arguments, answer).dump());
  } else {
    fmt::print("{}", limit_for_a_person(file, loaded, arguments, answer));
  }
  return limit_status(answer.limit.status);
}

int limit_of_one(const std::string& file, const LimitArguments& arguments) {
  Progress progress;
  progress.show(fmt::format("reading {}", file));
  return std::visit(
      [&](const auto& loaded) { return limit_loaded(file, loaded, arguments, progress); },
      load(file, arguments.touch));
}

}  // namespace

void add_limit(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("limit", "How far is it from collapse?");
  const auto arguments = std::make_shared<LimitArguments>();
  command->add_option("SCENE", arguments->scenes, "Scene files, - for standard input")->required();
  CLI::Option* const load = command->add_option(
      "--load", arguments->load, "NAME: the largest multiple of this load of the scene");
  CLI::Option* const tilt = command
                                ->add_option("--tilt", arguments->direction,
                                             "[DIRECTION] The steepest tilt of everything, towards "
                                             "x, y or 1,0,0 (with a minus sign "
                                             "--tilt=-x); without a direction the least of all")
                                ->expected(0, 1);
  command->add_flag("--friction", arguments->by_friction,
                    "The least coefficient of friction that is enough if all contacts have it");
  command->add_option("--with", arguments->others,
                      "NAME or NAME=FACTOR: a load that acts besides; repeatable");
  add_cone_options(*command, arguments->cones);
  add_touch_option(*command, arguments->touch);
  command->add_flag("--json", arguments->json, "One JSON object per scene");
  command->footer(
      "Examples:\n"
      "  collapse gallery slope | collapse limit - --tilt x\n"
      "  collapse limit wall.json --load quake --json\n"
      "  collapse gallery arch | collapse limit - --friction\n"
      "Exit status: 0 done, 1 falls without the load, 2 bad input, 3 undecided.");
  command->callback([arguments, load, tilt, &action] {
    arguments->by_load = load->count() > 0;
    arguments->by_tilt = tilt->count() > 0;
    action = [arguments] {
      if (arguments->by_load + arguments->by_tilt + arguments->by_friction != 1) {
        throw Error("", "limit without one of them, or with several",
                    "one of --load NAME, --tilt [DIRECTION] and --friction");
      }
      return for_each_scene(arguments->scenes, [&](const std::string& file) {
        return limit_of_one(file, *arguments);
      });
    };
  });
}

}  // namespace collapse::cli
