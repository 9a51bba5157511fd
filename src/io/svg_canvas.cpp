#include "io/svg_canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "collapse/core/check.hpp"

namespace collapse::svg {
namespace {

/// Coordinates are kept in whole hundredths of a pixel: steps between them then add up without
/// rounding.
using Hundredths = std::int64_t;
struct GridPoint {
  Hundredths x = 0;
  Hundredths y = 0;
  auto operator<=>(const GridPoint&) const = default;
};

/// Far outside of any picture; some viewers compute in single precision and go astray beyond.
constexpr double kFarthest = 1e6;

Hundredths to_grid(double pixels) {
  COLLAPSE_DEMAND(std::isfinite(pixels));
  return std::llround(std::clamp(pixels, -kFarthest, kFarthest) * 100.0);
}

GridPoint to_grid(const Pixel& point) { return {to_grid(point.x()), to_grid(point.y())}; }

std::string grid_number(Hundredths value) {
  const Hundredths size = value < 0 ? -value : value;
  std::string text = value < 0 ? "-" : "";
  const Hundredths fraction = size % 100;
  if (size >= 100 || fraction == 0) text += std::to_string(size / 100);
  if (fraction != 0) {
    text += fmt::format(".{:02}", fraction);
    if (text.back() == '0') text.pop_back();
  }
  return text;
}

/// Two numbers with no more between them than a reader needs.
std::string grid_pair(Hundredths x, Hundredths y) {
  const std::string second = grid_number(y);
  return grid_number(x) + (second.front() == '-' ? "" : " ") + second;
}

std::string grid_step(const GridPoint& from, const GridPoint& to) {
  if (from == to) return {};
  if (from.y == to.y) return "h" + grid_number(to.x - from.x);
  if (from.x == to.x) return "v" + grid_number(to.y - from.y);
  return "l" + grid_pair(to.x - from.x, to.y - from.y);
}

constexpr char32_t kReplacement = 0xFFFD;

/// The next character of UTF-8 `text`, taken off its front; kReplacement for a byte that starts
/// none.
char32_t next_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  char32_t character = length == 1 ? lead : lead & (0x7Fu >> length);
  bool valid = length != 0 && length <= text.size();
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = (byte(i) & 0xC0) == 0x80;
    character = (character << 6) | (byte(i) & 0x3Fu);
  }
  // Overlong forms, surrogates and what lies beyond Unicode.
  if (length == 3)
    valid = valid && character >= 0x800 && (character < 0xD800 || character > 0xDFFF);
  if (length == 4) valid = valid && character >= 0x10000 && character <= 0x10FFFF;
  text.remove_prefix(valid ? length : 1);
  return valid ? character : kReplacement;
}

bool allowed_in_xml(char32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  return !control && c != 0xFFFE && c != 0xFFFF;
}

/// In units of the font size; most fonts are narrower.
double character_width(char32_t c) {
  if (c >= 0x1100 && c != kReplacement && c != 0x2026 && !(c >= 0x2000 && c < 0x2300)) return 1.0;
  if (c == 'i' || c == 'l' || c == 'j' || c == ' ' || c == '.' || c == ',' || c == ':') return 0.33;
  return c == 'm' || c == 'w' || (c >= 'A' && c <= 'Z') ? 0.75 : 0.6;
}

}  // namespace

std::string number(double pixels) { return grid_number(to_grid(pixels)); }

std::string quantity(double value, int digits) {
  if (std::isnan(value)) return "unknown";
  if (std::isinf(value)) return value > 0 ? "unbounded" : "−unbounded";
  std::string text = fmt::format("{:.{}g}", value, digits);
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    const int exponent = std::stoi(text.substr(e + 1));
    // Whole numbers that %g would write as 1e+03.
    if (exponent > 0 && exponent < 6)
      text = fmt::format("{:.0f}", std::stod(text));
    else
      text = text.substr(0, e) + "e" + std::to_string(exponent);
  }
  if (text == "-0") return "0";
  std::string result;
  for (const char c : text) result += c == '-' ? "−" : std::string(1, c);
  return result;
}

std::string escape(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = next_character(text);
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (c == '\'')
      result += "&#39;";
    else if (c == kReplacement || !allowed_in_xml(c))
      result += "\uFFFD";
    else
      result += before.substr(0, before.size() - text.size());
  }
  return result;
}

double text_width(std::string_view text, double font_size) {
  double width = 0.0;
  while (!text.empty()) width += character_width(next_character(text));
  return width * font_size;
}

