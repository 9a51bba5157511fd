#include "geometry/convex_cell.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/geometry/pose.hpp"

namespace collapse {

namespace {

Rational exact_dot(const ExactVec<3>& u, const ExactVec<3>& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/// The parts of a convex polygon below and above a plane that corners lie on both sides of.
std::pair<Fragment, Fragment> split_fragment(const Fragment& fragment, const CuttingPlane& plane,
                                             const std::vector<int>& sides) {
  std::pair<Fragment, Fragment> parts;
  for (Fragment* part : {&parts.first, &parts.second}) {
    part->plane = fragment.plane;
    part->against = fragment.against;
    part->on_boundary = fragment.on_boundary;
  }
  const auto add = [](Fragment& part, const ExactVec<3>& corner, const Vec<3>& value) {
    part.corners.push_back(corner);
    part.values.push_back(value);
  };
  const std::size_t count = fragment.corners.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = (i + 1) % count;
    if (sides[i] <= 0) add(parts.first, fragment.corners[i], fragment.values[i]);
    if (sides[i] >= 0) add(parts.second, fragment.corners[i], fragment.values[i]);
    if (sides[i] * sides[next] >= 0) continue;
    const ExactVec<3> corner = plane.crossing(fragment.corners[i], fragment.corners[next]);
    const Vec<3> value = to_double<3>(corner);
    add(parts.first, corner, value);
    add(parts.second, corner, value);
  }
  return parts;
}

void share_fragment(const Fragment& fragment, const CuttingPlane& plane, int number,
                    std::pair<ConvexCell, ConvexCell>& parts) {
  auto& [below, above] = parts;
  std::vector<int> sides;
  bool has_below = false;
  bool has_above = false;
  if (fragment.plane != number) {
    for (std::size_t i = 0; i < fragment.corners.size(); ++i) {
      sides.push_back(plane.side({fragment.corners[i], fragment.values[i]}));
      has_below = has_below || sides.back() < 0;
      has_above = has_above || sides.back() > 0;
    }
  }
  if (has_below && has_above) {
    std::pair<Fragment, Fragment> halves = split_fragment(fragment, plane, sides);
    below.fragments.push_back(std::move(halves.first));
    above.fragments.push_back(std::move(halves.second));
  } else if (has_below || has_above) {
    (has_below ? below : above).fragments.push_back(fragment);
  } else {
    // In the plane: it bounds the cell on the solid's side.
    ConvexCell& cell = fragment.against ? above : below;
    cell.fragments.push_back(fragment);
    cell.fragments.back().on_boundary = true;
  }
}

}  // namespace

CuttingPlane::CuttingPlane(ExactVec<3> normal, Rational offset)
    : normal_(std::move(normal)),
      offset_(std::move(offset)),
      rounded_(to_double<3>(normal_)),
      rounded_offset_(to_double(offset_)) {}

CuttingPlane CuttingPlane::through(const ExactVec<3>& a, const ExactVec<3>& b,
                                   const ExactVec<3>& c) {
  const ExactVec<3> u = b - a;
  const ExactVec<3> v = c - a;
  ExactVec<3> normal;
  for (int k = 0; k < 3; ++k) {
    normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
  }
  // The largest component one: numbers stay short, and planes can be compared.
  Rational largest = 0;
  for (int k = 0; k < 3; ++k) {
    if (abs(normal[k]) > largest) largest = abs(normal[k]);
  }
  for (int k = 0; k < 3; ++k) normal[k] /= largest;
  Rational offset = exact_dot(normal, a);
  return {std::move(normal), std::move(offset)};
}

/// Coordinates and coefficients are each rounded once: products are wrong by 3u, the sum of four by 6u of the sum of
/// magnitudes. The bound leaves half for its own rounding.
int CuttingPlane::side(SpacePoint point) const {
  constexpr double kRelativeError = 0x1p-49;
  constexpr double kTiny = 1e-290;
  const double height = rounded_.dot(point.value) - rounded_offset_;
  const double size = rounded_.cwiseAbs().dot(point.value.cwiseAbs()) + std::abs(rounded_offset_);
  if (std::abs(height) > kRelativeError * size + kTiny) return height > 0 ? 1 : -1;
  return exact_dot(normal_, point.exact).compare(offset_);
}

ExactVec<3> CuttingPlane::crossing(const ExactVec<3>& a, const ExactVec<3>& b) const {
  const Rational from = exact_dot(normal_, a) - offset_;
  const Rational to = exact_dot(normal_, b) - offset_;
  const Rational share = from / (from - to);
  ExactVec<3> point;
  for (int k = 0; k < 3; ++k) point[k] = a[k] + share * (b[k] - a[k]);
  return point;
}

bool ConvexCell::is_divided() const {
  return std::any_of(fragments.begin(), fragments.end(),
                     [](const Fragment& fragment) { return !fragment.on_boundary; });
}

std::pair<ConvexCell, ConvexCell> split(const ConvexCell& cell, const CuttingPlane& plane,
                                        int number) {
  const Hull& hull = cell.hull;
  std::vector<ExactVec<3>> below;
  std::vector<ExactVec<3>> above;
  std::vector<int> sides;
  for (std::size_t i = 0; i < hull.exact().size(); ++i) {
    sides.push_back(plane.side({hull.exact()[i], hull.vertices()[i]}));
    if (sides.back() <= 0) below.push_back(hull.exact()[i]);
    if (sides.back() >= 0) above.push_back(hull.exact()[i]);
  }
  for (const Hull::Edge& edge : hull.edges()) {
    const auto from = static_cast<std::size_t>(edge.from);
    const auto to = static_cast<std::size_t>(edge.to);
    if (sides[from] * sides[to] >= 0) continue;
    below.push_back(plane.crossing(hull.exact()[from], hull.exact()[to]));
    above.push_back(below.back());
  }
  std::pair<ConvexCell, ConvexCell> parts;
  parts.first.hull = Hull(below);
  parts.second.hull = Hull(above);
  for (const Fragment& fragment : cell.fragments) share_fragment(fragment, plane, number, parts);
  return parts;
}

Rational volume_of(const Hull& hull) {
  std::vector<Triangle> triangles;
  for (const Hull::Face& face : hull.faces()) {
    for (std::size_t i = 2; i < face.loop.size(); ++i) {
      triangles.push_back({face.loop[0], face.loop[i - 1], face.loop[i]});
    }
  }
  return ExactPoints(hull.exact()).six_volumes(triangles) / 6;
}

}  // namespace collapse
