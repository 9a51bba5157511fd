/// Rows of numbers in a page's data as vectors with three components, whatever the dimension, and places of bodies.
import { poseStride, type Dimension } from '../stage';
import { turnedBy } from '../stage/raycast';

export type Vec3 = [number, number, number];

/// In the plane z is 0.
export const vector = (row: ArrayLike<number>, at: number, dimension: Dimension): Vec3 =>
  [row[at], row[at + 1], dimension === 3 ? row[at + 2] : 0];

/// In the plane about the axis that comes out of it.
const spin = (row: ArrayLike<number>, at: number, dimension: Dimension): Vec3 =>
  dimension === 3 ? [row[at], row[at + 1], row[at + 2]] : [0, 0, row[at]];

export const length = (v: readonly number[]): number => Math.hypot(v[0], v[1], v[2]);
export const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const plus = (a: readonly number[], b: readonly number[], t = 1): Vec3 => [a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]];
export const cross = (a: readonly number[], b: readonly number[]): Vec3 =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export interface ContactRow {
  a: number;
  b: number;
  point: Vec3;
  normal: Vec3;
  friction: number;
}
export const contactOf = (row: readonly number[], dimension: Dimension): ContactRow => ({
  a: row[0], b: row[1], point: vector(row, 2, dimension), normal: vector(row, 2 + dimension, dimension), friction: row[2 + 2 * dimension],
});

/// A contact's a and b, or the number of a joint alone; where it acts, and the force on b.
export interface ForceRow {
  point: Vec3;
  force: Vec3;
}
export const contactForceOf = (row: readonly number[], dimension: Dimension): ForceRow =>
  ({ point: vector(row, 2, dimension), force: vector(row, 2 + dimension, dimension) });
export const jointForceOf = (row: readonly number[], dimension: Dimension): ForceRow =>
  ({ point: vector(row, 1, dimension), force: vector(row, 1 + dimension, dimension) });

export interface BodyMotion {
  body: number;
  velocity: Vec3;
  spin: Vec3;
}
export const motionOf = (row: readonly number[], dimension: Dimension): BodyMotion =>
  ({ body: row[0], velocity: vector(row, 1, dimension), spin: spin(row, 1 + dimension, dimension) });

/// The centre of mass of a body.
export const placeOf = (poses: ArrayLike<number>, body: number, dimension: Dimension): Vec3 =>
  vector(poses, poseStride(dimension) * body, dimension);

/// Where a point of a body is, given relative to its centre of mass in its own axes.
export function pointOf(poses: Float64Array, body: number, dimension: Dimension, own: readonly number[]): Vec3 {
  const place = placeOf(poses, body, dimension);
  if (dimension === 3) return plus(place, turnedBy([...poses.subarray(7 * body + 3, 7 * body + 7)], own));
  const angle = poses[3 * body + 2];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [place[0] + c * own[0] - s * own[1], place[1] + s * own[0] + c * own[1], 0];
}

/// The quaternion x, y, z, w of the turn by |v| about v: the exponential map.
export function turnBy(v: readonly number[]): [number, number, number, number] {
  const angle = length(v);
  const share = angle > 1e-9 ? Math.sin(0.5 * angle) / angle : 0.5;
  return [share * v[0], share * v[1], share * v[2], Math.cos(0.5 * angle)];
}

/// The turn that a unit quaternion makes, about its axis by less than a whole turn: the other way round.
export function turnVector(q: ArrayLike<number>): Vec3 {
  const sine = Math.hypot(q[0], q[1], q[2]);
  const share = sine > 1e-12 ? (2 * Math.atan2(sine, q[3])) / sine : 2 * Math.sign(q[3]);
  return [share * q[0], share * q[1], share * q[2]];
}

/// First b, then a.
export const timesQuaternion = (a: ArrayLike<number>, b: ArrayLike<number>): [number, number, number, number] => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
];

/// A body moved on for a time with constant velocity of its centre and constant spin: writes its pose into `out`.
export function moveOn(poses: Float64Array, motion: BodyMotion, time: number, dimension: Dimension, out: Float64Array): void {
  const at = poseStride(dimension) * motion.body;
  for (let k = 0; k < dimension; ++k) out[at + k] = poses[at + k] + time * motion.velocity[k];
  if (dimension === 2) {
    out[at + 2] = poses[at + 2] + time * motion.spin[2];
    return;
  }
  const turn = turnBy(motion.spin.map((x) => time * x));
  out.set(timesQuaternion(turn, poses.subarray(at + 3, at + 7)), at + 3);
}

/// How far a body is turned from the axes of its shape, in radians.
export function turnAngle(poses: Float64Array, body: number, dimension: Dimension): number {
  if (dimension === 2) return poses[3 * body + 2];
  const [x, y, z, w] = poses.subarray(7 * body + 3, 7 * body + 7);
  return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w));
}
