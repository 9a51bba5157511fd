#include "solver/incomplete_factor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "collapse/core/check.hpp"
#include "solver/common.hpp"

namespace collapse {
namespace {

// Blocks of L with a smaller norm are dropped; products that cannot make one matter are not formed.
constexpr float kDrop = 0.01F;
constexpr float kNegligible = 0.1F * kDrop;
// Blocks that a column may have beyond those of the matrix.
constexpr std::size_t kMostFill = 32;
// Of a diagonal block of L, which would be 1 without the others.
constexpr float kLeastIncompletePivot = 1e-6F;
constexpr float kFirstShift = 1e-3F;
constexpr float kLargestShift = 10.0F;

template <int Lanes>
struct FloatVector;
template <>
struct FloatVector<4> {
  using Type = float __attribute__((vector_size(16)));
};
template <>
struct FloatVector<8> {
  using Type = float __attribute__((vector_size(32)));
};

/// N × N blocks by columns, each padded to a whole vector; those of L are packed, which is a quarter less
/// memory to read: vectors of them have numbers of the next column beyond the N-th, and what becomes of these is
/// never looked at. Every entry is summed in the same order whatever the machine's vectors.
template <int N>
struct Small {
  static constexpr int kStride = N <= 4 ? 4 : 8;
  static constexpr std::size_t kNumbers = static_cast<std::size_t>(N) * kStride;
  static constexpr std::size_t kPacked = static_cast<std::size_t>(N) * N;
  static constexpr std::size_t kBeyond = kStride - N;  ///< read after the last block of L
  using Vector = typename FloatVector<kStride>::Type;

  [[gnu::always_inline]] static void load(const float* p, Vector& v) {
    std::memcpy(&v, p, sizeof v);
  }
  [[gnu::always_inline]] static void store(float* p, const Vector& v) {
    std::memcpy(p, &v, sizeof v);
  }

  /// C −= A Bᵀ, A and B packed.
  [[gnu::always_inline]] static void subtract_product(const float* A, const float* B, float* C) {
    std::array<Vector, N> a;
    for (int k = 0; k < N; ++k) load(A + k * N, a[index(k)]);
    for (int j = 0; j < N; ++j) {
      Vector c;
      load(C + j * kStride, c);
      for (int k = 0; k < N; ++k) c -= a[index(k)] * B[k * N + j];
      store(C + j * kStride, c);
    }
  }

  /// A ← A Tᵀ with T lower triangular.
  [[gnu::always_inline]] static void times_transposed(const float* T, float* A) {
    std::array<Vector, N> a;
    for (int k = 0; k < N; ++k) load(A + k * kStride, a[index(k)]);
    for (int j = 0; j < N; ++j) {
      Vector c = a[0] * T[j];
      for (int k = 1; k <= j; ++k) c += a[index(k)] * T[k * kStride + j];
      store(A + j * kStride, c);
    }
  }

