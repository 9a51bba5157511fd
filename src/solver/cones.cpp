#include "solver/cones.hpp"

#include <algorithm>
#include <cmath>

namespace collapse {
namespace {

double tangential_length(const double* v, int rows) {
  double square = 0.0;
  for (int i = 1; i < rows; ++i) square += v[i] * v[i];
  return std::sqrt(square);
}

/// The smallest positive zero of the quadratic t(α)² − ‖u(α)‖², where v + α dv leaves the cone.
double step_to_second_order_boundary(const double* v, const double* dv, int rows, double limit) {
  double a = dv[0] * dv[0];
  double b = v[0] * dv[0];
  for (int i = 1; i < rows; ++i) {
    a -= dv[i] * dv[i];
    b -= v[i] * dv[i];
  }
  const double length = tangential_length(v, rows);
  const double c = (v[0] - length) * (v[0] + length);
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0 || (a >= 0.0 && b >= 0.0)) return limit;
  const double divisor = std::sqrt(discriminant) - b;
  return divisor > 0.0 ? std::min(limit, std::max(0.0, c / divisor)) : limit;
}

/// The two with difference v and product μ. The smaller one follows from the larger one, so that it keeps its digits.
struct CentralPair {
  double s;
  double z;
};
CentralPair central_pair(double v, double mu) {
  const double larger = 0.5 * (std::abs(v) + std::sqrt(v * v + 4.0 * mu));
  return v > 0.0 ? CentralPair{mu / larger, larger} : CentralPair{larger, mu / larger};
}

}  // namespace

double unit_axis(const double* v, int rows, double* axis) {
  const double length = tangential_length(v, rows);
  for (int i = 1; i < rows; ++i) axis[i - 1] = length > 0.0 ? v[i] / length : (i == 1 ? 1.0 : 0.0);
  return length;
}

void AxisMatrix::multiply(const double* axis, int rows, const double* v, double* out) const {
  double along = 0.0;
  for (int i = 1; i < rows; ++i) along += axis[i - 1] * v[i];
  const double t = v[0];
  const double sum = 0.5 * plus * (t + along);
  const double difference = 0.5 * minus * (t - along);
  out[0] = sum + difference;
  const double rest = sum - difference - side * along;
  for (int i = 1; i < rows; ++i) out[i] = side * v[i] + rest * axis[i - 1];
}

void AxisMatrix::dense(const double* axis, int rows, double* out) const {
  const double mean = 0.5 * (plus + minus);
  const double half = 0.5 * (plus - minus);
  out[0] = mean;
  for (int j = 1; j < rows; ++j) {
    out[j] = out[j * rows] = half * axis[j - 1];
    for (int i = 1; i < rows; ++i) {
      out[i + j * rows] = (mean - side) * axis[i - 1] * axis[j - 1] + (i == j ? side : 0.0);
    }
  }
}

double cone_distance(Cone cone, const double* v, int rows) {
  if (cone == Cone::second_order) return v[0] - tangential_length(v, rows);
  return *std::min_element(v, v + rows);
}

void project(Cone cone, const double* v, int rows, double* out) {
  if (cone == Cone::zero) {
    std::copy(v, v + rows, out);
  } else if (cone == Cone::nonnegative) {
    for (int i = 0; i < rows; ++i) out[i] = std::max(0.0, v[i]);
  } else {
    const double length = tangential_length(v, rows);
    if (length <= v[0]) {
      std::copy(v, v + rows, out);
    } else if (length <= -v[0]) {
      std::fill(out, out + rows, 0.0);
    } else {
      const double t = 0.5 * (v[0] + length);
      out[0] = t;
      for (int i = 1; i < rows; ++i) out[i] = t / length * v[i];
    }
  }
}

double step_to_boundary(Cone cone, const double* v, const double* dv, int rows, double limit) {
  if (cone == Cone::zero) return limit;
  if (cone == Cone::second_order && rows > 1) {
    return step_to_second_order_boundary(v, dv, rows, limit);
  }
  for (int i = 0; i < rows; ++i) {
    if (dv[i] < 0.0) limit = std::min(limit, -v[i] / dv[i]);
  }
  return limit;
}

void make_central(Cone cone, double mu, int rows, double* s, double* z) {
  if (cone == Cone::zero) return;
  if (cone == Cone::nonnegative) {
    for (int i = 0; i < rows; ++i) {
      const CentralPair pair = central_pair(z[i] - s[i], mu);
      s[i] = pair.s;
      z[i] = pair.z;
    }
    return;
  }
  for (int i = 0; i < rows; ++i) z[i] -= s[i];
  const double length = tangential_length(z, rows);
  const CentralPair plus = central_pair(z[0] + length, mu);
  const CentralPair minus = central_pair(z[0] - length, mu);
  s[0] = 0.5 * (plus.s + minus.s);
  z[0] = 0.5 * (plus.z + minus.z);
  for (int i = 1; i < rows; ++i) {
    const double along = length > 0.0 ? z[i] / length : (i == 1 ? 1.0 : 0.0);
    s[i] = 0.5 * (plus.s - minus.s) * along;
    z[i] = 0.5 * (plus.z - minus.z) * along;
  }
}

double project_derivative(const double* v, int rows, double* axis, AxisMatrix& derivative) {
  const double length = unit_axis(v, rows, axis);
  derivative.plus = v[0] + length > 0.0 ? 1.0 : 0.0;
  derivative.minus = v[0] - length > 0.0 ? 1.0 : 0.0;
  derivative.side =
      derivative.plus == derivative.minus ? derivative.plus : 0.5 * (v[0] + length) / length;
  return length;
}

}  // namespace collapse