std::string fitted(std::string_view text, double font_size, double width) {
  if (text_width(text, font_size) <= width) return std::string(text);
  double room = width / font_size - 1.0;
  std::string_view rest = text;
  std::size_t kept = 0;
  while (!rest.empty()) {
    room -= character_width(next_character(rest));
    if (room < 0.0) break;
    kept = text.size() - rest.size();
  }
  return std::string(text.substr(0, kept)) + "…";
}

Path& Path::loop(const std::vector<Pixel>& corners) {
  if (corners.empty()) return *this;
  std::vector<GridPoint> points;
  points.reserve(corners.size());
  for (const Pixel& corner : corners) points.push_back(to_grid(corner));
  std::rotate(points.begin(), std::min_element(points.begin(), points.end()), points.end());
  std::string data = "M" + grid_pair(points.front().x, points.front().y);
  for (std::size_t i = 1; i < points.size(); ++i) data += grid_step(points[i - 1], points[i]);
  subpaths_.push_back(data + "z");
  return *this;
}

Path& Path::disk(const Pixel& centre, double radius) {
  const GridPoint c = to_grid(centre);
  const Hundredths r = to_grid(radius);
  const std::string radii = grid_pair(r, r);
  subpaths_.push_back(fmt::format("M{}a{} 0 1 0 {}a{} 0 1 0 {}z", grid_pair(c.x - r, c.y), radii,
                                  grid_pair(2 * r, 0), radii, grid_pair(-2 * r, 0)));
  return *this;
}

Path& Path::segment(const Pixel& from, const Pixel& to) {
  const GridPoint start = to_grid(from);
  subpaths_.push_back("M" + grid_pair(start.x, start.y) + grid_step(start, to_grid(to)));
  return *this;
}

std::string Path::data() const {
  std::vector<std::string> sorted = subpaths_;
  std::sort(sorted.begin(), sorted.end());
  std::string data;
  for (const std::string& subpath : sorted) data += subpath;
  return data;
}

Path arrow(const Pixel& tail, const Pixel& tip, double width) {
  const Pixel along = tip - tail;
  const double length = along.norm();
  if (length == 0.0) return Path().disk(tail, 0.5 * width);
  const Pixel direction = along / length;
  const Pixel across(-direction.y(), direction.x());
  const double head = 3.2 * width;
  if (length < 1.4 * head) {
    const Pixel foot = std::min(1.1 * width, 0.3 * length) * across;
    return Path().loop({tail + foot, tip, tail - foot});
  }
  const Pixel neck = tip - head * direction;
  const Pixel shaft = 0.5 * width * across;
  const Pixel barb = 1.45 * width * across;
  return Path().loop(
      {tail + shaft, neck + shaft, neck + barb, tip, neck - barb, neck - shaft, tail - shaft});
}

void Canvas::open_group(std::string_view attributes) {
  body_ += fmt::format("<g {}>\n", attributes);
}

void Canvas::close_group() { body_ += "</g>\n"; }

void Canvas::path(std::string_view classes, const Path& path, std::string_view title) {
  body_ += fmt::format("<path class=\"{}\" d=\"{}\"", classes, path.data());
  body_ += title.empty() ? "/>\n" : fmt::format("><title>{}</title></path>\n", escape(title));
}

void Canvas::circle(std::string_view classes, const Pixel& centre, double radius) {
  body_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", classes,
                       number(centre.x()), number(centre.y()), number(radius));
}

void Canvas::rectangle(std::string_view classes, const Pixel& low, const Pixel& size) {
  body_ +=
      fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", classes,
                  number(low.x()), number(low.y()), number(size.x()), number(size.y()));
}

void Canvas::text(std::string_view classes, const Pixel& at, double font_size,
                  std::string_view text) {
  body_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" font-size=\"{}\">{}</text>\n", classes,
                       number(at.x()), number(at.y()), number(font_size), escape(text));
}

void Canvas::text(const Pixel& at, double font_size, const std::vector<Span>& spans) {
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\">", number(at.x()), number(at.y()),
                       number(font_size));
  // Not a space, which some viewers drop at the ends of a part.
  std::string_view gap;
  for (const Span& span : spans) {
    body_ += fmt::format("<tspan class=\"{}\"{}>{}</tspan>", span.classes, gap, escape(span.text));
    gap = " dx=\".5em\"";
  }
  body_ += "</text>\n";
}

std::string Canvas::finish(double height, std::string_view title) const {
  const std::string w = number(width_);
  const std::string h = number(height);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\">\n<title>{2}</title>\n<style type=\"text/css\">\n{3}</style>\n"
      "<defs>\n{4}</defs>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n{5}</svg>\n",
      w, h, escape(title), style_, definitions_, body_);
}

}  // namespace collapse::svg
