/// Fixed plates that hold what is free: seen from outside they are left out but for their edges, so that one can look in.
import { turnedBy, type Vec3 } from './raycast';
import type { BodyShape, StageGeometry } from './types';

/// Of its size: a plate is no thicker.
const kThin = 0.1;
/// Share of the free bodies that a wall has on one side.
const kMost = 0.9;

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/// Across a plate, of length one; nothing if the shape is none.
function across({ solid, balls, cylinders = [], capsules = [] }: BodyShape): Vec3 | undefined {
  if (!solid || balls.length + cylinders.length + capsules.length > 0) return undefined;
  const corner = (i: number): Vec3 => [solid.points[3 * i], solid.points[3 * i + 1], solid.points[3 * i + 2]];
  const corners = Array.from({ length: solid.points.length / 3 }, (_, i) => corner(i));
  const breadth = (way: Vec3): number => {
    const along = corners.map((p) => dot(way, p));
    return Math.max(...along) - Math.min(...along);
  };
  const size = Math.hypot(breadth([1, 0, 0]), breadth([0, 1, 0]), breadth([0, 0, 1]));
  for (let t = 0; t < solid.triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => corner(solid.triangles[t + k]));
    const [u, v] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - a[k])];
    const n: Vec3 = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n);
    if (length === 0) continue;
    const unit: Vec3 = [n[0] / length, n[1] / length, n[2] / length];
    if (breadth(unit) <= kThin * size) return unit;
  }
  return undefined;
}

/// Of each body that is a wall the direction to what it holds, in its own axes; zeros of the others. Poses as in
/// Stage.setPoses.
export function inwards({ bodies }: StageGeometry, poses: Float64Array): Float32Array {
  const out = new Float32Array(3 * bodies.length);
  const middle = (i: number): Vec3 => [poses[7 * i], poses[7 * i + 1], poses[7 * i + 2]];
  const free = bodies.flatMap((body, i) => (body.fixed || !Number.isFinite(poses[7 * i]) ? [] : [middle(i)]));
  if (free.length === 0) return out;
  bodies.forEach((body, i) => {
    const own = body.fixed ? across(body.shape) : undefined;
    if (!own) return;
    const way = turnedBy(Array.from(poses.subarray(7 * i + 3, 7 * i + 7)), own);
    const here = dot(way, middle(i));
    const before = free.filter((p) => dot(way, p) > here).length / free.length;
    const side = before >= kMost ? 1 : before <= 1 - kMost ? -1 : 0;
    out.set(own.map((x) => side * x), 3 * i);
  });
  return out;
}
