/// Writes data as docs/view.md describes it: written apart from the C++ code, so that both must agree with the page.
import { deflateSync } from 'node:zlib';

export class Bytes {
  readonly list: number[] = [];

  count(value: number): this {
    let rest = BigInt(value);
    while (rest >= 128n) {
      this.list.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    this.list.push(Number(rest));
    return this;
  }

  whole(value: number): this {
    return this.count(value >= 0 ? 2 * value : -2 * value - 1);
  }

  real(value: number): this {
    const buffer = Buffer.alloc(8);
    buffer.writeDoubleLE(value);
    this.list.push(...buffer);
    return this;
  }

  header(json: unknown): this {
    const text = Buffer.from(JSON.stringify(json), 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    this.list.push(...length, ...text);
    return this;
  }

  get bytes(): Uint8Array {
    return Uint8Array.from(this.list);
  }
}

export const asText = (bytes: Uint8Array): string => deflateSync(bytes).toString('base64');

const square = [-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5];

export const sampleHeader = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  version: 1, name: 'sample', dimension: 2, gravity: [0, -10],
  quanta: { length: 0.25, angle: 0.5, point: 0.125 },
  materials: [{ name: 'default', density: 1, friction: 0.5, restitution: 0 }],
  bodies: [
    { name: 'ground', material: 0, plane: [0, 1, 0], fixed: true },
    { name: 'table', material: 0, loops: [square], fixed: true, pose: [7, 8, 0.5] },
    { name: 'brick', material: 0, loops: [square], mass: 1, inertia: 1 / 6, pose: [1, 2, 0] },
  ],
  moving: [2], joints: [], hasForces: true, loads: [],
  motion: { command: 'run', finished: true, options: [] },
  ...changes,
});

/// Three frames of the brick: at 4, 5, 7 quanta in x; it touches the ground in the second and the third.
export function sampleBytes(): Bytes {
  const bytes = new Bytes().header(sampleHeader());
  bytes.real(0).real(10).real(0).count(0).whole(4).whole(8).whole(0);
  bytes.count(0).count(0).count(0);
  bytes.real(0.5).real(9).real(1).count(2).whole(1).whole(-2).whole(2);
  // A new pair 0-2, with one force: at (1, −4) eighths from the brick's centre, of size 2^(1024/512), upwards.
  bytes.count(1).count(0).count(2).count(1).count(0).whole(1).whole(-4).whole(1024).whole(1024);
  bytes.count(1).count(1).whole(16).whole(-8);
  bytes.real(1).real(8).real(2).count(2).whole(1).whole(0).whole(0);
  bytes.count(0).count(1).count(0).whole(0).whole(1).whole(-512).whole(-1024);
  bytes.count(2).count(0).whole(1).whole(2).count(1).whole(3).whole(4);
  return bytes;
}

/// A cube of side 1 about its centre, by its faces.
export const cube = {
  points: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [(i & 1) - 0.5, ((i >> 1) & 1) - 0.5, (i >> 2) - 0.5]),
  triangles: [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    .flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
  edges: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [1, 2, 4].flatMap((bit) => (i & bit ? [] : [i, i | bit]))),
};

const half = Math.SQRT1_2;

