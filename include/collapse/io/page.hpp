#pragma once
/// One self-contained page that shows a scene or plays a motion (docs/view.md). The page itself is built from
/// web/; this writes the data into it: compressed, as base64 in an element that browsers do not run, so that
/// nothing in a scene can become part of the page's script or markup.

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>

#include "collapse/formulation/verdict.hpp"
#include "collapse/io/trajectory.hpp"

namespace collapse {

/// Gets the page piece by piece.
using PageSink = std::function<void(std::string_view)>;

struct PageOptions {
  bool forces =
      true;  ///< one resultant per touching pair and frame, and the contacts that open and close
  std::vector<std::string> loads;  ///< that a scene was checked with, as the user named them
};

/// A scene with its verdict: forces or mechanism. Without a verdict (frameworks have none) the scene alone.
template <int Dim>
void write_scene_page(std::string_view page, const Scene<Dim>& scene, const State<Dim>& state,
                      const std::type_identity_t<ContactSet<Dim>>& contacts,
                      const std::type_identity_t<Verdict<Dim>>* verdict, const PageOptions& options,
                      const PageSink& sink);

/// A motion, frame by frame: what is kept does not grow with their number.
template <int Dim>
class MotionPage {
 public:
  /// `finished`: whether the run reached its end. `page` and `scene` have to live as long. Throws Error if the page
  /// has no place for data.
  MotionPage(std::string_view page, const Scene<Dim>& scene, const TrajectoryHeader& header,
             bool finished, const PageOptions& options, PageSink sink);
  ~MotionPage();
  MotionPage(const MotionPage&) = delete;
  MotionPage& operator=(const MotionPage&) = delete;

  /// Times must grow. Throws Error if the page becomes larger than browsers can open.
  void add(const Frame<Dim>& frame);
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class MotionPage<2>;
extern template class MotionPage<3>;

}  // namespace collapse
