#include "benchmarks/contact_rows.hpp"

#include <Eigen/LU>
#include <cstdint>

#include "benchmarks/problems.hpp"
#include "collapse/core/check.hpp"

namespace collapse::benchmarks {

namespace {

/// 26 bits for each body (the ground is 0) and 12 for the corner; never 0.
std::uint64_t id_of(int a, int b, int corner) {
  constexpr int kBodies = 1 << 26;
  constexpr int kCorners = 1 << 12;
  COLLAPSE_DEMAND(a + 1 < kBodies && b + 1 < kBodies && corner < kCorners);
  const auto bits = [](int number) { return static_cast<std::uint64_t>(number); };
  return bits(a + 1) << 38U | bits(b + 1) << 12U | bits(corner);
}

}  // namespace

template <int Dim>
int ContactProgram<Dim>::add_body(const Vec<Dim>& centre, double mass, const Inertia<Dim>& inertia,
                                  const Twist<Dim>& v_before) {
  Mass m = Mass::Zero();
  m.diagonal().template head<Dim>().setConstant(mass);
  m.template bottomRightCorner<kSpins<Dim>, kSpins<Dim>>() = inertia;
  bodies_.push_back({centre, m.inverse()});
  Twist<Dim> v_free = v_before;
  v_free[Dim - 1] -= law_.step * kGravity;
  return program_.add_block(m, m * v_free);
}

template <int Dim>
void ContactProgram<Dim>::add_contact(const ContactPoint<Dim>& contact) {
  const Body& b = bodies_[static_cast<std::size_t>(contact.b)];
  const Rows rows_b = rows_of(b, contact);
  Rows rows_a;
  double w = rows_b.row(0) * b.inverse_mass * rows_b.row(0).transpose();
  if (contact.a != kGround) {
    const Body& a = bodies_[static_cast<std::size_t>(contact.a)];
    rows_a = -rows_of(a, contact);
    w += rows_a.row(0) * a.inverse_mass * rows_a.row(0).transpose();
  }

  Eigen::VectorXd bounds = Eigen::VectorXd::Zero(rows_b.rows());
  const double scale = law_.friction > 0.0 ? 1.0 / law_.friction : 1.0;
  // Not the negative zero of a closed gap: it would look odd in files.
  if (contact.gap > 0.0) bounds[0] = -scale * contact.gap / law_.step;
  program_.begin_group(law_.friction > 0.0 ? Cone::second_order : Cone::nonnegative, bounds,
                       {.compliance = law_.compliance * w,
                        .id = id_of(contact.a, contact.b, contact.corner),
                        .label = {}});
  if (contact.a != kGround) program_.add_term(contact.a, rows_a);
  program_.add_term(contact.b, rows_b);
}

/// Velocity of the body's point at p: along n, over μ if there is friction, and across it.
template <int Dim>
typename ContactProgram<Dim>::Rows ContactProgram<Dim>::rows_of(
    const Body& body, const ContactPoint<Dim>& contact) const {
  const Vec<Dim> r = contact.p - body.centre;
  const Twist<Dim> normal = wrench_of<Dim>(r, contact.n);
  if (law_.friction == 0.0) return normal.transpose();
  Rows rows(Dim, kDofs<Dim>);
  rows.row(0) = normal.transpose() / law_.friction;
  const auto tangents = tangents_of<Dim>(contact.n);
  for (int k = 1; k < Dim; ++k) {
    rows.row(k) = wrench_of<Dim>(r, tangents.col(k - 1)).transpose();
  }
  return rows;
}

template class ContactProgram<2>;
template class ContactProgram<3>;

}  // namespace collapse::benchmarks
