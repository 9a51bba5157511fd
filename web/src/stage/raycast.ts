/// Which body a line of sight meets first. In double precision, by the shapes themselves.
import type { BodyShape, StageBody } from './types';

export type Vec3 = [number, number, number];

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: readonly number[], b: readonly number[]): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: readonly number[], b: readonly number[]): Vec3 =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/// A vector turned by a quaternion x, y, z, w.
export function turnedBy(q: readonly number[], v: readonly number[]): Vec3 {
  const t = cross(q, v);
  const s = cross(q, [t[0] + q[3] * v[0], t[1] + q[3] * v[1], t[2] + q[3] * v[2]]);
  return [v[0] + 2 * s[0], v[1] + 2 * s[1], v[2] + 2 * s[2]];
}

/// The smaller of the two t with at² + 2bt + c = 0 that is ahead; Infinity if there is none.
function firstRoot(a: number, b: number, c: number): number {
  const discriminant = b * b - a * c;
  if (!(discriminant >= 0) || !(a > 0)) return Infinity;
  const root = Math.sqrt(discriminant);
  for (const t of [(-b - root) / a, (-b + root) / a]) if (t >= 0) return t;
  return Infinity;
}

function meetTriangle(from: Vec3, way: Vec3, a: Vec3, b: Vec3, c: Vec3): number {
  const [u, v] = [minus(b, a), minus(c, a)];
  const p = cross(way, v);
  const determinant = dot(u, p);
  if (determinant === 0) return Infinity;
  const s = minus(from, a);
  const x = dot(s, p) / determinant;
  if (x < 0 || x > 1) return Infinity;
  const q = cross(s, u);
  const y = dot(way, q) / determinant;
  if (y < 0 || x + y > 1) return Infinity;
  const t = dot(v, q) / determinant;
  return t >= 0 ? t : Infinity;
}

const meetBall = (from: Vec3, way: Vec3, centre: readonly number[], r: number): number => {
  const s = minus(from, centre);
  return firstRoot(dot(way, way), dot(way, s), dot(s, s) - r * r);
};

/// The side of a round cylinder from 0 to `length` along a unit axis, and its flat ends if it has any.
function meetCylinder(from: Vec3, way: Vec3, foot: readonly number[], axis: readonly number[], r: number, length: number, ends: boolean): number {
  const s = minus(from, foot);
  const [wa, sa] = [dot(way, axis), dot(s, axis)];
  const [w, o] = [minus(way, [wa * axis[0], wa * axis[1], wa * axis[2]]), minus(s, [sa * axis[0], sa * axis[1], sa * axis[2]])];
  let best = Infinity;
  const [a, b, c] = [dot(w, w), dot(w, o), dot(o, o) - r * r];
  const discriminant = b * b - a * c;
  if (a > 0 && discriminant >= 0) {
    for (const t of [(-b - Math.sqrt(discriminant)) / a, (-b + Math.sqrt(discriminant)) / a]) {
      const along = sa + t * wa;
      if (t >= 0 && along >= 0 && along <= length) best = Math.min(best, t);
    }
  }
  if (ends && wa !== 0) {
    for (const end of [0, length]) {
      const t = (end - sa) / wa;
      const at = [o[0] + t * w[0], o[1] + t * w[1], o[2] + t * w[2]];
      if (t >= 0 && dot(at, at) <= r * r) best = Math.min(best, t);
    }
  }
  return best;
}

/// How far along `way` from `from` a shape is met, in its own coordinates; Infinity if it is not.
export function meetShape(shape: BodyShape, from: Vec3, way: Vec3): number {
  let best = Infinity;
  if (shape.plane) {
    const [nx, ny, nz, offset] = shape.plane;
    const t = (offset - dot([nx, ny, nz], from)) / dot([nx, ny, nz], way);
    return t >= 0 ? t : Infinity;
  }
  const { solid, balls, cylinders = [], capsules = [] } = shape;
  if (solid) {
    const at = (i: number): Vec3 => [solid.points[3 * i], solid.points[3 * i + 1], solid.points[3 * i + 2]];
    for (let t = 0; t + 2 < solid.triangles.length; t += 3) {
      best = Math.min(best, meetTriangle(from, way, at(solid.triangles[t]), at(solid.triangles[t + 1]), at(solid.triangles[t + 2])));
    }
  }
  for (let i = 0; i + 3 < balls.length; i += 4) best = Math.min(best, meetBall(from, way, balls.slice(i, i + 3), balls[i + 3]));
  for (let i = 0; i + 7 < cylinders.length; i += 8) {
    const [x, y, z, ax, ay, az, r, half] = cylinders.slice(i, i + 8);
    best = Math.min(best, meetCylinder(from, way, [x - half * ax, y - half * ay, z - half * az], [ax, ay, az], r, 2 * half, true));
  }
  for (let i = 0; i + 6 < capsules.length; i += 7) {
    const [foot, end, r] = [capsules.slice(i, i + 3), capsules.slice(i + 3, i + 6), capsules[i + 6]];
    best = Math.min(best, meetBall(from, way, foot, r), meetBall(from, way, end, r));
    const axis = minus(end, foot);
    const length = Math.hypot(...axis);
    if (length > 0) best = Math.min(best, meetCylinder(from, way, foot, axis.map((x) => x / length), r, length, false));
  }
  return best;
}

/// The first body along a line in the world, −1 for none; half spaces, and walls seen from outside (see `inwards`), only
/// where nothing else is met.
export function firstBody(bodies: readonly StageBody[], poses: Float64Array, from: Vec3, way: Vec3, walls?: Float32Array): number {
  let [found, best] = [-1, Infinity];
  let [behind, behindAt] = [-1, Infinity];
  bodies.forEach(({ shape }, i) => {
    if (shape.plane) {
      const t = meetShape(shape, from, way);
      if (t < behindAt) [behind, behindAt] = [i, t];
      return;
    }
    const pose = poses.subarray(7 * i, 7 * i + 7);
    const back = [-pose[3], -pose[4], -pose[5], pose[6]];
    const eye = turnedBy(back, minus(from, [pose[0], pose[1], pose[2]]));
    const t = meetShape(shape, eye, turnedBy(back, way));
    if (walls && dot(walls.subarray(3 * i, 3 * i + 3), eye) < 0) {
      if (t < behindAt) [behind, behindAt] = [i, t];
    } else if (t < best) {
      [found, best] = [i, t];
    }
  });
  return found >= 0 ? found : behind;
}
