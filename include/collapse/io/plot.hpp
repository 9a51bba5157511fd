#pragma once
/// Plots with logarithmic axes, side by side in one SVG picture.

#include <string>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse {

/// Points, by default with a line through them in their order. What is not positive and finite in both coordinates is left out.
struct PlotCurve {
  std::string name;  ///< one colour and one entry of the legend for each name
  std::vector<Vec<2>> points;
  bool connected = true;
};

struct PlotPanel {
  std::string across;  ///< what the axes are of
  std::string up;
  std::vector<PlotCurve> curves;
  double floor = 0.0;  ///< values up are known down to here; 0: no such line
  std::string floor_name;
  /// Dashed lines of these slopes, from the highest of the rightmost points.
  std::vector<double> slopes;
};

struct PlotOptions {
  int width = 1000;  ///< pixels, of the whole picture
  std::string title;
  std::string subtitle;
};

/// As SVG. Throws Error if the width makes no sense.
[[nodiscard]] std::string draw_plots(const std::vector<PlotPanel>& panels,
                                     const PlotOptions& options = {});

}  // namespace collapse
