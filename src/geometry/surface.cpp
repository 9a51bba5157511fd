/// Patches in one plane become faces without a trace of what they were made of.

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "collapse/core/check.hpp"
#include "collapse/geometry/pose.hpp"
#include "geometry/exact_points.hpp"
#include "geometry/predicates.hpp"
#include "geometry/surface_parts.hpp"

namespace collapse {

namespace {

/// One face: an outer boundary, then its holes.
struct FlatFace {
  FlatPlane plane;
  std::vector<Loop> loops;
};

bool is_on_outline(const Loop& loop, const PointRef& p) {
  for (int i = 0; i < loop.size(); ++i) {
    const PointRef a = point_of(loop, i);
    const PointRef b = point_of(loop, loop.next(i));
    if (p.exact == a.exact) return true;
    if (orientation(a, b, p) == 0 && strictly_between(p, a, b)) return true;
  }
  return false;
}

/// Whether `inner`, which may touch `outer` in points but does not cross it, is inside.
bool surrounds(const Loop& outer, const Loop& inner) {
  if (!LoopBounds(outer).meets(LoopBounds(inner))) return false;
  // Some point of the inner one does not touch: of every side its start, its middle, its third, ...
  for (int part = 1;; ++part) {
    for (int i = 0; i < inner.size(); ++i) {
      const ExactVec<2>& a = inner.exact()[static_cast<std::size_t>(i)];
      const ExactVec<2>& b = inner.exact()[static_cast<std::size_t>(inner.next(i))];
      const ExactVec<2> exact = part == 1 ? a : ExactVec<2>(a + (b - a) / Rational(part));
      const Vec<2> value = to_double<2>(exact);
      const PointRef p{exact, value};
      if (!is_on_outline(outer, p)) return is_inside(outer, p);
    }
  }
}

/// Every hole goes to the smallest outer boundary around it.
std::vector<FlatFace> faces_of_loops(const FlatPlane& plane, std::vector<Loop> loops) {
  std::vector<FlatFace> faces;
  std::vector<Loop> holes;
  for (Loop& loop : loops) {
    if (direction_of(loop) > 0) {
      faces.push_back({plane, {std::move(loop)}});
    } else {
      holes.push_back(std::move(loop));
    }
  }
  for (Loop& hole : holes) {
    FlatFace* owner = nullptr;
    for (FlatFace& face : faces) {
      if (!surrounds(face.loops.front(), hole)) continue;
      if (!owner || surrounds(owner->loops.front(), face.loops.front())) owner = &face;
    }
    COLLAPSE_DEMAND(owner != nullptr);
    owner->loops.push_back(std::move(hole));
  }
  return faces;
}

std::vector<FlatFace> flat_faces(std::vector<Patch> patches) {
  std::vector<std::size_t> order(patches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return patches[i].plane < patches[j].plane;
  });
  std::vector<FlatFace> faces;
  for (std::size_t begin = 0; begin < order.size();) {
    const FlatPlane& plane = patches[order[begin]].plane;
    std::vector<Loop> polygons;
    std::size_t end = begin;
    for (; end < order.size() && patches[order[end]].plane == plane; ++end) {
      polygons.push_back(std::move(patches[order[end]].polygon));
    }
    std::vector<FlatFace> found = faces_of_loops(plane, union_boundary(polygons));
    std::move(found.begin(), found.end(), std::back_inserter(faces));
    begin = end;
  }
  return faces;
}

/// Numbers for points, the same for equal ones.
class CornerTable {
 public:
  /// In lexicographic order.
  explicit CornerTable(std::vector<ExactVec<3>> points) {
    entries_.reserve(points.size());
    for (ExactVec<3>& point : points) {
      Vec<3> value = to_double<3>(point);
      entries_.push_back({std::move(point), value, 0});
    }
    std::sort(entries_.begin(), entries_.end());
    const auto same = [](const Entry& a, const Entry& b) { return !(a < b); };
    entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].number = static_cast<int>(i);
  }

  [[nodiscard]] std::optional<int> find(const ExactVec<3>& point) const {
    const Entry sought{point, to_double<3>(point), 0};
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), sought);
    if (found == entries_.end() || sought < *found) return std::nullopt;
    return found->number;
  }

  [[nodiscard]] std::vector<ExactVec<3>> points() const {
    std::vector<ExactVec<3>> result;
    result.reserve(entries_.size());
    for (const Entry& entry : entries_) result.push_back(entry.exact);
    return result;
  }

 private:
  struct Entry {
    ExactVec<3> exact;
    Vec<3> value;
    int number = 0;

    bool operator<(const Entry& other) const {
      for (int k = 0; k < 3; ++k) {
        if (value[k] != other.value[k]) return value[k] < other.value[k];
        if (exact[k] != other.exact[k]) return exact[k] < other.exact[k];
      }
      return false;
    }
  };

  std::vector<Entry> entries_;
};

