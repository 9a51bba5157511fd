#include <fmt/core.h>

#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "benchmarks/peers/crowd_engines.hpp"
#include "benchmarks/peers/mujoco_model.hpp"

namespace collapse::benchmarks {
namespace {

// Room for contacts and rows. Version 2.2 counts the bytes of its buffers in an int, and among them are dense squares
// of rows that the solvers used here do not touch: it is given few rows at first, then arrays of ours for more. They
// have the full size that it asks for; the system gives memory only to what is touched, as for its own.
constexpr int kCrowdContacts = 12;  // per body
constexpr int kCrowdRows = 3 * kCrowdContacts;
constexpr int kFirstRows = 100;
constexpr std::size_t kStackPerBody = 20'000;

std::string crowd_point(const Vec<3>& p) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", p[0], p[1], p[2]);
}

std::string crowd_body(const CrowdBox& box) {
  const Eigen::Quaterniond q(box.placed.axes);
  return fmt::format(
      "<body pos=\"{}\" quat=\"{:.17g} {:.17g} {:.17g} {:.17g}\"><freejoint/><inertial pos=\"0 0 "
      "0\" mass=\"{:.17g}\" diaginertia=\"{}\"/><geom type=\"box\" size=\"{}\"/></body>\n",
      crowd_point(box.placed.centre), q.w(), q.x(), q.y(), q.z(), box.mass,
      crowd_point(box.moments), crowd_point(box.placed.half));
}

std::string crowd_model(const CrowdScene& scene, const MujocoSettings& settings) {
  std::string bodies;
  for (const SolidHalf& solid : scene.halves) {
    bodies += fmt::format("<geom type=\"plane\" size=\"0 0 1\" pos=\"{}\" zaxis=\"{}\"/>\n",
                          crowd_point(solid.offset * solid.normal), crowd_point(solid.normal));
  }
  for (const CrowdBox& box : scene.boxes) bodies += crowd_body(box);
  const bool newton = settings.method == MujocoSettings::Method::newton;
  const std::size_t count = scene.boxes.size();
  // Newton's matrix is dense.
  const std::size_t stack = kStackPerBody * (count + 100) + (newton ? 2 * 36 * count * count : 0);
  return fmt::format(
      "<mujoco>\n<size nconmax=\"{}\" njmax=\"{}\" nstack=\"{}\"/>\n"
      "<option timestep=\"{:.17g}\" gravity=\"0 0 {:.17g}\" cone=\"elliptic\" solver=\"{}\" "
      "jacobian=\"sparse\"/>\n"
      "<default><geom condim=\"3\" friction=\"{:.17g}\"/></default>\n<worldbody>\n{}</worldbody>\n"
      "</mujoco>\n",
      kCrowdContacts * count, kFirstRows, stack, kFrame / settings.substeps, scene.gravity,
      newton ? "Newton" : "CG", scene.friction, bodies);
}

class MujocoCrowd final : public CrowdEngine {
 public:
  MujocoCrowd(const CrowdScene& scene, const MujocoSettings& settings)
      : scene_(scene),
        substeps_(settings.substeps),
        model_(compile_mujoco(crowd_model(scene, settings))),
        data_(mj_makeData(model_.get())) {
    model_->njmax = kCrowdRows * static_cast<int>(scene.boxes.size());
    give_rows(static_cast<std::size_t>(model_->njmax));
  }

  bool make_frame() override {
    for (int k = 0; k < substeps_; ++k) mj_step(model_.get(), data_.get());
    for (const int warning :
         {mjWARN_CONTACTFULL, mjWARN_CNSTRFULL, mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC}) {
      if (data_->warning[warning].number > 0) return false;
    }
    return true;
  }

  [[nodiscard]] std::vector<CrowdState> states() const override {
    std::vector<CrowdState> result(scene_.boxes.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      // Each has a free joint: place and quaternion, velocity and spin in its own axes.
      const mjtNum* at = data_->qpos + 7 * i;
      const mjtNum* rate = data_->qvel + 6 * i;
      const Eigen::Quaterniond turn(at[3], at[4], at[5], at[6]);
      result[i].placed = {
          {at[0], at[1], at[2]}, turn.normalized().matrix(), scene_.boxes[i].placed.half};
      result[i].velocity = {rate[0], rate[1], rate[2]};
      result[i].spin = result[i].placed.axes * Vec<3>(rate[3], rate[4], rate[5]);
    }
    return result;
  }

 private:
  template <class T>
  void give(T*& array, std::size_t count) {
    array = static_cast<T*>(std::calloc(count, sizeof(T)));
    if (array == nullptr) throw std::bad_alloc();
    arrays_.emplace_back(array);
  }

  void give_rows(std::size_t rows) {
    mjData& d = *data_;
    for (int** array : {&d.efc_type, &d.efc_id, &d.efc_J_rownnz, &d.efc_J_rowadr, &d.efc_J_rowsuper,
                        &d.efc_AR_rownnz, &d.efc_AR_rowadr, &d.efc_state}) {
      give(*array, rows);
    }
    for (mjtNum** array : {&d.efc_pos, &d.efc_margin, &d.efc_frictionloss, &d.efc_diagApprox,
                           &d.efc_D, &d.efc_R, &d.efc_vel, &d.efc_aref, &d.efc_b, &d.efc_force}) {
      give(*array, rows);
    }
    give(d.efc_KBIP, 4 * rows);
    const std::size_t square = rows * static_cast<std::size_t>(model_->nv);
    for (int** array : {&d.efc_J_colind, &d.efc_JT_colind}) give(*array, square);
    for (mjtNum** array : {&d.efc_J, &d.efc_JT}) give(*array, square);
  }

  struct FreeArray {
    void operator()(void* array) const { std::free(array); }
  };

  const CrowdScene& scene_;
  int substeps_;
  std::unique_ptr<mjModel, FreeMujoco> model_;
  std::unique_ptr<mjData, FreeMujoco> data_;
  std::vector<std::unique_ptr<void, FreeArray>> arrays_;
};

}  // namespace

std::unique_ptr<CrowdEngine> mujoco_crowd(const CrowdScene& scene, const MujocoSettings& settings) {
  return std::make_unique<MujocoCrowd>(scene, settings);
}

}  // namespace collapse::benchmarks
