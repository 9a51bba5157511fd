#include "contact/space/convex_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/space/separating_axes.hpp"
#include "contact/space/simplex.hpp"
#include "contact/space/support.hpp"

namespace collapse::contacts {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// Relative to the size: closer cores count as touching, and separating axes decide. The direction between closest
/// points would lose too many digits.
constexpr double kClose = 1e-8;
/// Relative to the size: rounding alone.
constexpr double kNothing = 1e-16;
/// The search for the closest points ends when the distance is known to this, relative to itself; polyhedra end
/// before because they have only so many vertices.
constexpr double kDistanceGap = 1e-14;
constexpr int kMaxRounds = 200;
/// Relative to the size: a search that began with the last closest points and knows the distance no better than this
/// has led nowhere.
constexpr double kStalled = 1e-8;
/// Relative to the size: closest points and what the normal proves agree.
constexpr double kSettled = 1e-14;
/// Closest points of a smooth solid are approached only step by step, and closer than this, relative to the radius of
/// a cylinder, the direction between them would not be known well enough: then a shift by as much helps.
constexpr double kCylinderShift = 0.05;
/// Faces are tried as the normal of the closest points if the cosine between is above this.
constexpr double kAlmostNormal = 0.999;

using Core = ConvexSolid::Core;

/// The closest points of two cores by Gilbert, Johnson and Keerthi: closest point of a simplex, farthest vertex
/// against it, and again.
class ClosestPoints {
 public:
  ClosestPoints(const ConvexSolid& a, const ConvexSolid& b, const Vec<3>& shift_b,
                WitnessCache& cache)
      : a_(a), b_(b), shift_b_(shift_b), cache_(cache) {}

  /// Ends early once the distance is sure to be above `reach`; `beyond()` then is a lower bound.
  void run(double reach) {
    start();
    double square = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kMaxRounds; ++round) {
      const SimplexPoint next = closest_to_origin(simplex_);
      const double next_square = next.at.squaredNorm();
      // Rounding has nothing left to gain.
      if (!(next_square < square)) break;
      keep(next);
      square = next_square;
      if (next.inside || square <= kNothing * kNothing * size_square_) break;
      const double distance = std::sqrt(square);
      const SupportPoint pa = farthest(a_, closest_.at, cache_.last_a);
      const SupportPoint pb = farthest(b_, -closest_.at, cache_.last_b);
      cache_.last_a = pa.number;
      cache_.last_b = pb.number;
      const Vec<3> w = difference(pa.at, pb.at);
      const double gap = square - closest_.at.dot(w);
      if (distance - gap / distance > lower_) {
        lower_ = distance - gap / distance;
        normal_ = closest_.at / distance;
      }
      if (lower_ > reach) break;
      if (gap <= kDistanceGap * square + 2.0 * kEpsilon * distance * std::sqrt(size_square_)) break;
      if (known(pa.number, pb.number)) break;
      add(pa, pb, w);
    }
    remember();
  }

