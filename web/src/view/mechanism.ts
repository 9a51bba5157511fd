/// How a structure that does not stand begins to move: ghosts of its bodies, and what its contacts do.
import { Mark, type Ghost, type Marks } from '../stage';
import type { Header, VerdictData } from './data';

/// Speeds below this share of the largest, which is 1, are none.
const kNoSpeed = 1e-3;
const kLargestTurn = 0.6;
const kGhosts = 3;

/// How long bodies move on with the velocities of the mechanism to where the last ghost is.
export function ghostTime(verdict: VerdictData, typical: number): number {
  let time = 0.6 * typical;
  for (const motion of verdict.mechanism) {
    if (motion[3] !== 0) time = Math.min(time, kLargestTurn / Math.abs(motion[3]));
  }
  return time;
}

/// Bodies that have moved on by `time`; those at rest have no ghost.
function ghostPoses(header: Header, verdict: VerdictData, poses: Float64Array, time: number): Float64Array {
  const moved = new Float64Array(3 * header.bodies.length).fill(NaN);
  for (const [body, vx, vy, spin] of verdict.mechanism) {
    if (Math.hypot(vx, vy) + Math.abs(spin) < kNoSpeed) continue;
    moved[3 * body] = poses[3 * body] + time * vx;
    moved[3 * body + 1] = poses[3 * body + 1] + time * vy;
    moved[3 * body + 2] = poses[3 * body + 2] + time * spin;
  }
  return moved;
}

/// The farthest first. `amplitude` from 0 to 1 is how far they have moved.
export function ghosts(header: Header, verdict: VerdictData, poses: Float64Array, time: number, amplitude: number): Ghost[] {
  const opacities = [1, 0.45, 0.2];
  const list: Ghost[] = [];
  for (let k = kGhosts; k >= 1; --k) {
    const share = k / kGhosts;
    list.push({ poses: ghostPoses(header, verdict, poses, time * amplitude * share), opacity: opacities[kGhosts - k] });
  }
  return list.reverse();
}

/// With friction a sliding contact of a mechanism lifts by the coefficient times its sliding: that is not opening.
export function movingContacts(verdict: VerdictData, poses: Float64Array): Marks {
  const motion = new Map(verdict.mechanism.map((entry) => [entry[0], entry]));
  const velocity = (body: number, x: number, y: number): [number, number] => {
    const found = motion.get(body);
    if (!found) return [0, 0];
    const [, vx, vy, spin] = found;
    return [vx - spin * (y - poses[3 * body + 1]), vy + spin * (x - poses[3 * body])];
  };
  const count = verdict.contacts.length;
  const marks: Marks = {
    count, points: new Float64Array(3 * count), kinds: new Uint8Array(count), strengths: new Float32Array(count).fill(1),
  };
  verdict.contacts.forEach(([a, b, x, y, nx, ny, friction], i) => {
    const [va, vb] = [velocity(a, x, y), velocity(b, x, y)];
    const [rx, ry] = [vb[0] - va[0], vb[1] - va[1]];
    const lift = nx * rx + ny * ry;
    const slip = Math.abs(-ny * rx + nx * ry);
    marks.points.set([x, y, 0], 3 * i);
    marks.kinds[i] = lift > kNoSpeed + friction * slip ? Mark.opens : slip > kNoSpeed ? Mark.slides : Mark.holds;
  });
  return marks;
}
