/// Contact forces written back into the interfaces of an assembly.
///
/// An interface lies between the nodes u and v of its edge and has a frame; its normal is w = x × y. At each of its
/// points the block that w points to gets the force (c_np − c_nn) w + c_u x + c_v y, the other block the opposite.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "collapse/core/error.hpp"
#include "collapse/io/convert.hpp"
#include "io/compas_layout.hpp"
#include "io/scene_writer.hpp"

namespace collapse {
namespace {

using json::Kind;
using json::Value;
using reader::Node;

/// A point of the file is a point of ours if no further away than this, relative to the interface's extent.
constexpr double kSamePoint = 1e-5;

struct InterfaceFrame {
  Vec<3> x;
  Vec<3> y;
  [[nodiscard]] Vec<3> normal() const { return x.cross(y); }
};

Value* member_of(Value& value, std::string_view key) {
  for (json::Member& member : value.members) {
    if (member.name == key) return &member.value;
  }
  return nullptr;
}

Value& set_member(Value& value, const std::string& key, Value content) {
  Value* member = member_of(value, key);
  if (member == nullptr) member = &value.members.emplace_back(json::Member{key, {}}).value;
  *member = std::move(content);
  return *member;
}

Value number_value(double number) {
  Value value;
  value.kind = Kind::number;
  value.text = fmt::format("{}", number);
  return value;
}

Value text_value(const std::string& text) {
  Value value;
  value.kind = Kind::string;
  value.text = text;
  return value;
}

Value list_value(std::vector<Value> items) {
  Value value;
  value.kind = Kind::array;
  value.items = std::move(items);
  return value;
}

Value object_value(std::vector<json::Member> members) {
  Value value;
  value.kind = Kind::object;
  value.members = std::move(members);
  return value;
}

Value vector_value(const Vec<3>& vector) {
  return list_value({number_value(vector[0]), number_value(vector[1]), number_value(vector[2])});
}

/// As Python writes JSON, numbers with the text they came with.
void append_value(std::string& out, const Value& value) {
  switch (value.kind) {
    case Kind::null:
      out += "null";
      break;
    case Kind::boolean:
      out += value.boolean ? "true" : "false";
      break;
    case Kind::number:
      out += value.text;
      break;
    case Kind::string:
      out += foreign::json_string(value.text);
      break;
    case Kind::array:
      out += "[";
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ", ";
        append_value(out, value.items[i]);
      }
      out += "]";
      break;
    case Kind::object:
      out += "{";
      for (std::size_t i = 0; i < value.members.size(); ++i) {
        if (i > 0) out += ", ";
        out += foreign::json_string(value.members[i].name) + ": ";
        append_value(out, value.members[i].value);
      }
      out += "}";
      break;
  }
}

Vec<3> read_vector(const Node& wrapped) {
  const Node node = foreign::unwrapped(wrapped);
  if (node.value().kind != Kind::array || node.size() != 3) node.refuse("[x, y, z]");
  return {node.item(0).number().value, node.item(1).number().value, node.item(2).number().value};
}

/// The frame as COMPAS takes it: x made unit, y made unit and perpendicular to it.
InterfaceFrame read_frame(const Node& interface) {
  const Node frame = foreign::unwrapped(interface.require("frame", "the frame of an interface"));
  const Vec<3> x = read_vector(frame.require("xaxis", "the x axis of a frame"));
  const Vec<3> y = read_vector(frame.require("yaxis", "the y axis of a frame"));
  const Vec<3> normal = x.cross(y);
  if (!(normal.norm() > 0.0)) frame.refuse("axes that are parallel", "two directions");
  return {x.normalized(), normal.cross(x).normalized()};
}

/// The content of a typed object.
Value& content_of(Value& value) {
  Value* content = &value;
  for (std::string_view key = foreign::wrapper_key(*content); !key.empty();
       key = foreign::wrapper_key(*content)) {
    content = member_of(*content, key);
  }
  return *content;
}

Value force_value(const Vec<3>& force, const InterfaceFrame& frame) {
  const double normal = force.dot(frame.normal());
  return object_value({{"c_np", number_value(std::max(normal, 0.0))},
                       {"c_nn", number_value(std::max(-normal, 0.0))},
                       {"c_u", number_value(force.dot(frame.x))},
                       {"c_v", number_value(force.dot(frame.y))}});
}

/// An interface of the file, and what its points get.
struct FileInterface {
  Value* content = nullptr;
  std::vector<Vec<3>> points;
  InterfaceFrame frame;
  std::vector<Vec<3>> forces;  ///< on the block that the normal points to
  double tolerance = 0.0;
};

FileInterface read_interface(Value& value, const std::string& place) {
  FileInterface result;
  result.content = &content_of(value);
  const Node node(*result.content, place);
  const Node points = foreign::unwrapped(node.require("points", "the points of an interface"));
  points.demand_list("a list of points");
  for (std::size_t i = 0; i < points.size(); ++i) {
    result.points.push_back(read_vector(points.item(i)));
  }
  result.frame = read_frame(node);
  result.forces.assign(result.points.size(), Vec<3>::Zero());
  double extent = 0.0;
  for (const Vec<3>& point : result.points) {
    extent = std::max(extent, (point - result.points.front()).norm());
  }
  result.tolerance = kSamePoint * extent;
  return result;
}

/// Puts a force on the point it acts at; false if no interface has that point.
bool give(std::vector<FileInterface>& interfaces, const InterfaceForce& force) {
  constexpr double kParallel = 0.99;  // cosine: two interfaces of one pair may share a corner
  for (FileInterface& interface : interfaces) {
    const double along = interface.frame.normal().dot(force.normal);
    if (std::abs(along) < kParallel) continue;
    for (std::size_t i = 0; i < interface.points.size(); ++i) {
      if ((interface.points[i] - force.point).norm() > interface.tolerance) continue;
      interface.forces[i] += along > 0.0 ? force.force : Vec<3>(-force.force);
      return true;
    }
  }
  return false;
}

/// Corners of one region, in order around it, seen against the normal of the frame.
struct Region {
  Vec<3> centre = Vec<3>::Zero();
  InterfaceFrame frame;
  double area = 0.0;
  std::vector<const InterfaceForce*> corners;
};

Region region_of(std::vector<const InterfaceForce*> corners, const Vec<3>& normal) {
  Region region;
  for (const InterfaceForce* corner : corners) {
    region.centre += corner->point / static_cast<double>(corners.size());
  }
  Vec<3> x = corners.back()->point - corners.front()->point;
  x -= x.dot(normal) * normal;
  if (!(x.norm() > 0.0)) x = normal.unitOrthogonal();
  region.frame.x = x.normalized();
  region.frame.y = normal.cross(region.frame.x);
  const auto angle = [&](const InterfaceForce* corner) {
    const Vec<3> d = corner->point - region.centre;
    return std::atan2(d.dot(region.frame.y), d.dot(region.frame.x));
  };
  std::stable_sort(corners.begin(), corners.end(),
                   [&](const auto* a, const auto* b) { return angle(a) < angle(b); });
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec<3> a = corners[i]->point - region.centre;
    const Vec<3> b = corners[(i + 1) % corners.size()]->point - region.centre;
    region.area += a.cross(b).dot(normal) / 2.0;
  }
  region.corners = std::move(corners);
  return region;
}

