/// Times and frames, and what is between two frames.
import type { Motion } from './data';

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

/// Of the plane: x, y and spin of a body at a frame: from the frame before to this one, which is what the steps of a motion
/// have as their velocities; at the start, what the scene says or the way to the next frame.
export function velocityOf(motion: Motion, frame: number, body: number, start?: readonly number[]): [number, number, number] {
  if (motion.frames < 2 || (frame === 0 && start)) return [start?.[0] ?? 0, start?.[1] ?? 0, start?.[2] ?? 0];
  const [from, to] = frame === 0 ? [0, 1] : [frame - 1, frame];
  const duration = motion.times[to] - motion.times[from];
  const stride = motion.poses.length / motion.frames;
  const of = (k: number): number =>
    duration > 0 ? (motion.poses[to * stride + 3 * body + k] - motion.poses[from * stride + 3 * body + k]) / duration : 0;
  return [of(0), of(1), of(2)];
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
