/// The rows of joints in the program of a step.

#include <algorithm>

#include "simulate/point_program.hpp"

namespace collapse::simulate {

double PointProgram::link_error(std::size_t link, const std::vector<Vec<2>>& shift) const {
  const PointLink& joint = links_[link];
  const Vec<2> between = joint.a.position(motion_.start) - joint.b.position(motion_.start) +
                         joint.a.shift(shift) - joint.b.shift(shift);
  return joint.error(between, link_along_[link]);
}

double PointProgram::link_value(std::size_t link, const std::vector<Vec<2>>& shift) const {
  return link_along_[link].dot(links_[link].a.shift(shift) - links_[link].b.shift(shift));
}

/// Joints are always fitted.
double PointProgram::link_bound(std::size_t link, const std::vector<Vec<2>>& anchor) const {
  const double error = link_error(link, anchor);
  return by_acceleration() ? -error / (h_ * h_) : link_value(link, anchor) - error;
}

/// What points that are not free contribute to the row's left-hand side.
double PointProgram::given_link_value(std::size_t link) const {
  double value = 0.0;
  for (const auto& [place, sign] :
       {std::pair(&links_[link].a, 1.0), std::pair(&links_[link].b, -1.0)}) {
    for (const auto& [point, weight] : place->terms) {
      if (model_.is_free(point)) continue;
      value += sign * weight * link_along_[link].dot(motion_.shift[slot(point)]);
    }
  }
  return value;
}

void PointProgram::add_links(bool soft, Eigen::Index& row) {
  using Bound = Eigen::Matrix<double, 1, 1>;
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const double given = by_acceleration() ? 0.0 : given_link_value(l);
    double mass = 0.0;
    for (const PointPlace* const place : {&links_[l].a, &links_[l].b}) {
      for (const auto& [point, weight] : place->terms) {
        mass = std::max(mass, model_.masses[slot(point)]);
      }
    }
    program_.begin_group(Cone::zero, Bound(bounds_[row++] - given),
                         {.compliance = soft && mass > 0.0 ? 1.0 / (kPenalty * mass) : 0.0,
                          .id = bars_.size() + l + 1,
                          .label = {}});
    for (const auto& [place, sign] :
         {std::pair(&links_[l].a, 1.0), std::pair(&links_[l].b, -1.0)}) {
      for (const auto& [point, weight] : place->terms) {
        if (block_[slot(point)] < 0) continue;
        program_.add_term(block_[slot(point)], sign * weight * link_along_[l].transpose());
      }
    }
  }
}

}  // namespace collapse::simulate
