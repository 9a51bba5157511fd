/// Scenes in space as .vtu files, read back.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>

#include "collapse/io/scene_reader.hpp"
#include "collapse/io/vtk.hpp"

namespace collapse {
namespace {

/// A file of VTK's XML, as much of it as grids in binary form need.
class VtuFile {
 public:
  explicit VtuFile(const std::string& text) : text_(text) {
    EXPECT_NE(text.find("<VTKFile type=\"UnstructuredGrid\""), std::string::npos);
    EXPECT_NE(text.find("byte_order=\"LittleEndian\""), std::string::npos);
    EXPECT_NE(text.find("header_type=\"UInt64\""), std::string::npos);
  }

  /// Numbers of the piece's first tag.
  [[nodiscard]] std::size_t count(const std::string& what) const {
    return std::stoul(attribute(text_.substr(text_.find("<Piece ")), what));
  }
  [[nodiscard]] std::vector<double> numbers(const std::string& section,
                                            const std::string& name) const {
    const std::size_t begin = text_.find("<" + section + ">");
    const std::size_t end = text_.find("</" + section + ">");
    const std::size_t at = text_.find(" Name=\"" + name + "\"", begin);
    if (begin == std::string::npos || at == std::string::npos || at > end) {
      ADD_FAILURE() << "no array " << name << " in " << section;
      return {};
    }
    const std::size_t tag = text_.rfind('<', at);
    const std::size_t close = text_.find('>', at);
    const std::string head = text_.substr(tag, close + 1 - tag);
    EXPECT_EQ(attribute(head, "format"), "binary");
    return decoded(attribute(head, "type"),
                   bytes_of(text_.substr(close + 1, text_.find('<', close) - close - 1)));
  }
  [[nodiscard]] std::vector<Eigen::Vector3d> vectors(const std::string& section,
                                                     const std::string& name) const {
    const std::vector<double> all = numbers(section, name);
    EXPECT_EQ(all.size() % 3, 0U) << name;
    std::vector<Eigen::Vector3d> rows;
    for (std::size_t i = 0; i + 2 < all.size(); i += 3) {
      rows.emplace_back(all[i], all[i + 1], all[i + 2]);
    }
    return rows;
  }
  /// Of each cell the numbers of its points.
  [[nodiscard]] std::vector<std::vector<std::size_t>> cells() const {
    const std::vector<double> points = numbers("Cells", "connectivity");
    std::vector<std::vector<std::size_t>> cells;
    std::size_t begin = 0;
    for (const double offset : numbers("Cells", "offsets")) {
      std::vector<std::size_t>& cell = cells.emplace_back();
      for (; begin < static_cast<std::size_t>(offset); ++begin) {
        cell.push_back(static_cast<std::size_t>(points.at(begin)));
      }
    }
    EXPECT_EQ(begin, points.size());
    return cells;
  }

 private:
  static std::string attribute(const std::string& tag, const std::string& name) {
    const std::size_t at = tag.find(" " + name + "=\"") + name.size() + 3;
    return tag.substr(at, tag.find('"', at) - at);
  }
  static std::string bytes_of(const std::string& base64) {
    static const std::string kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int held = 0;
    for (const char letter : base64.substr(0, base64.find('='))) {
      const std::size_t value = kLetters.find(letter);
      EXPECT_NE(value, std::string::npos) << letter;
      bits = (bits << 6U) | static_cast<std::uint32_t>(value);
      held += 6;
      if (held < 8) continue;
      held -= 8;
      bytes += static_cast<char>((bits >> static_cast<unsigned>(held)) & 0xFFU);
    }
    return bytes;
  }
  static std::uint64_t word(const std::string& bytes, std::size_t at, std::size_t size) {
    std::uint64_t bits = 0;
    for (std::size_t i = size; i-- > 0;) {
      bits = (bits << 8U) | static_cast<unsigned char>(bytes.at(at + i));
    }
    return bits;
  }
  static std::vector<double> decoded(const std::string& type, const std::string& bytes) {
    EXPECT_EQ(word(bytes, 0, 8), bytes.size() - 8);
    const std::size_t size = type == "Float64" ? 8 : type == "Int32" ? 4 : 1;
    std::vector<double> numbers;
    for (std::size_t at = 8; at < bytes.size(); at += size) {
      const std::uint64_t bits = word(bytes, at, size);
      if (type == "Float64") {
        numbers.push_back(std::bit_cast<double>(bits));
      } else if (type == "Int32") {
        numbers.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
      } else {
        EXPECT_EQ(type, "UInt8");
        numbers.push_back(static_cast<double>(bits));
      }
    }
    return numbers;
  }

