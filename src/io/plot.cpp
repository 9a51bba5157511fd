#include "collapse/io/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "collapse/core/error.hpp"
#include "io/svg_canvas.hpp"
#include "io/svg_legend.hpp"

namespace collapse {
namespace {

using svg::Canvas;
using svg::Legend;
using svg::Path;
using svg::Pixel;

/// Told apart in print and by those who see colours otherwise; repeated from the seventh name on.
constexpr std::array<const char*, 6> kCurveColours = {"#1667b7", "#d8442f", "#12805c",
                                                      "#8a4fbf", "#a86a00", "#39414f"};

bool is_shown(const Vec<2>& point) {
  return point.allFinite() && point.x() > 0.0 && point.y() > 0.0;
}

/// `10` with its power above the line.
std::string power_of_ten(int exponent) {
  static constexpr std::array<const char*, 10> kRaised = {"⁰", "¹", "²", "³", "⁴",
                                                          "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) {
    text += kRaised.at(static_cast<std::size_t>(digit - '0'));
  }
  return text;
}

/// One axis: decimal logarithms from `low` to `high` onto pixels.
struct LogAxis {
  double low = 0.0;
  double high = 1.0;
  double first_pixel = 0.0;
  double last_pixel = 1.0;

  [[nodiscard]] double place(double value) const {
    return first_pixel + (last_pixel - first_pixel) * (std::log10(value) - low) / (high - low);
  }
};

struct Tick {
  double value = 1.0;
  std::string text;
};

/// Powers of ten, thinned out where there are many; twice and five times as much where there are few.
std::vector<Tick> ticks_of(const LogAxis& axis) {
  constexpr double kFew = 2.5;
  constexpr double kMany = 8.0;
  const double decades = axis.high - axis.low;
  const int stride = static_cast<int>(std::max(1.0, std::ceil(decades / kMany)));
  std::vector<Tick> ticks;
  for (int e = static_cast<int>(std::floor(axis.low)); e <= std::ceil(axis.high); ++e) {
    if (e % stride != 0) continue;
    for (const int times : {1, 2, 5}) {
      if (times > 1 && decades > kFew) continue;
      const double value = times * std::pow(10.0, e);
      const double at = std::log10(value);
      if (at < axis.low - 1e-9 || at > axis.high + 1e-9) continue;
      const std::string power = power_of_ten(e);
      const bool plain = e >= -3 && e <= 3;
      ticks.push_back({value, plain        ? fmt::format("{:g}", value)
                              : times == 1 ? power
                                           : fmt::format("{}·{}", times, power)});
    }
  }
  return ticks;
}

class PlotDrawer {
 public:
  PlotDrawer(const std::vector<PlotPanel>& panels, const PlotOptions& options)
      : panels_(panels),
        options_(options),
        font_(std::max(7.0, 0.014 * options.width)),
        legend_(font_),
        canvas_(options.width) {
    for (const PlotPanel& panel : panels) {
      for (const PlotCurve& curve : panel.curves) {
        if (std::find(names_.begin(), names_.end(), curve.name) == names_.end()) {
          names_.push_back(curve.name);
        }
      }
    }
  }

  std::string draw() {
    write_style();
    const double margin = 1.5 * font_;
    const double room = options_.width - 2.0 * margin;
    canvas_.text("name", {margin, 1.9 * font_}, 1.25 * font_,
                 svg::fitted(options_.title, 1.25 * font_, room));
    canvas_.text("k", {margin, 3.6 * font_}, font_, svg::fitted(options_.subtitle, font_, room));
    const double width = room / std::max(1.0, static_cast<double>(panels_.size()));
    const double top = 6.0 * font_;
    const double bottom = top + std::min(0.75 * width, 0.5 * options_.width);
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      const double left = margin + static_cast<double>(i) * width;
      draw_panel(panels_[i], {left + 4.0 * font_, top}, {left + width - 1.5 * font_, bottom});
    }
    explain();
    const double end = legend_.draw(canvas_, margin, margin + room, bottom + 4.0 * font_);
    return canvas_.finish(std::ceil(end + 0.6 * font_), options_.title);
  }

