#pragma once
/// Elements of MJCF with the defaults of their class.

#include <tinyxml2.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/mjcf_pose.hpp"

namespace collapse::foreign {

/// Attributes by element and name, for each class of defaults, those of the outer classes included.
class MjcfDefaults {
 public:
  MjcfDefaults() { classes_[kMain]; }
  /// An outermost `default` element of the file; nested ones inherit.
  void read(const tinyxml2::XMLElement& element);
  [[nodiscard]] bool has(const std::string& name) const { return classes_.contains(name); }
  [[nodiscard]] const std::string* find(const std::string& name, const std::string& element,
                                        const std::string& attribute) const;

 private:
  using Attributes = std::map<std::string, std::map<std::string, std::string>>;
  static constexpr const char* kMain = "main";
  void read(const tinyxml2::XMLElement& element, const std::string& name);

  std::map<std::string, Attributes> classes_;
};

/// What the `compiler` element says about how to read others.
struct MjcfUnits {
  bool degrees = true;
  std::string euler = "xyz";
};

class MjcfElement {
 public:
  /// `active` is the class of the bodies around, if they have one.
  MjcfElement(const tinyxml2::XMLElement& xml, const MjcfDefaults& defaults,
              const std::string& active = "main");

  [[nodiscard]] const tinyxml2::XMLElement& xml() const { return *xml_; }
  [[nodiscard]] std::string tag() const { return xml_->Name(); }
  [[nodiscard]] std::string name() const;
  /// `line 12, geom "foot"`.
  [[nodiscard]] std::string place() const;
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const;

  /// As written, or by default of the class.
  [[nodiscard]] std::optional<std::string> text(const std::string& attribute) const;
  [[nodiscard]] bool has(const std::string& attribute) const { return text(attribute).has_value(); }
  /// All numbers of an attribute; nothing if it is absent.
  [[nodiscard]] std::optional<std::vector<Rational>> numbers(const std::string& attribute) const;
  /// Its first number.
  [[nodiscard]] Rational number(const std::string& attribute, const Rational& otherwise) const;
  [[nodiscard]] ExactVec<3> vector(const std::string& attribute,
                                   const ExactVec<3>& otherwise) const;
  [[nodiscard]] bool flag(const std::string& attribute, bool otherwise) const;

  /// `pos` and one of `quat`, `axisangle`, `euler`, `xyaxes`, `zaxis`.
  [[nodiscard]] MjcfPose pose(const MjcfUnits& units) const;

 private:
  [[nodiscard]] std::string attribute_place(const std::string& attribute) const;
  [[nodiscard]] std::vector<Rational> exactly(const std::string& attribute,
                                              std::size_t count) const;
  [[nodiscard]] Quaternion turn(const MjcfUnits& units) const;

  const tinyxml2::XMLElement* xml_;
  const MjcfDefaults* defaults_;
  std::string class_;
};

/// `line 12, joint "hip"` of an element without defaults.
[[nodiscard]] std::string mjcf_place(const tinyxml2::XMLElement& element);

}  // namespace collapse::foreign
