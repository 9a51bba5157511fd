/// What is on the stage at a time: the one place that knows both the data and the drawing.
import { Mark, onScale, poseStride, themes, type Box, type Lines, type Marks, type Rgb, type Stage, type ThemeName } from '../stage';
import type { PageData, VerdictData } from './data';
import { include, includeBody, sceneExtent, shapeOf, typicalSize } from './extent';
import { arrowsOf, chainsOf, forcesOfFrame, forcesOfVerdict, pressure, referenceForce, type PlacedForce } from './forces';
import { Frozen } from './frozen';
import { ghosts, movedPoses, movingContacts, startOutlines } from './mechanism';
import { contactForceOf, length, plus, pointOf, vector, type Vec3 } from './rows';
import { quantile, sample } from './scales';
import { interpolate, interpolatePoses, momentAt, nearestFrame, velocityOf } from './timeline';

export type ColourMode = 'plain' | 'body' | 'material' | 'force' | 'speed';

export interface ShowOptions {
  arrows: boolean;
  chains: boolean;
  scale: number;
  threshold: number;
  colour: ColourMode;
  openings: boolean;
  joints: boolean;
  mechanism: boolean;
  frozen: boolean;
}

/// Marks of opening contacts fade away over so many frames.
const kFadeFrames = 14;

/// With more bodies, arrows and opening contacts would hide them: chains show more, in the plane.
const kMany = 300;
const kManyCorners = 40;
/// In space, where contacts have four marks and more, and bodies shade each other.
const kManyMarks = 300;

export class Show {
  readonly options: ShowOptions;
  theme: ThemeName = 'dark';
  /// What the full length of an arrow means, and the speed that has the last colour.
  readonly reference: number;
  readonly topSpeed: number;
  /// Of the arrow of the reference force, at scale 1.
  readonly arrowLength: number;
  readonly unloaded: boolean;
  /// Size of a body of the scene.
  readonly typical: number;
  readonly verdict?: VerdictData;
  /// What is drawn.
  time = 0;
  frame = 0;
  readonly poses: Float64Array;
  private placed?: PlacedForce[];
  /// Where bodies are on the stage: not at `poses` while a mechanism in space plays.
  private drawn: Float64Array;
  private readonly points: Float64Array;
  private readonly movingMarks?: Marks;
  private readonly frozen?: Frozen;
  private coloured = '';

  constructor(readonly data: PageData, private readonly stage: Stage) {
    const { header, motion } = data;
    this.verdict = header.verdict;
    this.poses = new Float64Array(poseStride(header.dimension) * header.bodies.length);
    this.drawn = this.poses;
    this.points = new Float64Array(motion.points.length / motion.frames);
    this.typical = typicalSize(header);
    this.reference = referenceForce(header, motion);
    this.topSpeed = this.findTopSpeed();
    const many = header.bodies.length > kMany;
    const crowded = header.dimension === 3 && (header.verdict?.contacts.length ?? 0) > kManyMarks;
    // In a crowd in space bodies hide the forces between them, or forces all of the bodies.
    const hidden = header.dimension === 3 && header.motion !== undefined;
    this.options = {
      arrows: !many, chains: many && !hidden, scale: 1, threshold: 0, openings: crowded ? false : !many || header.verdict !== undefined, joints: true, mechanism: true, frozen: true,
      colour: new Set(header.bodies.filter((b) => !b.fixed).map((b) => b.material)).size > 1 ? 'material' : 'plain',
    };
    if (motion.freezes) this.frozen = new Frozen(motion.freezes, header.bodies.length);
    const extent = sceneExtent(header, motion);
    if (header.dimension === 3 && header.verdict) this.includeMechanism(extent, header.verdict);
    const size = length(plus(extent.high, extent.low, -1));
    this.arrowLength = Math.min((header.dimension === 3 ? 0.85 : 1.1) * this.typical, 0.2 * size);
    if (header.dimension === 3 && header.verdict && this.options.arrows) this.includeArrows(extent, header.verdict);
    this.unloaded = header.verdict?.forces.some((row) => this.isUnloaded(row)) ?? false;
    stage.setGeometry({
      dimension: header.dimension,
      bodies: header.bodies.map((body) => ({
        fixed: body.fixed ?? false,
        shape: shapeOf(body),
      })),
      framework: header.framework && {
        fixed: header.framework.points.map((point) => point.fixed ?? false),
        bars: header.framework.bars,
        faces: header.framework.faces,
      },
      extent,
    });
    interpolate(motion.poses, this.poses.length, { before: 0, after: 0, share: 0 }, this.poses);
    if (this.hasMechanism && this.verdict) this.movingMarks = movingContacts(this.verdict, this.poses, header.dimension);
  }

  /// In space bodies themselves go where the mechanism leads.
  private includeMechanism(extent: Box, verdict: VerdictData): void {
    const { header, motion } = this.data;
    const moved = movedPoses(header, verdict, motion.poses, this.typical, 1);
    for (const [body] of verdict.mechanism) includeBody(extent, header.bodies[body], moved.subarray(7 * body, 7 * body + 7));
  }