  [[nodiscard]] bool touching() const {
    return closest_.inside || closest_.at.squaredNorm() <= kClose * kClose * size_square_;
  }
  /// Whether it began with vertices of the last search and got stuck there: they may have come to lie on a line.
  [[nodiscard]] bool stalled(double reach) const {
    return warm_ && !touching() && lower_ <= reach &&
           closest_.at.norm() - lower_ > kStalled * size();
  }
  [[nodiscard]] double beyond() const { return lower_; }
  [[nodiscard]] const Vec<3>& at() const { return closest_.at; }
  /// The direction that proves `beyond()`.
  [[nodiscard]] const Vec<3>& normal() const { return normal_; }
  [[nodiscard]] double size() const { return std::sqrt(size_square_); }
  [[nodiscard]] Vec<3> point_a() const { return combined(points_a_); }
  [[nodiscard]] Vec<3> point_b() const { return combined(points_b_); }
  [[nodiscard]] int count() const { return simplex_.count; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  [[nodiscard]] Vec<3> difference(const Vec<3>& at_a, const Vec<3>& at_b) const {
    return (at_b - at_a) + shift_b_;
  }

  static bool numbered(const ConvexSolid& solid) { return solid.core != Core::cylinder; }

  static Vec<3> core_point(const ConvexSolid& solid, int number) {
    return solid.core == Core::polyhedron ? solid.vertices[index(number)]
                                          : solid.ends[index(number)];
  }

  void start() {
    warm_ = cache_.count > 0 && numbered(a_) && numbered(b_);
    if (warm_) {
      for (int i = 0; i < cache_.count; ++i) {
        const SupportPoint pa{core_point(a_, cache_.a[index(i)]), cache_.a[index(i)]};
        const SupportPoint pb{core_point(b_, cache_.b[index(i)]), cache_.b[index(i)]};
        add(pa, pb, difference(pa.at, pb.at));
      }
      return;
    }
    Vec<3> direction = cache_.normal;
    if (direction.isZero()) direction = difference(middle(a_), middle(b_));
    if (direction.isZero()) direction = Vec<3>::UnitX();
    const SupportPoint pa = farthest(a_, direction, std::max(0, cache_.last_a));
    const SupportPoint pb = farthest(b_, -direction, std::max(0, cache_.last_b));
    cache_.last_a = pa.number;
    cache_.last_b = pb.number;
    add(pa, pb, difference(pa.at, pb.at));
  }

  /// Some point inside.
  static Vec<3> middle(const ConvexSolid& solid) {
    if (solid.core == Core::polyhedron) {
      return 0.5 * (solid.vertices.front() + solid.vertices.back());
    }
    return solid.core == Core::segment ? Vec<3>(0.5 * (solid.ends[0] + solid.ends[1]))
                                       : solid.ends[0];
  }

  [[nodiscard]] bool known(int number_a, int number_b) const {
    if (number_a < 0 || number_b < 0) return false;
    for (int i = 0; i < simplex_.count; ++i) {
      if (numbers_a_[index(i)] == number_a && numbers_b_[index(i)] == number_b) return true;
    }
    return false;
  }

  void add(const SupportPoint& pa, const SupportPoint& pb, const Vec<3>& w) {
    const std::size_t i = index(simplex_.count++);
    simplex_.points[i] = w;
    points_a_[i] = pa.at;
    points_b_[i] = pb.at;
    numbers_a_[i] = pa.number;
    numbers_b_[i] = pb.number;
    size_square_ = std::max(size_square_, w.squaredNorm());
  }

  /// Only the points that the closest one is a combination of.
  void keep(const SimplexPoint& next) {
    closest_ = next;
    for (int i = 0; i < next.count; ++i) {
      const std::size_t to = index(i);
      const std::size_t from = index(next.used[to]);  // in rising order: never overwritten before
      simplex_.points[to] = simplex_.points[from];
      points_a_[to] = points_a_[from];
      points_b_[to] = points_b_[from];
      numbers_a_[to] = numbers_a_[from];
      numbers_b_[to] = numbers_b_[from];
    }
    simplex_.count = next.count;
  }

  void remember() {
    cache_.count = std::min(closest_.count, 3);
    for (int i = 0; i < cache_.count; ++i) {
      cache_.a[index(i)] = numbers_a_[index(i)];
      cache_.b[index(i)] = numbers_b_[index(i)];
    }
    if (!closest_.at.isZero()) cache_.normal = closest_.at.normalized();
  }

  [[nodiscard]] Vec<3> combined(const std::array<Vec<3>, 4>& points) const {
    Vec<3> sum = closest_.weights[0] * points[0];
    for (int i = 1; i < closest_.count; ++i) sum += closest_.weights[index(i)] * points[index(i)];
    return sum;
  }

  const ConvexSolid& a_;
  const ConvexSolid& b_;
  const Vec<3>& shift_b_;
  WitnessCache& cache_;
  Simplex simplex_;
  std::array<Vec<3>, 4> points_a_;
  std::array<Vec<3>, 4> points_b_;
  std::array<int, 4> numbers_a_{};
  std::array<int, 4> numbers_b_{};
  SimplexPoint closest_;
  bool warm_ = false;
  double size_square_ = 0.0;
  double lower_ = -std::numeric_limits<double>::infinity();
  Vec<3> normal_ = Vec<3>::Zero();
};

Feature round_feature(const ConvexSolid& solid) {
  switch (solid.core) {
    case Core::point:
      return {FeatureKind::ball, 0};
    case Core::segment:
      return {FeatureKind::capsule, 0};
    default:
      return {FeatureKind::cylinder, 0};
  }
}

/// The face whose normal is closest to a direction, or −1 if none is near it.
int face_towards(const ConvexSolid& solid, const Vec<3>& direction) {
  if (solid.core != Core::polyhedron) return -1;
  const Vec<3> own = solid.rotation.transpose() * direction;
  int best = -1;
  double cosine = kAlmostNormal;
  const auto& faces = solid.hull->faces();
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const double other = own.dot(faces[i].normal);
    if (other > cosine) {
      cosine = other;
      best = static_cast<int>(i);
    }
  }
  return best;
}