/// A cube on the ground that tips over its edge at x = 0.5, a sphere, and a cylinder that lies along x.
export const spaceHeader = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  version: 1, name: 'in space', dimension: 3, gravity: [0, 0, -10],
  quanta: { length: 0.25, angle: 0.5, point: 0.125 },
  materials: [{ name: 'default', density: 1, friction: 0.5, restitution: 0 }],
  bodies: [
    { name: 'ground', material: 0, plane: [0, 0, 2, 0], fixed: true },
    { name: 'cube', material: 0, solid: cube, mass: 1, pose: [0, 0, 0.5, 0, 0, 0, 1] },
    { name: 'ball', material: 0, balls: [0, 0, 0, 1], mass: 4, pose: [3, 0, 1, 0, 0, 0, 1] },
    { name: 'roll', material: 0, cylinders: [0, 0, 0, 0, 0, 1, 0.5, 2], mass: 3, pose: [0, 4, 0.5, 0, half, 0, half] },
    { name: 'pill', material: 0, capsules: [0, 0, -1, 0, 0, 1, 0.5], mass: 3, pose: [-4, 0, 1.5, 0, 0, 0, 1] },
  ],
  moving: [1, 2, 3, 4], joints: [], hasForces: false, loads: [],
  verdict: {
    stability: 'unstable', strength: 'unknown', reason: '', margin: -0.5, marginIsBound: false, corners: [], forces: [], jointForces: [],
    contacts: [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(([x, y]) => [0, 1, x, y, 0, 0, 0, 1, 0.5]),
    mechanism: [[1, 0.5, 0, 0.5, 0, 1, 0]],
  },
  ...changes,
});

const still = { motion: { command: 'run', finished: true, options: [] }, verdict: undefined, hasForces: true };

/// In space: a cube and a ball that move above the ground, and a table that does not.
export const spaceMotionHeader = (changes: Record<string, unknown> = {}): Record<string, unknown> => spaceHeader({
  ...still,
  quanta: { length: 0.25, angle: 0.1, point: 0.125 },
  bodies: [
    { name: 'ground', material: 0, plane: [0, 0, 1, 0], fixed: true },
    { name: 'table', material: 0, solid: cube, fixed: true, pose: [9, 9, 0.5, 0, 0, 0, 1] },
    { name: 'cube', material: 0, solid: cube, mass: 1, pose: [0, 0, 2, 0, 0, 0, 1] },
    { name: 'ball', material: 0, balls: [0, 0, 0, 1], mass: 4, pose: [3, 0, 1, 0, 0, 0, 1] },
  ],
  moving: [2, 3],
  ...changes,
});

/// Three frames, half a unit of time apart. The cube falls from z = 2 by 1, then 1/2; between the first two it turns about y,
/// to (0, 0.6, 0, 0.8). The ball stays at x = 3, z = 1 and is frozen in the second frame only.
export function spaceMotionBytes(): Bytes {
  const bytes = new Bytes().header(spaceMotionHeader());
  const poses = (columns: number[][]): void => columns.forEach((column) => column.forEach((value) => bytes.whole(value)));
  bytes.real(0).real(30).real(0).count(0);
  poses([[0, 12], [0, 0], [8, 4], [0, 0], [0, 0], [0, 0], [10, 10]]);
  bytes.count(0);
  bytes.count(0).count(0).count(0);
  // The second frame is told as a difference to the first, the third as one to the straight line through both.
  bytes.real(0.5).real(29).real(1).count(4);
  poses([[0, 0], [0, 0], [-4, 0], [0, 0], [6, 0], [0, 0], [-2, 0]]);
  bytes.count(1).count(1);
  // Two pairs: ground and cube, table and ball. Forces along +z of size 4 and along −z of size 2.
  bytes.count(2).count(0).count(2).count(1).count(3);
  bytes.count(2).count(0).count(0);
  poses([[1, 0], [2, 0], [-4, -8], [512, 256], [0, 256], [0, 256]]);
  bytes.count(1).count(1).whole(8).whole(16).whole(-8);
  bytes.real(1).real(28).real(2).count(1);
  poses([[0, 0], [0, 0], [2, 0], [0, 0], [-6, 0], [0, 0], [2, 0]]);
  bytes.count(1).count(1);
  // The first pair alone: its force has turned to (−1, 1, 0)/√2.
  bytes.count(0).count(1).count(0);
  poses([[0], [0], [0], [-256], [-128], [128]]);
  bytes.count(2).count(0).whole(1).whole(2).whole(3).count(1).whole(4).whole(5).whole(6);
  return bytes;
}
