#pragma once
/// How deep bodies are in each other, of any shape, at the poses of a state: by the distances of all their convex parts
/// that are near each other. It knows nothing of the pairs, rows and planes by which a scheme keeps bodies apart. The
/// distance itself is the library's; tests compare it with separating axes (benchmarks/box_overlap.hpp).

#include <vector>

#include "collapse/contact/broad_phase.hpp"
#include "collapse/model/state.hpp"
#include "contact/apart.hpp"
#include "contact/space/convex_distance.hpp"

namespace collapse::benchmarks {

class OverlapJudge {
 public:
  /// Refers to the scene.
  explicit OverlapJudge(const Scene<3>& scene);

  struct Overlap {
    double share = 0.0;  ///< of the smaller body's size
    int a = 0;
    int b = 0;
  };

  /// Of all pairs that are to be kept apart and of which one at least is free.
  [[nodiscard]] Overlap deepest(const State<3>& state);

 private:
  /// A convex part in the world. A polyhedron refers to `vertices`.
  struct Part {
    int body = 0;
    std::vector<Vec<3>> vertices;
    contacts::ConvexSolid solid;
  };

  void place(const State<3>& state);
  void add(int body, std::vector<Vec<3>> vertices, const contacts::ConvexSolid& solid);
  [[nodiscard]] bool counts(int a, int b) const;

  const Scene<3>& scene_;
  contacts::PairsKeptApart<3> apart_;
  std::vector<double> sizes_;  ///< of the bodies
  std::vector<Part> parts_;
  std::vector<Bounds<3>> boxes_;  ///< of the parts
};

}  // namespace collapse::benchmarks
