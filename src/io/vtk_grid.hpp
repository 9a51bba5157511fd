#pragma once
/// An unstructured grid as VTK's XML: points, cells, and arrays of numbers on them. Knows nothing of scenes.

#include <cstdint>
#include <string>
#include <vector>

#include "collapse/geometry/dim.hpp"

namespace collapse::vtk {

enum class Cell : std::uint8_t { vertex = 1, line = 3, polygon = 7 };

class Grid {
 public:
  /// The number of the new point.
  int point(const Vec<2>& place) { return point(Vec<3>(place.x(), place.y(), 0.0)); }
  int point(const Vec<3>& place);
  void cell(Cell type, const std::vector<int>& points);

  /// As many numbers as there are points or cells; vectors of the plane get z = 0.
  void on_points(const std::string& name, const std::vector<int>& values);
  void on_points(const std::string& name, const std::vector<Vec<2>>& values);
  void on_points(const std::string& name, const std::vector<Vec<3>>& values);
  void on_cells(const std::string& name, const std::vector<int>& values);
  void on_cells(const std::string& name, const std::vector<double>& values);
  void on_cells(const std::string& name, const std::vector<Vec<2>>& values);
  void on_cells(const std::string& name, const std::vector<Vec<3>>& values);

  /// The whole file.
  [[nodiscard]] std::string finish() const;

 private:
  std::vector<Vec<3>> points_;
  std::vector<int> connectivity_;
  std::vector<int> offsets_;
  std::vector<std::uint8_t> types_;
  std::string point_data_;
  std::string cell_data_;
};

}  // namespace collapse::vtk
