#pragma once
/// Writes SVG 1.1: numbers, text, paths. Knows nothing of scenes. Lengths are pixels, y down.

#include <string>
#include <string_view>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse::svg {

using Pixel = Vec<2>;

/// A length or coordinate in as few characters as hundredths of a pixel need: `.5`, `-12.25`, `3`.
[[nodiscard]] std::string number(double pixels);

/// A quantity for people, with this many significant digits and without superfluous zeros.
[[nodiscard]] std::string quantity(double value, int digits);

/// `text` as XML character data or attribute value. What XML does not allow (control characters,
/// bytes that are not UTF-8) becomes U+FFFD.
[[nodiscard]] std::string escape(std::string_view text);

/// Roughly the width of `text` in a sans-serif font of that size; never much too small.
[[nodiscard]] double text_width(std::string_view text, double font_size);

/// `text`, cut at the end with an ellipsis if it is wider than `width`.
[[nodiscard]] std::string fitted(std::string_view text, double font_size, double width);

/// The data of a path. Each loop starts at its leftmost point and subpaths are sorted, so that the
/// same curves give the same bytes in whatever order they come.
class Path {
 public:
  Path& loop(const std::vector<Pixel>& corners);
  Path& disk(const Pixel& centre, double radius);
  Path& segment(const Pixel& from, const Pixel& to);

  [[nodiscard]] std::string data() const;

 private:
  std::vector<std::string> subpaths_;
};

/// A filled arrow whose shaft is `width` thick; a slim triangle where it is too short for a head.
[[nodiscard]] Path arrow(const Pixel& tail, const Pixel& tip, double width);

class Canvas {
 public:
  explicit Canvas(double width) : width_(width) {}

  /// Rules of the style sheet.
  void style(std::string_view rules) { style_ += rules; }
  /// Goes into <defs>.
  void define(std::string_view markup) { definitions_ += markup; }

  void open_group(std::string_view attributes);
  void close_group();
  /// `title` is what a browser shows under the pointer; empty for none.
  void path(std::string_view classes, const Path& path, std::string_view title = {});
  void circle(std::string_view classes, const Pixel& centre, double radius);
  void rectangle(std::string_view classes, const Pixel& low, const Pixel& size);
  /// `at` is the start of the base line, or its middle where the class says so.
  void text(std::string_view classes, const Pixel& at, double font_size, std::string_view text);
  /// Parts of one line with small gaps between them, each with its class.
  struct Span {
    std::string classes;
    std::string text;
  };
  void text(const Pixel& at, double font_size, const std::vector<Span>& spans);

  /// The whole document.
  [[nodiscard]] std::string finish(double height, std::string_view title) const;

 private:
  double width_;
  std::string style_;
  std::string definitions_;
  std::string body_;
};

}  // namespace collapse::svg
