#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse {

/// An axis-aligned box around points given in doubles. Rounding keeps order, so boxes that are disjoint hold exact
/// points that are.
struct SpaceBox {
  Vec<3> low;
  Vec<3> high;

  explicit SpaceBox(const Vec<3>& point) : low(point), high(point) {}
  void include(const Vec<3>& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  void include(const SpaceBox& box) {
    low = low.cwiseMin(box.low);
    high = high.cwiseMax(box.high);
  }
  [[nodiscard]] bool meets(const SpaceBox& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

/// Finds the boxes that meet a given one: halves along the longest side, halves of those, and so on.
class BoxTree {
 public:
  explicit BoxTree(std::vector<SpaceBox> boxes) : boxes_(std::move(boxes)) {
    order_.resize(boxes_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<int>(i);
    if (!boxes_.empty()) build(0, order_.size());
  }

  [[nodiscard]] const SpaceBox& box(int i) const { return boxes_[static_cast<std::size_t>(i)]; }

  /// Calls visit(i) for all boxes for which `meets` holds, until it returns false. `meets` must hold for a box that
  /// contains one for which it does.
  template <class Meets, class Visit>
  void visit_where(const Meets& meets, const Visit& visit) const {
    std::vector<std::size_t> open;
    if (!nodes_.empty()) open.push_back(0);
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      const Node& node = nodes_[at];
      if (!meets(node.box)) continue;
      if (node.second != 0) {
        open.push_back(node.second);
        open.push_back(at + 1);
        continue;
      }
      for (std::size_t i = node.begin; i < node.end; ++i) {
        if (meets(box(order_[i])) && !visit(order_[i])) return;
      }
    }
  }

 private:
  struct Node {
    SpaceBox box;
    std::size_t begin;
    std::size_t end;
    std::size_t second = 0;  ///< child; the first follows its parent; 0 for a leaf
  };

  void build(std::size_t begin, std::size_t end) {
    constexpr std::size_t kLeaf = 4;
    const std::size_t at = nodes_.size();
    SpaceBox around = box(order_[begin]);
    for (std::size_t i = begin + 1; i < end; ++i) around.include(box(order_[i]));
    nodes_.push_back({around, begin, end});
    if (end - begin <= kLeaf) return;
    Eigen::Index axis = 0;
    (around.high - around.low).maxCoeff(&axis);
    const std::size_t middle = begin + (end - begin) / 2;
    const auto from = [&](std::size_t i) {
      return order_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::nth_element(from(begin), from(middle), from(end), [&](int i, int j) {
      const double x = box(i).low[axis] / 2 + box(i).high[axis] / 2;
      const double y = box(j).low[axis] / 2 + box(j).high[axis] / 2;
      return x != y ? x < y : i < j;
    });
    build(begin, middle);
    nodes_[at].second = nodes_.size();
    build(middle, end);
  }

  std::vector<SpaceBox> boxes_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace collapse