  /// In space few arrows lie within the structure; none may run into the words above it.
  private includeArrows(extent: Box, verdict: VerdictData): void {
    const { header } = this.data;
    const { count, points, vectors } = arrowsOf(header, forcesOfVerdict(header, verdict), this.reference, this.arrowLength, this.options);
    for (let i = 0; i < 3 * count; i += 3) {
      include(extent, points[i] + vectors[i], points[i + 1] + vectors[i + 1], points[i + 2] + vectors[i + 2]);
    }
  }

  private isUnloaded(row: readonly number[]): boolean {
    return length(contactForceOf(row, this.data.header.dimension).force) <= 1e-9 * this.reference;
  }

  get hasMechanism(): boolean {
    return (this.verdict?.mechanism.length ?? 0) > 0;
  }

  get hasChanges(): boolean {
    return (this.data.motion.changes?.closed.length ?? 0) > 0;
  }

  get hasFrozen(): boolean {
    return this.frozen?.everAny ?? false;
  }

  /// At the frame that is shown.
  isFrozen(body: number): boolean {
    return this.frozen?.now[body] === 1;
  }

  get frozenCount(): number {
    return this.frozen?.count ?? 0;
  }

  get hasForces(): boolean {
    return this.reference > 0;
  }

  /// Of a motion, its times; of a mechanism, from rest to where its ghosts end.
  get interval(): [number, number] {
    const { times, frames } = this.data.motion;
    if (frames > 1 || this.data.header.motion) return [times[0], times[frames - 1]];
    return this.hasMechanism ? [0, 1] : [0, 0];
  }

  /// Everything as it is at a time.
  draw(time: number): void {
    const { motion } = this.data;
    const moment = momentAt(motion.times, motion.frames > 1 ? time : motion.times[0]);
    this.time = time;
    this.frame = nearestFrame(moment);
    interpolatePoses(motion.poses, this.poses.length, moment, this.data.header.dimension, this.poses);
    interpolate(motion.points, this.points.length, moment, this.points);
    this.drawn = this.drawnPoses(time);
    this.stage.setPoses(this.drawn);
    if (this.points.length > 0) this.stage.setPoints(this.points);
    this.placed = undefined;
    this.drawForces();
    this.drawMarks(time);
    this.drawRods();
    this.drawMechanism(time);
    this.colour();
  }

  /// Those that are drawn. Thousands take a while to put together, and not every picture shows any.
  get forces(): PlacedForce[] {
    const { header, motion } = this.data;
    this.placed ??= this.verdict ? forcesOfVerdict(header, this.verdict) : forcesOfFrame(motion, this.frame, this.poses, header.dimension);
    return this.placed;
  }

  redraw(): void {
    this.draw(this.time);
  }

  velocity(body: number): { velocity: Vec3; spin: Vec3 } {
    const { header, motion } = this.data;
    return velocityOf(motion, this.frame, body, header.bodies[body].velocity, header.dimension);
  }

  private drawForces(): void {
    const { header } = this.data;
    const { arrows, chains, scale, threshold } = this.options;
    const options = { scale, threshold };
    this.stage.setArrows(arrowsOf(header, arrows ? this.forces : [], this.reference, this.arrowLength, options));
    this.stage.setChains(chainsOf(header, chains ? this.forces : [], this.reference, this.poses, options));
  }

  /// In space the bodies themselves show the mechanism, and outlines where they were.
  private drawnPoses(time: number): Float64Array {
    const { header } = this.data;
    if (header.dimension === 2 || !this.verdict || !this.hasMechanism || !this.options.mechanism) return this.poses;
    return movedPoses(header, this.verdict, this.poses, this.typical, Math.min(1, time));
  }

  private drawMechanism(time: number): void {
    const { header } = this.data;
    if (!this.options.mechanism || !this.hasMechanism || !this.verdict) return this.stage.setGhosts([]);
    this.stage.setGhosts(header.dimension === 3
      ? startOutlines(header, this.verdict, this.poses, this.typical)
      : ghosts(header, this.verdict, this.poses, this.typical, Math.max(0.02, Math.min(1, time))));
  }

  private drawMarks(time: number): void {
    const marks = new MarkList();
    const { header } = this.data;
    if (this.options.openings && this.movingMarks) marks.addAll(this.movingMarks);
    if (this.options.openings) this.addChanges(marks, time);
    if (this.verdict && this.options.arrows) {
      for (const row of this.verdict.forces) {
        if (this.isUnloaded(row)) marks.add(contactForceOf(row, header.dimension).point, Mark.unloaded);
      }
    }
    for (const row of this.shownCorners()) marks.add(vector(row, 0, header.dimension), Mark.corner);
    if (this.options.joints) {
      for (const joint of header.joints) {
        for (const at of joint.type === 'rod' ? [this.place(joint.a, joint.atA), this.place(joint.b, joint.atB)] : [this.place(joint.b, joint.atB)]) {
          marks.add(at, Mark.joint);
        }
      }
    }
    this.stage.setMarks(marks.finish());
  }

