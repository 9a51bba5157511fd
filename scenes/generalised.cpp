#include "scenes/generalised.hpp"

#include <cmath>
#include <numbers>

#include "collapse/core/random.hpp"

namespace collapse::scenes {
namespace {

using analytical::Constraint;
using analytical::CoordinateState;
using analytical::Derivatives;
using analytical::Jet;
using analytical::PointMass;
using analytical::Relation;
using analytical::System;

constexpr double kGravity = 10.0;

CoordinateState at_rest(const Eigen::VectorXd& x) {
  return {0.0, x, Eigen::VectorXd::Zero(x.size())};
}

std::vector<std::string> plane_coordinates(int points) {
  std::vector<std::string> names;
  for (int i = 1; i <= points; ++i) {
    names.push_back("x" + std::to_string(i));
    names.push_back("y" + std::to_string(i));
  }
  return names;
}

/// `shift` plus `a` times the coordinate: a wall.
Constraint wall(const std::string& name, int coordinate, double shift) {
  return analytical::differentiated(name, Relation::at_least, std::array{coordinate},
                                    [shift](const auto& x) { return x[0] - shift; });
}

/// The distance between two points of the plane, less a number.
Constraint distance(const std::string& name, Relation relation, int a, int b, double less) {
  return analytical::differentiated(name, relation, std::array{2 * a, 2 * a + 1, 2 * b, 2 * b + 1},
                                    [less](const auto& x) {
                                      const auto dx = x[2] - x[0];
                                      const auto dy = x[3] - x[1];
                                      return sqrt(dx * dx + dy * dy) - less;
                                    });
}

/// The i-th mass of a chain of angles: the sum of the links before it.
PointMass mass_on_links(int i) {
  PointMass point;
  for (int link = 0; link <= i; ++link) point.coordinates.push_back(link);
  point.place = [](const Eigen::VectorXd& angles) {
    const Eigen::VectorXd s = angles.array().sin();
    const Eigen::VectorXd c = angles.array().cos();
    return std::vector<Derivatives>{{s.sum(), c, Eigen::MatrixXd((-s).asDiagonal())},
                                    {-c.sum(), s, Eigen::MatrixXd(c.asDiagonal())}};
  };
  return point;
}

}  // namespace

GeneralisedScene corner_particle(Corner corner, double mass, const Eigen::Vector2d& force) {
  GeneralisedScene scene;
  scene.system.coordinates = {"x", "y"};
  analytical::set_constant(scene.system, mass * Eigen::Matrix2d::Identity(), force);
  const std::array both{0, 1};
  if (corner == Corner::acute) {
    scene.system.constraints = {
        analytical::differentiated("g1", Relation::at_least, both,
                                   [](const auto& x) { return x[0] - x[1]; }),
        wall("g2", 1, 0.0)};
  } else {
    scene.system.constraints = {
        wall("g1", 1, 0.0), analytical::differentiated("g2", Relation::at_least, both,
                                                       [](const auto& x) { return x[0] + x[1]; })};
  }
  scene.start = at_rest(Eigen::Vector2d::Zero());
  return scene;
}

GeneralisedScene billiards(double speed) {
  constexpr double kRadius = 0.5;
  GeneralisedScene scene;
  System& system = scene.system;
  system.coordinates = plane_coordinates(kBilliardBalls);
  const int n = system.size();
  analytical::set_constant(system, Eigen::MatrixXd::Identity(n, n), Eigen::VectorXd::Zero(n));
  for (int i = 0; i < kBilliardBalls; ++i) {
    const std::string ball = "ball " + std::to_string(i + 1);
    system.constraints.push_back(wall(ball + " left", 2 * i, kRadius));
    system.constraints.push_back(wall(ball + " below", 2 * i + 1, kRadius));
    for (int j = 0; j < i; ++j) {
      system.constraints.push_back(
          distance("balls " + std::to_string(j + 1) + " and " + std::to_string(i + 1),
                   Relation::at_least, j, i, 2.0 * kRadius));
    }
  }
  scene.start = at_rest(Eigen::VectorXd::Zero(n));
  Eigen::Index at = 0;
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < 4 - row; ++i) {
      const Eigen::Vector2d place(kRadius + i + 0.5 * row,
                                  kRadius + 0.5 * std::numbers::sqrt3 * row);
      scene.start.x.segment<2>(at) = place;
      middle += 0.1 * place;
      at += 2;
    }
  }
  const Eigen::Vector2d inwards = Eigen::Vector2d::Constant(-std::numbers::sqrt2 / 2.0);
  scene.start.x.tail<2>() = middle - 5.0 * inwards;
  scene.start.v.tail<2>() = speed * inwards;
  return scene;
}

