#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace collapse {

/// For containers, whose sizes are unsigned.
[[nodiscard]] constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// max |vᵢ|.
[[nodiscard]] inline double largest(const Eigen::VectorXd& v) {
  return v.size() == 0 ? 0.0 : v.lpNorm<Eigen::Infinity>();
}

}  // namespace collapse
