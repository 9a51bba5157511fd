#include <cmath>
#include <numbers>
#include <vector>

#include "collapse/core/error.hpp"
#include "collapse/geometry/shape.hpp"

namespace collapse {

namespace {

template <int Dim>
struct Lump {
  double mass = 0.0;
  Vec<Dim> centre = Vec<Dim>::Zero();
  Inertia<Dim> inertia = Inertia<Dim>::Zero();  ///< about its own centre
};

MassProperties<2>::Exact exact_properties(const std::vector<Loop>& boundary) {
  const AreaMoments moments = area_moments(boundary);
  MassProperties<2>::Exact exact;
  exact.mass = moments.area;
  exact.centre = moments.first / moments.area;
  exact.inertia(0, 0) = moments.second.trace() - moments.first.dot(exact.centre);
  return exact;
}

/// The inertia is tr(S) 1 − S, with S = ∫xxᵀ about the centre.
MassProperties<3>::Exact exact_properties(const Surface& boundary) {
  const VolumeMoments moments = volume_moments(boundary);
  MassProperties<3>::Exact exact;
  exact.mass = moments.volume;
  exact.centre = moments.first / moments.volume;
  const Eigen::Matrix<Rational, 3, 3> second =
      moments.second - moments.first * exact.centre.transpose();
  exact.inertia = -second;
  for (int k = 0; k < 3; ++k) exact.inertia(k, k) += second.trace();
  return exact;
}

template <int Dim>
void round_exact(MassProperties<Dim>& properties) {
  properties.mass = to_double(properties.exact->mass);
  properties.centre = to_double<Dim>(properties.exact->centre);
  properties.inertia =
      properties.exact->inertia.unaryExpr([](const Rational& x) { return to_double(x); });
}

Lump<2> lump_of(const Ball<2>& disk) {
  const double mass = std::numbers::pi * disk.radius * disk.radius;
  return {mass, disk.centre, Inertia<2>(mass * disk.radius * disk.radius / 2.0)};
}

Lump<3> lump_of(const Ball<3>& ball) {
  const double squared_radius = ball.radius * ball.radius;
  const double mass = 4.0 / 3.0 * std::numbers::pi * squared_radius * ball.radius;
  return {mass, ball.centre, 0.4 * mass * squared_radius * Inertia<3>::Identity()};
}

/// Of a solid of revolution, from its moments about its axis and across it.
Inertia<3> revolved_inertia(const Vec<3>& axis, double along, double across) {
  const Inertia<3> projection = axis * axis.transpose();
  return along * projection + across * (Inertia<3>::Identity() - projection);
}

Lump<3> lump_of(const Cylinder& cylinder) {
  const double squared_radius = cylinder.radius * cylinder.radius;
  const double squared_half = cylinder.half_height * cylinder.half_height;
  const double mass = 2.0 * std::numbers::pi * squared_radius * cylinder.half_height;
  return {mass, cylinder.centre,
          revolved_inertia(cylinder.axis, mass * squared_radius / 2.0,
                           mass * (squared_radius / 4.0 + squared_half / 3.0))};
}

/// A cylinder of length L and two half spheres. About its flat side's centre a half sphere has the moment ⅖ m r² in
/// every direction; its centre of mass is 3r/8 away from there: across the axis of the capsule that makes
/// ⅖ m r² + m (L²/4 + 3Lr/8).
Lump<3> lump_of(const Capsule& capsule) {
  const double r = capsule.radius;
  const Vec<3> along = capsule.to - capsule.from;
  const double length = along.norm();
  const Vec<3> axis = length > 0.0 ? Vec<3>(along / length) : Vec<3>::UnitZ();
  const double cylinder = std::numbers::pi * r * r * length;
  const double ends = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  return {cylinder + ends, capsule.from + along / 2.0,
          revolved_inertia(axis, cylinder * r * r / 2.0 + 0.4 * ends * r * r,
                           cylinder * (r * r / 4.0 + length * length / 12.0) +
                               ends * (0.4 * r * r + length * (length / 4.0 + 0.375 * r)))};
}

/// Of a mass at `lever` from the centre.
Inertia<2> point_inertia(double mass, const Vec<2>& lever) {
  return Inertia<2>(mass * lever.squaredNorm());
}
Inertia<3> point_inertia(double mass, const Vec<3>& lever) {
  return mass * (lever.squaredNorm() * Inertia<3>::Identity() - lever * lever.transpose());
}

/// Levers are taken from the first lump's centre and then from the common one, so that a body far
/// from its origin loses nothing.
template <int Dim>
MassProperties<Dim> combined(const std::vector<Lump<Dim>>& lumps) {
  MassProperties<Dim> sum;
  const Vec<Dim> start = lumps.front().centre;
  for (const Lump<Dim>& lump : lumps) sum.mass += lump.mass;
  for (const Lump<Dim>& lump : lumps) {
    sum.centre += (lump.mass / sum.mass) * (lump.centre - start);
  }
  sum.centre += start;
  for (const Lump<Dim>& lump : lumps) {
    sum.inertia += lump.inertia + point_inertia(lump.mass, Vec<Dim>(lump.centre - sum.centre));
  }
  return sum;
}

std::vector<Lump<2>> round_lumps(const Shape<2>& shape) {
  std::vector<Lump<2>> lumps;
  for (const Ball<2>& ball : shape.balls) lumps.push_back(lump_of(ball));
  return lumps;
}

std::vector<Lump<3>> round_lumps(const Shape<3>& shape) {
  std::vector<Lump<3>> lumps;
  for (const Ball<3>& ball : shape.balls) lumps.push_back(lump_of(ball));
  for (const Cylinder& cylinder : shape.cylinders) lumps.push_back(lump_of(cylinder));
  for (const Capsule& capsule : shape.capsules) lumps.push_back(lump_of(capsule));
  return lumps;
}

/// Masses go with the square of the size in the plane and with the cube in space, inertia with its fourth or fifth
/// power: either may leave the range of doubles although the size itself does not.
template <int Dim>
void refuse_out_of_range(const MassProperties<Dim>& properties) {
  const auto usable = [](double x) { return std::isnormal(x) && x > 0.0; };
  if (!usable(properties.mass) || !usable(properties.inertia.trace()) ||
      !properties.centre.allFinite()) {
    throw Error("", "a mass or moment of inertia beyond the range of floating point",
                "sizes and masses that are not that extreme");
  }
}

template <int Dim>
MassProperties<Dim> properties_of(const Shape<Dim>& shape) {
  using Exact = typename MassProperties<Dim>::Exact;
  MassProperties<Dim> properties;
  if (shape.half_space) {
    properties.exact = Exact{Rational(0), ExactVec<Dim>::Zero(), decltype(Exact::inertia)::Zero()};
    return properties;
  }
  if (!shape.boundary.empty()) {
    properties.exact = exact_properties(shape.boundary);
    round_exact(properties);
  }
  std::vector<Lump<Dim>> lumps = round_lumps(shape);
  if (!lumps.empty()) {
    if (properties.exact) {
      lumps.insert(lumps.begin(), {properties.mass, properties.centre, properties.inertia});
    }
    properties = combined(lumps);
  }
  refuse_out_of_range(properties);
  return properties;
}

}  // namespace

template <int Dim>
MassProperties<Dim> MassProperties<Dim>::scaled(const Number& factor) const {
  MassProperties result = *this;
  if (exact) {
    result.exact->mass *= factor.exact;
    result.exact->inertia *= factor.exact;
    round_exact(result);
  } else {
    result.mass *= factor.value;
    result.inertia *= factor.value;
  }
  if (mass > 0.0) refuse_out_of_range(result);
  return result;
}

template struct MassProperties<2>;
template struct MassProperties<3>;

MassProperties<2> mass_properties(const Shape<2>& shape) { return properties_of(shape); }
MassProperties<3> mass_properties(const Shape<3>& shape) { return properties_of(shape); }

}  // namespace collapse
