#include "benchmarks/peers/fclib.hpp"

#include <fmt/core.h>
#include <hdf5/serial/hdf5.h>

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "collapse/core/check.hpp"
#include "collapse/core/error.hpp"

namespace collapse::benchmarks {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// An object of the HDF5 library, closed with its scope.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (valid()) close_(id_);
  }

  [[nodiscard]] bool valid() const { return id_ >= 0; }
  [[nodiscard]] hid_t id() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

/// Keeps HDF5 from printing its own account of each failed call.
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// What the file is read as: how a C++ type is called in HDF5 and in messages.
template <class T>
struct Stored;
template <>
struct Stored<int> {
  static hid_t type() { return H5T_NATIVE_INT; }
  static constexpr H5T_class_t kClass = H5T_INTEGER;
  static constexpr const char* kName = "integers";
};
template <>
struct Stored<double> {
  static hid_t type() { return H5T_NATIVE_DOUBLE; }
  static constexpr H5T_class_t kClass = H5T_FLOAT;
  static constexpr const char* kName = "floating-point numbers";
};

/// More numbers than any array of such a file has: a damaged size must not exhaust the memory.
constexpr int kMostNumbers = 100'000'000;

bool exists(hid_t file, const std::string& path) {
  return H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0;
}

template <class T>
std::vector<T> read_array(hid_t file, const std::string& path) {
  const Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) throw Error(path, "no dataset", Stored<T>::kName);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  if (!type.valid() || H5Tget_class(type.id()) != Stored<T>::kClass) {
    throw Error(path, "another type", Stored<T>::kName);
  }
  const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space.id()) : -1;
  if (count < 0 || count > kMostNumbers) {
    throw Error(path, fmt::format("{} numbers", count), fmt::format("0 to {}", kMostNumbers));
  }

  std::vector<T> values(static_cast<std::size_t>(count));
  const herr_t status = H5Dread(dataset.id(), Stored<T>::type(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                static_cast<void*>(values.data()));
  if (status < 0) throw Error(path, "a dataset that cannot be read", Stored<T>::kName);
  return values;
}

/// A count: FCLIB stores it as an array of one.
int read_number(hid_t file, const std::string& path) {
  const std::vector<int> values = read_array<int>(file, path);
  if (values.size() != 1) throw Error(path, fmt::format("{} numbers", values.size()), "one");
  return values[0];
}

Eigen::VectorXd read_vector(hid_t file, const std::string& path) {
  const std::vector<double> values = read_array<double>(file, path);
  Eigen::VectorXd vector =
      Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  if (!vector.allFinite()) throw Error(path, "a value that is not finite", "finite numbers");
  return vector;
}

void expect_size(const std::string& path, Eigen::Index found, Eigen::Index expected) {
  if (found != expected) {
    throw Error(path, fmt::format("{} numbers", found), fmt::format("{}", expected));
  }
}

void expect_shape(const std::string& path, const SparseMatrix& A, Eigen::Index rows,
                  Eigen::Index columns) {
  if (A.rows() != rows || A.cols() != columns) {
    throw Error(path, fmt::format("{} × {}", A.rows(), A.cols()),
                fmt::format("{} × {}", rows, columns));
  }
}

using Triplets = std::vector<Eigen::Triplet<double>>;

/// The arrays of a stored matrix. What they mean is told by `nz`: a count of triplets, row in `i`
/// and column in `p`, or one of the two values below.
struct MatrixArrays {
  int rows = 0;
  int columns = 0;
  int nz = 0;
  std::vector<int> p;
  std::vector<int> i;
  std::vector<double> x;
};
constexpr int kCompressedColumns = -1;
constexpr int kCompressedRows = -2;

Triplets triplet_entries(const std::string& path, const MatrixArrays& a) {
  // The arrays may be longer: FCLIB writes x with the nzmax numbers that were reserved for it.
  const auto count = static_cast<std::size_t>(a.nz);
  const std::size_t present = std::min({a.p.size(), a.i.size(), a.x.size()});
  if (present < count) {
    throw Error(path, fmt::format("{} triplets", present), fmt::format("nz = {}", count));
  }
  Triplets result;
  for (std::size_t k = 0; k < count; ++k) result.emplace_back(a.i[k], a.p[k], a.x[k]);
  return result;
}

