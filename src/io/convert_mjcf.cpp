/// Models of MuJoCo as scenes.

#include <algorithm>
#include <cmath>
#include <set>

#include "collapse/core/error.hpp"
#include "collapse/io/convert.hpp"
#include "collapse/io/place.hpp"
#include "io/mjcf_model.hpp"
#include "io/scene_writer.hpp"

namespace collapse {
namespace {

using foreign::json_string;
using foreign::MjcfBody;
using foreign::MjcfGeom;
using foreign::MjcfModel;
using foreign::MjcfPose;
using foreign::number_text;
using foreign::ObjectText;
using foreign::plain_number;
using foreign::readable;
using foreign::SceneWriter;
using foreign::vector_text;

/// What decides about the friction of a pair, and the density.
struct MjcfMaterial {
  Rational friction;
  bool frictionless = false;
  int priority = 0;
  Rational density;

  bool operator==(const MjcfMaterial&) const = default;
  [[nodiscard]] Rational alone() const { return frictionless ? Rational(0) : friction; }
  [[nodiscard]] std::string name() const {
    return (frictionless ? "without friction (" + plain_number(friction) + ")"
                         : "friction " + plain_number(friction)) +
           (priority == 0 ? "" : ", priority " + std::to_string(priority)) + ", density " +
           plain_number(density);
  }
};

/// MuJoCo takes the friction of the geom with the higher priority, else the larger; it slides freely if both geoms say.
Rational pair_friction(const MjcfMaterial& a, const MjcfMaterial& b) {
  if (a.priority != b.priority) return a.priority > b.priority ? a.alone() : b.alone();
  if (a.frictionless && b.frictionless) return 0;
  return std::max(a.friction, b.friction);
}

ExactVec<3> readable_vector(const ExactVec<3>& v) {
  return {readable(v[0]), readable(v[1]), readable(v[2])};
}

void add_pose(ObjectText& out, const MjcfPose& pose) {
  if (pose.position != ExactVec<3>::Zero()) {
    out.add("position", vector_text(readable_vector(pose.position)));
  }
  if (pose.turn.is_identity()) return;
  const ExactVec<3> v = readable_vector(pose.turn.v);
  out.add("orientation", "[" + number_text(readable(pose.turn.w)) + "," + number_text(v[0]) + "," +
                             number_text(v[1]) + "," + number_text(v[2]) + "]");
}

/// The one material of a body. Its density stands for the mass too, unless a geom says its mass.
MjcfMaterial material_of(const MjcfBody& body) {
  const auto of = [](const MjcfGeom& geom) {
    return MjcfMaterial{geom.friction, geom.frictionless, geom.priority, geom.density};
  };
  MjcfMaterial first = of(body.geoms.front());
  for (const MjcfGeom& geom : body.geoms) {
    MjcfMaterial other = of(geom);
    other.density = first.density;  // `mass_of` sees to that
    if (!(other == first)) {
      throw Error(geom.place,
                  "friction, condim or priority other than that of " + body.geoms.front().place,
                  "the same for all geoms of a body");
    }
  }
  // A fixed body needs no mass; a geom with one of its own may have density 0 beside it.
  if (first.density == 0) first.density = 1;
  return first;
}

/// What `mass` has to say, if anything. The mass of a body is spread evenly in a scene.
std::optional<Rational> mass_of(const MjcfBody& body) {
  const bool given = std::any_of(body.geoms.begin(), body.geoms.end(),
                                 [](const MjcfGeom& geom) { return geom.mass.has_value(); });
  const MjcfGeom& first = body.geoms.front();
  const auto refuse = [&](const MjcfGeom& geom, const std::string& found) {
    throw Error(geom.place, found, "one density for all geoms of a body that moves, above 0");
  };
  if (body.geoms.size() == 1) {
    if (first.mass ? *first.mass == 0 : first.density == 0) refuse(first, "no mass");
    return first.mass;
  }
  if (!given) {
    for (const MjcfGeom& geom : body.geoms) {
      if (geom.density == 0) refuse(geom, "no mass");
      if (geom.density != first.density)
        refuse(geom, "a density other than that of " + first.place);
    }
    return {};
  }
  constexpr double kSame = 1e-6;  // relative; masses in files are rounded
  const auto density = [](const MjcfGeom& geom) {
    return geom.mass ? to_double(*geom.mass) / geom.volume : to_double(geom.density);
  };
  Rational total(0);
  for (const MjcfGeom& geom : body.geoms) {
    if (!(geom.volume > 0.0)) refuse(geom, "a hull of points beside other geoms with a mass");
    if (!(density(geom) > 0.0)) refuse(geom, "no mass");
    if (std::abs(density(geom) - density(first)) > kSame * density(first)) {
      refuse(geom, "a density (mass over volume) other than that of " + first.place);
    }
    total += geom.mass ? *geom.mass : foreign::shortest(to_double(geom.density) * geom.volume);
  }
  return total;
}

class MjcfScene {
 public:
  explicit MjcfScene(const MjcfModel& model) : model_(model) {}

