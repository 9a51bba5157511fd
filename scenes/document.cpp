#include "scenes/document.hpp"

#include <cstdint>
#include <utility>

namespace collapse::scenes {
namespace {

using Json = nlohmann::ordered_json;

Json number(const Rational& value) {
  static const Integer kLargest = Integer(1) << 53;  // what every reader of JSON keeps exact
  if (denominator(value) == 1 && abs(numerator(value)) <= kLargest) {
    return numerator(value).convert_to<std::int64_t>();
  }
  return to_string(value);
}

Json point(const Point& p) { return Json::array({number(p[0]), number(p[1])}); }

Json named(const std::string& name, const BodyTraits& traits) {
  Json body;
  body["name"] = name;
  if (traits.fixed) body["fixed"] = true;
  if (traits.mass) body["mass"] = number(*traits.mass);
  return body;
}

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

}  // namespace

Document::Document(std::string name, const Rational& friction)
    : name_(std::move(name)), friction_(friction) {}

void Document::add_ground() { add_plane("ground", Point(0, 1), 0); }

void Document::add_plane(const std::string& name, const Point& normal, const Rational& offset) {
  Json body = named(name, {.fixed = true, .mass = {}});
  body["plane"]["normal"] = point(normal);
  body["plane"]["offset"] = number(offset);
  bodies_.push_back(std::move(body));
}

void Document::add_box(const std::string& name, const Rational& width, const Rational& height,
                       const Point& centre, const BodyTraits& traits) {
  Json body = named(name, traits);
  body["box"] = point(Point(width, height));
  body["position"] = point(centre);
  bodies_.push_back(std::move(body));
}

void Document::add_polygon(const std::string& name, const std::vector<Point>& vertices,
                           const BodyTraits& traits) {
  Json body = named(name, traits);
  Json list = Json::array();
  for (const Point& vertex : vertices) list.push_back(point(vertex));
  body["polygon"] = std::move(list);
  bodies_.push_back(std::move(body));
}

void Document::add_disk(const std::string& name, const Rational& radius, const Point& centre) {
  Json body = named(name, {});
  body["disk"] = number(radius);
  body["position"] = point(centre);
  bodies_.push_back(std::move(body));
}

void Document::add_pin(const std::string& a, const std::string& b, const Point& at) {
  joints_.push_back({{"type", "pin"}, {"bodies", {a, b}}, {"at", point(at)}});
}

void Document::add_rod(const std::string& a, const std::string& b, const Point& at_a,
                       const Point& at_b) {
  const Json at = Json::array({point(at_a), point(at_b)});
  joints_.push_back({{"type", "rod"}, {"bodies", {a, b}}, {"at", at}});
}

void Document::ignore(const std::string& a, const std::string& b) {
  ignored_.push_back(Json::array({a, b}));
}

void Document::add_point(const std::string& name, const Point& position,
                         const PointTraits& traits) {
  Json item;
  item["name"] = name;
  item["position"] = point(position);
  if (traits.fixed) item["fixed"] = true;
  if (!traits.velocity.isZero()) item["velocity"] = point(traits.velocity);
  points_.push_back(std::move(item));
}

void Document::add_bar(const std::string& p, const std::string& q) {
  bars_.push_back(Json::array({p, q}));
}

void Document::add_face(const std::vector<std::string>& points) { faces_.emplace_back(points); }

std::string Document::text() const {
  const Json material = {{"density", 1}, {"friction", number(friction_)}};
  const Json push = {{"name", "push"}, {"acceleration", {10, 0}}};
  std::string out = "{\n  \"collapse\": 1,\n  \"name\": " + Json(name_).dump() +
                    ",\n  \"dimension\": 2,\n  \"gravity\": [0,-10],\n  \"materials\": " +
                    Json{{"default", material}}.dump();
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
  out += "\n}\n";
  return out;
}

}  // namespace collapse::scenes