/// The whole file as it is being changed.
class ForceWriter {
 public:
  explicit ForceWriter(std::string_view text) : document_(json::parse(text)) {
    const Node file(document_, "");
    path_ = foreign::graph_path(file);
    graph_ = &document_;
    for (const std::string& key : path_) graph_ = member_of(*graph_, key);
    if (const std::string_view key = foreign::wrapper_key(document_); !key.empty()) wrapper_ = key;
    edges_ = member_of(*graph_, "edge");
    if (edges_ == nullptr) edges_ = &set_member(*graph_, "edge", object_value({}));
    find_pattern();
  }

  CompasForces write(const std::vector<InterfaceForce>& forces) {
    std::map<std::pair<std::string, std::string>, std::vector<const InterfaceForce*>> pairs;
    for (const InterfaceForce& force : forces) pairs[{force.a, force.b}].push_back(&force);
    clear_forces();
    for (const auto& [pair, list] : pairs) {
      if (!keep(pair.first, pair.second, list)) make(pair.first, pair.second, list);
    }
    append_value(result_.text, document_);
    result_.text += "\n";
    return std::move(result_);
  }

 private:
  Value* edge_between(const std::string& u, const std::string& v) {
    Value* from = member_of(*edges_, u);
    return from == nullptr || from->kind != Kind::object ? nullptr : member_of(*from, v);
  }

