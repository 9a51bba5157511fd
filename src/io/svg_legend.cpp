#include "io/svg_legend.hpp"

#include <utility>

namespace collapse::svg {

void Legend::add(std::string text, double width, Mark mark) {
  entries_.push_back({std::move(text), width, std::move(mark)});
}

double Legend::draw(Canvas& canvas, double left, double right, double top) const {
  const double line = 1.7 * font_size_;
  double x = left;
  double y = top;
  if (entries_.empty()) return y;
  for (const Entry& entry : entries_) {
    const double before_text = entry.mark ? entry.width + 0.5 * font_size_ : 0.0;
    const double width = before_text + text_width(entry.text, font_size_);
    if (x > left && x + width > right) {
      x = left;
      y += line;
    }
    if (entry.mark) entry.mark({x, y + 0.5 * line});
    canvas.text("k", {x + before_text, y + 0.5 * line + 0.35 * font_size_}, font_size_,
                fitted(entry.text, font_size_, right - x - before_text));
    x += width + 1.4 * font_size_;
  }
  return y + line;
}

}  // namespace collapse::svg
