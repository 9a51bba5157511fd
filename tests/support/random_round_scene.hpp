#pragma once
/// Random structures in space of balls, cylinders, capsules, parts that are not convex, and joints.

#include <algorithm>
#include <string>
#include <vector>

#include "collapse/core/random.hpp"
#include "scenes/space_document.hpp"

namespace collapse::testing {

class RoundDocument : public scenes::SpaceDocument {
 public:
  using Point3 = scenes::Point3;
  using Quaternion = scenes::Quaternion;
  using SpaceDocument::SpaceDocument;

  void add_cylinder(const std::string& name, const Rational& radius, const Rational& height,
                    const Point3& centre, const Quaternion& turn = {}) {
    add_round(name, "cylinder", radius, height, centre, turn);
  }
  void add_capsule(const std::string& name, const Rational& radius, const Rational& length,
                   const Point3& centre, const Quaternion& turn = {}) {
    add_round(name, "capsule", radius, length, centre, turn);
  }
  /// An L seen along y, around the middle of its lower side: as a union, or as a mesh.
  void add_angle(const std::string& name, const Rational& side, bool mesh, const Point3& at,
                 const Quaternion& turn) {
    const Rational half = side / 2;
    scenes::Json& body = add_body(name, {});
    if (mesh) {
      body["mesh"] = angle_mesh(half);
    } else {
      scenes::Json parts = scenes::Json::array();
      parts.push_back({{"box", scenes::vector_json<3>(Point3(side, half, half))},
                       {"position", scenes::vector_json<3>(Point3(0, 0, half / 2))}});
      parts.push_back(
          {{"box", scenes::vector_json<3>(Point3(half, half, half))},
           {"position", scenes::vector_json<3>(Point3(-half / 2, 0, half + half / 2))}});
      body["parts"] = parts;
    }
    body["position"] = scenes::vector_json<3>(at);
    if (!turn.is_identity()) body["orientation"] = scenes::quaternion_json(turn);
  }
  void add_weld(const std::string& a, const std::string& b, const Point3& at) {
    add_joint("weld", a, b, at);
  }

 private:
  void add_round(const std::string& name, const char* key, const Rational& radius,
                 const Rational& length, const Point3& centre, const Quaternion& turn) {
    scenes::Json& body = add_body(name, {});
    body[key] = scenes::Json::array({scenes::number(radius), scenes::number(length)});
    body["position"] = scenes::vector_json<3>(centre);
    if (!turn.is_identity()) body["orientation"] = scenes::quaternion_json(turn);
  }
  static scenes::Json angle_mesh(const Rational& half) {
    std::vector<Point3> points;
    for (const Rational& y : {Rational(-half / 2), Rational(half / 2)}) {
      points.emplace_back(-half, y, 0);
      points.emplace_back(half, y, 0);
      points.emplace_back(half, y, half);
      points.emplace_back(0, y, half);
      points.emplace_back(0, y, 2 * half);
      points.emplace_back(-half, y, 2 * half);
    }
    scenes::Json faces = scenes::Json::array({{0, 1, 2, 3, 4, 5}, {11, 10, 9, 8, 7, 6}});
    for (int i = 0; i < 6; ++i) {
      const int next = (i + 1) % 6;
      faces.push_back({next, i, 6 + i, 6 + next});
    }
    return {{"vertices", scenes::points_json<3>(points)}, {"faces", faces}};
  }
};

/// A unit vector, rational, somewhere about z (perhaps across y); exactly z in one of four.
inline scenes::Point3 random_direction(Random& random, bool across_y = false) {
  const bool straight = random.below(4) == 0;
  const Rational p(straight ? 0 : random.below(17) - 8, 16);
  const Rational q(straight || across_y ? 0 : random.below(17) - 8, 16);
  const Rational square = p * p + q * q;
  return scenes::Point3(2 * p, 2 * q, 1 - square) / (1 + square);
}

inline scenes::Quaternion random_turn_about_z(Random& random) {
  return scenes::turn_about(2, Rational(random.below(9) - 4, 4));
}

/// Lying along some direction of the plane.
inline scenes::Quaternion random_lying(Random& random) {
  return random_turn_about_z(random) * scenes::turn_about(0, 1);
}

struct RandomBall {
  Rational radius;
  scenes::Point3 centre;

