#include "cli/compare_report.hpp"

#include <fmt/format.h>

#include "collapse/core/error.hpp"
#include "collapse/io/plot.hpp"

namespace collapse::cli {
namespace {

std::string step_words(const ComparedScene& compared, const Trial& trial) {
  std::string exact = to_string(Rational(compared.interval / trial.steps_per_interval));
  constexpr std::size_t kLongest = 10;
  return exact.size() <= kLongest ? exact : fmt::format("{:.4g}", trial.step);
}

std::string error_words(double error, double known) {
  return error <= known ? fmt::format("≤{:.1e}", known) : fmt::format("{:.1e}", error);
}

std::string reference_words(const ReferenceMotion& reference) {
  std::string text = fmt::format(
      "  reference: scheme event to {:g}, {}, {:.3g} s, {}; {:.2g} away from the same to {:g}\n",
      reference.options.tolerance, counted(reference.events, "event"), reference.cost.seconds,
      counted(reference.cost.programs, "program"), reference.error, reference.check.tolerance);
  if (!reference.incidents.empty()) {
    const Incident& first = reference.incidents.front();
    text += fmt::format("  {} of the reference; the first, at {:.6g}: {}\n",
                        counted(std::ssize(reference.incidents), "incident"), first.time,
                        printable(first.what, 200));
  }
  return text;
}

/// fmt pads by characters, as ≤ is one.
std::string trial_words(const ComparedScene& compared, const SchemeTrials& scheme,
                        const Trial& trial) {
  const double known = compared.comparison.reference.error;
  std::string text =
      fmt::format("  {:<12} {:>10}", to_string(scheme.scheme), step_words(compared, trial));
  if (!trial.fault.empty()) return text + fmt::format("  {}\n", printable(trial.fault, 200));
  text +=
      fmt::format(" {:>9} {:>6} {:>10} {:>9.3g} {:>9}", error_words(trial.error, known),
                  trial.order ? fmt::format("{:.2f}", *trial.order) : "",
                  error_words(trial.error_at_end, known), trial.cost.seconds, trial.cost.programs);
  if (trial.unsettled_steps > 0) {
    text += fmt::format("  {} above tolerance", counted(trial.unsettled_steps, "step"));
  }
  return text + "\n";
}

Json cost_json(const RunCost& cost) {
  return {{"cpu", cost.seconds},
          {"steps", cost.steps},
          {"programs", cost.programs},
          {"iterations", cost.iterations}};
}

Json trial_json(const ComparedScene& compared, const Trial& trial) {
  Json json = {{"step", trial.step},
               {"exact_step", to_string(Rational(compared.interval / trial.steps_per_interval))}};
  json.update(cost_json(trial.cost));
  if (!trial.fault.empty()) {
    json["fault"] = trial.fault;
    return json;
  }
  json["error"] = trial.error;
  json["error_at_end"] = trial.error_at_end;
  json["below_reference"] = trial.below_reference;
  json["order"] = trial.order ? Json(*trial.order) : Json(nullptr);
  json["max_penetration"] = trial.max_penetration;
  json["unsettled_steps"] = trial.unsettled_steps;
  return json;
}

}  // namespace

std::string compare_text(const ComparedScene& compared) {
  const Comparison& comparison = compared.comparison;
  std::string text = fmt::format(
      "{}: errors until {:.6g}, as shares of {:.4g}, the size of what moves\n",
      title(compared.file, compared.name, false), to_double(compared.until), comparison.size);
  if (!comparison.reference.doubt.empty()) {
    return text + fmt::format("  {}: {}\n", coloured("undecided", Colour::yellow),
                              printable(comparison.reference.doubt, 400));
  }
  text += reference_words(comparison.reference);
  text += fmt::format("\n  {:<12} {:>10} {:>9} {:>6} {:>10} {:>9} {:>9}\n", "scheme", "step",
                      "error", "order", "at the end", "CPU s", "programs");
  for (const SchemeTrials& scheme : comparison.schemes) {
    for (const Trial& trial : scheme.trials) text += trial_words(compared, scheme, trial);
    if (!scheme.refusal.empty()) {
      text += fmt::format("  {:<12} does not take it: {}\n", to_string(scheme.scheme),
                          printable(scheme.refusal, 300));
    }
  }
  return text;
}

Json compare_json(const ComparedScene& compared) {
  const Comparison& comparison = compared.comparison;
  const ReferenceMotion& reference = comparison.reference;
  Json json = {{"scene", compared.file},
               {"name", compared.name},
               {"until", to_double(compared.until)},
               {"size", comparison.size}};
  Json& event = json["reference"] = cost_json(reference.cost);
  event["tolerance"] = reference.options.tolerance;
  event["check_tolerance"] = reference.check.tolerance;
  event["check_cpu"] = reference.check_cost.seconds;
  event["events"] = reference.events;
  event["incidents"] = Json::array();
  for (const Incident& incident : reference.incidents) {
    event["incidents"].push_back({{"time", incident.time}, {"what", incident.what}});
  }
  event["decided"] = reference.doubt.empty();
  if (!reference.doubt.empty()) event["reason"] = reference.doubt;
  event["error"] = reference.error;
  event["error_at_end"] = reference.error_at_end;
  Json& schemes = json["schemes"] = Json::array();
  for (const SchemeTrials& scheme : comparison.schemes) {
    Json one = {{"scheme", to_string(scheme.scheme)}, {"trials", Json::array()}};
    if (!scheme.refusal.empty()) one["refusal"] = scheme.refusal;
    for (const Trial& trial : scheme.trials) one["trials"].push_back(trial_json(compared, trial));
    schemes.push_back(std::move(one));
  }
  if (!compared.output.empty()) json["output"] = compared.output;
  return json;
}

std::string compare_csv(const ComparedScene& compared) {
  std::string text = "scheme,step,error,error_at_end,order,cpu,programs,iterations\n";
  for (const SchemeTrials& scheme : compared.comparison.schemes) {
    for (const Trial& trial : scheme.trials) {
      if (!trial.fault.empty()) continue;
      text += fmt::format("{},{},{},{},{},{},{},{}\n", to_string(scheme.scheme), trial.step,
                          trial.error, trial.error_at_end,
                          trial.order ? fmt::format("{}", *trial.order) : "", trial.cost.seconds,
                          trial.cost.programs, trial.cost.iterations);
    }
  }
  return text;
}

std::string compare_plot(const ComparedScene& compared, int width) {
  const ReferenceMotion& reference = compared.comparison.reference;
  PlotPanel over_step{"step", "error", {}, 0.0, "error of the reference", {1.0, 2.0}};
  PlotPanel over_cost{"CPU seconds", "error", {}, reference.error, "error of the reference", {}};
  for (const SchemeTrials& scheme : compared.comparison.schemes) {
    PlotCurve by_step{std::string(to_string(scheme.scheme)), {}};
    PlotCurve by_cost = by_step;
    for (const Trial& trial : scheme.trials) {
      if (!trial.fault.empty()) continue;
      const double error = std::max(trial.error, reference.error);
      by_step.points.emplace_back(trial.step, error);
      by_cost.points.emplace_back(trial.cost.seconds, error);
      // Far below all errors it would only press them together.
      constexpr double kNear = 1e-2;
      if (reference.error >= kNear * error) over_step.floor = reference.error;
    }
    over_step.curves.push_back(std::move(by_step));
    over_cost.curves.push_back(std::move(by_cost));
  }
  // The less exact of both runs is the one whose error is known.
  over_cost.curves.push_back({fmt::format("event, tolerance {:g}", reference.check.tolerance),
                              {{reference.check_cost.seconds, reference.error}}});
  PlotOptions options;
  options.width = width;
  options.title = title(compared.file, compared.name, false);
  options.subtitle = fmt::format("largest error until {:.4g}, over {:.4g}, the size of what moves",
                                 to_double(compared.until), compared.comparison.size);
  return draw_plots({over_step, over_cost}, options);
}

}  // namespace collapse::cli
