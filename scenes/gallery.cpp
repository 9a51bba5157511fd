#include "scenes/gallery.hpp"

#include <algorithm>
#include <iterator>

#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"
#include "scenes/recipes.hpp"

namespace collapse::scenes {
namespace {

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> kRecipes = [] {
    std::vector<Recipe> all;
    for (const auto family :
         {stack_recipes, wall_recipes, pile_recipes, arch_recipes, friction_recipes, frame_recipes,
          framework_recipes, space_stack_recipes, vault_recipes, dome_recipes,
          space_friction_recipes, space_frame_recipes, container_recipes, oba_stack_recipes,
          oba_pile_recipes, oba_glass_recipes, oba_pendulum_recipes, oba_robot_recipes,
          analytical_recipes}) {
      std::vector<Recipe> some = family();
      std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    std::sort(all.begin(), all.end(),
              [](const Recipe& a, const Recipe& b) { return a.entry.name < b.entry.name; });
    return all;
  }();
  return kRecipes;
}

}  // namespace

const std::vector<Entry>& gallery() {
  static const std::vector<Entry> kEntries = [] {
    std::vector<Entry> entries;
    for (const Recipe& recipe : recipes()) entries.push_back(recipe.entry);
    return entries;
  }();
  return kEntries;
}

std::string make_scene(const std::string& name, const std::map<std::string, std::string>& options) {
  const auto recipe =
      std::find_if(recipes().begin(), recipes().end(),
                   [&](const Recipe& candidate) { return candidate.entry.name == name; });
  if (recipe == recipes().end()) {
    std::vector<std::string_view> known;
    for (const Entry& entry : gallery()) known.push_back(entry.name);
    throw Error("", "the scene " + in_quotes(name),
                "one of " + joined(known) + did_you_mean(name, known));
  }
  return recipe->make(Options(recipe->entry, options));
}

}  // namespace collapse::scenes
