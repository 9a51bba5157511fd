/// Half planes and half spaces: a surface that goes on out of sight, and below it a tone that fades away.
import { BufferGeometry, DoubleSide, Float32BufferAttribute, GLSL3, Group, Mesh, ShaderMaterial, Vector2, Vector3, Vector4 } from 'three';
import { lightShader, type Lighting } from './lighting';
import type { Rgb, Theme } from './theme';
import type { StageGeometry } from './types';

const colour = (rgb: Rgb): Vector3 => new Vector3(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255);

const vertexShader = /* glsl */ `
in float depth;
in float edge;
out float below;
out float isEdge;
void main() {
  below = depth;
  isEdge = edge;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

const fragmentShader = /* glsl */ `
uniform vec3 ground;
uniform vec3 line;
uniform float fade;
in float below;
in float isEdge;
out vec4 colour;
void main() {
  float t = clamp(below / fade, 0.0, 1.0);
  colour = isEdge > 0.5 ? vec4(mix(ground, line, 0.28), 1.0) : vec4(ground, 1.0 - t * t * (3.0 - 2.0 * t));
}`;

/// As many half spaces hide each other's surfaces where they meet.
const kPlanes = 8;

const floorVertex = /* glsl */ `
out vec3 at;
void main() {
  at = position;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

/// Lines of a grid, a soft border far out, and shadows.
const floorFragment = /* glsl */ `
${lightShader}
uniform vec3 ground;
uniform vec3 line;
uniform float dark;
uniform vec3 normal;
uniform vec3 sideU;
uniform vec3 sideV;
uniform vec2 gridOrigin;
uniform vec3 middle;
uniform float fade;
uniform float spacing;
uniform vec4 planes[${kPlanes}];
uniform int others;
in vec3 at;
out vec4 colour;
float grid(vec2 p, float weight) {
  vec2 pixel = fwidth(p);
  vec2 away = abs(fract(p - 0.5) - 0.5) / max(pixel, vec2(1e-6));
  // Lines closer together than a few pixels would be a tone of their own.
  float sparse = 1.0 - smoothstep(0.12, 0.35, max(pixel.x, pixel.y));
  return weight * sparse * (1.0 - smoothstep(0.4, 1.3, min(away.x, away.y)));
}
void main() {
  for (int i = 0; i < ${kPlanes}; ++i) if (i < others && dot(planes[i].xyz, at) < planes[i].w) discard;
  float t = clamp(length(at - middle) / fade, 0.0, 1.0);
  vec2 p = (vec2(dot(at, sideU), dot(at, sideV)) - gridOrigin) / spacing;
  float lines = max(grid(p, 0.10), grid(p / 5.0, 0.24));
  float shade = dot(normal, sun) > 0.0 ? 1.0 - sunlight(at, normal) : 0.0;
  vec3 own = mix(ground, line, lines) * (1.0 - dark * shade);
  float border = 1.0 - smoothstep(0.12, 1.0, t);
  // Walls between the eye and what they hold are of glass.
  float clear = dot(normal, cameraPosition - at) < 0.0 ? 0.05 + lines : 1.0;
  colour = vec4(own, border * clear);
}`;

export class GroundLayer {
  readonly group = new Group();
  private readonly materials: ShaderMaterial[] = [];
  /// Ends of the surfaces in the plane: x, y, z in local units, six numbers each.
  readonly surfaces: number[][] = [];

  /// The geometry in local units.
  constructor(geometry: StageGeometry, depth: number, theme: Theme, private readonly lighting?: Lighting) {
    const { low, high } = geometry.extent;
    const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    for (const body of geometry.bodies) {
      if (!body.shape.plane) continue;
      const mesh =
        geometry.dimension === 2
          ? this.slab(body.shape.plane, size, depth)
          : this.floor(body.shape.plane, size, geometry);
      this.group.add(mesh);
    }
    this.setTheme(theme);
  }

  setTheme(theme: Theme): void {
    for (const material of this.materials) {
      material.uniforms.ground.value = colour(theme.ground);
      material.uniforms.line.value = colour(theme.groundLine);
      if (material.uniforms.dark) material.uniforms.dark.value = theme.shadow;
    }
  }

  private mesh(points: number[], depths: number[], edges: number[], indices: number[], fade: number): Mesh {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
    geometry.setAttribute('depth', new Float32BufferAttribute(depths, 1));
    geometry.setAttribute('edge', new Float32BufferAttribute(edges, 1));
    geometry.setIndex(indices);
    const material = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader, fragmentShader, transparent: true, side: DoubleSide, depthWrite: false,
      uniforms: { ground: { value: new Vector3() }, line: { value: new Vector3() }, fade: { value: fade } },
    });
    this.materials.push(material);
    const mesh = new Mesh(geometry, material);
    mesh.renderOrder = 0;
    mesh.frustumCulled = false;
    return mesh;
  }

  /// A front face that fades downwards and a top that goes back into depth.
  private slab(plane: readonly number[], size: number, depth: number): Mesh {
    const length = Math.hypot(plane[0], plane[1]) || 1;
    const n = [plane[0] / length, plane[1] / length];
    const offset = plane[2] / length;
    const reach = 60 * size;
    const along = [n[1], -n[0]];
    const at = (t: number, s: number, z: number): number[] => [
      offset * n[0] + t * along[0] - s * n[0],
      offset * n[1] + t * along[1] - s * n[1],
      z,
    ];
    const half = 2.5 * depth;
    const fade = 0.22 * size;
    const front = [at(-reach, 0, half), at(reach, 0, half), at(reach, fade, half), at(-reach, fade, half)];
    const top = [at(-reach, 0, half), at(reach, 0, half), at(reach, 0, -half), at(-reach, 0, -half)];
    this.surfaces.push([...at(-reach, 0, half), ...at(reach, 0, half)]);
    return this.mesh(
      [...front, ...top].flat(), [0, 0, fade, fade, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1],
      [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7], fade);
  }

  /// A part of the surface of a half space, below all that is shown, that fades outwards.
  private floor(plane: readonly number[], size: number, { bodies, extent }: StageGeometry): Mesh {
    const normal = new Vector3(plane[0], plane[1], plane[2]);
    const length = normal.length() || 1;
    normal.divideScalar(length);
    const u = new Vector3(1, 0, 0).addScaledVector(normal, -normal.x);
    if (u.length() < 0.5) u.set(0, 1, 0).addScaledVector(normal, -normal.y);
    u.normalize();
    const v = normal.clone().cross(u);
    const middle = new Vector3(...[0, 1, 2].map((i) => 0.5 * (extent.low[i] + extent.high[i])));
    middle.addScaledVector(normal, plane[3] / length - normal.dot(middle));
    const reach = 2.2 * size;
    const points = [[-1, -1], [1, -1], [1, 1], [-1, 1]].flatMap(([x, y]) =>
      middle.clone().addScaledVector(u, reach * x).addScaledVector(v, reach * y).toArray());
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const others = bodies
      .flatMap(({ shape }) => (shape.plane && shape.plane !== plane ? [shape.plane] : []))
      .map((p) => new Vector4(p[0], p[1], p[2], p[3]).divideScalar(Math.hypot(p[0], p[1], p[2]) || 1))
      .slice(0, kPlanes);
    for (const p of others) p.w -= 1e-5 * size;
    const material = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: floorVertex, fragmentShader: floorFragment, transparent: true, side: DoubleSide, depthWrite: false,
      uniforms: {
        ...this.lighting?.uniforms,
        ground: { value: new Vector3() }, line: { value: new Vector3() }, dark: { value: 0 },
        normal: { value: normal }, sideU: { value: u }, sideV: { value: v }, middle: { value: middle },
        gridOrigin: { value: new Vector2(middle.dot(u), middle.dot(v)) },
        fade: { value: reach }, spacing: { value: 2 ** Math.round(Math.log2(size / 16)) },
        planes: { value: [...others, ...Array.from({ length: kPlanes - others.length }, () => new Vector4())] },
        others: { value: others.length },
      },
    });
    this.materials.push(material);
    const mesh = new Mesh(geometry, material);
    mesh.renderOrder = 0;
    mesh.frustumCulled = false;
    return mesh;
  }

  dispose(): void {
    for (const child of this.group.children) if (child instanceof Mesh) child.geometry.dispose();
    for (const material of this.materials) material.dispose();
  }
}
