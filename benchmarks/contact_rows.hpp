#pragma once
/// Rigid bodies and contact points as a program: what the generators of problems.hpp have in common.

#include <utility>
#include <vector>

#include "collapse/geometry/dim.hpp"
#include "collapse/solver/program.hpp"

namespace collapse::benchmarks {

inline constexpr int kGround = -1;

template <int Dim>
struct ContactPoint {
  int a = kGround;
  int b = 0;
  int corner = 0;  ///< tells the points between a and b apart
  Vec<Dim> p;
  Vec<Dim> n;  ///< unit vector from a to b
  double gap = 0.0;
};

/// What is the same at all contacts.
struct ContactLaw {
  double friction = 0.0;
  double compliance = 0.0;  ///< relative: E is this times w, see PileOptions
  double step = 0.0;        ///< s
};

/// Collects a velocity-level program; all bodies come before the first contact.
template <int Dim>
class ContactProgram {
 public:
  explicit ContactProgram(const ContactLaw& law) : law_(law) {}

  /// A body under gravity with the velocity v⁻. Returns its number, which is that of its block.
  int add_body(const Vec<Dim>& centre, double mass, const Inertia<Dim>& inertia,
               const Twist<Dim>& v_before = Twist<Dim>::Zero());
  void add_contact(const ContactPoint<Dim>& contact);
  [[nodiscard]] Program take() { return std::move(program_); }

 private:
  using Mass = Eigen::Matrix<double, kDofs<Dim>, kDofs<Dim>>;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, kDofs<Dim>, 0, Dim, kDofs<Dim>>;

  struct Body {
    Vec<Dim> centre;
    Mass inverse_mass;
  };

  [[nodiscard]] Rows rows_of(const Body& body, const ContactPoint<Dim>& contact) const;

  ContactLaw law_;
  std::vector<Body> bodies_;
  Program program_;
};

extern template class ContactProgram<2>;
extern template class ContactProgram<3>;

}  // namespace collapse::benchmarks
