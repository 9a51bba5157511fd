#pragma once

#include "contact/space/directions.hpp"
#include "contact/space/touching.hpp"

namespace collapse::contacts {

/// Contacts where the features alone leave more than one normal: edge along edge, vertex on edge, vertex on vertex,
/// all convex.
class CornerContacts {
 public:
  explicit CornerContacts(Touching& touching) : touching_(touching) {}

  /// Edge e of a along edge f of b, between two points of the former.
  void add_edge_along_edge(int e, int f, const Vec<3>& from, const Vec<3>& to);
  void find_vertices_on_edges();
  void find_vertices_on_vertices();
  /// Within the tolerance two corners may touch although no direction parts them: where this is all there is to
  /// hold the bodies apart, it counts.
  void add_inseparable();

 private:
  struct Place {
    Feature feature_a;
    Feature feature_b;
    Vec<3> point_a;
    Vec<3> point_b;
  };

  void find_vertices_on_edges(const Side& own, const Side& other);
  void examine(const Place& place);
  void add(const Place& place, const SeparatingDirections& directions, int end);
  void add_plain(const Place& place, const Vec<3>& normal, int end);

  Touching& touching_;
  std::vector<Place> inseparable_;
};

void find_edges_on_edges(Touching& touching, CornerContacts& corners);

}  // namespace collapse::contacts
