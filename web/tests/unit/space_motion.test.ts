/// Motions in space: from bytes to what is drawn at a time.
import { describe, expect, it } from 'vitest';
import { BadData, decode } from '../../src/view/decode';
import { sceneExtent } from '../../src/view/extent';
import { arrowsOf, forcesOfFrame, referenceForce } from '../../src/view/forces';
import { Frozen } from '../../src/view/frozen';
import { timesQuaternion, turnBy, turnVector } from '../../src/view/rows';
import { interpolatePoses, velocityOf } from '../../src/view/timeline';
import { bodyGeometries } from '../../src/stage/body_layer';
import type { BodyShape, StageBody } from '../../src/stage/types';
import { Bytes, cube, spaceMotionBytes, spaceMotionHeader } from './payload';

const { header, motion } = decode(spaceMotionBytes().bytes);
const poseOf = (frame: number, body: number): number[] => [...motion.poses.slice(28 * frame + 7 * body, 28 * frame + 7 * body + 7)];
const expectClose = (found: ArrayLike<number>, expected: readonly number[], digits = 9): void => {
  expect(found.length).toBe(expected.length);
  expected.forEach((value, i) => expect(found[i]).toBeCloseTo(value, digits));
};

describe('decode in space', () => {
  it('has places and unit quaternions of all bodies', () => {
    expect([motion.frames, ...motion.times]).toEqual([3, 0, 0.5, 1]);
    expectClose(poseOf(0, 2), [0, 0, 2, 0, 0, 0, 1]);
    expectClose(poseOf(1, 2), [0, 0, 1, 0, 0.6, 0, 0.8]);
    expectClose(poseOf(2, 2), [0, 0, 0.5, 0, 0.6 / Math.hypot(0.6, 0.8), 0, 0.8]);
    for (let frame = 0; frame < 3; ++frame) {
      expectClose(poseOf(frame, 1), [9, 9, 0.5, 0, 0, 0, 1]);
      expectClose(poseOf(frame, 3), [3, 0, 1, 0, 0, 0, 1]);
    }
  });

  it('makes quaternions of whole numbers unit ones', () => {
    const bytes = new Bytes().header(spaceMotionHeader({ hasForces: false }));
    bytes.real(0).real(0).real(0).count(0);
    for (const value of [0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 2, 0, 4, 0]) bytes.whole(value);
    const { poses } = decode(bytes.count(0).bytes).motion;
    expectClose(poses.slice(17, 21), [0.2, 0.4, 0.4, 0.8]);
    expectClose(poses.slice(24, 28), [0, 0, 0, 1]);  // none at all
  });

  it('has forces on bodies that move, and their directions all around', () => {
    const forces = motion.forces!;
    expect([...forces.first]).toEqual([0, 0, 2, 3]);
    expect([forces.a, forces.b, forces.base]).toEqual([[0, 1], [2, 3], [2, 3]]);
    expectClose(forces.points, [0.125, 0.25, -0.5, 0, 0, -1, 0.125, 0.25, -0.5]);
    expectClose(forces.vectors, [0, 0, 4, 0, 0, -2, -Math.SQRT2, Math.SQRT2, 0]);
    expect(forces.largest).toBe(4);
  });

  it('has the contacts that open and close', () => {
    expect([...motion.changes!.closed]).toEqual([1, 0, 1]);
    expectClose(motion.changes!.points, [1, 2, -1, 0.125, 0.25, 0.375, 0.625, 0.875, 1.125]);
  });

  it('gives an answer or BadData for data cut off anywhere and whatever byte is changed', () => {
    const whole = spaceMotionBytes().bytes;
    const attempt = (bytes: Uint8Array): number => {
      try {
        return decode(bytes).motion.frames;
      } catch (error) {
        expect(error).toBeInstanceOf(BadData);
        return 0;
      }
    };
    const begin = whole.length - 260;
    const complete = new Set(Array.from({ length: 260 }, (_, i) => attempt(whole.slice(0, begin + i))));
    expect([...complete].sort()).toEqual([0, 1, 2]);
    for (let at = begin; at < whole.length; ++at) {
      for (const value of [0, 127, 255]) {
        const changed = whole.slice();
        changed[at] = value;
        attempt(changed);
      }
    }
  }, 30_000);  // a second; more where the machine is busy
});

