#include "cli/run_plan.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <tuple>

#include "cli/loads.hpp"
#include "cli/oba_options.hpp"
#include "cli/option_number.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"
#include "collapse/io/recorder.hpp"

namespace collapse::cli {
namespace {

/// Of `settle`, unless told otherwise.
constexpr int kSettleSteps = 5000;

/// What there is in the plane and in space.
template <int Dim>
struct RunChoices;
template <>
struct RunChoices<2> {
  static constexpr std::string_view kHere = "in the plane";
  static constexpr std::array kSchemes{SchemeKind::position, SchemeKind::acceleration,
                                       SchemeKind::event};
  static constexpr std::array kModels{ModelKind::rigid, ModelKind::nine_points, ModelKind::corners};
};
template <>
struct RunChoices<3> {
  static constexpr std::string_view kHere = "in space";
  static constexpr std::array kSchemes{SchemeKind::position, SchemeKind::oba, SchemeKind::event};
  static constexpr std::array kModels{ModelKind::rigid};
};
constexpr std::array kSchemes{SchemeKind::position, SchemeKind::acceleration, SchemeKind::oba,
                              SchemeKind::event};
constexpr std::array kFrictionLaws{FrictionLaw::coulomb, FrictionLaw::associated};
constexpr std::array kImpactRules{ImpactRule::simultaneous, ImpactRule::sequential};
constexpr std::array kModels{ModelKind::rigid, ModelKind::nine_points, ModelKind::corners};

/// The value of that name. `where` there are no others.
template <class Choices>
typename Choices::value_type choice_of(const std::string& place, const std::string& word,
                                       const Choices& choices, std::string_view where = {}) {
  std::vector<std::string_view> words;
  for (const auto choice : choices) {
    if (to_string(choice) == word) return choice;
    words.push_back(to_string(choice));
  }
  const std::string here = where.empty() ? std::string() : " " + std::string(where);
  throw Error(place, in_quotes(word), "one of " + joined(words) + here + did_you_mean(word, words));
}

template <class Choices>
std::string names_of(const Choices& choices) {
  std::string names;
  for (const auto choice : choices) {
    names += (names.empty() ? "" : "|") + std::string(to_string(choice));
  }
  return names;
}

/// The option, or the scene's setting, and the place to name in messages.
struct GivenNumber {
  Rational number;
  std::string place;
};

GivenNumber given_number(const std::string& option, const std::string& text,
                         const std::string& setting, const Number& value, bool zero_allowed) {
  if (text.empty()) return {value.exact, "simulation." + setting};
  return {option_number(option, text, zero_allowed), option};
}

void add_common_options(CLI::App& command, RunArguments& arguments) {
  command.add_option("SCENE", arguments.scene, "Scene file, - for standard input")->required();
  command.add_option("-o,--output", arguments.output,
                     "Trajectory file to write; without it the motion is only reported");
  add_load_option(command, arguments.loads);
  add_touch_option(command, arguments.touch);
  command
      .add_option("--threads", arguments.threads, "0: one per core; the motion is always the same")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command.add_flag("--resume", arguments.resume,
                   "Go on where the file ends; scene and options must be the same");
  command.add_flag("--force", arguments.force, "Replace a file that is not a trajectory");
  command.add_flag("--json", arguments.json, "One JSON object");
}

}  // namespace

void add_settle_options(CLI::App& command, RunArguments& arguments) {
  command.add_option(
      "--until", arguments.until,
      fmt::format("Steps at most, if it does not come to rest before; {}", kSettleSteps));
  add_common_options(command, arguments);
}

void add_run_options(CLI::App& command, RunArguments& arguments) {
  command.add_option("--until", arguments.until,
                     "Time to run to: the first frame at or after it is the last one");
  command.add_option("--step", arguments.step,
                     "Time step; shortened so that a whole number of them makes a frame");
  command.add_option("--frame-rate", arguments.frame_rate, "Frames per unit of time");
  command.add_option("--scheme", arguments.scheme,
                     "How a step is made: " + names_of(kSchemes) +
                         "; acceleration in the plane only; oba in space only: optimization-based "
                         "animation, for films of crowds; event: to a tolerance, from event to "
                         "event");
  command.add_option("--friction-law", arguments.friction_law,
                     names_of(kFrictionLaws) + ": does sliding lift?");
  command.add_option("--impact", arguments.impact,
                     names_of(kImpactRules) +
                         ": collisions all at once, or the fastest first (the result depends on "
                         "that order)");
  command.add_option("--model", arguments.model,
                     names_of(kModels) + ": what polygons are made of; in space bodies are rigid");
  command.add_flag("--freezing", arguments.freezing,
                   "Leave bodies that have come to rest out until something moves them");
  add_oba_option(command, arguments.oba);
  const EventOptions event;
  command.add_option("--tolerance", arguments.tolerance,
                     fmt::format("Of scheme event: error of the motion in the time in which a body "
                                 "falls by half its size, as a share of that size; {}",
                                 event.tolerance));
  command.add_option("--event-tolerance", arguments.event_tolerance,
                     fmt::format("Of scheme event: to which times of events are found, as a share "
                                 "of that time; {}",
                                 event.event_tolerance));
  command.add_option("--closing-speed", arguments.closing_speed,
                     fmt::format("Of scheme event: slower collisions do not bounce, as a share of "
                                 "√(g L); {}",
                                 event.closing_speed));
  add_common_options(command, arguments);
}

namespace {

EventOptions event_options(const RunArguments& arguments, SchemeKind scheme) {
  EventOptions event;
  const std::tuple<const char*, const std::string&, double&> given[] = {
      {"--tolerance", arguments.tolerance, event.tolerance},
      {"--event-tolerance", arguments.event_tolerance, event.event_tolerance},
      {"--closing-speed", arguments.closing_speed, event.closing_speed}};
  for (const auto& [option, text, value] : given) {
    if (text.empty()) continue;
    if (scheme != SchemeKind::event) {
      throw Error(option, "scheme " + std::string(to_string(scheme)), "--scheme event as well");
    }
    value = to_double(option_number(option, text, false));
  }
  return event;
}

/// Its own options say what these say of the other schemes.
void refuse_what_oba_has_itself(const RunArguments& arguments) {
  if (!arguments.friction_law.empty()) {
    throw Error("--friction-law", "scheme oba", "--oba lift=on or lift=off in its place");
  }
  if (!arguments.impact.empty()) {
    throw Error("--impact", "scheme oba", "--oba n=…, collisions one by one, in its place");
  }
}

}  // namespace

template <int Dim>
RunPlan plan_run(const Scene<Dim>& scene, const RunArguments& arguments) {
  const SimulationSettings& settings = scene.simulation;
  RunPlan plan;
  const bool scheme_given = !arguments.scheme.empty();
  if (!arguments.settle) {
    plan.options.scheme = choice_of(scheme_given ? "--scheme" : "simulation.scheme",
                                    scheme_given ? arguments.scheme : settings.scheme,
                                    RunChoices<Dim>::kSchemes, RunChoices<Dim>::kHere);
  }
  if (plan.options.scheme == SchemeKind::oba) refuse_what_oba_has_itself(arguments);
  if (!arguments.friction_law.empty()) {
    plan.options.friction_law = choice_of("--friction-law", arguments.friction_law, kFrictionLaws);
  }
  if (plan.options.scheme != SchemeKind::oba && !arguments.settle) {
    plan.options.impact = arguments.impact.empty()
                              ? impact_rule(settings)
                              : choice_of("--impact", arguments.impact, kImpactRules);
  }
  if (!arguments.model.empty()) {
    plan.options.model =
        choice_of("--model", arguments.model, RunChoices<Dim>::kModels, RunChoices<Dim>::kHere);
  }
  if (arguments.settle) plan.options.scheme = SchemeKind::settle;
  if (!arguments.oba.empty() && plan.options.scheme != SchemeKind::oba) {
    throw Error("--oba", "scheme " + std::string(to_string(plan.options.scheme)),
                "--scheme oba as well");
  }
  plan.options.oba = parse_oba(arguments.oba);
  plan.options.event = event_options(arguments, plan.options.scheme);
  plan.options.loads = applied_loads(scene, arguments.loads);
  plan.options.touch = arguments.touch;
  plan.options.freezing = arguments.freezing;
  plan.options.threads = arguments.threads;

  plan.until_rest = arguments.settle;
  const Number one(Rational(1));
  const Number most(Rational{kSettleSteps});
  const GivenNumber rate = given_number("--frame-rate", arguments.frame_rate, "frame_rate",
                                        arguments.settle ? one : settings.frame_rate, false);
  const GivenNumber step =
      given_number("--step", arguments.step, "step", arguments.settle ? one : settings.step, false);
  const GivenNumber until = given_number("--until", arguments.until, "duration",
                                         arguments.settle ? most : settings.duration, true);
  plan.frame_rate = rate.number;
  plan.steps_per_frame =
      rounded_up(1 / Rational(rate.number * step.number), step.place, "steps in a frame");
  plan.step = 1 / Rational(rate.number * plan.steps_per_frame);
  plan.options.step = to_double(plan.step);
  if (!(plan.options.step > 0.0 && std::isfinite(plan.options.step))) {
    throw Error(rate.place,
                "frames that are " + printable(to_string(Rational(1 / rate.number))) + " apart",
                "a step that floating point can hold");
  }
  plan.frames = 1 + rounded_up(until.number * rate.number, until.place, "frames");
  try {
    plan.options.validate();
  } catch (const Error& error) {  // of what only the command line can say: the step is good
    throw Error("--" + error.place(), error.found(), error.expected());
  }
  return plan;
}

template RunPlan plan_run(const Scene<2>&, const RunArguments&);
template RunPlan plan_run(const Scene<3>&, const RunArguments&);

template <int Dim>
TrajectoryHeader header_of(const Scene<Dim>& scene, const RunPlan& plan) {
  std::string loads;
  for (const AppliedLoad& load : plan.options.loads) {
    loads += fmt::format("{}{}={}", loads.empty() ? "" : ", ",
                         scene.loads[static_cast<std::size_t>(load.load)].name, load.factor);
  }
  const auto text = [](std::string_view view) { return std::string(view); };
  TrajectoryHeader header;
  header.command = plan.until_rest ? "settle" : "run";
  header.tool = COLLAPSE_VERSION;
  header.dimension = Dim;
  header.options = {{"scheme", text(to_string(plan.options.scheme))},
                    {"step", to_string(plan.step)},
                    {"frame_rate", to_string(plan.frame_rate)},
                    {"friction_law", text(to_string(plan.options.friction_law))},
                    {"impact", text(to_string(plan.options.impact))},
                    {"model", text(to_string(plan.options.model))},
                    {"loads", loads},
                    {"touch", fmt::format("{}", plan.options.touch)},
                    {"freezing", plan.options.freezing ? "true" : "false"},
                    {"checkpoint_frames", std::to_string(kCheckpointFrames)}};
  if (plan.options.scheme == SchemeKind::oba) {
    for (auto& option : oba_header(plan.options.oba)) header.options.push_back(std::move(option));
  }
  if (plan.options.scheme == SchemeKind::event) {
    const EventOptions& event = plan.options.event;
    header.options.emplace_back("tolerance", fmt::format("{}", event.tolerance));
    header.options.emplace_back("event_tolerance", fmt::format("{}", event.event_tolerance));
    header.options.emplace_back("closing_speed", fmt::format("{}", event.closing_speed));
  }
  return header;
}

template TrajectoryHeader header_of(const Scene<2>&, const RunPlan&);
template TrajectoryHeader header_of(const Scene<3>&, const RunPlan&);

}  // namespace collapse::cli