GeneralisedScene chain_of_points(int links) {
  GeneralisedScene scene;
  System& system = scene.system;
  system.coordinates = plane_coordinates(links);
  const int n = system.size();
  Eigen::VectorXd weight = Eigen::VectorXd::Zero(n);
  scene.start = at_rest(Eigen::VectorXd::Zero(n));
  for (int i = 0; i < links; ++i) {
    weight[2 * i + 1] = -kGravity;
    scene.start.x[2 * i] = i + 1;
    const std::string name = "link " + std::to_string(i + 1);
    if (i > 0) {
      system.constraints.push_back(distance(name, Relation::equal, i - 1, i, 1.0));
      continue;
    }
    system.constraints.push_back(analytical::differentiated(
        name, Relation::equal, std::array{0, 1},
        [](const auto& x) { return sqrt(x[0] * x[0] + x[1] * x[1]) - 1.0; }));
  }
  analytical::set_constant(system, Eigen::MatrixXd::Identity(n, n), weight);
  return scene;
}

GeneralisedScene chain_of_angles(int links) {
  GeneralisedScene scene;
  std::vector<PointMass> points;
  for (int i = 0; i < links; ++i) {
    scene.system.coordinates.push_back("angle " + std::to_string(i + 1));
    points.push_back(mass_on_links(i));
  }
  analytical::set_point_masses(scene.system, points, Eigen::Vector2d(0.0, -kGravity));
  scene.start = at_rest(Eigen::VectorXd::Constant(links, std::numbers::pi / 2.0));
  return scene;
}

Eigen::Vector2d end_of_chain(const Eigen::VectorXd& angles) {
  return {angles.array().sin().sum(), -angles.array().cos().sum()};
}

GeneralisedScene bead_on_parabola(double from) {
  GeneralisedScene scene;
  scene.system.coordinates = {"u"};
  const PointMass bead =
      analytical::point_mass(1.0, std::array{0}, [](const std::array<Jet<1>, 1>& u) {
        return std::array{u[0], 0.5 * u[0] * u[0]};
      });
  analytical::set_point_masses(scene.system, {bead}, Eigen::Vector2d(0.0, -kGravity));
  scene.system.constraints = {wall("stop", 0, 0.0)};
  scene.start = at_rest(Eigen::VectorXd::Constant(1, from));
  return scene;
}

GeneralisedScene falling_ball(double height, double speed, double gravity) {
  GeneralisedScene scene;
  scene.system.coordinates = {"height"};
  analytical::set_constant(scene.system, Eigen::MatrixXd::Identity(1, 1),
                           Eigen::VectorXd::Constant(1, -gravity));
  scene.system.constraints = {wall("floor", 0, 0.0)};
  scene.start = {0.0, Eigen::VectorXd::Constant(1, height), Eigen::VectorXd::Constant(1, -speed)};
  return scene;
}

analytical::LeastConstraint random_contacts(std::uint64_t seed, int bodies, int contacts) {
  Random random(seed);
  const int n = 3 * bodies;
  analytical::LeastConstraint problem{
      Eigen::MatrixXd::Identity(n, n), Eigen::VectorXd::Zero(n), Eigen::MatrixXd::Zero(contacts, n),
      Eigen::VectorXd::Zero(contacts),
      std::vector<Relation>(static_cast<std::size_t>(contacts), Relation::at_least)};
  for (int body = 0; body < bodies; ++body) {
    problem.M(3 * body + 2, 3 * body + 2) = 1.0 / 6.0;
    problem.f[3 * body + 1] = -kGravity;
  }
  for (int k = 0; k < contacts; ++k) {
    const int b = random.below(bodies);
    const int a = random.below(bodies);  // b itself: the world
    const double angle = random.between(0.0, 2.0 * std::numbers::pi);
    const Eigen::Vector2d normal(std::cos(angle), std::sin(angle));
    const auto push = [&](int body, const Eigen::Vector2d& along) {
      const Eigen::Vector2d lever(random.between(-0.5, 0.5), random.between(-0.5, 0.5));
      problem.J.row(k).segment<3>(3 * body) << along.x(), along.y(),
          lever.x() * along.y() - lever.y() * along.x();
    };
    push(b, normal);
    if (a != b) push(a, -normal);
  }
  return problem;
}

}  // namespace collapse::scenes
