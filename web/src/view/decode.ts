/// From the bytes in the page to numbers: the other side of src/io/page.cpp, field by field.
import { BadData, Growing, Reader } from './bytes';
import { poseStride } from '../stage/types';
import type { BodyData, Changes, Forces, Header, Motion, PageData } from './data';

export { BadData };

const kStepsPerDoubling = 512;
const kStepsPerTurn = 4096;

/// Base64, then zlib.
export async function unpack(text: string): Promise<Uint8Array> {
  const trimmed = text.trim();
  if (!trimmed) throw new BadData('This page has no data in it. `collapse view FILE -o PAGE.html` writes pages that have.');
  let packed: Uint8Array<ArrayBuffer>;
  try {
    const characters = atob(trimmed);
    packed = new Uint8Array(characters.length);
    for (let i = 0; i < characters.length; ++i) packed[i] = characters.charCodeAt(i);
  } catch {
    throw new BadData('The data in this page is damaged: it is not base64.');
  }
  try {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new BadData('The data in this page is damaged or was cut off.');
  }
}

/// A column of numbers, each given as the difference to where its last two values lead.
class SmoothNumbers {
  readonly last: Float64Array;
  private readonly before: Float64Array;
  private seen = 0;

  constructor(readonly count: number) {
    this.last = new Float64Array(count);
    this.before = new Float64Array(count);
  }

  read(from: Reader): void {
    const { last, before } = this;
    for (let i = 0; i < this.count; ++i) {
      const expected = this.seen === 0 ? 0 : this.seen === 1 ? last[i] : 2 * last[i] - before[i];
      before[i] = last[i];
      last[i] = expected + from.whole();
    }
    this.seen = Math.min(2, this.seen + 1);
  }
}

class FrameReader {
  private readonly times = new Growing(new Float64Array(64));
  private readonly energy = new Growing(new Float64Array(64));
  private readonly kinetic = new Growing(new Float64Array(64));
  private readonly contacts = new Growing(new Float64Array(64));
  private readonly poses = new Growing(new Float64Array(1024));
  private readonly points = new Growing(new Float64Array(64));
  private readonly coordinates: SmoothNumbers;
  private readonly pointCoordinates: SmoothNumbers;
  private readonly still: Float64Array;
  private readonly forces: ForceReader;

  constructor(private readonly header: Header) {
    this.coordinates = new SmoothNumbers(3 * header.moving.length);
    this.pointCoordinates = new SmoothNumbers(2 * (header.framework?.points.length ?? 0));
    this.still = startPoses(header);
    this.forces = new ForceReader(header);
  }

  read(from: Reader): void {
    this.times.push(from.real());
    this.energy.push(from.real());
    this.kinetic.push(from.real());
    this.contacts.push(from.count());
    this.coordinates.read(from);
    this.pointCoordinates.read(from);
    const { moving, quanta } = this.header;
    const pose = this.still;
    const count = moving.length;
    for (let i = 0; i < count; ++i) {
      pose[3 * moving[i]] = this.coordinates.last[i] * quanta.length;
      pose[3 * moving[i] + 1] = this.coordinates.last[count + i] * quanta.length;
      pose[3 * moving[i] + 2] = this.coordinates.last[2 * count + i] * quanta.angle;
    }
    for (const value of pose) this.poses.push(value);
    const points = this.pointCoordinates.count / 2;
    for (let i = 0; i < points; ++i) {
      this.points.push(this.pointCoordinates.last[i] * quanta.length);
      this.points.push(this.pointCoordinates.last[points + i] * quanta.length);
      this.points.push(0);
    }
    if (this.header.hasForces) this.forces.read(from);
  }

  finish(): Motion {
    return {
      frames: this.times.length,
      times: this.times.trimmed(),
      energy: this.energy.trimmed(),
      kinetic: this.kinetic.trimmed(),
      contacts: this.contacts.trimmed(),
      poses: this.poses.trimmed(),
      points: this.points.trimmed(),
      ...(this.header.hasForces ? this.forces.finish() : {}),
    };
  }
}

class ForceReader {
  private readonly first = new Growing(new Uint32Array(64));
  private readonly pairs = new Growing(new Uint32Array(1024));
  private readonly x = new Growing(new Float64Array(1024));
  private readonly y = new Growing(new Float64Array(1024));
  private readonly fx = new Growing(new Float64Array(1024));
  private readonly fy = new Growing(new Float64Array(1024));
  private readonly firstChange = new Growing(new Uint32Array(64));
  private readonly closed = new Growing(new Uint8Array(64));
  private readonly changeX = new Growing(new Float64Array(64));
  private readonly changeY = new Growing(new Float64Array(64));
  private readonly a: number[] = [];
  private readonly b: number[] = [];
  private readonly base: number[] = [];
  /// By pair: where, how large, which way, as last written.
  private readonly last: number[][] = [[], [], [], []];
  private readonly isMoving: Set<number>;
  private readonly things: number;
  private largest = 0;

  constructor(private readonly header: Header) {
    this.isMoving = new Set(header.moving);
    this.things = header.bodies.length + (header.framework?.faces.length ?? 0) + (header.framework?.points.length ?? 0);
  }

  read(from: Reader): void {
    this.readNewPairs(from);
    this.readForces(from);
    this.readChanges(from);
  }

  private readNewPairs(from: Reader): void {
    const fresh = from.countOfThings();
    for (let i = 0; i < fresh; ++i) {
      const [a, b] = [from.count(), from.count()];
      if (a >= this.things || b >= this.things) throw new BadData('The data in this page is damaged: there is no such body.');
      this.a.push(a);
      this.b.push(b);
      this.base.push(this.isMoving.has(b) ? b : this.isMoving.has(a) ? a : -1);
      for (const column of this.last) column.push(0);
    }
  }

