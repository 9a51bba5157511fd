#include "simulate/point_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "collapse/contact/broad_phase.hpp"
#include "contact/critical_rows.hpp"

namespace collapse::simulate {
namespace {

/// Gaps up to this share of the smaller face get rows although the free motion does not close them: what pushes
/// from behind may. What still slips through is found after the solve.
constexpr double kReach = 0.05;

Vec<2> left_of(const Vec<2>& along) { return {-along.y(), along.x()}; }

/// Least height of one face's corners over each edge of the other, the largest of these.
double best_edge(const PointFace& face, const PointFace& other,
                 const std::vector<Vec<2>>& positions) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < face.corners.size(); ++e) {
    const Vec<2>& p = positions[slot(face.corners[e])];
    const Vec<2>& q = positions[slot(face.corners[(e + 1) % face.corners.size()])];
    double least = std::numeric_limits<double>::infinity();
    for (const int corner : other.corners) {
      least = std::min(least, contacts::height_over(p, q, positions[slot(corner)]));
    }
    best = std::max(best, least);
  }
  return best;
}

/// A face's corners at the start and at the end.
struct SweptFace {
  std::vector<Vec<2>> start;
  std::vector<Vec<2>> end;

  SweptFace(const PointFace& face, const PointMotion& motion) {
    for (const int corner : face.corners) {
      start.push_back(motion.start[slot(corner)]);
      end.push_back(motion.start[slot(corner)] + motion.shift[slot(corner)]);
    }
  }
  [[nodiscard]] contacts::MovingPolygon polygon(const PointFace& face) const {
    return {start, end, face.is_boundary};
  }
};

/// Rows that are there already.
class KnownSides {
 public:
  explicit KnownSides(const std::vector<SideRow>& rows) {
    for (const SideRow& row : rows) known_.insert(key(row));
  }
  [[nodiscard]] bool add(const SideRow& row) { return known_.insert(key(row)).second; }

 private:
  static std::array<int, 3> key(const SideRow& row) { return {row.k, row.i, row.j}; }
  std::set<std::array<int, 3>> known_;
};

}  // namespace

double separation(const PointModel& model, const std::vector<Vec<2>>& positions, int face_a,
                  int face_b) {
  const PointFace& a = model.faces[slot(face_a)];
  const PointFace& b = model.faces[slot(face_b)];
  double best = -std::numeric_limits<double>::infinity();
  if (!a.is_bare()) best = std::max(best, best_edge(a, b, positions));
  if (!b.is_bare()) best = std::max(best, best_edge(b, a, positions));
  return best;
}

std::vector<std::pair<int, int>> near_pairs(const PointModel& model, const PointMotion& motion,
                                            double margin) {
  std::vector<Bounds<2>> boxes;
  boxes.reserve(model.faces.size());
  for (std::size_t f = 0; f < model.faces.size(); ++f) {
    const PointFace& face = model.faces[f];
    Bounds<2> box = Bounds<2>::empty();
    for (const int corner : face.corners) {
      box.include(motion.start[slot(corner)]);
      box.include(motion.start[slot(corner)] + motion.shift[slot(corner)]);
    }
    boxes.push_back(box.grown(margin * model.smaller_size(static_cast<int>(f))));
  }
  std::vector<std::pair<int, int>> pairs = meeting_pairs<2>(boxes);
  std::erase_if(pairs, [&](const std::pair<int, int>& pair) {
    return !model.may_touch(pair.first, pair.second);
  });
  return pairs;
}

