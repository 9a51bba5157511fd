#include "solver/nesterov_todd.hpp"

#include <algorithm>
#include <cmath>

namespace collapse {
namespace {

/// (t − ‖u‖)(t + ‖u‖), with what cancels subtracted first.
double determinant(const double* v, int rows) {
  double square = 0.0;
  for (int i = 1; i < rows; ++i) square += v[i] * v[i];
  const double length = std::sqrt(square);
  return (v[0] - length) * (v[0] + length);
}

}  // namespace

/// Calls inequality(row) for every row of an inequality, cone(group, scale, axis, first row) for cones.
template <class Inequality, class Axes>
void NesterovTodd::each(const Program& program, const Inequality& inequality,
                        const Axes& cone) const {
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const Program::Group& group = program.groups()[k];
    if (group.cone == Cone::nonnegative) {
      for (int r = group.first_row; r < group.first_row + group.rows; ++r) inequality(r);
    } else if (group.cone == Cone::second_order) {
      cone(k, group, scale_[k], axis_.data() + group.first_row);
    }
  }
}

bool NesterovTodd::update(const Program& program, const Eigen::VectorXd& s,
                          const Eigen::VectorXd& z) {
  point_.setZero(s.size());
  axis_.resize(s.size());
  ratio_.resize(s.size());
  scale_.resize(program.groups().size());
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const Program::Group& group = program.groups()[k];
    const double* const sk = s.data() + group.first_row;
    const double* const zk = z.data() + group.first_row;
    if (group.cone == Cone::nonnegative) {
      for (int i = 0; i < group.rows; ++i) {
        if (!(sk[i] > 0.0 && zk[i] > 0.0)) return false;
        ratio_[group.first_row + i] = std::sqrt(sk[i] / zk[i]);
        point_[group.first_row + i] = std::sqrt(sk[i] * zk[i]);
      }
    } else if (group.cone == Cone::second_order) {
      const double det_s = determinant(sk, group.rows);
      const double det_z = determinant(zk, group.rows);
      if (!(sk[0] > 0.0 && zk[0] > 0.0 && det_s > 0.0 && det_z > 0.0)) return false;
      // w = (s/√det s + J z/√det z)/(2γ) has determinant one; only its axis and w₀ + ‖w₁‖ matter.
      const double size_s = std::sqrt(det_s);
      const double size_z = std::sqrt(det_z);
      double* const axis = axis_.data() + group.first_row;
      double square = 0.0;
      for (int i = 1; i < group.rows; ++i) {
        axis[i - 1] = sk[i] / size_s - zk[i] / size_z;
        square += axis[i - 1] * axis[i - 1];
      }
      const double length = std::sqrt(square);
      for (int i = 1; i < group.rows; ++i) {
        axis[i - 1] = length > 0.0 ? axis[i - 1] / length : (i == 1 ? 1.0 : 0.0);
      }
      double product = 0.0;
      for (int i = 0; i < group.rows; ++i) product += sk[i] / size_s * (zk[i] / size_z);
      const double two_gamma = std::sqrt(2.0 + 2.0 * std::max(1.0, product));
      const double sum = sk[0] / size_s + zk[0] / size_z;
      scale_[k] = {std::sqrt(size_s / size_z), (sum + length) / two_gamma};
      AxisMatrix{scale_[k].eta * scale_[k].g, scale_[k].eta / scale_[k].g, scale_[k].eta}.multiply(
          axis, group.rows, zk, point_.data() + group.first_row);
    }
  }
  return true;
}

void NesterovTodd::scale(const Program& program, const Eigen::VectorXd& v,
                         Eigen::VectorXd& out) const {
  out.setZero(v.size());
  each(
      program, [&](int r) { out[r] = ratio_[r] * v[r]; },
      [&](std::size_t, const Program::Group& group, const ConeScale& w, const double* axis) {
        AxisMatrix{w.eta * w.g, w.eta / w.g, w.eta}.multiply(
            axis, group.rows, v.data() + group.first_row, out.data() + group.first_row);
      });
}

void NesterovTodd::unscale(const Program& program, const Eigen::VectorXd& v,
                           Eigen::VectorXd& out) const {
  out.setZero(v.size());
  each(
      program, [&](int r) { out[r] = v[r] / ratio_[r]; },
      [&](std::size_t, const Program::Group& group, const ConeScale& w, const double* axis) {
        AxisMatrix{1.0 / (w.eta * w.g), w.g / w.eta, 1.0 / w.eta}.multiply(
            axis, group.rows, v.data() + group.first_row, out.data() + group.first_row);
      });
}

void NesterovTodd::scale_twice(const Program& program, const Eigen::VectorXd& v,
                               Eigen::VectorXd& out) const {
  out.setZero(v.size());
  each(
      program, [&](int r) { out[r] = ratio_[r] * ratio_[r] * v[r]; },
      [&](std::size_t, const Program::Group& group, const ConeScale& w, const double* axis) {
        const double square = w.eta * w.eta;
        AxisMatrix{square * w.g * w.g, square / (w.g * w.g), square}.multiply(
            axis, group.rows, v.data() + group.first_row, out.data() + group.first_row);
      });
}

void NesterovTodd::divide(const Program& program, const Eigen::VectorXd& v,
                          Eigen::VectorXd& out) const {
  out.setZero(v.size());
  each(
      program, [&](int r) { out[r] = v[r] / point_[r]; },
      [&](std::size_t, const Program::Group& group, const ConeScale&, const double*) {
        const double* const l = point_.data() + group.first_row;
        const double* const from = v.data() + group.first_row;
        double* const to = out.data() + group.first_row;
        double along = 0.0;
        for (int i = 1; i < group.rows; ++i) along += l[i] * from[i];
        to[0] = (l[0] * from[0] - along) / determinant(l, group.rows);
        for (int i = 1; i < group.rows; ++i) to[i] = (from[i] - to[0] * l[i]) / l[0];
      });
}

void NesterovTodd::weights(const Program& program, double rho, Weights& D) const {
  for (std::size_t k = 0; k < program.groups().size(); ++k) {
    const Program::Group& group = program.groups()[k];
    const double soft = group.compliance + rho;
    if (group.cone == Cone::nonnegative) {
      for (int i = 0; i < group.rows; ++i) {
        const double ratio = ratio_[group.first_row + i];
        D.of(k)[i] = 1.0 / (ratio * ratio + soft);
      }
    } else if (group.cone == Cone::second_order) {
      const ConeScale& w = scale_[k];
      const double square = w.eta * w.eta;
      AxisMatrix{1.0 / (square * w.g * w.g + soft), 1.0 / (square / (w.g * w.g) + soft),
                 1.0 / (square + soft)}
          .dense(axis_.data() + group.first_row, group.rows, D.of(k));
    }
  }
}

void cone_product(const Program& program, const Eigen::VectorXd& a, const Eigen::VectorXd& b,
                  Eigen::VectorXd& out) {
  out.setZero(a.size());
  for (const Program::Group& group : program.groups()) {
    const double* const ak = a.data() + group.first_row;
    const double* const bk = b.data() + group.first_row;
    double* const to = out.data() + group.first_row;
    if (group.cone == Cone::nonnegative) {
      for (int i = 0; i < group.rows; ++i) to[i] = ak[i] * bk[i];
    } else if (group.cone == Cone::second_order) {
      for (int i = 0; i < group.rows; ++i) to[0] += ak[i] * bk[i];
      for (int i = 1; i < group.rows; ++i) to[i] = ak[0] * bk[i] + bk[0] * ak[i];
    }
  }
}

}  // namespace collapse
