#pragma once
/// Frictional contact problems stored in the FCLIB layout (HDF5), and the residual they are judged
/// by. Rows come three per contact: normal, tangent 1, tangent 2.
///
///   M v = H r + G λ + f,  Gᵀv + b = 0,  u = Hᵀv + w          global form
///   u = W r + q                                              local form, v and λ eliminated
///   û = u + (μ‖u_T‖, 0, 0),  K* ∋ û ⟂ r ∈ K,  K = { ‖r_T‖ ≤ μ r_N } at each contact

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <filesystem>
#include <optional>
#include <string>

namespace collapse::benchmarks {

/// The global form: d velocities, 3n contact rows, e equations between velocities (mostly none).
struct FclibGlobal {
  Eigen::SparseMatrix<double> M;  ///< d × d
  Eigen::SparseMatrix<double> H;  ///< d × 3n
  Eigen::VectorXd f;
  Eigen::VectorXd w;
  Eigen::SparseMatrix<double> G;  ///< d × e
  Eigen::VectorXd b;
};

struct FclibProblem {
  std::string name;               ///< of the file, without folder and ending
  Eigen::SparseMatrix<double> W;  ///< 3n × 3n; as stored, not always exactly symmetric
  Eigen::VectorXd q;
  Eigen::VectorXd mu;  ///< one per contact

  /// Where the file has it. W and q are then computed from it, unless the file has these too.
  std::optional<FclibGlobal> global;
};

/// Reads a three-dimensional problem. A file that cannot be used throws `Error`.
[[nodiscard]] FclibProblem read_fclib(const std::filesystem::path& file);

/// The point of the cones K nearest to `x`, three rows per entry of `mu`.
[[nodiscard]] Eigen::VectorXd project_on_cones(const Eigen::VectorXd& mu, Eigen::VectorXd x);

/// ‖r − Π_K(r − û)‖ / ‖q‖; not divided where q = 0.
[[nodiscard]] double fclib_residual(const FclibProblem& problem, const Eigen::VectorXd& r);

}  // namespace collapse::benchmarks
