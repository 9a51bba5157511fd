/// Contact forces as arrows and as chains through the structure.
import type { Arrows, Dimension, Lines } from '../stage';
import type { Header, Motion, VerdictData } from './data';
import { contactForceOf, dot, jointForceOf, length, placeOf, plus, vector, type ForceRow, type Vec3 } from './rows';
import { quantile, sample } from './scales';

/// One force where it acts: on b, from a.
export interface PlacedForce {
  a: number;
  b: number;
  at: Vec3;
  force: Vec3;
  size: number;
}

export interface ForceOptions {
  /// Of arrows and chains; 1 is the scale that suits the scene.
  scale: number;
  /// Forces below this share of the reference are not drawn.
  threshold: number;
}

/// Arrows longer than this many times the reference end here.
const kLongest = 3;

/// The force that is drawn with the full length: the largest of a scene; in a motion, where blows are a hundred
/// times what is carried at rest, one that few forces exceed.
export function referenceForce(header: Header, motion: Motion): number {
  const verdict = header.verdict;
  if (verdict) {
    return forcesOfVerdict(header, verdict).reduce((largest, { size }) => Math.max(largest, size), 0);
  }
  const forces = motion.forces;
  if (!forces) return 0;
  const { dimension } = header;
  const sizes = Float64Array.from(forces.pairs, (_, i) => length(vector(forces.vectors, dimension * i, dimension)));
  return quantile(sample(sizes, 50_000), 0.97);
}

/// Of one frame; `poses` are those that are drawn, between frames too: forces move with their bodies.
export function forcesOfFrame(motion: Motion, frame: number, poses: Float64Array, dimension: Dimension = 2): PlacedForce[] {
  const forces = motion.forces;
  if (!forces) return [];
  const list: PlacedForce[] = [];
  for (let i = forces.first[frame]; i < forces.first[frame + 1]; ++i) {
    const pair = forces.pairs[i];
    const base = forces.base[pair];
    const own = vector(forces.points, dimension * i, dimension);
    const force = vector(forces.vectors, dimension * i, dimension);
    const at = base < 0 ? own : plus(own, placeOf(poses, base, dimension));
    list.push({ a: forces.a[pair], b: forces.b[pair], at, force, size: length(force) });
  }
  return list;
}

export function forcesOfVerdict(header: Header, verdict: VerdictData): PlacedForce[] {
  const { dimension, joints } = header;
  const placed = (a: number, b: number, { point, force }: ForceRow): PlacedForce => ({ a, b, at: point, force, size: length(force) });
  return [
    ...verdict.forces.map((row) => placed(row[0], row[1], contactForceOf(row, dimension))),
    ...verdict.jointForces.map((row) => placed(joints[row[0]].a, joints[row[0]].b, jointForceOf(row, dimension))),
  ];
}

const isFree = (header: Header, thing: number): boolean => {
  const body = header.bodies[thing];
  return body ? !body.fixed && !body.driven : thing >= header.bodies.length;
};

/// Of force and counterforce one is drawn: the one on the free body if only one is free, otherwise the one that
/// points up.
export function drawnOnA(header: Header, force: PlacedForce): boolean {
  const [freeA, freeB] = [isFree(header, force.a), isFree(header, force.b)];
  if (freeA !== freeB) return freeA;
  const down = vector(header.gravity, 0, header.dimension);
  return dot(force.force, down) > 1e-6 * force.size * length(down);
}

/// Small forces are still told apart: lengths are true, colours and widths follow the root.
const shareOf = (size: number, reference: number): number => (reference > 0 ? Math.sqrt(Math.min(1, size / reference)) : 0);

export function arrowsOf(
  header: Header, forces: readonly PlacedForce[], reference: number, length: number, options: ForceOptions,
): Arrows {
  const least = Math.max(options.threshold, 1e-9) * reference;
  const shown = forces.filter((force) => force.size > least);
  const arrows: Arrows = {
    count: shown.length, points: new Float64Array(3 * shown.length), vectors: new Float64Array(3 * shown.length),
    shares: new Float32Array(shown.length),
  };
  shown.sort((a, b) => a.size - b.size);
  shown.forEach((force, i) => {
    const extent = Math.min(force.size / reference, kLongest) * length * options.scale;
    const sign = drawnOnA(header, force) ? -1 : 1;
    arrows.points.set(force.at, 3 * i);
    arrows.vectors.set(force.force.map((x) => (sign * extent * x) / force.size), 3 * i);
    arrows.shares[i] = shareOf(force.size, reference);
  });
  return arrows;
}

/// From the middle of a body to where it touches another, and on to the middle of that one: as wide as the force
/// is large. Half planes have no middle.
export function chainsOf(
  header: Header, forces: readonly PlacedForce[], reference: number, poses: Float64Array, options: ForceOptions,
): Lines {
  const least = Math.max(options.threshold, 1e-9) * reference;
  const segments: { force: PlacedForce; body: number }[] = [];
  for (const force of forces) {
    if (!(force.size > least)) continue;
    for (const body of [force.a, force.b]) {
      if (header.bodies[body] && !header.bodies[body].plane && !header.bodies[body].fixed) segments.push({ force, body });
    }
  }
  const count = segments.length;
  const lines: Lines = {
    count, from: new Float64Array(3 * count), to: new Float64Array(3 * count), widths: new Float32Array(count),
    shares: new Float32Array(count),
  };
  segments.sort((a, b) => a.force.size - b.force.size);
  segments.forEach(({ force, body }, i) => {
    lines.from.set(force.at, 3 * i);
    lines.to.set(placeOf(poses, body, header.dimension), 3 * i);
    lines.widths[i] = Math.max(0.75, Math.min(kLongest, force.size / reference) * 9 * options.scale);
    lines.shares[i] = shareOf(force.size, reference);
  });
  return lines;
}

/// Half the sum of the sizes of all forces on each body: what is pressed through it.
export function pressure(header: Header, forces: readonly PlacedForce[]): Float64Array {
  const sums = new Float64Array(header.bodies.length);
  for (const force of forces) {
    for (const body of [force.a, force.b]) if (body >= 0 && body < sums.length) sums[body] += 0.5 * force.size;
  }
  return sums;
}
