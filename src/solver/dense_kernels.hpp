#pragma once

namespace collapse {

/// C −= A diag(sign) Bᵀ for C (m × n), A (m × k), B (n × k), all stored by columns.
/// Every entry is summed in the same order on every machine, whatever its vector length.
struct Product {
  int m = 0;
  int n = 0;
  int k = 0;
  const double* A = nullptr;
  int stride_a = 0;
  const double* B = nullptr;
  int stride_b = 0;
  const double* sign = nullptr;
  double* C = nullptr;
  int stride_c = 0;
  bool lower = false;  ///< only entries (i, j) with i ≥ j are needed
  bool fresh = false;  ///< C counts as zero, whatever is there; likewise only where needed
};
void subtract_product(const Product& product);

/// The first `columns` columns of a front with `rows` rows become L: front = L diag(sign) Lᵀ there.
/// Only the lower triangle is read and written. False if a pivot does not have its sign.
[[nodiscard]] bool eliminate_columns(int rows, int columns, const double* sign, double* front);

/// With such a front, L y = x: `own` of x become y in its columns, and `border`, x in the rows below, loses what they
/// contribute there.
void solve_front(int rows, int columns, const double* front, double* own, double* border);

/// Lᵀ x = y: `own` of y become x in its columns; `border` is x in the rows below.
void solve_front_transposed(int rows, int columns, const double* front, double* own,
                            const double* border);

}  // namespace collapse
