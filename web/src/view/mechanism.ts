/// How a structure that does not stand begins to move: ghosts of its bodies, and what its contacts do.
import { Mark, type Ghost, type Marks } from '../stage';
import type { Dimension } from '../stage';
import type { Header, VerdictData } from './data';
import { contactOf, cross, dot, length, motionOf, moveOn, placeOf, plus, type BodyMotion, type Vec3 } from './rows';

/// All that ghosts need to know: the playground has these numbers without a file.
interface Moving {
  /// Of each body that moves its number, velocity and spin.
  mechanism: VerdictData['mechanism'];
}
interface Counted {
  bodies: { readonly length: number };
}

/// Speeds below this share of the largest, which is 1, are none.
const kNoSpeed = 1e-3;
const kLargestTurn = 0.6;

/// How long bodies move on with the velocities of the mechanism to where the last ghost is.
export function ghostTime(verdict: Moving, typical: number, dimension: Dimension = 2): number {
  let time = 0.6 * typical;
  for (const row of verdict.mechanism) {
    const turn = length(motionOf(row, dimension).spin);
    if (turn !== 0) time = Math.min(time, kLargestTurn / turn);
  }
  return time;
}

/// Poses of all bodies when those of the mechanism have moved on. `amplitude` from 0 to 1 is how far.
export function movedPoses(header: Header, verdict: Moving, poses: Float64Array, typical: number, amplitude: number): Float64Array {
  const time = ghostTime(verdict, typical, header.dimension) * amplitude;
  const moved = poses.slice();
  for (const row of verdict.mechanism) moveOn(poses, motionOf(row, header.dimension), time, header.dimension, moved);
  return moved;
}

/// Outlines of where bodies were that have moved.
export function startOutlines(header: Header, verdict: Moving, poses: Float64Array, typical: number): Ghost[] {
  const stride = poses.length / header.bodies.length;
  const start = new Float64Array(poses.length).fill(NaN);
  for (const row of verdict.mechanism) {
    const { body, velocity, spin } = motionOf(row, header.dimension);
    if (length(velocity) + 0.5 * typical * length(spin) < kNoSpeed) continue;
    start.set(poses.subarray(stride * body, stride * (body + 1)), stride * body);
  }
  return [{ poses: start, opacity: 0.55 }];
}

/// Slower bodies than this get one faint ghost: three would lie upon each other.
const kSlow = 0.1;

/// The fastest point of a body, about: its middle, and a point half a body's size away from it.
const speedOf = (motion: readonly number[], typical: number): number =>
  Math.hypot(motion[1], motion[2]) + 0.5 * typical * Math.abs(motion[3]);

/// Some bodies, moved on by `time`; the others have no ghost.
function ghostPoses(bodies: number, moving: readonly number[][], poses: Float64Array, time: number): Float64Array {
  const moved = new Float64Array(3 * bodies).fill(NaN);
  for (const [body, ...velocity] of moving) {
    for (let k = 0; k < 3; ++k) moved[3 * body + k] = poses[3 * body + k] + time * velocity[k];
  }
  return moved;
}

/// The nearest first. `amplitude` from 0 to 1 is how far they have moved.
export function ghosts(header: Counted, verdict: Moving, poses: Float64Array, typical: number, amplitude: number): Ghost[] {
  const time = ghostTime(verdict, typical) * amplitude;
  const slow = verdict.mechanism.filter((m) => speedOf(m, typical) > kNoSpeed && speedOf(m, typical) < kSlow);
  const fast = verdict.mechanism.filter((m) => speedOf(m, typical) >= kSlow);
  const at = (moving: readonly number[][], share: number): Float64Array =>
    ghostPoses(header.bodies.length, moving, poses, share * time);
  return [
    { poses: at(slow, 1), opacity: 0.3 },
    { poses: at(fast, 1 / 3), opacity: 0.22 },
    { poses: at(fast, 2 / 3), opacity: 0.45 },
    { poses: at(fast, 1), opacity: 1 },
  ];
}

/// With friction a sliding contact of a mechanism lifts by the coefficient times its sliding: that is not opening.
export function movingContacts(verdict: VerdictData, poses: Float64Array, dimension: Dimension = 2): Marks {
  const motion = new Map(verdict.mechanism.map((row): [number, BodyMotion] => [row[0], motionOf(row, dimension)]));
  const velocity = (body: number, point: Vec3): Vec3 => {
    const found = motion.get(body);
    return found ? plus(found.velocity, cross(found.spin, plus(point, placeOf(poses, body, dimension), -1))) : [0, 0, 0];
  };
  const count = verdict.contacts.length;
  const marks: Marks = {
    count, points: new Float64Array(3 * count), kinds: new Uint8Array(count), strengths: new Float32Array(count).fill(1),
  };
  verdict.contacts.forEach((row, i) => {
    const { a, b, point, normal, friction } = contactOf(row, dimension);
    const relative = plus(velocity(b, point), velocity(a, point), -1);
    const lift = dot(normal, relative);
    const slip = length(plus(relative, normal, -lift));
    marks.points.set(point, 3 * i);
    marks.kinds[i] = lift > kNoSpeed + friction * slip ? Mark.opens : slip > kNoSpeed ? Mark.slides : Mark.holds;
  });
  return marks;
}
