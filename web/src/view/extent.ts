/// How large bodies and scenes are.
import type { Box } from '../stage';
import type { BodyData, Header, Motion } from './data';

export function emptyBox(): Box {
  return { low: [Infinity, Infinity, 0], high: [-Infinity, -Infinity, 0] };
}

export function include(box: Box, x: number, y: number, r = 0): void {
  box.low[0] = Math.min(box.low[0], x - r);
  box.low[1] = Math.min(box.low[1], y - r);
  box.high[0] = Math.max(box.high[0], x + r);
  box.high[1] = Math.max(box.high[1], y + r);
}

/// Around a body at a place.
export function includeBody(box: Box, body: BodyData, x: number, y: number, angle: number): void {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (const loop of body.loops ?? []) {
    for (let i = 0; i < loop.length; i += 2) include(box, x + c * loop[i] - s * loop[i + 1], y + s * loop[i] + c * loop[i + 1]);
  }
  const balls = body.balls ?? [];
  for (let i = 0; i + 2 < balls.length; i += 3) {
    include(box, x + c * balls[i] - s * balls[i + 1], y + s * balls[i] + c * balls[i + 1], balls[i + 2]);
  }
}

function frameBox(header: Header, motion: Motion, frame: number): Box {
  const box = emptyBox();
  const stride = 3 * header.bodies.length;
  header.bodies.forEach((body, i) => {
    const at = frame * stride + 3 * i;
    if (!body.plane) includeBody(box, body, motion.poses[at], motion.poses[at + 1], motion.poses[at + 2]);
  });
  const points = header.framework?.points.length ?? 0;
  for (let i = 0; i < points; ++i) include(box, motion.points[3 * (frame * points + i)], motion.points[3 * (frame * points + i) + 1]);
  return box;
}

/// What a camera should show: where everything is at the start, and where most of it gets to. Bodies that fly far
/// off do not make the rest small.
export function sceneExtent(header: Header, motion: Motion): Box {
  const start = frameBox(header, motion, 0);
  if (!(start.low[0] <= start.high[0])) return { low: [-1, -1, 0], high: [1, 1, 0] };
  const size = Math.max(start.high[0] - start.low[0], start.high[1] - start.low[1]) || 1;
  const box: Box = { low: [...start.low], high: [...start.high] };
  // Frameworks are mostly held, and swing as far as they are long.
  const room = (header.moving.length > 0 ? 0.3 : 1.2) * size;
  const looks = Math.min(motion.frames, 12);
  for (let k = 1; k < looks; ++k) {
    const later = frameBox(header, motion, Math.round((k * (motion.frames - 1)) / (looks - 1)));
    for (const axis of [0, 1] as const) {
      box.low[axis] = Math.min(box.low[axis], Math.max(later.low[axis], start.low[axis] - room));
      box.high[axis] = Math.max(box.high[axis], Math.min(later.high[axis], start.high[axis] + room));
    }
  }
  for (const joint of header.joints) {
    if (joint.a < 0) include(box, joint.atA[0], joint.atA[1]);
    if (joint.b < 0) include(box, joint.atB[0], joint.atB[1]);
  }
  // A little of the ground below, if the lowest body stands on one.
  box.low[1] -= 0.06 * size;
  for (const axis of [0, 1] as const) {
    if (box.high[axis] - box.low[axis] < 0.2 * size) {
      box.low[axis] -= 0.1 * size;
      box.high[axis] += 0.1 * size;
    }
  }
  return box;
}

/// The typical size of a body: the median over those that move of the root of length times thickness.
export function typicalSize(header: Header): number {
  const bodies = header.moving.length > 0 ? header.moving.map((i) => header.bodies[i]) : header.bodies;
  const sizes: number[] = [];
  for (const body of bodies) {
    const box = emptyBox();
    includeBody(box, body, 0, 0, 0);
    if (box.low[0] <= box.high[0]) sizes.push(Math.sqrt((box.high[0] - box.low[0]) * (box.high[1] - box.low[1])));
  }
  for (const [p, q] of header.framework?.bars ?? []) {
    const points = header.framework?.points ?? [];
    const [a, b] = [points[p]?.position, points[q]?.position];
    if (a && b) sizes.push(0.5 * Math.hypot(a[0] - b[0], a[1] - b[1]));
  }
  sizes.sort((a, b) => a - b);
  return sizes[sizes.length >> 1] || 1;
}