 private:
  void write_style() {
    const std::string line = svg::number(0.15 * font_);
    std::string rules = fmt::format(
        "text{{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#222833}}\n"
        ".name{{font-weight:bold}}.k{{fill:#4a5261}}.middle{{text-anchor:middle;fill:#4a5261}}\n"
        ".right{{text-anchor:end;fill:#4a5261}}\n"
        ".frame{{fill:none;stroke:#8a919d}}.grid{{stroke:#e3e6ea}}\n"
        ".slope,.floor{{stroke:#8a919d;stroke-dasharray:{0} {0}}}.floor{{stroke:#222833}}\n",
        svg::number(0.4 * font_));
    for (std::size_t i = 0; i < kCurveColours.size(); ++i) {
      rules += fmt::format(".c{0}{{stroke:{1};stroke-width:{2};fill:none}}.p{0}{{fill:{1}}}\n", i,
                           kCurveColours[i], line);
    }
    canvas_.style(rules);
  }

  [[nodiscard]] std::size_t colour_of(const std::string& name) const {
    const auto place = std::find(names_.begin(), names_.end(), name);
    return static_cast<std::size_t>(place - names_.begin()) % kCurveColours.size();
  }

  /// Holds all that is shown, a little more, and at least a decade.
  static std::array<LogAxis, 2> axes_of(const PlotPanel& panel) {
    std::array<double, 2> low;
    std::array<double, 2> high;
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
    const auto include = [&](std::size_t k, double value) {
      low.at(k) = std::min(low.at(k), std::log10(value));
      high.at(k) = std::max(high.at(k), std::log10(value));
    };
    for (const PlotCurve& curve : panel.curves) {
      for (const Vec<2>& point : curve.points) {
        if (!is_shown(point)) continue;
        include(0, point.x());
        include(1, point.y());
      }
    }
    if (panel.floor > 0.0) include(1, panel.floor);
    std::array<LogAxis, 2> axes;
    for (std::size_t k = 0; k < 2; ++k) {
      if (!(low.at(k) <= high.at(k))) low.at(k) = high.at(k) = 0.0;
      const double wider =
          std::max(0.08 * (high.at(k) - low.at(k)), 0.5 * (1.0 - (high.at(k) - low.at(k))));
      axes.at(k).low = low.at(k) - wider;
      axes.at(k).high = high.at(k) + wider;
    }
    return axes;
  }

  void draw_panel(const PlotPanel& panel, const Pixel& low, const Pixel& high) {
    auto [x, y] = axes_of(panel);
    x.first_pixel = low.x();
    x.last_pixel = high.x();
    y.first_pixel = high.y();
    y.last_pixel = low.y();
    for (const Tick& tick : ticks_of(x)) {
      const double at = x.place(tick.value);
      canvas_.path("grid", Path().segment({at, low.y()}, {at, high.y()}));
      canvas_.text("middle", {at, high.y() + 1.4 * font_}, 0.9 * font_, tick.text);
    }
    for (const Tick& tick : ticks_of(y)) {
      const double at = y.place(tick.value);
      canvas_.path("grid", Path().segment({low.x(), at}, {high.x(), at}));
      canvas_.text("right", {low.x() - 0.4 * font_, at + 0.3 * font_}, 0.9 * font_, tick.text);
    }
    canvas_.text("k", {low.x(), low.y() - 0.6 * font_}, font_, panel.up);
    canvas_.text("middle", {0.5 * (low.x() + high.x()), high.y() + 2.9 * font_}, font_,
                 panel.across);
    const std::string clip = fmt::format("plot{}", clips_++);
    canvas_.define(fmt::format(
        "<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
        clip, svg::number(low.x()), svg::number(low.y()), svg::number(high.x() - low.x()),
        svg::number(high.y() - low.y())));
    canvas_.open_group(fmt::format("clip-path=\"url(#{})\"", clip));
    draw_slopes(panel, x, y);
    if (panel.floor > 0.0) {
      const double at = y.place(panel.floor);
      canvas_.path("floor", Path().segment({low.x(), at}, {high.x(), at}));
    }
    for (const PlotCurve& curve : panel.curves) draw_curve(curve, x, y);
    canvas_.close_group();
    canvas_.rectangle("frame", low, high - low);
  }