  /// T = the inverse of the Cholesky factor of A. False if there is none.
  static bool invert_root(const float* A, float* T) {
    std::array<float, index(N * N)> L;
    const auto at = [&L](int i, int j) -> float& { return L[index(i * N + j)]; };
    for (int j = 0; j < N; ++j) {
      for (int i = j; i < N; ++i) {
        float value = A[j * kStride + i];
        for (int k = 0; k < j; ++k) value -= at(i, k) * at(j, k);
        if (i == j && !(value > kLeastIncompletePivot)) return false;
        at(i, j) = i == j ? std::sqrt(value) : value / at(j, j);
      }
    }
    std::fill(T, T + kNumbers, 0.0F);
    for (int j = 0; j < N; ++j) {
      T[j * kStride + j] = 1.0F / at(j, j);
      for (int i = j + 1; i < N; ++i) {
        float value = 0.0F;
        for (int k = j; k < i; ++k) value -= at(i, k) * T[j * kStride + k];
        T[j * kStride + i] = value / at(i, i);
      }
    }
    return true;
  }
};

/// L ← its Cholesky factor by columns, with the reciprocals of its diagonal. False if there is none.
template <int N>
bool take_root(double* L) {
  for (int j = 0; j < N; ++j) {
    for (int k = 0; k < j; ++k) {
      for (int i = j; i < N; ++i) L[j * N + i] -= L[k * N + i] * L[k * N + j];
    }
    if (!(L[j * N + j] > 0.0)) return false;
    const double reciprocal = 1.0 / std::sqrt(L[j * N + j]);
    L[j * N + j] = reciprocal;
    for (int i = j + 1; i < N; ++i) L[j * N + i] *= reciprocal;
  }
  return true;
}

/// X ← P⁻¹ X Q⁻ᵀ for such factors P and Q.
template <int N>
void divide(const double* P, const double* Q, double* X) {
  for (int j = 0; j < N; ++j) {
    for (int k = 0; k < N; ++k) {
      const double value = X[j * N + k] *= P[k * N + k];
      for (int i = k + 1; i < N; ++i) X[j * N + i] -= P[k * N + i] * value;
    }
  }
  for (int j = 0; j < N; ++j) {
    for (int k = 0; k < j; ++k) {
      for (int i = 0; i < N; ++i) X[j * N + i] -= X[k * N + i] * Q[k * N + j];
    }
    for (int i = 0; i < N; ++i) X[j * N + i] *= Q[j * N + j];
  }
}

#if defined(__x86_64__)
const bool kHasVectorsOfEight = __builtin_cpu_supports("avx2") != 0;
#endif

}  // namespace

void IncompleteFactor::analyse(const BlockMatrix& matrix, const std::vector<int>& order) {
  sizes_ = matrix.sizes();
  first_unknown_ = matrix.first_unknown();
  const int largest = *std::max_element(sizes_.begin(), sizes_.end());
  COLLAPSE_DEMAND(largest <= kLargest && order.size() == sizes_.size());
  size_ = largest <= 3 ? 3 : 6;
  order_ = order;
  rank_.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) rank_[index(order[k])] = static_cast<int>(k);
  sources_.clear();
  for (int j = 0; j < matrix.nodes(); ++j) {
    matrix.each_in_column(j, [&](int i, std::size_t offset) {
      if (i == j) return;
      const auto [column, row] = std::minmax(rank_[index(i)], rank_[index(j)]);
      sources_.push_back({column, row, offset, rank_[index(i)] < rank_[index(j)]});
    });
  }
  std::sort(sources_.begin(), sources_.end(), [](const Source& a, const Source& b) {
    return std::pair(a.column, a.row) < std::pair(b.column, b.row);
  });
  first_source_.assign(order.size() + 1, 0);
  for (const Source& source : sources_) ++first_source_[index(source.column) + 1];
  for (std::size_t k = 1; k < first_source_.size(); ++k) first_source_[k] += first_source_[k - 1];
}

template <int N>
bool IncompleteFactor::scale(const BlockMatrix& matrix) {
  using S = Small<N>;
  constexpr std::size_t kRoot = index(N) * N;
  root_.resize(sizes_.size() * kRoot);
  for (int node = 0; node < matrix.nodes(); ++node) {
    const int size = sizes_[index(node)];
    const double* A = matrix.values().data() + matrix.place(node, node).offset;
    double* const R = root_.data() + index(node) * kRoot;
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i < N; ++i) {
        const bool padding = i >= size || j >= size;
        R[j * N + i] = padding ? (i == j ? 1.0 : 0.0) : A[j * size + i];
      }
    }
    if (!take_root<N>(R)) return false;
  }
  scaled_.assign(sources_.size() * S::kNumbers, 0.0F);
  std::array<double, kRoot> X;
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const Source& source = sources_[k];
    const std::size_t row = index(order_[index(source.row)]);
    const std::size_t column = index(order_[index(source.column)]);
    const double* A = matrix.values().data() + source.offset;
    X.fill(0.0);
    for (int j = 0; j < sizes_[column]; ++j) {
      for (int i = 0; i < sizes_[row]; ++i) {
        X[index(j * N + i)] =
            source.transposed ? A[i * sizes_[column] + j] : A[j * sizes_[row] + i];
      }
    }
    divide<N>(root_.data() + row * kRoot, root_.data() + column * kRoot, X.data());
    float* const to = scaled_.data() + k * S::kNumbers;
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i < N; ++i) to[j * S::kStride + i] = static_cast<float>(X[index(j * N + i)]);
    }
  }
  return true;
}

