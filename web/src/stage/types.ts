/// What the stage draws. Lengths are the scene's; poses are those of the bodies' centres of mass, and all
/// coordinates of shapes are relative to these, so that a pose is where a body's middle is.

export type Dimension = 2 | 3;

/// Numbers per pose: x, y, angle in the plane; x, y, z and a quaternion x, y, z, w in space.
export const poseStride = (dimension: Dimension): number => (dimension === 2 ? 3 : 7);

export interface BodyShape {
  /// Closed polygons as x, y, x, y, …; insides run counter-clockwise, holes clockwise.
  loops: readonly (readonly number[])[];
  /// Disks or spheres as x, y, r (in space x, y, z, r), one after the other.
  balls: readonly number[];
  /// The solid {x : normal·x ≤ offset} as normal and offset, in world coordinates; then there is nothing else.
  plane?: readonly number[];
  /// In space: points x, y, z, …; triangles and edges by the numbers of their points. Edges are those to be drawn.
  solid?: { points: readonly number[]; triangles: readonly number[]; edges: readonly number[] };
  /// In space: middle, axis (unit), radius and half the height, eight numbers each.
  cylinders?: readonly number[];
  /// In space: both ends of the segment and the radius, seven numbers each.
  capsules?: readonly number[];
}

export interface StageBody {
  shape: BodyShape;
  fixed: boolean;
}

export interface StageFramework {
  /// Of each point, whether it is fixed.
  fixed: readonly boolean[];
  bars: readonly (readonly [number, number])[];
  faces: readonly (readonly number[])[];
}

export interface Box {
  low: [number, number, number];
  high: [number, number, number];
}

/// The graphics card has single precision only: it gets coordinates relative to an origin, in units of about the
/// scene's size. The difference is taken in double precision.
export interface Local {
  origin: readonly [number, number, number];
  unit: number;
}

export interface StageGeometry {
  dimension: Dimension;
  bodies: readonly StageBody[];
  framework?: StageFramework;
  /// What the camera shows at first; needed as the origin of single-precision coordinates, too.
  extent: Box;
  /// How thick bodies of the plane are drawn; by default, from the bodies' sizes.
  depth?: number;
}

/// Arrows from a point along a vector. Both have three numbers per arrow, in the world's units.
export interface Arrows {
  count: number;
  points: Float64Array;
  vectors: Float64Array;
  /// 0 to 1: colour on the force scale, and width.
  shares: Float32Array;
}

/// Straight lines, three numbers per end.
export interface Lines {
  count: number;
  from: Float64Array;
  to: Float64Array;
  /// Pixels.
  widths: Float32Array;
  /// 0 to 1: colour on the force scale. Negative: the colour of bars and rods.
  shares: Float32Array;
}

export const enum Mark {
  opens = 0,
  closes = 1,
  holds = 2,
  unloaded = 3,
  joint = 4,
  corner = 5,
  point = 6,
  fixedPoint = 7,
  slides = 8,
}

/// Signs of constant size on the screen, three numbers per point.
export interface Marks {
  count: number;
  points: Float64Array;
  kinds: Uint8Array;
  /// 0 to 1: how visible.
  strengths: Float32Array;
}

/// One pose per body, as in `setPoses`; bodies whose pose has a NaN are left out.
export interface Ghost {
  poses: Float64Array;
  opacity: number;
}