  std::string text() {
    scene_.name = model_.name;
    scene_.gravity = model_.gravity;
    scene_.step = model_.step;
    names_.resize(model_.bodies.size());
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) add_body(i);
    add_materials();
    add_joints();
    add_ignored();
    return scene_.text();
  }

 private:
  std::string material_name(const MjcfMaterial& material) {
    if (std::find(materials_.begin(), materials_.end(), material) == materials_.end()) {
      materials_.push_back(material);
    }
    return material.name();
  }

  void add_body(std::size_t index) {
    MjcfBody body = model_.bodies[index];
    const std::string wanted = body.name.empty() ? "body" : body.name;
    const auto planes = std::stable_partition(body.geoms.begin(), body.geoms.end(),
                                              [](const MjcfGeom& g) { return !g.shape.empty(); });
    for (auto plane = planes; plane != body.geoms.end(); ++plane) {
      add_plane(index, body, *plane, wanted);
    }
    body.geoms.erase(planes, body.geoms.end());
    if (body.geoms.empty()) return;
    ObjectText out;
    names_[index].push_back(scene_.unique_name(wanted));
    out.add("name", json_string(names_[index].back()));
    if (body.fixed) out.add("fixed", "true");
    out.add("material", json_string(material_name(material_of(body))));
    if (!body.fixed) {
      if (const std::optional<Rational> mass = mass_of(body)) out.add("mass", number_text(*mass));
    }
    if (body.geoms.size() == 1) {
      const MjcfGeom& geom = body.geoms.front();
      out.add(geom.shape, geom.value);
      add_pose(out, body.world * geom.pose);
    } else {
      out.add("parts", parts_text(body.geoms));
      add_pose(out, body.world);
    }
    scene_.add_body(out);
  }

  static std::string parts_text(const std::vector<MjcfGeom>& geoms) {
    std::string text;
    for (const MjcfGeom& geom : geoms) {
      ObjectText part;
      part.add(geom.shape, geom.value);
      add_pose(part, geom.pose);
      text += (text.empty() ? "" : ",") + part.text();
    }
    return "[" + text + "]";
  }

  void add_plane(std::size_t index, const MjcfBody& body, const MjcfGeom& geom,
                 const std::string& wanted) {
    const MjcfPose pose = body.world * geom.pose;
    const ExactVec<3> normal = readable_vector(pose.turn.turned(ExactVec<3>(0, 0, 1)));
    const ExactVec<3>& p = pose.position;
    const Rational offset = normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2];
    ObjectText out;
    names_[index].push_back(scene_.unique_name(wanted));
    out.add("name", json_string(names_[index].back()));
    MjcfBody alone = body;
    alone.geoms = {geom};
    out.add("material", json_string(material_name(material_of(alone))));
    out.add("plane", "{\"normal\":" + vector_text(normal) +
                         ",\"offset\":" + number_text(readable(offset)) + "}");
    scene_.add_body(out);
  }

