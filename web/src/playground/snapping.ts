/// Where a dragged body goes: near others it touches them exactly, flush where that is near too; elsewhere it keeps to
/// a grid. All shifts are fractions, so that sides and corners coincide in exact arithmetic.
///
/// A body has two ways to move. First the nearest contact takes one of them: a corner comes onto a side's line, or a
/// disk against it, by a shift along the side's normal. Then the way that is left, along the side, may take a second
/// contact, or a corner above a corner, or the grid.
import { boundsOf, movedFigure, type Figure, type Side } from './geometry';
import { add, cross, dot, left, origin, point, Rational, scale, subtract, type Point } from './rational';

export interface SnapOptions {
  /// Lengths up to which a body is pulled.
  reach: number;
  /// Positions without a contact are multiples of it.
  grid: Rational;
  /// Only the grid.
  free?: boolean;
}

/// A line or point to show: what the body was pulled to.
export interface Guide {
  from: [number, number];
  to: [number, number];
}

export interface Snap {
  /// From where the figure is.
  shift: Point;
  contact: boolean;
  guides: Guide[];
}

/// A line that holds the moving body on its outer side.
interface Wall {
  at: Point;
  normal: Point;
  /// Its ends, if it is not a whole line.
  side?: Side;
  /// The wall is the moving body's own side, and what comes onto it is a corner of another.
  own: boolean;
}

/// Something of one body that can come onto a wall of the other: a corner, or a disk (of that radius).
interface Knob {
  at: Point;
  radius?: Rational;
}

interface Candidate {
  shift: Point;
  length: number;
  wall: Wall;
}

const numbers = (p: Point): [number, number] => [p.x.value, p.y.value];
const sizeOf = (p: Point): number => Math.hypot(...numbers(p));

/// The length of a vector: exactly if it is rational, else rounded to a fraction far below the touch tolerance.
function lengthOf(vector: Point): Rational {
  const square = dot(vector, vector);
  return square.root ?? Rational.nearest(Math.sqrt(square.value), Rational.of(1, 10n ** 14n));
}

/// By how many normals the knob has to move to be on the wall's line.
function stepsTo(knob: Knob, wall: Wall): Rational {
  const square = dot(wall.normal, wall.normal);
  const gap = dot(subtract(wall.at, knob.at), wall.normal);
  const radius = knob.radius ? knob.radius.times(lengthOf(wall.normal)) : Rational.zero;
  return gap.plus(radius).over(square);
}

/// Whether the knob, once moved, is between the wall's ends; a corner on the very end counts.
function isBeside(knob: Knob, wall: Wall, shift: Point): boolean {
  if (!wall.side) return true;
  const { from, to } = wall.side;
  const along = subtract(to, from);
  const t = dot(subtract(add(knob.at, shift), from), along);
  return t.sign >= 0 && !dot(along, along).below(t);
}

/// Whether all of the figure, once moved, is on the outer side of the wall's line.
const staysOutside = (figure: Figure, shift: Point, wall: Wall): boolean =>
  knobsOf(figure).every((knob) => stepsTo({ ...knob, at: add(knob.at, shift) }, wall).sign <= 0);

function wallsOf(figure: Figure, own: boolean): Wall[] {
  if (figure.plane) {
    const { normal, offset } = figure.plane;
    return [{ at: scale(normal, offset.over(dot(normal, normal))), normal, own }];
  }
  return figure.sides.map((side) => ({ at: side.from, normal: side.normal, side, own }));
}

const knobsOf = (figure: Figure): Knob[] => [
  ...figure.corners.map((at) => ({ at })),
  ...figure.disks.map(({ centre, radius }) => ({ at: centre, radius })),
];

/// The wall as doubles, for a first look at many.
function nearby(knob: Knob, wall: Wall, reach: number): boolean {
  const [nx, ny] = numbers(wall.normal);
  const length = Math.hypot(nx, ny);
  const gap = ((wall.at.x.value - knob.at.x.value) * nx + (wall.at.y.value - knob.at.y.value) * ny) / length;
  return Math.abs(gap + (knob.radius?.value ?? 0)) <= reach;
}

/// All shifts along walls' normals that make the moving figure touch another.
function contacts(moving: Figure, others: readonly Figure[], reach: number): Candidate[] {
  const found: Candidate[] = [];
  const consider = (figure: Figure, walls: Wall[]): void => {
    const knobs = knobsOf(figure);
    for (const wall of walls) {
      for (const knob of knobs) {
        if (!nearby(knob, wall, reach)) continue;
        const towards = scale(wall.normal, stepsTo(knob, wall));
        const length = sizeOf(towards);
        if (length > reach || !isBeside(knob, wall, towards) || !staysOutside(figure, towards, wall)) continue;
        // A corner that moves by +n is a wall that moves by −n.
        found.push({ shift: wall.own ? scale(towards, Rational.of(-1)) : towards, length, wall });
      }
    }
  };
  const bounds = boundsOf(moving);
  if (!bounds) return found;
  const ownWalls = wallsOf(moving, true);
  for (const other of others) {
    const box = boundsOf(other);
    const near = !box || [0, 1].every((i) => box.low[i] <= bounds.high[i] + reach && box.high[i] >= bounds.low[i] - reach);
    if (!near) continue;
    consider(moving, wallsOf(other, false));
    consider(other, ownWalls);
    found.push(...diskOnDisk(moving, other, reach));
  }
  return found.sort((a, b) => a.length - b.length);
}