/// The vertex, edge or face that has these vertices (`count` of them, not all different).
Feature feature_of_vertices(const ConvexSolid& solid, const std::array<int, 4>& vertices, int count,
                            const Vec<3>& outwards) {
  if (solid.core != Core::polyhedron) return round_feature(solid);
  const auto feature = [](FeatureKind kind, int number) {
    return Feature{kind, static_cast<std::uint32_t>(number)};
  };
  std::array<int, 4> numbers = vertices;
  std::sort(numbers.begin(), numbers.begin() + count);
  const auto end = std::unique(numbers.begin(), numbers.begin() + count);
  const auto different = end - numbers.begin();
  if (different == 1) return feature(FeatureKind::vertex, numbers[0]);
  if (different == 2) {
    const auto& edges = solid.hull->edges();
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (std::minmax(edges[i].from, edges[i].to) == std::minmax(numbers[0], numbers[1])) {
        return feature(FeatureKind::edge, static_cast<int>(i));
      }
    }
  }
  const int face = face_towards(solid, outwards);
  return face < 0 ? feature(FeatureKind::vertex, numbers[0]) : feature(FeatureKind::face, face);
}

/// Takes the normal of a face where it parts the cores as well: it has no rounding of the closest points in it.
void prefer_face(ConvexDistance& result, const ConvexSolid& a, const ConvexSolid& b,
                 const WitnessCache& cache, double rounding) {
  const auto attempt = [&](const ConvexSolid& owner, const ConvexSolid& other, bool of_a) {
    const Vec<3> outwards = of_a ? result.normal : Vec<3>(-result.normal);
    const int face = face_towards(owner, outwards);
    if (face < 0) return false;
    const Vec<3> normal = owner.face_normal(face);
    const SupportPoint tip =
        farthest(other, -normal, std::max(0, of_a ? cache.last_b : cache.last_a));
    const int on_face = owner.hull->faces()[static_cast<std::size_t>(face)].loop[0];
    const double gap = normal.dot(tip.at - owner.vertices[static_cast<std::size_t>(on_face)]);
    if (gap < result.distance - rounding) return false;
    result.distance = gap;
    result.normal = of_a ? normal : Vec<3>(-normal);
    (of_a ? result.feature_a : result.feature_b) = {FeatureKind::face,
                                                    static_cast<std::uint32_t>(face)};
    if (of_a) {
      result.point_a = result.point_b - gap * result.normal;
    } else {
      result.point_b = result.point_a + gap * result.normal;
    }
    return true;
  };
  if (!attempt(a, b, true)) attempt(b, a, false);
}

