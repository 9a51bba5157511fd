#include "io/svg_style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/palette.hpp"
#include "io/svg_canvas.hpp"

namespace collapse::svg {
namespace {

double square(double x) { return x * x; }

std::string hex(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(colour.red), std::lround(colour.green),
                     std::lround(colour.blue));
}

}  // namespace

std::string style_sheet(const StyleSizes& sizes, int fills, bool framework, bool pale) {
  const double fade = pale ? 0.55 : 0.0;
  const std::string line = number(sizes.line);
  const std::string thin = number(std::max(0.15, 0.3 * sizes.mark));
  std::string rules = fmt::format(
      "text{{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#222833}}\n"
      ".name{{font-weight:bold}}.k{{fill:#4a5261}}.label{{text-anchor:middle;fill:#39414f}}\n"
      ".stands,.falls,.undecided{{font-weight:bold}}\n"
      ".stands{{fill:#1b7f4b}}.falls{{fill:#c0272d}}.undecided{{fill:#a86a00}}\n"
      ".body{{fill-rule:evenodd;stroke-width:{0};stroke-linejoin:round;stroke-linecap:round}}\n"
      ".fixed{{fill:url(#hatch);stroke:#6d737d}}\n",
      line);
  for (int i = 0; i < std::min(fills, kFills); ++i) {
    const Colour fill = fill_colour(i);
    rules += fmt::format(".m{}{{fill:{};stroke:{}}}\n", i, hex(mix(fill, kWhite, fade)),
                         hex(mix(mix(fill, kInk, 0.58), kWhite, fade)));
  }
  for (int i = 0; i < kShades; ++i) {
    rules += fmt::format(".f{}{{fill:{}}}\n", i,
                         hex(force_colour(square(static_cast<double>(i) / (kShades - 1)))));
  }
  rules += fmt::format(
      ".jointforce{{fill:#6a3fa0}}\n"
      ".contact{{fill:#39414f}}.unloaded{{fill:#fff;stroke:#8a919d;stroke-width:{0}}}\n"
      ".corner{{fill:#ffd23f;stroke:#5b4a00;stroke-width:{0}}}\n"
      ".joint{{fill:#fff;stroke:#222833;stroke-width:{1}}}.rod{{stroke:#222833;stroke-width:{1}}}\n"
      ".swatch{{stroke-width:1}}\n",
      thin, number(std::clamp(0.45 * sizes.mark, 0.5, 2.0)));
  if (framework) {
    rules += fmt::format(
        ".face{{fill:{0};fill-opacity:.75}}\n"
        ".bar{{stroke:#4d6277;stroke-width:{1};stroke-linecap:round}}.brace{{stroke-opacity:.25}}\n"
        ".point{{fill:#fff;stroke:#4d6277;stroke-width:{2}}}.peg{{fill:#39414f}}\n"
        ".pointname{{fill:#39414f}}\n",
        hex(fill_colour(0)), number(1.6 * sizes.line), line);
  }
  if (pale) {
    rules += fmt::format(
        ".ghost{{fill:#d8442f;stroke:#b3261e;stroke-width:{0};fill-rule:evenodd;"
        "stroke-linejoin:round}}\n"
        ".g1{{fill-opacity:.1;stroke-opacity:.85}}.g2{{fill-opacity:.07;stroke-opacity:.5}}"
        ".g3{{fill-opacity:.05;stroke-opacity:.28}}\n"
        ".slow{{fill-opacity:0;stroke-opacity:.45}}\n"
        ".velocity{{fill:#7a1218}}\n"
        ".opens{{fill:#fff;stroke:#1667b7;stroke-width:{1}}}"
        ".slides{{stroke:#12805c;stroke-width:{2};stroke-linecap:round}}.holds{{fill:#222833}}\n",
        line, thin, number(std::max(0.3, 0.8 * sizes.mark)));
  }
  return rules;
}

std::string hatch_pattern(const StyleSizes& sizes) {
  const std::string step = number(sizes.hatch);
  return fmt::format(
      "<pattern id=\"hatch\" width=\"{0}\" height=\"{0}\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><rect width=\"{0}\" height=\"{0}\" fill=\"#eceef0\"/>"
      "<path d=\"M0 0v{0}\" stroke=\"#b9bec6\" stroke-width=\"{1}\"/></pattern>\n",
      step, number(0.18 * sizes.hatch));
}

int fill_class(int fill) { return fill % kFills; }

int shade_class(double share) {
  const double shade = std::sqrt(std::clamp(share, 0.0, 1.0)) * (kShades - 1);
  return static_cast<int>(std::lround(shade));
}

}  // namespace collapse::svg
