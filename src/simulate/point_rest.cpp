#include "simulate/point_rest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "simulate/scheme.hpp"

namespace collapse::simulate {
namespace {

/// Of the shortest bar or face: what is stopped must not spoil the fit of what goes on, which is judged at 1e-9.
constexpr double kHarmless = 1e-10;

int root_of(std::vector<int>& parents, int i) {
  while (parents[slot(i)] != i) i = parents[slot(i)] = parents[slot(parents[slot(i)])];
  return i;
}

}  // namespace

PointRest::PointRest(const PointModel& model) : shortest_(std::numeric_limits<double>::infinity()) {
  std::vector<int> parents(slot(model.points()));
  std::iota(parents.begin(), parents.end(), 0);
  for (const PointBar& bar : model.bars) {
    shortest_ = std::min(shortest_, bar.length);
    if (!model.is_free(bar.i) || !model.is_free(bar.j)) continue;
    parents[slot(root_of(parents, bar.i))] = root_of(parents, bar.j);
  }
  for (const PointFace& face : model.faces) {
    if (face.movable && !face.is_bare()) shortest_ = std::min(shortest_, face.size);
  }
  std::vector<int> piece_of(parents.size(), -1);
  for (int i = 0; i < model.points(); ++i) {
    if (!model.is_free(i)) continue;
    int& piece = piece_of[slot(root_of(parents, i))];
    if (piece < 0) {
      piece = static_cast<int>(pieces_.size());
      pieces_.emplace_back();
    }
    pieces_[slot(piece)].push_back(i);
  }
}

void PointRest::begin(const PointMotion& motion, double fall) {
  limit_ = std::min(kRestShare * 4.0 * fall, kHarmless * shortest_);
  at_rest_.clear();
  for (const std::vector<int>& piece : pieces_) {
    at_rest_.push_back(is_still(piece, motion.shift) ? 1 : 0);
  }
}

void PointRest::hold(std::vector<Vec<2>>& shift) const {
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (at_rest_[p] == 0 || !is_still(pieces_[p], shift)) continue;
    for (const int point : pieces_[p]) shift[slot(point)].setZero();
  }
}

bool PointRest::is_still(const std::vector<int>& piece, const std::vector<Vec<2>>& shift) const {
  return std::all_of(piece.begin(), piece.end(),
                     [&](int point) { return shift[slot(point)].norm() <= limit_; });
}

}  // namespace collapse::simulate
