#include "collapse/contact/broad_phase.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace collapse {
namespace {

constexpr int kLeafSize = 4;

/// A binary tree over the boxes, halved at the median centre along the direction in which the
/// centres spread most. A sweep along one axis would be quadratic for walls (every brick meets its
/// whole row or column on that axis); the tree costs n log n for them and lets a huge box spoil
/// only the nodes above it.
template <int Dim>
class BoxTree {
 public:
  explicit BoxTree(const std::vector<Bounds<Dim>>& boxes) : boxes_(boxes), order_(boxes.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    nodes_.reserve(boxes.size());
    if (!boxes.empty()) build(0, static_cast<int>(boxes.size()));
  }

  [[nodiscard]] std::vector<std::pair<int, int>> pairs() {
    if (!nodes_.empty()) pairs_within(0);
    std::sort(pairs_.begin(), pairs_.end());
    return std::move(pairs_);
  }

 private:
  struct Node {
    Bounds<Dim> bounds;
    int begin = 0;  ///< in order_
    int end = 0;
    int right = -1;  ///< the left child follows its parent; −1: a leaf
  };

  int build(int begin, int end) {
    const int index = static_cast<int>(nodes_.size());
    nodes_.push_back({box(begin), begin, end, -1});
    Vec<Dim> low = twice_centre(order_[static_cast<std::size_t>(begin)]);
    Vec<Dim> high = low;
    Bounds<Dim> bounds = box(begin);
    for (int i = begin + 1; i < end; ++i) {
      bounds.low = bounds.low.cwiseMin(box(i).low);
      bounds.high = bounds.high.cwiseMax(box(i).high);
      const Vec<Dim> centre = twice_centre(order_[static_cast<std::size_t>(i)]);
      low = low.cwiseMin(centre);
      high = high.cwiseMax(centre);
    }
    nodes_[static_cast<std::size_t>(index)].bounds = bounds;
    if (end - begin <= kLeafSize) return index;

    int axis = 0;
    (high - low).maxCoeff(&axis);
    const int middle = begin + (end - begin) / 2;
    // Ties by index: the tree does not depend on how nth_element treats equal keys.
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](int i, int j) {
                       const double x = twice_centre(i)[axis];
                       const double y = twice_centre(j)[axis];
                       return x < y || (x == y && i < j);
                     });
    build(begin, middle);
    const int right = build(middle, end);
    nodes_[static_cast<std::size_t>(index)].right = right;
    return index;
  }

  void pairs_within(int index) {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (node.right < 0) {
      for (int i = node.begin; i < node.end; ++i) {
        for (int j = i + 1; j < node.end; ++j) add_if_meeting(i, j);
      }
      return;
    }
    pairs_within(index + 1);
    pairs_within(node.right);
    pairs_between(index + 1, node.right);
  }

  void pairs_between(int first, int second) {
    const Node& a = nodes_[static_cast<std::size_t>(first)];
    const Node& b = nodes_[static_cast<std::size_t>(second)];
    if (!a.bounds.meets(b.bounds)) return;
    if (a.right < 0 && b.right < 0) {
      for (int i = a.begin; i < a.end; ++i) {
        if (!box(i).meets(b.bounds)) continue;
        for (int j = b.begin; j < b.end; ++j) add_if_meeting(i, j);
      }
    } else if (b.right < 0 || (a.right >= 0 && a.end - a.begin >= b.end - b.begin)) {
      pairs_between(first + 1, second);
      pairs_between(a.right, second);
    } else {
      pairs_between(first, second + 1);
      pairs_between(first, b.right);
    }
  }

  void add_if_meeting(int i, int j) {
    if (!box(i).meets(box(j))) return;
    pairs_.push_back(
        std::minmax(order_[static_cast<std::size_t>(i)], order_[static_cast<std::size_t>(j)]));
  }

  [[nodiscard]] const Bounds<Dim>& box(int i) const {
    return boxes_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
  }
  [[nodiscard]] Vec<Dim> twice_centre(int i) const {
    const Bounds<Dim>& bounds = boxes_[static_cast<std::size_t>(i)];
    return bounds.low + bounds.high;
  }

  const std::vector<Bounds<Dim>>& boxes_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace

template <int Dim>
std::vector<std::pair<int, int>> meeting_pairs(const std::vector<Bounds<Dim>>& boxes) {
  return BoxTree<Dim>(boxes).pairs();
}

template std::vector<std::pair<int, int>> meeting_pairs<2>(const std::vector<Bounds<2>>&);
template std::vector<std::pair<int, int>> meeting_pairs<3>(const std::vector<Bounds<3>>&);

}  // namespace collapse
