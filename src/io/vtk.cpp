#include "collapse/io/vtk.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <type_traits>

#include "io/extent.hpp"
#include "io/facets.hpp"
#include "io/svg_canvas.hpp"
#include "io/vtk_grid.hpp"

namespace collapse {
namespace {

constexpr int kDiskCorners = 48;

template <int Dim>
using Polygon = std::vector<Vec<Dim>>;

Polygon<2> disk_polygon(const Ball<2>& ball) {
  Polygon<2> corners;
  for (int i = 0; i < kDiskCorners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kDiskCorners;
    corners.push_back(ball.centre + ball.radius * Vec<2>(std::cos(angle), std::sin(angle)));
  }
  return corners;
}

/// In body coordinates.
std::vector<Polygon<2>> polygons_of(const Shape<2>& shape) {
  std::vector<Polygon<2>> polygons;
  // VTK's polygons may be non-convex but have no holes.
  const bool whole = shape.boundary.size() == 1;
  for (const Loop& loop : whole ? shape.boundary : shape.pieces)
    polygons.push_back(loop.vertices());
  for (const Ball<2>& ball : shape.balls) polygons.push_back(disk_polygon(ball));
  return polygons;
}

std::vector<Polygon<3>> polygons_of(const Facets& facets) {
  std::vector<Polygon<3>> polygons;
  for (const std::vector<int>& corners : facets.polygons) {
    Polygon<3>& polygon = polygons.emplace_back();
    for (const int corner : corners) {
      polygon.push_back(facets.points[static_cast<std::size_t>(corner)]);
    }
  }
  return polygons;
}

std::vector<Polygon<3>> polygons_of(const Shape<3>& shape) {
  return polygons_of(facets_of(shape, kDiskCorners));
}

/// Planes have no pose of their own.
std::vector<Polygon<2>> polygons_of(const HalfSpace<2>& half_plane, const Extent& shown,
                                    const TypicalSize& typical) {
  const Slab slab = slab_of(half_plane, Pose<2>(), shown, typical);
  const Vec<2> out = slab.half.y() * slab.normal;
  const Vec<2> along = slab.half.x() * Vec<2>(slab.normal.y(), -slab.normal.x());
  const Vec<2>& middle = slab.middle;
  return {{middle - along - out, middle + along - out, middle + along + out, middle - along + out}};
}

std::vector<Polygon<3>> polygons_of(const HalfSpace<3>& half_space, const BasicExtent<3>& shown,
                                    const TypicalSize& typical) {
  const Plate plate = plate_of(half_space, Pose<3>(), shown, typical);
  std::vector<Polygon<3>> polygons = polygons_of(box_facets(plate.half));
  for (Polygon<3>& polygon : polygons) {
    for (Vec<3>& corner : polygon) corner = plate.middle + plate.axes * corner;
  }
  return polygons;
}

/// A grid in the making with what is told of each point and cell.
template <int Dim>
struct Table {
  vtk::Grid grid;
  std::vector<int> thing;
  std::vector<int> material;
  std::vector<int> fixed;
  std::vector<std::conditional_t<Dim == 2, double, Vec<3>>> spin;
  std::vector<Vec<Dim>> velocity;
  std::vector<Vec<Dim>> point_velocity;

  int point(const Vec<Dim>& place, const Vec<Dim>& its_velocity) {
    point_velocity.push_back(its_velocity);
    return grid.point(place);
  }
  void cell(vtk::Cell type, const std::vector<int>& points, int number, int of_material,
            bool is_fixed, const Twist<Dim>& motion) {
    grid.cell(type, points);
    thing.push_back(number);
    material.push_back(of_material);
    fixed.push_back(is_fixed ? 1 : 0);
    velocity.push_back(motion.template head<Dim>());
    if constexpr (Dim == 2) {
      spin.push_back(motion[2]);
    } else {
      spin.push_back(motion.template tail<3>());
    }
  }
  [[nodiscard]] std::string finish() {
    grid.on_points("velocity", point_velocity);
    grid.on_cells("body", thing);
    grid.on_cells("material", material);
    grid.on_cells("fixed", fixed);
    grid.on_cells("body velocity", velocity);
    grid.on_cells("spin", spin);
    return grid.finish();
  }
};

}  // namespace

template <int Dim>
struct VtkExport<Dim>::Geometry {
  const Scene<Dim>& scene;
  std::vector<std::vector<Polygon<Dim>>> polygons;  ///< by body

