#include <cmath>

#include "collapse/core/error.hpp"
#include "collapse/io/gltf.hpp"
#include "io/extent.hpp"
#include "io/facets.hpp"
#include "io/force_arrows.hpp"
#include "io/gltf_limits.hpp"
#include "io/gltf_model.hpp"

namespace collapse {
namespace {

/// Puts a scene in space into a model.
class SpaceModel {
 public:
  SpaceModel(const Scene<3>& scene, const State<3>& state)
      : scene_(scene),
        state_(state),
        typical_(typical_size(scene)),
        extent_(extent_of(scene, state)),
        fills_(fills_of(scene)) {
    gltf::require_size(typical_.length);
    if (!extent_.empty()) gltf::require_places(extent_.low, extent_.high, 0.0);
    model_.raise_z();
    if (!extent_.empty() &&
        extent_.middle().stableNorm() > gltf::kFarAway * extent_.size().maxCoeff()) {
      model_.set_origin(extent_.middle());
    }
  }

  void add_bodies() {
    for (int i = 0; i < std::ssize(scene_.bodies); ++i) {
      const Body<3>& body = scene_.bodies[static_cast<std::size_t>(i)];
      const Pose<3>& pose = state_.poses[static_cast<std::size_t>(i)];
      if (body.shape.half_space) {
        add_half_space(body, pose);
        continue;
      }
      Colour colour = deepened(kStone);
      if (!body.fixed) {
        const int fill = fills_[static_cast<std::size_t>(body.material)];
        colour = mix(deepened(fill_colour(fill)), kInk, gltf::kShadeStep * (i % gltf::kShades));
      }
      const Triangles solid = triangles_of(facets_of(body.shape), body.mass.centre);
      static_cast<void>(model_.node(body.name, model_.mesh(solid, colour, std::nullopt),
                                    state_.centre(scene_, i), Eigen::Quaterniond(pose.rotation),
                                    Vec<3>::Ones()));
    }
  }

  void add_forces(const std::vector<ContactForce<3>>& forces) {
    const double longest = std::sqrt(typical_.thickness) * std::sqrt(typical_.length);
    for (const gltf::ForceArrow<3>& arrow : gltf::force_arrows(model_, scene_, forces)) {
      static_cast<void>(
          model_.node(arrow.name, arrow.mesh, arrow.point,
                      Eigen::Quaterniond::FromTwoVectors(Vec<3>::UnitX(), arrow.direction),
                      Vec<3>::Constant(arrow.length * longest)));
    }
  }

  [[nodiscard]] std::string finish() { return model_.finish(scene_.name); }

 private:
  void add_half_space(const Body<3>& body, const Pose<3>& pose) {
    const Plate plate = plate_of(*body.shape.half_space, pose, extent_, typical_);
    const Triangles solid = triangles_of(box_facets(plate.half), Vec<3>::Zero());
    static_cast<void>(model_.node(body.name, model_.mesh(solid, deepened(kStone), std::nullopt),
                                  plate.middle, Eigen::Quaterniond(plate.axes), Vec<3>::Ones()));
  }

  const Scene<3>& scene_;
  const State<3>& state_;
  TypicalSize typical_;
  BasicExtent<3> extent_;
  std::vector<int> fills_;
  gltf::Model model_;
};

}  // namespace

std::string gltf_of(const Scene<3>& scene, const State<3>& state,
                    const std::vector<ContactForce<3>>& forces) {
  SpaceModel model(scene, state);
  model.add_bodies();
  model.add_forces(forces);
  return model.finish();
}

}  // namespace collapse
