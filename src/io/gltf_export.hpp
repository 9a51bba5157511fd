#pragma once
/// What gltf.cpp (plane) and gltf_space.cpp have in common: each says what the content of its dimension is.

#include "collapse/io/gltf.hpp"

namespace collapse {

template <int Dim>
GltfExport<Dim>::GltfExport(const Scene<Dim>& scene) : content_(std::make_unique<Content>(scene)) {}

template <int Dim>
GltfExport<Dim>::~GltfExport() = default;

template <int Dim>
void GltfExport<Dim>::add(double time, const State<Dim>& state) {
  content_->add(time, state);
}

template <int Dim>
void GltfExport<Dim>::add_forces(const std::vector<ContactForce<Dim>>& forces) {
  content_->forces.insert(content_->forces.end(), forces.begin(), forces.end());
}

template <int Dim>
std::string GltfExport<Dim>::finish() {
  return content_->finish();
}

}  // namespace collapse
