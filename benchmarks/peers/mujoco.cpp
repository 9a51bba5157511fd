#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>

#include "benchmarks/peers/engines.hpp"
#include "benchmarks/peers/mujoco_model.hpp"

namespace collapse::benchmarks {
namespace {

constexpr double kMujocoHalfDepth = 0.5;

// Room for contacts: by default it would drop some of a large structure's. Rows are limited because
// it counts the bytes of its buffers, squares of rows among them, in an int.
constexpr std::size_t kContactsPerBody = 20;
constexpr std::size_t kRowsPerBody = 120;
constexpr std::size_t kMostRows = 12'000;
constexpr std::size_t kStackPerBody = 100'000;

/// Our x and y are its x and z.
std::string mujoco_point(const Vec<2>& p, double depth = 0.0) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", p[0], depth, p[1]);
}

std::string mujoco_mesh(const EngineBody& body) {
  std::string vertices;
  for (const Vec<2>& corner : body.corners) {
    for (const double depth : {-kMujocoHalfDepth, kMujocoHalfDepth}) {
      vertices += mujoco_point(corner, depth) + "  ";
    }
  }
  return fmt::format("<mesh name=\"mesh{}\" vertex=\"{}\"/>\n", body.body, vertices);
}

std::string mujoco_body(const EngineBody& body) {
  if (body.ground) return "<body><geom type=\"plane\" size=\"0 0 1\"/></body>\n";
  const std::string geom = body.half_extent
                               ? fmt::format("<geom type=\"box\" size=\"{}\"/>",
                                             mujoco_point(*body.half_extent, kMujocoHalfDepth))
                               : fmt::format("<geom type=\"mesh\" mesh=\"mesh{}\"/>", body.body);
  if (body.fixed) {
    return fmt::format("<body pos=\"{}\">{}</body>\n", mujoco_point(body.centre), geom);
  }
  return fmt::format(
      "<body pos=\"{0}\"><inertial pos=\"0 0 0\" mass=\"{1:.17g}\" diaginertia=\"{2:.17g} "
      "{2:.17g} {2:.17g}\"/><joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" "
      "axis=\"0 0 1\"/><joint type=\"hinge\" axis=\"0 -1 0\"/>{3}</body>\n",
      mujoco_point(body.centre), body.mass, body.inertia, geom);
}

/// The scene in its own language. Of a pair it takes the larger friction; without friction contacts
/// have one dimension, since it does not take zero for a coefficient.
std::string mujoco_model(const EngineScene& scene, double step) {
  std::string meshes;
  std::string bodies;
  for (const EngineBody& body : scene.bodies) {
    if (!body.half_extent) meshes += mujoco_mesh(body);
    bodies += mujoco_body(body);
  }
  const std::string contact = scene.friction > 0.0
                                  ? fmt::format("condim=\"3\" friction=\"{:.17g}\"", scene.friction)
                                  : "condim=\"1\"";
  const std::size_t count = scene.bodies.size() + 10;
  return fmt::format(
      "<mujoco>\n<size nconmax=\"{4}\" njmax=\"{5}\" nstack=\"{7}\"/>\n"
      "<option timestep=\"{0:.17g}\" gravity=\"0 0 {1:.17g}\"/>\n"
      "<default><geom {2}/></default>\n<asset>\n{3}</asset>\n<worldbody>\n{6}</worldbody>\n"
      "</mujoco>\n",
      step, scene.gravity, contact, meshes, kContactsPerBody * count,
      std::min(kRowsPerBody * count, kMostRows), bodies, kStackPerBody * count);
}

}  // namespace

EngineRun run_mujoco(const EngineScene& scene, const EngineLimits& limits) {
  const auto model = compile_mujoco(mujoco_model(scene, limits.step_s));
  const std::unique_ptr<mjData, FreeMujoco> data(mj_makeData(model.get()));
  return measure_run(
      scene.bodies, limits,
      [&] {
        mj_step(model.get(), data.get());
        return data->warning[mjWARN_CONTACTFULL].number == 0 &&
               data->warning[mjWARN_CNSTRFULL].number == 0;
      },
      [&](std::size_t i) {
        // Bodies are numbered in order after the world.
        const std::size_t joint =
            static_cast<std::size_t>(model->body_jntadr[static_cast<int>(i) + 1]);
        const auto slide = static_cast<std::size_t>(model->jnt_qposadr[joint]);
        return Vec<2>(scene.bodies[i].centre + Vec<2>(data->qpos[slide], data->qpos[slide + 1]));
      });
}

}  // namespace collapse::benchmarks
