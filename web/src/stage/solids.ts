/// Bodies in space as triangles and edges: polyhedra with flat faces, and round solids whose rims the shader draws.
import type { Mesh } from './outline';
import type { BodyShape } from './types';

type Vec3 = readonly [number, number, number];

/// Of a circle, by how many round bodies there are at least: those of a crowd are small, and all of them move.
const kSides = [[2000, 16], [600, 24], [200, 32], [0, 64]] as const;

const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Vec3): Vec3 => {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};

/// Two directions across a unit vector: with it, right-handed.
function across(axis: Vec3): [Vec3, Vec3] {
  const u = unit(cross(Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], axis));
  return [u, cross(axis, u)];
}

/// Triangles with flat normals, and the edges that are given.
function addPolyhedron(mesh: Mesh, body: number, { points, triangles, edges }: NonNullable<BodyShape['solid']>): void {
  const at = (i: number): Vec3 => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [at(triangles[t]), at(triangles[t + 1]), at(triangles[t + 2])];
    const normal = unit(cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]));
    for (const corner of [a, b, c]) {
      mesh.indices.push(mesh.bodies.length);
      mesh.positions.push(...corner);
      mesh.normals.push(...normal);
      mesh.bodies.push(body);
      mesh.round.push(0);
    }
  }
  for (let e = 0; e < edges.length; e += 2) addEdge(mesh, body, at(edges[e]), at(edges[e + 1]), 1);
}

function addEdge(mesh: Mesh, body: number, from: Vec3, to: Vec3, strength: number): void {
  mesh.edges.push(...from, ...to);
  mesh.edgeBodies.push(body);
  mesh.edgeStrengths[mesh.edgeBodies.length - 1] = strength;
}

/// The edges of one body as those of another of the same shape.
export function copyEdges(from: Mesh, body: number, to: Mesh): void {
  from.edgeBodies.forEach((_, e) => {
    for (let k = 6 * e; k < 6 * e + 6; ++k) to.edges.push(from.edges[k]);
    to.edgeBodies.push(body);
    to.edgeStrengths[to.edgeBodies.length - 1] = from.edgeStrengths[e] ?? 1;
  });
}

/// A circle about an axis through its centre.
function addCircle(mesh: Mesh, body: number, centre: Vec3, axis: Vec3, radius: number, strength: number, sides: number): void {
  const [u, v] = across(axis);
  const at = (i: number): Vec3 => {
    const [c, s] = [radius * Math.cos((2 * Math.PI * i) / sides), radius * Math.sin((2 * Math.PI * i) / sides)];
    return [centre[0] + c * u[0] + s * v[0], centre[1] + c * u[1] + s * v[1], centre[2] + c * u[2] + s * v[2]];
  };
  for (let i = 0; i < sides; ++i) addEdge(mesh, body, at(i), at(i + 1), strength);
}

/// One ring of a surface about an axis: how far along it, how wide, and which way its normal points.
interface Ring {
  along: number;
  radius: number;
  /// Along the axis, and away from it.
  normal: [number, number];
}

/// A surface of revolution from ring to ring. Where two rings are at the same place the surface has an edge.
function addTurned(mesh: Mesh, body: number, centre: Vec3, axis: Vec3, rings: readonly Ring[], round: boolean, sides: number): void {
  const [u, v] = across(axis);
  const first = mesh.bodies.length;
  for (const { along, radius, normal } of rings) {
    for (let i = 0; i <= sides; ++i) {
      const angle = (2 * Math.PI * (i % sides)) / sides;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (const k of [0, 1, 2] as const) {
        const out = c * u[k] + s * v[k];
        mesh.positions.push(centre[k] + along * axis[k] + radius * out);
        mesh.normals.push(normal[0] * axis[k] + normal[1] * out);
      }
      mesh.bodies.push(body);
      mesh.round.push(round ? 1 : 0);
    }
  }
  for (let r = 0; r + 1 < rings.length; ++r) {
    for (let i = 0; i < sides; ++i) {
      const a = first + r * (sides + 1) + i;
      const b = a + sides + 1;
      mesh.indices.push(a, a + 1, b + 1, a, b + 1, b);
    }
  }
}

/// A part of a sphere, between two angles above the equator.
function cap(from: number, to: number, middle: number, radius: number, steps: number): Ring[] {
  return Array.from({ length: steps + 1 }, (_, i): Ring => {
    const angle = from + ((to - from) * i) / steps;
    const [c, s] = [Math.abs(angle) === Math.PI / 2 ? 0 : Math.cos(angle), Math.sin(angle)];
    return { along: middle + radius * s, radius: radius * c, normal: [s, c] };
  });
}

/// Great circles show how a sphere is turned.
const kFaint = 0.5;
const kUp: Vec3 = [0, 0, 1];

