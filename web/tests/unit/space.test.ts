/// Scenes in space: what is decoded, where bodies are, what is drawn and what is met by a line of sight.
import { describe, expect, it } from 'vitest';
import { StageCamera } from '../../src/stage/camera';
import { inLocalUnits } from '../../src/stage/local';
import { emptyMesh, type Mesh } from '../../src/stage/outline';
import { firstBody, meetShape, turnedBy, type Vec3 } from '../../src/stage/raycast';
import { addSolid, coverShape, solidThickness } from '../../src/stage/solids';
import { Mark, type BodyShape, type Box, type StageBody } from '../../src/stage/types';
import { inwards } from '../../src/stage/walls';
import type { Header } from '../../src/view/data';
import { decode } from '../../src/view/decode';
import { sceneExtent, shapeOf, typicalSize } from '../../src/view/extent';
import { arrowsOf, drawnOnA, forcesOfVerdict } from '../../src/view/forces';
import { ghostTime, movedPoses, movingContacts, startOutlines } from '../../src/view/mechanism';
import { moveOn, pointOf, timesQuaternion, turnAngle, turnBy } from '../../src/view/rows';
import { Bytes, cube, spaceHeader } from './payload';

const data = decode(new Bytes().header(spaceHeader()).bytes);
const { header } = data;
const verdict = header.verdict!;
const shapes = header.bodies.map(shapeOf);

/// Numbers that look random and are the same every time.
let seed = 7;
const random = (): number => ((seed = (seed * 48271) % 2147483647) / 2147483647);
const between = (low: number, high: number): number => low + (high - low) * random();
const direction = (): Vec3 => {
  const [z, angle] = [between(-1, 1), between(0, 2 * Math.PI)];
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z];
};

describe('decode', () => {
  it('takes a scene in space: seven numbers to a pose', () => {
    expect(data.motion.poses.length).toBe(35);
    expect([...data.motion.poses.slice(0, 7)]).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect([...data.motion.poses.slice(7, 14)]).toEqual([0, 0, 0.5, 0, 0, 0, 1]);
  });

  it.each([
    [{ solid: { ...cube, triangles: [0, 1, 8] }, pose: [0, 0, 0, 0, 0, 0, 1] }, /no such point/],
    [{ solid: { ...cube, points: ['x'] }, pose: [0, 0, 0, 0, 0, 0, 1] }, /numbers/],
    [{ solid: cube, pose: [0, 0, 0] }, /place/], [{ balls: [null], pose: [0, 0, 0, 0, 0, 0, 1] }, /numbers/],
  ])('refuses %j', (body, message) => {
    const damaged = spaceHeader({ bodies: [{ name: 'x', material: 0, ...body }], moving: [] });
    expect(() => decode(new Bytes().header(damaged).bytes)).toThrow(message);
  });
});

/// By the divergence theorem: right only if all triangles are there and turned outwards.
function volume(mesh: Mesh): number {
  let sum = 0;
  for (let t = 0; t < mesh.indices.length; t += 3) {
    const [a, b, c] = mesh.indices.slice(t, t + 3).map((i) => mesh.positions.slice(3 * i, 3 * i + 3));
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

describe('solids', () => {
  const meshOf = (shape: BodyShape): Mesh => {
    const mesh = emptyMesh();
    addSolid(mesh, 0, shape, 1);
    return mesh;
  };

  it.each([[1, 1], [2, (4 / 3) * Math.PI], [3, Math.PI], [4, Math.PI / 2 + Math.PI / 6]])('of body %i have the volume they should have', (body, exact) => {
    // A circle of 64 sides is 0.16 % smaller than a round one, a sphere of such circles about twice that.
    const found = volume(meshOf(shapes[body])) / exact;
    expect(found).toBeLessThan(1 + 1e-9);
    expect(found).toBeGreaterThan(body === 1 ? 1 - 1e-9 : 1 - 0.005);
  });

  it('have normals along their triangles', () => {
    for (const shape of shapes.slice(1)) {
      const mesh = meshOf(shape);
      for (let t = 0; t < mesh.indices.length; t += 3) {
        const corners = mesh.indices.slice(t, t + 3);
        const [a, b, c] = corners.map((i) => mesh.positions.slice(3 * i, 3 * i + 3));
        const [u, v] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - a[k])];
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        if (Math.hypot(...n) < 1e-9) continue;
        for (const i of corners) expect(n.reduce((sum, x, k) => sum + x * mesh.normals[3 * i + k], 0)).toBeGreaterThan(0.98 * Math.hypot(...n));
      }
    }
  });

  it('have the edges they are given and no others', () => {
    expect(meshOf(shapes[1]).edgeBodies.length).toBe(12);
    expect(solidThickness(shapes[3])).toBe(1);
    expect(solidThickness({ loops: [], balls: [], plane: [0, 0, 1, 0] })).toBe(0);
  });

  it('keep their form in local units', () => {
    const local = { origin: [1, 2, 3] as const, unit: 4 };
    const [ground, , , roll] = inLocalUnits({ dimension: 3, bodies: shapes.map((shape) => ({ shape, fixed: false })), extent: { low: [0, 0, 0], high: [1, 1, 1] } }, local).bodies;
    expect(roll.shape.cylinders).toEqual([0, 0, 0, 0, 0, 1, 0.125, 0.5]);
    expect(ground.shape.plane).toEqual([0, 0, 2, -1.5]);
  });
});