void add_sides(const PointModel& model, const PointMotion& motion,
               const std::vector<std::pair<int, int>>& pairs, double touch,
               std::vector<SideRow>& rows) {
  KnownSides known(rows);
  std::vector<contacts::VertexOnEdge> found;
  for (const auto& [f, g] : pairs) {
    const PointFace& a = model.faces[slot(f)];
    const PointFace& b = model.faces[slot(g)];
    const SweptFace swept_a(a, motion);
    const SweptFace swept_b(b, motion);
    const double size = model.smaller_size(f, g);
    found.clear();
    contacts::critical_rows(swept_a.polygon(a), swept_b.polygon(b), touch * size, kReach * size,
                            found);
    for (const contacts::VertexOnEdge& spot : found) {
      const PointFace& owner = spot.vertex_of_b ? a : b;
      const PointFace& other = spot.vertex_of_b ? b : a;
      SideRow row;
      row.k = other.corners[slot(spot.vertex)];
      // The face is on the left of its edges, and the free side on the right.
      row.j = owner.corners[slot(spot.edge)];
      row.i = owner.corners[slot(spot.edge + 1) % owner.corners.size()];
      row.vertex_face = spot.vertex_of_b ? g : f;
      row.vertex = spot.vertex;
      row.edge_face = spot.vertex_of_b ? f : g;
      row.edge = spot.edge;
      row.size = size;
      const bool shared =
          std::find(owner.corners.begin(), owner.corners.end(), row.k) != owner.corners.end();
      const bool idle = !model.is_free(row.k) && !model.is_free(row.i) && !model.is_free(row.j);
      if (!shared && !idle && known.add(row)) rows.push_back(row);
    }
  }
  for (std::size_t f = 0; f < model.faces.size(); ++f) {
    const PointFace& face = model.faces[f];
    for (std::size_t v = 0; v < face.corners.size(); ++v) {
      const int k = face.corners[v];
      if (!model.is_free(k)) continue;
      for (std::size_t plane = 0; plane < model.planes.size(); ++plane) {
        const PointPlane& half = model.planes[plane];
        if (std::binary_search(model.apart.begin(), model.apart.end(),
                               std::pair<int, int>(std::minmax(face.body, half.body)))) {
          continue;
        }
        SideRow row;
        row.k = k;
        row.j = static_cast<int>(plane);
        row.vertex_face = static_cast<int>(f);
        row.vertex = static_cast<int>(v);
        row.size = model.smaller_size(static_cast<int>(f));
        const double start = half.normal.dot(motion.start[slot(k)]) - half.offset;
        const double end = start + half.normal.dot(motion.shift[slot(k)]);
        if (std::min(start, end) <= kReach * row.size && known.add(row)) rows.push_back(row);
      }
    }
  }
}

void linearise(const PointModel& model, const PointMotion& motion, double touch, SideRow& row) {
  if (row.is_plane()) {
    row.normal = model.planes[slot(row.j)].normal;
    return;
  }
  const auto start = [&](int point) { return motion.start[slot(point)]; };
  const auto end = [&](int point) {
    return Vec<2>(motion.start[slot(point)] + motion.shift[slot(point)]);
  };
  // height_over counts the other side as positive.
  const double from = contacts::height_over(start(row.j), start(row.i), start(row.k));
  const double to = contacts::height_over(end(row.j), end(row.i), end(row.k));
  const double when = from > touch * row.size && to < 0.0 ? from / (from - to) : 0.0;
  const auto now = [&](int point) {
    return Vec<2>(motion.start[slot(point)] + when * motion.shift[slot(point)]);
  };
  const Vec<2> along = now(row.j) - now(row.i);
  row.normal = left_of(along).normalized();
  row.alpha = std::clamp(along.dot(now(row.k) - now(row.i)) / along.squaredNorm(), 0.0, 1.0);
}

double height(const PointModel& model, const std::vector<Vec<2>>& start,
              const std::vector<Vec<2>>& shift, const SideRow& row) {
  const auto now = [&](int point) { return Vec<2>(start[slot(point)] + shift[slot(point)]); };
  if (row.is_plane()) {
    const PointPlane& plane = model.planes[slot(row.j)];
    return plane.normal.dot(now(row.k)) - plane.offset;
  }
  return contacts::height_over(now(row.j), now(row.i), now(row.k));
}

double side_value(const std::vector<Vec<2>>& shift, const SideRow& row) {
  Vec<2> relative = shift[slot(row.k)];
  if (!row.is_plane()) {
    relative -= (1.0 - row.alpha) * shift[slot(row.i)] + row.alpha * shift[slot(row.j)];
  }
  return row.normal.dot(relative);
}

double doubled_area(const std::vector<Vec<2>>& points, const SideRow& row) {
  if (row.is_plane()) return 0.0;
  const Vec<2> along = points[slot(row.j)] - points[slot(row.i)];
  return left_of(along).dot(points[slot(row.k)] - points[slot(row.i)]);
}

}  // namespace collapse::simulate
