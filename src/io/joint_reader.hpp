#pragma once
/// Joints, ignored pairs and loads: all that refers to bodies by their names.

#include "collapse/model/scene.hpp"
#include "io/body_reader.hpp"
#include "io/node.hpp"

namespace collapse::reader {

/// Appends the joints to `scene`, and the pairs they join to its ignored ones.
void read_joints(const Node& list, const NameTable& bodies, Scene<2>& scene);
/// Appends the pairs to `scene.ignored`.
void read_ignored(const Node& list, const NameTable& bodies, Scene<2>& scene);
void read_loads(const Node& list, const NameTable& bodies, Scene<2>& scene);

}  // namespace collapse::reader
