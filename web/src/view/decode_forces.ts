/// Forces from the bytes in the page: the other side of src/io/page_forces.cpp, field by field.
import { BadData, Growing, type Reader } from './bytes';
import type { Changes, Forces, Header } from './data';

/// In the plane a direction is an angle; in space a point of the octahedron |x| + |y| + |z| = 1, seen from above with its
/// lower half folded outwards.
const kStepsPerDoubling = { 2: 512, 3: 256 } as const;
const kStepsPerTurn = 4096;
const kStepsOfOctahedron = 256;

function directionInPlane([turn]: readonly number[]): number[] {
  const angle = (2 * Math.PI * turn) / kStepsPerTurn;
  return [Math.cos(angle), Math.sin(angle)];
}

function directionInSpace([u, v]: readonly number[]): number[] {
  let [x, y] = [u / kStepsOfOctahedron, v / kStepsOfOctahedron];
  const z = 1 - Math.abs(x) - Math.abs(y);
  if (z < 0) [x, y] = [(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1)];
  const size = Math.hypot(x, y, z) || 1;
  return [x / size, y / size, z / size];
}

export class ForceReader {
  private readonly first = new Growing(new Uint32Array(64));
  private readonly pairs = new Growing(new Uint32Array(1024));
  private readonly points = new Growing(new Float64Array(1024));
  private readonly vectors = new Growing(new Float64Array(1024));
  private readonly firstChange = new Growing(new Uint32Array(64));
  private readonly closed = new Growing(new Uint8Array(64));
  private readonly changes = new Growing(new Float64Array(64));
  private readonly a: number[] = [];
  private readonly b: number[] = [];
  private readonly base: number[] = [];
  /// By pair: where, how large, which way, as last written.
  private readonly last: number[][];
  private readonly isMoving: Set<number>;
  private readonly things: number;
  private largest = 0;

  constructor(private readonly header: Header) {
    this.last = Array.from({ length: header.dimension === 2 ? 4 : 6 }, () => []);
    this.isMoving = new Set(header.moving);
    this.things = header.bodies.length + (header.framework?.faces.length ?? 0) + (header.framework?.points.length ?? 0);
  }

  read(from: Reader): void {
    this.readNewPairs(from);
    this.readForces(from);
    this.readChanges(from);
  }

  private readNewPairs(from: Reader): void {
    const fresh = from.countOfThings();
    for (let i = 0; i < fresh; ++i) {
      const [a, b] = [from.count(), from.count()];
      if (a >= this.things || b >= this.things) throw new BadData('The data in this page is damaged: there is no such body.');
      this.a.push(a);
      this.b.push(b);
      this.base.push(this.isMoving.has(b) ? b : this.isMoving.has(a) ? a : -1);
      for (const column of this.last) column.push(0);
    }
  }

  private readForces(from: Reader): void {
    this.first.push(this.pairs.length);
    const count = from.countOfThings();
    const numbers: number[] = [];
    let next = 0;
    for (let i = 0; i < count; ++i) {
      const pair = next + from.count();
      if (pair >= this.a.length) throw new BadData('The data in this page is damaged: there is no such pair.');
      numbers.push(pair);
      this.pairs.push(pair);
      next = pair + 1;
    }
    for (const column of this.last) for (let i = 0; i < count; ++i) column[numbers[i]] += from.whole();
    for (const pair of numbers) this.place(pair);
  }

  private place(pair: number): void {
    const { dimension, quanta } = this.header;
    for (let k = 0; k < dimension; ++k) this.points.push(this.last[k][pair] * quanta.point);
    const size = 2 ** (this.last[dimension][pair] / kStepsPerDoubling[dimension]);
    const direction = dimension === 2 ? directionInPlane([this.last[3][pair]]) : directionInSpace([this.last[4][pair], this.last[5][pair]]);
    for (const component of direction) this.vectors.push(size * component);
    if (size > this.largest) this.largest = size;
  }

  private readChanges(from: Reader): void {
    this.firstChange.push(this.closed.length);
    const count = from.countOfThings();
    const { dimension, quanta } = this.header;
    const at = [0, 0, 0];
    for (let i = 0; i < count; ++i) {
      this.closed.push(from.count());
      for (let k = 0; k < dimension; ++k) {
        at[k] += from.whole();
        this.changes.push(at[k] * quanta.point);
      }
    }
  }

  finish(): { forces: Forces; changes: Changes } {
    this.first.push(this.pairs.length);
    this.firstChange.push(this.closed.length);
    const { a, b, base, largest } = this;
    return {
      forces: {
        first: this.first.trimmed(), pairs: this.pairs.trimmed(), points: this.points.trimmed(), vectors: this.vectors.trimmed(),
        a, b, base, largest,
      },
      changes: { first: this.firstChange.trimmed(), closed: this.closed.trimmed(), points: this.changes.trimmed() },
    };
  }
}
