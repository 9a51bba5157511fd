/// From a body's outline to triangles and edges. In the plane a body becomes a slab of some depth around
/// z = 0; from the front it is its outline, and from the side one sees what it is.
import { ShapeUtils, Vector2 } from 'three';
import type { BodyShape } from './types';

/// Triangles with normals, and edges, of one body or many; `body` is its number at every vertex or edge.
export interface Mesh {
  positions: number[];
  normals: number[];
  bodies: number[];
  /// Of each vertex 1 if the surface is round there, so that its rim is drawn as an edge.
  round: number[];
  indices: number[];
  /// Six numbers per edge.
  edges: number[];
  edgeBodies: number[];
  /// Of each edge, how much it stands out; 1 unless there is a number.
  edgeStrengths: number[];
}

export const emptyMesh = (): Mesh => ({
  positions: [],
  normals: [],
  bodies: [],
  round: [],
  indices: [],
  edges: [],
  edgeBodies: [],
  edgeStrengths: [],
});

/// Twice the area, positive if the loop runs counter-clockwise.
export function signedArea(loop: readonly number[]): number {
  let sum = 0;
  for (let i = 0, j = loop.length - 2; i < loop.length; j = i, i += 2) {
    sum += loop[j] * loop[i + 1] - loop[i] * loop[j + 1];
  }
  return sum;
}

/// Even-odd rule over all loops, so that holes are outside.
export function insideLoops(loops: readonly (readonly number[])[], x: number, y: number): boolean {
  let inside = false;
  for (const loop of loops) {
    for (let i = 0, j = loop.length - 2; i < loop.length; j = i, i += 2) {
      const crosses = loop[i + 1] > y !== loop[j + 1] > y;
      if (crosses && x < loop[i] + ((y - loop[i + 1]) / (loop[j + 1] - loop[i + 1])) * (loop[j] - loop[i])) {
        inside = !inside;
      }
    }
  }
  return inside;
}

export function insideShape(shape: BodyShape, x: number, y: number): boolean {
  if (shape.plane) return shape.plane[0] * x + shape.plane[1] * y <= shape.plane[2];
  if (insideLoops(shape.loops, x, y)) return true;
  for (let i = 0; i + 2 < shape.balls.length; i += 3) {
    if (Math.hypot(x - shape.balls[i], y - shape.balls[i + 1]) <= shape.balls[i + 2]) return true;
  }
  return false;
}

/// Every outside with its holes: each hole belongs to the smallest outside around it.
function groupLoops(loops: readonly (readonly number[])[]): { outside: readonly number[]; holes: (readonly number[])[] }[] {
  const groups = loops
    .filter((loop) => signedArea(loop) > 0)
    .map((outside) => ({ outside, holes: [] as (readonly number[])[] }));
  for (const hole of loops) {
    if (signedArea(hole) > 0) continue;
    const around = groups
      .filter((group) => insideLoops([group.outside], 0.5 * (hole[0] + hole[2]), 0.5 * (hole[1] + hole[3])))
      .sort((a, b) => signedArea(a.outside) - signedArea(b.outside));
    around[0]?.holes.push(hole);
  }
  return groups;
}

const toVectors = (loop: readonly number[]): Vector2[] => {
  const points: Vector2[] = [];
  for (let i = 0; i < loop.length; i += 2) points.push(new Vector2(loop[i], loop[i + 1]));
  return points;
};

function addCaps(mesh: Mesh, body: number, outside: readonly number[], holes: readonly (readonly number[])[], half: number): void {
  const all = [outside, ...holes].flat();
  const faces = ShapeUtils.triangulateShape(toVectors(outside), holes.map(toVectors));
  for (const side of [1, -1]) {
    const first = mesh.bodies.length;
    for (let i = 0; i < all.length; i += 2) {
      mesh.positions.push(all[i], all[i + 1], side * half);
      mesh.normals.push(0, 0, side);
      mesh.bodies.push(body);
    }
    for (const [a, b, c] of faces) {
      if (side > 0) mesh.indices.push(first + a, first + b, first + c);
      else mesh.indices.push(first + a, first + c, first + b);
    }
  }
}

