#pragma once
/// Joints, ignored pairs and loads: all that refers to bodies by their names.

#include "collapse/model/scene.hpp"
#include "io/body_reader.hpp"
#include "io/node.hpp"

namespace collapse::reader {

/// Appends the joints to `scene`, and the pairs they join to its ignored ones.
template <int Dim>
void read_joints(const Node& list, const NameTable& bodies, Scene<Dim>& scene);
/// Appends the pairs to `scene.ignored`.
template <int Dim>
void read_ignored(const Node& list, const NameTable& bodies, Scene<Dim>& scene);
template <int Dim>
void read_loads(const Node& list, const NameTable& bodies, Scene<Dim>& scene);

}  // namespace collapse::reader
