#include "formulation/participants.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "collapse/core/error.hpp"

namespace collapse {
namespace {

template <int Dim>
ContactTerm<Dim> term_of(const Contact<Dim>& contact, const Vec<Dim>& beta, FrictionLaw law) {
  ContactTerm<Dim> term;
  term.beta = beta;
  if (contact.friction == 0.0) {
    term.rows = ContactRows::normal;
  } else if (law == FrictionLaw::coulomb) {
    term.rows = ContactRows::cone;
  }
  return term;
}

template <int Dim>
class Sorter {
 public:
  Sorter(const Scene<Dim>& scene, const State<Dim>& state, FrictionLaw law, double tolerance)
      : scene_(scene), state_(state), law_(law), tolerance_(tolerance) {}

  Participants<Dim> sort(const ContactSet<Dim>& set) {
    for (const Contact<Dim>& contact : set.contacts) add(contact);
    for (const CornerContact<Dim>& corner : set.corners) add(corner);
    for (const Joint<Dim>& joint : scene_.joints) add(joint);
    return std::move(out_);
  }

 private:
  void add(const Contact<Dim>& contact) {
    const std::optional<Facing<Dim>> facing = facing_of(scene_, state_, contact, tolerance_);
    if (!facing) {
      out_.parting.push_back(contact);
      return;
    }
    const ContactMotion<Dim> motion = contact_motion(scene_, state_, contact, *facing);
    const double zero = tolerance_ * motion.speed;
    const double normal = contact.normal.dot(motion.velocity);
    if (normal > zero) {
      out_.parting.push_back(contact);
      return;
    }
    if (normal < -zero) {
      refuse(contact.id, -normal);
      return;
    }
    const Vec<Dim> across = motion.velocity - normal * contact.normal;
    ContactTerm<Dim> term = term_of(contact, motion.beta, law_);
    if (contact.friction > 0.0 && across.norm() > zero) {
      if (law_ == FrictionLaw::associated) {
        refuse_sliding(contact.id);
        return;
      }
      term.rows = ContactRows::normal;
      term.drag = -contact.friction * across.normalized();
    }
    out_.contacts.push_back(contact);
    out_.terms.contacts.push_back(term);
    out_.largest_beta = std::max(out_.largest_beta, motion.beta.norm());
  }

  /// Moving along one of its sides a corner has a normal like any other contact.
  void add(const CornerContact<Dim>& corner) {
    std::size_t best = 0;
    double most = 0.0;
    double zero = 0.0;
    CornerContact<Dim> kept = corner;
    kept.normals.clear();
    for (std::size_t side = 0; side < corner.normals.size(); ++side) {
      const Contact<Dim> contact = along_normal(corner, side);
      const ContactMotion<Dim> motion =
          contact_motion(scene_, state_, contact, plain_facing(contact));
      const double normal = contact.normal.dot(motion.velocity);
      zero = tolerance_ * motion.speed;
      if (side == 0 || normal > most) {
        best = side;
        most = normal;
      }
      if (normal >= -zero) kept.normals.push_back(contact.normal);
    }
    if (most < -zero) {
      refuse(corner.id, -most);
    } else if (most > zero) {
      out_.parting.push_back(along_normal(corner, best));
    } else if (kept.normals.size() == 1) {
      add(along_normal(corner, best));
    } else {
      out_.corners.push_back(std::move(kept));
    }
  }

  void add(const Joint<Dim>& joint) {
    const JointMotion<Dim> motion = joint_motion(scene_, state_, joint);
    if (motion.velocity.cwiseAbs().maxCoeff() > tolerance_ * motion.speed && out_.fault.empty()) {
      out_.fault = fmt::format(
          "the joint of \"{}\" and \"{}\" does not allow the velocities that these have",
          printable(scene_.body_name(joint.a)), printable(scene_.body_name(joint.b)));
    }
    out_.largest_beta = std::max(out_.largest_beta, motion.gamma.norm());
    out_.terms.joints.push_back(motion.gamma);
  }

  void refuse(const ContactId& id, double speed) {
    if (!out_.fault.empty()) return;
    out_.fault = fmt::format(
        "{} collides, with a speed of {:.4g}: an onset is that of the state after the impact",
        pair_name(scene_, id), speed);
  }

  void refuse_sliding(const ContactId& id) {
    if (!out_.fault.empty()) return;
    out_.fault = fmt::format(
        "{} slides without lifting, which the associated law does not know: use Coulomb's",
        pair_name(scene_, id));
  }

  const Scene<Dim>& scene_;
  const State<Dim>& state_;
  FrictionLaw law_;
  double tolerance_;
  Participants<Dim> out_;
};

}  // namespace

template <int Dim>
Participants<Dim> participants_of(const Scene<Dim>& scene, const State<Dim>& state,
                                  const ContactSet<Dim>& set, FrictionLaw law, double tolerance) {
  return Sorter<Dim>(scene, state, law, tolerance).sort(set);
}

template <int Dim>
ContactTerm<Dim> term_at_rest(const Scene<Dim>& scene, const State<Dim>& state,
                              const Contact<Dim>& contact, FrictionLaw law) {
  // Without relative velocity it does not matter whose line or plane it is.
  const Facing<Dim> facing = plain_facing(contact);
  return term_of<Dim>(contact, contact_motion(scene, state, contact, facing).beta, law);
}

template <int Dim>
std::string pair_name(const Scene<Dim>& scene, const ContactId& id) {
  return fmt::format("\"{}\" on \"{}\"", printable(scene.body_name(id.b)),
                     printable(scene.body_name(id.a)));
}

template struct Participants<2>;
template Participants<2> participants_of(const Scene<2>&, const State<2>&, const ContactSet<2>&,
                                         FrictionLaw, double);
template ContactTerm<2> term_at_rest(const Scene<2>&, const State<2>&, const Contact<2>&,
                                     FrictionLaw);
template std::string pair_name(const Scene<2>&, const ContactId&);
template struct Participants<3>;
template Participants<3> participants_of(const Scene<3>&, const State<3>&, const ContactSet<3>&,
                                         FrictionLaw, double);
template ContactTerm<3> term_at_rest(const Scene<3>&, const State<3>&, const Contact<3>&,
                                     FrictionLaw);
template std::string pair_name(const Scene<3>&, const ContactId&);

}  // namespace collapse
