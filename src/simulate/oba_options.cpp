#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "collapse/core/error.hpp"
#include "collapse/core/rational.hpp"
#include "collapse/simulate/oba.hpp"

namespace collapse {
namespace {

/// One option: how it is read, and written so that reading gives it back.
struct ObaKey {
  std::string_view name;
  std::string_view help;
  std::function<void(ObaOptions&, const std::string&)> read;
  std::function<std::string(const ObaOptions&)> write;
};

[[noreturn]] void refuse(std::string_view name, const std::string& value, const std::string& good) {
  throw Error(std::string(name), fmt::format("\"{}\"", printable(value)), good);
}

double number_of(std::string_view name, const std::string& value) {
  const std::optional<Rational> number = parse_rational(value);
  if (!number || !std::isfinite(to_double(*number))) refuse(name, value, "a number");
  return to_double(*number);
}

int count_of(std::string_view name, const std::string& value) {
  const double number = number_of(name, value);
  if (number != std::floor(number) || std::abs(number) > 1e9) refuse(name, value, "a whole number");
  return static_cast<int>(number);
}

ObaKey number_key(std::string_view name, std::string_view help, double ObaOptions::*field) {
  return {name, help,
          [=](ObaOptions& options, const std::string& value) {
            options.*field = number_of(name, value);
          },
          [=](const ObaOptions& options) { return fmt::format("{}", options.*field); }};
}

ObaKey count_key(std::string_view name, std::string_view help, int ObaOptions::*field) {
  return {name, help,
          [=](ObaOptions& options, const std::string& value) {
            options.*field = count_of(name, value);
          },
          [=](const ObaOptions& options) { return fmt::format("{}", options.*field); }};
}

ObaKey switch_key(std::string_view name, std::string_view help, bool ObaOptions::*field,
                  const std::array<std::string, 2>& words = {"off", "on"}) {
  return {name, help,
          [=](ObaOptions& options, const std::string& value) {
            if (value != words[0] && value != words[1]) {
              refuse(name, value, words[1] + " or " + words[0]);
            }
            options.*field = value == words[1];
          },
          [=](const ObaOptions& options) { return words[options.*field ? 1 : 0]; }};
}

/// One of several values that have names.
template <class Value, std::size_t Count>
ObaKey choice_key(std::string_view name, std::string_view help,
                  const std::array<Value, Count>& values,
                  const std::function<Value&(ObaOptions&)>& field) {
  return {name, help,
          [=](ObaOptions& options, const std::string& value) {
            std::string words;
            for (const Value choice : values) {
              if (to_string(choice) == value) {
                field(options) = choice;
                return;
              }
              words += (words.empty() ? "" : ", ") + std::string(to_string(choice));
            }
            refuse(name, value, "one of " + words);
          },
          [=](const ObaOptions& options) {
            ObaOptions copy = options;
            return std::string(to_string(field(copy)));
          }};
}

/// Six numbers for each box, the least corner first.
void read_cold(ObaOptions& options, const std::string& value) {
  std::vector<double> numbers;
  for (std::size_t from = 0; from <= value.size() && !value.empty();) {
    const std::size_t comma = std::min(value.find(',', from), value.size());
    numbers.push_back(number_of("cold", value.substr(from, comma - from)));
    from = comma + 1;
  }
  if (numbers.size() % 6 != 0) {
    refuse("cold", value, "six numbers for each box: xmin,ymin,zmin,xmax,ymax,zmax");
  }
  options.cold.clear();
  for (std::size_t k = 0; k < numbers.size(); k += 6) {
    options.cold.push_back({Vec<3>(numbers[k], numbers[k + 1], numbers[k + 2]),
                            Vec<3>(numbers[k + 3], numbers[k + 4], numbers[k + 5])});
  }
}

std::string write_cold(const ObaOptions& options) {
  std::string text;
  for (const ColdVolume& box : options.cold) {
    for (const Vec<3>& corner : {box.least, box.most}) {
      for (const double number : corner) {
        text += fmt::format("{}{}", text.empty() ? "" : ",", number);
      }
    }
  }
  return text;
}

const std::vector<ObaKey>& oba_keys() {
  using enum FrictionCone;
  static const std::vector<ObaKey> keys{
      choice_key<ObaObjective, 2>(
          "objective",
          "mass|size: what pulls to the targets in the position update, masses and inertia or the "
          "same for all",
          {ObaObjective::mass, ObaObjective::size},
          [](ObaOptions& options) -> ObaObjective& { return options.objective; }),
      number_key("turn", "largest turn of a body in one position program, radians per axis (0.1)",
                 &ObaOptions::largest_turn),
      choice_key<FrictionCone, 3>(
          "cone", "inner|circular|outer: friction by a pyramid, or by Coulomb's cone",
          {inner, circular, outer},
          [](ObaOptions& options) -> FrictionCone& { return options.cone.cone; }),
      {"sides", "of the pyramid (8)",
       [](ObaOptions& options, const std::string& value) {
         options.cone.sides = count_of("sides", value);
       },
       [](const ObaOptions& options) { return fmt::format("{}", options.cone.sides); }},
      switch_key("lift",
                 "on|off: least kinetic energy, by which sliding lifts, or Coulomb's law in rounds",
                 &ObaOptions::lift),
      count_key("n", "collisions resolved one by one before the program; -1: by the scene",
                &ObaOptions::sequential_collisions),
      count_key("rounds", "of the program where bodies bounce; 0: by the scene",
                &ObaOptions::bounce_rounds),
      choice_key<StaticContact, 3>(
          "static", "impulses|accelerations|cones: how resting contacts get their forces",
          {StaticContact::impulses, StaticContact::accelerations, StaticContact::cones},
          [](ObaOptions& options) -> StaticContact& { return options.static_contact; }),
      count_key("iterations", "of the moving acceleration cones (3)", &ObaOptions::cone_iterations),
      switch_key("hybrid", "on|off: fast and thin bodies are bounced on their way",
                 &ObaOptions::hybrid_position),
      count_key("c_max", "bounces of a pair on its way in a frame, at most (8)",
                &ObaOptions::c_max),
      number_key("v_min", "slowest bounce on the way; 0: what gravity gives in a frame",
                 &ObaOptions::v_min),
      switch_key("distance", "on|off: what would overlap in the next frame bounces now",
                 &ObaOptions::bounce_at_distance),
      switch_key("energy",
                 "keep|free: what touches and would gain energy in a frame loses speed, or (as "
                 "published) does not",
                 &ObaOptions::keep_energy, {"free", "keep"}),
      switch_key("freeze",
                 "energy|rest: with --freezing, below the energy of a frame's fall, or at rest",
                 &ObaOptions::freezing_by_energy, {"rest", "energy"}),
      count_key("c_f", "calm frames before a body freezes (3)", &ObaOptions::c_f),
      {"cold", "xmin,ymin,zmin,xmax,ymax,zmax: where bodies may freeze; several boxes in a row",
       read_cold, write_cold},
  };
  return keys;
}

}  // namespace

std::string_view to_string(StaticContact contact) {
  switch (contact) {
    case StaticContact::impulses:
      return "impulses";
    case StaticContact::accelerations:
      return "accelerations";
    case StaticContact::cones:
      return "cones";
  }
  return "impulses";
}

std::string_view to_string(ObaObjective objective) {
  return objective == ObaObjective::mass ? "mass" : "size";
}

void ObaOptions::validate() const {
  cone.validate();
  const auto whole = [](const char* name, int value, int least) {
    if (value < least) throw Error(name, std::to_string(value), fmt::format("{} or more", least));
  };
  whole("n", sequential_collisions, -1);
  whole("rounds", bounce_rounds, 0);
  whole("iterations", cone_iterations, 1);
  whole("c_max", c_max, 0);
  whole("c_f", c_f, 0);
  if (!(largest_turn > 0.0 && largest_turn <= 1.0)) {
    throw Error("turn", fmt::format("{:g}", largest_turn), "a number above 0 and at most 1");
  }
  if (!(v_min >= 0.0 && std::isfinite(v_min))) {
    throw Error("v_min", fmt::format("{:g}", v_min), "a number not less than 0");
  }
  for (const ColdVolume& box : cold) {
    if (!box.least.allFinite() || !box.most.allFinite() ||
        !(box.least.array() < box.most.array()).all()) {
      throw Error("cold", write_cold(*this), "boxes whose first corner is below the second");
    }
  }
}

void ObaOptions::set(std::string_view option, const std::string& value) {
  std::string names;
  for (const ObaKey& key : oba_keys()) {
    if (key.name == option) {
      key.read(*this, value);
      return;
    }
    names += (names.empty() ? "" : ", ") + std::string(key.name);
  }
  throw Error("", fmt::format("\"{}\"", printable(std::string(option))), "one of " + names);
}

void ObaOptions::set_all(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string part = text.substr(from, comma - from);
    from = comma + 1;
    if (const std::size_t equals = part.find('='); equals != std::string::npos) {
      pairs.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    } else if (pairs.empty()) {
      throw Error("", fmt::format("\"{}\"", printable(part)), "key=value");
    } else {
      pairs.back().second += "," + part;
    }
  }
  for (const auto& [key, value] : pairs) set(key, value);
  validate();
}

std::vector<std::pair<std::string, std::string>> ObaOptions::describe() const {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const ObaKey& key : oba_keys()) pairs.emplace_back(key.name, key.write(*this));
  return pairs;
}

std::vector<std::pair<std::string, std::string>> oba_option_help() {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const ObaKey& key : oba_keys()) lines.emplace_back(key.name, key.help);
  return lines;
}

}  // namespace collapse
