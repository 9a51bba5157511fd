#pragma once
/// The part of a page's data that does not change from frame to frame, as JSON.

#include <string>

#include "collapse/io/page.hpp"

namespace collapse {

/// Numbers in frames are multiples of these. Powers of two, so that what is round in a scene stays so.
struct PageQuanta {
  double length = 1.0;
  double angle = 1.0;
  double point = 1.0;  ///< of where forces act
};
[[nodiscard]] PageQuanta page_quanta(const Scene<2>& scene, const State<2>& state);

/// Bodies that are not fixed, in order: those that frames have poses of.
[[nodiscard]] std::vector<int> moving_bodies(const Scene<2>& scene);

/// What `scene_header` is told besides the scene.
struct PageContent {
  const ContactSet<2>* contacts = nullptr;
  const Verdict<2>* verdict = nullptr;
  const TrajectoryReader* motion = nullptr;
};
[[nodiscard]] std::string page_header(const Scene<2>& scene, const State<2>& state,
                                      const PageQuanta& quanta, const PageContent& content,
                                      const PageOptions& options);

}  // namespace collapse
