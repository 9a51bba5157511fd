/// Where one looks from. Plane scenes are seen without perspective, from the front unless tilted (y is up);
/// scenes in space with perspective (z is up).
import { Matrix4, OrthographicCamera, PerspectiveCamera, Vector3, type Camera } from 'three';
import type { Box, Dimension } from './types';

const kFieldOfView = 32;
const kSteepest = Math.PI / 2;
const kTangent = Math.tan((kFieldOfView * Math.PI) / 360);

export interface CameraPlace {
  /// What the middle of the picture shows. Here all coordinates are local ones (types.ts).
  target: [number, number, number];
  /// Of the part of the world that is seen at the target.
  height: number;
  /// Radians: around the upward axis, and above the horizon.
  yaw: number;
  pitch: number;
}

export class StageCamera {
  place: CameraPlace = { target: [0, 0, 0], height: 1, yaw: 0, pitch: 0 };
  /// Pixels (of the page, not of the screen).
  width = 1;
  height = 1;
  /// Room on each side that controls cover: the content is fitted into the rest.
  margins = { left: 0, right: 0, top: 0, bottom: 0 };
  private content: Box = { low: [-1, -1, 0], high: [1, 1, 0] };
  private readonly orthographic = new OrthographicCamera();
  private readonly perspective = new PerspectiveCamera(kFieldOfView);

  constructor(private dimension: Dimension = 2) {}

  setDimension(dimension: Dimension): void {
    this.dimension = dimension;
  }

  get tilted(): boolean {
    return this.dimension === 3 || this.place.yaw !== 0 || this.place.pitch !== 0;
  }

  /// Shows all of `content`, keeping the direction.
  fit(content: Box = this.content): void {
    this.content = content;
    const { low, high } = content;
    const { left, right, top, bottom } = this.margins;
    const freeWidth = Math.max(40, this.width - left - right);
    const freeHeight = Math.max(40, this.height - top - bottom);
    const [right_, up] = this.axes();
    if (this.dimension === 3) return this.fitInSpace(freeWidth, freeHeight);
    const size = [0, 1, 2].map((i) => high[i] - low[i]);
    const across = size.reduce((sum, s, i) => sum + Math.abs(right_.getComponent(i)) * s, 0);
    const tall = size.reduce((sum, s, i) => sum + Math.abs(up.getComponent(i)) * s, 0);
    const perPixel = Math.max(across / freeWidth, tall / freeHeight) * 1.12 || 1 / freeHeight;
    const middle = new Vector3(...[0, 1, 2].map((i) => low[i] + 0.5 * size[i]));
    middle.addScaledVector(right_, 0.5 * (right - left) * perPixel);
    middle.addScaledVector(up, 0.5 * (top - bottom) * perPixel);
    this.place.target = [middle.x, middle.y, middle.z];
    this.place.height = perPixel * this.height;
  }

  /// With perspective: the eye goes back until the corners nearest to it are within the free part of the picture.
  private fitInSpace(freeWidth: number, freeHeight: number): void {
    const { low, high } = this.content;
    const { left, right: marginRight, top, bottom } = this.margins;
    const [right, up, back] = this.axes();
    const middle = new Vector3(...[0, 1, 2].map((i) => 0.5 * (low[i] + high[i])));
    const corners = Array.from({ length: 8 }, (_, k) => {
      const corner = new Vector3(...[0, 1, 2].map((i) => ((k >> i) & 1 ? high[i] : low[i]))).sub(middle);
      return [corner.dot(right), corner.dot(up), corner.dot(back)];
    });
    const [slopeX, slopeY] = [(kTangent * freeWidth) / this.height / 1.08, (kTangent * freeHeight) / this.height / 1.08];
    let distance = 1e-6;
    // Seen from there, what is in the picture is not centred about the box's middle: that is found on the way.
    let [x, y] = [0, 0];
    for (let round = 0; round < 8; ++round) {
      distance = Math.max(1e-6, ...corners.map(([cx, cy, cz]) => cz + Math.max(Math.abs(cx - x) / slopeX, Math.abs(cy - y) / slopeY)));
      const centred = (k: 0 | 1, at: number): number => {
        const slopes = corners.map((c) => (c[k] - at) / (distance - c[2]));
        return at + 0.5 * (Math.min(...slopes) + Math.max(...slopes)) * distance;
      };
      [x, y] = [centred(0, x), centred(1, y)];
    }
    this.place.height = 2 * kTangent * distance;
    const perPixel = this.place.height / this.height;
    middle.addScaledVector(right, x + 0.5 * (marginRight - left) * perPixel);
    middle.addScaledVector(up, y + 0.5 * (top - bottom) * perPixel);
    this.place.target = [middle.x, middle.y, middle.z];
  }

