#include "io/page_shapes.hpp"

#include "io/facets.hpp"

namespace collapse {
namespace {

void append(PageJson& list, const PageJson& numbers) {
  list.insert(list.end(), numbers.begin(), numbers.end());
}

/// Triangles, and the edges that are drawn.
PageJson solid_json(const Surface& surface, const Vec<3>& centre) {
  PageJson points = PageJson::array();
  for (const Vec<3>& point : surface.points) append(points, row(Vec<3>(point - centre)));
  PageJson triangles = PageJson::array();
  for (const Surface::Face& face : surface.faces) {
    for (const std::vector<int>& piece : face.pieces) {
      for (std::size_t i = 2; i < piece.size(); ++i) {
        append(triangles, row(piece[0], piece[i - 1], piece[i]));
      }
    }
  }
  PageJson edges = PageJson::array();
  for (const auto& [from, to] : drawn_edges(surface)) append(edges, row(from, to));
  return {{"points", std::move(points)},
          {"triangles", std::move(triangles)},
          {"edges", std::move(edges)}};
}

}  // namespace

PageJson shape_json(const Body<2>& body) {
  const Shape<2>& shape = body.shape;
  if (shape.half_space) {
    const HalfSpace<2>& half = *shape.half_space;
    return {{"plane", {half.normal[0], half.normal[1], half.offset}}};
  }
  PageJson loops = PageJson::array();
  for (const Loop& loop : shape.boundary) {
    PageJson numbers = PageJson::array();
    for (const Vec<2>& vertex : loop.vertices()) {
      const Vec<2> at = vertex - body.mass.centre;
      numbers.push_back(at[0]);
      numbers.push_back(at[1]);
    }
    loops.push_back(std::move(numbers));
  }
  PageJson json = {{"loops", std::move(loops)}};
  if (shape.balls.empty()) return json;
  PageJson balls = PageJson::array();
  for (const Ball<2>& ball : shape.balls) {
    const Vec<2> at = ball.centre - body.mass.centre;
    for (const double number : {at[0], at[1], ball.radius}) balls.push_back(number);
  }
  json["balls"] = std::move(balls);
  return json;
}

PageJson shape_json(const Body<3>& body) {
  const Shape<3>& shape = body.shape;
  const Vec<3>& centre = body.mass.centre;
  if (shape.half_space) {
    return {{"plane", row(shape.half_space->normal, shape.half_space->offset)}};
  }
  PageJson json = PageJson::object();
  if (!shape.boundary.empty()) json["solid"] = solid_json(shape.boundary, centre);
  PageJson balls = PageJson::array();
  for (const Ball<3>& ball : shape.balls) {
    append(balls, row(Vec<3>(ball.centre - centre), ball.radius));
  }
  if (!balls.empty()) json["balls"] = std::move(balls);
  PageJson cylinders = PageJson::array();
  for (const Cylinder& c : shape.cylinders) {
    append(cylinders, row(Vec<3>(c.centre - centre), c.axis, c.radius, c.half_height));
  }
  if (!cylinders.empty()) json["cylinders"] = std::move(cylinders);
  PageJson capsules = PageJson::array();
  for (const Capsule& c : shape.capsules) {
    append(capsules, row(Vec<3>(c.from - centre), Vec<3>(c.to - centre), c.radius));
  }
  if (!capsules.empty()) json["capsules"] = std::move(capsules);
  return json;
}

}  // namespace collapse