  /// All interfaces of an edge, whichever way they are kept.
  static std::vector<Value*> interfaces_of(Value& edge) {
    std::vector<Value*> result;
    if (edge.kind != Kind::object) return result;
    for (const std::string_view key : foreign::kInterfaceKeys) {
      Value* found = member_of(edge, key);
      if (found == nullptr) continue;
      if (found->kind == Kind::object) result.push_back(found);
      if (found->kind == Kind::array) {
        for (Value& item : found->items) result.push_back(&item);
      }
    }
    return result;
  }

  template <class Function>
  void for_each_edge(const Function& function) {
    for (json::Member& from : edges_->members) {
      if (from.value.kind != Kind::object) continue;
      for (json::Member& to : from.value.members) function(from.name, to.name, to.value);
    }
  }

  /// New interfaces are made in the manner of the first that the file has.
  void find_pattern() {
    for_each_edge([this](const std::string&, const std::string&, Value& edge) {
      const std::vector<Value*> found = interfaces_of(edge);
      if (found.empty() || pattern_.kind != Kind::null) return;
      pattern_ = *found.front();
      for (const std::string_view key : foreign::kInterfaceKeys) {
        if (member_of(edge, key) != nullptr) key_ = key;
      }
    });
    std::erase_if(pattern_.members,
                  [](const json::Member& member) { return member.name == "guid"; });
  }

  void clear_forces() {
    for_each_edge([this](const std::string& u, const std::string& v, Value& edge) {
      for (Value* interface : interfaces_of(edge)) {
        const FileInterface found = read_interface(*interface, place_of(u, v));
        write_forces(found);
      }
    });
  }

  static std::string place_of(const std::string& u, const std::string& v) {
    return member_place(member_place("edge", u), v) + ".interfaces";
  }

  static void write_forces(const FileInterface& interface) {
    std::vector<Value> list;
    for (const Vec<3>& force : interface.forces) {
      list.push_back(force_value(force, interface.frame));
    }
    set_member(*interface.content, "forces", list_value(std::move(list)));
  }

  bool keep(const std::string& a, const std::string& b,
            const std::vector<const InterfaceForce*>& forces) {
    Value* edge = edge_between(a, b);
    const bool forwards = edge != nullptr;
    if (edge == nullptr) edge = edge_between(b, a);
    if (edge == nullptr) return false;
    std::vector<FileInterface> interfaces;
    for (Value* value : interfaces_of(*edge)) {
      interfaces.push_back(read_interface(*value, forwards ? place_of(a, b) : place_of(b, a)));
    }
    if (interfaces.empty()) return false;
    for (const InterfaceForce* force : forces) {
      if (!give(interfaces, *force) && force->force.norm() > 0.0) return false;
    }
    for (const FileInterface& interface : interfaces) write_forces(interface);
    result_.kept += static_cast<int>(interfaces.size());
    return true;
  }

