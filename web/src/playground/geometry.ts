/// Where a body's corners, sides and disks are, exactly, as the engine reads them from the scene.
import type { Body, Json } from './document';
import { add, left, origin, parsePoint, point, Rational, scale, subtract, type Point } from './rational';

/// A straight side, the solid on its left: `normal` (not of length 1) points outwards.
export interface Side {
  from: Point;
  to: Point;
  normal: Point;
}

export interface Disk {
  centre: Point;
  radius: Rational;
}

/// In world coordinates.
export interface Figure {
  corners: Point[];
  sides: Side[];
  disks: Disk[];
  /// The solid normal·x ≤ offset.
  plane?: { normal: Point; offset: Rational };
}

export interface Pose {
  position: Point;
  /// Where the x axis points: of length 1, exactly.
  direction: Point;
}

/// (1 − t², 2t)/(1 + t²): of length 1 for every t = tan(θ/2).
export function directionOf(t: Rational): Point {
  const square = t.times(t);
  const length = Rational.one.plus(square);
  return point(Rational.one.minus(square).over(length), t.plus(t).over(length));
}

const kQuarters = [point(Rational.one, Rational.zero), point(Rational.zero, Rational.one),
  point(Rational.of(-1), Rational.zero), point(Rational.zero, Rational.of(-1))];

function directionOfAngle(degrees: Rational): Point {
  const turns = degrees.over(Rational.of(90));
  if (turns.bottom === 1n) return kQuarters[Number(((turns.top % 4n) + 4n) % 4n)];
  const theta = degrees.value - 360 * Math.floor((degrees.value + 180) / 360);
  return directionOf(Rational.ofDouble(Math.tan((theta * Math.PI) / 360)));
}

function directionOfVector(vector: Point): Point {
  const length = vector.x.times(vector.x).plus(vector.y.times(vector.y)).root;
  if (length?.sign) return scale(vector, Rational.one.over(length));
  const [x, y] = [vector.x.value, vector.y.value];
  return directionOf(Rational.ofDouble(Math.tan(Math.atan2(y, x) / 2)));
}

export function poseOf(body: Body): Pose {
  const position = parsePoint(body.position) ?? origin;
  const vector = parsePoint(body.rotation);
  if (vector && (vector.x.sign !== 0 || vector.y.sign !== 0)) return { position, direction: directionOfVector(vector) };
  return { position, direction: directionOfAngle(Rational.parse(body.angle) ?? Rational.zero) };
}

export const turned = (p: Point, direction: Point): Point =>
  point(p.x.times(direction.x).minus(p.y.times(direction.y)), p.x.times(direction.y).plus(p.y.times(direction.x)));

const placed = (p: Point, pose: Pose): Point => add(turned(p, pose.direction), pose.position);

function addLoop(figure: Figure, vertices: Point[]): void {
  let area = Rational.zero;
  vertices.forEach((p, i) => {
    const q = vertices[(i + 1) % vertices.length];
    area = area.plus(p.x.times(q.y).minus(p.y.times(q.x)));
  });
  if (area.sign < 0) vertices.reverse();
  vertices.forEach((from, i) => {
    const to = vertices[(i + 1) % vertices.length];
    figure.corners.push(from);
    figure.sides.push({ from, to, normal: left(subtract(from, to)) });
  });
}

/// A box has its centre in the origin.
export function boxCorners(width: Rational, height: Rational): Point[] {
  const [w, h] = [width.half, height.half];
  return [point(w.negative, h.negative), point(w, h.negative), point(w, h), point(w.negative, h)];
}

function addShape(figure: Figure, shape: { [key: string]: Json }, pose: Pose): void {
  const box = parsePoint(shape.box);
  const radius = Rational.parse(shape.disk);
  if (box) {
    addLoop(figure, boxCorners(box.x, box.y).map((p) => placed(p, pose)));
  } else if (radius) {
    figure.disks.push({ centre: pose.position, radius });
  } else if (Array.isArray(shape.polygon)) {
    const vertices = shape.polygon.map(parsePoint);
    if (vertices.every((p) => p !== undefined)) addLoop(figure, vertices.map((p) => placed(p, pose)));
  } else if (Array.isArray(shape.parts)) {
    for (const part of shape.parts as Body[]) {
      const own = poseOf(part);
      addShape(figure, part, { position: placed(own.position, pose), direction: turned(own.direction, pose.direction) });
    }
  }
}