function addBall(mesh: Mesh, body: number, [x, y, z, r]: readonly number[], sides: number): void {
  addTurned(mesh, body, [x, y, z], kUp, cap(-Math.PI / 2, Math.PI / 2, 0, r, sides / 2), true, sides);
  for (const axis of [kUp, [1, 0, 0], [0, 1, 0]] as Vec3[]) addCircle(mesh, body, [x, y, z], axis, 1.0005 * r, kFaint, sides);
}

function addCylinder(mesh: Mesh, body: number, numbers: readonly number[], sides: number): void {
  const [x, y, z, ax, ay, az, r, half] = numbers;
  const [centre, axis]: [Vec3, Vec3] = [[x, y, z], [ax, ay, az]];
  addTurned(mesh, body, centre, axis, [{ along: -half, radius: r, normal: [0, 1] }, { along: half, radius: r, normal: [0, 1] }], true, sides);
  for (const side of [-1, 1]) {
    const disk: Ring[] = [{ along: side * half, radius: 0, normal: [side, 0] }, { along: side * half, radius: r, normal: [side, 0] }];
    addTurned(mesh, body, centre, axis, side < 0 ? disk : disk.reverse(), false, sides);
    const end: Vec3 = [x + side * half * ax, y + side * half * ay, z + side * half * az];
    addCircle(mesh, body, end, axis, r, 1, sides);
    const [u] = across(axis);
    const at = (t: number): Vec3 => [end[0] + t * r * u[0], end[1] + t * r * u[1], end[2] + t * r * u[2]];
    addEdge(mesh, body, at(0.55), at(0.9), 0.6);
  }
}

function addCapsule(mesh: Mesh, body: number, numbers: readonly number[], sides: number): void {
  const [x, y, z, ex, ey, ez, r] = numbers;
  const length = Math.hypot(ex - x, ey - y, ez - z);
  const axis: Vec3 = length > 0 ? unit([ex - x, ey - y, ez - z]) : kUp;
  const rings = [...cap(-Math.PI / 2, 0, 0, r, sides / 4), ...cap(0, Math.PI / 2, length, r, sides / 4)];
  addTurned(mesh, body, [x, y, z], axis, rings, true, sides);
  for (const end of [[x, y, z], [ex, ey, ez]] as Vec3[]) addCircle(mesh, body, end, axis, 1.0005 * r, kFaint, sides);
}

/// `many`: how many round solids there are in all.
export function addSolid(mesh: Mesh, body: number, shape: BodyShape, many: number): void {
  const sides = kSides.find(([least]) => many >= least)![1];
  if (shape.solid) addPolyhedron(mesh, body, shape.solid);
  const each = (numbers: readonly number[] | undefined, size: number, add: typeof addBall): void => {
    for (let i = 0; numbers && i + size <= numbers.length; i += size) add(mesh, body, numbers.slice(i, i + size), sides);
  };
  each(shape.balls, 4, addBall);
  each(shape.cylinders, 8, addCylinder);
  each(shape.capsules, 7, addCapsule);
}

export const roundSolids = (shape: BodyShape): number =>
  shape.balls.length / 4 + (shape.cylinders?.length ?? 0) / 8 + (shape.capsules?.length ?? 0) / 7;

/// Calls `one` with points and radii of balls around them whose boxes hold the shape.
export function coverShape(shape: BodyShape, one: (x: number, y: number, z: number, rx: number, ry: number, rz: number) => void): void {
  const points = shape.solid?.points ?? [];
  for (let i = 0; i + 2 < points.length; i += 3) one(points[i], points[i + 1], points[i + 2], 0, 0, 0);
  for (let i = 0; i + 3 < shape.balls.length; i += 4) {
    const [x, y, z, r] = shape.balls.slice(i, i + 4);
    one(x, y, z, r, r, r);
  }
  const { cylinders = [], capsules = [] } = shape;
  for (let i = 0; i + 7 < cylinders.length; i += 8) {
    const [x, y, z, ax, ay, az, r, half] = cylinders.slice(i, i + 8);
    const reach = (a: number): number => half * Math.abs(a) + r * Math.sqrt(Math.max(0, 1 - a * a));
    one(x, y, z, reach(ax), reach(ay), reach(az));
  }
  for (let i = 0; i + 6 < capsules.length; i += 7) {
    const [x, y, z, ex, ey, ez, r] = capsules.slice(i, i + 7);
    one(x, y, z, r, r, r);
    one(ex, ey, ez, r, r, r);
  }
}

/// The shortest side of the box around a shape; 0 for a half space.
export function solidThickness(shape: BodyShape): number {
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  coverShape(shape, (x, y, z, rx, ry, rz) => {
    [x, y, z].forEach((value, k) => {
      const r = [rx, ry, rz][k];
      low[k] = Math.min(low[k], value - r);
      high[k] = Math.max(high[k], value + r);
    });
  });
  return low[0] <= high[0] ? Math.min(...high.map((value, k) => value - low[k])) : 0;
}
