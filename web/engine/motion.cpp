/// A simulation that the page steps: one object behind a handle, poses and forces as plain numbers.

#include <emscripten.h>

#include <algorithm>
#include <memory>

#include "collapse/io/scene_reader.hpp"
#include "collapse/simulate/simulation.hpp"
#include "web/engine/answer.hpp"

namespace collapse::web {
namespace {

class Motion {
 public:
  explicit Motion(const char* text)
      : scene_(parse_scene(text)), simulation_(scene_, options_of(scene_)) {}

  void step(int count) {
    for (int i = 0; i < count && !resting(); ++i) simulation_.step();
    write();
  }

  /// x, y of the origin and c, s of the rotation of each body, then x, y of each point of the framework.
  [[nodiscard]] const std::vector<double>& poses() const { return poses_; }
  /// Numbers of a and b, point, force on b, of each contact that carries force.
  [[nodiscard]] const std::vector<double>& forces() const { return forces_; }

  [[nodiscard]] Json account() const {
    const Account& account = simulation_.account();
    Json incidents = Json::array();
    for (const Incident& incident : simulation_.incidents()) {
      incidents.push_back({{"time", incident.time}, {"what", incident.what}});
    }
    return {{"time", simulation_.time()},
            {"step", step_},
            {"resting", resting()},
            {"steps", account.steps},
            {"programs", account.programs},
            {"energy", account.energy},
            {"initial_energy", account.initial_energy},
            {"max_penetration", account.max_penetration},
            {"incidents", incidents}};
  }

 private:
  /// Nothing moves, and nothing is going to.
  [[nodiscard]] bool resting() const {
    return simulation_.resting() &&
           std::all_of(scene_.bodies.begin(), scene_.bodies.end(), [&](const Body<2>& body) {
             return body.motion.empty() || body.motion.back().time.value <= simulation_.time();
           });
  }

  SimulationOptions options_of(const Scene<2>& scene) {
    SimulationOptions options;
    step_ = options.step = scene.simulation.step.value;
    if (scene.simulation.scheme == to_string(SchemeKind::acceleration)) {
      options.scheme = SchemeKind::acceleration;
    }
    options.impact = impact_rule(scene.simulation);
    options.freezing = true;
    return options;
  }

  void write() {
    poses_.clear();
    for (const Pose<2>& pose : simulation_.state().poses) {
      poses_.insert(poses_.end(),
                    {pose.position[0], pose.position[1], pose.rotation(0, 0), pose.rotation(1, 0)});
    }
    for (const Vec<2>& point : simulation_.state().points) {
      poses_.insert(poses_.end(), {point[0], point[1]});
    }
    forces_.clear();
    for (const ContactForce<2>& contact : simulation_.contacts()) {
      forces_.insert(forces_.end(),
                     {static_cast<double>(contact.id.a), static_cast<double>(contact.id.b),
                      contact.point[0], contact.point[1], contact.force[0], contact.force[1]});
    }
  }

  double step_ = 0.0;
  Scene<2> scene_;
  Simulation<2> simulation_;
  std::vector<double> poses_;
  std::vector<double> forces_;
};

/// One at a time: the page plays one scene.
std::unique_ptr<Motion>& current_motion() {
  static std::unique_ptr<Motion> motion;
  return motion;
}

}  // namespace
}  // namespace collapse::web

using collapse::web::current_motion;

extern "C" {

/// Takes the place of the simulation before it. { time, step, … } or { error }.
EMSCRIPTEN_KEEPALIVE char* collapse_motion_begin(const char* scene) {
  return collapse::web::answer([&] {
    current_motion().reset();
    current_motion() = std::make_unique<collapse::web::Motion>(scene);
    current_motion()->step(0);
    return current_motion()->account();
  });
}

/// `count` steps, fewer if everything comes to rest.
EMSCRIPTEN_KEEPALIVE char* collapse_motion_step(int count) {
  return collapse::web::answer([&] {
    if (!current_motion()) {
      throw collapse::Error("", "a step before a scene", "a simulation that has begun");
    }
    current_motion()->step(count);
    return current_motion()->account();
  });
}

EMSCRIPTEN_KEEPALIVE const double* collapse_motion_poses() {
  return current_motion() ? current_motion()->poses().data() : nullptr;
}
EMSCRIPTEN_KEEPALIVE int collapse_motion_pose_count() {
  return current_motion() ? static_cast<int>(current_motion()->poses().size()) : 0;
}
EMSCRIPTEN_KEEPALIVE const double* collapse_motion_forces() {
  return current_motion() ? current_motion()->forces().data() : nullptr;
}
EMSCRIPTEN_KEEPALIVE int collapse_motion_force_count() {
  return current_motion() ? static_cast<int>(current_motion()->forces().size()) : 0;
}
EMSCRIPTEN_KEEPALIVE void collapse_motion_end() { current_motion().reset(); }
}
