/// The inner loops of the factorisation, by hand for two reasons. Fronts are small (tens of rows),
/// where the set-up of a general matrix product costs more than the product. And the result must not
/// depend on the machine: wider vectors are used where they are there, but no fused operations and no
/// sums whose order depends on the vector length.

#include "solver/dense_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "core/parallel.hpp"
#include "solver/common.hpp"

namespace collapse {
namespace {

constexpr int kLanes = 4;              // of a vector
constexpr int kColumns = kLanes;       // of a tile of C kept in registers
constexpr int kDepth = 128;            // of a slice of A and B that stays in the cache …
constexpr int kSliceRows = 256;        // … and its rows
constexpr double kWorthThreads = 4e6;  // products of a task
constexpr int kStrip = 64;             // columns of C that a thread takes at a time
constexpr int kWide = 64;              // columns eliminated before the rest of the front is updated
constexpr int kNarrow = 8;             // columns eliminated one by one

using Vector = double __attribute__((vector_size(kLanes * sizeof(double))));
using WideVector = double __attribute__((vector_size(2 * kLanes * sizeof(double))));
template <class V>
constexpr int kLanesOf = sizeof(V) / sizeof(double);

// Vectors are passed by reference: by value they would depend on what the caller is compiled for.
template <class V>
[[gnu::always_inline]] inline void load(const double* p, V& v) {
  std::memcpy(&v, p, sizeof v);
}

template <class V>
[[gnu::always_inline]] inline void store(double* p, const V& v) {
  std::memcpy(p, &v, sizeof v);
}

/// A tile of two vectors × kColumns of C, zero if `fresh`; `b` holds depth × kColumns numbers of B diag(sign).
template <class V>
[[gnu::always_inline]] inline void tile(bool fresh, int depth, const double* A,
                                        std::ptrdiff_t stride_a, const double* b, double* C,
                                        std::ptrdiff_t stride_c) {
  constexpr int kRows = kLanesOf<V>;
  V a0, a1, c00{}, c10{}, c01{}, c11{}, c02{}, c12{}, c03{}, c13{};
  if (!fresh) {
    load(C, c00), load(C + kRows, c10);
    load(C + stride_c, c01), load(C + stride_c + kRows, c11);
    load(C + 2 * stride_c, c02), load(C + 2 * stride_c + kRows, c12);
    load(C + 3 * stride_c, c03), load(C + 3 * stride_c + kRows, c13);
  }
  for (int p = 0; p < depth; ++p, A += stride_a, b += kColumns) {
    load(A, a0);
    load(A + kRows, a1);
    c00 -= a0 * b[0];
    c10 -= a1 * b[0];
    c01 -= a0 * b[1];
    c11 -= a1 * b[1];
    c02 -= a0 * b[2];
    c12 -= a1 * b[2];
    c03 -= a0 * b[3];
    c13 -= a1 * b[3];
  }
  store(C, c00), store(C + kRows, c10);
  store(C + stride_c, c01), store(C + stride_c + kRows, c11);
  store(C + 2 * stride_c, c02), store(C + 2 * stride_c + kRows, c12);
  store(C + 3 * stride_c, c03), store(C + 3 * stride_c + kRows, c13);
}

/// The same of one vector.
template <class V>
[[gnu::always_inline]] inline void half_tile(bool fresh, int depth, const double* A,
                                             std::ptrdiff_t stride_a, const double* b, double* C,
                                             std::ptrdiff_t stride_c) {
  V a, c0{}, c1{}, c2{}, c3{};
  if (!fresh) {
    load(C, c0), load(C + stride_c, c1);
    load(C + 2 * stride_c, c2), load(C + 3 * stride_c, c3);
  }
  for (int p = 0; p < depth; ++p, A += stride_a, b += kColumns) {
    load(A, a);
    c0 -= a * b[0];
    c1 -= a * b[1];
    c2 -= a * b[2];
    c3 -= a * b[3];
  }
  store(C, c0), store(C + stride_c, c1), store(C + 2 * stride_c, c2), store(C + 3 * stride_c, c3);
}

/// Of `Rows` rows and the first `columns` ≤ kColumns columns: vectors along the rows.
template <int Rows>
[[gnu::always_inline]] inline void rows_of_tile(bool fresh, int columns, int depth, const double* A,
                                                std::ptrdiff_t stride_a, const double* b, double* C,
                                                std::ptrdiff_t stride_c) {
  std::array<Vector, Rows> c;
  for (int i = 0; i < Rows; ++i) {
    Vector& row = c[index(i)];
    for (int j = 0; j < kColumns; ++j) row[j] = j < columns && !fresh ? C[j * stride_c + i] : 0.0;
  }
  Vector b_p;
  for (int p = 0; p < depth; ++p, A += stride_a, b += kColumns) {
    load(b, b_p);
    for (int i = 0; i < Rows; ++i) c[index(i)] -= A[i] * b_p;
  }
  for (int i = 0; i < Rows; ++i) {
    const Vector& row = c[index(i)];
    for (int j = 0; j < columns; ++j) C[j * stride_c + i] = row[j];
  }
}

[[gnu::always_inline]] inline void edge(bool fresh, int rows, int columns, int depth,
                                        const double* A, std::ptrdiff_t stride_a, const double* b,
                                        double* C, std::ptrdiff_t stride_c) {
  for (; rows >= 4; rows -= 4, A += 4, C += 4) {
    rows_of_tile<4>(fresh, columns, depth, A, stride_a, b, C, stride_c);
  }
  if (rows == 3) rows_of_tile<3>(fresh, columns, depth, A, stride_a, b, C, stride_c);
  if (rows == 2) rows_of_tile<2>(fresh, columns, depth, A, stride_a, b, C, stride_c);
  if (rows == 1) rows_of_tile<1>(fresh, columns, depth, A, stride_a, b, C, stride_c);
}

template <class V>
[[gnu::always_inline]] inline void subtract_product_body(const Product& q) {
  constexpr int kRows = kLanesOf<V>;
  std::array<double, kDepth * kColumns> packed;
  for (int p0 = 0; p0 < q.k; p0 += kDepth) {
    const int depth = std::min(kDepth, q.k - p0);
    const bool fresh = q.fresh && p0 == 0;
    const double* A = q.A + std::ptrdiff_t{p0} * q.stride_a;
    const double* B = q.B + std::ptrdiff_t{p0} * q.stride_b;
    for (int first = 0; first < q.m; first += kSliceRows) {
      const int last = std::min(q.m, first + kSliceRows);
      const int columns_here = q.lower ? std::min(q.n, last) : q.n;
      for (int j = 0; j < columns_here; j += kColumns) {
        const int columns = std::min(kColumns, q.n - j);
        for (int p = 0; p < depth; ++p) {
          for (int c = 0; c < kColumns; ++c) {
            packed[index(p * kColumns + c)] =
                c < columns ? B[std::ptrdiff_t{p} * q.stride_b + j + c] * q.sign[p0 + p] : 0.0;
          }
        }
        const double* const b = packed.data();
        double* C = q.C + std::ptrdiff_t{j} * q.stride_c;
        int i = q.lower ? std::max(first, j) : first;
        if (columns == kColumns) {
          for (; i + 2 * kRows <= last; i += 2 * kRows) {
            tile<V>(fresh, depth, A + i, q.stride_a, b, C + i, q.stride_c);
          }
          for (; i + kRows <= last; i += kRows) {
            half_tile<V>(fresh, depth, A + i, q.stride_a, b, C + i, q.stride_c);
          }
          for (; i + kLanes <= last; i += kLanes) {
            half_tile<Vector>(fresh, depth, A + i, q.stride_a, b, C + i, q.stride_c);
          }
        }
        if (i < last) {
          edge(fresh, last - i, columns, depth, A + i, q.stride_a, b, C + i, q.stride_c);
        }
      }
    }
  }
}

/// Column after column, within `columns` ≤ kNarrow columns of all `rows` rows.
[[gnu::always_inline]] inline bool eliminate_narrow_body(int rows, int columns, const double* sign,
                                                         double* front, std::ptrdiff_t stride) {
  for (int c = 0; c < columns; ++c) {
    double* column = front + c * stride;
    for (int p = 0; p < c; ++p) {
      const double* earlier = front + p * stride;
      const double factor = earlier[c] * sign[p];
      for (int i = c; i < rows; ++i) column[i] -= earlier[i] * factor;
    }
    const double pivot = column[c] * sign[c];
    if (!(pivot > 0.0)) return false;
    const double root = std::sqrt(pivot);
    const double factor = sign[c] / root;
    column[c] = root;
    for (int i = c + 1; i < rows; ++i) column[i] *= factor;
  }
  return true;
}

/// border −= A v, four columns of A at a time.
[[gnu::always_inline]] inline void subtract_columns(int rows, int columns, const double* A,
                                                    std::ptrdiff_t stride, const double* v,
                                                    double* border) {
  int c = 0;
  for (; c + 4 <= columns; c += 4, A += 4 * stride) {
    for (int i = 0; i < rows; ++i) {
      double b = border[i];
      b -= A[i] * v[c];
      b -= A[i + stride] * v[c + 1];
      b -= A[i + 2 * stride] * v[c + 2];
      b -= A[i + 3 * stride] * v[c + 3];
      border[i] = b;
    }
  }
  for (; c < columns; ++c, A += stride) {
    for (int i = 0; i < rows; ++i) border[i] -= A[i] * v[c];
  }
}

/// a·b, in kLanes sums whatever the vector length.
[[gnu::always_inline]] inline double dot(int count, const double* a, const double* b) {
  Vector sum = {};
  Vector va, vb;
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    load(a + i, va), load(b + i, vb);
    sum += va * vb;
  }
  double rest = 0.0;
  for (; i < count; ++i) rest += a[i] * b[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

[[gnu::always_inline]] inline void solve_front_body(int rows, int columns, const double* front,
                                                    double* own, double* border) {
  const auto stride = static_cast<std::ptrdiff_t>(rows);
  const double* column = front;
  for (int c = 0; c < columns; ++c, column += stride) {
    const double value = own[c] /= column[c];
    for (int i = c + 1; i < columns; ++i) own[i] -= column[i] * value;
  }
  subtract_columns(rows - columns, columns, front + columns, stride, own, border);
}

[[gnu::always_inline]] inline void solve_front_transposed_body(int rows, int columns,
                                                               const double* front, double* own,
                                                               const double* border) {
  const double* column = front + static_cast<std::ptrdiff_t>(rows) * columns;
  for (int c = columns - 1; c >= 0; --c) {
    column -= rows;
    const double value = own[c] - dot(columns - c - 1, column + c + 1, own + c + 1);
    own[c] = (value - dot(rows - columns, column + columns, border)) / column[c];
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void solve_front_avx2(int rows, int columns, const double* front,
                                              double* own, double* border) {
  solve_front_body(rows, columns, front, own, border);
}
[[gnu::target("avx2")]] void solve_front_transposed_avx2(int rows, int columns, const double* front,
                                                         double* own, const double* border) {
  solve_front_transposed_body(rows, columns, front, own, border);
}
[[gnu::target("avx2")]] void subtract_product_avx2(const Product& q) {
  subtract_product_body<Vector>(q);
}
[[gnu::target("avx512f,avx512dq,avx512vl")]] void subtract_product_avx512(const Product& q) {
  subtract_product_body<WideVector>(q);
}
[[gnu::target("avx2")]] bool eliminate_narrow_avx2(int rows, int columns, const double* sign,
                                                   double* front, std::ptrdiff_t stride) {
  return eliminate_narrow_body(rows, columns, sign, front, stride);
}
const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0;
const bool kHasAvx512 = __builtin_cpu_supports("avx512f") != 0 &&
                        __builtin_cpu_supports("avx512dq") != 0 &&
                        __builtin_cpu_supports("avx512vl") != 0;
#endif

bool eliminate_narrow(int rows, int columns, const double* sign, double* front,
                      std::ptrdiff_t stride) {
#if defined(__x86_64__)
  if (kHasAvx2) return eliminate_narrow_avx2(rows, columns, sign, front, stride);
#endif
  return eliminate_narrow_body(rows, columns, sign, front, stride);
}

void subtract_product_here(const Product& product) {
#if defined(__x86_64__)
  if (kHasAvx512) return subtract_product_avx512(product);
  if (kHasAvx2) return subtract_product_avx2(product);
#endif
  subtract_product_body<Vector>(product);
}

}  // namespace

void subtract_product(const Product& product) {
  const double work = static_cast<double>(product.m) * product.n * product.k;
  if (work < kWorthThreads || product.n <= kStrip) {
    subtract_product_here(product);
    return;
  }
  run_tasks((product.n + kStrip - 1) / kStrip, [&product](int task) {
    const int first = task * kStrip;
    Product strip = product;
    strip.n = std::min(kStrip, product.n - first);
    strip.B += first;
    strip.C += std::ptrdiff_t{first} * product.stride_c;
    if (product.lower) {
      strip.m -= first;
      strip.A += first;
      strip.C += first;
    }
    subtract_product_here(strip);
  });
}

void solve_front(int rows, int columns, const double* front, double* own, double* border) {
#if defined(__x86_64__)
  if (kHasAvx2) return solve_front_avx2(rows, columns, front, own, border);
#endif
  solve_front_body(rows, columns, front, own, border);
}

void solve_front_transposed(int rows, int columns, const double* front, double* own,
                            const double* border) {
#if defined(__x86_64__)
  if (kHasAvx2) return solve_front_transposed_avx2(rows, columns, front, own, border);
#endif
  solve_front_transposed_body(rows, columns, front, own, border);
}

bool eliminate_columns(int rows, int columns, const double* sign, double* front) {
  const auto stride = static_cast<std::ptrdiff_t>(rows);
  // Rows first …, columns [column, column + width) less what columns [from, column) contribute.
  const auto update = [&](int from, int column, int width) {
    subtract_product({rows - column, width, column - from, front + from * stride + column, rows,
                      front + from * stride + column, rows, sign + from,
                      front + column * stride + column, rows, true, false});
  };
  for (int wide = 0; wide < columns; wide += kWide) {
    const int wide_end = std::min(columns, wide + kWide);
    for (int narrow = wide; narrow < wide_end; narrow += kNarrow) {
      const int width = std::min(kNarrow, wide_end - narrow);
      if (narrow > wide) update(wide, narrow, width);
      if (!eliminate_narrow(rows - narrow, width, sign + narrow, front + narrow * stride + narrow,
                            stride)) {
        return false;
      }
    }
    if (wide_end < columns) update(wide, wide_end, columns - wide_end);
  }
  return true;
}

}  // namespace collapse
