/// Any bytes either give a scene or an Error of one line. Built with libFuzzer where there is one,
/// otherwise with replay_main.cpp over the corpus.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "collapse/core/error.hpp"
#include "collapse/io/scene_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const collapse::Scene<2> scene = collapse::parse_scene(text);
    const collapse::Framework<2>& framework = scene.framework;
    if (scene.bodies.empty() && framework.points.empty()) std::abort();
    if (scene.materials.empty()) std::abort();
    for (const collapse::Body<2>& body : scene.bodies) {
      if (!body.pose.position.allFinite() || !body.pose.rotation.allFinite()) std::abort();
      if (body.free() && !(body.mass.mass > 0.0 && body.mass.inertia(0, 0) > 0.0)) std::abort();
    }
    for (const collapse::FrameworkPoint<2>& point : framework.points) {
      if (!point.position.value.allFinite() || !(point.mass.value > 0.0)) std::abort();
    }
    const auto is_point = [&](int i) {
      return i >= 0 && i < static_cast<int>(framework.points.size());
    };
    for (const auto& [p, q] : framework.bars) {
      if (!is_point(p) || !is_point(q) || p == q) std::abort();
    }
    for (const std::vector<int>& face : framework.faces) {
      if (face.size() < 3 || !std::all_of(face.begin(), face.end(), is_point)) std::abort();
    }
  } catch (const collapse::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    if (error.found().empty() || error.expected().empty()) std::abort();
  }
  return 0;
}