/// `p` has the place of the first entry of each line, a column or a row, and the end of the last;
/// `i` the place of each entry in its line.
Triplets compressed_entries(const std::string& path, const MatrixArrays& a) {
  const bool by_columns = a.nz == kCompressedColumns;
  const auto lines = static_cast<std::size_t>(by_columns ? a.columns : a.rows);
  if (a.p.size() != lines + 1 || a.p.front() != 0) {
    throw Error(path + "/p", fmt::format("{} numbers", a.p.size()),
                fmt::format("{}, the first of them 0", lines + 1));
  }
  const auto present = static_cast<int>(std::min(a.i.size(), a.x.size()));
  Triplets result;
  for (std::size_t line = 0; line < lines; ++line) {
    const int begin = a.p[line];
    const int end = a.p[line + 1];
    if (begin > end || end > present) {
      throw Error(fmt::format("{}/p[{}]", path, line + 1), fmt::format("{}", end),
                  fmt::format("{} to {}", begin, present));
    }
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const auto at = static_cast<int>(line);
      result.emplace_back(by_columns ? a.i[k] : at, by_columns ? at : a.i[k], a.x[k]);
    }
  }
  return result;
}

Triplets entries(const std::string& path, const MatrixArrays& a) {
  if (a.nz >= 0) return triplet_entries(path, a);
  if (a.nz == kCompressedColumns || a.nz == kCompressedRows) return compressed_entries(path, a);
  throw Error(path + "/nz", fmt::format("{}", a.nz), "a count, -1 (columns) or -2 (rows)");
}

SparseMatrix read_matrix(hid_t file, const std::string& path) {
  if (!exists(file, path)) throw Error(path, "nothing", "a matrix");
  MatrixArrays arrays;
  arrays.rows = read_number(file, path + "/m");
  arrays.columns = read_number(file, path + "/n");
  arrays.nz = read_number(file, path + "/nz");
  for (const int size : {arrays.rows, arrays.columns}) {
    if (size < 0 || size > kMostNumbers) {
      throw Error(path, fmt::format("size {}", size), fmt::format("0 to {}", kMostNumbers));
    }
  }
  arrays.p = read_array<int>(file, path + "/p");
  arrays.i = read_array<int>(file, path + "/i");
  arrays.x = read_array<double>(file, path + "/x");

  const Triplets values = entries(path, arrays);
  for (const Eigen::Triplet<double>& value : values) {
    if (value.row() < 0 || value.row() >= arrays.rows || value.col() < 0 ||
        value.col() >= arrays.columns || !std::isfinite(value.value())) {
      throw Error(path, fmt::format("{} at ({}, {})", value.value(), value.row(), value.col()),
                  fmt::format("a finite number within {} × {}", arrays.rows, arrays.columns));
    }
  }
  SparseMatrix A(arrays.rows, arrays.columns);
  A.setFromTriplets(values.begin(), values.end());
  return A;
}

Eigen::VectorXd read_friction(hid_t file, const std::string& group) {
  const int dimension = read_number(file, group + "/spacedim");
  if (dimension != 3) throw Error(group + "/spacedim", fmt::format("{}", dimension), "3");
  const std::string path = group + "/vectors/mu";
  Eigen::VectorXd mu = read_vector(file, path);
  if (mu.size() == 0) throw Error(path, "no contact", "one or more");
  if (mu.minCoeff() < 0.0) throw Error(path, fmt::format("{}", mu.minCoeff()), "0 or more");
  return mu;
}

FclibGlobal read_global(hid_t file, const std::string& group, Eigen::Index contacts) {
  FclibGlobal global;
  global.M = read_matrix(file, group + "/M");
  global.H = read_matrix(file, group + "/H");
  global.f = read_vector(file, group + "/vectors/f");
  global.w = read_vector(file, group + "/vectors/w");
  const Eigen::Index d = global.f.size();
  expect_shape(group + "/M", global.M, d, d);
  expect_shape(group + "/H", global.H, d, 3 * contacts);
  expect_size(group + "/vectors/w", global.w.size(), 3 * contacts);

  global.G.resize(d, 0);
  if (exists(file, group + "/G")) {
    global.G = read_matrix(file, group + "/G");
    global.b = read_vector(file, group + "/vectors/b");
    expect_shape(group + "/G", global.G, d, global.b.size());
  }
  return global;
}

/// [A over zeros], as many rows as `rows`.
SparseMatrix extended(const SparseMatrix& A, Eigen::Index rows) {
  SparseMatrix result = A;
  result.conservativeResize(rows, A.cols());
  return result;
}

