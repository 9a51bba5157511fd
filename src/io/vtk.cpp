#include "collapse/io/vtk.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/extent.hpp"
#include "io/svg_canvas.hpp"
#include "io/vtk_grid.hpp"

namespace collapse {
namespace {

constexpr int kDiskCorners = 48;

using Polygon = std::vector<Vec<2>>;

Polygon disk_polygon(const Ball<2>& ball) {
  Polygon corners;
  for (int i = 0; i < kDiskCorners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kDiskCorners;
    corners.push_back(ball.centre + ball.radius * Vec<2>(std::cos(angle), std::sin(angle)));
  }
  return corners;
}

/// In body coordinates.
std::vector<Polygon> polygons_of(const Shape<2>& shape) {
  std::vector<Polygon> polygons;
  // VTK's polygons may be non-convex but have no holes.
  const bool whole = shape.boundary.size() == 1;
  for (const Loop& loop : whole ? shape.boundary : shape.pieces)
    polygons.push_back(loop.vertices());
  for (const Ball<2>& ball : shape.balls) polygons.push_back(disk_polygon(ball));
  return polygons;
}

/// A grid in the making with what is told of each point and cell.
struct Table {
  vtk::Grid grid;
  std::vector<int> thing;
  std::vector<int> material;
  std::vector<int> fixed;
  std::vector<double> spin;
  std::vector<Vec<2>> velocity;
  std::vector<Vec<2>> point_velocity;

  int point(const Vec<2>& place, const Vec<2>& its_velocity) {
    point_velocity.push_back(its_velocity);
    return grid.point(place);
  }
  void cell(vtk::Cell type, const std::vector<int>& points, int number, int of_material,
            bool is_fixed, const Twist<2>& motion) {
    grid.cell(type, points);
    thing.push_back(number);
    material.push_back(of_material);
    fixed.push_back(is_fixed ? 1 : 0);
    velocity.emplace_back(motion[0], motion[1]);
    spin.push_back(motion[2]);
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

struct VtkExport::Geometry {
  const Scene<2>& scene;
  std::vector<std::vector<Polygon>> polygons;  ///< by body

  void add_bodies(Table& table, const State<2>& state) const;
  void add_framework(Table& table, const State<2>& state) const;
};

VtkExport::VtkExport(const Scene<2>& scene, const std::vector<State<2>>& shown)
    : geometry_(std::make_unique<Geometry>(Geometry{scene, {}})) {
  Extent extent;
  for (const State<2>& state : shown) extent.include(extent_of(scene, state));
  const TypicalSize typical = typical_size(scene);
  for (const Body<2>& body : scene.bodies) {
    std::vector<Polygon> polygons = polygons_of(body.shape);
    if (body.shape.half_space) {
      // Planes have no pose of their own.
      const Slab slab = slab_of(*body.shape.half_space, Pose<2>(), extent, typical);
      const Vec<2> out = slab.half.y() * slab.normal;
      const Vec<2> along = slab.half.x() * Vec<2>(slab.normal.y(), -slab.normal.x());
      const Vec<2>& middle = slab.middle;
      polygons = {
          {middle - along - out, middle + along - out, middle + along + out, middle - along + out}};
    }
    geometry_->polygons.push_back(std::move(polygons));
  }
}

VtkExport::~VtkExport() = default;

void VtkExport::Geometry::add_bodies(Table& table, const State<2>& state) const {
  for (int i = 0; i < std::ssize(scene.bodies); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const Body<2>& body = scene.bodies[index];
    const Pose<2>& pose = state.poses[index];
    const Twist<2>& motion = state.velocities[index];
    const Vec<2> centre = state.centre(scene, i);
    for (const Polygon& polygon : polygons[index]) {
      std::vector<int> points;
      for (const Vec<2>& corner : polygon) {
        const Vec<2> place = pose.apply(corner);
        const Spin<2> spin(motion[2]);
        points.push_back(
            table.point(place, motion.head<2>() + spin_velocity<2>(spin, place - centre)));
      }
      table.cell(vtk::Cell::polygon, points, i, body.material, body.fixed, motion);
    }
  }
}

void VtkExport::Geometry::add_framework(Table& table, const State<2>& state) const {
  constexpr int kNoMaterial = -1;
  constexpr int kNothing = -1;  // bars touch nothing and have no number
  const Framework<2>& framework = scene.framework;
  std::vector<int> points;
  for (std::size_t i = 0; i < framework.points.size(); ++i) {
    points.push_back(table.point(state.points[i], state.point_velocities[i]));
  }
  const auto add = [&](vtk::Cell type, const std::vector<int>& corners, int thing) {
    std::vector<int> cell;
    Twist<2> mean = Twist<2>::Zero();
    bool fixed = true;
    for (const int corner : corners) {
      const auto index = static_cast<std::size_t>(corner);
      cell.push_back(points[index]);
      mean.head<2>() += state.point_velocities[index] / static_cast<double>(corners.size());
      fixed = fixed && framework.points[index].fixed;
    }
    table.cell(type, cell, thing, kNoMaterial, fixed, mean);
  };
  int thing = static_cast<int>(scene.bodies.size());
  for (const std::vector<int>& face : framework.faces) add(vtk::Cell::polygon, face, thing++);
  for (const auto& [p, q] : framework.bars) add(vtk::Cell::line, {p, q}, kNothing);
  for (int i = 0; i < std::ssize(framework.points); ++i) add(vtk::Cell::vertex, {i}, thing++);
}

std::string VtkExport::bodies(const State<2>& state) const {
  Table table;
  geometry_->add_bodies(table, state);
  geometry_->add_framework(table, state);
  return table.finish();
}

std::string vtk_contacts(const std::vector<ContactForce<2>>& forces) {
  vtk::Grid grid;
  std::vector<int> a;
  std::vector<int> b;
  std::vector<Vec<2>> normals;
  std::vector<Vec<2>> vectors;
  for (const ContactForce<2>& force : forces) {
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
