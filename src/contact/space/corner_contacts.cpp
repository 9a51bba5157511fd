#include "contact/space/corner_contacts.hpp"

#include <algorithm>
#include <numbers>

namespace collapse::contacts {

void CornerContacts::add_edge_along_edge(int e, int f, const Vec<3>& from, const Vec<3>& to) {
  const Side& a = touching_.a;
  const Side& b = touching_.b;
  const Feature feature_a = edge_feature(e);
  const Feature feature_b = edge_feature(f);
  if (touching_.covered(feature_a, feature_b, from) &&
      touching_.covered(feature_a, feature_b, to)) {
    return;
  }
  // Both edges have the direction of the longer one, which knows it best.
  const Vec<3>& direction =
      b.edge(f).length > a.edge(e).length ? b.edge(f).direction : a.edge(e).direction;
  const auto across = [&](const Vec<3>& into) {
    return (into - direction.dot(into) * direction).normalized();
  };
  const SeparatingDirections directions(
      {direction, -direction, across(a.into_left(e)), across(a.into_right(e)),
       across(-b.into_left(f)), across(-b.into_right(f))},
      touching_.pair.angle);
  const auto place = [&](const Vec<3>& at) {
    const Vec<3> offset = at - b.start(f);
    const Vec<3>& along = b.edge(f).direction;
    return Place{feature_a, feature_b, at, b.start(f) + along.dot(offset) * along};
  };
  const std::array<Place, 2> ends{place(from), place(to)};
  if (directions.extremes().empty()) {
    inseparable_.insert(inseparable_.end(), ends.begin(), ends.end());
    return;
  }
  for (const Place& end : ends) {
    if (directions.support(end.point_b - end.point_a) > touching_.tolerance) return;
  }
  add(ends[0], directions, 0);
  add(ends[1], directions, 1);
  touching_.segments.push_back({feature_a, feature_b, from, to});
}

void CornerContacts::find_vertices_on_edges() {
  find_vertices_on_edges(touching_.a, touching_.b);
  find_vertices_on_edges(touching_.b, touching_.a);
}

void CornerContacts::find_vertices_on_edges(const Side& own, const Side& other) {
  const double tolerance = touching_.tolerance;
  for (const int v : own.vertices) {
    if (!own.convex_vertex(v)) continue;
    const Vec<3>& at = own.point(v);
    const Bounds<3> region = Bounds<3>{at, at}.grown(2.0 * tolerance);
    for (const int e : other.edges) {
      const PlacedEdge& edge = other.edge(e);
      if (!other.convex_edge(e) || !region.meets(edge.bounds)) continue;
      const Vec<3> offset = at - other.start(e);
      const double along = edge.direction.dot(offset);
      if (along <= tolerance || along >= edge.length - tolerance) continue;
      const Vec<3> foot = other.start(e) + along * edge.direction;
      // As far apart in height as sideways.
      if ((at - foot).norm() > std::numbers::sqrt2 * tolerance) continue;
      if (&own == &touching_.a) {
        examine({vertex_feature(v), edge_feature(e), at, foot});
      } else {
        examine({edge_feature(e), vertex_feature(v), foot, at});
      }
    }
  }
}

void CornerContacts::find_vertices_on_vertices() {
  const Side& a = touching_.a;
  const Side& b = touching_.b;
  for (const int v : a.vertices) {
    for (const int w : b.vertices) {
      // A tolerance in every direction.
      if ((b.point(w) - a.point(v)).norm() > std::numbers::sqrt3 * touching_.tolerance) continue;
      if (!a.convex_vertex(v) || !b.convex_vertex(w)) continue;
      examine({vertex_feature(v), vertex_feature(w), a.point(v), b.point(w)});
    }
  }
}

void CornerContacts::examine(const Place& place) {
  if (touching_.covered(place.feature_a, place.feature_b, place.point_a)) return;
  std::vector<Vec<3>> into;
  touching_.a.add_tangents(place.feature_a, 1.0, into);
  touching_.b.add_tangents(place.feature_b, -1.0, into);
  const SeparatingDirections directions(std::move(into), touching_.pair.angle);
  if (directions.extremes().empty()) {
    inseparable_.push_back(place);
  } else if (directions.support(place.point_b - place.point_a) <= touching_.tolerance) {
    add(place, directions, 0);
  }
}

void CornerContacts::add(const Place& place, const SeparatingDirections& directions, int end) {
  if (directions.single()) {
    add_plain(place, directions.extremes()[0], end);
    return;
  }
  const Vec<3> offset = place.point_b - place.point_a;
  touching_.pair.add_corner(touching_.b.id, place.feature_b, place.feature_a,
                            place.point_a + 0.5 * offset, directions.extremes(),
                            directions.support(offset), end);
}

void CornerContacts::add_plain(const Place& place, const Vec<3>& normal, int end) {
  const Vec<3> offset = place.point_b - place.point_a;
  const double gap = normal.dot(offset);
  touching_.pair.add(touching_.b.id, place.feature_b, place.feature_a,
                     place.point_a + 0.5 * offset - 0.5 * gap * normal, normal, gap, false, end);
}

void CornerContacts::add_inseparable() {
  if (inseparable_.empty()) return;
  const Place& place = inseparable_.front();
  const Vec<3> out = touching_.a.out_of(place.feature_a).normalized() -
                     touching_.b.out_of(place.feature_b).normalized();
  add_plain(place, out.normalized(), 0);
}

}  // namespace collapse::contacts
