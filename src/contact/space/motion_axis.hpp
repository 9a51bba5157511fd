#pragma once
/// The plane that keeps two convex polyhedra apart during a step.

#include <limits>
#include <vector>

#include "contact/space/motion_solids.hpp"

namespace collapse::contacts {

/// A face of one of them, or the plane along an edge of each.
struct MotionAxis {
  enum class Kind { face_a, face_b, edges };
  Kind kind = Kind::face_a;
  int first = 0;                                            ///< the face, or a's edge
  int second = 0;                                           ///< b's edge
  Vec<3> normal = Vec<3>::Zero();                           ///< unit, from a to b, at the start
  double start = -std::numeric_limits<double>::infinity();  ///< gap along it
  double end = 0.0;
  double crossing = 0.0;  ///< share of the step at which it is crossed; 2: not at all
};

/// Looks for it: of all that separate the polyhedra at the start the one that the motion crosses last.
class AxisChoice {
 public:
  enum class Outcome { found, clear, hidden };

  /// `clear`: they stay farther apart than `reach`. `hidden`: only faces inside the bodies separate them, so that
  /// other pieces meet first.
  [[nodiscard]] Outcome choose(const MovingPiece& a, const MovingPiece& b, const RowLimits& limits);

  [[nodiscard]] const MotionAxis& best() const { return best_; }
  /// A corner beside a corner: several planes separate them, and the motion does not cross the best of them. Then it
  /// need not be kept to: a row for it might stand in the way of a motion across another.
  [[nodiscard]] bool several() const { return several_; }
  /// The largest gap at the end along any of the planes tried: where it is negative they may overlap there.
  [[nodiscard]] double at_end() const { return most_at_end_; }

 private:
  [[nodiscard]] bool try_faces(const MovingPiece& owner, const MovingPiece& other, bool of_b);
  [[nodiscard]] bool try_face(const MovingPiece& owner, int face, double start, double end,
                              bool of_b);
  [[nodiscard]] bool try_edges(const MovingPiece& a, const MovingPiece& b);
  [[nodiscard]] bool try_edge_pair(const MovingPiece& a, const MovingPiece& b, int e, int f);
  void judge(MotionAxis& axis);
  [[nodiscard]] bool better(const MotionAxis& x, const MotionAxis& y) const;

  RowLimits limits_;
  MotionAxis best_;
  MotionAxis deepest_;
  bool separated_ = false;
  bool seam_separates_ = false;
  bool several_ = false;
  double most_at_end_ = 0.0;
  std::vector<Vec<3>> standing_;  ///< normals of all that separate at the start
  std::vector<double> beside_a_;  ///< lines of a · normals of b, by lines
  std::vector<double> beside_b_;  ///< lines of b · normals of a, by lines
  std::vector<int> edges_a_;
  std::vector<int> edges_b_;
};

}  // namespace collapse::contacts
