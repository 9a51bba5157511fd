/// Arrows, lines and marks: instanced shapes whose width is in pixels, drawn over everything else.
import {
  DoubleSide, DynamicDrawUsage, Float32BufferAttribute, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, Mesh,
  ShaderMaterial, Vector2, Vector3, type IUniform,
} from 'three';
import { rectangles } from './body_layer';
import { veilShader, type Lighting } from './lighting';
import type { Rgb, Theme } from './theme';
import type { Arrows, Lines, Local, Marks } from './types';

const colour = (rgb: Rgb): Vector3 => new Vector3(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255);

const scaleShader = /* glsl */ `
uniform vec3 scale[5];
vec3 onScale(float share) {
  float t = clamp(share, 0.0, 1.0) * 4.0;
  int i = min(3, int(t));
  return mix(scale[i], scale[i + 1], t - float(i));
}
`;

const plainFragment = /* glsl */ `
${veilShader}
in vec4 tint;
in float distance;
out vec4 colour;
void main() { colour = vec4(tint.rgb, tint.a * veil(distance)); }`;

/// Instances of one shape with attributes of so many numbers each; grows as needed.
class Instances {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private capacity = 0;

  constructor(
    private readonly geometry: InstancedBufferGeometry,
    private readonly sizes: Readonly<Record<string, number>>,
    vertexShader: string,
    fragmentShader: string,
    uniforms: Record<string, IUniform>,
    order: number,
  ) {
    const material = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader, fragmentShader, uniforms, side: DoubleSide,
      transparent: true, depthTest: false, depthWrite: false,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
    this.reserve(16);
    geometry.instanceCount = 0;
  }

