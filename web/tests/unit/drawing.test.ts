/// What bodies, forces and mechanisms look like, without a screen.
import { describe, expect, it } from 'vitest';
import { StageCamera } from '../../src/stage/camera';
import { addSlab, emptyMesh, insideShape, signedArea, thickness } from '../../src/stage/outline';
import { Mark } from '../../src/stage/types';
import type { Header, VerdictData } from '../../src/view/data';
import { decode } from '../../src/view/decode';
import { sceneExtent, typicalSize } from '../../src/view/extent';
import { arrowsOf, chainsOf, drawnOnA, forcesOfFrame, pressure, referenceForce, type PlacedForce } from '../../src/view/forces';
import { ghosts, ghostTime, movingContacts } from '../../src/view/mechanism';
import { sampleBytes, sampleHeader } from './payload';

/// A frame of 4 × 4 with a hole of 2 × 2, and a disk beside it.
const shape = {
  loops: [[-2, -2, 2, -2, 2, 2, -2, 2], [-1, -1, -1, 1, 1, 1, 1, -1]],
  balls: [5, 0, 1],
};

function frontArea(mesh: ReturnType<typeof emptyMesh>): number {
  let area = 0;
  for (let t = 0; t < mesh.indices.length; t += 3) {
    const [a, b, c] = mesh.indices.slice(t, t + 3).map((i) => mesh.positions.slice(3 * i, 3 * i + 3));
    if (!mesh.indices.slice(t, t + 3).every((i) => mesh.normals[3 * i + 2] === 1)) continue;
    area += 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
  }
  return area;
}

describe('slabs', () => {
  const mesh = emptyMesh();
  addSlab(mesh, 3, shape, 0.5);

  it('cover the outline without its holes', () => {
    const disk = 0.5 * 64 * Math.sin((2 * Math.PI) / 64);
    expect(frontArea(mesh)).toBeCloseTo(12 + disk, 6);
  });

  it('are as deep as asked and belong to their body', () => {
    const depths = mesh.positions.filter((_, i) => i % 3 === 2);
    expect([Math.min(...depths), Math.max(...depths)]).toEqual([-0.25, 0.25]);
    expect(new Set([...mesh.bodies, ...mesh.edgeBodies])).toEqual(new Set([3]));
  });

  it('have outward normals', () => {
    for (let i = 0; i < mesh.bodies.length; ++i) {
      const [x, y] = mesh.positions.slice(3 * i, 3 * i + 2);
      const [nx, ny, nz] = mesh.normals.slice(3 * i, 3 * i + 3);
      if (nz !== 0 || x > 3) continue;
      const inwards = insideShape(shape, x - 1e-3 * nx - 1e-4 * Math.sign(x) * Math.abs(ny), y - 1e-3 * ny - 1e-4 * Math.sign(y) * Math.abs(nx));
      const hole = Math.abs(x) === 1;
      expect(inwards || hole).toBe(true);
    }
  });

  it('are picked inside, not in holes', () => {
    expect(insideShape(shape, 1.5, 0)).toBe(true);
    expect(insideShape(shape, 0, 0)).toBe(false);
    expect(insideShape(shape, 5.9, 0)).toBe(true);
    expect(insideShape({ loops: [], balls: [], plane: [0, 2, 2] }, 7, 0.9)).toBe(true);
    expect(insideShape({ loops: [], balls: [], plane: [0, 2, 2] }, 7, 1.1)).toBe(false);
    expect(signedArea(shape.loops[0])).toBe(32);
    expect(thickness({ loops: [[0, 0, 3, 0, 3, 1, 0, 1]], balls: [] })).toBe(1);
  });
});

describe('camera', () => {
  const camera = new StageCamera(2);
  camera.width = 800;
  camera.height = 400;
  camera.margins = { left: 0, right: 200, top: 0, bottom: 100 };
  camera.fit({ low: [-3, -1, 0], high: [3, 1, 0] });

  it('shows everything clear of the margins', () => {
    for (const [x, y] of [[-3, -1], [3, 1], [-3, 1], [3, -1]]) {
      const [px, py] = camera.toPixel(x, y, 0);
      expect(px).toBeGreaterThan(0);
      expect(px).toBeLessThan(600);
      expect(py).toBeGreaterThan(0);
      expect(py).toBeLessThan(300);
    }
  });

  it('leads from a pixel to the world and back, tilted too', () => {
    for (const [yaw, pitch] of [[0, 0], [0.5, -0.3]]) {
      Object.assign(camera.place, { yaw, pitch });
      const [x, y] = camera.onPlane(123, 77);
      const [px, py] = camera.toPixel(x, y, 0);
      expect(px).toBeCloseTo(123, 4);
      expect(py).toBeCloseTo(77, 4);
    }
    camera.front();
  });

  it('enlarges about the pointer', () => {
    const before = camera.onPlane(500, 100);
    camera.zoom(3, 500, 100);
    const after = camera.onPlane(500, 100);
    expect(after[0]).toBeCloseTo(before[0], 9);
    expect(after[1]).toBeCloseTo(before[1], 9);
  });
});

