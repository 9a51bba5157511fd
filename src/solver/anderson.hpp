#pragma once

#include <Eigen/Core>
#include <Eigen/QR>
#include <utility>
#include <vector>

namespace collapse {

/// Anderson's acceleration of a fixed-point iteration v ← φ(v): the combination of the last points
/// whose steps φ(v) − v nearly cancel.
class Anderson {
 public:
  /// The next point after v and φ(v).
  Eigen::VectorXd next(const Eigen::VectorXd& v, const Eigen::VectorXd& image) {
    const Eigen::VectorXd step = image - v;
    if (last_step_.size() > 0) {
      push(steps_, step - last_step_);
      push(images_, image - last_image_);
    }
    last_step_ = step;
    last_image_ = image;
    if (steps_.empty()) return image;
    Eigen::MatrixXd A(step.size(), static_cast<Eigen::Index>(steps_.size()));
    for (std::size_t k = 0; k < steps_.size(); ++k) A.col(static_cast<Eigen::Index>(k)) = steps_[k];
    const Eigen::VectorXd weights = A.colPivHouseholderQr().solve(step);
    if (!weights.allFinite()) return image;
    Eigen::VectorXd result = image;
    for (std::size_t k = 0; k < images_.size(); ++k) {
      result -= weights[static_cast<Eigen::Index>(k)] * images_[k];
    }
    return result;
  }

  void forget() {
    steps_.clear();
    images_.clear();
    last_step_.resize(0);
  }

 private:
  static constexpr std::size_t kMemory = 8;

  static void push(std::vector<Eigen::VectorXd>& list, Eigen::VectorXd v) {
    if (list.size() == kMemory) list.erase(list.begin());
    list.push_back(std::move(v));
  }

  std::vector<Eigen::VectorXd> steps_;   ///< differences of successive steps
  std::vector<Eigen::VectorXd> images_;  ///< and of successive images
  Eigen::VectorXd last_step_;
  Eigen::VectorXd last_image_;
};

}  // namespace collapse
