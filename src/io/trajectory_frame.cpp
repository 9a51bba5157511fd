#include <utility>

#include "io/trajectory_bytes.hpp"
#include "io/trajectory_format.hpp"

namespace collapse::trajectory {
namespace {

constexpr std::size_t kIncidentBytes = 8 + 8;
constexpr std::size_t kAccountBytes = 13 * 8;

/// What the dimensions do not share.
template <int Dim>
struct FrameLayout;
template <>
struct FrameLayout<2> {
  static constexpr unsigned kRotationNumbers = 2;
  static constexpr unsigned kEndBytes = 1;  ///< of an id
  static constexpr FeatureKind kLastFeature = FeatureKind::half_space;
  static constexpr const char* kFeatures = "vertices, edges, disks and planes";
};
template <>
struct FrameLayout<3> {
  static constexpr unsigned kRotationNumbers = 9;
  static constexpr unsigned kEndBytes = 2;
  static constexpr FeatureKind kLastFeature = FeatureKind::capsule;
  static constexpr const char* kFeatures = "vertices, edges, faces, planes and round solids";
};

template <int Dim>
constexpr std::size_t kIdBytes = 2 * 4 + 2 * 5 + FrameLayout<Dim>::kEndBytes;
template <int Dim>
constexpr std::size_t kContactBytes = kIdBytes<Dim> + 3 * Dim * 8;
template <int Dim>
constexpr std::size_t kChangeBytes = 8 + kIdBytes<Dim> + 1;
template <int Dim>
constexpr std::size_t kBodyBytes = (Dim + FrameLayout<Dim>::kRotationNumbers + kDofs<Dim>)*8 + 1;
template <int Dim>
constexpr std::size_t kPointBytes = 2 * Dim * 8;

/// Reader and writer go through the account in this one order.
template <class AccountType, class Whole, class Real>
void each_of_account(AccountType& account, const Whole& whole, const Real& real) {
  whole(account.steps);
  whole(account.programs);
  whole(account.iterations);
  real(account.worst_residual);
  real(account.max_penetration);
  real(account.initial_energy);
  real(account.energy);
  real(account.driven_work);
  real(account.least_energy);
  real(account.max_gain);
  whole(account.unsettled_steps);
  whole(account.dulled_impacts);
  whole(account.crushed_steps);
}

template <int Dim>
void put_id(ByteWriter& out, const ContactId& id) {
  out.put32(static_cast<std::uint32_t>(id.a));
  out.put32(static_cast<std::uint32_t>(id.b));
  for (const Feature& feature : {id.feature_a, id.feature_b}) {
    out.put8(static_cast<std::uint8_t>(feature.kind));
    out.put32(feature.index);
  }
  out.put(id.end, FrameLayout<Dim>::kEndBytes);
}

template <int Dim>
Feature get_feature(ByteReader& in) {
  const std::uint8_t kind = in.get8();
  if (kind > static_cast<std::uint8_t>(FrameLayout<Dim>::kLastFeature)) {
    throw Error("", "a contact of an unknown kind", FrameLayout<Dim>::kFeatures);
  }
  return {static_cast<FeatureKind>(kind), in.get32()};
}

template <int Dim>
ContactId get_id(ByteReader& in, int things) {
  const auto get_index = [&] {
    const auto index = static_cast<std::int32_t>(in.get32());
    if (index < kWorld || index >= things) {
      throw Error("", "a contact of a body that is not there", "bodies of the scene");
    }
    return index;
  };
  ContactId id;
  id.a = get_index();
  id.b = get_index();
  id.feature_a = get_feature<Dim>(in);
  id.feature_b = get_feature<Dim>(in);
  id.end = static_cast<std::uint16_t>(in.get(FrameLayout<Dim>::kEndBytes));
  return id;
}

template <class Vector>
void put_vec(ByteWriter& out, const Vector& vector) {
  for (const double number : vector) out.put(number);
}

template <class Vector>
void get_vec(ByteReader& in, Vector& vector) {
  for (double& number : vector) number = in.number();
}

/// How far a rotation in a file may be from one.
constexpr double kOffUnit = 1e-6;

void get_rotation(ByteReader& in, Eigen::Matrix2d& rotation) {
  const double c = in.number();
  const double s = in.number();
  if (!(std::abs(c * c + s * s - 1.0) <= kOffUnit)) {
    throw Error("", "a rotation that stretches", "a cosine and a sine");
  }
  rotation << c, -s, s, c;
}

void get_rotation(ByteReader& in, Eigen::Matrix3d& rotation) {
  for (Eigen::Index i = 0; i < 3; ++i) {
    for (Eigen::Index j = 0; j < 3; ++j) rotation(i, j) = in.number();
  }
  // Entries beyond one could make infinities of the products.
  const bool turns =
      rotation.cwiseAbs().maxCoeff() <= 1.0 + kOffUnit &&
      (rotation * rotation.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <=
          kOffUnit &&
      rotation.determinant() > 0.0;
  if (!turns) throw Error("", "a rotation that stretches or mirrors", "a rotation matrix");
}

}  // namespace

template <int Dim>
std::string encode_frame(const Frame<Dim>& frame) {
  const std::size_t bodies = frame.state.poses.size();
  const std::size_t points = frame.state.points.size();
  ByteWriter out(256 + kAccountBytes + bodies * kBodyBytes<Dim> + points * kPointBytes<Dim> +
                 frame.contacts.size() * kContactBytes<Dim> +
                 frame.changes.size() * kChangeBytes<Dim> + frame.snapshot.size() * 8);
  out.put64(static_cast<std::uint64_t>(frame.number));
  out.put(frame.time);
  out.put64(frame.hash);
  each_of_account(
      frame.account, [&](std::int64_t number) { out.put64(static_cast<std::uint64_t>(number)); },
      [&](double number) { out.put(number); });
  for (std::size_t i = 0; i < bodies; ++i) {
    each_of_pose(frame.state.poses[i], [&](double number) { out.put(number); });
    put_vec(out, frame.state.velocities[i]);
  }
  for (std::size_t i = 0; i < points; ++i) {
    put_vec(out, frame.state.points[i]);
    put_vec(out, frame.state.point_velocities[i]);
  }
  for (std::size_t i = 0; i < bodies; ++i) out.put8(frame.frozen[i] != 0 ? 1 : 0);
  out.put64(frame.contacts.size());
  for (const ContactForce<Dim>& contact : frame.contacts) {
    put_id<Dim>(out, contact.id);
    put_vec(out, contact.point);
    put_vec(out, contact.normal);
    put_vec(out, contact.force);
  }
  out.put64(frame.changes.size());
  for (const ContactChange& change : frame.changes) {
    out.put(change.time);
    put_id<Dim>(out, change.id);
    out.put8(change.closed ? 1 : 0);
  }
  out.put64(frame.incidents.size());
  for (const Incident& incident : frame.incidents) {
    out.put(incident.time);
    out.put64(incident.what.size());
    out.put(incident.what);
  }
  out.put64(frame.snapshot.size());
  for (const double number : frame.snapshot) out.put(number);
  return out.take();
}

template std::string encode_frame(const Frame<2>&);
template std::string encode_frame(const Frame<3>&);

template <int Dim>
Frame<Dim> decode_frame(std::string_view payload, const Scene<Dim>& scene) {
  ByteReader in(payload);
  const std::size_t bodies = scene.bodies.size();
  const std::size_t points = scene.framework.points.size();
  const int things = scene.things();
  Frame<Dim> frame;
  frame.number = static_cast<std::int64_t>(in.get64());
  frame.time = in.number();
  frame.hash = in.get64();
  each_of_account(
      frame.account, [&](std::int64_t& number) { number = static_cast<std::int64_t>(in.get64()); },
      [&](double& number) { number = in.number(); });
  if (in.left() < bodies * kBodyBytes<Dim> + points * kPointBytes<Dim>) {
    throw Error("", "a frame of fewer bodies", "as many as in the scene");
  }
  for (std::size_t i = 0; i < bodies; ++i) {
    Pose<Dim>& pose = frame.state.poses.emplace_back();
    get_vec(in, pose.position);
    get_rotation(in, pose.rotation);
    get_vec(in, frame.state.velocities.emplace_back());
  }
  for (std::size_t i = 0; i < points; ++i) {
    get_vec(in, frame.state.points.emplace_back());
    get_vec(in, frame.state.point_velocities.emplace_back());
  }
  for (std::size_t i = 0; i < bodies; ++i) frame.frozen.push_back(in.get8());
  frame.contacts.resize(in.count(kContactBytes<Dim>));
  for (ContactForce<Dim>& contact : frame.contacts) {
    contact.id = get_id<Dim>(in, things);
    get_vec(in, contact.point);
    get_vec(in, contact.normal);
    get_vec(in, contact.force);
  }
  frame.changes.resize(in.count(kChangeBytes<Dim>));
  for (ContactChange& change : frame.changes) {
    change.time = in.number();
    change.id = get_id<Dim>(in, things);
    change.closed = in.get8() != 0;
  }
  frame.incidents.resize(in.count(kIncidentBytes));
  for (Incident& incident : frame.incidents) {
    incident.time = in.number();
    incident.what = in.text(in.count(1));
  }
  frame.snapshot.resize(in.count(8));
  for (double& number : frame.snapshot) number = in.number();
  if (in.left() != 0) throw Error("", "a frame with more at its end", "nothing after it");
  return frame;
}

template Frame<2> decode_frame(std::string_view, const Scene<2>&);
template Frame<3> decode_frame(std::string_view, const Scene<3>&);

double peek_time(std::string_view payload) {
  ByteReader in(payload.substr(8));
  return in.number();
}

}  // namespace collapse::trajectory