/// How far a point is outside of a shape, or less: written apart from what is tested.
function outside(shape: BodyShape, [x, y, z]: Vec3): number {
  if (shape.solid) return Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) - 0.5;
  if (shape.balls.length) return Math.hypot(x, y, z) - 1;
  if (shape.cylinders) return Math.max(Math.hypot(x, y) - 0.5, Math.abs(z) - 2);
  return Math.hypot(x, y, z - Math.min(1, Math.max(-1, z))) - 0.5;
}

describe('a line of sight', () => {
  it.each([1, 2, 3, 4])('meets body %i where marching in small steps meets it', (body) => {
    let hits = 0;
    for (let trial = 0; trial < 300; ++trial) {
      const from = direction().map((x) => 5 * x) as Vec3;
      const aim: Vec3 = [between(-1, 1), between(-1, 1), between(-2, 2)];
      const way = aim.map((x, k) => x - from[k]) as Vec3;
      const length = Math.hypot(...way);
      const unit = way.map((x) => x / length) as Vec3;
      let t = 0;
      const gap = (): number => outside(shapes[body], from.map((x, k) => x + t * unit[k]) as Vec3);
      while (t < 12 && gap() > 1e-7) t += Math.max(1e-7, 0.5 * gap());
      const met = meetShape(shapes[body], from, unit);
      if (t < 12) {
        ++hits;
        expect(met).toBeCloseTo(t, 4);
      } else if (met < Infinity) {
        // It may graze by less than the steps.
        expect(outside(shapes[body], from.map((x, k) => x + met * unit[k]) as Vec3)).toBeLessThan(1e-6);
      }
    }
    expect(hits).toBeGreaterThan(80);
  });

  it('meets the nearest body, and the ground only where there is no body', () => {
    const bodies = shapes.map((shape) => ({ shape, fixed: false }));
    const pick = (from: Vec3, to: Vec3): number =>
      firstBody(bodies, data.motion.poses, from, to.map((x, k) => x - from[k]) as Vec3);
    expect(pick([0, 0, 9], [0, 0, 0])).toBe(1);
    expect(pick([9, 0, 1], [0, 0, 0.5])).toBe(2);
    expect(pick([-9, 0, 1], [0, 0, 0.5])).toBe(4);
    expect(pick([1.8, 4, 9], [1.8, 4, 0])).toBe(3);  // along x, as it is turned
    expect(pick([0, 5.8, 9], [0, 5.8, 0])).toBe(0);
    expect(pick([0, 9, 9], [0, 20, 9])).toBe(-1);
  });
});

