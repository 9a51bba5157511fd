#pragma once
/// Joints between bodies that are made of points: equations between places on them, each an affine combination
/// of three of its body's points.

#include <optional>
#include <utility>
#include <vector>

#include "simulate/point_model.hpp"

namespace collapse::simulate {

/// Σ weight · point + constant; the weights add up to one if there are any, and the constant is zero then.
struct PointPlace {
  std::vector<std::pair<int, double>> terms;
  Vec<2> constant = Vec<2>::Zero();

  [[nodiscard]] Vec<2> position(const std::vector<Vec<2>>& points) const;
  [[nodiscard]] Vec<2> shift(const std::vector<Vec<2>>& shifts) const;
};

/// One equation of a joint. A rod: the distance of a and b is `length`. A pin: a and b have the same coordinate
/// along `direction`; two of these make a pin. The third equation of a weld is of two places beside it, along
/// the direction across the line from `pivot` to b.
struct PointLink {
  PointPlace a;
  PointPlace b;
  bool is_rod = false;
  double length = 0.0;
  Vec<2> direction = Vec<2>::Zero();
  std::optional<PointPlace> pivot;
  double size = 0.0;  ///< what errors are compared with

  /// Of the row, at these positions.
  [[nodiscard]] Vec<2> along(const std::vector<Vec<2>>& positions) const;
  /// Too long, or apart along the row's direction, if a is at `between` from b.
  [[nodiscard]] double error(const Vec<2>& between, const Vec<2>& along) const;
};

/// All equations of the scene's joints, in their order.
[[nodiscard]] std::vector<PointLink> point_links(const Scene<2>& scene, const PointModel& model);

}  // namespace collapse::simulate
