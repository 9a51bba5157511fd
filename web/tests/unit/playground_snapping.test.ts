import { describe, expect, it } from 'vitest';
import type { Body } from '../../src/playground/document';
import { figureOf, halfTangent, movedBody, movedFigure, poseOf, turnedBody } from '../../src/playground/geometry';
import { add, dot, point, Rational, subtract, type Point } from '../../src/playground/rational';
import { faceEachOther, snap, type SnapOptions } from '../../src/playground/snapping';

const number = (text: string | number): Rational => Rational.parse(text)!;
const at = (x: string | number, y: string | number): Point => point(number(x), number(y));
const options: SnapOptions = { reach: 0.08, grid: number('1/20') };

/// The body where it goes when it is dragged to where it is now.
function snapped(body: Body, others: Body[], more: Partial<SnapOptions> = {}): { body: Body; contact: boolean } {
  const { position } = poseOf(body);
  const result = snap(figureOf(body), others.map(figureOf), position, { ...options, ...more });
  return { body: movedBody(body, add(position, result.shift)), contact: result.contact };
}

const touches = (a: Body, b: Body): boolean =>
  figureOf(a).sides.some((side) => figureOf(b).sides.some((other) => faceEachOther(side, other)));

const ground: Body = { plane: { normal: [0, 1], offset: 0 } };

describe('snapping', () => {
  it('puts a brick exactly onto the ground and on the grid', () => {
    const { body, contact } = snapped({ box: [1, '1/3'], position: ['0.3337', '0.19'] }, [ground]);
    expect(contact).toBe(true);
    expect(body.position).toEqual([0.35, '1/6']);
  });

  it('puts a brick exactly onto a brick at any height', () => {
    const lower: Body = { box: [1, '1/7'], position: ['1/3', '123/1000'] };
    const { body } = snapped({ box: [1, '1/7'], position: ['0.7', '0.29'] }, [lower]);
    expect(touches(body, lower)).toBe(true);
    expect(poseOf(body).position.y.equals(number('123/1000').plus(number('1/7')))).toBe(true);
  });

  it('makes sides flush where they nearly are', () => {
    const lower: Body = { box: [1, '1/7'], position: ['1/3', '123/1000'] };
    const { body } = snapped({ box: [1, '1/7'], position: ['0.36', '0.29'] }, [lower]);
    expect(poseOf(body).position.x.equals(number('1/3'))).toBe(true);
  });

  it('puts a brick into the corner of two others', () => {
    const wall: Body = { box: ['1/3', 2], position: [0, 1] };
    const { body } = snapped({ box: [1, '1/4'], position: ['0.70', '0.15'] }, [ground, wall]);
    expect(body.position).toEqual(['2/3', 0.125]);
    expect(touches(body, wall)).toBe(true);
  });

  it('works on slopes: corners are on the line without rounding', () => {
    const slope: Body = { polygon: [[0, 0], [4, 0], [4, 3]] };  // its upper side rises 3 in 4
    const turnedBrick = turnedBody({ box: [1, '1/2'], position: [0, 0] }, number('1/3'), at(0, 0));
    expect(turnedBrick.rotation).toEqual([4, 3]);
    const { body, contact } = snapped(movedBody(turnedBrick, at('1.87', '1.74')), [slope]);
    expect(contact).toBe(true);
    expect(touches(body, slope)).toBe(true);
    const normal = at(-3, 4);
    const least = figureOf(body).corners.map((corner) => dot(corner, normal));
    expect(least.filter((height) => height.sign === 0)).toHaveLength(2);
    expect(least.some((height) => height.sign < 0)).toBe(false);
  });

  it('puts a corner onto a side, and a side onto a corner', () => {
    const tip: Body = { polygon: [[0, 0], [2, 0], [1, 1]] };
    const { body } = snapped({ box: [1, '1/2'], position: ['1.1', '1.29'] }, [tip]);
    expect(poseOf(body).position.y.equals(number('5/4'))).toBe(true);
    const upside: Body = { polygon: [[0, 1], [1, 0], [2, 1]], position: ['0.03', '0.05'] };
    expect(poseOf(snapped(upside, [ground]).body).position.y.equals(Rational.zero)).toBe(true);
  });

  it('puts disks against planes exactly and against disks within rounding', () => {
    expect(snapped({ disk: '1/3', position: [0, '0.3'] }, [ground]).body.position).toEqual([0, '1/3']);
    const other: Body = { disk: 1, position: [0, 0] };
    const { body } = snapped({ disk: '1/2', position: ['1.1', '1.05'] }, [other]);
    const centre = subtract(poseOf(body).position, at(0, 0));
    expect(Math.abs(Math.sqrt(dot(centre, centre).value) - 1.5)).toBeLessThan(1e-12);
  });

  it('never pulls a body through another', () => {
    const lower: Body = { box: [1, 1], position: [0, '1/2'] };
    for (let i = 0; i < 200; ++i) {
      // Places all around, within reach of touching from outside.
      const [x, y] = [Math.cos(i) * 1.2, 0.5 + Math.sin(1.7 * i) * 1.2];
      const body: Body = { box: ['3/4', '3/4'], position: [x.toFixed(3), y.toFixed(3)] };
      const result = snapped(body, [lower]);
      if (!result.contact) continue;
      const { position } = poseOf(result.body);
      const limit = number('7/8');
      const apart = [position.x, position.y.minus(number('1/2'))].some((d) => !(d.sign < 0 ? d.negative : d).below(limit));
      expect(apart, `from ${x}, ${y}`).toBe(true);
    }
  });

  it('keeps to the grid where nothing is near, and everywhere when asked to', () => {
    expect(snapped({ box: [1, 1], position: ['3.337', '5.01'] }, [ground])).toMatchObject({ contact: false, body: { position: [3.35, 5] } });
    expect(snapped({ box: [1, 1], position: ['0.013', '0.517'] }, [ground], { free: true }).body.position).toEqual([0, 0.5]);
  });
});

describe('turning', () => {
  it('is exact: rotations have length 1 without rounding, and equal angles are equal', () => {
    for (const degrees of [5, 15, 30, 45, 60, 89, 91, 135, -30, 175]) {
      const body = turnedBody({ box: [1, 1], position: [1, 2] }, halfTangent(degrees), at(1, 2));
      const { direction } = poseOf(body);
      expect(dot(direction, direction).equals(Rational.one), String(degrees)).toBe(true);
      expect((Math.atan2(direction.y.value, direction.x.value) * 180) / Math.PI).toBeCloseTo(degrees, 1);
      expect(turnedBody(body, halfTangent(degrees), at(0, 0)).rotation).toEqual(body.rotation);
    }
    expect(turnedBody({ box: [1, 1], angle: 30 }, halfTangent(90), at(0, 0))).toEqual({ box: [1, 1], angle: 90, position: [0, 0] });
    expect(turnedBody({ box: [1, 1], angle: 30 }, halfTangent(0), at(0, 0))).toEqual({ box: [1, 1], position: [0, 0] });
  });

  it('keeps the pivot where it is', () => {
    const body: Body = { polygon: [[0, 0], [1, 0], [0, 1]], position: ['1/3', '2/7'] };
    const pivot = at('4/3', '2/7');  // its second corner
    const turned = figureOf(turnedBody(body, halfTangent(35), pivot));
    expect(turned.corners.some((corner) => corner.x.equals(pivot.x) && corner.y.equals(pivot.y))).toBe(true);
    expect(movedFigure(turned, at(1, 1)).corners).toHaveLength(3);
  });
});
