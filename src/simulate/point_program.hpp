#pragma once
/// The program of one step of the point model, at the level of positions or accelerations: rows, bounds, and how
/// well a solution fits.

#include <vector>

#include "collapse/solver/program.hpp"
#include "simulate/point_joints.hpp"
#include "simulate/point_rest.hpp"
#include "simulate/point_rows.hpp"
#include "simulate/point_scheme.hpp"

namespace collapse::simulate {

class PointProgram {
 public:
  /// Keeps a reference to the model. `touch` relative to the smaller face.
  PointProgram(const PointModel& model, std::vector<PointLink> links, SchemeKind level,
               const PointRules& rules, double touch);

  /// A new step of length h: finds the rows. `external`: accelerations of the free points without any.
  void begin(const PointMotion& motion, const std::vector<Vec<2>>& external, double h);
  /// With lengths and contacts as penalties: such a program always has a solution.
  [[nodiscard]] const Program& build(bool soft);

  /// The displacements that a solution stands for.
  void take(const Eigen::VectorXd& x, const Eigen::VectorXd& lambda);
  /// Less what does not count as motion.
  void hold(const PointRest& rest) { rest.hold(shift_); }
  /// Adds the rows of faces that overlap at the end of the step taken. False if there were none to add.
  bool add_missed_sides();
  /// The largest error of a length, of a side, or of one that carries force, relative to bar or face.
  [[nodiscard]] double misfit() const;
  /// Makes the rows exact at the displacements taken. With `turn` their directions too are those at the end:
  /// bars that come to lie in line have no others that could hold them.
  void correct(bool turn);
  /// As after `begin`, with rows that are exact at the start: lengths of redundant bars agree with each other
  /// there, whatever the velocities.
  void start_over();
  /// All points stay where they are.
  void stop();

  [[nodiscard]] bool fits() const {
    return rules_.bars == PointRule::fitted && rules_.sides == PointRule::fitted;
  }
  [[nodiscard]] const std::vector<Vec<2>>& shift() const { return shift_; }
  [[nodiscard]] double penetration() const;
  /// Forces at the sides that carry any, in the order of their rows.
  [[nodiscard]] std::vector<ContactForce<2>> forces() const;
  /// Work that points on given paths have done on the others through contacts.
  [[nodiscard]] double driven_work() const;

 private:
  /// Weight of lengths as a penalty, in units of mass over length squared: the paper's M.
  static constexpr double kPenalty = 100.0;

  /// A bar at the start of the step.
  struct BarRow {
    Vec<2> along = Vec<2>::Zero();  ///< r̂
    double length = 0.0;            ///< ‖r‖
  };

  [[nodiscard]] bool by_acceleration() const { return level_ == SchemeKind::acceleration; }
  [[nodiscard]] double bar_value(const std::vector<Vec<2>>& shift, std::size_t b) const;
  [[nodiscard]] double stretch(const std::vector<Vec<2>>& shift, std::size_t b) const;
  [[nodiscard]] double bar_bound(std::size_t b, const std::vector<Vec<2>>& anchor) const;
  [[nodiscard]] double side_bound(const SideRow& row, const std::vector<Vec<2>>& anchor) const;
  [[nodiscard]] double link_error(std::size_t link, const std::vector<Vec<2>>& shift) const;
  [[nodiscard]] double link_value(std::size_t link, const std::vector<Vec<2>>& shift) const;
  [[nodiscard]] double link_bound(std::size_t link, const std::vector<Vec<2>>& anchor) const;
  [[nodiscard]] double given_link_value(std::size_t link) const;
  void add_links(bool soft, Eigen::Index& row);
  [[nodiscard]] double given_value(const SideRow& row) const;
  [[nodiscard]] std::size_t first_side() const { return bars_.size() + links_.size(); }
  [[nodiscard]] double softness(int i, int j) const;
  [[nodiscard]] double side_force(std::size_t side) const;
  void set_bounds(const std::vector<Vec<2>>& anchor);
  void drop_sides_apart();
  [[nodiscard]] PointMotion moved() const;

  const PointModel& model_;
  std::vector<PointLink> links_;
  SchemeKind level_;
  PointRules rules_;
  double touch_;
  std::vector<int> block_;  ///< of each point, −1 if it is not free
  Program program_;

  PointMotion motion_;
  std::vector<Vec<2>> external_;
  double h_ = 0.0;
  std::vector<BarRow> bars_;
  std::vector<Vec<2>> link_along_;  ///< directions of the links' rows
  std::vector<SideRow> sides_;
  Eigen::VectorXd bounds_;
  std::vector<Vec<2>> shift_;  ///< first of the free motion, then of the solution
  Eigen::VectorXd lambda_;
};

}  // namespace collapse::simulate
