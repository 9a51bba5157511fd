/// From the engine's answers to what the stage draws.
import type { Check, MotionFrame, Outline, OutlineBody, Pair } from '../engine/answers';
import { Mark, Stage, themes, type Box, type Ghost, type StageBody, type StageOptions, type ThemeName } from '../stage';
import { ghosts } from '../view/mechanism';
import { poseOf } from './geometry';
import type { SceneDocument } from './document';

/// The largest force is drawn so long, in sizes of a body.
const kLongestArrow = 0.9;
/// Smaller shares of the largest force are not drawn.
const kLeastShare = 1e-3;

type BodyPose = readonly [number, number, number, number];

export class SceneView {
  readonly stage: Stage;
  private outline: Outline = { bodies: [], joints: [], framework: { points: [], bars: [], faces: [] } };
  private numbers = new Map<string, number>();
  private extent: Box = { low: [-2, -0.5, 0], high: [2, 2, 0] };
  private poses = new Float64Array(0);
  private size = 1;
  private theme: ThemeName = 'light';

  constructor(canvas: HTMLCanvasElement, options: StageOptions) {
    this.stage = new Stage(canvas, options);
    this.theme = options.theme ?? 'light';
  }

  get bodies(): readonly OutlineBody[] {
    return this.outline.bodies;
  }

  /// Of a body, in the world's lengths.
  get typicalSize(): number {
    return this.size;
  }

  /// As they are drawn: x, y, angle of each body's centre of mass.
  get currentPoses(): Float64Array {
    return this.poses;
  }

  setTheme(theme: ThemeName): void {
    this.theme = theme;
    this.stage.setTheme(theme);
    this.colour();
  }

  /// New shapes. The camera stays unless `fit`.
  setOutline(outline: Outline, fit: boolean): void {
    this.outline = outline;
    this.numbers = new Map(outline.bodies.map((body, i) => [body.name, i]));
    this.size = typicalSize(outline);
    if (fit) this.extent = extentOf(outline, this.size);
    const place = { ...this.stage.camera.place };
    const { points, bars, faces } = outline.framework;
    this.stage.setGeometry({
      dimension: 2,
      bodies: outline.bodies.map(stageBody),
      extent: this.extent,
      depth: 0.4 * this.size,
      ...(points.length > 0 ? { framework: { fixed: points.map((p) => p.fixed), bars, faces } } : {}),
    });
    if (!fit) Object.assign(this.stage.camera.place, place);
    this.colour();
    this.place(outline.bodies.map((body) => body.pose));
    this.stage.setPoints(new Float64Array(points.flatMap((p) => [...p.position, 0])));
    this.drawRods();
    this.clearSigns();
  }

  fit(): void {
    this.extent = extentOf(this.outline, this.size);
    this.stage.fit(this.extent);
  }

  /// Bodies where the document has them: at once, before the engine says anything.
  placeAs(document: SceneDocument): void {
    this.place(document.bodies.map((body) => {
      const { position, direction } = poseOf(body);
      return [position.x.value, position.y.value, direction.x.value, direction.y.value];
    }));
  }

  showCheck(check: Check): void {
    this.clearSigns();
    if (check.mechanism) this.stage.setGhosts(this.ghosts(check));
    const contacts = check.contacts ?? [];
    this.drawForces(contacts.filter((c) => c.force).map((c) => ({ point: c.point, force: c.force! })));
    const marks = [
      ...contacts.filter((c) => !c.force).map((c) => ({ at: c.point, kind: Mark.unloaded })),
      ...(check.corners ?? []).map((c) => ({ at: c.point, kind: Mark.corner })),
      ...this.outline.joints.filter((j) => j.type !== 'rod').map((j) => ({ at: j.at_a, kind: Mark.joint })),
    ];
    this.stage.setMarks({
      count: marks.length,
      points: new Float64Array(marks.flatMap((m) => [...m.at, 0])),
      kinds: new Uint8Array(marks.map((m) => m.kind)),
      strengths: new Float32Array(marks.length).fill(0.8),
    });
  }

  showFrame(frame: MotionFrame): void {
    const count = this.outline.bodies.length;
    const at = (i: number): BodyPose => frame.poses.subarray(4 * i, 4 * i + 4) as unknown as BodyPose;
    this.place(Array.from({ length: count }, (_, i) => at(i)));
    const points: number[] = [];
    for (let i = 4 * count; i + 1 < frame.poses.length; i += 2) points.push(frame.poses[i], frame.poses[i + 1], 0);
    if (points.length > 0) this.stage.setPoints(new Float64Array(points));
    const forces: { point: Pair; force: Pair }[] = [];
    for (let i = 0; i + 5 < frame.forces.length; i += 6) {
      const [x, y, fx, fy] = frame.forces.subarray(i + 2, i + 6);
      forces.push({ point: [x, y], force: [fx, fy] });
    }
    this.stage.setGhosts([]);
    this.stage.setMarks(kNoMarks);
    this.drawForces(forces);
    if (this.outline.joints.length > 0) this.stage.setRods(kNoLines);
  }

  clearSigns(): void {
    this.stage.setGhosts([]);
    this.drawForces([]);
    this.stage.setMarks(kNoMarks);
  }

