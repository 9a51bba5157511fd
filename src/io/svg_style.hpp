#pragma once
/// Colours and line widths of a picture.

#include <string>

namespace collapse::svg {

/// Number of shades for forces.
inline constexpr int kShades = 9;

/// Pixels.
struct StyleSizes {
  double line = 1.0;   ///< width of outlines
  double mark = 3.0;   ///< radius of contacts' marks
  double hatch = 9.0;  ///< distance of hatching lines
};

/// Rules for `fills` materials. `pale`: the bodies step back behind what is drawn over them.
[[nodiscard]] std::string style_sheet(const StyleSizes& sizes, int fills, bool framework,
                                      bool pale);

/// The fill of what never moves, for <defs>.
[[nodiscard]] std::string hatch_pattern(const StyleSizes& sizes);

/// Fills repeat from the ninth material on.
[[nodiscard]] int fill_class(int fill);

/// Of a force that is `share` times the largest. By the square root, as the arrows' widths: small
/// forces would look alike otherwise.
[[nodiscard]] int shade_class(double share);

}  // namespace collapse::svg
