#include "cli/cones.hpp"

#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace collapse::cli {

ConeModel ConeArguments::model() const {
  ConeModel model;
  model.sides = sides;
  if (cone == "inner") {
    model.cone = FrictionCone::inner;
  } else if (cone == "outer") {
    model.cone = FrictionCone::outer;
  } else if (cone != "circular") {
    throw Error("--cone", in_quotes(cone), "circular, inner or outer");
  }
  if (sides < 3) throw Error("--sides", std::to_string(sides), "at least 3");
  model.validate();
  return model;
}

void add_cone_options(CLI::App& command, ConeArguments& cones) {
  command
      .add_option("--cone", cones.cone,
                  "circular|inner|outer: friction in space by its cone, or by a pyramid inside "
                  "(what stands "
                  "then stands) or around it (what falls then falls)")
      ->capture_default_str();
  command.add_option("--sides", cones.sides, "Sides of such a pyramid")->capture_default_str();
}

}  // namespace collapse::cli
