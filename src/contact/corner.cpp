#include "contact/corner.hpp"

#include <algorithm>
#include <cmath>

namespace collapse::contacts {
namespace {

double cross(const Vec<2>& u, const Vec<2>& v) { return u.x() * v.y() - u.y() * v.x(); }

bool holds(const DirectionCone& cone, const Vec<2>& direction, double angle) {
  // The last test rules out the opposite direction where the cone is narrow.
  return cross(cone.first, direction) >= -angle && cross(direction, cone.last) >= -angle &&
         direction.dot(cone.first + cone.last) >= -angle;
}

}  // namespace

std::optional<DirectionCone> common_directions(const DirectionCone& a, const DirectionCone& b,
                                               double angle) {
  // The later of the two beginnings and the earlier of the two ends; where these coincide it makes
  // no difference which is taken.
  const DirectionCone common{cross(a.first, b.first) > 0.0 ? b.first : a.first,
                             cross(a.last, b.last) < 0.0 ? b.last : a.last};
  for (const Vec<2>& direction : {common.first, common.last}) {
    if (!holds(a, direction, angle) || !holds(b, direction, angle)) return std::nullopt;
  }
  return common;
}

double support(const DirectionCone& cone, const Vec<2>& offset) {
  const bool inside = cross(cone.first, offset) >= 0.0 && cross(offset, cone.last) >= 0.0 &&
                      offset.dot(cone.first + cone.last) >= 0.0;
  if (inside) return std::hypot(offset.x(), offset.y());
  return std::max(cone.first.dot(offset), cone.last.dot(offset));
}

}  // namespace collapse::contacts
