#pragma once
/// The lines below a picture that explain its marks.

#include <functional>
#include <string>
#include <vector>

#include "io/svg_canvas.hpp"

namespace collapse::svg {

class Legend {
 public:
  /// Draws a mark whose left end, at half the height of the text, is at the given point.
  using Mark = std::function<void(const Pixel&)>;

  explicit Legend(double font_size) : font_size_(font_size) {}

  /// `width` is the mark's; a mark of no width may be empty.
  void add(std::string text, double width = 0.0, Mark mark = {});

  /// Entries from left to right, in as many lines as they need; returns where they end.
  [[nodiscard]] double draw(Canvas& canvas, double left, double right, double top) const;

 private:
  struct Entry {
    std::string text;
    double width;
    Mark mark;
  };
  double font_size_;
  std::vector<Entry> entries_;
};

}  // namespace collapse::svg
