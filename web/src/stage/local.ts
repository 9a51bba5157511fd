/// From the world to what the graphics card computes with.
import type { BodyShape, Box, Local, StageGeometry } from './types';

/// About the middle of an extent, in units of a power of two near its size: dividing by it rounds nothing.
export function localOf(extent: Box): Local {
  const middle = (i: 0 | 1 | 2): number => extent.low[i] + 0.5 * (extent.high[i] - extent.low[i]);
  const size = Math.max(...[0, 1, 2].map((i) => extent.high[i] - extent.low[i]));
  return { origin: [middle(0), middle(1), middle(2)], unit: size > 0 && Number.isFinite(size) ? 2 ** Math.floor(Math.log2(size)) : 1 };
}

export function boxInLocalUnits(box: Box, { origin, unit }: Local): Box {
  const at = (p: readonly number[]): [number, number, number] =>
    [(p[0] - origin[0]) / unit, (p[1] - origin[1]) / unit, (p[2] - origin[2]) / unit];
  return { low: at(box.low), high: at(box.high) };
}

/// Shapes are relative to their bodies, half planes to the world.
function shapeInLocalUnits(shape: BodyShape, { origin, unit }: Local): BodyShape {
  const scaled = (numbers: readonly number[]): number[] => numbers.map((x) => x / unit);
  const { plane, solid, cylinders, capsules } = shape;
  return {
    loops: shape.loops.map(scaled),
    balls: scaled(shape.balls),
    solid: solid && { ...solid, points: scaled(solid.points) },
    // Axes are directions.
    cylinders: cylinders && cylinders.map((x, i) => (i % 8 >= 3 && i % 8 < 6 ? x : x / unit)),
    capsules: capsules && scaled(capsules),
    plane: plane && plane.map((x, i) =>
      i < plane.length - 1 ? x : (x - plane.slice(0, -1).reduce((sum, n, k) => sum + n * origin[k], 0)) / unit),
  };
}

export function inLocalUnits(geometry: StageGeometry, local: Local): StageGeometry {
  return {
    ...geometry,
    bodies: geometry.bodies.map((body) => ({ ...body, shape: shapeInLocalUnits(body.shape, local) })),
    extent: boxInLocalUnits(geometry.extent, local),
    depth: geometry.depth === undefined ? undefined : geometry.depth / local.unit,
  };
}