  reserve(count: number): void {
    if (count <= this.capacity) return;
    this.capacity = Math.max(count, 2 * this.capacity);
    // three.js remembers how many instances the first attributes had room for, until the geometry is disposed of.
    this.geometry.dispose();
    for (const [name, size] of Object.entries(this.sizes)) {
      const attribute = new InstancedBufferAttribute(new Float32Array(size * this.capacity), size);
      attribute.setUsage(DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
    }
  }

  array(name: string): Float32Array {
    return this.geometry.getAttribute(name).array as Float32Array;
  }

  update(count: number): void {
    this.geometry.instanceCount = count;
    this.mesh.visible = count > 0;
    for (const name of Object.keys(this.sizes)) {
      const attribute = this.geometry.getAttribute(name) as InstancedBufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
  }

  get count(): number {
    return this.geometry.instanceCount;
  }

  dispose(): void {
    this.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/// `z` is in local units.
function copyPoints(to: Float32Array, from: Float64Array, count: number, { origin, unit }: Local, z: number): void {
  for (let i = 0; i < count; ++i) {
    to[3 * i] = (from[3 * i] - origin[0]) / unit;
    to[3 * i + 1] = (from[3 * i + 1] - origin[1]) / unit;
    to[3 * i + 2] = (from[3 * i + 2] - origin[2]) / unit + z;
  }
}

interface Uniforms extends Record<string, IUniform> {
  resolution: IUniform<Vector2>;
  pixelRatio: IUniform<number>;
  /// Of arrows and marks: 1, or less where bodies are small on the screen.
  size: IUniform<number>;
  scale: IUniform<Vector3[]>;
}

const shared = (): Uniforms => ({
  resolution: { value: new Vector2(1, 1) },
  pixelRatio: { value: 1 },
  size: { value: 1 },
  scale: { value: [0, 1, 2, 3, 4].map(() => new Vector3()) },
  eyeDepth: { value: null },
  eyePixels: { value: new Vector2(1, 1) },
  eyeRange: { value: new Vector2(1, 2) },
  veilLength: { value: 0 },
});

abstract class Layer {
  readonly uniforms: Uniforms;

  constructor(extra: Record<string, IUniform> = {}) {
    this.uniforms = { ...shared(), ...extra };
  }

  setResolution(width: number, height: number, pixelRatio: number): void {
    this.uniforms.resolution.value.set(width, height);
    this.uniforms.pixelRatio.value = pixelRatio;
  }

  /// Behind bodies, signs are fainter from now on; without a light they are not. Takes hold of the light's own values.
  setLighting(lighting?: Lighting): void {
    if (lighting) for (const [name, { value }] of Object.entries(lighting.veil)) this.uniforms[name].value = value;
    else this.uniforms.veilLength.value = 0;
  }

  setTheme(theme: Theme): void {
    this.uniforms.scale.value = theme.force.map(colour);
  }
}

/// A vertex says with x where it is along the arrow (0 tail, 1 neck, 2 tip) and with y how far across, in
/// half widths of the shaft (|y| = 1) or of the head (|y| = 2). z is 1 for the rim around the arrow.
const arrowVertex = /* glsl */ `
${scaleShader}
uniform vec2 resolution;
uniform float pixelRatio;
uniform float width;
uniform float size;
uniform vec3 halo;
in vec3 start;
in vec3 extent;
in float share;
out vec4 tint;
out float distance;
void main() {
  vec4 a = projectionMatrix * viewMatrix * vec4(start, 1.0);
  vec4 b = projectionMatrix * viewMatrix * vec4(start + extent, 1.0);
  distance = -(viewMatrix * vec4(start + 0.5 * position.x * extent, 1.0)).z;
  vec2 along = 0.5 * (b.xy / b.w - a.xy / a.w) * resolution;
  float l = length(along);
  along = l > 1e-6 ? along / l : vec2(0.0, 1.0);
  vec2 across = vec2(-along.y, along.x);
  float w = size * width * pixelRatio * (0.45 + 0.55 * sqrt(clamp(share, 0.0, 1.0)));
  float head = min(l, 3.4 * w);
  float headHalf = min(1.55 * w, 0.55 * head);
  float shaftHalf = min(0.5 * w, 0.6 * headHalf);
  float rim = position.z * 1.1 * min(1.0, 0.3 + size) * pixelRatio;
  float where = position.x < 0.5 ? -rim : (position.x < 1.5 ? l - head - rim * 0.4 : l + 2.2 * rim);
  float side = abs(position.y) < 0.5 ? 0.0 : (abs(position.y) < 1.5 ? shaftHalf + rim : headHalf + 1.6 * rim);
  vec2 pixel = along * where + across * side * sign(position.y);
  gl_Position = vec4(a.xy / a.w + 2.0 * pixel / resolution, 0.0, 1.0);
  tint = position.z > 0.5 ? vec4(halo, 0.8) : vec4(onScale(share), 1.0);
}`;

function arrowGeometry(): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  const points: number[] = [];
  const indices: number[] = [];
  for (const rim of [1, 0]) {
    const first = points.length / 3;
    for (const [x, y] of [[0, -1], [0, 1], [1, 1], [1, -1], [1, -2], [1, 2], [2, 0]]) points.push(x, y, rim);
    for (const k of [0, 3, 2, 0, 2, 1, 4, 6, 5]) indices.push(first + k);
  }
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
  geometry.setIndex(indices);
  return geometry;
}

export class ArrowLayer extends Layer {
  private readonly instances: Instances;

  constructor() {
    super({ width: { value: 4.2 }, halo: { value: new Vector3() } });
    this.instances = new Instances(
      arrowGeometry(), { start: 3, extent: 3, share: 1 }, arrowVertex, plainFragment, this.uniforms, 30);
  }

  get mesh(): Mesh {
    return this.instances.mesh;
  }

  get count(): number {
    return this.instances.count;
  }

  set(arrows: Arrows, local: Local, z: number): void {
    this.instances.reserve(arrows.count);
    copyPoints(this.instances.array('start'), arrows.points, arrows.count, local, z);
    copyPoints(this.instances.array('extent'), arrows.vectors, arrows.count, { origin: [0, 0, 0], unit: local.unit }, 0);
    this.instances.array('share').set(arrows.shares.subarray(0, arrows.count));
    this.instances.update(arrows.count);
  }

  override setTheme(theme: Theme): void {
    super.setTheme(theme);
    this.uniforms.halo.value = colour(theme.halo);
  }

  dispose(): void {
    this.instances.dispose();
  }
}

const lineVertex = /* glsl */ `
${scaleShader}
uniform vec2 resolution;
uniform float pixelRatio;
uniform vec3 bar;
uniform float opacity;
uniform float size;
in vec3 start;
in vec3 finish;
in float width;
in float share;
out vec4 tint;
out float distance;
void main() {
  vec4 a = projectionMatrix * viewMatrix * vec4(start, 1.0);
  vec4 b = projectionMatrix * viewMatrix * vec4(finish, 1.0);
  distance = -(viewMatrix * vec4(position.x < 0.0 ? start : finish, 1.0)).z;
  vec2 along = (b.xy / b.w - a.xy / a.w) * resolution;
  float l = length(along);
  along = l > 1e-6 ? along / l : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  vec4 end = position.x < 0.0 ? a : b;
  float w = share < 0.0 ? width : max(0.6, width * size);
  vec2 shift = (0.35 * position.x * along + position.y * across) * w * pixelRatio / resolution;
  gl_Position = vec4(end.xy / end.w + shift, 0.0, 1.0);
  tint = share < 0.0 ? vec4(bar, 1.0) : vec4(onScale(share), opacity);
}`;

export class LineLayer extends Layer {
  private readonly instances: Instances;

  constructor(order: number, opacity = 1) {
    super({ bar: { value: new Vector3() }, opacity: { value: opacity } });
    this.instances = new Instances(
      rectangles(), { start: 3, finish: 3, width: 1, share: 1 }, lineVertex, plainFragment, this.uniforms, order);
  }

  get mesh(): Mesh {
    return this.instances.mesh;
  }

  get count(): number {
    return this.instances.count;
  }

  set(lines: Lines, local: Local, z: number): void {
    this.instances.reserve(lines.count);
    copyPoints(this.instances.array('start'), lines.from, lines.count, local, z);
    copyPoints(this.instances.array('finish'), lines.to, lines.count, local, z);
    this.instances.array('width').set(lines.widths.subarray(0, lines.count));
    this.instances.array('share').set(lines.shares.subarray(0, lines.count));
    this.instances.update(lines.count);
  }

  override setTheme(theme: Theme): void {
    super.setTheme(theme);
    this.uniforms.bar.value = colour(theme.bar);
  }

  dispose(): void {
    this.instances.dispose();
  }
}

const markVertex = /* glsl */ `
uniform vec2 resolution;
uniform float pixelRatio;
uniform float size;
in vec3 centre;
in float kind;
in float strength;
out vec2 at;
out float strengthAt;
flat out int kindAt;
flat out float distance;
void main() {
  distance = -(viewMatrix * vec4(centre, 1.0)).z;
  vec4 p = projectionMatrix * viewMatrix * vec4(centre, 1.0);
  at = position.xy * 9.0;
  kindAt = int(kind + 0.5);
  strengthAt = strength;
  gl_Position = vec4(p.xy / p.w + at * 2.0 * size * pixelRatio / resolution, 0.0, 1.0);
}`;

/// Distances in pixels from the mark's middle; a soft edge of one pixel. The kinds are those of types.ts.
const markFragment = /* glsl */ `
${veilShader}
uniform vec3 opens;
uniform vec3 closes;
uniform vec3 quiet;
uniform vec3 ink;
uniform vec3 halo;
uniform vec3 bar;
in vec2 at;
in float strengthAt;
flat in int kindAt;
flat in float distance;
out vec4 colour;
float disk(float r) { return clamp(r + 0.5 - length(at), 0.0, 1.0); }
float square(float r) { return clamp(r + 0.5 - max(abs(at.x), abs(at.y)), 0.0, 1.0); }
vec4 over(vec4 top, vec4 below) {
  float a = top.a + below.a * (1.0 - top.a);
  return a > 0.0 ? vec4((top.rgb * top.a + below.rgb * below.a * (1.0 - top.a)) / a, a) : vec4(0.0);
}
vec4 ring(vec3 rim, float r, float w) { return over(vec4(halo, disk(r - w)), vec4(rim, disk(r))); }
void main() {
  if (kindAt == 0) colour = ring(opens, 4.6, 1.7);
  else if (kindAt == 1) colour = vec4(closes, disk(2.6));
  else if (kindAt == 2) colour = vec4(ink, disk(2.2));
  else if (kindAt == 3) colour = ring(quiet, 2.6, 1.0);
  else if (kindAt == 4) colour = over(vec4(ink, disk(1.2)), ring(ink, 4.4, 1.4));
  else if (kindAt == 5) colour = over(vec4(closes, square(2.4)), vec4(halo, square(3.4)));
  else if (kindAt == 6) colour = vec4(bar, disk(3.0));
  else if (kindAt == 7) colour = over(vec4(bar, square(3.4)), vec4(halo, square(4.4)));
  else colour = vec4(opens, clamp(5.5 - abs(at.x), 0.0, 1.0) * clamp(1.6 - abs(at.y), 0.0, 1.0));
  colour.a *= strengthAt * veil(distance);
  if (colour.a <= 0.003) discard;
}`;

export class MarkLayer extends Layer {
  private readonly instances: Instances;

  constructor(order: number) {
    super(Object.fromEntries(['opens', 'closes', 'quiet', 'ink', 'halo', 'bar'].map((name) => [name, { value: new Vector3() }])));
    this.instances = new Instances(
      rectangles(), { centre: 3, kind: 1, strength: 1 }, markVertex, markFragment, this.uniforms, order);
  }

  get mesh(): Mesh {
    return this.instances.mesh;
  }

  get count(): number {
    return this.instances.count;
  }

  set(marks: Marks, local: Local, z: number): void {
    this.instances.reserve(marks.count);
    copyPoints(this.instances.array('centre'), marks.points, marks.count, local, z);
    this.instances.array('kind').set(marks.kinds.subarray(0, marks.count));
    this.instances.array('strength').set(marks.strengths.subarray(0, marks.count));
    this.instances.update(marks.count);
  }

  override setTheme(theme: Theme): void {
    super.setTheme(theme);
    for (const name of ['opens', 'closes', 'quiet', 'ink', 'halo', 'bar'] as const) {
      this.uniforms[name].value = colour(theme[name]);
    }
  }

  dispose(): void {
    this.instances.dispose();
  }
}
