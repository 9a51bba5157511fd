#include "scenes/document.hpp"

#include <cstdint>
#include <utility>

namespace collapse::scenes {
namespace {

void append_list(std::string& out, const char* key, const std::vector<Json>& items,
                 bool comma = true) {
  out += comma ? ",\n  \"" : "\n  \"";
  out += key;
  out += "\": [";
  for (std::size_t i = 0; i < items.size(); ++i) {
    out += i == 0 ? "\n    " : ",\n    ";
    out += items[i].dump();
  }
  out += "\n  ]";
}

/// The last axis points up.
template <int Dim>
ExactVec<Dim> upwards(int length) {
  ExactVec<Dim> up = ExactVec<Dim>::Zero();
  up[Dim - 1] = length;
  return up;
}

constexpr const char* kGroundMaterial = "ground";

}  // namespace

Json number(const Rational& value) {
  static const Integer kLargest = Integer(1) << 53;  // what every reader of JSON keeps exact
  if (denominator(value) == 1 && abs(numerator(value)) <= kLargest) {
    return numerator(value).convert_to<std::int64_t>();
  }
  return to_string(value);
}

template <int Dim>
BasicDocument<Dim>::BasicDocument(std::string name, const Rational& friction)
    : name_(std::move(name)), friction_(friction) {}

template <int Dim>
Json& BasicDocument<Dim>::add_body(const std::string& name, const BodyTraits& traits) {
  Json& body = bodies_.emplace_back();
  body["name"] = name;
  if (traits.fixed) body["fixed"] = true;
  if (traits.mass) body["mass"] = number(*traits.mass);
  return body;
}

template <int Dim>
void BasicDocument<Dim>::add_ground() {
  add_plane("ground", upwards<Dim>(1), 0);
}

template <int Dim>
void BasicDocument<Dim>::add_plane(const std::string& name, const Position& normal,
                                   const Rational& offset) {
  Json& body = add_body(name, {.fixed = true, .mass = {}});
  body["plane"]["normal"] = vector_json<Dim>(normal);
  body["plane"]["offset"] = number(offset);
}

template <int Dim>
void BasicDocument<Dim>::add_joint(const char* type, const std::string& a, const std::string& b,
                                   const Position& at) {
  joints_.push_back({{"type", type}, {"bodies", {a, b}}, {"at", vector_json<Dim>(at)}});
}

template <int Dim>
void BasicDocument<Dim>::add_rod(const std::string& a, const std::string& b, const Position& at_a,
                                 const Position& at_b) {
  const Json at = Json::array({vector_json<Dim>(at_a), vector_json<Dim>(at_b)});
  joints_.push_back({{"type", "rod"}, {"bodies", {a, b}}, {"at", at}});
}

template <int Dim>
void BasicDocument<Dim>::ignore(const std::string& a, const std::string& b) {
  ignored_.push_back(Json::array({a, b}));
}

template <int Dim>
void BasicDocument<Dim>::set_ground_friction(const Rational& friction) {
  ground_friction_ = friction;
  bodies_.front()["material"] = kGroundMaterial;
}

template <int Dim>
void BasicDocument<Dim>::set_material(const Rational& density, const Rational& restitution) {
  density_ = density;
  restitution_ = restitution;
}

template <int Dim>
void BasicDocument<Dim>::set_frames(int frames, int frame_rate) {
  simulation_["step"] = number(Rational(1, frame_rate));
  simulation_["duration"] = number(Rational(frames, frame_rate));
  simulation_["frame_rate"] = frame_rate;
}

template <int Dim>
std::string BasicDocument<Dim>::text() const {
  const Json push = {{"name", "push"},
                     {"acceleration", vector_json<Dim>(ExactVec<Dim>::Unit(0) * Rational(10))}};
  Json materials = {{"default", {{"density", number(density_)}, {"friction", number(friction_)}}}};
  if (restitution_) materials["default"]["restitution"] = number(*restitution_);
  if (ground_friction_) materials[kGroundMaterial]["friction"] = number(*ground_friction_);
  std::string out = "{\n  \"collapse\": 1,\n  \"name\": " + Json(name_).dump() +
                    ",\n  \"dimension\": " + std::to_string(Dim) +
                    ",\n  \"gravity\": " + vector_json<Dim>(upwards<Dim>(-10)).dump() +
                    ",\n  \"materials\": " + materials.dump();
  if (ground_friction_) {
    append_list(
        out, "pairs",
        {{{"materials", {"default", kGroundMaterial}}, {"friction", number(*ground_friction_)}}});
  }
  if (!bodies_.empty() || points_.empty()) append_list(out, "bodies", bodies_);
  if (!points_.empty()) {
    out += ",\n  \"framework\": {";
    append_list(out, "points", points_, false);
    append_list(out, "bars", bars_);
    if (!faces_.empty()) append_list(out, "faces", faces_);
    out += "}";
  }
  if (!joints_.empty()) append_list(out, "joints", joints_);
  if (!ignored_.empty()) append_list(out, "ignore", ignored_);
  append_list(out, "loads", {push});
  if (!simulation_.is_null()) out += ",\n  \"simulation\": " + simulation_.dump();
  out += "\n}\n";
  return out;
}

template class BasicDocument<2>;
template class BasicDocument<3>;

Document::Document(std::string name, const Rational& friction)
    : BasicDocument(std::move(name), friction) {}

void Document::add_box(const std::string& name, const Rational& width, const Rational& height,
                       const Point& centre, const BodyTraits& traits) {
  Json& body = add_body(name, traits);
  body["box"] = vector_json<2>(Point(width, height));
  body["position"] = vector_json<2>(centre);
}

void Document::add_polygon(const std::string& name, const std::vector<Point>& vertices,
                           const BodyTraits& traits) {
  add_body(name, traits)["polygon"] = points_json<2>(vertices);
}

void Document::add_disk(const std::string& name, const Rational& radius, const Point& centre) {
  Json& body = add_body(name, {});
  body["disk"] = number(radius);
  body["position"] = vector_json<2>(centre);
}

void Document::add_pin(const std::string& a, const std::string& b, const Point& at) {
  add_joint("pin", a, b, at);
}

void Document::add_point(const std::string& name, const Point& position,
                         const PointTraits& traits) {
  Json item;
  item["name"] = name;
  item["position"] = vector_json<2>(position);
  if (traits.fixed) item["fixed"] = true;
  if (!traits.velocity.isZero()) item["velocity"] = vector_json<2>(traits.velocity);
  points_.push_back(std::move(item));
}

void Document::add_bar(const std::string& p, const std::string& q) {
  bars_.push_back(Json::array({p, q}));
}

void Document::add_face(const std::vector<std::string>& points) { faces_.emplace_back(points); }

}  // namespace collapse::scenes