const data = decode(sampleBytes().bytes);
const force = (a: number, b: number, fx: number, fy: number): PlacedForce => ({ a, b, at: [0, 0, 0], force: [fx, fy, 0], size: Math.hypot(fx, fy) });

describe('forces', () => {
  it('move with their bodies', () => {
    const [one] = forcesOfFrame(data.motion, 1, Float64Array.from([0, 0, 0, 0, 0, 0, 100, 200, 0]));
    expect(one.at).toEqual([100.125, 199.5, 0]);
    expect(forcesOfFrame(data.motion, 0, new Float64Array(9))).toEqual([]);
  });

  it('are drawn on the free body, or upwards', () => {
    const twoBricks = { ...data.header, bodies: [{ name: 'a', material: 0 }, { name: 'b', material: 0 }] } as Header;
    expect(drawnOnA(data.header, force(0, 2, 0, -1))).toBe(false);
    expect(drawnOnA(data.header, force(2, 0, 0, 1))).toBe(true);
    expect(drawnOnA(twoBricks, force(0, 1, 0, 1))).toBe(false);
    expect(drawnOnA(twoBricks, force(0, 1, 0, -1))).toBe(true);
  });

  it('become arrows along the force, as long as the scale says, above the threshold', () => {
    const forces = [force(0, 2, 0, 4), force(0, 2, 0, 1), force(0, 2, 0, 0)];
    const all = arrowsOf(data.header, forces, 4, 10, { scale: 0.5, threshold: 0 });
    expect(all.count).toBe(2);
    expect([...all.vectors]).toEqual([0, 1.25, 0, 0, 5, 0]);
    expect([...all.shares]).toEqual([0.5, 1]);
    expect(arrowsOf(data.header, forces, 4, 10, { scale: 1, threshold: 0.5 }).count).toBe(1);
    const blow = arrowsOf(data.header, [force(0, 2, 0, 4000)], 4, 10, { scale: 1, threshold: 0 });
    expect(blow.vectors[1]).toBe(30);
  });

  it('become chains between the middles of bodies', () => {
    const lines = chainsOf(data.header, [force(0, 2, 0, 4), force(1, 2, 0, 2)], 4, Float64Array.from([0, 0, 0, 9, 9, 0, 5, 6, 0]), { scale: 1, threshold: 0 });
    expect(lines.count).toBe(2);  // neither the half plane nor the fixed table has a part of it
    expect([...lines.to.slice(0, 3)]).toEqual([5, 6, 0]);
    expect(lines.widths[1]).toBe(9);
  });

  it('are measured by what few exceed', () => {
    expect(referenceForce(data.header, data.motion)).toBeCloseTo(4, 6);
    expect([...pressure(data.header, [force(0, 2, 3, 4), force(-1, 2, 0, 1)])]).toEqual([2.5, 0, 3]);
  });
});

describe('mechanisms', () => {
  /// The brick turns about its lower left corner, which is at the origin.
  const verdict: VerdictData = {
    stability: 'unstable', strength: 'unknown', reason: '', margin: -0.5, marginIsBound: false, corners: [], forces: [], jointForces: [],
    contacts: [[0, 2, 0, 0, 0, 1, 0], [0, 2, 1, 0, 0, 1, 0], [1, 2, 0, 1, 1, 0, 0.5]],
    mechanism: [[2, -0.5, 0.5, 1]],
  };
  const poses = Float64Array.from([0, 0, 0, -1, 0.5, 0, 0.5, 0.5, 0]);

  it('open, slide or hold their contacts', () => {
    const marks = movingContacts(verdict, poses);
    // At the origin it holds, at (1, 0) it lifts, at (0, 1) it moves into the table: no slip, no lift.
    expect([...marks.kinds]).toEqual([Mark.holds, Mark.opens, Mark.holds]);
    const sliding = movingContacts({ ...verdict, mechanism: [[2, 1, 0.4, 0]], contacts: [[0, 2, 0, 0, 0, 1, 0.5], [0, 2, 0, 0, 0, 1, 0.3]] }, poses);
    expect([...sliding.kinds]).toEqual([Mark.slides, Mark.opens]);
  });

  it('move ghosts of the bodies that move', () => {
    const header = sampleHeader() as unknown as Header;
    const time = ghostTime(verdict, 1);
    expect(time).toBeCloseTo(0.6);
    const last = ghosts(header, verdict, poses, 1, 0.5).at(-1)!;
    expect([...last.poses.slice(6)]).toEqual([0.5 - 0.25 * time, 0.5 + 0.25 * time, 0.5 * time]);
    expect(last.poses.slice(0, 6).every(Number.isNaN)).toBe(true);
  });
});

it('fits the picture to where bodies are', () => {
  const extent = sceneExtent(data.header, data.motion);
  expect(extent.low[0]).toBeLessThanOrEqual(0.5);
  expect(extent.high[1]).toBeGreaterThanOrEqual(8.5);
  expect(typicalSize(data.header)).toBeCloseTo(1);
});