describe('between frames in space', () => {
  /// One body, two frames a unit of time apart.
  const between = (from: readonly number[], to: readonly number[], share: number): Float64Array => {
    const out = new Float64Array(7);
    interpolatePoses(Float64Array.from([0, 0, 0, ...from, 2, 4, 6, ...to]), 7, { before: 0, after: 1, share }, 3, out);
    return out;
  };
  const about = (axis: readonly number[], angle: number): number[] => turnBy(axis.map((x) => angle * x));

  it('bodies turn evenly about one axis', () => {
    const axis = [1 / 3, 2 / 3, 2 / 3];
    for (const angle of [0.01, 0.5, 2, 3]) {
      const start = about([0, 0, 1], 1);
      const found = between(start, timesQuaternion(about(axis, angle), start), 0.25);
      expectClose(found, [0.5, 1, 1.5, ...timesQuaternion(about(axis, 0.25 * angle), start)], angle < 0.05 ? 8 : 12);
    }
  });

  it('go the longer way where the signs say so', () => {
    const found = between(about([0, 0, 1], 0), about([0, 0, 1], 1.5 * Math.PI), 1 / 3);
    expectClose(found.slice(3), about([0, 0, 1], 0.5 * Math.PI));
  });

  it('have velocities and spins from the frame before, at the start from the scene', () => {
    const turn = 2 * Math.atan2(0.6, 0.8);
    const { velocity, spin } = velocityOf(motion, 1, 2, undefined, 3);
    expectClose(velocity, [0, 0, -2]);
    expectClose(spin, [0, 2 * turn, 0]);
    expect(velocityOf(motion, 0, 2, [1, 2, 3, 4, 5, 6], 3)).toEqual({ velocity: [1, 2, 3], spin: [4, 5, 6] });
    expectClose(velocityOf(motion, 2, 2, undefined, 3).spin, [0, 0, 0]);
  });

  it('turns and vectors are the same thing twice', () => {
    for (const v of [[0, 0, 0], [1e-14, 0, 0], [0.3, -0.2, 0.1], [0, 3, 3], [4, 0, 4]]) expectClose(turnVector(turnBy(v)), v);
  });
});

it('forces move with their bodies, and arrows of them are up to the reference', () => {
  const poses = motion.poses.slice(28, 56);
  poses[14] += 10;
  const [first, second] = forcesOfFrame(motion, 1, poses, 3);
  expectClose(first.at, [10.125, 0.25, 0.5]);
  expectClose(second.at, [3, 0, 0]);
  expect([first.size, second.size]).toEqual([4, 2]);
  expect(referenceForce(header, motion)).toBe(4);
  const arrows = arrowsOf(header, [first, second], 4, 1, { scale: 1, threshold: 0 });
  expectClose(arrows.vectors, [0, 0, -0.5, 0, 0, 1]);
});

it('bodies freeze and thaw in both directions of time', () => {
  const frozen = new Frozen(motion.freezes!, 4);
  const at = (frame: number): number[] => {
    frozen.goTo(frame);
    return [...frozen.now];
  };
  expect(frozen.everAny).toBe(true);
  expect([at(0), at(1), at(2), at(1), at(0), at(2)]).toEqual([
    [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0],
  ]);
  expect([frozen.goTo(2), frozen.goTo(1), frozen.goTo(0), frozen.goTo(2)]).toEqual([false, true, true, true]);
});

it('the camera sees where everything begins and where it gets to', () => {
  const box = sceneExtent(header, motion);
  expect(box.low[2]).toBeLessThan(-0.1);  // the cube sinks, turned
  expect(box.high[2]).toBeCloseTo(2.5, 9);
  expect(box.high[0]).toBeCloseTo(9.5, 9);
});

it('a shape that many bodies have is stored once', () => {
  const body = (shape: Partial<BodyShape>): StageBody => ({ fixed: false, shape: { loops: [], balls: [], ...shape } });
  const bodies = [...Array.from({ length: 20 }, () => body({ solid: cube })), body({ balls: [0, 0, 0, 1] }), body({ plane: [0, 0, 1, 0] }), body({ balls: [0, 0, 0, 1] })];
  const { surfaces, edges } = bodyGeometries({ dimension: 3, bodies, extent: { low: [0, 0, 0], high: [1, 1, 1] } }, 0);
  expect(surfaces.length).toBe(2);
  const [alike, rest] = surfaces;
  expect(alike.getAttribute('position').count).toBe(36);
  expect([...alike.getAttribute('body').array]).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect([...new Set(rest.getAttribute('body').array)]).toEqual([20, 22]);
  const owners = [...edges.getAttribute('body').array];
  expect(owners.length).toBe(20 * 12 + 2 * 3 * 64);
  expect(owners.filter((i) => i === 19).length).toBe(12);
  expect([...edges.getAttribute('from').array.slice(0, 36)]).toEqual([...edges.getAttribute('from').array.slice(36, 72)]);
});
