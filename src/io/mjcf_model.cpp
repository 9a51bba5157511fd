#include "io/mjcf_model.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"
#include "io/mjcf_geom.hpp"

namespace collapse::foreign {
namespace {

using tinyxml2::XMLElement;

template <std::size_t Size>
bool is_among(const std::array<std::string_view, Size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Sections and elements that nothing touches and no force comes from.
constexpr std::array<std::string_view, 7> kSilentSections = {
    "size", "visual", "statistic", "sensor", "keyframe", "custom", "skin"};
constexpr std::array<std::string_view, 3> kSilentElements = {"site", "camera", "light"};
constexpr std::array<std::string_view, 3> kSilentAssets = {"texture", "material", "skin"};
/// Sections that are looked into for what they hold.
constexpr std::array<std::string_view, 10> kKnownSections = {
    "compiler", "option",   "default", "asset",    "worldbody",
    "contact",  "equality", "tendon",  "actuator", "deformable"};

[[noreturn]] void refuse_element(const XMLElement& element, const std::string& expected) {
  throw Error(mjcf_place(element), "an element without counterpart in a scene", expected);
}

std::vector<const XMLElement*> children(const XMLElement& parent, const char* tag = nullptr) {
  std::vector<const XMLElement*> result;
  for (const XMLElement* child = parent.FirstChildElement(tag); child != nullptr;
       child = child->NextSiblingElement(tag)) {
    result.push_back(child);
  }
  return result;
}

class MjcfReader {
 public:
  explicit MjcfReader(const std::function<std::string(const std::string&)>& read_file)
      : meshes_(defaults_, read_file) {}

  MjcfModel read(const XMLElement& root) {
    if (std::string(root.Name()) != "mujoco") {
      throw Error(mjcf_place(root), "an element " + in_quotes(root.Name()),
                  "a model of MuJoCo: <mujoco>");
    }
    if (const char* name = root.Attribute("model")) model_.name = name;
    for (const XMLElement* section : children(root)) {
      const std::string tag = section->Name();
      if (is_among(kSilentSections, tag)) {
        ++silent_[tag];
      } else if (!is_among(kKnownSections, tag)) {
        refuse_element(*section, "a model in one file of bodies, geoms and joints");
      }
    }
    for_each(root, "compiler", [this](const XMLElement& e) { read_compiler(e); });
    for_each(root, "default", [this](const XMLElement& e) { defaults_.read(e); });
    for_each(root, "option", [this](const XMLElement& e) { read_option(e); });
    for_each(root, "asset", [this](const XMLElement& e) { read_assets(e); });
    for_each(root, "worldbody",
             [this](const XMLElement& e) { walk(e, kMjcfWorld, MjcfPose(), "main"); });
    for_each(root, "contact", [this](const XMLElement& e) { read_contact(e); });
    for (const char* tag : {"equality", "tendon", "actuator", "deformable"}) {
      for_each(root, tag, [this](const XMLElement& e) { read_acting(e); });
    }
    for (const auto& [tag, count] : silent_) {
      model_.remarks.push_back(std::to_string(count) + " " + tag +
                               " left out: nothing to do with contacts");
    }
    if (model_.bodies.empty()) throw Error("", "no geom", "a model with bodies or geoms");
    return std::move(model_);
  }

 private:
  template <class Function>
  static void for_each(const XMLElement& root, const char* tag, const Function& function) {
    for (const XMLElement* element : children(root, tag)) function(*element);
  }

  void read_compiler(const XMLElement& xml) {
    const MjcfElement element(xml, defaults_);
    const std::string angle = element.text("angle").value_or(units_.degrees ? "degree" : "radian");
    if (angle != "degree" && angle != "radian")
      element.refuse(in_quotes(angle), "degree or radian");
    units_.degrees = angle == "degree";
    units_.euler = element.text("eulerseq").value_or(units_.euler);
    if (units_.euler.size() != 3 || units_.euler.find_first_not_of("xyzXYZ") != std::string::npos) {
      element.refuse("eulerseq " + in_quotes(units_.euler), "three letters of x, y, z, X, Y, Z");
    }
    if (element.text("coordinate").value_or("local") != "local") {
      element.refuse("coordinate " + in_quotes(*element.text("coordinate")), "local coordinates");
    }
    if (element.number("settotalmass", -1) > 0) {
      element.refuse("settotalmass", "masses as they are: without settotalmass");
    }
    meshes_.folder =
        element.text("meshdir").value_or(element.text("assetdir").value_or(meshes_.folder));
    const std::string inertia = element.text("inertiafromgeom").value_or("auto");
    inertia_from_geoms_ = inertia == "true";
    auto_limits_ = element.flag("autolimits", auto_limits_);
  }

  void read_option(const XMLElement& xml) {
    const MjcfElement element(xml, defaults_);
    model_.gravity = element.vector("gravity", model_.gravity);
    if (element.has("timestep")) model_.step = element.number("timestep", 0);
    if (model_.step && *model_.step <= 0) {
      element.refuse("timestep " + to_string(*model_.step), "a number greater than 0");
    }
    for (const char* medium : {"density", "viscosity"}) {
      if (element.number(medium, 0) != 0) {
        element.refuse(std::string(medium) + " of a medium", "no air or water around");
      }
    }
    for (const XMLElement* flag : children(xml, "flag")) {
      for (const auto* a = flag->FirstAttribute(); a != nullptr; a = a->Next()) {
        const std::string name = a->Name();
        const bool matters = name == "gravity" || name == "contact" || name == "constraint" ||
                             name == "equality" || name == "filterparent";
        if (matters && std::string(a->Value()) == "disable") {
          throw Error(mjcf_place(*flag), name + " disabled", "the flag's default");
        }
      }
    }
  }

  void read_assets(const XMLElement& section) {
    for (const XMLElement* asset : children(section)) {
      const std::string tag = asset->Name();
      if (tag == "mesh") {
        meshes_.add(*asset);
      } else if (is_among(kSilentAssets, tag)) {
        ++silent_[tag];
      } else if (tag != "hfield") {  // refused with the geom that uses it
        refuse_element(*asset, "meshes");
      }
    }
  }

  /// The class for what is inside `xml`.
  static std::string class_in(const XMLElement& xml, const std::string& active) {
    const char* own = xml.Attribute("childclass");
    return own == nullptr ? active : own;
  }

  /// The elements of a body or frame; `base` leads from `xml` to `body`.
  void walk(const XMLElement& xml, int body, const MjcfPose& base, const std::string& active) {
    for (const XMLElement* child : children(xml)) {
      const std::string tag = child->Name();
      if (tag == "geom") {
        add_geom(MjcfElement(*child, defaults_, active), body, base);
      } else if (tag == "body") {
        enter(*child, body, base, class_in(*child, active));
      } else if (tag == "frame") {
        const MjcfElement frame(*child, defaults_, active);
        walk(*child, body, base * frame.pose(units_), class_in(*child, active));
      } else if (is_among(kSilentElements, tag)) {
        ++silent_[tag];
      } else if (tag == "inertial") {
        check_inertial(*child, body);
      } else if (tag != "joint" && tag != "freejoint") {  // `enter` sees to them
        refuse_element(*child, "body, geom, joint, freejoint, frame");
      }
    }
  }

  void check_inertial(const XMLElement& xml, int body) {
    if (body == kMjcfWorld || at(body).fixed) return;
    if (!inertia_from_geoms_) {
      throw Error(
          mjcf_place(xml), "a centre of mass and inertia apart from the geoms",
          "mass or density of the geoms; <compiler inertiafromgeom=\"true\"/> leaves it out");
    }
    model_.remarks.push_back(mjcf_place(xml) + ": left out, the inertia is that of the geoms");
  }

  MjcfBody& at(int body) { return model_.bodies[static_cast<std::size_t>(body)]; }

  int add_body(const std::string& name, const std::string& place, bool fixed,
               const MjcfPose& world) {
    model_.bodies.push_back({name, place, fixed, world, {}});
    return static_cast<int>(model_.bodies.size()) - 1;
  }

  void add_geom(const MjcfElement& element, int body, const MjcfPose& base) {
    MjcfGeom geom = read_geom(element, units_, meshes_, model_.remarks);
    const bool still = body == kMjcfWorld || at(body).fixed;
    if (geom.type == 0 && geom.affinity == 0) {
      const bool light = geom.mass ? *geom.mass == 0 : geom.density == 0;
      if (!still && !light) {
        element.refuse("a geom that touches nothing (contype and conaffinity 0) but has mass",
                       "mass=\"0\" for what is there to be seen");
      }
      ++silent_["geom that touches nothing"];
      return;
    }
    if (geom.shape.empty() && !still) {
      element.refuse("a plane on a body that moves",
                     "planes of the world or of bodies without joints");
    }
    geom.pose = base * geom.pose;
    if (body == kMjcfWorld) {
      body = add_body(geom.name.empty() ? "world geom" : geom.name, geom.place, true, MjcfPose());
      world_bodies_.push_back(body);
    }
    at(body).geoms.push_back(std::move(geom));
  }

  void enter(const XMLElement& xml, int parent, const MjcfPose& base, const std::string& active) {
    const MjcfElement element(xml, defaults_, active);
    const MjcfPose pose = base * element.pose(units_);
    if (element.number("gravcomp", 0) != 0) element.refuse("gravcomp", "bodies that weigh");
    std::vector<const XMLElement*> joints = children(xml, "joint");
    for (const XMLElement* free : children(xml, "freejoint")) joints.push_back(free);
    const bool still = parent == kMjcfWorld || at(parent).fixed;
    int body = parent;
    if (joints.empty() && !still) {
      alias(element, parent);  // rigidly part of a body that moves
      walk(xml, parent, pose, active);
      return;
    }
    const MjcfPose world = parent == kMjcfWorld ? pose : at(parent).world * pose;
    body = add_body(element.name(), element.place(), joints.empty(), world);
    alias(element, body);
    if (joints.size() > 1) {
      throw Error(mjcf_place(*joints[1]), "a second joint of one body", "one joint");
    }
    if (!joints.empty()) add_joint(MjcfElement(*joints[0], defaults_, active), body, parent);
    if (element.flag("mocap", false)) {
      model_.remarks.push_back(element.place() + ": moved from outside (mocap), here fixed");
    }
    walk(xml, body, MjcfPose(), active);
    if (at(body).geoms.empty() && !at(body).fixed) {
      element.refuse("a body that moves without a geom that touches",
                     "a geom for its mass and shape");
    }
  }

  void alias(const MjcfElement& element, int body) {
    if (!element.name().empty()) bodies_[element.name()] = body;
  }

  void add_joint(const MjcfElement& joint, int body, int parent) {
    const std::string type =
        joint.tag() == "freejoint" ? "free" : joint.text("type").value_or("hinge");
    if (type == "free") {
      if (parent != kMjcfWorld)
        joint.refuse("a free joint below another body", "free joints in the world only");
      return;
    }
    if (type != "hinge" && type != "ball") {
      joint.refuse("a joint of type " + in_quotes(type), "free, ball or hinge");
    }
    const std::string limited = joint.text("limited").value_or("auto");
    if (limited == "true" || (limited == "auto" && auto_limits_ && joint.has("range"))) {
      joint.refuse("a joint with limits", "a joint that turns freely");
    }
    for (const char* spring : {"stiffness", "frictionloss"}) {
      if (joint.number(spring, 0) != 0) joint.refuse(spring, "a joint without force of its own");
    }
    for (const char* slow : {"damping", "armature"}) {
      if (joint.number(slow, 0) != 0) {
        model_.remarks.push_back(joint.place() + ": " + slow + " left out");
      }
    }
    const MjcfPose& world = at(body).world;
    const ExactVec<3> axis = joint.vector("axis", ExactVec<3>(0, 0, 1));
    if (axis == ExactVec<3>::Zero()) joint.refuse("axis [0, 0, 0]", "a direction");
    const bool still = parent == kMjcfWorld || at(parent).fixed;
    model_.joints.push_back({type, body, still ? kMjcfWorld : parent,
                             world(joint.vector("pos", ExactVec<3>::Zero())),
                             world.turn.turned(axis)});
  }

  /// A name of `exclude`: a body, or all geoms of the world.
  std::vector<int> bodies_named(const MjcfElement& element, const std::string& attribute) {
    const std::string name = element.text(attribute).value_or("");
    if (name == "world") return world_bodies_;
    const auto found = bodies_.find(name);
    if (found == bodies_.end())
      element.refuse(attribute + " " + in_quotes(name), "the name of a body");
    return {found->second};
  }

  void read_contact(const XMLElement& section) {
    for (const XMLElement* child : children(section)) {
      if (std::string(child->Name()) != "exclude") {
        refuse_element(*child, "friction and contacts from the geoms alone, or exclude");
      }
      const MjcfElement element(*child, defaults_);
      for (const int a : bodies_named(element, "body1")) {
        for (const int b : bodies_named(element, "body2")) {
          if (a != b) model_.excluded.emplace_back(std::min(a, b), std::max(a, b));
        }
      }
    }
  }

  /// Motors give no force until somebody commands them; all else acts, unless it is switched off.
  void read_acting(const XMLElement& section) {
    for (const XMLElement* child : children(section)) {
      const std::string tag = child->Name();
      const char* active = child->Attribute("active");
      if (tag == "motor" || (active != nullptr && std::string(active) == "false")) {
        model_.remarks.push_back(mjcf_place(*child) + ": left out, it gives no force by itself");
        continue;
      }
      refuse_element(*child, "contacts, and free, ball and hinge joints, alone");
    }
  }

  MjcfModel model_;
  MjcfDefaults defaults_;
  MjcfUnits units_;
  MjcfMeshes meshes_;
  bool inertia_from_geoms_ = false;
  bool auto_limits_ = true;
  std::map<std::string, int> bodies_;
  std::vector<int> world_bodies_;
  std::map<std::string, int> silent_;
};

}  // namespace

MjcfModel read_mjcf(std::string_view text,
                    const std::function<std::string(const std::string&)>& read_file) {
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    throw Error("line " + std::to_string(document.ErrorLineNum()),
                "XML that does not parse (" +
                    std::string(tinyxml2::XMLDocument::ErrorIDToName(document.ErrorID())) + ")",
                "a model of MuJoCo (MJCF)");
  }
  const XMLElement* root = document.RootElement();
  if (root == nullptr) throw Error("", "no element", "a model of MuJoCo: <mujoco>");
  return MjcfReader(read_file).read(*root);
}

}  // namespace collapse::foreign