ConvexDistance apart_distance(const ConvexSolid& a, const ConvexSolid& b,
                              const ClosestPoints& search, const WitnessCache& cache) {
  ConvexDistance result;
  // Between faces that are nearly parallel rounding may stop the search a little early: then what the best normal
  // proves is closer to the truth.
  const double upper = search.at().norm();
  const bool settled = upper - search.beyond() <= kSettled * search.size();
  result.distance = settled ? upper : search.beyond();
  result.normal = search.normal();
  result.point_a = search.point_a();
  result.point_b = result.point_a + result.distance * result.normal;
  result.feature_a = feature_of_vertices(a, cache.a, cache.count, result.normal);
  result.feature_b = feature_of_vertices(b, cache.b, cache.count, -result.normal);
  prefer_face(result, a, b, cache, 4.0 * kEpsilon * search.size());
  return result;
}

ConvexDistance of_axis(const ConvexSolid& a, const ConvexSolid& b, const SeparatingAxis& axis) {
  return {axis.gap,
          axis.normal,
          axis.point_a,
          axis.point_b,
          a.core == Core::polyhedron ? axis.feature_a : round_feature(a),
          b.core == Core::polyhedron ? axis.feature_b : round_feature(b)};
}

double gap_along(const ConvexSolid& a, const ConvexSolid& b, const Vec<3>& normal) {
  return normal.dot(farthest(b, -normal, 0).at - farthest(a, normal, 0).at);
}

/// The smaller radius of cylinders; 0 if there is none.
double cylinder_size(const ConvexSolid& a, const ConvexSolid& b) {
  if (a.core != Core::cylinder) return b.core == Core::cylinder ? b.core_radius : 0.0;
  return b.core == Core::cylinder ? std::min(a.core_radius, b.core_radius) : a.core_radius;
}

/// Directions to begin with where a cylinder is in something.
std::vector<Vec<3>> likely_normals(const ConvexSolid& a, const ConvexSolid& b) {
  std::vector<Vec<3>> normals;
  const auto add = [&](const Vec<3>& direction) {
    const double length = direction.norm();
    if (length > 0.0) normals.push_back(direction / length);
  };
  const auto own = [&](const ConvexSolid& solid, const ConvexSolid& other, double sign) {
    if (solid.core == Core::polyhedron) {
      for (std::size_t i = 0; i < solid.hull->faces().size(); ++i) {
        add(sign * solid.face_normal(static_cast<int>(i)));
      }
      return;
    }
    if (solid.core != Core::cylinder) return;
    add(solid.axis);
    add(-solid.axis);
    const auto across = [&](const Vec<3>& at) {
      const Vec<3> offset = at - solid.ends[0];
      add(sign * (offset - solid.axis.dot(offset) * solid.axis));
    };
    if (other.core == Core::polyhedron) {
      for (const Vec<3>& at : other.vertices) across(at);
    } else {
      across(other.ends[0]);
      if (other.core == Core::segment) across(other.ends[1]);
    }
    // Side against edge: neither end of the edge need be near.
    const auto crossing = [&](const Vec<3>& direction) {
      const Vec<3> both = solid.axis.cross(direction);
      add(both);
      add(-both);
    };
    if (other.core == Core::cylinder) crossing(other.axis);
    if (other.core == Core::segment) crossing(other.ends[1] - other.ends[0]);
    if (other.core == Core::polyhedron) {
      for (const Hull::Edge& edge : other.hull->edges()) {
        crossing(other.vertices[static_cast<std::size_t>(edge.to)] -
                 other.vertices[static_cast<std::size_t>(edge.from)]);
      }
    }
    add(solid.axis.unitOrthogonal());
  };
  own(a, b, 1.0);
  own(b, a, -1.0);
  return normals;
}