  void draw_slopes(const PlotPanel& panel, const LogAxis& x, const LogAxis& y) {
    Vec<2> start(0.0, 0.0);
    for (const PlotCurve& curve : panel.curves) {
      for (const Vec<2>& point : curve.points) {
        const bool better =
            point.x() > start.x() || (point.x() == start.x() && point.y() > start.y());
        if (is_shown(point) && better) start = point;
      }
    }
    if (!is_shown(start)) return;
    for (const double slope : panel.slopes) {
      const double end = std::pow(10.0, x.low);
      const double far = start.y() * std::pow(end / start.x(), slope);
      canvas_.path("slope", Path().segment({x.place(start.x()), y.place(start.y())},
                                           {x.place(end), y.place(far)}));
    }
  }

  void draw_curve(const PlotCurve& curve, const LogAxis& x, const LogAxis& y) {
    const std::size_t colour = colour_of(curve.name);
    std::vector<Pixel> pixels;
    for (const Vec<2>& point : curve.points) {
      if (is_shown(point)) pixels.emplace_back(x.place(point.x()), y.place(point.y()));
    }
    Path path;
    for (std::size_t i = 1; i < pixels.size(); ++i) path.segment(pixels[i - 1], pixels[i]);
    if (curve.connected && pixels.size() > 1) {
      canvas_.path(fmt::format("c{}", colour), path, curve.name);
    }
    for (const Pixel& pixel : pixels) {
      canvas_.circle(fmt::format("p{}", colour), pixel, radius_of(curve.connected));
    }
  }

  void explain() {
    for (const std::string& name : names_) {
      const std::size_t colour = colour_of(name);
      const bool connected = is_connected(name);
      legend_.add(name, 2.0 * font_, [this, colour, connected](const Pixel& at) {
        if (connected) {
          canvas_.path(fmt::format("c{}", colour), Path().segment(at, at + Pixel(2.0 * font_, 0)));
        }
        canvas_.circle(fmt::format("p{}", colour), at + Pixel(font_, 0), radius_of(connected));
      });
    }
    for (const PlotPanel& panel : panels_) {
      if (panel.floor > 0.0 && !panel.floor_name.empty()) {
        explain_dashes("floor", panel.floor_name);
        break;
      }
    }
    std::set<double> slopes;
    for (const PlotPanel& panel : panels_) slopes.insert(panel.slopes.begin(), panel.slopes.end());
    if (!slopes.empty()) {
      explain_dashes("slope", fmt::format("order {:g}", fmt::join(slopes, " and ")));
    }
  }

  /// Whether the curves of that name are.
  [[nodiscard]] bool is_connected(const std::string& name) const {
    return std::any_of(panels_.begin(), panels_.end(), [&](const PlotPanel& panel) {
      return std::any_of(panel.curves.begin(), panel.curves.end(), [&](const PlotCurve& curve) {
        return curve.name == name && curve.connected;
      });
    });
  }
  [[nodiscard]] double radius_of(bool connected) const { return (connected ? 0.3 : 0.12) * font_; }

  void explain_dashes(const std::string& classes, const std::string& text) {
    legend_.add(text, 2.0 * font_, [this, classes](const Pixel& at) {
      canvas_.path(classes, Path().segment(at, at + Pixel(2.0 * font_, 0)));
    });
  }

  const std::vector<PlotPanel>& panels_;
  const PlotOptions& options_;
  double font_;
  std::vector<std::string> names_;  ///< of curves, in the order of their colours
  int clips_ = 0;
  Legend legend_;
  Canvas canvas_;
};

}  // namespace

std::string draw_plots(const std::vector<PlotPanel>& panels, const PlotOptions& options) {
  constexpr int kLeastPixels = 100;
  constexpr int kMostPixels = 20000;
  if (options.width < kLeastPixels || options.width > kMostPixels) {
    throw Error("width", std::to_string(options.width),
                fmt::format("a number of pixels from {} to {}", kLeastPixels, kMostPixels));
  }
  return PlotDrawer(panels, options).draw();
}

}  // namespace collapse
