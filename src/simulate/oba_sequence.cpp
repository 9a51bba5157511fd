#include "simulate/oba_sequence.hpp"

#include <numeric>

#include "simulate/oba_strike.hpp"
#include "simulate/slot.hpp"

namespace collapse::simulate {
ObaSequence::ObaSequence(const World<3>& world, const ObaTouch& touch, const ObaBodies& bodies,
                         double h, const ObaSpeeds& speeds, ObaFreezer& freezer,
                         std::vector<Twist<3>>& velocities)
    : world_(world),
      touch_(touch),
      bodies_(bodies),
      h_(h),
      speeds_(speeds),
      freezer_(freezer),
      velocities_(velocities),
      first_(touch.poses.size() + 1, 0),
      contacts_of_(2 * touch.contacts.size()),
      speed_(touch.contacts.size()),
      heap_(touch.contacts.size()),
      where_(touch.contacts.size()) {
  for (const ObaContact& contact : touch.contacts) {
    ++first_[slot_of(contact.terms.a)];
    ++first_[slot_of(contact.terms.b)];
  }
  int total = 0;
  for (int& count : first_) count = (total += count) - count;
  std::vector<int> next = first_;
  for (std::size_t c = 0; c < touch.contacts.size(); ++c) {
    for (const int body : {touch.contacts[c].terms.a, touch.contacts[c].terms.b}) {
      contacts_of_[slot_of(next[slot_of(body)]++)] = static_cast<int>(c);
    }
    speed_[c] = approach(static_cast<int>(c));
  }
  std::iota(heap_.begin(), heap_.end(), 0);
  std::iota(where_.begin(), where_.end(), std::size_t{0});
  for (std::size_t i = heap_.size() / 2; i-- > 0;) sift_down(i);
}

bool ObaSequence::moves(int body) const {
  if (world_.block_of(body) < 0) {
    return !world_.scene().bodies[slot_of(body)].motion.empty();
  }
  return freezer_.frozen()[slot_of(body)] == 0;
}

double ObaSequence::approach(int contact) const {
  const ContactTerms<3>& terms = touch_.contacts[slot_of(contact)].terms;
  if (!moves(terms.a) && !moves(terms.b)) return 0.0;
  return terms.along_normal(velocities_);
}

/// Ties by number, so that the order does not depend on how the heap came about.
bool ObaSequence::before(int x, int y) const {
  const double speed_x = speed_[slot_of(x)];
  const double speed_y = speed_[slot_of(y)];
  return speed_x != speed_y ? speed_x < speed_y : x < y;
}

void ObaSequence::place(std::size_t position, int contact) {
  heap_[position] = contact;
  where_[slot_of(contact)] = position;
}

void ObaSequence::sift_up(std::size_t position) {
  const int contact = heap_[position];
  while (position > 0 && before(contact, heap_[(position - 1) / 2])) {
    place(position, heap_[(position - 1) / 2]);
    position = (position - 1) / 2;
  }
  place(position, contact);
}

void ObaSequence::sift_down(std::size_t position) {
  const int contact = heap_[position];
  for (;;) {
    std::size_t child = 2 * position + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
    if (!before(heap_[child], contact)) break;
    place(position, heap_[child]);
    position = child;
  }
  place(position, contact);
}

void ObaSequence::touch_changed(int body) {
  for (int k = first_[slot_of(body)]; k < first_[slot_of(body) + 1]; ++k) {
    const int contact = contacts_of_[slot_of(k)];
    speed_[slot_of(contact)] = approach(contact);
    sift_up(where_[slot_of(contact)]);
    sift_down(where_[slot_of(contact)]);
  }
}

void ObaSequence::strike(int contact, ObaImpulses& impulses) {
  const ObaContact& hit = touch_.contacts[slot_of(contact)];
  const ContactTerms<3>& terms = hit.terms;
  Eigen::Matrix<double, 6, 3> rows_a;
  Eigen::Matrix<double, 6, 3> rows_b;
  rows_a << terms.normal_a, terms.tangents_a;
  rows_b << terms.normal_b, terms.tangents_b;
  const Eigen::Matrix<double, 6, 3> give_a = bodies_.inverses[slot_of(terms.a)] * rows_a;
  const Eigen::Matrix<double, 6, 3> give_b = bodies_.inverses[slot_of(terms.b)] * rows_b;
  const Eigen::Matrix3d W = rows_a.transpose() * give_a + rows_b.transpose() * give_b;
  const Vec<3> u = motion_over(terms, velocities_);
  const Vec<3> impulse = strike_impulse(W, u, hit.mu, speeds_.bound(hit, u[0]));
  velocities_[slot_of(terms.a)] += give_a * impulse;
  velocities_[slot_of(terms.b)] += give_b * impulse;
  impulses[slot_of(contact)] += impulse[0] * terms.normal + terms.tangents * impulse.tail<2>();
  for (const int body : {terms.a, terms.b}) {
    const std::size_t i = slot_of(body);
    if (freezer_.frozen()[i] != 0 && freezer_.wakes(body, touch_.poses[i], velocities_[i], h_)) {
      freezer_.wake(body);
    }
    if (world_.block_of(body) >= 0) touch_changed(body);
  }
}

bool ObaSequence::run(int limit, ObaImpulses& impulses) {
  if (heap_.empty()) return true;
  for (int hit = 0; hit < limit; ++hit) {
    if (!(speed_[slot_of(heap_[0])] < -speeds_.collides)) return true;
    // Nothing that could give way: two bodies on given paths.
    const double speed = speed_[slot_of(heap_[0])];
    const int contact = heap_[0];
    strike(contact, impulses);
    if (!(speed_[slot_of(contact)] > speed)) return false;
  }
  return !(speed_[slot_of(heap_[0])] < -speeds_.collides);
}

}  // namespace collapse::simulate
