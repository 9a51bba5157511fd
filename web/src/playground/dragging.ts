/// A body or a grip under the pointer. Pictures come at the pace of the screen, however often the pointer moves.
import type { Body, SceneDocument } from './document';
import { withBody } from './document';
import { figureOf, movedBody, movedFigure, poseOf, type Figure } from './geometry';
import { add, point, Rational, subtract, type Point } from './rational';
import { roundLength, type Grip } from './shapes';
import { snap, type Guide } from './snapping';

/// Pixels.
const kReach = 10;
const kGridPixels = 7;
const kFinePixels = 0.35;

export interface DragResult {
  document: SceneDocument;
  guides: readonly Guide[];
}

/// How far apart pixels are in the world.
export interface Scale {
  perPixel: number;
}

export const gridOf = ({ perPixel }: Scale): Rational => roundLength(kGridPixels * perPixel);
const fineOf = ({ perPixel }: Scale): Rational => roundLength(kFinePixels * perPixel);

export interface Drag {
  to(world: readonly [number, number], free: boolean): DragResult | undefined;
  /// Whether other shapes come of it, not only other places.
  readonly reshapes: boolean;
}

export function dragBody(document: SceneDocument, index: number, from: readonly [number, number], scale: Scale): Drag {
  const body = document.bodies[index];
  const figure = figureOf(body);
  const { position } = poseOf(body);
  const others: Figure[] = document.bodies.filter((_, i) => i !== index).map(figureOf);
  const fine = fineOf(scale);
  return {
    reshapes: false,
    to: (world, free) => {
      const moved = point(Rational.nearest(world[0] - from[0], fine), Rational.nearest(world[1] - from[1], fine));
      const target = add(position, moved);
      const result = snap(movedFigure(figure, moved), others, target, {
        reach: kReach * scale.perPixel, grid: free ? fine : gridOf(scale), free,
      });
      return { document: withBody(document, index, movedBody(body, add(target, result.shift))), guides: result.guides };
    },
  };
}

/// A grip goes to the grid, or to a corner that is near.
export function dragGrip(document: SceneDocument, index: number, grip: Grip, scale: Scale): Drag {
  const corners = document.bodies.flatMap((body, i) => (i === index ? [] : figureOf(body).corners));
  return {
    reshapes: grip.kind !== 'turn',
    to: (world, free) => {
      const grid = free ? fineOf(scale) : gridOf(scale);
      let target: Point = point(Rational.nearest(world[0], grid), Rational.nearest(world[1], grid));
      if (!free && grip.kind !== 'turn') {
        const near = corners.find((corner) => Math.hypot(corner.x.value - world[0], corner.y.value - world[1]) < kReach * scale.perPixel);
        if (near) target = near;
      }
      const body: Body | undefined = grip.drag(target);
      return body && { document: withBody(document, index, body), guides: [] };
    },
  };
}

/// One arrow key: a step of the grid, exactly.
export function nudged(document: SceneDocument, index: number, dx: number, dy: number, step: Rational): SceneDocument {
  const body = document.bodies[index];
  const { position } = poseOf(body);
  const by = point(step.times(Rational.of(dx)), step.times(Rational.of(dy)));
  return withBody(document, index, movedBody(body, add(position, by)));
}

/// A new body rests on what is below it, if that is near.
export function dropped(document: SceneDocument, body: Body, reach: number): Body {
  const { position } = poseOf(body);
  const result = snap(figureOf(body), document.bodies.map(figureOf), position, { reach, grid: Rational.of(1, 1000) });
  return result.contact ? movedBody(body, add(position, result.shift)) : body;
}

/// A copy beside its original: flush with its right side.
export function besides(body: Body): Body {
  const figure = figureOf(body);
  if (figure.plane) return body;
  const xs = [...figure.corners.map((p) => p.x), ...figure.disks.flatMap(({ centre, radius }) => [centre.x.minus(radius), centre.x.plus(radius)])];
  const least = xs.reduce((a, b) => (b.below(a) ? b : a));
  const most = xs.reduce((a, b) => (a.below(b) ? b : a));
  const { position } = poseOf(body);
  return movedBody(body, add(position, subtract(point(most, Rational.zero), point(least, Rational.zero))));
}