/// Where one is a cylinder and the other in it or close: climbs to a local maximum of s(n) from the best of the likely directions, by the closest
/// points after a shift that parts the solids along the current direction. With t the length of the shift,
/// s(n') + t n'·n ≥ s(n) + t for the new direction n': s never falls, and stays only at a maximum.
ConvexDistance close_to_cylinder(const ConvexSolid& a, const ConvexSolid& b,
                                 const Vec<3>& between) {
  ConvexDistance best;
  best.distance = -std::numeric_limits<double>::infinity();
  std::vector<Vec<3>> normals = likely_normals(a, b);
  if (!between.isZero()) normals.push_back(between.normalized());
  for (const Vec<3>& normal : normals) {
    const double gap = gap_along(a, b, normal);
    if (gap > best.distance) {
      best.distance = gap;
      best.normal = normal;
    }
  }
  const double size = cylinder_size(a, b);
  for (int round = 0; round < 50; ++round) {
    const Vec<3> shift = (std::max(0.0, -best.distance) + kCylinderShift * size) * best.normal;
    WitnessCache cache;
    cache.normal = best.normal;
    ClosestPoints search(a, b, shift, cache);
    search.run(std::numeric_limits<double>::infinity());
    if (search.touching()) break;
    const Vec<3> normal = search.at().normalized();
    const double gap = gap_along(a, b, normal);
    best.point_a = search.point_a();
    if (gap < best.distance) break;
    const bool settled = gap - best.distance <= 1e-15 * size;
    best.distance = gap;
    best.normal = normal;
    if (settled) break;
  }
  best.point_b = best.point_a + best.distance * best.normal;
  best.feature_a = feature_of_vertices(a, {}, 1, best.normal);
  best.feature_b = feature_of_vertices(b, {}, 1, -best.normal);
  return best;
}

/// Whether a point in the plane of a face is beside it.
bool beside_face(const ConvexSolid& solid, const Feature& feature, const Vec<3>& at) {
  if (solid.core != Core::polyhedron || feature.kind != FeatureKind::face) return false;
  const Hull::Face& face = solid.hull->faces()[feature.index];
  const Vec<3> normal = solid.rotation * face.normal;
  const auto corner = [&](std::size_t i) {
    return solid.vertices[static_cast<std::size_t>(face.loop[i])];
  };
  for (std::size_t i = 0; i < face.loop.size(); ++i) {
    const Vec<3> from = corner(i);
    const Vec<3> side = corner(i + 1 < face.loop.size() ? i + 1 : 0) - from;
    if (normal.dot(side.cross(at - from)) < -1e-14 * side.squaredNorm()) return true;
  }
  return false;
}

/// Where several vertices are as deep the deepest one may be beside the face: the closest points after a shift that
/// parts the solids are on both.
void move_onto_faces(ConvexDistance& result, const ConvexSolid& a, const ConvexSolid& b,
                     double size) {
  if (!beside_face(a, result.feature_a, result.point_a) &&
      !beside_face(b, result.feature_b, result.point_b)) {
    return;
  }
  const Vec<3> shift = (0.1 * size - result.distance) * result.normal;
  WitnessCache cache;
  ClosestPoints search(a, b, shift, cache);
  search.run(std::numeric_limits<double>::infinity());
  result.point_a = search.point_a();
  result.point_b = result.point_a + result.distance * result.normal;
}

ConvexDistance touching_distance(const ConvexSolid& a, const ConvexSolid& b,
                                 const ClosestPoints& search, WitnessCache& cache) {
  ConvexDistance result;
  if (a.core == Core::cylinder || b.core == Core::cylinder) {
    result = close_to_cylinder(a, b, search.at());
  } else {
    result = of_axis(a, b, best_axis(a, b, cache.last_a, cache.last_b));
    move_onto_faces(result, a, b, search.size());
  }
  // Apart after all: a vertex before a vertex or an edge has a normal that is none of the axes above.
  const double distance = search.at().norm();
  if (result.distance > 0.0 && result.distance < distance) {
    const Vec<3> normal = search.at() / distance;
    const double gap = gap_along(a, b, normal);
    if (gap > result.distance) {
      result.distance = gap;
      result.normal = normal;
      result.feature_a = feature_of_vertices(a, cache.a, cache.count, normal);
      result.feature_b = feature_of_vertices(b, cache.b, cache.count, -normal);
    }
    result.point_a = search.point_a();
    result.point_b = result.point_a + result.distance * result.normal;
  }
  cache.normal = result.normal;
  return result;
}