describe('walls', () => {
  /// A box around its middle, with two triangles for each of its six faces.
  const box = (...size: [number, number, number]): BodyShape => {
    const points = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((k) => size[k] * ((i >> k) & 1 ? 0.5 : -0.5))).flat();
    const triangles = [0, 1, 2].flatMap((k) => {
      const [u, v, w] = [1 << k, 1 << (k + 1) % 3, 1 << (k + 2) % 3];
      return [0, u].flatMap((at) => [at, at + v, at + v + w, at, at + v + w, at + w]);
    });
    return { loops: [], balls: [], solid: { points, triangles, edges: [] } };
  };
  const body = (shape: BodyShape, fixed: boolean): StageBody => ({ shape, fixed });
  const at = (...place: Vec3): number[] => [...place, 0, 0, 0, 1];
  const quarter = Math.SQRT1_2;
  // A cube between two walls, the second lying on its side until it is turned; a floor, and a plate in its midst.
  const bodies = [
    body(box(1, 1, 1), false), body(box(0.1, 4, 4), true), body(box(4, 0.1, 4), true), body(box(9, 9, 0.2), true),
    body(box(0.1, 1, 1), true), body(box(4, 4, 4), true), body(box(1, 1, 1), false),
  ];
  const poses = Float64Array.from([
    ...at(1, 0, 0), ...at(3, 0, 0), -3, 0, 0, 0, 0, quarter, quarter, ...at(0, 0, -2), ...at(0, 0, 0), ...at(0, 9, 0), ...at(-1, 0, 0),
  ]);
  const geometry = { dimension: 3 as const, bodies, extent: { low: [-3, -3, -3], high: [3, 3, 3] } as Box };
  const walls = inwards(geometry, poses);

  it('are fixed plates with what is free on one side', () => {
    const of = (i: number): number[] => Array.from(walls.subarray(3 * i, 3 * i + 3), (x) => Math.round(x) + 0);
    expect(of(1)).toEqual([-1, 0, 0]);
    expect(of(2)).toEqual([0, -1, 0]);
    expect(of(3)).toEqual([0, 0, 1]);
    for (const i of [0, 4, 5, 6]) expect(of(i)).toEqual([0, 0, 0]);
    expect(inwards({ ...geometry, bodies: bodies.slice(1, 6) }, poses.subarray(7)).some((x) => x !== 0)).toBe(false);
  });

  it('are met from outside only where nothing is behind them', () => {
    const pick = (from: Vec3, way: Vec3): number => firstBody(bodies, poses, from, way, walls);
    expect(pick([9, 0, 0], [-1, 0, 0])).toBe(0);
    expect(pick([9, 0, 1.5], [-1, 0, 0])).toBe(2);  // through the first, onto the inside of the other
    expect(pick([-9, 0, 0], [1, 0, 0])).toBe(6);
    expect(pick([9, 0, 1.5], [-1, 0, 1])).toBe(-1);
    expect(firstBody(bodies, poses, [9, 0, 0], [-1, 0, 0])).toBe(1);
  });
});

describe('turns', () => {
  it('are those of the exponential map', () => {
    const quarter = turnedBy(turnBy([0, 0, Math.PI / 2]), [1, 0, 0]);
    [0, 1, 0].forEach((x, k) => expect(quarter[k]).toBeCloseTo(x, 12));
    for (let trial = 0; trial < 50; ++trial) {
      // Rodrigues' formula, and many small turns one after the other.
      const [axis, angle, v] = [direction(), between(-3, 3), direction()];
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const dot = axis.reduce((sum, x, k) => sum + x * v[k], 0);
      const cross = [axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]];
      const turned = turnedBy(turnBy(axis.map((x) => angle * x)), v);
      v.forEach((x, k) => expect(turned[k]).toBeCloseTo(c * x + s * cross[k] + (1 - c) * dot * axis[k], 12));
      const small = turnBy(axis.map((x) => (angle * x) / 8));
      const eight = Array.from({ length: 8 }).reduce<[number, number, number, number]>((q) => timesQuaternion(small, q), [0, 0, 0, 1]);
      turnBy(axis.map((x) => angle * x)).forEach((x, k) => expect(eight[k]).toBeCloseTo(x, 12));
    }
    expect(turnBy([0, 0, 0])).toEqual([0, 0, 0, 1]);
  });

  it('move bodies about their centres of mass', () => {
    const poses = Float64Array.from([1, 2, 3, 0, 0, 0, 1]);
    const out = poses.slice();
    moveOn(poses, { body: 0, velocity: [1, 0, 0], spin: [0, 0, Math.PI] }, 0.5, 3, out);
    expect([...out.slice(0, 3)]).toEqual([1.5, 2, 3]);
    pointOf(out, 0, 3, [1, 0, 0]).forEach((x, k) => expect(x).toBeCloseTo([1.5, 3, 3][k], 12));
    expect(turnAngle(out, 0, 3)).toBeCloseTo(Math.PI / 2, 12);
  });
});

