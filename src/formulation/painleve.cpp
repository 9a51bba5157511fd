#include "formulation/painleve.hpp"

#include <Eigen/QR>

namespace collapse {
namespace {

/// Rows that hold: how motion is measured, and what a force does to it (M⁻¹ applied already).
template <int Dim>
class HoldingRows {
 public:
  explicit HoldingRows(const Moment<Dim>& moment)
      : moment_(moment), program_(moment.program()), variables_(program_.variables()) {
    for (const Program::Block& block : program_.blocks()) {
      inverse_mass_.push_back(program_.mass(block).inverse());
    }
  }

  [[nodiscard]] Eigen::VectorXd contact_row(std::size_t contact, const Vec<Dim>& direction) const {
    const Contact<Dim>& at = moment_.contacts[contact];
    Eigen::VectorXd row = Eigen::VectorXd::Zero(variables_);
    add(row, at.id.a, -wrench_of<Dim>(lever(at.id.a, at.point), direction));
    add(row, at.id.b, wrench_of<Dim>(lever(at.id.b, at.point), direction));
    return row;
  }

  [[nodiscard]] Eigen::VectorXd response(const Eigen::VectorXd& force) const {
    Eigen::VectorXd out(variables_);
    for (std::size_t i = 0; i < inverse_mass_.size(); ++i) {
      const Program::Block& block = program_.blocks()[i];
      out.segment(block.first, block.size) =
          inverse_mass_[i] * force.segment(block.first, block.size);
    }
    return out;
  }

  void hold(const Eigen::VectorXd& row, const Eigen::VectorXd& force, std::size_t contact) {
    rows_.push_back(row);
    responses_.push_back(response(force));
    contact_.push_back(contact);
  }

  void hold_joints() {
    for (const Program::Group& group : program_.groups()) {
      if (group.cone != Cone::zero) continue;
      Eigen::VectorXd row = Eigen::VectorXd::Zero(variables_);
      for (const Program::Term& term : program_.terms(group)) {
        const Program::Block& block = program_.blocks()[static_cast<std::size_t>(term.block)];
        row.segment(block.first, block.size) = program_.coefficients(group, term).transpose();
      }
      hold(row, row, moment_.contacts.size());
    }
  }

  /// How row·acceleration answers to a force at a contact, all other held rows staying as they are.
  [[nodiscard]] double answer(std::size_t contact, const Eigen::VectorXd& row,
                              const Eigen::VectorXd& force, bool alone) const {
    Eigen::VectorXd acceleration = response(force);
    std::vector<std::size_t> others;
    for (std::size_t k = 0; k < rows_.size() && !alone; ++k) {
      if (contact_[k] != contact) others.push_back(k);
    }
    const auto count = static_cast<Eigen::Index>(others.size());
    if (count == 0) return row.dot(acceleration);
    Eigen::MatrixXd G(count, variables_);
    Eigen::MatrixXd H(variables_, count);
    for (Eigen::Index k = 0; k < count; ++k) {
      G.row(k) = rows_[others[static_cast<std::size_t>(k)]].transpose();
      H.col(k) = responses_[others[static_cast<std::size_t>(k)]];
    }
    const Eigen::VectorXd lambda =
        Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(G * H).solve(-(G * acceleration));
    acceleration += H * lambda;
    return row.dot(acceleration);
  }

  [[nodiscard]] double size() const { return static_cast<double>(rows_.size()); }

 private:
  [[nodiscard]] Vec<Dim> lever(int body, const Vec<Dim>& point) const {
    return point - moment_.free.centres[static_cast<std::size_t>(body)];
  }
  void add(Eigen::VectorXd& row, int body, const Twist<Dim>& wrench) const {
    const int block = moment_.free.block_of(body);
    if (block >= 0) row.template segment<kDofs<Dim>>(block * kDofs<Dim>) = wrench;
  }

  const Moment<Dim>& moment_;
  Program program_;
  Eigen::Index variables_;
  std::vector<Eigen::MatrixXd> inverse_mass_;
  std::vector<Eigen::VectorXd> rows_;
  std::vector<Eigen::VectorXd> responses_;
  std::vector<std::size_t> contact_;
};

/// Answers within rounding of nothing, against those of the contact alone without friction.
constexpr double kNoAnswer = 1e-9;
/// Multiplications that are worth the search.
constexpr double kWork = 2e10;
/// Contacts that carry less than this share of the largest force do not hold.
constexpr double kCarries = 1e-9;

}  // namespace

template <int Dim>
std::optional<std::size_t> find_paradox(const Moment<Dim>& moment, const Accelerated<Dim>& motion,
                                        double zero) {
  std::vector<std::size_t> sliding;
  double largest = 0.0;
  for (std::size_t c = 0; c < moment.contacts.size(); ++c) {
    if (moment.slides(c)) sliding.push_back(c);
    largest = std::max(largest, motion.forces.contacts[c].norm());
  }
  if (sliding.empty()) return std::nullopt;
  HoldingRows<Dim> rows(moment);
  for (std::size_t c = 0; c < moment.contacts.size(); ++c) {
    const Contact<Dim>& contact = moment.contacts[c];
    const ContactTerm<Dim>& term = moment.terms.contacts[c];
    if (!(motion.forces.contacts[c].norm() > kCarries * largest)) continue;
    const Vec<Dim> relative = moment.relative_acceleration(c, motion.x);
    const Vec<Dim> across = relative - contact.normal.dot(relative) * contact.normal;
    const Eigen::VectorXd normal = rows.contact_row(c, contact.normal);
    if (term.rows == ContactRows::normal) {
      rows.hold(normal, rows.contact_row(c, contact.normal + term.drag), c);
    } else if (across.norm() > zero) {
      const Vec<Dim> drag = -contact.friction * across.normalized();
      rows.hold(normal, rows.contact_row(c, contact.normal + drag), c);
    } else {
      rows.hold(normal, normal, c);
      const auto tangents = tangents_of<Dim>(contact.normal);
      for (int j = 0; j < Dim - 1; ++j) {
        const Eigen::VectorXd row = rows.contact_row(c, tangents.col(j));
        rows.hold(row, row, c);
      }
    }
  }
  rows.hold_joints();
  const bool alone =
      rows.size() * rows.size() * rows.size() * static_cast<double>(sliding.size()) > kWork;
  for (const std::size_t c : sliding) {
    const Contact<Dim>& contact = moment.contacts[c];
    const Eigen::VectorXd normal = rows.contact_row(c, contact.normal);
    const Eigen::VectorXd force =
        rows.contact_row(c, contact.normal + moment.terms.contacts[c].drag);
    const double usual = normal.dot(rows.response(normal));
    if (rows.answer(c, normal, force, alone) < -kNoAnswer * usual) return c;
  }
  return std::nullopt;
}

template std::optional<std::size_t> find_paradox(const Moment<2>&, const Accelerated<2>&, double);
template std::optional<std::size_t> find_paradox(const Moment<3>&, const Accelerated<3>&, double);

}  // namespace collapse