/// Along the line of the centres; its direction is a fraction only by rounding, which is far below the tolerance.
function diskOnDisk(moving: Figure, other: Figure, reach: number): Candidate[] {
  const found: Candidate[] = [];
  for (const mine of moving.disks) {
    for (const disk of other.disks) {
      const between = subtract(mine.centre, disk.centre);
      const distance = lengthOf(between);
      if (distance.sign === 0) continue;
      const missing = mine.radius.plus(disk.radius).minus(distance);
      if (Math.abs(missing.value) > reach) continue;
      const shift = short(scale(between, missing.over(distance)));
      const normal = between;
      found.push({ shift, length: sizeOf(shift), wall: { at: disk.centre, normal, own: false } });
    }
  }
  return found;
}

/// Fractions that grew long are rounded: by then they are not exact in any useful sense.
function short(p: Point): Point {
  const round = (x: Rational): Rational =>
    x.bottom.toString().length > 40 ? Rational.nearest(x.value, Rational.of(1, 10n ** 14n)) : x;
  return point(round(p.x), round(p.y));
}

const guideAlong = (wall: Wall): Guide[] =>
  wall.side && !wall.own ? [{ from: numbers(wall.side.from), to: numbers(wall.side.to) }] : [];

/// The shift along `wall` that is left: a second contact, a corner flush with a corner, or the grid.
function along(moving: Figure, others: readonly Figure[], wall: Wall, position: Point, options: SnapOptions): { shift: Point; guides: Guide[] } {
  const direction = left(wall.normal);
  const unit = sizeOf(direction);
  let best: { shift: Point; length: number; guides: Guide[] } | undefined;
  const offer = (steps: Rational, preference: number, guides: () => Guide[]): void => {
    const length = Math.abs(steps.value) * unit;
    if (length > options.reach || (best && best.length <= length * preference)) return;
    best = { shift: scale(direction, steps), length: length * preference, guides: guides() };
  };
  const bounds = boundsOf(moving)!;
  for (const other of others) {
    const box = boundsOf(other);
    const near = !box || [0, 1].every((i) => box.low[i] <= bounds.high[i] + options.reach && box.high[i] >= bounds.low[i] - options.reach);
    if (!near) continue;
    for (const second of wallsOf(other, false)) {
      const slope = dot(direction, second.normal);
      if (slope.sign === 0) continue;
      for (const knob of knobsOf(moving)) {
        const radius = knob.radius ? knob.radius.times(lengthOf(second.normal)) : Rational.zero;
        const steps = dot(subtract(second.at, knob.at), second.normal).plus(radius).over(slope);
        if (Math.abs(steps.value) * unit > options.reach) continue;
        const shift = scale(direction, steps);
        if (isBeside(knob, second, shift) && staysOutside(moving, shift, second)) offer(steps, 0.8, () => guideAlong(second));
      }
    }
    if (other.plane) continue;
    const square = dot(direction, direction);
    for (const corner of other.corners) {
      for (const own of moving.corners) {
        offer(dot(subtract(corner, own), direction).over(square), 1, () => [{ from: numbers(corner), to: numbers(own) }]);
      }
    }
  }
  if (best) return best;
  return { shift: gridShift(direction, position, options.grid), guides: [] };
}

/// Along an axis to the grid of positions, along a slope to a whole number of grid lengths or so.
function gridShift(direction: Point, position: Point, grid: Rational): Point {
  const axis = direction.x.sign === 0 ? 'y' : direction.y.sign === 0 ? 'x' : undefined;
  if (!axis) return origin;
  const shift = Rational.nearest(position[axis].value, grid).minus(position[axis]);
  return axis === 'x' ? point(shift, Rational.zero) : point(Rational.zero, shift);
}

/// Where a figure should go that is dragged to where it is now; `position` is its body's, for the grid.
export function snap(moving: Figure, others: readonly Figure[], position: Point, options: SnapOptions): Snap {
  const toGrid = (): Snap => {
    const [x, y] = [Rational.nearest(position.x.value, options.grid), Rational.nearest(position.y.value, options.grid)];
    return { shift: subtract(point(x, y), position), contact: false, guides: [] };
  };
  if (options.free) return toGrid();
  const first = contacts(moving, others, options.reach)[0];
  if (!first) return toGrid();
  const there = movedFigure(moving, first.shift);
  const rest = along(there, others, first.wall, add(position, first.shift), options);
  return { shift: short(add(first.shift, rest.shift)), contact: true, guides: [...guideAlong(first.wall), ...rest.guides] };
}

/// Whether two sides lie on one line, facing each other: for tests and for marking contacts.
export const faceEachOther = (a: Side, b: Side): boolean =>
  cross(a.normal, b.normal).sign === 0 && dot(a.normal, b.normal).sign < 0 && dot(subtract(a.from, b.from), b.normal).sign === 0;