/// The blocks gathered for a column that are large enough go into L.
template <int N>
void IncompleteFactor::keep_column(int column, std::size_t own_blocks) {
  using S = Small<N>;
  by_size_.clear();
  for (std::size_t s = 1; s < gathered_row_.size(); ++s) {
    float square = 0.0F;
    const float* from = gathered_.data() + s * S::kNumbers;
    for (int j = 0; j < N; ++j, from += S::kStride) {
      for (int i = 0; i < N; ++i) square += from[i] * from[i];
    }
    if (square > kDrop * kDrop) by_size_.emplace_back(-square, static_cast<int>(s));
  }
  if (by_size_.size() > own_blocks + kMostFill) {
    const auto end = by_size_.begin() + static_cast<std::ptrdiff_t>(own_blocks + kMostFill);
    std::nth_element(by_size_.begin(), end, by_size_.end());
    by_size_.erase(end, by_size_.end());
  }
  by_row_.clear();
  for (std::size_t k = 0; k < by_size_.size(); ++k) {
    by_row_.emplace_back(gathered_row_[index(by_size_[k].second)], static_cast<int>(k));
  }
  std::sort(by_row_.begin(), by_row_.end());
  std::size_t to = row_.size() * S::kPacked;
  lower_.resize(to + by_row_.size() * S::kPacked + S::kBeyond);
  for (const auto& [row, k] : by_row_) {
    const auto& [square, s] = by_size_[index(k)];
    row_.push_back(row);
    square_.push_back(-square);
    const float* from = gathered_.data() + index(s) * S::kNumbers;
    for (int j = 0; j < N; ++j, from += S::kStride, to += N) {
      std::copy_n(from, N, lower_.data() + to);
    }
  }
  at_[index(column)] = start_.back();
  start_.push_back(static_cast<int>(row_.size()));
  if (by_row_.empty()) return;
  int& list = head_[index(by_row_.front().first)];
  next_[index(column)] = list;
  list = column;
}

/// Column after column, each less what the columns before it contribute.
template <int N>
[[gnu::always_inline]] inline bool IncompleteFactor::eliminate_anywhere(float shift) {
  using S = Small<N>;
  const int columns = static_cast<int>(sizes_.size());
  start_.assign(1, 0);
  row_.clear();
  square_.clear();
  lower_.clear();
  diagonal_.resize(index(columns) * S::kNumbers);
  head_.assign(index(columns), -1);
  next_.assign(index(columns), -1);
  at_.assign(index(columns), 0);
  slot_.assign(index(columns), -1);
  const auto slot = [this](int row) {
    int& s = slot_[index(row)];
    if (s < 0) {
      s = static_cast<int>(gathered_row_.size());
      gathered_row_.push_back(row);
      gathered_.resize(gathered_.size() + S::kNumbers, 0.0F);
    }
    return index(s) * S::kNumbers;
  };
  for (int c = 0; c < columns; ++c) {
    gathered_row_.clear();
    gathered_.clear();
    slot(c);
    for (int i = 0; i < N; ++i) gathered_[index(i * S::kStride + i)] = 1.0F + shift;
    for (auto k = index(first_source_[index(c)]); k < index(first_source_[index(c) + 1]); ++k) {
      const std::size_t to = slot(sources_[k].row);
      std::copy_n(scaled_.data() + k * S::kNumbers, S::kNumbers, gathered_.data() + to);
    }
    const std::size_t own_blocks = gathered_row_.size() - 1;
    for (int p = head_[index(c)]; p >= 0;) {
      const int following = next_[index(p)];
      const std::size_t first = index(at_[index(p)]);  // the block of column p in row c
      const std::size_t end = index(start_[index(p) + 1]);
      const float* const own = lower_.data() + first * S::kPacked;
      for (std::size_t q = first; q < end; ++q) {
        if (square_[q] * square_[first] < kNegligible * kNegligible) continue;
        const std::size_t to = slot(row_[q]);
        S::subtract_product(lower_.data() + q * S::kPacked, own, gathered_.data() + to);
      }
      if (first + 1 < end) {
        at_[index(p)] = static_cast<int>(first) + 1;
        int& list = head_[index(row_[first + 1])];
        next_[index(p)] = list;
        list = p;
      }
      p = following;
    }
    for (const int row : gathered_row_) slot_[index(row)] = -1;
    float* const T = diagonal_.data() + index(c) * S::kNumbers;
    if (!S::invert_root(gathered_.data(), T)) return false;
    for (std::size_t s = 1; s < gathered_row_.size(); ++s) {
      S::times_transposed(T, gathered_.data() + s * S::kNumbers);
    }
    keep_column<N>(c, own_blocks);
  }
  return true;
}