  void make(const std::string& a, const std::string& b,
            const std::vector<const InterfaceForce*>& forces) {
    const bool backwards = edge_between(a, b) == nullptr && edge_between(b, a) != nullptr;
    Value& edge = backwards ? *edge_between(b, a) : edge_made(a, b);
    std::map<int, std::vector<const InterfaceForce*>> regions;
    for (const InterfaceForce* force : forces) regions[force->region].push_back(force);
    std::vector<Value> list;
    for (const auto& [number, corners] : regions) {
      // From the edge's first node to its second.
      const double sign = backwards ? -1.0 : 1.0;
      list.push_back(interface_value(region_of(corners, sign * corners.front()->normal), sign));
    }
    result_.made += static_cast<int>(list.size());
    std::erase_if(edge.members, [](const json::Member& member) {
      return std::find(std::begin(foreign::kInterfaceKeys), std::end(foreign::kInterfaceKeys),
                       member.name) != std::end(foreign::kInterfaceKeys);
    });
    if (key_ == "interface" && list.size() == 1) {
      set_member(edge, "interface", std::move(list.front()));
    } else {
      set_member(edge, key_ == "interface" ? "interfaces" : key_, list_value(std::move(list)));
    }
  }

  /// A new edge, in the graph's list of neighbours too.
  Value& edge_made(const std::string& a, const std::string& b) {
    if (Value* edge = edge_between(a, b)) return *edge;
    if (Value* adjacency = member_of(*graph_, "adjacency")) {
      for (const auto& [u, v] : {std::pair(a, b), std::pair(b, a)}) {
        Value* neighbours = member_of(*adjacency, u);
        if (neighbours == nullptr) neighbours = &set_member(*adjacency, u, object_value({}));
        set_member(*neighbours, v, Value());
      }
    }
    Value* from = member_of(*edges_, a);
    if (from == nullptr) from = &set_member(*edges_, a, object_value({}));
    return set_member(*from, b, object_value({}));
  }

  [[nodiscard]] Value wrapped(const std::string& type, Value content) const {
    return object_value({{"dtype", text_value(type)}, {wrapper_, std::move(content)}});
  }

  [[nodiscard]] Value interface_value(const Region& region, double sign) {
    std::vector<Value> points;
    std::vector<Value> forces;
    for (const InterfaceForce* corner : region.corners) {
      points.push_back(vector_value(corner->point));
      forces.push_back(force_value(sign * corner->force, region.frame));
    }
    const Value frame =
        wrapped("compas.geometry/Frame", object_value({{"point", vector_value(region.centre)},
                                                       {"xaxis", vector_value(region.frame.x)},
                                                       {"yaxis", vector_value(region.frame.y)}}));
    Value interface = pattern_;
    if (interface.kind == Kind::null) {
      const bool second = wrapper_ == "data";
      interface = wrapped(
          "compas_assembly.datastructures/Interface",
          object_value({{second ? "mesh" : "type", second ? Value() : text_value("face_face")}}));
    }
    Value& content = content_of(interface);
    if (member_of(content, "mesh") != nullptr) set_member(content, "mesh", Value());
    set_member(content, "points", list_value(std::move(points)));
    set_member(content, "size", number_value(region.area));
    set_member(content, "frame", frame);
    set_member(content, "forces", list_value(std::move(forces)));
    return interface;
  }

  Value document_;
  std::vector<std::string> path_;
  Value* graph_ = nullptr;
  Value* edges_ = nullptr;
  std::string wrapper_ = "data";
  std::string key_ = "interfaces";
  Value pattern_;
  CompasForces result_;
};

}  // namespace

std::vector<InterfaceForce> interface_forces(const Scene<3>& scene, const Verdict<3>& verdict) {
  std::map<std::tuple<int, int, Feature, Feature>, int> regions;
  std::vector<InterfaceForce> forces;
  for (const ContactForce<3>& contact : verdict.forces) {
    const ContactId& id = contact.id;
    const int number = static_cast<int>(regions.size());
    const int region =
        regions.try_emplace({id.a, id.b, id.feature_a, id.feature_b}, number).first->second;
    forces.push_back({scene.body_name(id.a), scene.body_name(id.b), region, contact.point,
                      contact.normal, contact.force});
  }
  return forces;
}

CompasForces compas_with_forces(std::string_view text, const std::vector<InterfaceForce>& forces) {
  return ForceWriter(text).write(forces);
}

}  // namespace collapse
