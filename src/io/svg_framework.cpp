#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "io/svg_picture.hpp"

namespace collapse::svg {
namespace {

/// By point: the faces it is a corner of, in order.
std::vector<std::vector<int>> faces_at(const Framework<2>& framework) {
  std::vector<std::vector<int>> faces(framework.points.size());
  for (int f = 0; f < std::ssize(framework.faces); ++f) {
    for (const int point : framework.faces[static_cast<std::size_t>(f)]) {
      faces[static_cast<std::size_t>(point)].push_back(f);
    }
  }
  return faces;
}

/// Whether a bar goes across a face, which it only stiffens.
bool braces(const std::vector<int>& face, int p, int q) {
  const auto n = std::ssize(face);
  const auto i = std::find(face.begin(), face.end(), p) - face.begin();
  const auto j = std::find(face.begin(), face.end(), q) - face.begin();
  const auto apart = (i - j + n) % n;
  return apart != 1 && apart != n - 1;
}

}  // namespace

Vec<2> Picture::thing_centre(int index) const {
  if (index < std::ssize(scene_.bodies)) return state_.centre(scene_, index);
  const std::size_t face = static_cast<std::size_t>(index) - scene_.bodies.size();
  const std::size_t faces = scene_.framework.faces.size();
  if (face >= faces) return state_.points[face - faces];
  const std::vector<int>& corners = scene_.framework.faces[face];
  Vec<2> centre = Vec<2>::Zero();
  for (const int point : corners) {
    centre += state_.points[static_cast<std::size_t>(point)] / static_cast<double>(corners.size());
  }
  return centre;
}

void Picture::draw_framework() {
  const Framework<2>& framework = scene_.framework;
  const auto place = [&](int point) {
    return view_.place(state_.points[static_cast<std::size_t>(point)]);
  };
  for (const std::vector<int>& face : framework.faces) {
    std::vector<Pixel> corners;
    for (const int point : face) corners.push_back(place(point));
    canvas_.path("face", Path().loop(corners));
  }
  const std::vector<std::vector<int>> faces = faces_at(framework);
  // What only stiffens a face steps back behind what holds the framework together.
  for (const bool brace : {true, false}) {
    Path bars;
    bool any = false;
    for (const auto& [p, q] : framework.bars) {
      bool across = false;
      for (const int f : faces[static_cast<std::size_t>(p)]) {
        if (!std::ranges::binary_search(faces[static_cast<std::size_t>(q)], f)) continue;
        across = braces(framework.faces[static_cast<std::size_t>(f)], p, q);
        break;
      }
      if (across != brace) continue;
      bars.segment(place(p), place(q));
      any = true;
    }
    if (any) canvas_.path(brace ? "bar brace" : "bar", bars);
  }
  const double r = 2.2 * line_;
  for (int i = 0; i < std::ssize(framework.points); ++i) {
    if (framework.points[static_cast<std::size_t>(i)].fixed) {
      canvas_.path("peg", Path().loop(quad(place(i), 2.0 * r, 0.25 * std::numbers::pi)));
    } else {
      canvas_.circle("point", place(i), r);
    }
  }
}

/// Beside the points.
void Picture::draw_point_names() {
  const double size = 0.85 * font_;
  for (std::size_t i = 0; i < scene_.framework.points.size(); ++i) {
    const Pixel at = view_.place(state_.points[i]) + Pixel(4.0 * line_ + 2.0, -4.0 * line_ - 2.0);
    canvas_.text("pointname", at, size, scene_.framework.points[i].name);
  }
}

}  // namespace collapse::svg
