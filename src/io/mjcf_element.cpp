#include "io/mjcf_element.hpp"

#include <algorithm>
#include <array>

#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"
#include "io/scene_writer.hpp"

namespace collapse::foreign {
namespace {

std::string written(const tinyxml2::XMLElement& element, const char* attribute) {
  const char* value = element.Attribute(attribute);
  return value == nullptr ? std::string() : std::string(value);
}

std::vector<std::string_view> mjcf_words(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  std::vector<std::string_view> result;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return result;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(kBlank), text.size());
    result.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// What a scene can have; products of such numbers are far from the end of floating point.
const Rational kLargestNumber(1e50);

constexpr std::array<const char*, 5> kOrientations = {"quat", "axisangle", "euler", "xyaxes",
                                                      "zaxis"};

bool is_zero(const ExactVec<3>& v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

}  // namespace

void MjcfDefaults::read(const tinyxml2::XMLElement& element) {
  read(element, kMain);
  // Whatever its name, the outermost class is that of all elements without one.
  const std::string name = written(element, "class");
  if (!name.empty()) classes_[name] = classes_[kMain];
}

void MjcfDefaults::read(const tinyxml2::XMLElement& element, const std::string& name) {
  Attributes& own = classes_[name];
  for (const auto* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    if (std::string(child->Name()) == "default") continue;
    for (const auto* a = child->FirstAttribute(); a != nullptr; a = a->Next()) {
      own[child->Name()][a->Name()] = a->Value();
    }
  }
  for (const auto* child = element.FirstChildElement("default"); child != nullptr;
       child = child->NextSiblingElement("default")) {
    const std::string inner = written(*child, "class");
    if (inner.empty()) throw Error(mjcf_place(*child), "no class", "class=\"NAME\"");
    classes_[inner] = classes_[name];
    read(*child, inner);
  }
}

const std::string* MjcfDefaults::find(const std::string& name, const std::string& element,
                                      const std::string& attribute) const {
  const auto found = classes_.find(name);
  if (found == classes_.end()) return nullptr;
  const auto attributes = found->second.find(element);
  if (attributes == found->second.end()) return nullptr;
  const auto value = attributes->second.find(attribute);
  return value == attributes->second.end() ? nullptr : &value->second;
}

std::string mjcf_place(const tinyxml2::XMLElement& element) {
  const std::string name = written(element, "name");
  return "line " + std::to_string(element.GetLineNum()) + ", " + printable(element.Name()) +
         (name.empty() ? "" : " " + in_quotes(name));
}

MjcfElement::MjcfElement(const tinyxml2::XMLElement& xml, const MjcfDefaults& defaults,
                         const std::string& active)
    : xml_(&xml), defaults_(&defaults), class_(written(xml, "class")) {
  if (class_.empty()) class_ = active;
  if (!defaults.has(class_)) {
    refuse("the class " + in_quotes(class_), "the class of one of the `default` elements");
  }
}

std::string MjcfElement::name() const { return written(*xml_, "name"); }

std::string MjcfElement::place() const { return mjcf_place(*xml_); }

void MjcfElement::refuse(const std::string& found, const std::string& expected) const {
  throw Error(place(), found, expected);
}

std::string MjcfElement::attribute_place(const std::string& attribute) const {
  return place() + ", " + attribute;
}

std::optional<std::string> MjcfElement::text(const std::string& attribute) const {
  if (const char* own = xml_->Attribute(attribute.c_str())) return std::string(own);
  const std::string* common = defaults_->find(class_, tag(), attribute);
  return common == nullptr ? std::nullopt : std::optional<std::string>(*common);
}

std::optional<std::vector<Rational>> MjcfElement::numbers(const std::string& attribute) const {
  const std::optional<std::string> value = text(attribute);
  if (!value) return std::nullopt;
  std::vector<Rational> result;
  for (const std::string_view word : mjcf_words(*value)) {
    result.push_back(foreign_number(word, attribute_place(attribute)));
    if (abs(result.back()) > kLargestNumber) {
      throw Error(attribute_place(attribute), in_quotes(word), "a number of at most 1e50");
    }
  }
  return result;
}

Rational MjcfElement::number(const std::string& attribute, const Rational& otherwise) const {
  const std::optional<std::vector<Rational>> all = numbers(attribute);
  if (!all) return otherwise;
  if (all->empty()) throw Error(attribute_place(attribute), "nothing", "a number");
  return all->front();
}

std::vector<Rational> MjcfElement::exactly(const std::string& attribute, std::size_t count) const {
  std::vector<Rational> all = numbers(attribute).value_or(std::vector<Rational>());
  if (all.size() != count) {
    throw Error(attribute_place(attribute), std::to_string(all.size()) + " numbers",
                std::to_string(count) + " numbers");
  }
  return all;
}

ExactVec<3> MjcfElement::vector(const std::string& attribute, const ExactVec<3>& otherwise) const {
  if (!has(attribute)) return otherwise;
  const std::vector<Rational> all = exactly(attribute, 3);
  return {all[0], all[1], all[2]};
}

bool MjcfElement::flag(const std::string& attribute, bool otherwise) const {
  const std::optional<std::string> value = text(attribute);
  if (!value) return otherwise;
  if (*value == "true" || *value == "false") return *value == "true";
  throw Error(attribute_place(attribute), in_quotes(*value), "true or false");
}

MjcfPose MjcfElement::pose(const MjcfUnits& units) const {
  return {vector("pos", ExactVec<3>::Zero()), turn(units)};
}

Quaternion MjcfElement::turn(const MjcfUnits& units) const {
  // What the element itself says comes before what its class says.
  const char* chosen = nullptr;
  for (const char* kind : kOrientations) {
    if (xml_->Attribute(kind) == nullptr) continue;
    if (chosen != nullptr) refuse(std::string(chosen) + " and " + kind, "one orientation");
    chosen = kind;
  }
  for (const char* kind : kOrientations) {
    if (chosen == nullptr && has(kind)) chosen = kind;
  }
  if (chosen == nullptr) return {};
  const std::string kind = chosen;
  const auto axis = [&](const std::vector<Rational>& all, std::size_t first) {
    ExactVec<3> result(all[first], all[first + 1], all[first + 2]);
    if (is_zero(result)) throw Error(attribute_place(kind), "[0, 0, 0]", "a direction");
    return result;
  };
  if (kind == "quat") {
    const std::vector<Rational> q = exactly(kind, 4);
    const ExactVec<3> v(q[1], q[2], q[3]);
    if (q[0] == 0 && is_zero(v)) throw Error(attribute_place(kind), "[0, 0, 0, 0]", "a quaternion");
    return {q[0], v};
  }
  if (kind == "axisangle") {
    const std::vector<Rational> all = exactly(kind, 4);
    return turn_about(axis(all, 0), all[3], units.degrees);
  }
  if (kind == "zaxis") return turn_z_to(axis(exactly(kind, 3), 0));
  if (kind == "xyaxes") {
    const std::vector<Rational> all = exactly(kind, 6);
    return turn_to_axes(axis(all, 0), axis(all, 3));
  }
  const std::vector<Rational> angles = exactly(kind, 3);
  Quaternion result;
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = units.euler[i];
    ExactVec<3> about = ExactVec<3>::Zero();
    about[(letter | 0x20) - 'x'] = 1;
    const Quaternion one = turn_about(about, angles[i], units.degrees);
    // Small letters turn about the axes as they have been turned already, capitals about those of the parent.
    result = letter >= 'a' ? result * one : one * result;
  }
  return result;
}

}  // namespace collapse::foreign