  void add_bodies(Table<Dim>& table, const State<Dim>& state) const;
  void add_framework(Table<Dim>& table, const State<Dim>& state) const;
};

template <int Dim>
VtkExport<Dim>::VtkExport(const Scene<Dim>& scene, const std::vector<State<Dim>>& shown)
    : geometry_(std::make_unique<Geometry>(Geometry{scene, {}})) {
  BasicExtent<Dim> extent;
  for (const State<Dim>& state : shown) extent.include(extent_of(scene, state));
  const TypicalSize typical = typical_size(scene);
  for (const Body<Dim>& body : scene.bodies) {
    std::vector<Polygon<Dim>> polygons = polygons_of(body.shape);
    if (body.shape.half_space) {
      polygons = polygons_of(*body.shape.half_space, extent, typical);
    }
    geometry_->polygons.push_back(std::move(polygons));
  }
}

template <int Dim>
VtkExport<Dim>::~VtkExport() = default;

template <int Dim>
void VtkExport<Dim>::Geometry::add_bodies(Table<Dim>& table, const State<Dim>& state) const {
  for (int i = 0; i < std::ssize(scene.bodies); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const Body<Dim>& body = scene.bodies[index];
    const Pose<Dim>& pose = state.poses[index];
    const Twist<Dim>& motion = state.velocities[index];
    const Vec<Dim> centre = state.centre(scene, i);
    for (const Polygon<Dim>& polygon : polygons[index]) {
      std::vector<int> points;
      for (const Vec<Dim>& corner : polygon) {
        const Vec<Dim> place = pose.apply(corner);
        const Spin<Dim> spin = motion.template tail<kSpins<Dim>>();
        points.push_back(table.point(
            place, motion.template head<Dim>() + spin_velocity<Dim>(spin, place - centre)));
      }
      table.cell(vtk::Cell::polygon, points, i, body.material, body.fixed, motion);
    }
  }
}

template <int Dim>
void VtkExport<Dim>::Geometry::add_framework(Table<Dim>& table, const State<Dim>& state) const {
  constexpr int kNoMaterial = -1;
  constexpr int kNothing = -1;  // bars touch nothing and have no number
  const Framework<Dim>& framework = scene.framework;
  std::vector<int> points;
  for (std::size_t i = 0; i < framework.points.size(); ++i) {
    points.push_back(table.point(state.points[i], state.point_velocities[i]));
  }
  const auto add = [&](vtk::Cell type, const std::vector<int>& corners, int thing) {
    std::vector<int> cell;
    Twist<Dim> mean = Twist<Dim>::Zero();
    bool fixed = true;
    for (const int corner : corners) {
      const auto index = static_cast<std::size_t>(corner);
      cell.push_back(points[index]);
      mean.template head<Dim>() +=
          state.point_velocities[index] / static_cast<double>(corners.size());
      fixed = fixed && framework.points[index].fixed;
    }
    table.cell(type, cell, thing, kNoMaterial, fixed, mean);
  };
  int thing = static_cast<int>(scene.bodies.size());
  for (const std::vector<int>& face : framework.faces) add(vtk::Cell::polygon, face, thing++);
  for (const auto& [p, q] : framework.bars) add(vtk::Cell::line, {p, q}, kNothing);
  for (int i = 0; i < std::ssize(framework.points); ++i) add(vtk::Cell::vertex, {i}, thing++);
}

template <int Dim>
std::string VtkExport<Dim>::bodies(const State<Dim>& state) const {
  Table<Dim> table;
  geometry_->add_bodies(table, state);
  geometry_->add_framework(table, state);
  return table.finish();
}

template <int Dim>
std::string vtk_contacts(const std::vector<ContactForce<Dim>>& forces) {
  vtk::Grid grid;
  std::vector<int> a;
  std::vector<int> b;
  std::vector<Vec<Dim>> normals;
  std::vector<Vec<Dim>> vectors;
  for (const ContactForce<Dim>& force : forces) {
    grid.cell(vtk::Cell::vertex, {grid.point(force.point)});
    a.push_back(force.id.a);
    b.push_back(force.id.b);
    normals.push_back(force.normal);
    vectors.push_back(force.force);
  }
  grid.on_points("force", vectors);
  grid.on_points("normal", normals);
  grid.on_points("a", a);
  grid.on_points("b", b);
  return grid.finish();
}

template class VtkExport<2>;
template class VtkExport<3>;
template std::string vtk_contacts(const std::vector<ContactForce<2>>& forces);
template std::string vtk_contacts(const std::vector<ContactForce<3>>& forces);

std::string vtk_collection(const std::vector<VtkStep>& steps) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const VtkStep& step : steps) {
    const auto add = [&](int part, const char* name, const std::string& file) {
      text +=
          fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"{}\" name=\"{}\" file=\"{}\"/>\n",
                      step.time, part, name, svg::escape(file));
    };
    add(0, "bodies", step.bodies);
    if (!step.contacts.empty()) add(1, "contacts", step.contacts);
  }
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace collapse
