#include "collapse/analytical/system.hpp"

namespace collapse::analytical {
namespace {

Eigen::VectorXd picked(const Eigen::VectorXd& all, const std::vector<int>& coordinates) {
  Eigen::VectorXd some(static_cast<Eigen::Index>(coordinates.size()));
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    some[static_cast<Eigen::Index>(i)] = all[coordinates[i]];
  }
  return some;
}

Eigen::MatrixXd mass_of_points(const std::vector<PointMass>& points, const Eigen::VectorXd& x) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(x.size(), x.size());
  for (const PointMass& point : points) {
    for (const Derivatives& component : point.place(picked(x, point.coordinates))) {
      M(point.coordinates, point.coordinates) +=
          point.mass * component.gradient * component.gradient.transpose();
    }
  }
  return M;
}

Eigen::VectorXd force_on_points(const std::vector<PointMass>& points,
                                const Eigen::VectorXd& gravity, const CoordinateState& state) {
  Eigen::VectorXd f = Eigen::VectorXd::Zero(state.x.size());
  for (const PointMass& point : points) {
    const Eigen::VectorXd v = picked(state.v, point.coordinates);
    Eigen::Index axis = 0;
    for (const Derivatives& component : point.place(picked(state.x, point.coordinates))) {
      const double pull = gravity[axis++] - v.dot(component.hessian * v);
      f(point.coordinates) += point.mass * pull * component.gradient;
    }
  }
  return f;
}

}  // namespace

void set_point_masses(System& system, std::vector<PointMass> points,
                      const Eigen::VectorXd& gravity) {
  system.mass = [points](const Eigen::VectorXd& x) { return mass_of_points(points, x); };
  system.force = [points = std::move(points), gravity](const CoordinateState& state) {
    return force_on_points(points, gravity, state);
  };
}

void set_constant(System& system, const Eigen::MatrixXd& mass, const Eigen::VectorXd& force) {
  system.mass = [mass](const Eigen::VectorXd&) { return mass; };
  system.force = [force](const CoordinateState&) { return force; };
}

ConstraintValue value_of(const Constraint& constraint, const Eigen::VectorXd& x,
                         const Eigen::VectorXd& v) {
  const Derivatives local = constraint.g(picked(x, constraint.coordinates));
  const Eigen::VectorXd local_v = picked(v, constraint.coordinates);
  ConstraintValue value{local.value, Eigen::RowVectorXd::Zero(x.size()),
                        local_v.dot(local.hessian * local_v)};
  value.gradient(constraint.coordinates) = local.gradient.transpose();
  return value;
}

double value_of(const Constraint& constraint, const Eigen::VectorXd& x) {
  return constraint.g(picked(x, constraint.coordinates)).value;
}

}  // namespace collapse::analytical
