/// Times and frames, and what is between two frames.
import { poseStride, type Dimension } from '../stage/types';
import type { Motion } from './data';
import { motionOf, timesQuaternion, turnVector, vector, type Vec3 } from './rows';

/// Frames before and after a time, and how far it is on the way from one to the other.
export interface Moment {
  before: number;
  after: number;
  share: number;
}

export function momentAt(times: Float64Array, time: number): Moment {
  const last = times.length - 1;
  if (!(time > times[0])) return { before: 0, after: 0, share: 0 };
  if (time >= times[last]) return { before: last, after: last, share: 0 };
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const gap = times[high] - times[low];
  return { before: low, after: high, share: gap > 0 ? (time - times[low]) / gap : 0 };
}

export const nearestFrame = (moment: Moment): number => (moment.share < 0.5 ? moment.before : moment.after);

/// Linear between frames: `out` gets `stride` numbers from each.
export function interpolate(all: Float64Array, stride: number, moment: Moment, out: Float64Array): void {
  const [a, b] = [moment.before * stride, moment.after * stride];
  const t = moment.share;
  for (let i = 0; i < stride; ++i) out[i] = all[a + i] + t * (all[b + i] - all[a + i]);
}

/// Poses between frames: places on straight lines, angles evenly; quaternions turn evenly the way that their signs tell.
export function interpolatePoses(all: Float64Array, stride: number, moment: Moment, dimension: Dimension, out: Float64Array): void {
  interpolate(all, stride, moment, out);
  if (dimension === 2 || moment.share === 0) return;
  const [a, b] = [moment.before * stride, moment.after * stride];
  for (let i = 3; i < stride; i += 7) turnBetween(all, a + i, b + i, moment.share, out, i);
}

/// Below this angle between quaternions the chord's points are those of the arc, for what can be seen.
const kSmallAngle = 0.05;

/// Written without temporary arrays: it runs for every body in every picture.
function turnBetween(all: Float64Array, a: number, b: number, t: number, out: Float64Array, to: number): void {
  const cosine = all[a] * all[b] + all[a + 1] * all[b + 1] + all[a + 2] * all[b + 2] + all[a + 3] * all[b + 3];
  const angle = Math.acos(Math.min(1, Math.max(-1, cosine)));
  const sine = Math.sin(angle);
  // Opposite ones have no way between them that is better than others; they come from a whole turn.
  const even = angle < kSmallAngle || sine < 1e-6;
  const [p, q] = even ? [1 - t, cosine < 0 ? -t : t] : [Math.sin((1 - t) * angle) / sine, Math.sin(t * angle) / sine];
  let size = 0;
  for (let k = 0; k < 4; ++k) {
    out[to + k] = p * all[a + k] + q * all[b + k];
    size += out[to + k] * out[to + k];
  }
  size = Math.sqrt(size) || 1;
  for (let k = 0; k < 4; ++k) out[to + k] /= size;
}

/// Velocity of a body's centre and its spin at a frame: from the frame before to this one, which is what the steps of a
/// motion have as their velocities; at the start, what the scene says or the way to the next frame.
export function velocityOf(
  motion: Motion, frame: number, body: number, start?: readonly number[], dimension: Dimension = 2,
): { velocity: Vec3; spin: Vec3 } {
  if (motion.frames < 2 || (frame === 0 && start)) {
    const { velocity, spin } = motionOf([body, ...(start ?? [0, 0, 0, 0, 0, 0])], dimension);
    return { velocity, spin };
  }
  const [from, to] = frame === 0 ? [0, 1] : [frame - 1, frame];
  const duration = motion.times[to] - motion.times[from];
  const stride = motion.poses.length / motion.frames;
  const pose = (at: number): Float64Array => motion.poses.subarray(at * stride + poseStride(dimension) * body, at * stride + poseStride(dimension) * (body + 1));
  const [a, b] = [pose(from), pose(to)];
  const rate = duration > 0 ? 1 / duration : 0;
  const velocity = vector(b, 0, dimension).map((x, k) => rate * (k < dimension ? x - a[k] : 0)) as Vec3;
  const turn = dimension === 2 ? [0, 0, b[2] - a[2]] : turnVector(timesQuaternion(b.subarray(3), [-a[3], -a[4], -a[5], a[6]]));
  return { velocity, spin: [rate * turn[0], rate * turn[1], rate * turn[2]] };
}

/// Plays through an interval of time.
export class Clock {
  time: number;
  speed = 1;
  playing = false;
  /// Starts over at the end.
  loop = false;

  constructor(readonly begin: number, readonly end: number) {
    this.time = begin;
  }

  /// Goes on by so much real time. Stops at the end.
  advance(seconds: number): void {
    if (!this.playing) return;
    this.time += this.speed * seconds;
    if (this.time < this.end) return;
    if (this.loop) {
      this.time = this.begin;
    } else {
      this.time = this.end;
      this.playing = false;
    }
  }

  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.begin, time));
  }

  toggle(): void {
    if (!this.playing && this.time >= this.end) this.time = this.begin;
    this.playing = !this.playing && this.end > this.begin;
  }
}
