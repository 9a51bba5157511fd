/// See index.ts for how it is used.
import { Color, LinearSRGBColorSpace, Scene, WebGLRenderer } from 'three';
import { BodyLayer } from './body_layer';
import { StageCamera } from './camera';
import { FrameworkLayer } from './framework_layer';
import { Gestures } from './gestures';
import { GroundLayer } from './ground_layer';
import { Lighting } from './lighting';
import { insideShape, thickness } from './outline';
import { firstBody } from './raycast';
import { ArrowLayer, LineLayer, MarkLayer } from './sign_layers';
import { solidThickness } from './solids';
import { themes, type Rgb, type Theme, type ThemeName } from './theme';
import { boxInLocalUnits, inLocalUnits, localOf } from './local';
import { poseStride, type Arrows, type Box, type Ghost, type Lines, type Local, type Marks, type StageGeometry } from './types';

export interface StageOptions {
  theme?: ThemeName;
  /// The body under a click or tap, −1 for none, and where in the world.
  onTap?(body: number, x: number, y: number): void;
  onHover?(x: number, y: number): void;
  claim?(event: PointerEvent): boolean;
  /// After every picture.
  onRender?(): void;
}

const kEmpty: StageGeometry = { dimension: 2, bodies: [], extent: { low: [-1, -1, 0], high: [1, 1, 0] } };

/// Where one looks at scenes in space from at first: from the right and above.
const kAtFirst = { yaw: 0.6, pitch: 0.36 };

export class Stage {
  readonly camera = new StageCamera();
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly gestures: Gestures;
  private readonly observer: ResizeObserver;
  private readonly arrows = new ArrowLayer();
  private readonly chains = new LineLayer(20, 0.85);
  private readonly rods = new LineLayer(6);
  private readonly marks = new MarkLayer(40);
  private readonly surfaces = new LineLayer(0.5);
  private geometry: StageGeometry = kEmpty;
  private bodies?: BodyLayer;
  private ground?: GroundLayer;
  private framework?: FrameworkLayer;
  /// In space only.
  private lighting?: Lighting;
  private poses = new Float64Array(0);
  private local: Local = { origin: [0, 0, 0], unit: 1 };
  /// Of bodies of the plane, in local units; likewise the size of a typical one.
  private depth = 1;
  private typical = Infinity;
  private selected = -1;
  private colourOf: (body: number) => Rgb = () => [200, 200, 200];
  private theme: Theme;
  private pending = 0;
  private fitted = false;

