#include <numbers>

#include "scenes/recipes.hpp"
#include "scenes/rotation.hpp"

namespace collapse::scenes {
namespace {

/// A needle (a rhombus of length 1 and width 1/100) with one tip on the floor and one on the wall,
/// so that its centre of mass is exactly halfway. With the same friction at both ends it stands up
/// to θ = 2 arctan μ from the vertical: tan(θ/2) ≤ μ.
Document make_ladder(const Options& options) {
  const bool by_tangent = options.text("half-tangent") != "none";
  // Flatter or steeper, the needle's sides would cut into the floor or the wall.
  const Rational degrees = options.number("lean", {.low = 1, .high = 89});
  const Rational t =
      by_tangent
          ? options.number("half-tangent", {.low = Rational(1, 100), .high = Rational(98, 100)})
          : half_tangent(to_double(degrees) * std::numbers::pi / 180);
  const Point direction = circle_point(t);  // (cos θ, sin θ)
  const Rational& rise = direction[0];
  const Rational& run = direction[1];
  const Point middle(run / 2, rise / 2);
  const Point half_width = direction / Rational(200);

  Document scene("ladder, " +
                     (by_tangent ? "tan(lean/2) = " + options.text("half-tangent")
                                 : "lean " + options.text("lean") + " degrees") +
                     ", friction " + options.text("friction"),
                 options.friction());
  scene.add_ground();
  scene.add_plane("wall", Point(1, 0), 0);
  scene.add_polygon("ladder",
                    {Point(run, 0), middle + half_width, Point(0, rise), middle - half_width});
  return scene;
}

/// A block with sides along the slope (1, s) and across it (−s, 1), on a fixed slope of tangent s:
/// slides if s > μ, tips if s > b/h.
Document make_slope(const Options& options) {
  const Rational slope = options.number("slope", {.low = 0, .high = 1000});
  const Rational aspect = options.number("aspect", {.low = 0, .high = 1000, .open_low = true});
  const Point along(1, slope);
  const Point across(-slope, 1);

  Document scene("block on a slope of " + options.text("slope") + ", aspect " +
                     options.text("aspect") + ", friction " + options.text("friction"),
                 options.friction());
  scene.add_plane("slope", across, 0);
  scene.add_polygon("block", {Point(0, 0), aspect * along, aspect * along + across, across});
  return scene;
}

/// A wedge (mass M) that is free to move on the floor, its tangent s, and a block (mass m) on it.
/// With μ ≥ s it stands. Without friction the block slides down and the wedge moves away with the
/// acceleration m g sin θ cos θ/(M + m sin²θ); for s ≤ 1 neither tips.
Document make_wedge(const Options& options) {
  const Rational slope = options.number("angle", {.low = 0, .high = 1, .open_low = true});
  const Range masses{.low = 0, .high = 1'000'000'000, .open_low = true};
  BodyTraits wedge;
  wedge.mass = options.number("wedge-mass", masses);
  BodyTraits block;
  block.mass = options.number("block-mass", masses);
  const Point along(1, -slope);
  const Point across(slope / 2, Rational(1, 2));
  const Point corner(Rational(5, 2), slope * Rational(3, 2));

  Document scene("block on a movable wedge, tangent " + options.text("angle") + ", friction " +
                     options.text("friction"),
                 options.friction());
  scene.add_ground();
  scene.add_polygon("wedge", {Point(0, 0), Point(4, 0), Point(0, 4 * slope)}, wedge);
  scene.add_polygon("block", {corner, corner + along, corner + along + across, corner + across},
                    block);
  return scene;
}

/// Two equal cylinders on the floor and one on top of them, all touching: stands for μ ≥ 2 − √3.
Document make_cylinders(const Options& options) {
  // Above √3 by 6.5e-14: the gaps are far below the tolerance of touching.
  const Rational root_3(3650401, 2107560);
  Document scene("three cylinders, friction " + options.text("friction"), options.friction());
  scene.add_ground();
  scene.add_disk("left", 1, Point(-1, 1));
  scene.add_disk("right", 1, Point(1, 1));
  scene.add_disk("top", 1, Point(0, 1 + root_3));
  return scene;
}

}  // namespace

std::vector<Recipe> friction_recipes() {
  return {
      {{"ladder",
        "a ladder between floor and wall; it stands up to a lean of 2 arctan(friction)",
        {{"lean", "40", "angle from the vertical in degrees"},
         {"half-tangent", "none", "tan(lean/2) as an exact number, instead of lean"},
         friction_option("1/2")}},
       make_ladder},
      {{"slope",
        "a block on a slope: slides above slope = friction, tips above slope = aspect",
        {{"slope", "1/2", "tangent of the slope's angle"},
         {"aspect", "1", "width over height of the block"},
         friction_option("3/5")}},
       make_slope},
      {{"wedge",
        "a block on a movable wedge: stands for friction of at least the angle's tangent",
        {{"angle", "1/2", "tangent of the wedge's angle"},
         {"wedge-mass", "2", "mass of the wedge"},
         {"block-mass", "1", "mass of the block"},
         friction_option()}},
       make_wedge},
      {{"cylinders",
        "two cylinders and one on top of them: stands for friction of at least 2 - sqrt(3)",
        {friction_option("3/10")}},
       make_cylinders},
  };
}

}  // namespace collapse::scenes
