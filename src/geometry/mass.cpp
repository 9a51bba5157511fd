#include <cmath>
#include <numbers>
#include <vector>

#include "collapse/core/error.hpp"
#include "collapse/geometry/shape.hpp"

namespace collapse {

namespace {

using Exact = MassProperties<2>::Exact;

struct Lump {
  double mass = 0.0;
  Vec<2> centre = Vec<2>::Zero();
  double inertia = 0.0;
};

Exact exact_properties(const std::vector<Loop>& boundary) {
  const AreaMoments moments = area_moments(boundary);
  Exact exact;
  exact.mass = moments.area;
  exact.centre = moments.first / moments.area;
  exact.inertia(0, 0) = moments.second.trace() - moments.first.dot(exact.centre);
  return exact;
}

template <int Dim>
void round_exact(MassProperties<Dim>& properties) {
  properties.mass = to_double(properties.exact->mass);
  properties.centre = to_double<Dim>(properties.exact->centre);
  properties.inertia =
      properties.exact->inertia.unaryExpr([](const Rational& x) { return to_double(x); });
}

Lump lump_of(const Ball<2>& disk) {
  const double mass = std::numbers::pi * disk.radius * disk.radius;
  return {mass, disk.centre, mass * disk.radius * disk.radius / 2.0};
}

/// Levers are taken from the first lump's centre and then from the common one, so that a body far
/// from its origin loses nothing.
MassProperties<2> combined(const std::vector<Lump>& lumps) {
  MassProperties<2> sum;
  const Vec<2> start = lumps.front().centre;
  for (const Lump& lump : lumps) sum.mass += lump.mass;
  for (const Lump& lump : lumps) sum.centre += (lump.mass / sum.mass) * (lump.centre - start);
  sum.centre += start;
  for (const Lump& lump : lumps) {
    sum.inertia(0, 0) += lump.inertia + lump.mass * (lump.centre - sum.centre).squaredNorm();
  }
  return sum;
}

/// Masses go with the square of the size and inertia with its fourth power: either may leave the
/// range of doubles although the size itself does not.
template <int Dim>
void refuse_out_of_range(const MassProperties<Dim>& properties) {
  const auto usable = [](double x) { return std::isnormal(x) && x > 0.0; };
  if (!usable(properties.mass) || !usable(properties.inertia.trace()) ||
      !properties.centre.allFinite()) {
    throw Error("", "a mass or moment of inertia beyond the range of floating point",
                "sizes and masses that are not that extreme");
  }
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

MassProperties<2> mass_properties(const Shape<2>& shape) {
  MassProperties<2> properties;
  if (shape.half_space) {
    properties.exact = Exact{Rational(0), ExactVec<2>::Zero(), decltype(Exact::inertia)::Zero()};
    return properties;
  }
  if (!shape.boundary.empty()) {
    properties.exact = exact_properties(shape.boundary);
    round_exact(properties);
  }
  if (!shape.balls.empty()) {
    std::vector<Lump> lumps;
    if (properties.exact) {
      lumps.push_back({properties.mass, properties.centre, properties.inertia(0, 0)});
    }
    for (const Ball<2>& ball : shape.balls) lumps.push_back(lump_of(ball));
    properties = combined(lumps);
  }
  refuse_out_of_range(properties);
  return properties;
}

}  // namespace collapse