export function figureOf(body: Body): Figure {
  const figure: Figure = { corners: [], sides: [], disks: [] };
  const plane = body.plane as { normal?: Json; offset?: Json } | undefined;
  if (plane) {
    const normal = parsePoint(plane.normal);
    if (normal) figure.plane = { normal, offset: Rational.parse(plane.offset ?? 0) ?? Rational.zero };
  } else {
    addShape(figure, body, poseOf(body));
  }
  return figure;
}

export function movedFigure(figure: Figure, by: Point): Figure {
  return {
    corners: figure.corners.map((p) => add(p, by)),
    sides: figure.sides.map(({ from, to, normal }) => ({ from: add(from, by), to: add(to, by), normal })),
    disks: figure.disks.map(({ centre, radius }) => ({ centre: add(centre, by), radius })),
  };
}

export interface Bounds {
  low: [number, number];
  high: [number, number];
}

/// While one body is dragged, the others are asked again and again.
const knownBounds = new WeakMap<Figure, Bounds | undefined>();

/// Least and greatest coordinates, as doubles; nothing for a half plane.
export function boundsOf(figure: Figure): Bounds | undefined {
  if (!knownBounds.has(figure)) knownBounds.set(figure, findBounds(figure));
  return knownBounds.get(figure);
}

function findBounds(figure: Figure): Bounds | undefined {
  if (figure.plane) return undefined;
  const low: [number, number] = [Infinity, Infinity];
  const high: [number, number] = [-Infinity, -Infinity];
  const include = (x: number, y: number, r: number): void => {
    [low[0], low[1]] = [Math.min(low[0], x - r), Math.min(low[1], y - r)];
    [high[0], high[1]] = [Math.max(high[0], x + r), Math.max(high[1], y + r)];
  };
  for (const corner of figure.corners) include(corner.x.value, corner.y.value, 0);
  for (const { centre, radius } of figure.disks) include(centre.x.value, centre.y.value, radius.value);
  return low[0] <= high[0] ? { low, high } : undefined;
}

/// The body with another position; other keys stay.
export function movedBody(body: Body, position: Point): Body {
  return { ...body, position: [position.x.written, position.y.written] };
}

/// The body turned so that its x axis points to t = tan(θ/2), about `pivot` (world). Quarter turns are written as
/// angles, all others as a vector of whole numbers, which is exact.
export function turnedBody(body: Body, t: Rational | 'half', pivot: Point): Body {
  const pose = poseOf(body);
  const direction = t === 'half' ? kQuarters[2] : directionOf(t);
  // The inverse of a turn is the turn to the mirrored direction.
  const turn = turned(direction, point(pose.direction.x, pose.direction.y.negative));
  const position = add(turned(subtract(pose.position, pivot), turn), pivot);
  const { angle: _angle, rotation: _rotation, ...rest } = body;
  const result = movedBody(rest, position);
  const quarter = kQuarters.findIndex((q) => q.x.equals(direction.x) && q.y.equals(direction.y));
  if (quarter === 0) return result;
  if (quarter > 0) return { ...result, angle: 90 * quarter };
  const common = direction.x.bottom;  // the same for both, in lowest terms
  const whole = (x: Rational): number | string => x.times(Rational.of(common)).written;
  return { ...result, rotation: [whole(direction.x), whole(direction.y)] };
}

/// tan(θ/2) of an angle as a simple fraction: the same for the same number of degrees, so that equal angles fit.
export function halfTangent(degrees: number): Rational | 'half' {
  const theta = degrees - 360 * Math.floor((degrees + 180) / 360);
  if (theta === -180) return 'half';
  if (theta === 90) return Rational.one;
  if (theta === -90) return Rational.of(-1);
  return simplestNear(Math.tan((theta * Math.PI) / 360), 1e-4);
}

/// The fraction of least denominator within `tolerance`.
export function simplestNear(value: number, tolerance: number): Rational {
  for (let bottom = 1; ; ++bottom) {
    const top = Math.round(value * bottom);
    if (Math.abs(top / bottom - value) <= tolerance) return Rational.of(top, bottom);
  }
}

/// Degrees, as a double.
export function angleOf(body: Body): number {
  const { direction } = poseOf(body);
  return (Math.atan2(direction.y.value, direction.x.value) * 180) / Math.PI;
}
