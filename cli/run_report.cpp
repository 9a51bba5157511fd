#include "cli/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "collapse/core/error.hpp"

namespace collapse::cli {
namespace {

/// Of the smallest free body, or of the smallest of all; 0 if there are only half spaces and points.
template <int Dim>
double smallest_size(const Scene<Dim>& scene) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double free = kNone;
  double any = kNone;
  for (const Body<Dim>& body : scene.bodies) {
    if (body.shape.half_space) continue;
    any = std::min(any, body.shape.size());
    if (body.free()) free = std::min(free, body.shape.size());
  }
  const double size = free < kNone ? free : any;
  return size < kNone ? size : 0.0;
}

/// Nothing if there is no body to compare with.
template <int Dim>
std::optional<double> relative_penetration(const Scene<Dim>& scene, const Account& account) {
  const double size = smallest_size(scene);
  if (size > 0.0) return account.max_penetration / size;
  return std::nullopt;
}

}  // namespace

template <int Dim>
Json run_json(const Scene<Dim>& scene, const RunArguments& arguments, const RunPlan& plan,
              const RunOutcome<Dim>& outcome) {
  const Account& account = outcome.last.account;
  Json json = {{"scene", arguments.scene}, {"name", scene.name}};
  json["output"] = arguments.output.empty() ? Json(nullptr) : Json(arguments.output);
  json["finished"] = !outcome.interrupted;
  if (outcome.resumed_from >= 0) json["resumed_from"] = outcome.resumed_from;
  json["scheme"] = to_string(plan.options.scheme);
  json["step"] = plan.options.step;
  json["frames"] = outcome.last.number + 1;
  json["steps"] = account.steps;
  json["simulated"] = outcome.last.time;
  json["wall"] = outcome.wall;
  json["max_penetration"] = account.max_penetration;
  const std::optional<double> relative = relative_penetration(scene, account);
  json["relative_penetration"] = relative ? Json(*relative) : Json(nullptr);
  json["energy"] = {{"initial", account.initial_energy},
                    {"final", account.energy},
                    {"max_gain", account.max_gain},
                    {"driven_work", account.driven_work}};
  json["programs"] = account.programs;
  json["iterations"] = account.iterations;
  json["worst_residual"] = account.worst_residual;
  json["unsettled_steps"] = account.unsettled_steps;
  json["dulled_impacts"] = account.dulled_impacts;
  json["crushed_steps"] = account.crushed_steps;
  json["contact_changes"] = outcome.changes;
  json["incidents"] = Json::array();
  for (const Incident& incident : outcome.incidents) {
    json["incidents"].push_back({{"time", incident.time}, {"what", incident.what}});
  }
  if (plan.until_rest) json["rests"] = outcome.rests;
  json["hash"] = fmt::format("{:016x}", outcome.last.hash);
  return json;
}

template Json run_json(const Scene<2>&, const RunArguments&, const RunPlan&, const RunOutcome<2>&);
template Json run_json(const Scene<3>&, const RunArguments&, const RunPlan&, const RunOutcome<3>&);

template <int Dim>
std::string run_text(const Scene<Dim>& scene, const RunArguments& arguments, const RunPlan& plan,
                     const RunOutcome<Dim>& outcome) {
  const Account& account = outcome.last.account;
  std::string text = fmt::format("{}: ", title(arguments.scene, scene.name, false));
  if (outcome.nothing_to_do) {
    text += fmt::format("nothing to do, {} has it up to {:.6g}\n", display_name(arguments.output),
                        outcome.last.time);
  } else {
    text += fmt::format("{} {:.6g}\n",
                        outcome.interrupted ? coloured("interrupted at", Colour::yellow)
                        : !plan.until_rest  ? coloured("ran to", Colour::green)
                        : outcome.rests     ? coloured("rests after step", Colour::green)
                                            : coloured("still moves at step", Colour::yellow),
                        outcome.last.time);
  }
  if (outcome.resumed_from >= 0 && !outcome.nothing_to_do) {
    text += fmt::format("  went on from frame {}{}\n", outcome.resumed_from,
                        outcome.damaged ? ", behind which the file was damaged" : "");
  }
  text += fmt::format("  {}, {} of {:.6g} ({})\n", counted(outcome.last.number + 1, "frame"),
                      counted(account.steps, "step"), plan.options.step,
                      to_string(plan.options.scheme));
  if (outcome.computed_steps > 0 && outcome.wall > 0.0) {
    const double simulated = static_cast<double>(outcome.computed_steps) * plan.options.step;
    text += fmt::format("  {:.3g} s, {:.3g} per unit of simulated time, {:.3g} steps per second\n",
                        outcome.wall, outcome.wall / simulated,
                        static_cast<double>(outcome.computed_steps) / outcome.wall);
  }
  text += fmt::format("  energy {:.6g} → {:.6g}, largest gain {:.2g}", account.initial_energy,
                      account.energy, account.max_gain);
  text += account.driven_work != 0.0
              ? fmt::format(", work done from outside {:.6g}\n", account.driven_work)
              : "\n";
  text += fmt::format("  deepest penetration {:.2g}", account.max_penetration);
  const std::optional<double> relative = relative_penetration(scene, account);
  text += relative ? fmt::format(" ({:.2g} of the smallest body)\n", *relative) : "\n";
  text += fmt::format("  {}, {}, worst residual {:.2g}\n", counted(account.programs, "program"),
                      counted(account.iterations, "iteration"), account.worst_residual);
  text += fmt::format("  {} a contact began or ceased to carry force\n",
                      counted(static_cast<std::int64_t>(outcome.changes), "time"));
  const auto remark = [&](std::int64_t count, const char* one, const char* many) {
    if (count > 0) text += fmt::format("  {} {}\n", count, count == 1 ? one : many);
  };
  remark(account.unsettled_steps, "step ended above its tolerance",
         "steps ended above their tolerance");
  remark(account.dulled_impacts, "impact without a rebound that all contacts allow",
         "impacts without a rebound that all contacts allow");
  remark(account.crushed_steps, "step in which something had to be penetrated",
         "steps in which something had to be penetrated");
  constexpr std::size_t kShownIncidents = 10;
  for (std::size_t i = 0; i < std::min(kShownIncidents, outcome.incidents.size()); ++i) {
    const Incident& incident = outcome.incidents[i];
    text += fmt::format("  at {:.6g}: {}\n", incident.time, printable(incident.what, 300));
  }
  if (outcome.incidents.size() > kShownIncidents) {
    text += fmt::format("  and {} more incidents (--json has them all)\n",
                        outcome.incidents.size() - kShownIncidents);
  }
  text += coloured(fmt::format("  hash {:016x}\n", outcome.last.hash), Colour::faint);
  return text;
}

template std::string run_text(const Scene<2>&, const RunArguments&, const RunPlan&,
                              const RunOutcome<2>&);
template std::string run_text(const Scene<3>&, const RunArguments&, const RunPlan&,
                              const RunOutcome<3>&);

}  // namespace collapse::cli
