#pragma once
/// Where the bodies of a page's frame are.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "collapse/geometry/continuous_turn.hpp"
#include "collapse/geometry/turn_counter.hpp"
#include "collapse/io/trajectory.hpp"
#include "io/page_header.hpp"
#include "io/page_numbers.hpp"
#include "io/page_stream.hpp"

namespace collapse {

template <int Dim>
class PagePoses {
 public:
  PagePoses(const Scene<Dim>& scene, const PageQuanta& quanta);

  /// All x of the moving bodies, then all y, …, then all angles (in space, all components of quaternions): numbers
  /// that are alike are side by side. In space also which bodies froze or thawed.
  void add(const Frame<Dim>& frame, PageBytes& bytes);

  /// Where points of a pair are measured from: the centre of b, or of a, as the page knows it. They move with it.
  [[nodiscard]] Vec<Dim> base_of(int a, int b) const;

 private:
  /// An angle, or a quaternion x, y, z, w.
  static constexpr int kTurns = Dim == 2 ? 1 : 4;

  void add_column(int column, const std::vector<std::int64_t>& values, PageBytes& bytes);
  void add_turns(const Frame<Dim>& frame, PageBytes& bytes);
  void add_frozen(const Frame<Dim>& frame, PageBytes& bytes);

  const Scene<Dim>& scene_;
  PageQuanta quanta_;
  std::vector<int> moving_;
  std::vector<int> place_of_;  ///< by body: where it is in moving_, −1 if it is not
  std::vector<std::conditional_t<Dim == 2, TurnCounter, ContinuousTurn>> turns_;
  std::vector<SmoothNumber> coordinates_;
  std::vector<std::uint8_t> frozen_;  ///< of the moving bodies, in the frame before
};

extern template class PagePoses<2>;
extern template class PagePoses<3>;

}  // namespace collapse