/// K = [M G; Gᵀ 0], the matrix of the unknowns (v, −λ).
SparseMatrix motion_matrix(const FclibGlobal& global) {
  const Eigen::Index d = global.M.rows();
  Triplets values;
  for (Eigen::Index j = 0; j < d; ++j) {
    for (SparseMatrix::InnerIterator it(global.M, j); it; ++it) {
      values.emplace_back(it.row(), it.col(), it.value());
    }
  }
  for (Eigen::Index j = 0; j < global.G.cols(); ++j) {
    for (SparseMatrix::InnerIterator it(global.G, j); it; ++it) {
      values.emplace_back(it.row(), d + it.col(), it.value());
      values.emplace_back(d + it.col(), it.row(), it.value());
    }
  }
  SparseMatrix K(d + global.G.cols(), d + global.G.cols());
  K.setFromTriplets(values.begin(), values.end());
  return K;
}

/// W = [Hᵀ 0] K⁻¹ [H; 0] and q = [Hᵀ 0] K⁻¹ [f; −b] + w; without G, W = HᵀM⁻¹H and q = HᵀM⁻¹f + w.
void eliminate_velocities(const std::string& group, FclibProblem& problem) {
  const FclibGlobal& global = *problem.global;
  const SparseMatrix K = motion_matrix(global);
  // Not Cholesky: nothing promises a symmetric M, and with G the matrix is indefinite.
  const Eigen::SparseLU<SparseMatrix> factor(K);
  if (factor.info() != Eigen::Success) {
    throw Error(group + "/M", "a singular matrix", "a regular one");
  }
  const SparseMatrix H = extended(global.H, K.rows());
  Eigen::VectorXd right(K.rows());
  right << global.f, -global.b;
  const SparseMatrix X = factor.solve(H);
  const Eigen::VectorXd x = factor.solve(right);
  problem.W = H.transpose() * X;
  problem.q = H.transpose() * x + global.w;
}

FclibProblem read_problem(hid_t file) {
  const std::string local = "/fclib_local";
  const std::string global = "/fclib_global";
  const bool has_local = exists(file, local);
  const bool has_global = exists(file, global);
  if (!has_local && !has_global) throw Error("", "neither group", local + " or " + global);

  FclibProblem problem;
  problem.mu = read_friction(file, has_local ? local : global);
  const Eigen::Index n = problem.mu.size();
  if (has_global) problem.global = read_global(file, global, n);
  if (has_local) {
    problem.W = read_matrix(file, local + "/W");
    problem.q = read_vector(file, local + "/vectors/q");
    expect_shape(local + "/W", problem.W, 3 * n, 3 * n);
    expect_size(local + "/vectors/q", problem.q.size(), 3 * n);
  } else {
    eliminate_velocities(global, problem);
  }
  return problem;
}

}  // namespace

FclibProblem read_fclib(const std::filesystem::path& path) {
  const QuietHdf5 quiet;
  try {
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file.valid()) throw Error("", "a file that cannot be opened", "an HDF5 file");
    FclibProblem problem = read_problem(file.id());
    problem.name = path.stem().string();
    return problem;
  } catch (const Error& error) {
    throw error.in_file(path.string());
  }
}

Eigen::VectorXd project_on_cones(const Eigen::VectorXd& mu, Eigen::VectorXd x) {
  COLLAPSE_DEMAND(x.size() == 3 * mu.size());
  for (Eigen::Index i = 0; i < mu.size(); ++i) {
    auto r = x.segment<3>(3 * i);
    const double normal = r[0];
    const double tangential = r.tail<2>().norm();
    // The polar cone first: with μ = 0 the negative normal axis meets the next condition too.
    if (mu[i] * tangential <= -normal) {
      r.setZero();
    } else if (tangential > mu[i] * normal) {
      r[0] = (normal + mu[i] * tangential) / (1.0 + mu[i] * mu[i]);
      r.tail<2>() *= mu[i] * r[0] / tangential;
    }
  }
  return x;
}

double fclib_residual(const FclibProblem& problem, const Eigen::VectorXd& r) {
  COLLAPSE_DEMAND(r.size() == problem.q.size());
  Eigen::VectorXd u_hat = problem.W * r + problem.q;
  for (Eigen::Index i = 0; i < problem.mu.size(); ++i) {
    u_hat[3 * i] += problem.mu[i] * u_hat.segment<2>(3 * i + 1).norm();
  }
  const double distance = (r - project_on_cones(problem.mu, r - u_hat)).norm();
  const double scale = problem.q.norm();
  return scale > 0.0 ? distance / scale : distance;
}

}  // namespace collapse::benchmarks
