#include "io/vtk_grid.hpp"

#include <fmt/format.h>

#include <bit>
#include <string_view>
#include <type_traits>

#include "io/base64.hpp"

namespace collapse::vtk {
namespace {

/// Little-endian whatever the machine.
template <class Number>
void append(std::string& bytes, Number number) {
  std::uint64_t bits = 0;
  if constexpr (std::is_same_v<Number, double>) {
    bits = std::bit_cast<std::uint64_t>(number);
  } else {
    bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  }
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    bytes += static_cast<char>((bits >> (8 * i)) & 0xFFU);
  }
}

template <int Dim>
void append(std::string& bytes, const Eigen::Matrix<double, Dim, 1>& vector) {
  for (int i = 0; i < 3; ++i) append(bytes, i < Dim ? vector[i] : 0.0);
}

template <class Number>
constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<Number, std::uint8_t>) return "UInt8";
  if constexpr (std::is_same_v<Number, int>) return "Int32";
  return "Float64";
}

/// The number of bytes, then the bytes.
template <class Number>
std::string array(std::string_view name, const std::vector<Number>& values) {
  std::string bytes;
  for (const Number& value : values) append(bytes, value);
  std::string all;
  append(all, static_cast<std::int64_t>(bytes.size()));
  all += bytes;
  const bool vectors = std::is_same_v<Number, Vec<2>> || std::is_same_v<Number, Vec<3>>;
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\"{} format=\"binary\">{}</DataArray>\n",
                     type_name<Number>(), name, vectors ? " NumberOfComponents=\"3\"" : "",
                     base64(all));
}

}  // namespace

int Grid::point(const Vec<3>& place) {
  points_.push_back(place);
  return static_cast<int>(points_.size()) - 1;
}

void Grid::cell(Cell type, const std::vector<int>& points) {
  connectivity_.insert(connectivity_.end(), points.begin(), points.end());
  offsets_.push_back(static_cast<int>(connectivity_.size()));
  types_.push_back(static_cast<std::uint8_t>(type));
}

void Grid::on_points(const std::string& name, const std::vector<int>& values) {
  point_data_ += array(name, values);
}
void Grid::on_points(const std::string& name, const std::vector<Vec<2>>& values) {
  point_data_ += array(name, values);
}
void Grid::on_points(const std::string& name, const std::vector<Vec<3>>& values) {
  point_data_ += array(name, values);
}
void Grid::on_cells(const std::string& name, const std::vector<Vec<3>>& values) {
  cell_data_ += array(name, values);
}
void Grid::on_cells(const std::string& name, const std::vector<int>& values) {
  cell_data_ += array(name, values);
}
void Grid::on_cells(const std::string& name, const std::vector<double>& values) {
  cell_data_ += array(name, values);
}
void Grid::on_cells(const std::string& name, const std::vector<Vec<2>>& values) {
  cell_data_ += array(name, values);
}

std::string Grid::finish() const {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<UnstructuredGrid>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n"
      "<PointData>\n{}</PointData>\n<CellData>\n{}</CellData>\n<Points>\n{}</Points>\n"
      "<Cells>\n{}{}{}</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
      points_.size(), types_.size(), point_data_, cell_data_, array("Points", points_),
      array("connectivity", connectivity_), array("offsets", offsets_), array("types", types_));
}

}  // namespace collapse::vtk
