#include "io/foreign_blocks.hpp"

#include <algorithm>
#include <charconv>

#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace collapse::foreign {
namespace {

const Rational kFriction = Rational(84) / 100;

/// The position of the block that a word of --supports means.
std::size_t support_of(const BlockScene& scene, const std::string& word) {
  const auto named = std::find_if(scene.blocks.begin(), scene.blocks.end(),
                                  [&](const Block& block) { return block.name == word; });
  if (named != scene.blocks.end()) return static_cast<std::size_t>(named - scene.blocks.begin());
  std::size_t index = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (scene.numbers && fault == std::errc() && end == word.data() + word.size() &&
      index < scene.blocks.size()) {
    return index;
  }
  std::vector<std::string_view> names;
  for (const Block& block : scene.blocks) names.push_back(block.name);
  throw Error("--supports", in_quotes(word),
              "the " + std::string(scene.numbers ? "name or number (from 0)" : "key") +
                  " of one of the " + std::to_string(names.size()) + " blocks" +
                  did_you_mean(word, names));
}

Rational lowest(const std::vector<Block>& blocks) {
  Rational low = blocks.front().mesh.vertices.front()[2];
  for (const Block& block : blocks) {
    for (const ExactVec<3>& vertex : block.mesh.vertices) low = std::min(low, vertex[2]);
  }
  return low;
}

void turn_up(std::vector<Block>& blocks) {
  for (Block& block : blocks) {
    for (ExactVec<3>& vertex : block.mesh.vertices) vertex = y_up_to_z_up(vertex);
  }
}

void refuse_negative(const std::optional<Rational>& value, const std::string& option, bool zero) {
  if (!value || *value > 0 || (zero && *value == 0)) return;
  throw Error(option, to_string(*value),
              zero ? "a number not less than 0" : "a number greater than 0");
}

}  // namespace

std::string block_scene(BlockScene scene, const ConvertOptions& options,
                        std::vector<std::string>& remarks) {
  refuse_negative(options.friction, "--friction", true);
  refuse_negative(options.density, "--density", false);
  refuse_negative(options.gravity, "--gravity", true);
  for (const std::string& word : options.supports) {
    scene.blocks[support_of(scene, word)].support = true;
  }
  if (options.y_up) turn_up(scene.blocks);

  SceneWriter text;
  text.name = scene.name;
  text.gravity = ExactVec<3>(0, 0, -options.gravity.value_or(scene.gravity));
  const Rational friction = options.friction.value_or(kFriction);
  text.add_material("default", options.density.value_or(Rational(1)), friction);
  std::vector<Rational> densities;  // of the file, each a material
  std::vector<std::string> names;
  for (const Block& block : scene.blocks) {
    names.push_back(text.unique_name(block.name));
    if (!scene.numbers && names.back() != block.name) {
      // The name leads back to the node when forces are written.
      throw Error(block.place, "the key " + in_quotes(block.name),
                  "a key that can be the name of a body");
    }
  }
  if (options.ground) {
    ObjectText ground;
    ground.add("name", json_string(text.unique_name("ground")));
    ground.add("plane",
               "{\"normal\":[0,0,1],\"offset\":" + number_text(lowest(scene.blocks)) + "}");
    text.add_body(ground);
  }
  bool held = options.ground;
  for (std::size_t i = 0; i < scene.blocks.size(); ++i) {
    const Block& block = scene.blocks[i];
    ObjectText body;
    body.add("name", json_string(names[i]));
    if (block.support) body.add("fixed", "true");
    held = held || block.support;
    if (block.density && !options.density) {
      const std::string material = "density " + plain_number(*block.density);
      if (std::find(densities.begin(), densities.end(), *block.density) == densities.end()) {
        densities.push_back(*block.density);
        text.add_material(material, *block.density, friction);
      }
      body.add("material", json_string(material));
    }
    add_solid(body, block.mesh, "block " + in_quotes(block.name), block.place, remarks);
    text.add_body(body);
  }
  if (!held) {
    remarks.emplace_back(
        "nothing is fixed: name the supports (--supports) or add a ground (--ground)");
  }
  return text.text();
}

}  // namespace collapse::foreign
