#pragma once
/// Frameworks for tests, in few words.

#include <string>
#include <utility>
#include <vector>

#include "collapse/model/scene.hpp"

namespace collapse::testing {

/// Without bodies. Gravity is (0, −10) unless changed.
class FrameworkScene {
 public:
  FrameworkScene() {
    scene_.gravity = NumberVec<2>(ExactVec<2>(Rational(0), Rational(-10)));
    scene_.materials.resize(1);
  }

  int point(const Vec<2>& position, const Vec<2>& velocity = Vec<2>::Zero(), double mass = 1.0) {
    FrameworkPoint<2> point;
    point.name = "p" + std::to_string(scene_.framework.points.size());
    point.position = exactly(position);
    point.velocity = exactly(velocity);
    point.mass = Number(Rational(mass));
    scene_.framework.points.push_back(std::move(point));
    return static_cast<int>(scene_.framework.points.size()) - 1;
  }
  int peg(const Vec<2>& position) {
    const int number = point(position);
    scene_.framework.points.back().fixed = true;
    return number;
  }
  void bar(int p, int q) { scene_.framework.bars.emplace_back(p, q); }
  /// Counter-clockwise; with bars around it and from its first corner, so that it is rigid.
  void plate(const std::vector<int>& corners) {
    const std::size_t n = corners.size();
    for (std::size_t i = 0; i < n; ++i) bar(corners[i], corners[(i + 1) % n]);
    for (std::size_t i = 2; i + 1 < n; ++i) bar(corners[0], corners[i]);
    scene_.framework.faces.push_back(corners);
  }
  void gravity(const Vec<2>& g) { scene_.gravity = exactly(g); }
  /// The half plane y ≤ 0.
  void ground() {
    Body<2> body;
    body.name = "ground";
    body.fixed = true;
    body.shape = make_half_plane(ExactVec<2>(Rational(0), Rational(1)), Rational(0));
    scene_.bodies.push_back(std::move(body));
  }

  [[nodiscard]] const Scene<2>& scene() const { return scene_; }

 private:
  static NumberVec<2> exactly(const Vec<2>& v) {
    return NumberVec<2>(ExactVec<2>(Rational(v.x()), Rational(v.y())));
  }

  Scene<2> scene_;
};

}  // namespace collapse::testing
