/// New bodies, and other sizes of old ones, in exact numbers.
import type { Body, SceneDocument } from './document';
import { angleOf, boundsOf, figureOf, halfTangent, movedBody, poseOf, turned, turnedBody } from './geometry';
import { add, parsePoint, point, Rational, scale, subtract, type Point } from './rational';

export type Kind = 'brick' | 'polygon' | 'disk' | 'ground' | 'block';

const r = Rational.of;
const fraction = (top: number, bottom = 1): Rational => r(top, bottom);

/// About as large as what is there: 1, 2 or 5 times a power of ten.
export function roundLength(length: number): Rational {
  const power = Math.floor(Math.log10(length));
  const lead = length / 10 ** power;
  const digit = lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10;
  return power < 0 ? r(digit, 10n ** BigInt(-power)) : r(BigInt(digit) * 10n ** BigInt(power));
}

/// A new body of about that size.
export function newBody(kind: Kind, unit: Rational, at: Point): Body {
  const w = (factor: Rational): number | string => unit.times(factor).written;
  const position = [at.x.written, at.y.written];
  switch (kind) {
    case 'brick':
      return { name: 'brick', box: [w(fraction(1)), w(fraction(1, 2))], position };
    case 'polygon':
      return {
        name: 'polygon', position,
        polygon: [[w(fraction(-1, 2)), w(fraction(-1, 4))], [w(fraction(1, 2)), w(fraction(-1, 4))], [w(fraction(1, 4)), w(fraction(1, 4))], [w(fraction(-1, 4)), w(fraction(1, 4))]],
      };
    case 'disk':
      return { name: 'disk', disk: w(fraction(1, 4)), position };
    case 'block':
      return { name: 'block', fixed: true, box: [w(fraction(3, 2)), w(fraction(1, 2))], position };
    case 'ground':
      return { name: 'ground', fixed: true, plane: { normal: [0, 1], offset: 0 } };
  }
}

export const emptyScene: SceneDocument = {
  collapse: 1,
  name: 'my scene',
  dimension: 2,
  gravity: [0, -10],
  materials: { default: { density: 1, friction: 0.5 } },
  bodies: [newBody('ground', Rational.one, point(Rational.zero, Rational.zero))],
};

/// A grip of a selected body: where it is, and what the body becomes when it is dragged to a point.
export interface Grip {
  name: string;
  at: [number, number];
  /// To a place that is a multiple of the grid already.
  drag(to: Point): Body | undefined;
  kind: 'size' | 'corner' | 'turn';
}

const numbers = (p: Point): [number, number] => [p.x.value, p.y.value];
const kLeastSize = 1e-6;

/// The point in the body's own coordinates.
function ownPoint(body: Body, world: Point): Point {
  const { position, direction } = poseOf(body);
  return turned(subtract(world, position), point(direction.x, direction.y.negative));
}

function boxGrips(body: Body, size: Point): Grip[] {
  const { position, direction } = poseOf(body);
  const sides: [string, 'x' | 'y', number][] = [['right side', 'x', 1], ['left side', 'x', -1], ['top side', 'y', 1], ['bottom side', 'y', -1]];
  return sides.map(([name, axis, sign]) => {
    const half = size[axis].half.times(r(sign));
    const middle = axis === 'x' ? point(half, Rational.zero) : point(Rational.zero, half);
    return {
      name, kind: 'size', at: numbers(add(turned(middle, direction), position)),
      // The opposite side stays where it is.
      drag: (to) => {
        const length = ownPoint(body, to)[axis].times(r(sign)).plus(size[axis].half);
        if (!(length.value > kLeastSize)) return undefined;
        const growth = length.minus(size[axis]).half.times(r(sign));
        const shift = axis === 'x' ? point(growth, Rational.zero) : point(Rational.zero, growth);
        const box = axis === 'x' ? [length.written, size.y.written] : [size.x.written, length.written];
        return { ...movedBody(body, add(position, turned(shift, direction))), box };
      },
    };
  });
}

function cornerGrips(body: Body, vertices: readonly unknown[]): Grip[] {
  const { position, direction } = poseOf(body);
  return vertices.flatMap((written, i) => {
    const vertex = parsePoint(written);
    if (!vertex) return [];
    return [{
      name: `corner ${i + 1}`, kind: 'corner' as const, at: numbers(add(turned(vertex, direction), position)),
      drag: (to: Point) => {
        const own = ownPoint(body, to);
        const polygon = vertices.map((old, k) => (k === i ? [own.x.written, own.y.written] : old));
        return { ...body, polygon } as Body;
      },
    }];
  });
}

function radiusGrip(body: Body, radius: Rational): Grip {
  const { position } = poseOf(body);
  return {
    name: 'radius', kind: 'size', at: numbers(add(position, point(radius, Rational.zero))),
    drag: (to) => {
      const length = to.x.minus(position.x);
      return length.value > kLeastSize ? { ...body, disk: length.written } : undefined;
    },
  };
}

/// The middle of a body: of its box, where it has one.
export function middleOf(body: Body): Point {
  const figure = figureOf(body);
  const all = [...figure.corners, ...figure.disks.map((disk) => disk.centre)];
  if (all.length === 0) return poseOf(body).position;
  return scale(all.reduce(add), r(1, all.length));
}

/// Degrees that turning by hand stops at.
export const kTurnStep = 5;

/// The body turned to an angle (degrees) about its middle.
export const turnedTo = (body: Body, degrees: number): Body => turnedBody(body, halfTangent(degrees), middleOf(body));

function turnGrip(body: Body, distance: number): Grip {
  const middle = middleOf(body);
  const [x, y] = numbers(middle);
  const angle = (angleOf(body) * Math.PI) / 180 + Math.PI / 2;
  return {
    name: 'turn', kind: 'turn', at: [x + distance * Math.cos(angle), y + distance * Math.sin(angle)],
    drag: (to) => {
      const degrees = (Math.atan2(to.y.value - y, to.x.value - x) * 180) / Math.PI - 90;
      return turnedBody(body, halfTangent(kTurnStep * Math.round(degrees / kTurnStep)), middle);
    },
  };
}

/// `clearance`: a few pixels, in the world's lengths.
export function gripsOf(body: Body, clearance: number): Grip[] {
  const bounds = boundsOf(figureOf(body));
  if (!bounds) return [];
  const reach = Math.hypot(bounds.high[0] - bounds.low[0], bounds.high[1] - bounds.low[1]) / 2;
  const box = parsePoint(body.box);
  const radius = Rational.parse(body.disk);
  if (box) return [...boxGrips(body, box), turnGrip(body, box.y.value / 2 + clearance)];
  if (radius) return [radiusGrip(body, radius)];
  const corners = Array.isArray(body.polygon) ? cornerGrips(body, body.polygon) : [];
  return [...corners, turnGrip(body, reach + clearance)];
}