  /// From the front, everything in sight.
  front(): void {
    this.look(0, 0);
  }

  /// From there, everything in sight.
  look(yaw: number, pitch: number): void {
    Object.assign(this.place, { yaw, pitch });
    this.fit();
  }

  orbit(dx: number, dy: number): void {
    this.place.yaw -= dx * 0.006;
    this.place.pitch = Math.min(kSteepest, Math.max(-kSteepest, this.place.pitch + dy * 0.006));
  }

  pan(dx: number, dy: number): void {
    const perPixel = this.place.height / this.height;
    const [right, up] = this.axes();
    const target = new Vector3(...this.place.target)
      .addScaledVector(right, -dx * perPixel)
      .addScaledVector(up, dy * perPixel);
    this.place.target = [target.x, target.y, target.z];
  }

  /// Enlarges by `factor`; what is at the pixel (x, y) stays there.
  zoom(factor: number, x: number, y: number): void {
    const size = Math.hypot(...[0, 1, 2].map((i) => this.content.high[i] - this.content.low[i])) || 1;
    const height = Math.min(50 * size, Math.max(1e-4 * size, this.place.height / factor));
    const [dx, dy] = [x - 0.5 * this.width, y - 0.5 * this.height];
    this.pan(-dx, -dy);
    this.place.height = height;
    this.pan(dx, dy);
  }

  /// World directions to the right and up on the screen, and towards the eye.
  axes(): [Vector3, Vector3, Vector3] {
    const { yaw, pitch } = this.place;
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    return this.dimension === 2
      ? [new Vector3(cy, 0, -sy), new Vector3(-sy * sp, cp, -cy * sp), new Vector3(sy * cp, sp, cy * cp)]
      : [new Vector3(cy, sy, 0), new Vector3(-sy * sp, cy * sp, cp), new Vector3(sy * cp, -cy * cp, sp)];
  }

  get pixelsPerUnit(): number {
    return this.height / this.place.height;
  }

  /// Ready to render with.
  camera(): Camera {
    const [right, up, back] = this.axes();
    const target = new Vector3(...this.place.target);
    const reach = 400 * (Math.hypot(...[0, 1, 2].map((i) => this.content.high[i] - this.content.low[i])) || 1);
    let camera: OrthographicCamera | PerspectiveCamera;
    let distance: number;
    if (this.dimension === 2) {
      camera = this.orthographic;
      const halfHeight = this.place.height / 2;
      const halfWidth = (halfHeight * this.width) / this.height;
      distance = reach;
      Object.assign(camera, { left: -halfWidth, right: halfWidth, top: halfHeight, bottom: -halfHeight });
      camera.near = 0;
      camera.far = 2 * reach;
    } else {
      camera = this.perspective;
      distance = this.place.height / 2 / kTangent;
      camera.aspect = this.width / this.height;
      camera.near = distance / 100;
      camera.far = distance + reach;
    }
    camera.matrixAutoUpdate = false;
    camera.matrix.makeBasis(right, up, back).setPosition(target.addScaledVector(back, distance));
    camera.updateMatrixWorld(true);
    camera.updateProjectionMatrix();
    return camera;
  }

  /// Where the line of sight through a pixel meets a plane z = constant.
  onPlane(x: number, y: number, z = 0): [number, number] {
    const camera = this.camera();
    const toWorld = new Matrix4().multiplyMatrices(camera.matrixWorld, camera.projectionMatrixInverse);
    const at = (depth: number): Vector3 =>
      new Vector3((2 * x) / this.width - 1, 1 - (2 * y) / this.height, depth).applyMatrix4(toWorld);
    const [near, far] = [at(-1), at(1)];
    const t = (z - near.z) / (far.z - near.z);
    return [near.x + t * (far.x - near.x), near.y + t * (far.y - near.y)];
  }

  /// The line of sight through a pixel: where it begins, and its direction.
  sight(x: number, y: number): [Vector3, Vector3] {
    const camera = this.camera();
    const toWorld = new Matrix4().multiplyMatrices(camera.matrixWorld, camera.projectionMatrixInverse);
    const at = (depth: number): Vector3 =>
      new Vector3((2 * x) / this.width - 1, 1 - (2 * y) / this.height, depth).applyMatrix4(toWorld);
    const near = at(-1);
    return [near, at(0).sub(near).normalize()];
  }

  /// The pixel where a point is seen.
  toPixel(x: number, y: number, z: number): [number, number] {
    const camera = this.camera();
    const p = new Vector3(x, y, z).applyMatrix4(camera.matrixWorldInverse).applyMatrix4(camera.projectionMatrix);
    return [(0.5 + 0.5 * p.x) * this.width, (0.5 - 0.5 * p.y) * this.height];
  }
}