describe('the mechanism', () => {
  it('opens the contacts that lift and holds those on the axis', () => {
    const marks = movingContacts(verdict, data.motion.poses, 3);
    expect([...marks.kinds]).toEqual([Mark.opens, Mark.holds, Mark.holds, Mark.opens]);
    expect([...marks.points.slice(0, 3)]).toEqual([-0.5, -0.5, 0]);
  });

  it('moves bodies on and leaves outlines of where they were', () => {
    const time = ghostTime(verdict, 1, 3);
    expect(time).toBeCloseTo(0.6);
    const moved = movedPoses(header, verdict, data.motion.poses, 1, 1);
    expect(moved[7]).toBeCloseTo(0.3);
    expect(turnAngle(moved, 1, 3)).toBeCloseTo(0.6);
    expect([...moved.slice(14)]).toEqual([...data.motion.poses.slice(14)]);
    const [start] = startOutlines(header, verdict, data.motion.poses, 1);
    expect([...start.poses.slice(7, 14)]).toEqual([0, 0, 0.5, 0, 0, 0, 1]);
    expect(start.poses.slice(14).every(Number.isNaN)).toBe(true);
  });
});

it('forces are drawn on the free body, with all three components', () => {
  const standing = { ...verdict, forces: [[0, 1, 0.5, 0.25, 0, 1, -2, 2], [2, 1, 1, 2, 3, 0, 0, -3]] };
  const forces = forcesOfVerdict(header as Header, standing);
  expect(forces.map((f) => f.size)).toEqual([3, 3]);
  expect(forces.map((f) => drawnOnA(header, f))).toEqual([false, true]);
  const arrows = arrowsOf(header, forces, 3, 6, { scale: 1, threshold: 0 });
  expect([...arrows.points]).toEqual([0.5, 0.25, 0, 1, 2, 3]);
  expect([...arrows.vectors]).toEqual([2, -4, 4, -0, -0, 6]);
});

it('the picture is fitted to where bodies are', () => {
  const extent = sceneExtent(header, data.motion);
  const near = (found: readonly number[], expected: readonly number[]): void => expected.forEach((x, k) => expect(found[k]).toBeCloseTo(x, 9));
  near(extent.low, [-4.5, -1, 0]);
  near(extent.high, [4, 4.5, 3]);
  expect(typicalSize(header)).toBeCloseTo(Math.cbrt(4));
  let corners = 0;
  coverShape(shapes[1], () => ++corners);
  expect(corners).toBe(8);
});

describe('the camera in space', () => {
  const camera = new StageCamera(3);
  Object.assign(camera, { width: 900, height: 600, margins: { left: 20, right: 200, top: 60, bottom: 100 } });
  const box = { low: [-3, -1, 0] as [number, number, number], high: [3, 2, 5] as [number, number, number] };
  const corners = Array.from({ length: 8 }, (_, k) => [0, 1, 2].map((i) => ((k >> i) & 1 ? box.high : box.low)[i]) as Vec3);

  it('has right-handed axes, z upwards', () => {
    for (let trial = 0; trial < 20; ++trial) {
      Object.assign(camera.place, { yaw: between(-4, 4), pitch: between(-1.5, 1.5) });
      const [right, up, back] = camera.axes();
      expect(right.clone().cross(up).distanceTo(back)).toBeLessThan(1e-12);
      expect(Math.abs(right.z)).toBeLessThan(1e-12);
      expect(up.z).toBeGreaterThan(0);
    }
  });

  it('fits the box into what the controls leave free, and not smaller than needed', () => {
    for (const [yaw, pitch] of [[0.6, 0.36], [0, 0], [Math.PI / 2, 0], [0, Math.PI / 2], [-2.5, -0.7]]) {
      camera.fit(box);
      camera.look(yaw, pitch);
      const pixels = corners.map((corner) => camera.toPixel(...corner));
      const [xs, ys] = [pixels.map((p) => p[0]), pixels.map((p) => p[1])];
      expect(Math.min(...xs)).toBeGreaterThan(20);
      expect(Math.max(...xs)).toBeLessThan(700);
      expect(Math.min(...ys)).toBeGreaterThan(60);
      expect(Math.max(...ys)).toBeLessThan(500);
      expect(Math.max((Math.max(...xs) - Math.min(...xs)) / 680, (Math.max(...ys) - Math.min(...ys)) / 440)).toBeGreaterThan(0.85);
    }
  });

  it('looks along lines that lead back to their pixel', () => {
    camera.look(0.7, 0.4);
    const [from, way] = camera.sight(321, 234);
    const [x, y] = camera.toPixel(...(from.addScaledVector(way, 5).toArray() as Vec3));
    expect(x).toBeCloseTo(321, 3);
    expect(y).toBeCloseTo(234, 3);
  });
});