  std::string text_;
};

/// What a closed surface of polygons, counter-clockwise seen from outside, encloses.
struct Enclosed {
  double volume = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();   ///< moment: the volume times its centroid
  Eigen::Vector3d vector = Eigen::Vector3d::Zero();  ///< area: zero if the surface is closed
  int polygons = 0;
};

std::vector<Enclosed> enclosed(const VtuFile& file, std::size_t bodies) {
  std::vector<Enclosed> all(bodies);
  const auto points = file.vectors("Points", "Points");
  const auto cells = file.cells();
  const auto owner = file.numbers("CellData", "body");
  for (std::size_t c = 0; c < cells.size(); ++c) {
    Enclosed& body = all.at(static_cast<std::size_t>(owner.at(c)));
    ++body.polygons;
    const std::vector<std::size_t>& cell = cells[c];
    for (std::size_t i = 2; i < cell.size(); ++i) {
      const Eigen::Vector3d& p = points.at(cell[0]);
      const Eigen::Vector3d& q = points.at(cell[i - 1]);
      const Eigen::Vector3d& r = points.at(cell[i]);
      const double cone = p.dot(q.cross(r)) / 6.0;
      body.volume += cone;
      body.first += cone * (p + q + r) / 4.0;
      body.vector += (q - p).cross(r - p) / 2.0;
    }
  }
  return all;
}

const std::string kVtkSpaceScene = R"({"collapse": 1, "dimension": 3, "name": "solids",
  "materials": {"default": {"friction": 0}, "oak": {"friction": 1}}, "bodies": [
  {"name": "ground", "plane": {"normal": [0, 0, 1]}},
  {"name": "box", "box": [2, 4, 6], "position": [1, 2, 3], "material": "oak"},
  {"name": "turned", "box": [2, 4, 6], "position": [10, 2, 5], "rotation_vector": [20, 70, -40],
   "velocity": [3, -1, 2], "spin": [0.5, -2, 1.5]},
  {"name": "corner", "hull": [[20, 0, 0], [22, 0, 0], [20, 4, 0], [20, 0, 6]], "fixed": true},
  {"name": "ell", "position": [0, 20, 0],
   "parts": [{"box": [2, 2, 1], "position": [0, 0, "1/2"]}, {"box": [1, 2, 1], "position": ["-1/2", 0, "3/2"]}]},
  {"name": "ball", "sphere": 1, "position": [-9, 0, 1]},
  {"name": "drum", "cylinder": [2, 3], "position": [-9, 9, "3/2"]}]})";

TEST(VtkInSpace, EveryBodyIsAClosedSurfaceAroundItsVolume) {
  const Scene<3> scene = parse_scene<3>(kVtkSpaceScene);
  const State<3> state = initial_state(scene);
  const VtuFile file(VtkExport<3>(scene, {state}).bodies(state));
  EXPECT_EQ(file.cells().size(), file.count("NumberOfCells"));
  EXPECT_EQ(file.vectors("Points", "Points").size(), file.count("NumberOfPoints"));
  for (const double type : file.numbers("Cells", "types")) EXPECT_EQ(type, 7.0);
  const std::vector<Enclosed> bodies = enclosed(file, scene.bodies.size());
  const double pi = std::numbers::pi;
  // Round ones are inscribed; the area of 48 corners is that of the circle times sin(x)/x at x = 2π/48.
  const double inscribed = 48.0 / (2.0 * pi) * std::sin(2.0 * pi / 48.0);
  const std::vector<double> volume{48.0, 48.0, 8.0, 6.0, 4.0 * pi / 3.0, 12.0 * pi * inscribed};
  const std::vector<Eigen::Vector3d> centre{{1, 2, 3},        {10, 2, 5},
                                            {20.5, 1.0, 1.5}, {-1.0 / 6.0, 20.0, 5.0 / 6.0},
                                            {-9, 0, 1},       {-9, 9, 1.5}};
  for (std::size_t i = 0; i < volume.size(); ++i) {
    const Enclosed& body = bodies[i + 1];
    const double of_ball = scene.bodies[i + 1].name == "ball" ? 0.01 * volume[i] : 0.0;
    EXPECT_NEAR(body.volume, volume[i], of_ball + 1e-9) << scene.bodies[i + 1].name;
    EXPECT_LE(body.volume, volume[i] + 1e-9) << scene.bodies[i + 1].name;
    EXPECT_LT((body.first / body.volume - centre[i]).norm(), 1e-9) << scene.bodies[i + 1].name;
    EXPECT_LT(body.vector.norm(), 1e-9) << scene.bodies[i + 1].name;
  }
  EXPECT_EQ(bodies[1].polygons, 6);
  EXPECT_EQ(bodies[3].polygons, 4);
}

TEST(VtkInSpace, TheGroundReachesUnderAllThatIsShown) {
  const Scene<3> scene = parse_scene<3>(kVtkSpaceScene);
  const State<3> state = initial_state(scene);
  const VtuFile file(VtkExport<3>(scene, {state}).bodies(state));
  const auto points = file.vectors("Points", "Points");
  const auto cells = file.cells();
  const auto owner = file.numbers("CellData", "body");
  Eigen::AlignedBox3d ground;
  Eigen::AlignedBox3d rest;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (const std::size_t point : cells[c]) {
      (owner[c] == 0.0 ? ground : rest).extend(points.at(point));
    }
  }
  EXPECT_EQ(ground.max().z(), 0.0);
  EXPECT_LT(ground.min().z(), 0.0);
  for (const int axis : {0, 1}) {
    EXPECT_LE(ground.min()[axis], rest.min()[axis]);
    EXPECT_GE(ground.max()[axis], rest.max()[axis]);
  }
}

