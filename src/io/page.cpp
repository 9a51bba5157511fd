#include "collapse/io/page.hpp"

#include "io/page_forces.hpp"
#include "io/page_header.hpp"
#include "io/page_poses.hpp"
#include "io/page_stream.hpp"

namespace collapse {
namespace {

double spinning_energy(const Inertia<2>& inertia, const Pose<2>& /*pose*/, const Spin<2>& spin) {
  return 0.5 * inertia(0, 0) * spin[0] * spin[0];
}
double spinning_energy(const Inertia<3>& inertia, const Pose<3>& pose, const Spin<3>& spin) {
  const Vec<3> own = pose.rotation.transpose() * spin;
  return 0.5 * own.dot(inertia * own);
}

template <int Dim>
double kinetic_energy(const Scene<Dim>& scene, const State<Dim>& state) {
  double energy = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body<Dim>& body = scene.bodies[i];
    if (!body.free()) continue;
    const Twist<Dim>& v = state.velocities[i];
    energy += 0.5 * body.mass.mass * v.template head<Dim>().squaredNorm() +
              spinning_energy(body.mass.inertia, state.poses[i], v.template tail<kSpins<Dim>>());
  }
  for (std::size_t i = 0; i < scene.framework.points.size(); ++i) {
    const FrameworkPoint<Dim>& point = scene.framework.points[i];
    if (point.fixed) continue;
    energy += 0.5 * point.mass.value * state.point_velocities[i].squaredNorm();
  }
  return energy;
}

std::string opening(const std::string& header) {
  PageBytes bytes;
  bytes.length(static_cast<std::uint32_t>(header.size()));
  bytes.text(header);
  return bytes.bytes();
}

}  // namespace

/// The layout of a frame is the one that web/src/view/decode.ts reads, field by field.
template <int Dim>
class MotionPage<Dim>::Impl {
 public:
  Impl(std::string_view page, const Scene<Dim>& scene, const State<Dim>& start,
       const PageContent<Dim>& content, const PageOptions& options, PageSink sink)
      : scene_(scene),
        with_forces_(options.forces),
        quanta_(page_quanta(scene, start)),
        poses_(scene, quanta_),
        forces_(quanta_),
        points_(static_cast<std::size_t>(Dim) * scene.framework.points.size()),
        stream_(page, std::move(sink)) {
    stream_.write(opening(page_header(scene, start, quanta_, content, options)));
  }

  void add(const Frame<Dim>& frame) {
    bytes_.real(frame.time);
    bytes_.real(frame.account.energy);
    bytes_.real(kinetic_energy(scene_, frame.state));
    bytes_.count(frame.contacts.size());
    poses_.add(frame, bytes_);
    add_points(frame);
    if (with_forces_) forces_.add(frame, poses_, bytes_);
    stream_.write(bytes_.bytes());
    bytes_.clear();
  }

  void finish() { stream_.finish(); }

 private:
  void add_points(const Frame<Dim>& frame) {
    const std::size_t count = scene_.framework.points.size();
    for (std::size_t axis = 0; axis < Dim; ++axis) {
      for (std::size_t i = 0; i < count; ++i) {
        const double value = frame.state.points[i][static_cast<Eigen::Index>(axis)];
        bytes_.whole(points_[axis * count + i].surprise(page_steps(value, quanta_.length)));
      }
    }
  }

  const Scene<Dim>& scene_;
  bool with_forces_;
  PageQuanta quanta_;
  PagePoses<Dim> poses_;
  PageForces<Dim> forces_;
  std::vector<SmoothNumber> points_;
  PageBytes bytes_;
  PageStream stream_;
};

template <int Dim>
MotionPage<Dim>::MotionPage(std::string_view page, const Scene<Dim>& scene,
                            const TrajectoryHeader& header, bool finished,
                            const PageOptions& options, PageSink sink) {
  PageContent<Dim> content;
  content.motion = &header;
  content.finished = finished;
  impl_ =
      std::make_unique<Impl>(page, scene, initial_state(scene), content, options, std::move(sink));
}

template <int Dim>
MotionPage<Dim>::~MotionPage() = default;

template <int Dim>
void MotionPage<Dim>::add(const Frame<Dim>& frame) {
  impl_->add(frame);
}

template <int Dim>
void MotionPage<Dim>::finish() {
  impl_->finish();
}

template class MotionPage<2>;
template class MotionPage<3>;

template <int Dim>
void write_scene_page(std::string_view page, const Scene<Dim>& scene, const State<Dim>& state,
                      const std::type_identity_t<ContactSet<Dim>>& contacts,
                      const std::type_identity_t<Verdict<Dim>>* verdict, const PageOptions& options,
                      const PageSink& sink) {
  PageContent<Dim> content;
  content.contacts = &contacts;
  content.verdict = verdict;
  PageStream stream(page, sink);
  const std::string header = page_header(scene, state, page_quanta(scene, state), content, options);
  stream.write(opening(header));
  stream.finish();
}

template void write_scene_page(std::string_view, const Scene<2>&, const State<2>&,
                               const ContactSet<2>&, const Verdict<2>*, const PageOptions&,
                               const PageSink&);
template void write_scene_page(std::string_view, const Scene<3>&, const State<3>&,
                               const ContactSet<3>&, const Verdict<3>*, const PageOptions&,
                               const PageSink&);

}  // namespace collapse