std::vector<ExactVec<3>> lifted(const FlatPlane& plane, const Loop& loop) {
  std::vector<ExactVec<3>> points;
  points.reserve(loop.exact().size());
  for (const ExactVec<2>& point : loop.exact()) points.push_back(plane.lift(point));
  return points;
}

CornerTable table_of_corners(const std::vector<FlatFace>& faces) {
  std::vector<ExactVec<3>> points;
  for (const FlatFace& face : faces) {
    for (const Loop& loop : face.loops) {
      std::vector<ExactVec<3>> corners = lifted(face.plane, loop);
      std::move(corners.begin(), corners.end(), std::back_inserter(points));
    }
  }
  return CornerTable(std::move(points));
}

/// From the least number on.
std::vector<int> numbered_loop(const FlatPlane& plane, const Loop& loop, const CornerTable& table) {
  std::vector<int> numbers;
  for (const ExactVec<3>& point : lifted(plane, loop)) numbers.push_back(*table.find(point));
  std::rotate(numbers.begin(), std::min_element(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

struct NumberedFace {
  std::vector<std::vector<int>> loops;
  const FlatFace* flat = nullptr;
};

/// Sorted by their loops: the order does not depend on how the faces came about.
std::vector<NumberedFace> numbered_faces(const std::vector<FlatFace>& faces,
                                         const CornerTable& table) {
  std::vector<NumberedFace> result;
  result.reserve(faces.size());
  for (const FlatFace& face : faces) {
    NumberedFace numbered{{}, &face};
    for (const Loop& loop : face.loops) {
      numbered.loops.push_back(numbered_loop(face.plane, loop, table));
    }
    std::sort(numbered.loops.begin() + 1, numbered.loops.end());
    result.push_back(std::move(numbered));
  }
  std::sort(result.begin(), result.end(),
            [](const NumberedFace& a, const NumberedFace& b) { return a.loops < b.loops; });
  return result;
}

/// Convex pieces of every face; where a cut ends in the middle of a side it adds a point.
void add_pieces(const std::vector<NumberedFace>& faces, const CornerTable& table,
                Surface& surface) {
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const FlatFace& flat = *faces[f].flat;
    const std::vector<Loop> pieces =
        flat.loops.size() == 1 ? convex_pieces(flat.loops.front()) : trapezoids(flat.loops);
    for (const Loop& piece : pieces) {
      std::vector<int> numbers;
      for (const ExactVec<3>& point : lifted(flat.plane, piece)) {
        if (const std::optional<int> vertex = table.find(point)) {
          numbers.push_back(*vertex);
        } else {
          const auto added = std::find(
              surface.exact.begin() + static_cast<std::ptrdiff_t>(surface.vertices.size()),
              surface.exact.end(), point);
          numbers.push_back(static_cast<int>(added - surface.exact.begin()));
          if (added == surface.exact.end()) surface.exact.push_back(point);
        }
      }
      surface.faces[f].pieces.push_back(std::move(numbers));
    }
  }
}

}  // namespace

Surface surface_of_patches(std::vector<Patch> patches) {
  const std::vector<FlatFace> flat = flat_faces(std::move(patches));
  const CornerTable table = table_of_corners(flat);
  const std::vector<NumberedFace> faces = numbered_faces(flat, table);

  Surface surface;
  surface.exact = table.points();
  surface.vertices.resize(surface.exact.size());
  std::vector<FlatPlane> planes;
  planes.reserve(faces.size());
  surface.faces.reserve(faces.size());
  for (const NumberedFace& face : faces) {
    surface.faces.push_back({Vec<3>::Zero(), 0.0, face.loops, {}});
    planes.push_back(face.flat->plane);
  }
  add_pieces(faces, table, surface);
  const ExactPoints points(surface.exact);
  surface.points = points.values();
  for (Surface::Face& face : surface.faces) {
    const ExactPoints::Plane plane = points.plane_of(face.loops.front());
    face.normal = plane.normal;
    face.offset = plane.offset;
  }
  connect_faces(surface, planes);
  return surface;
}

Surface surface_of(const Mesh& mesh) {
  std::vector<Patch> patches;
  patches.reserve(mesh.faces.size());
  for (const std::vector<int>& face : mesh.faces) {
    std::vector<ExactVec<3>> corners;
    for (const int vertex : face)
      corners.push_back(mesh.vertices[static_cast<std::size_t>(vertex)]);
    FlatPlane plane(corners);
    std::vector<ExactVec<2>> polygon;
    for (const ExactVec<3>& corner : corners) polygon.push_back(plane.flatten(corner));
    patches.push_back({std::move(plane), Loop(std::move(polygon))});
  }
  return surface_of_patches(std::move(patches));
}

}  // namespace collapse