  private place(poses: readonly BodyPose[]): void {
    this.poses = new Float64Array(3 * this.outline.bodies.length);
    this.outline.bodies.forEach((body, i) => {
      const pose = poses[i];
      if (!pose || body.half_space) return;
      const [x, y, c, s] = pose;
      const [cx, cy] = body.centre;
      this.poses.set([x + c * cx - s * cy, y + s * cx + c * cy, Math.atan2(s, c)], 3 * i);
    });
    this.stage.setPoses(this.poses);
  }

  private ghosts(check: Check): Ghost[] {
    const mechanism = (check.mechanism ?? []).flatMap(({ body, velocity, spin }): [number, number, number, number][] => {
      const i = this.numbers.get(body);
      return i === undefined ? [] : [[i, velocity[0], velocity[1], spin]];
    });
    return ghosts(this.outline, { mechanism }, this.poses, this.size, 1);
  }

  /// Each contact's force once, on the body that it holds up.
  private drawForces(forces: readonly { point: Pair; force: Pair }[]): void {
    const largest = Math.max(0, ...forces.map((f) => Math.hypot(...f.force)));
    const shown = forces.filter((f) => Math.hypot(...f.force) > kLeastShare * largest);
    const unit = largest > 0 ? (kLongestArrow * this.size) / largest : 0;
    this.stage.setArrows({
      count: shown.length,
      points: new Float64Array(shown.flatMap((f) => [...f.point, 0])),
      vectors: new Float64Array(shown.flatMap(({ force }) => {
        const up = force[1] < 0 || (force[1] === 0 && force[0] < 0) ? -unit : unit;
        return [up * force[0], up * force[1], 0];
      })),
      shares: new Float32Array(shown.map((f) => Math.hypot(...f.force) / largest)),
    });
  }

  private drawRods(): void {
    const rods = this.outline.joints.filter((joint) => joint.type === 'rod');
    this.stage.setRods({
      count: rods.length,
      from: new Float64Array(rods.flatMap((rod) => [...rod.at_a, 0])),
      to: new Float64Array(rods.flatMap((rod) => [...rod.at_b, 0])),
      widths: new Float32Array(rods.length).fill(3),
      shares: new Float32Array(rods.length).fill(-1),
    });
  }

  /// A tone for each body; fixed ones are grey.
  private colour(): void {
    const theme = themes[this.theme];
    const tone = (i: number): number => (Math.imul(i, 0x9e3779b1) >>> 16) % 2;
    this.stage.setColours((i) => (this.outline.bodies[i]?.kind === 'fixed' ? theme.fixed : theme.bodies[tone(i)]));
  }
}

const kNoMarks = { count: 0, points: new Float64Array(0), kinds: new Uint8Array(0), strengths: new Float32Array(0) };
const kNoLines = { count: 0, from: new Float64Array(0), to: new Float64Array(0), widths: new Float32Array(0), shares: new Float32Array(0) };

/// The stage wants shapes about the centre of mass.
function stageBody(body: OutlineBody): StageBody {
  const [cx, cy] = body.centre;
  return {
    fixed: body.kind === 'fixed',
    shape: {
      loops: body.loops.map((loop) => loop.map((v, i) => v - (i % 2 === 0 ? cx : cy))),
      balls: body.balls.flatMap(([x, y, r]) => [x - cx, y - cy, r]),
      ...(body.half_space ? { plane: body.half_space } : {}),
    },
  };
}

function boundsOfBody(body: OutlineBody): [number, number, number, number] | undefined {
  if (body.half_space) return undefined;
  const [x, y, c, s] = body.pose;
  let box: [number, number, number, number] | undefined;
  const include = (px: number, py: number, r: number): void => {
    const [wx, wy] = [x + c * px - s * py, y + s * px + c * py];
    const [a, b, d, e] = box ?? [Infinity, Infinity, -Infinity, -Infinity];
    box = [Math.min(a, wx - r), Math.min(b, wy - r), Math.max(d, wx + r), Math.max(e, wy + r)];
  };
  for (const loop of body.loops) for (let i = 0; i < loop.length; i += 2) include(loop[i], loop[i + 1], 0);
  for (const [px, py, r] of body.balls) include(px, py, r);
  return box;
}

/// The median of the bodies' shorter sides, or so.
function typicalSize(outline: Outline): number {
  const sizes = outline.bodies
    .flatMap((body) => {
      const box = boundsOfBody(body);
      return box ? [Math.sqrt((box[2] - box[0]) * (box[3] - box[1]))] : [];
    })
    .sort((a, b) => a - b);
  return sizes[sizes.length >> 1] || 1;
}

function extentOf(outline: Outline, size: number): Box {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  const include = (a: number, b: number, c: number, d: number): void => {
    [x0, y0, x1, y1] = [Math.min(x0, a), Math.min(y0, b), Math.max(x1, c), Math.max(y1, d)];
  };
  for (const body of outline.bodies) {
    const box = boundsOfBody(body);
    if (box) include(...box);
  }
  for (const { position: [x, y] } of outline.framework.points) include(x, y, x, y);
  if (!(x0 <= x1)) [x0, y0, x1, y1] = [-2, 0, 2, 2];
  return { low: [x0 - size, y0 - 0.6 * size, 0], high: [x1 + size, y1 + size, 0] };
}
