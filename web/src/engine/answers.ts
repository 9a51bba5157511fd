/// What the engine says: the JSON of web/engine/*.cpp.

export type Pair = [number, number];

/// A scene that cannot be used: where, what was found, what was expected; `message` is all of it in one line.
export interface Refusal {
  place: string;
  found: string;
  expected: string;
  message: string;
}

export interface GalleryEntry {
  name: string;
  about: string;
  options: { name: string; default: string; about: string }[];
  /// Points and bars: it moves, but whether it stands is not asked.
  framework: boolean;
}

export interface OutlineBody {
  name: string;
  kind: 'fixed' | 'free' | 'moved';
  material: string;
  friction: number;
  mass: number;
  /// Centre of mass in body coordinates.
  centre: Pair;
  /// Origin and rotation: x, y, c, s.
  pose: [number, number, number, number];
  /// In body coordinates.
  loops: number[][];
  balls: [number, number, number][];
  /// nx, ny, offset of a half plane, in world coordinates.
  half_space?: [number, number, number];
}

export interface Outline {
  bodies: OutlineBody[];
  /// Numbers of bodies, −1 the world.
  joints: { type: 'pin' | 'rod' | 'weld'; a: number; b: number; at_a: Pair; at_b: Pair }[];
  framework: {
    points: { name: string; position: Pair; fixed: boolean }[];
    bars: [number, number][];
    faces: number[][];
  };
}

export interface Check {
  outline?: Outline;
  /// How many there are.
  bodies: number;
  /// Bodies overlap: there is no verdict.
  overlap?: Refusal;
  /// Why there is no verdict, where the question makes no sense.
  unasked?: string;
  verdict?: 'stable' | 'unstable' | 'undecided';
  reason?: string;
  strength?: 'strong' | 'weak' | 'unknown';
  margin?: number;
  margin_is_bound?: boolean;
  residual?: number;
  contacts?: { a: string; b: string; point: Pair; normal: Pair; force?: Pair }[];
  corners?: { a: string; b: string; point: Pair }[];
  mechanism?: { body: string; velocity: Pair; spin: number }[];
  isolated?: string[];
  near_misses?: { a: string; b: string; gap: number }[];
}

export interface MotionAccount {
  time: number;
  /// Length of one step.
  step: number;
  resting: boolean;
  steps: number;
  energy: number;
  initial_energy: number;
  max_penetration: number;
  incidents: { time: number; what: string }[];
}

export interface MotionFrame {
  account: MotionAccount;
  /// x, y, c, s of each body's origin, then x, y of each point of a framework.
  poses: Float64Array;
  /// Numbers of a and b, point, force on b: six numbers per contact.
  forces: Float64Array;
}

/// The wishes of a check, to be added up.
export const kOutline = 1;
export const kQuick = 2;

/// What the page asks the worker.
export type Question =
  | { kind: 'gallery' }
  | { kind: 'scene'; name: string; options: Record<string, string> }
  | { kind: 'check'; text: string; wishes: number }
  | { kind: 'begin'; text: string }
  | { kind: 'step'; count: number };

export interface Request {
  id: number;
  question: Question;
}

export interface Reply {
  id: number;
  answer?: unknown;
  refusal?: Refusal;
  /// The engine broke: this worker is of no more use.
  broken?: string;
  /// Milliseconds in the engine.
  took: number;
}
