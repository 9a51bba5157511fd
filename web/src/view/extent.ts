/// How large bodies and scenes are.
import { poseStride, type BodyShape, type Box } from '../stage';
import { turnedBy } from '../stage/raycast';
import { coverShape } from '../stage/solids';
import type { BodyData, Header, Motion } from './data';

/// In the plane, z is 0.
export function emptyBox(): Box {
  return { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
}

const isEmpty = (box: Box): boolean => !(box.low[0] <= box.high[0]);

export function include(box: Box, x: number, y: number, z = 0, rx = 0, ry = rx, rz = 0): void {
  [x, y, z].forEach((value, k) => {
    const r = [rx, ry, rz][k];
    box.low[k] = Math.min(box.low[k], value - r);
    box.high[k] = Math.max(box.high[k], value + r);
  });
}

export const shapeOf = (body: BodyData): BodyShape => ({
  loops: body.loops ?? [], balls: body.balls ?? [], plane: body.plane, solid: body.solid, cylinders: body.cylinders, capsules: body.capsules,
});

/// Around a body at a pose of the plane.
function includeSlab(box: Box, body: BodyData, [x, y, angle]: ArrayLike<number> & Iterable<number>): void {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (const loop of body.loops ?? []) {
    for (let i = 0; i < loop.length; i += 2) include(box, x + c * loop[i] - s * loop[i + 1], y + s * loop[i] + c * loop[i + 1]);
  }
  const balls = body.balls ?? [];
  for (let i = 0; i + 2 < balls.length; i += 3) {
    include(box, x + c * balls[i] - s * balls[i + 1], y + s * balls[i] + c * balls[i + 1], 0, balls[i + 2]);
  }
}

/// Around a body at a pose in space. Cylinders are turned as their boxes: a little too large.
function includeSolid(box: Box, body: BodyData, pose: ArrayLike<number>): void {
  const q = [pose[3], pose[4], pose[5], pose[6]];
  const axes = [turnedBy(q, [1, 0, 0]), turnedBy(q, [0, 1, 0]), turnedBy(q, [0, 0, 1])];
  coverShape(shapeOf(body), (x, y, z, rx, ry, rz) => {
    const at = turnedBy(q, [x, y, z]);
    const round = rx === ry && ry === rz;
    const reach = (k: number): number => (round ? rx : rx * Math.abs(axes[0][k]) + ry * Math.abs(axes[1][k]) + rz * Math.abs(axes[2][k]));
    include(box, pose[0] + at[0], pose[1] + at[1], pose[2] + at[2], reach(0), reach(1), reach(2));
  });
}

/// Around a body at a pose: x, y, angle; in space x, y, z and a quaternion.
export function includeBody(box: Box, body: BodyData, pose: Float64Array | number[]): void {
  if (pose.length === 3) includeSlab(box, body, pose);
  else includeSolid(box, body, pose);
}

function frameBox(header: Header, motion: Motion, frame: number): Box {
  const box = emptyBox();
  const size = poseStride(header.dimension);
  const stride = size * header.bodies.length;
  header.bodies.forEach((body, i) => {
    const at = frame * stride + size * i;
    if (!body.plane) includeBody(box, body, motion.poses.subarray(at, at + size));
  });
  const points = header.framework?.points.length ?? 0;
  for (let i = 0; i < points; ++i) {
    const [x, y, z] = motion.points.subarray(3 * (frame * points + i));
    include(box, x, y, z);
  }
  return box;
}

/// What a camera should show: where everything is at the start, and where most of it gets to. Bodies that fly far
/// off do not make the rest small.
export function sceneExtent(header: Header, motion: Motion): Box {
  const inSpace = header.dimension === 3;
  const start = frameBox(header, motion, 0);
  if (isEmpty(start)) return { low: [-1, -1, inSpace ? -1 : 0], high: [1, 1, inSpace ? 1 : 0] };
  const size = Math.max(...[0, 1, 2].map((k) => start.high[k] - start.low[k])) || 1;
  const box: Box = { low: [...start.low], high: [...start.high] };
  // Frameworks are mostly held, and swing as far as they are long.
  const room = (header.moving.length > 0 ? 0.3 : 1.2) * size;
  const looks = Math.min(motion.frames, 12);
  for (let k = 1; k < looks; ++k) {
    const later = frameBox(header, motion, Math.round((k * (motion.frames - 1)) / (looks - 1)));
    for (const axis of [0, 1, 2] as const) {
      box.low[axis] = Math.min(box.low[axis], Math.max(later.low[axis], start.low[axis] - room));
      box.high[axis] = Math.max(box.high[axis], Math.min(later.high[axis], start.high[axis] + room));
    }
  }
  for (const joint of header.joints) {
    if (joint.a < 0) include(box, joint.atA[0], joint.atA[1], joint.atA[2]);
    if (joint.b < 0) include(box, joint.atB[0], joint.atB[1], joint.atB[2]);
  }
  // A little of the ground below, if the lowest body stands on one.
  if (!inSpace) box.low[1] -= 0.06 * size;
  for (const axis of inSpace ? ([0, 1, 2] as const) : ([0, 1] as const)) {
    if (box.high[axis] - box.low[axis] < 0.2 * size) {
      box.low[axis] -= 0.1 * size;
      box.high[axis] += 0.1 * size;
    }
  }
  return box;
}

/// The typical size of a body: the median over those that move of the mean (geometric) of its sides.
export function typicalSize(header: Header): number {
  const bodies = header.moving.length > 0 ? header.moving.map((i) => header.bodies[i]) : header.bodies;
  const sizes: number[] = [];
  for (const body of bodies) {
    const box = emptyBox();
    includeBody(box, body, header.dimension === 3 ? [0, 0, 0, 0, 0, 0, 1] : [0, 0, 0]);
    if (isEmpty(box)) continue;
    const sides = Array.from({ length: header.dimension }, (_, k) => box.high[k] - box.low[k]);
    sizes.push(header.dimension === 3 ? Math.cbrt(sides[0] * sides[1] * sides[2]) : Math.sqrt(sides[0] * sides[1]));
  }
  for (const [p, q] of header.framework?.bars ?? []) {
    const points = header.framework?.points ?? [];
    const [a, b] = [points[p]?.position, points[q]?.position];
    if (a && b) sizes.push(0.5 * Math.hypot(a[0] - b[0], a[1] - b[1]));
  }
  sizes.sort((a, b) => a - b);
  return sizes[sizes.length >> 1] || 1;
}