  private readForces(from: Reader): void {
    this.first.push(this.pairs.length);
    const count = from.countOfThings();
    const numbers: number[] = [];
    let next = 0;
    for (let i = 0; i < count; ++i) {
      const pair = next + from.count();
      if (pair >= this.a.length) throw new BadData('The data in this page is damaged: there is no such pair.');
      numbers.push(pair);
      this.pairs.push(pair);
      next = pair + 1;
    }
    for (const column of this.last) for (let i = 0; i < count; ++i) column[numbers[i]] += from.whole();
    const { point } = this.header.quanta;
    for (let i = 0; i < count; ++i) {
      const pair = numbers[i];
      const size = 2 ** (this.last[2][pair] / kStepsPerDoubling);
      const angle = (2 * Math.PI * this.last[3][pair]) / kStepsPerTurn;
      this.x.push(this.last[0][pair] * point);
      this.y.push(this.last[1][pair] * point);
      this.fx.push(size * Math.cos(angle));
      this.fy.push(size * Math.sin(angle));
      if (size > this.largest) this.largest = size;
    }
  }

  private readChanges(from: Reader): void {
    this.firstChange.push(this.closed.length);
    const count = from.countOfThings();
    const { point } = this.header.quanta;
    let [x, y] = [0, 0];
    for (let i = 0; i < count; ++i) {
      this.closed.push(from.count());
      x += from.whole();
      y += from.whole();
      this.changeX.push(x * point);
      this.changeY.push(y * point);
    }
  }

  finish(): { forces: Forces; changes: Changes } {
    this.first.push(this.pairs.length);
    this.firstChange.push(this.closed.length);
    const { a, b, base, largest } = this;
    return {
      forces: {
        first: this.first.trimmed(), pairs: this.pairs.trimmed(), x: this.x.trimmed(), y: this.y.trimmed(),
        fx: this.fx.trimmed(), fy: this.fy.trimmed(), a, b, base, largest,
      },
      changes: {
        first: this.firstChange.trimmed(), closed: this.closed.trimmed(), x: this.changeX.trimmed(), y: this.changeY.trimmed(),
      },
    };
  }
}

function startPoses(header: Header): Float64Array {
  const stride = poseStride(header.dimension);
  const poses = new Float64Array(stride * header.bodies.length);
  header.bodies.forEach((body, i) => poses.set((body.pose ?? (stride === 3 ? [0, 0, 0] : [0, 0, 0, 0, 0, 0, 1])).slice(0, stride), stride * i));
  return poses;
}

/// A scene: everything at its start.
function stillFrame(header: Header): Motion {
  const points = new Float64Array((header.framework?.points ?? []).flatMap((p) => [p.position[0], p.position[1], p.position[2] ?? 0]));
  const one = (value: number): Float64Array => new Float64Array([value]);
  return {
    frames: 1, times: one(0), energy: one(0), kinetic: one(0), contacts: one(header.verdict?.contacts.length ?? 0),
    poses: startPoses(header), points,
  };
}

const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every((x) => Number.isFinite(x));

function checkSolid({ points, triangles, edges }: NonNullable<BodyData['solid']>, bad: (what: string) => never): void {
  if (!isNumbers(points) || !isNumbers(triangles) || !isNumbers(edges)) return bad('a solid is not made of numbers');
  const count = points.length / 3;
  if ([...triangles, ...edges].some((i) => !(i >= 0 && i < count))) bad('there is no such point of a solid');
}

/// What the rest relies on. A page is written by one program, so that this is about damage, not about versions.
function checkHeader(header: Header): void {
  const bad = (what: string): never => {
    throw new BadData(`The data in this page is damaged: ${what}.`);
  };
  if (header?.version !== 1) bad(`its version is ${String(header?.version)}, not 1`);
  if (header.dimension !== 2 && header.dimension !== 3) bad('it is neither about the plane nor about space');
  if (header.dimension === 3 && header.motion) bad('it has a motion in space, which this page cannot play');
  if (!Array.isArray(header.bodies) || !isNumbers(header.moving) || !isNumbers(header.gravity)) bad('bodies are missing');
  const { length, angle, point } = header.quanta ?? {};
  if (!(length > 0 && angle > 0 && point > 0)) bad('units are missing');
  if (header.moving.some((i) => !header.bodies[i])) bad('there is no such body');
  for (const body of header.bodies) {
    if (!body.plane && !(isNumbers(body.pose) && body.pose.length === poseStride(header.dimension))) bad('a body has no place');
    if (body.solid) checkSolid(body.solid, bad);
    for (const round of [body.balls, body.cylinders, body.capsules]) if (round && !isNumbers(round)) bad('a round solid is not made of numbers');
    if (body.loops && !body.loops.every(isNumbers)) bad('an outline is not made of numbers');
  }
}

export function decode(bytes: Uint8Array): PageData {
  const reader = new Reader(bytes);
  let header: Header;
  try {
    header = JSON.parse(new TextDecoder().decode(reader.take(reader.length()))) as Header;
  } catch (error) {
    if (error instanceof BadData) throw error;
    throw new BadData('The data in this page is damaged: it does not begin with a description.');
  }
  checkHeader(header);
  if (!header.motion) return { header, motion: stillFrame(header) };
  const frames = new FrameReader(header);
  while (!reader.done) frames.read(reader);
  const motion = frames.finish();
  if (motion.frames === 0) throw new BadData('The data in this page is damaged: it has no frames.');
  return { header, motion };
}
