#pragma once
/// The forces of a page's frames: one resultant for each touching pair, and the contacts that open and close.

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "io/page_poses.hpp"

namespace collapse {

template <int Dim>
class PageForces {
 public:
  explicit PageForces(const PageQuanta& quanta) : quanta_(quanta) {}

  /// After the frame's poses: points of pairs are relative to these.
  void add(const Frame<Dim>& frame, const PagePoses<Dim>& poses, PageBytes& bytes);

 private:
  /// Where a force acts, how large it is, where it points: in the plane by an angle, in space by two numbers.
  static constexpr int kNumbers = Dim == 2 ? 4 : 6;
  using Numbers = std::array<std::int64_t, kNumbers>;

  /// All that one body exerts on another.
  struct Resultant {
    Vec<Dim> force = Vec<Dim>::Zero();
    Vec<Dim> moment = Vec<Dim>::Zero();  ///< of points, weighted
    double weight = 0.0;
  };
  using Resultants = std::map<std::size_t, Resultant>;  ///< by number of the pair

  void add_resultants(const Frame<Dim>& frame, const PagePoses<Dim>& poses, PageBytes& bytes);
  void write(const Resultants& resultants, const PagePoses<Dim>& poses, PageBytes& bytes);
  [[nodiscard]] Numbers numbers_of(std::size_t pair, const Resultant& sum,
                                   const PagePoses<Dim>& poses) const;
  void add_changes(const Frame<Dim>& frame, PageBytes& bytes);

  PageQuanta quanta_;
  std::map<std::pair<int, int>, std::size_t> pairs_;  ///< numbered as they first touch
  std::vector<std::pair<int, int>> names_;            ///< of the pairs, by number
  std::vector<Numbers> last_;                         ///< by pair
  std::vector<ContactForce<Dim>> previous_;
};

extern template class PageForces<2>;
extern template class PageForces<3>;

}  // namespace collapse
