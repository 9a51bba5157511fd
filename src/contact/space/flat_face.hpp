#pragma once

#include <algorithm>
#include <vector>

#include "contact/space/planar.hpp"
#include "contact/space/touching.hpp"

namespace collapse::contacts {

/// The convex pieces of a face in the coordinates of a plane beside it, counter-clockwise there.
inline void flatten(const Side& side, int face, const PlaneFrame& frame,
                    std::vector<FlatPolygon>& out) {
  const auto& pieces = side.surface.faces[at_index(face)].pieces;
  const bool turned = side.face(face).normal.dot(frame.normal) < 0.0;
  out.resize(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    out[i].clear();
    for (const int p : pieces[i]) out[i].push_back(frame.flat(side.point(p)));
    if (turned) std::reverse(out[i].begin(), out[i].end());
  }
}

}  // namespace collapse::contacts