/// Turns sharper than this get an edge across the slab; along round outlines there are none.
const kSharp = Math.cos((25 * Math.PI) / 180);

function addWalls(mesh: Mesh, body: number, loop: readonly number[], half: number): void {
  const count = loop.length / 2;
  for (let i = 0; i < count; ++i) {
    const j = (i + 1) % count;
    const k = (i + 2) % count;
    const [ax, ay, bx, by] = [loop[2 * i], loop[2 * i + 1], loop[2 * j], loop[2 * j + 1]];
    const length = Math.hypot(bx - ax, by - ay);
    if (!(length > 0)) continue;
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    const first = mesh.bodies.length;
    mesh.positions.push(ax, ay, half, bx, by, half, bx, by, -half, ax, ay, -half);
    for (let corner = 0; corner < 4; ++corner) {
      mesh.normals.push(uy, -ux, 0);
      mesh.bodies.push(body);
    }
    mesh.indices.push(first, first + 3, first + 2, first, first + 2, first + 1);
    mesh.edges.push(ax, ay, half, bx, by, half, ax, ay, -half, bx, by, -half);
    mesh.edgeBodies.push(body, body);
    const [vx, vy] = [loop[2 * k] - bx, loop[2 * k + 1] - by];
    if (ux * vx + uy * vy < kSharp * Math.hypot(vx, vy)) {
      mesh.edges.push(bx, by, half, bx, by, -half);
      mesh.edgeBodies.push(body);
    }
  }
}

const kDiskSides = 64;

export function diskLoop(x: number, y: number, r: number): number[] {
  const loop: number[] = [];
  for (let i = 0; i < kDiskSides; ++i) {
    const angle = (2 * Math.PI * i) / kDiskSides;
    loop.push(x + r * Math.cos(angle), y + r * Math.sin(angle));
  }
  return loop;
}

/// A body of the plane that is not a half plane. Disks get a spoke, which shows how they are turned.
export function addSlab(mesh: Mesh, body: number, shape: BodyShape, depth: number): void {
  const half = depth / 2;
  for (const { outside, holes } of groupLoops(shape.loops)) {
    addCaps(mesh, body, outside, holes, half);
    for (const loop of [outside, ...holes]) addWalls(mesh, body, loop, half);
  }
  for (let i = 0; i + 2 < shape.balls.length; i += 3) {
    const [x, y, r] = [shape.balls[i], shape.balls[i + 1], shape.balls[i + 2]];
    const loop = diskLoop(x, y, r);
    addCaps(mesh, body, loop, [], half);
    addWalls(mesh, body, loop, half);
    for (const side of [half, -half]) {
      mesh.edges.push(x + 0.55 * r, y, side, x + 0.9 * r, y, side);
      mesh.edgeBodies.push(body);
    }
  }
}

/// The shorter side of the box around a shape of the plane; 0 for a half plane.
export function thickness(shape: BodyShape): number {
  let [lowX, lowY, highX, highY] = [Infinity, Infinity, -Infinity, -Infinity];
  const include = (x: number, y: number, r = 0): void => {
    lowX = Math.min(lowX, x - r);
    highX = Math.max(highX, x + r);
    lowY = Math.min(lowY, y - r);
    highY = Math.max(highY, y + r);
  };
  for (const loop of shape.loops) for (let i = 0; i < loop.length; i += 2) include(loop[i], loop[i + 1]);
  for (let i = 0; i + 2 < shape.balls.length; i += 3) include(shape.balls[i], shape.balls[i + 1], shape.balls[i + 2]);
  return lowX <= highX ? Math.min(highX - lowX, highY - lowY) : 0;
}
