#pragma once
/// Blocks of other people's files as shapes of a scene.

#include <string>
#include <vector>

#include "collapse/geometry/polyhedron.hpp"
#include "io/scene_writer.hpp"

namespace collapse::foreign {

/// Equal vertices made one, unused ones dropped, faces that vanish by that too; faces that are not flat cut into
/// triangles, in the same way whichever side they are looked at from, so that neighbours stay neighbours.
[[nodiscard]] Mesh with_plain_faces(const Mesh& mesh);

/// Adds `hull` or, where the block is not convex, `mesh` to a body. `mesh` has plain faces; `what` names the block in
/// messages. Throws Error at `place` where the surface is not that of a solid. Returns the volume.
double add_solid(ObjectText& body, const Mesh& mesh, const std::string& what,
                 const std::string& place, std::vector<std::string>& remarks);

/// Adds `hull`: of the points alone.
void add_hull(ObjectText& body, const std::vector<ExactVec<3>>& points);

/// (x, y, z) ↦ (x, −z, y): what was up along y is up along z.
[[nodiscard]] ExactVec<3> y_up_to_z_up(const ExactVec<3>& point);

}  // namespace collapse::foreign
