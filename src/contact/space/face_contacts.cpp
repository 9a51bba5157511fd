/// Faces on faces: the corners of the regions that they share.

#include <algorithm>
#include <cmath>

#include "contact/space/flat_face.hpp"
#include "contact/space/touching.hpp"

namespace collapse::contacts {
namespace {

/// Faces whose normals are farther from opposite than this do not lie on each other, however small they are.
constexpr double kOppositeCosine = -0.5;

/// Corners of a region are numbered from the one that is first in a direction fixed in body a: no side of a
/// rectangle along its axes, so that two corners are rarely equally far.
constexpr double kFirstCornerSlope = 0.3708;

class FacesOnFaces {
 public:
  explicit FacesOnFaces(Touching& touching) : touching_(touching) {}

  void find(int face_a, int face_b) {
    const PlacedFace& a = touching_.a.face(face_a);
    const PlacedFace& b = touching_.b.face(face_b);
    if (a.normal.dot(b.normal) > kOppositeCosine) return;
    if (!a.bounds.grown(touching_.tolerance).meets(b.bounds)) return;
    // The larger face knows the common normal best.
    const bool by_a = a.area >= b.area;
    const std::vector<int>& loop = touching_.a.surface.faces[at_index(face_a)].loops[0];
    const PlaneFrame frame(by_a ? a.origin : b.origin, by_a ? a.normal : Vec<3>(-b.normal),
                           touching_.a.point(loop[1]) - touching_.a.point(loop[0]));
    collect_overlaps(face_a, face_b, frame);
    if (overlaps_.empty()) return;
    group_overlaps();
    int end = 0;
    for (std::size_t group = 0; group < overlaps_.size(); ++group) {
      add_region(face_a, face_b, frame, group, end);
    }
  }

 private:
  void collect_overlaps(int face_a, int face_b, const PlaneFrame& frame) {
    flatten(touching_.a, face_a, frame, flat_a_);
    flatten(touching_.b, face_b, frame, flat_b_);
    overlaps_.clear();
    for (const FlatPolygon& p : flat_a_) {
      for (const FlatPolygon& q : flat_b_) {
        FlatPolygon overlap = q;
        clip(p, overlap, spare_);
        if (overlap.size() >= 3) overlaps_.push_back(std::move(overlap));
      }
    }
  }

  /// Pieces of faces that meet make one region: groups_[i] is the first of those that overlap i belongs to.
  void group_overlaps() {
    groups_.assign(overlaps_.size(), 0);
    for (std::size_t i = 0; i < overlaps_.size(); ++i) {
      groups_[i] = i;
      for (std::size_t j = 0; j < i; ++j) {
        const std::size_t from = std::max(groups_[i], groups_[j]);
        const std::size_t to = std::min(groups_[i], groups_[j]);
        if (from == to || !polygons_meet(overlaps_[i], overlaps_[j], touching_.tolerance)) continue;
        for (std::size_t& group : groups_) {
          if (group == from) group = to;
        }
      }
    }
  }

  void add_region(int face_a, int face_b, const PlaneFrame& frame, std::size_t group, int& end) {
    const PlacedFace& a = touching_.a.face(face_a);
    const PlacedFace& b = touching_.b.face(face_b);
    const auto height = [&](const PlacedFace& face, const Vec<3>& at) {
      return -face.height(at) / face.normal.dot(frame.normal);
    };
    corners_.clear();
    for (std::size_t i = 0; i < overlaps_.size(); ++i) {
      if (groups_[i] != group) continue;
      for (const Vec<2>& corner : overlaps_[i]) {
        const Vec<3> at = frame.lifted(corner);
        if (std::abs(height(b, at) - height(a, at)) > touching_.tolerance) return;
        corners_.push_back(corner);
      }
    }
    FlatPolygon hull;
    for (const int i : hull_corners(corners_, touching_.tolerance)) {
      hull.push_back(corners_[at_index(i)]);
    }
    if (width_of(hull) <= touching_.tolerance) return;
    const auto first = std::min_element(hull.begin(), hull.end(), [](const auto& p, const auto& q) {
      return p.x() + kFirstCornerSlope * p.y() < q.x() + kFirstCornerSlope * q.y();
    });
    std::rotate(hull.begin(), first, hull.end());

    ContactRegion region{face_a, face_b, frame.normal, {}};
    for (const Vec<2>& corner : hull) {
      const Vec<3> at = frame.lifted(corner);
      const double height_a = height(a, at);
      region.corners.push_back(at);
      touching_.pair.add(touching_.b.id, face_feature(face_b), face_feature(face_a),
                         at + height_a * frame.normal, frame.normal, height(b, at) - height_a,
                         false, end++);
    }
    touching_.regions.push_back(std::move(region));
  }

  Touching& touching_;
  std::vector<FlatPolygon> flat_a_;
  std::vector<FlatPolygon> flat_b_;
  std::vector<FlatPolygon> overlaps_;
  std::vector<std::size_t> groups_;
  FlatPolygon corners_;
  FlatPolygon spare_;
};

}  // namespace

void find_faces_on_faces(Touching& touching) {
  FacesOnFaces faces(touching);
  for (const int face_a : touching.a.faces) {
    for (const int face_b : touching.b.faces) faces.find(face_a, face_b);
  }
}

}  // namespace collapse::contacts