bool is_close(const ConvexSolid& a, const ConvexSolid& b, const ClosestPoints& search) {
  return search.touching() || search.at().norm() < kCylinderShift * cylinder_size(a, b);
}

const Vec<3> kNoShift = Vec<3>::Zero();

ClosestPoints closest_points(const ConvexSolid& a, const ConvexSolid& b, double reach,
                             WitnessCache& witness) {
  ClosestPoints search(a, b, kNoShift, witness);
  search.run(reach);
  if (!search.stalled(reach)) return search;
  witness = WitnessCache{};
  ClosestPoints again(a, b, kNoShift, witness);
  again.run(reach);
  return again;
}

}  // namespace

ConvexSolid ConvexSolid::polyhedron(const Hull& hull, std::span<const Vec<3>> vertices,
                                    const Eigen::Matrix3d& rotation) {
  ConvexSolid solid;
  solid.core = Core::polyhedron;
  solid.hull = &hull;
  solid.vertices = vertices;
  solid.rotation = rotation;
  return solid;
}

ConvexSolid ConvexSolid::ball(const Vec<3>& centre, double radius) {
  ConvexSolid solid;
  solid.ends[0] = centre;
  solid.radius = radius;
  return solid;
}

ConvexSolid ConvexSolid::capsule(const Vec<3>& from, const Vec<3>& to, double radius) {
  ConvexSolid solid;
  solid.core = Core::segment;
  solid.ends = {from, to};
  solid.radius = radius;
  return solid;
}

ConvexSolid ConvexSolid::cylinder(const Vec<3>& centre, const Vec<3>& axis, double half_height,
                                  double radius) {
  ConvexSolid solid;
  solid.core = Core::cylinder;
  solid.ends[0] = centre;
  solid.axis = axis;
  solid.half_height = half_height;
  solid.core_radius = radius;
  return solid;
}

std::vector<Vec<3>> placed_vertices(const Hull& hull, const Pose<3>& pose) {
  std::vector<Vec<3>> placed;
  placed.reserve(hull.vertices().size());
  for (const Vec<3>& at : hull.vertices()) placed.push_back(pose.apply(at));
  return placed;
}

ConvexDistance distance_of(const ConvexSolid& a, const ConvexSolid& b, WitnessCache* cache) {
  WitnessCache fresh;
  WitnessCache& witness = cache == nullptr ? fresh : *cache;
  const ClosestPoints search =
      closest_points(a, b, std::numeric_limits<double>::infinity(), witness);
  ConvexDistance result = is_close(a, b, search) ? touching_distance(a, b, search, witness)
                                                 : apart_distance(a, b, search, witness);
  result.distance -= a.radius + b.radius;
  result.point_a += a.radius * result.normal;
  result.point_b -= b.radius * result.normal;
  return result;
}

double distance_beyond(const ConvexSolid& a, const ConvexSolid& b, double reach,
                       WitnessCache* cache) {
  WitnessCache fresh;
  WitnessCache& witness = cache == nullptr ? fresh : *cache;
  const double radii = a.radius + b.radius;
  const ClosestPoints search = closest_points(a, b, reach + radii, witness);
  if (search.beyond() > reach + radii) return search.beyond() - radii;
  return (is_close(a, b, search) ? touching_distance(a, b, search, witness)
                                 : apart_distance(a, b, search, witness))
             .distance -
         radii;
}

}  // namespace collapse::contacts
