/// What a page's data holds, as src/io/page_header.cpp writes it. Nothing here is trusted to be markup: names go
/// into the page as text only.

export type Stability = 'stable' | 'unstable' | 'undecided';

export interface BodyData {
  name: string;
  material: number;
  fixed?: boolean;
  driven?: boolean;
  mass?: number;
  inertia?: number;
  /// About the centre of mass.
  loops?: number[][];
  balls?: number[];
  plane?: number[];
  /// In space, as the stage has them.
  solid?: { points: number[]; triangles: number[]; edges: number[] };
  cylinders?: number[];
  capsules?: number[];
  /// At the start: centre of mass and angle (in space a quaternion x, y, z, w), and how they change.
  pose?: number[];
  velocity?: number[];
}

export interface JointData {
  type: 'pin' | 'rod' | 'weld' | 'hinge';
  /// −1: the world.
  a: number;
  b: number;
  atA: number[];
  atB: number[];
  /// Of a hinge, in the world at the start.
  axis?: number[];
}

export interface VerdictData {
  stability: Stability;
  strength: 'strong' | 'weak' | 'unknown';
  reason: string;
  margin: number;
  marginIsBound: boolean;
  /// Points and vectors have as many numbers as there are dimensions, spins and torques one or three (rows.ts).
  /// a, b, point, normal, friction.
  contacts: number[][];
  corners: number[][];
  /// a, b, point, force on b.
  forces: number[][];
  /// joint, point, force on b, torque.
  jointForces: number[][];
  /// body, velocity, spin.
  mechanism: number[][];
}

export interface FrameworkData {
  points: { name: string; mass: number; position: number[]; fixed?: boolean }[];
  bars: [number, number][];
  faces: number[][];
}

export interface Header {
  version: number;
  name: string;
  dimension: 2 | 3;
  gravity: number[];
  /// In space `angle` is that of a quaternion's components.
  quanta: { length: number; angle: number; point: number };
  materials: { name: string; density: number; friction: number; restitution: number }[];
  bodies: BodyData[];
  moving: number[];
  joints: JointData[];
  framework?: FrameworkData;
  hasForces: boolean;
  loads: string[];
  verdict?: VerdictData;
  motion?: { command: string; finished: boolean; options: [string, string][] };
}

/// Contact forces of all frames: those of frame f are the entries from first[f] to first[f + 1]. Points and vectors have
/// as many numbers per entry as there are dimensions.
export interface Forces {
  first: Uint32Array;
  pairs: Uint32Array;
  /// Where the force acts, relative to `base` of the pair.
  points: Float64Array;
  /// On b; a gets the opposite.
  vectors: Float64Array;
  /// By pair. Numbers of things: bodies, then faces of the framework, then its points.
  a: number[];
  b: number[];
  /// The body whose centre points of the pair move with, −1 for none.
  base: number[];
  largest: number;
}

/// Contacts that opened or closed since the frame before.
export interface Changes {
  first: Uint32Array;
  closed: Uint8Array;
  points: Float64Array;
}

/// Bodies that froze or thawed: those of frame f are the entries from first[f] to first[f + 1].
export interface Freezes {
  first: Uint32Array;
  bodies: Uint32Array;
}

export interface Motion {
  frames: number;
  times: Float64Array;
  energy: Float64Array;
  kinetic: Float64Array;
  contacts: Float64Array;
  /// By frame, then by body: x, y, angle of the centre of mass; in space x, y, z and a unit quaternion x, y, z, w, whose sign
  /// tells which way it turned. All bodies, also those at rest.
  poses: Float64Array;
  /// By frame, then by point of the framework: x, y, z.
  points: Float64Array;
  forces?: Forces;
  changes?: Changes;
  /// In space.
  freezes?: Freezes;
}

export interface PageData {
  header: Header;
  /// A scene has one frame.
  motion: Motion;
}
