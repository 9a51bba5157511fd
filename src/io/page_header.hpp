#pragma once
/// The part of a page's data that does not change from frame to frame, as JSON.

#include <string>

#include "collapse/io/page.hpp"

namespace collapse {

/// Numbers in frames are multiples of these. Powers of two, so that what is round in a scene stays so.
struct PageQuanta {
  double length = 1.0;
  double angle = 1.0;  ///< in space, of the components of quaternions
  double point = 1.0;  ///< of where forces act
};
template <int Dim>
[[nodiscard]] PageQuanta page_quanta(const Scene<Dim>& scene, const State<Dim>& state);

/// Bodies that are not fixed, in order: those that frames have poses of.
template <int Dim>
[[nodiscard]] std::vector<int> moving_bodies(const Scene<Dim>& scene);

/// What `scene_header` is told besides the scene.
template <int Dim>
struct PageContent {
  const ContactSet<Dim>* contacts = nullptr;
  const Verdict<Dim>* verdict = nullptr;
  const TrajectoryHeader* motion = nullptr;
  bool finished = false;  ///< of a motion: whether its run reached the end
};
template <int Dim>
[[nodiscard]] std::string page_header(const Scene<Dim>& scene, const State<Dim>& state,
                                      const PageQuanta& quanta, const PageContent<Dim>& content,
                                      const PageOptions& options);

}  // namespace collapse