  constructor(readonly canvas: HTMLCanvasElement, private readonly options: StageOptions = {}) {
    this.theme = themes[options.theme ?? 'dark'];
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;  // colours are written as they are meant to be seen
    this.scene.add(this.arrows.mesh, this.chains.mesh, this.rods.mesh, this.marks.mesh, this.surfaces.mesh);
    this.gestures = new Gestures(canvas, this.camera, {
      changed: () => this.moved(),
      tap: (x, y) => {
        const at = this.toWorld(x, y);
        options.onTap?.(this.pick(x, y), at[0], at[1]);
      },
      hover: (x, y) => options.onHover?.(x, y),
      claim: (event) => options.claim?.(event) ?? false,
    });
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas);
    canvas.addEventListener('webglcontextrestored', () => this.invalidate());
    this.applyTheme();
    this.resize();
  }

  setGeometry(geometry: StageGeometry): void {
    this.bodies?.dispose();
    this.ground?.dispose();
    this.framework?.dispose();
    for (const part of [this.bodies?.group, this.ground?.group, this.framework?.group]) {
      if (part) this.scene.remove(part);
    }
    this.geometry = geometry;
    this.local = localOf(geometry.extent);
    const local = inLocalUnits(geometry, this.local);
    const inSpace = geometry.dimension === 3;
    this.lighting?.dispose();
    this.lighting = inSpace ? new Lighting() : undefined;
    this.lighting?.setExtent(local.extent);
    const thicknesses = local.bodies.map((body) => (inSpace ? solidThickness : thickness)(body.shape)).filter((t) => t > 0).sort((a, b) => a - b);
    this.typical = thicknesses[thicknesses.length >> 1] ?? Infinity;
    this.depth = inSpace ? 0 : local.depth ?? (Number.isFinite(this.typical) ? 1.4 * this.typical : 0);
    this.selected = -1;
    this.bodies = new BodyLayer(local, this.depth, this.theme, this.lighting);
    this.ground = new GroundLayer(local, this.depth, this.theme, this.lighting);
    this.veilSigns();
    this.scene.add(this.ground.group, this.bodies.group);
    this.framework = undefined;
    if (geometry.framework) {
      this.framework = new FrameworkLayer(geometry.framework);
      this.scene.add(this.framework.group);
    }
    this.drawSurfaces();
    this.poses = new Float64Array(poseStride(geometry.dimension) * geometry.bodies.length);
    this.camera.setDimension(geometry.dimension);
    if (inSpace) Object.assign(this.camera.place, kAtFirst);
    this.applyTheme();
    this.resize();
    this.fit(geometry.extent);
  }

  /// x, y, angle per body; in space x, y, z and a quaternion x, y, z, w. Half planes have none of these, but
  /// their place in the array.
  setPoses(poses: Float64Array): void {
    this.poses.set(poses.subarray(0, this.poses.length));
    this.bodies?.setPoses(this.poses, this.local);
    this.invalidate();
  }

  /// Points of the framework, three numbers each.
  setPoints(points: Float64Array): void {
    this.framework?.set(points, this.local);
    this.invalidate();
  }

  /// Asks for every body's colour now, and again when the theme or the selection changes.
  setColours(colourOf: (body: number) => Rgb): void {
    this.colourOf = colourOf;
    this.geometry.bodies.forEach((body, i) => {
      if (!body.shape.plane) this.bodies?.colours.set(i, colourOf(i), i === this.selected);
    });
    this.invalidate();
  }

  /// −1: none.
  select(body: number): void {
    this.selected = body;
    this.setColours(this.colourOf);
  }

  setArrows(arrows: Arrows): void {
    this.arrows.set(arrows, this.local, this.depth / 2);
    this.invalidate();
  }

  /// Lines of force through the structure.
  setChains(lines: Lines): void {
    this.chains.set(lines, this.local, this.depth / 2);
    this.invalidate();
  }

  /// Rods between bodies.
  setRods(lines: Lines): void {
    this.rods.set(lines, this.local, this.depth / 2);
    this.invalidate();
  }

  setMarks(marks: Marks): void {
    this.marks.set(marks, this.local, this.depth / 2);
    this.invalidate();
  }

  /// From the farthest back to the front.
  setGhosts(ghosts: readonly Ghost[]): void {
    this.bodies?.setGhosts(ghosts, this.local);
    this.bodies?.setResolution(this.canvas.width, this.canvas.height, this.renderer.getPixelRatio());
    this.invalidate();
  }

  setTheme(theme: ThemeName): void {
    this.theme = themes[theme];
    this.applyTheme();
    this.setColours(this.colourOf);
  }

  /// Shows all of a part of the world, or what it showed last.
  fit(extent?: Box): void {
    this.camera.fit(extent && boxInLocalUnits(extent, this.local));
    this.fitted = true;
    this.invalidate();
  }

  /// From the front, all in sight.
  front(): void {
    this.camera.front();
    this.fitted = true;
    this.invalidate();
  }

  /// From a direction, all in sight.
  look(yaw: number, pitch: number): void {
    this.camera.look(yaw, pitch);
    this.fitted = true;
    this.invalidate();
  }

  /// As scenes in space are seen at first.
  home(): void {
    this.look(kAtFirst.yaw, kAtFirst.pitch);
  }

  /// After the margins of the camera have changed: as `fit`, unless the user has moved the camera.
  refit(): void {
    if (this.fitted) this.camera.fit();
    this.invalidate();
  }

  /// About the middle of the picture.
  enlarge(factor: number): void {
    this.camera.zoom(factor, this.camera.width / 2, this.camera.height / 2);
    this.moved();
  }

  /// What is drawn at present, for tests.
  get counts(): { bodies: number; arrows: number; chains: number; marks: number } {
    return {
      bodies: this.geometry.bodies.length,
      arrows: this.arrows.count,
      chains: this.chains.count,
      marks: this.marks.count,
    };
  }

  /// World coordinates of a pixel of the canvas, on the front of the bodies.
  toWorld(x: number, y: number): [number, number] {
    const at = this.camera.onPlane(x, y, this.camera.tilted ? this.depth / 2 : 0);
    const { origin, unit } = this.local;
    return [at[0] * unit + origin[0], at[1] * unit + origin[1]];
  }

  toPixel(x: number, y: number, z = 0): [number, number] {
    const { origin, unit } = this.local;
    return this.camera.toPixel((x - origin[0]) / unit, (y - origin[1]) / unit, (z - origin[2]) / unit);
  }

  /// Of a length of the world in front.
  get pixelsPerUnit(): number {
    return this.camera.pixelsPerUnit / this.local.unit;
  }

  /// The body at a pixel of the canvas; half planes only where nothing else is; −1 for none.
  pick(x: number, y: number): number {
    if (this.geometry.dimension === 3) return this.pickInSpace(x, y);
    const [wx, wy] = this.toWorld(x, y);
    let found = -1;
    this.geometry.bodies.forEach((body, i) => {
      const [px, py, angle] = [this.poses[3 * i], this.poses[3 * i + 1], this.poses[3 * i + 2]];
      if (body.shape.plane) {
        if (found < 0 && insideShape(body.shape, wx, wy)) found = i;
        return;
      }
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const [dx, dy] = [wx - px, wy - py];
      const better = found < 0 || !body.fixed || this.geometry.bodies[found].shape.plane !== undefined;
      if (better && insideShape(body.shape, c * dx + s * dy, -s * dx + c * dy)) found = i;
    });
    return found;
  }

  private pickInSpace(x: number, y: number): number {
    const [eye, way] = this.camera.sight(x, y);
    const { origin, unit } = this.local;
    const from: [number, number, number] = [eye.x * unit + origin[0], eye.y * unit + origin[1], eye.z * unit + origin[2]];
    return firstBody(this.geometry.bodies, this.poses, from, [way.x, way.y, way.z], this.bodies?.walls);
  }

  invalidate(): void {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => this.renderNow());
  }

  renderNow(): void {
    if (this.pending) cancelAnimationFrame(this.pending);
    this.pending = 0;
    // Where bodies are a few pixels only, signs on them are small, too.
    const pixels = this.typical * this.camera.pixelsPerUnit;
    const size = Math.min(1, Math.max(0.3, pixels / 34));
    this.bodies?.setLineScale(Math.min(1, Math.max(0.4, pixels / 14)));
    for (const layer of [this.arrows, this.chains, this.marks]) layer.uniforms.size.value = size;
    const camera = this.camera.camera();
    this.lighting?.prepare(this.renderer, camera, this.canvas.width, this.canvas.height);
    this.renderer.render(this.scene, camera);
    this.options.onRender?.();
  }

  dispose(): void {
    if (this.pending) cancelAnimationFrame(this.pending);
    this.observer.disconnect();
    this.gestures.dispose();
    for (const layer of [this.bodies, this.ground, this.framework, this.arrows, this.chains, this.rods, this.marks, this.surfaces]) {
      layer?.dispose();
    }
    this.lighting?.dispose();
    this.renderer.dispose();
  }

  private veilSigns(): void {
    if (this.lighting) this.lighting.veil.veilLength.value = Number.isFinite(this.typical) ? 1.6 * this.typical : 0;
    for (const layer of [this.arrows, this.chains, this.rods, this.marks]) layer.setLighting(this.lighting);
  }

  private moved(): void {
    this.fitted = false;
    this.invalidate();
  }

  private drawSurfaces(): void {
    const ends = this.ground?.surfaces ?? [];
    const at = (first: number): Float64Array => new Float64Array(ends.flatMap((end) => end.slice(first, first + 3)));
    const count = ends.length;
    this.surfaces.set(
      { count, from: at(0), to: at(3), widths: new Float32Array(count).fill(1.5), shares: new Float32Array(count).fill(-1) },
      { origin: [0, 0, 0], unit: 1 }, 0);
  }

  private applyTheme(): void {
    this.renderer.setClearColor(new Color().setRGB(...(this.theme.background.map((c) => c / 255) as [number, number, number]), LinearSRGBColorSpace));
    for (const layer of [this.bodies, this.ground, this.framework, this.arrows, this.chains, this.rods, this.marks, this.surfaces]) {
      layer?.setTheme(this.theme);
    }
    this.surfaces.uniforms.bar.value.set(...this.theme.groundLine).divideScalar(255);
    this.invalidate();
  }

  /// Keeps everything in sight while the user has not moved the camera.
  private resize(): void {
    const [width, height] = [this.canvas.clientWidth || 1, this.canvas.clientHeight || 1];
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.width = width;
    this.camera.height = height;
    for (const layer of [this.bodies, this.framework, this.arrows, this.chains, this.rods, this.marks, this.surfaces]) {
      layer?.setResolution(this.canvas.width, this.canvas.height, ratio);
    }
    if (this.fitted) this.camera.fit();
    this.invalidate();
  }
}