  [[nodiscard]] bool overlaps(const RandomBall& other) const {
    const scenes::Point3 apart = centre - other.centre;
    const Rational reach = radius + other.radius;
    return apart.dot(apart) < reach * reach;
  }
};

/// Balls in a corner of planes, each on the one before, against a wall or far from all others.
inline std::string random_balls(Random& random, const Rational& friction) {
  RoundDocument scene("random balls", friction);
  scene.add_ground();
  const int walls = random.below(3);
  if (walls > 0) scene.add_plane("wall x", scenes::Point3(1, 0, 0), 0);
  if (walls > 1) scene.add_plane("wall y", scenes::Point3(3, 4, 0), 0);
  std::vector<RandomBall> placed;
  const auto fits = [&](const RandomBall& ball) {
    const scenes::Point3& at = ball.centre;
    if (at[2] < ball.radius || (walls > 0 && at[0] < ball.radius)) return false;
    if (walls > 1 && 3 * at[0] + 4 * at[1] < 5 * ball.radius) return false;
    return std::none_of(placed.begin(), placed.end(),
                        [&](const RandomBall& other) { return ball.overlaps(other); });
  };
  const int balls = 1 + random.below(5);
  for (int i = 0; i < balls; ++i) {
    const Rational radius(1 + random.below(8), 4);
    // In the corner: it touches the planes 3x + 4y = 0 and x = 0.
    RandomBall ball{radius, scenes::Point3(radius, radius / 2, radius)};
    if (i > 0) {
      const RandomBall& last = placed.back();
      ball.centre = last.centre + (last.radius + radius) * random_direction(random);
      if (!fits(ball)) ball.centre = scenes::Point3(radius, 16 * (i + 1), radius);
    }
    placed.push_back(ball);
    scene.add_sphere("ball " + std::to_string(i + 1), ball.radius, ball.centre);
  }
  return scene.text();
}

/// A ball in the square hole of a frame, held at four edges, or on two rails; something on top.
inline std::string random_cradle(Random& random, const Rational& friction) {
  RoundDocument scene("random cradle", friction);
  scene.add_ground();
  const Rational k(1 + random.below(4), 8);
  const Rational half = 3 * k;
  const Rational wall(1, 2);
  const Rational height = 2 * k;
  const Rational along = 2 * half + 2 * wall;
  const Rational aside = half + wall / 2;
  const scenes::Point3 rail(wall, along, height);
  std::vector<scenes::Brick> rails = {{rail, scenes::Point3(-aside, 0, height / 2)},
                                      {rail, scenes::Point3(aside, 0, height / 2)}};
  const int kind = random.below(4);
  if (kind == 0) {
    const scenes::Point3 across(2 * half, wall, height);
    rails.push_back({across, scenes::Point3(0, -aside, height / 2)});
    rails.push_back({across, scenes::Point3(0, aside, height / 2)});
    scene.add_union("frame", rails);
  } else {
    scene.add_box("left", rails[0].sides, rails[0].centre);
    scene.add_box("right", rails[1].sides, rails[1].centre);
  }
  const scenes::Point3 centre(0, 0, height + 4 * k);
  switch (kind) {
    case 0:
    case 1:
      scene.add_sphere("ball", 5 * k, centre);
      break;
    case 2:
      scene.add_cylinder("roller", 5 * k, wall, centre, scenes::turn_about(0, 1));
      break;
    default:
      scene.add_capsule("capsule", 5 * k, wall, centre, scenes::turn_about(0, 1));
  }
  if (random.below(2) == 0) {
    scene.add_sphere("top", k, centre + 6 * k * random_direction(random, kind > 1));
  }
  return scene.text();
}

/// Things with flat ends on one another, each somewhere on the top of the one before, now and then
/// on two rollers; something round may be the last.
inline std::string random_round_tower(Random& random, const Rational& friction) {
  RoundDocument scene("random rounds", friction);
  scene.add_ground();
  scenes::Point3 at = scenes::Point3::Zero();
  const int solids = 1 + random.below(5);
  for (int i = 0; i < solids; ++i) {
    const std::string number = std::to_string(i + 1);
    const Rational size(2 + random.below(7), 4);
    const Rational height(1 + random.below(8), 4);
    const auto shift = [&random] { return Rational(random.below(13) - 6, 16); };
    if (i > 0) at += scenes::Point3(shift(), shift(), 0);
    const scenes::Point3 middle = at + scenes::Point3(0, 0, height / 2);
    switch (random.below(6)) {
      case 0:
      case 1:
        scene.add_cylinder("cylinder " + number, size / 2, height, middle);
        at[2] += height;
        break;
      case 2:
        scene.add_box("box " + number, scenes::Point3(size, size / 2, height), middle, {},
                      random_turn_about_z(random));
        at[2] += height;
        break;
      case 3: {
        const scenes::Quaternion turn = random_turn_about_z(random);
        scene.add_angle("angle " + number, size, random.below(2) == 0, at, turn);
        at += scenes::turned(turn, scenes::Point3(-size / 4, 0, size));
        break;
      }
      case 4: {
        const scenes::Quaternion turn = random_turn_about_z(random);
        const scenes::Quaternion lying = turn * scenes::turn_about(0, 1);
        const Rational radius(1, 4);
        const scenes::Point3 aside = scenes::turned(turn, scenes::Point3(size / 2, 0, 0));
        const scenes::Point3 up(0, 0, radius);
        const bool capsule = random.below(2) == 0;
        for (const int side : {-1, 1}) {
          const std::string name = "roller " + number + (side < 0 ? " a" : " b");
          const scenes::Point3 centre = at + up + Rational(side) * aside;
          if (capsule) {
            scene.add_capsule(name, radius, size, centre, lying);
          } else {
            scene.add_cylinder(name, radius, size, centre, lying);
          }
        }
        scene.add_box("plate " + number, scenes::Point3(size + 1, size, Rational(1, 4)),
                      at + scenes::Point3(shift(), shift(), 2 * radius + Rational(1, 8)), {}, turn);
        at[2] += 2 * radius + Rational(1, 4);
        break;
      }
      default: {
        const Rational radius = size / 4;
        const scenes::Point3 centre = at + scenes::Point3(0, 0, radius);
        const int kind = random.below(4);
        if (kind == 0) {
          scene.add_sphere("ball " + number, radius, centre);
        } else if (kind == 1) {
          scene.add_capsule("capsule " + number, radius, height, centre, random_lying(random));
        } else if (kind == 2) {
          scene.add_cylinder("lying " + number, radius, height, centre, random_lying(random));
        } else {
          const scenes::Point3 upright(0, 0, radius + height / 2);
          scene.add_capsule("upright " + number, radius, height, at + upright);
        }
        return scene.text();
      }
    }
  }
  return scene.text();
}

/// A slab on rods, a board on a hinge with something under its end, a chain of balls, welded parts.
inline std::string random_joints(Random& random, const Rational& friction) {
  RoundDocument scene("random joints", friction);
  scene.add_ground();
  const auto coordinate = [&random] { return Rational(random.below(17) - 8, 8); };
  const scenes::Point3 sides(2, 2, Rational(1, 2));
  const scenes::Point3 centre(0, 0, 3);
  switch (random.below(4)) {
    case 0: {
      scene.add_box("slab", sides, centre);
      const int rods = 1 + random.below(7);
      for (int i = 0; i < rods; ++i) {
        const scenes::Point3 on(coordinate() / 2, coordinate() / 2, 3);
        const scenes::Point3 off(on[0] + coordinate(), on[1] + coordinate(),
                                 random.below(2) == 0 ? 0 : 6);
        scene.add_rod("slab", "world", on, off);
      }
      if (random.below(2) == 0) {
        scene.add_sphere("ball", Rational(1, 4),
                         scenes::Point3(coordinate() / 2, 0, Rational(7, 2)));
      }
      break;
    }
    case 1: {
      scene.add_box("board", sides, centre);
      const scenes::Point3 at(coordinate(), coordinate(), 3);
      scenes::Point3 axis(coordinate(), coordinate(),
                          random.below(2) == 0 ? Rational(0) : coordinate());
      if (axis.isZero()) axis[1] = 1;
      scene.add_hinge("world", "board", at, axis);
      if (random.below(3) > 0) {
        scene.add_cylinder("post", Rational(1, 4), Rational(11, 4),
                           scenes::Point3(coordinate(), coordinate(), Rational(11, 8)));
      }
      break;
    }
    case 2: {
      std::string above = "world";
      scenes::Point3 at(0, 0, 9);
      const int links = 1 + random.below(4);
      for (int i = 0; i < links; ++i) {
        const std::string name = "link " + std::to_string(i + 1);
        const scenes::Point3 down = -2 * random_direction(random);
        scene.add_sphere(name, Rational(1, 4), at + down / Rational(2));
        if (random.below(3) == 0) {
          scene.add_hinge(above, name, at, scenes::Point3(1, coordinate(), coordinate()));
        } else {
          scene.add_ball(above, name, at);
        }
        above = name;
        at += down;
      }
      if (random.below(2) == 0) scene.add_ball(above, "world", at);
      break;
    }
    default: {
      // Two boxes with a joint between them, on legs or on their own.
      const scenes::Point3 small(1, 1, 1);
      const Rational up = random.below(2) == 0 ? Rational(1, 2) : Rational(1);
      scene.add_box("foot", small, scenes::Point3(0, 0, Rational(1, 2)));
      const scenes::Point3 there(Rational(3, 2) + coordinate() / 4, coordinate() / 4, up);
      scene.add_box("arm", small, there);
      const scenes::Point3 joint(Rational(3, 4), 0, up);
      const int kind = random.below(3);
      if (kind == 0) scene.add_weld("foot", "arm", joint);
      if (kind == 1) scene.add_hinge("foot", "arm", joint, scenes::Point3(coordinate(), 1, 0));
      if (kind == 2) scene.add_ball("foot", "arm", joint);
      scene.add_cylinder("load", Rational(1, 4), 1,
                         there + scenes::Point3(coordinate() / 2, coordinate() / 2, 1));
    }
  }
  return scene.text();
}

}  // namespace collapse::testing