  /// A scene takes the smaller friction of two materials unless `pairs` says otherwise.
  void add_materials() {
    for (std::size_t i = 0; i < materials_.size(); ++i) {
      const MjcfMaterial& a = materials_[i];
      scene_.add_material(a.name(), a.density, a.alone());
      for (std::size_t j = 0; j < i; ++j) {
        const MjcfMaterial& b = materials_[j];
        const Rational friction = pair_friction(b, a);
        if (friction != std::min(a.alone(), b.alone())) {
          scene_.add_pair(b.name(), a.name(), friction);
        }
      }
    }
  }

  void add_joints() {
    for (const foreign::MjcfJoint& joint : model_.joints) {
      ObjectText out;
      const std::string parent = joint.parent == foreign::kMjcfWorld
                                     ? "world"
                                     : names_[static_cast<std::size_t>(joint.parent)].front();
      out.add("type", json_string(joint.type));
      out.add("bodies", "[" + json_string(parent) + "," +
                            json_string(names_[static_cast<std::size_t>(joint.body)].front()) +
                            "]");
      out.add("at", vector_text(readable_vector(joint.at)));
      if (joint.type == "hinge") out.add("axis", vector_text(readable_vector(joint.axis)));
      scene_.add_joint(out);
    }
  }

  /// Whether two bodies touch by the masks of their geoms: all pairs, or none.
  [[nodiscard]] bool touch(const MjcfBody& a, const MjcfBody& b) const {
    int yes = 0;
    int no = 0;
    for (const MjcfGeom& g : a.geoms) {
      for (const MjcfGeom& h : b.geoms) {
        ++(((g.type & h.affinity) | (h.type & g.affinity)) != 0 ? yes : no);
      }
    }
    if (yes > 0 && no > 0) {
      throw Error(a.place,
                  "contype and conaffinity that let only some geoms touch those of " + b.place,
                  "all of them or none");
    }
    return no == 0;
  }

  void add_ignored() {
    std::set<std::pair<int, int>> pairs(model_.excluded.begin(), model_.excluded.end());
    const bool masks =
        std::any_of(model_.bodies.begin(), model_.bodies.end(), [](const MjcfBody& body) {
          return std::any_of(body.geoms.begin(), body.geoms.end(), [](const MjcfGeom& geom) {
            return geom.type != 1 || geom.affinity != 1;
          });
        });
    const int count = static_cast<int>(model_.bodies.size());
    for (int i = 0; masks && i < count; ++i) {
      for (int j = i + 1; j < count; ++j) {
        if (!(body(i).fixed && body(j).fixed) && !touch(body(i), body(j))) pairs.insert({i, j});
      }
    }
    for (const auto& [i, j] : pairs) {
      if (body(i).fixed && body(j).fixed) continue;
      for (const std::string& a : names_[static_cast<std::size_t>(i)]) {
        for (const std::string& b : names_[static_cast<std::size_t>(j)]) scene_.ignore(a, b);
      }
    }
  }

  [[nodiscard]] const MjcfBody& body(int index) const {
    return model_.bodies[static_cast<std::size_t>(index)];
  }

  const MjcfModel& model_;
  SceneWriter scene_;
  std::vector<MjcfMaterial> materials_;
  std::vector<std::vector<std::string>>
      names_;  ///< of each body of the model: planes are bodies of their own
};

}  // namespace

Converted convert_mjcf(std::string_view text, const ConvertOptions& options) {
  const auto refuse = [](bool given, const char* option) {
    if (given)
      throw Error(option, "an option for files that do not say it", "the model's own word");
  };
  refuse(options.friction.has_value(), "--friction");
  refuse(options.density.has_value(), "--density");
  refuse(options.gravity.has_value(), "--gravity");
  refuse(!options.supports.empty(), "--supports");
  refuse(options.ground, "--ground");
  refuse(options.y_up, "--up");
  MjcfModel model = foreign::read_mjcf(text, options.read_file);
  Converted result;
  result.scene = MjcfScene(model).text();
  result.remarks = std::move(model.remarks);
  return result;
}

}  // namespace collapse