TEST(VtkInSpace, PointsMoveAsTheirBodyDoes) {
  const Scene<3> scene = parse_scene<3>(kVtkSpaceScene);
  const State<3> state = initial_state(scene);
  const VtuFile file(VtkExport<3>(scene, {state}).bodies(state));
  const auto points = file.vectors("Points", "Points");
  const auto velocity = file.vectors("PointData", "velocity");
  const auto cells = file.cells();
  const auto owner = file.numbers("CellData", "body");
  const auto spin = file.vectors("CellData", "spin");
  const auto of_body = file.vectors("CellData", "body velocity");
  ASSERT_EQ(velocity.size(), points.size());
  ASSERT_EQ(spin.size(), cells.size());
  ASSERT_EQ(of_body.size(), cells.size());
  const Eigen::Vector3d v(3, -1, 2);
  const Eigen::Vector3d w(0.5, -2, 1.5);
  int corners = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const bool moves = owner[c] == 2.0;
    EXPECT_LT((spin[c] - (moves ? w : Eigen::Vector3d::Zero())).norm(), 1e-12);
    EXPECT_LT((of_body[c] - (moves ? v : Eigen::Vector3d::Zero())).norm(), 1e-12);
    for (const std::size_t point : cells[c]) {
      const Eigen::Vector3d arm = points[point] - Eigen::Vector3d(10, 2, 5);
      const Eigen::Vector3d expected(v.x() + w.y() * arm.z() - w.z() * arm.y(),
                                     v.y() + w.z() * arm.x() - w.x() * arm.z(),
                                     v.z() + w.x() * arm.y() - w.y() * arm.x());
      if (moves) ++corners;
      EXPECT_LT((velocity[point] - (moves ? expected : Eigen::Vector3d::Zero())).norm(), 1e-12);
    }
  }
  EXPECT_EQ(corners, 24);
}

TEST(VtkInSpace, CellsTellTheirMaterialAndWhatIsFixed) {
  const Scene<3> scene = parse_scene<3>(kVtkSpaceScene);
  const State<3> state = initial_state(scene);
  const VtuFile file(VtkExport<3>(scene, {state}).bodies(state));
  const auto owner = file.numbers("CellData", "body");
  const auto fixed = file.numbers("CellData", "fixed");
  const auto material = file.numbers("CellData", "material");
  ASSERT_EQ(fixed.size(), owner.size());
  ASSERT_EQ(material.size(), owner.size());
  std::set<double> of_box;
  std::set<double> of_others;
  for (std::size_t c = 0; c < owner.size(); ++c) {
    EXPECT_EQ(fixed[c], owner[c] == 0.0 || owner[c] == 3.0 ? 1.0 : 0.0) << owner[c];
    (owner[c] == 1.0 ? of_box : of_others).insert(material[c]);
  }
  EXPECT_EQ(of_box.size(), 1U);
  EXPECT_EQ(of_others.size(), 1U);
  EXPECT_NE(of_box, of_others);
}

TEST(VtkInSpace, ContactsAreVerticesWithTheirForce) {
  std::vector<ContactForce<3>> forces(3);
  for (int i = 0; i < 3; ++i) {
    ContactForce<3>& contact = forces[static_cast<std::size_t>(i)];
    contact.id.a = i;
    contact.id.b = 7 - i;
    contact.point = Vec<3>(0.1 + i, -2.0, 1e-9 * i);
    contact.normal = Vec<3>::Unit(i);
    contact.force = Vec<3>(1.0 / 3.0, 1e300, -0.25 * i);
  }
  const VtuFile file(vtk_contacts(forces));
  const auto points = file.vectors("Points", "Points");
  const auto force = file.vectors("PointData", "force");
  const auto normal = file.vectors("PointData", "normal");
  ASSERT_EQ(points.size(), 3U);
  ASSERT_EQ(force.size(), 3U);
  ASSERT_EQ(normal.size(), 3U);
  EXPECT_EQ(file.numbers("PointData", "a"), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(file.numbers("PointData", "b"), (std::vector<double>{7, 6, 5}));
  EXPECT_EQ(file.numbers("Cells", "types"), (std::vector<double>{1, 1, 1}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(points[i], forces[i].point);
    EXPECT_EQ(force[i], forces[i].force);
    EXPECT_EQ(normal[i], forces[i].normal);
    EXPECT_EQ(file.cells().at(i), std::vector<std::size_t>{i});
  }
  EXPECT_EQ(VtuFile(vtk_contacts(std::vector<ContactForce<3>>())).count("NumberOfPoints"), 0U);
}

}  // namespace
}  // namespace collapse