/// work_ ← L⁻ᵀ L⁻¹ work_.
template <int N>
[[gnu::always_inline]] inline void IncompleteFactor::substitute_anywhere() const {
  using S = Small<N>;
  using Vector = typename S::Vector;
  float* const x = work_.data();
  Vector v;
  Vector l;
  for (std::size_t c = 0; c < sizes_.size(); ++c) {
    float* const own = x + c * S::kStride;
    const float* T = diagonal_.data() + c * S::kNumbers;
    Vector sum = {};
    for (int k = 0; k < N; ++k, T += S::kStride) {
      S::load(T, l);
      sum += l * own[k];
    }
    S::store(own, sum);
    const float* L = lower_.data() + index(start_[c]) * S::kPacked;
    for (auto k = index(start_[c]); k < index(start_[c + 1]); ++k) {
      float* const other = x + index(row_[k]) * S::kStride;
      S::load(other, v);
      for (int p = 0; p < N; ++p, L += N) {
        S::load(L, l);
        v -= l * own[p];
      }
      S::store(other, v);
    }
  }
  std::array<Vector, N> sums;
  std::array<float, N> right;
  for (std::size_t c = sizes_.size(); c-- > 0;) {
    float* const own = x + c * S::kStride;
    sums.fill(Vector{});
    const float* L = lower_.data() + index(start_[c]) * S::kPacked;
    for (auto k = index(start_[c]); k < index(start_[c + 1]); ++k) {
      S::load(x + index(row_[k]) * S::kStride, v);
      for (std::size_t p = 0; p < N; ++p, L += N) {
        S::load(L, l);
        sums[p] += l * v;
      }
    }
    for (std::size_t p = 0; p < N; ++p) {
      float sum = 0.0F;
      for (int i = 0; i < N; ++i) sum += sums[p][i];
      right[p] = own[p] - sum;
    }
    const float* T = diagonal_.data() + c * S::kNumbers;
    for (std::size_t p = 0; p < N; ++p, T += S::kStride) {
      float sum = 0.0F;
      for (std::size_t i = p; i < N; ++i) sum += T[i] * right[i];
      own[p] = sum;
    }
  }
}

#if defined(__x86_64__)
template <int N>
[[gnu::target("avx2")]] bool IncompleteFactor::eliminate_avx2(float shift) {
  return eliminate_anywhere<N>(shift);
}
template <int N>
[[gnu::target("avx2")]] void IncompleteFactor::substitute_avx2() const {
  substitute_anywhere<N>();
}
#endif

template <int N>
bool IncompleteFactor::eliminate(float shift) {
#if defined(__x86_64__)
  if (kHasVectorsOfEight) return eliminate_avx2<N>(shift);
#endif
  return eliminate_anywhere<N>(shift);
}

template <int N>
void IncompleteFactor::substitute() const {
#if defined(__x86_64__)
  if (kHasVectorsOfEight) return substitute_avx2<N>();
#endif
  substitute_anywhere<N>();
}

bool IncompleteFactor::factorize(const BlockMatrix& matrix) {
  if (!(size_ == 3 ? scale<3>(matrix) : scale<6>(matrix))) return false;
  for (float shift = 0.0F; shift <= kLargestShift; shift = std::max(kFirstShift, 4.0F * shift)) {
    if (size_ == 3 ? eliminate<3>(shift) : eliminate<6>(shift)) return true;
  }
  return false;
}

void IncompleteFactor::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
  const double norm = b.norm();  // single precision has no room for very small or large numbers
  const double scale = 1.0 / norm;
  if (!(norm > 0.0) || !std::isfinite(scale)) {
    x.setZero(b.size());
    return;
  }
  x.resize(b.size());
  const std::size_t n = index(size_);
  const std::size_t stride = size_ == 3 ? Small<3>::kStride : Small<6>::kStride;
  work_.assign(sizes_.size() * stride, 0.0F);
  std::array<double, kLargest> v;
  for (std::size_t node = 0; node < sizes_.size(); ++node) {
    const std::size_t size = index(sizes_[node]);
    const double* const from = b.data() + first_unknown_[node];
    const double* R = root_.data() + node * n * n;
    float* const to = work_.data() + index(rank_[node]) * stride;
    for (std::size_t i = 0; i < size; ++i) v[i] = scale * from[i];
    for (std::size_t j = 0; j < size; ++j, R += n) {
      v[j] *= R[j];
      for (std::size_t i = j + 1; i < size; ++i) v[i] -= R[i] * v[j];
      to[j] = static_cast<float>(v[j]);
    }
  }
  size_ == 3 ? substitute<3>() : substitute<6>();
  for (std::size_t node = 0; node < sizes_.size(); ++node) {
    const std::size_t size = index(sizes_[node]);
    const float* const from = work_.data() + index(rank_[node]) * stride;
    double* const to = x.data() + first_unknown_[node];
    for (std::size_t j = size; j-- > 0;) {
      const double* const R = root_.data() + node * n * n + j * n;
      v[j] = from[j];
      for (std::size_t i = j + 1; i < size; ++i) v[j] -= R[i] * v[i];
      v[j] *= R[j];
      to[j] = norm * v[j];
    }
  }
}

}  // namespace collapse
