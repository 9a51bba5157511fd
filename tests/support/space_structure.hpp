#pragma once
/// Structures in space with contacts given by hand: tests of programs that do not depend on finding contacts.

#include <string>
#include <utility>

#include "collapse/formulation/onset.hpp"
#include "collapse/formulation/verdict.hpp"

namespace collapse::testing {

inline Rational exactly(double number) { return Rational(number); }

inline ExactVec<3> exactly(const Vec<3>& v) {
  return {Rational(v[0]), Rational(v[1]), Rational(v[2])};
}

class SpaceStructure {
 public:
  SpaceStructure() {
    scene.materials.emplace_back();
    scene.gravity = NumberVec<3>(exactly(Vec<3>(0, 0, -10)));
  }

  int add(Shape<3> shape, const Vec<3>& position, bool fixed = false,
          const Eigen::Matrix3d& rotation = Eigen::Matrix3d::Identity()) {
    Body<3> body;
    body.name = "body " + std::to_string(scene.bodies.size());
    body.shape = std::move(shape);
    if (!body.shape.half_space) body.mass = mass_properties(body.shape);
    body.fixed = fixed;
    body.pose.rotation = rotation;
    body.pose.position = position;
    body.exact = false;
    scene.bodies.push_back(std::move(body));
    return static_cast<int>(scene.bodies.size()) - 1;
  }
  int ground() {
    return add(make_half_space(exactly(Vec<3>(0, 0, 1)), Rational(0)), Vec<3>::Zero(), true);
  }
  static Shape<3> box(double x, double y, double z) { return make_box(exactly(Vec<3>(x, y, z))); }

  Contact<3>& touch(int a, int b, const Vec<3>& point, const Vec<3>& normal, double friction,
                    Feature of_a = {FeatureKind::face, 0}, Feature of_b = {}) {
    Contact<3> contact;
    contact.id = {a, b, of_a, of_b, static_cast<std::uint8_t>(contacts.contacts.size())};
    contact.point = point;
    contact.normal = normal.normalized();
    contact.friction = friction;
    contacts.contacts.push_back(contact);
    return contacts.contacts.back();
  }
  /// The four corners of a rectangle of half sides p and q around `middle`.
  void bed(int a, int b, const Vec<3>& middle, const Vec<3>& p, const Vec<3>& q, double friction) {
    for (const auto& [x, y] : {std::pair(-1, -1), {-1, 1}, {1, -1}, {1, 1}}) {
      touch(a, b, middle + x * p + y * q, p.cross(q), friction);
    }
  }

  /// Everything turned and moved.
  void turn(const Eigen::Matrix3d& R, const Vec<3>& shift = Vec<3>::Zero()) {
    scene.gravity = NumberVec<3>(exactly(Vec<3>(R * scene.gravity.value)));
    for (Body<3>& body : scene.bodies) {
      body.pose.rotation = R * body.pose.rotation;
      body.pose.position = R * body.pose.position + shift;
      body.velocity = NumberVec<3>(exactly(Vec<3>(R * body.velocity.value)));
      body.spin = R * body.spin;
    }
    for (Contact<3>& contact : contacts.contacts) {
      contact.point = R * contact.point + shift;
      contact.normal = R * contact.normal;
    }
    for (CornerContact<3>& corner : contacts.corners) {
      corner.point = R * corner.point + shift;
      for (Vec<3>& normal : corner.normals) normal = R * normal;
    }
    for (Joint<3>& joint : scene.joints) {
      joint.at_a = NumberVec<3>(exactly(Vec<3>(R * joint.at_a.value + shift)));
      joint.at_b = NumberVec<3>(exactly(Vec<3>(R * joint.at_b.value + shift)));
      joint.axis = R * joint.axis;
    }
  }

  [[nodiscard]] Verdict<3> check(const CheckOptions& options = {}) const {
    return collapse::check(scene, initial_state(scene), contacts, options);
  }
  [[nodiscard]] Onset<3> onset(const OnsetOptions& options = {}) const {
    return find_onset(scene, initial_state(scene), contacts, options);
  }

  Scene<3> scene;
  ContactSet<3> contacts;
};

}  // namespace collapse::testing
