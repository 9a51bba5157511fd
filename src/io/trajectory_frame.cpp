#include <utility>

#include "io/trajectory_bytes.hpp"
#include "io/trajectory_format.hpp"

namespace collapse::trajectory {
namespace {

constexpr std::size_t kIdBytes = 19;
constexpr std::size_t kContactBytes = kIdBytes + 6 * 8;
constexpr std::size_t kChangeBytes = 8 + kIdBytes + 1;
constexpr std::size_t kIncidentBytes = 8 + 8;
constexpr std::size_t kAccountBytes = 13 * 8;
constexpr std::size_t kBodyBytes = 7 * 8 + 1;
constexpr std::size_t kPointBytes = 4 * 8;

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

void put_id(ByteWriter& out, const ContactId& id) {
  out.put32(static_cast<std::uint32_t>(id.a));
  out.put32(static_cast<std::uint32_t>(id.b));
  for (const Feature& feature : {id.feature_a, id.feature_b}) {
    out.put8(static_cast<std::uint8_t>(feature.kind));
    out.put32(feature.index);
  }
  out.put8(id.end);
}

Feature get_feature(ByteReader& in) {
  const std::uint8_t kind = in.get8();
  if (kind > static_cast<std::uint8_t>(FeatureKind::half_space)) {
    throw Error("", "a contact of an unknown kind", "vertices, edges, disks and planes");
  }
  return {static_cast<FeatureKind>(kind), in.get32()};
}

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
  id.feature_a = get_feature(in);
  id.feature_b = get_feature(in);
  id.end = in.get8();
  return id;
}

void put_vec(ByteWriter& out, const Vec<2>& vector) {
  out.put(vector[0]);
  out.put(vector[1]);
}

Vec<2> get_vec(ByteReader& in) {
  const double x = in.number();
  return {x, in.number()};
}

Pose<2> get_pose(ByteReader& in) {
  Pose<2> pose;
  pose.position = get_vec(in);
  const double c = in.number();
  const double s = in.number();
  constexpr double kOffUnit = 1e-6;
  if (!(std::abs(c * c + s * s - 1.0) <= kOffUnit)) {
    throw Error("", "a rotation that stretches", "a cosine and a sine");
  }
  pose.rotation << c, -s, s, c;
  return pose;
}

}  // namespace

std::string encode_frame(const Frame<2>& frame) {
  const std::size_t bodies = frame.state.poses.size();
  const std::size_t points = frame.state.points.size();
  ByteWriter out(256 + kAccountBytes + bodies * kBodyBytes + points * kPointBytes +
                 frame.contacts.size() * kContactBytes + frame.changes.size() * kChangeBytes +
                 frame.snapshot.size() * 8);
  out.put64(static_cast<std::uint64_t>(frame.number));
  out.put(frame.time);
  out.put64(frame.hash);
  each_of_account(
      frame.account, [&](std::int64_t number) { out.put64(static_cast<std::uint64_t>(number)); },
      [&](double number) { out.put(number); });
  for (std::size_t i = 0; i < bodies; ++i) {
    const Pose<2>& pose = frame.state.poses[i];
    put_vec(out, pose.position);
    out.put(pose.rotation(0, 0));
    out.put(pose.rotation(1, 0));
    for (const double speed : frame.state.velocities[i]) out.put(speed);
  }
  for (std::size_t i = 0; i < points; ++i) {
    put_vec(out, frame.state.points[i]);
    put_vec(out, frame.state.point_velocities[i]);
  }
  for (std::size_t i = 0; i < bodies; ++i) out.put8(frame.frozen[i] != 0 ? 1 : 0);
  out.put64(frame.contacts.size());
  for (const ContactForce<2>& contact : frame.contacts) {
    put_id(out, contact.id);
    put_vec(out, contact.point);
    put_vec(out, contact.normal);
    put_vec(out, contact.force);
  }
  out.put64(frame.changes.size());
  for (const ContactChange& change : frame.changes) {
    out.put(change.time);
    put_id(out, change.id);
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

Frame<2> decode_frame(std::string_view payload, const Scene<2>& scene) {
  ByteReader in(payload);
  const std::size_t bodies = scene.bodies.size();
  const std::size_t points = scene.framework.points.size();
  const int things = scene.things();
  Frame<2> frame;
  frame.number = static_cast<std::int64_t>(in.get64());
  frame.time = in.number();
  frame.hash = in.get64();
  each_of_account(
      frame.account, [&](std::int64_t& number) { number = static_cast<std::int64_t>(in.get64()); },
      [&](double& number) { number = in.number(); });
  if (in.left() < bodies * kBodyBytes + points * kPointBytes) {
    throw Error("", "a frame of fewer bodies", "as many as in the scene");
  }
  for (std::size_t i = 0; i < bodies; ++i) {
    frame.state.poses.push_back(get_pose(in));
    Twist<2>& velocity = frame.state.velocities.emplace_back();
    for (double& speed : velocity) speed = in.number();
  }
  for (std::size_t i = 0; i < points; ++i) {
    frame.state.points.push_back(get_vec(in));
    frame.state.point_velocities.push_back(get_vec(in));
  }
  for (std::size_t i = 0; i < bodies; ++i) frame.frozen.push_back(in.get8());
  frame.contacts.resize(in.count(kContactBytes));
  for (ContactForce<2>& contact : frame.contacts) {
    contact.id = get_id(in, things);
    contact.point = get_vec(in);
    contact.normal = get_vec(in);
    contact.force = get_vec(in);
  }
  frame.changes.resize(in.count(kChangeBytes));
  for (ContactChange& change : frame.changes) {
    change.time = in.number();
    change.id = get_id(in, things);
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

double peek_time(std::string_view payload) {
  ByteReader in(payload.substr(8));
  return in.number();
}

}  // namespace collapse::trajectory