  /// In space blocks side by side meet along edges: where these decide nothing and are many they would hide the rest.
  shownCorners(): readonly number[][] {
    const { corners = [], stability } = this.verdict ?? {};
    return this.data.header.dimension === 3 && stability !== 'undecided' && corners.length > kManyCorners ? [] : corners;
  }

  private addChanges(marks: MarkList, time: number): void {
    const { motion } = this.data;
    const changes = motion.changes;
    if (!changes) return;
    const { dimension } = this.data.header;
    const fade = (kFadeFrames * (motion.times[motion.frames - 1] - motion.times[0])) / Math.max(1, motion.frames - 1) || 1;
    for (let frame = this.frame; frame >= 0; --frame) {
      const age = Math.max(0, time - motion.times[frame]) / fade;
      if (age > 1) break;
      for (let i = changes.first[frame]; i < changes.first[frame + 1]; ++i) {
        if (changes.closed[i] === 0) marks.add(vector(changes.points, dimension * i, dimension), Mark.opens, 1 - age);
      }
    }
  }

  /// World coordinates of a point of a body as it is drawn.
  private place(body: number, at: readonly number[]): Vec3 {
    const { dimension } = this.data.header;
    return body < 0 ? vector(at, 0, dimension) : pointOf(this.drawn, body, dimension, at);
  }

  private drawRods(): void {
    const rods = this.options.joints ? this.data.header.joints.filter((joint) => joint.type === 'rod') : [];
    const count = rods.length;
    const lines: Lines = {
      count, from: new Float64Array(3 * count), to: new Float64Array(3 * count),
      widths: new Float32Array(count).fill(2.5), shares: new Float32Array(count).fill(-1),
    };
    rods.forEach((rod, i) => {
      lines.from.set(this.place(rod.a, rod.atA), 3 * i);
      lines.to.set(this.place(rod.b, rod.atB), 3 * i);
    });
    this.stage.setRods(lines);
  }

  /// Colours that do not depend on the time are set once.
  private colour(): void {
    const { header } = this.data;
    const { colour } = this.options;
    const thawed = this.frozen?.goTo(this.frame) ?? false;
    const marksFrozen = this.options.frozen && this.hasFrozen && colour !== 'force' && colour !== 'speed';
    const key = `${colour} ${this.theme} ${marksFrozen}`;
    if (key === this.coloured && !(thawed && marksFrozen) && colour !== 'force' && colour !== 'speed') return;
    this.coloured = key;
    const theme = themes[this.theme];
    const palette = (i: number): Rgb => theme.bodies[i % theme.bodies.length];
    const loads = colour === 'force' ? pressure(header, this.forces) : undefined;
    this.stage.setColours((i) => {
      const body = header.bodies[i];
      if (body.fixed) return theme.fixed;
      if (loads) return this.reference > 0 ? onScale([theme.fixed, ...theme.force], Math.sqrt(loads[i] / (1.5 * this.reference))) : theme.fixed;
      if (colour === 'speed') {
        return onScale(theme.speed, this.topSpeed > 0 ? length(this.velocity(i).velocity) / this.topSpeed : 0);
      }
      const own = colour === 'material' ? palette(body.material) : colour === 'body' ? palette(tone(i)) : theme.plain[tone(i)];
      // Halfway to what is fixed.
      return marksFrozen && this.isFrozen(i) ? onScale([own, theme.fixed], 0.5) : own;
    });
  }

  private findTopSpeed(): number {
    const { header, motion } = this.data;
    const speeds: number[] = [];
    const frames = sample(Array.from({ length: motion.frames }, (_, i) => i), 60);
    const bodies = sample(header.moving, 400);
    for (const frame of frames) {
      for (const body of bodies) {
        speeds.push(length(velocityOf(motion, frame, body, header.bodies[body].velocity, header.dimension).velocity));
      }
    }
    return quantile(speeds, 0.985);
  }
}

/// Neighbours in a list get different colours without a pattern.
const tone = (i: number): number => (i * 5 + (i >> 3) * 3) % 8;

class MarkList {
  private readonly points: number[] = [];
  private readonly kinds: number[] = [];
  private readonly strengths: number[] = [];

  add(at: readonly number[], kind: Mark, strength = 1): void {
    this.points.push(at[0], at[1], at[2]);
    this.kinds.push(kind);
    this.strengths.push(strength);
  }

  addAll(marks: Marks): void {
    for (let i = 0; i < marks.count; ++i) this.add([...marks.points.subarray(3 * i, 3 * i + 3)], marks.kinds[i], marks.strengths[i]);
  }

  finish(): Marks {
    return {
      count: this.kinds.length, points: Float64Array.from(this.points), kinds: Uint8Array.from(this.kinds),
      strengths: Float32Array.from(this.strengths),
    };
  }
}
