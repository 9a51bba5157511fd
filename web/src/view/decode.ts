/// From the bytes in the page to numbers: the other side of src/io/page.cpp, field by field.
import { BadData, Growing, Reader } from './bytes';
import { poseStride } from '../stage/types';
import { ForceReader } from './decode_forces';
import type { BodyData, Freezes, Header, Motion, PageData } from './data';

export { BadData };

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
  private readonly freezes?: FreezeReader;

  constructor(private readonly header: Header) {
    this.coordinates = new SmoothNumbers(poseStride(header.dimension) * header.moving.length);
    this.pointCoordinates = new SmoothNumbers(header.dimension * (header.framework?.points.length ?? 0));
    this.still = startPoses(header);
    this.forces = new ForceReader(header);
    if (header.dimension === 3) this.freezes = new FreezeReader(header.moving);
  }

  read(from: Reader): void {
    this.times.push(from.real());
    this.energy.push(from.real());
    this.kinetic.push(from.real());
    this.contacts.push(from.count());
    this.readPoses(from);
    this.readPoints(from);
    if (this.header.hasForces) this.forces.read(from);
  }

  private readPoses(from: Reader): void {
    this.coordinates.read(from);
    const { moving, quanta, dimension } = this.header;
    const pose = this.still;
    const count = moving.length;
    const stride = poseStride(dimension);
    for (let i = 0; i < count; ++i) {
      const to = stride * moving[i];
      for (let k = 0; k < stride; ++k) {
        pose[to + k] = this.coordinates.last[k * count + i] * (k < dimension ? quanta.length : quanta.angle);
      }
      if (dimension === 3) normalize(pose, to + 3);
    }
    for (const value of pose) this.poses.push(value);
    this.freezes?.read(from);
  }

  private readPoints(from: Reader): void {
    this.pointCoordinates.read(from);
    const { quanta, dimension } = this.header;
    const points = this.pointCoordinates.count / dimension;
    for (let i = 0; i < points; ++i) {
      for (let k = 0; k < 3; ++k) this.points.push(k < dimension ? this.pointCoordinates.last[k * points + i] * quanta.length : 0);
    }
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
      ...(this.freezes ? { freezes: this.freezes.finish() } : {}),
    };
  }
}

/// A quaternion of whole numbers is a unit one only almost.
function normalize(pose: Float64Array, at: number): void {
  const size = Math.hypot(pose[at], pose[at + 1], pose[at + 2], pose[at + 3]);
  if (size > 0) for (let k = 0; k < 4; ++k) pose[at + k] /= size;
  else pose[at + 3] = 1;
}

/// Which bodies froze or thawed.
class FreezeReader {
  private readonly first = new Growing(new Uint32Array(64));
  private readonly bodies = new Growing(new Uint32Array(64));

  constructor(private readonly moving: readonly number[]) {}

  read(from: Reader): void {
    this.first.push(this.bodies.length);
    const count = from.countOfThings();
    let next = 0;
    for (let i = 0; i < count; ++i) {
      const place = next + from.count();
      if (place >= this.moving.length) throw new BadData('The data in this page is damaged: there is no such body.');
      this.bodies.push(this.moving[place]);
      next = place + 1;
    }
  }

  finish(): Freezes {
    this.first.push(this.bodies.length);
    return { first: this.first.trimmed(), bodies: this.bodies.trimmed() };
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
