/// Half planes and half spaces: a surface that goes on out of sight, and below it a tone that fades away.
import { BufferGeometry, DoubleSide, Float32BufferAttribute, GLSL3, Group, Mesh, ShaderMaterial, Vector3 } from 'three';
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

export class GroundLayer {
  readonly group = new Group();
  private readonly materials: ShaderMaterial[] = [];
  /// Ends of the surfaces in the plane: x, y, z in local units, six numbers each.
  readonly surfaces: number[][] = [];

  /// The geometry in local units.
  constructor(geometry: StageGeometry, depth: number, theme: Theme) {
    const { low, high } = geometry.extent;
    const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    for (const body of geometry.bodies) {
      if (!body.shape.plane) continue;
      const mesh =
        geometry.dimension === 2
          ? this.slab(body.shape.plane, size, depth)
          : this.floor(body.shape.plane, size);
      this.group.add(mesh);
    }
    this.setTheme(theme);
  }

  setTheme(theme: Theme): void {
    for (const material of this.materials) {
      material.uniforms.ground.value = colour(theme.ground);
      material.uniforms.line.value = colour(theme.groundLine);
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

  /// A disk that fades outwards.
  private floor(plane: readonly number[], size: number): Mesh {
    const normal = new Vector3(plane[0], plane[1], plane[2]);
    const length = normal.length() || 1;
    normal.divideScalar(length);
    const offset = plane[3] / length;
    const u = new Vector3(0, 0, 1).cross(normal);
    if (u.lengthSq() < 1e-6) u.set(1, 0, 0);
    u.normalize();
    const v = normal.clone().cross(u);
    const middle = normal.clone().multiplyScalar(offset);
    const reach = 3 * size;
    const points = middle.toArray();
    const [depths, edges, indices] = [[0], [0], [] as number[]];
    const sides = 64;
    for (let i = 0; i < sides; ++i) {
      const angle = (2 * Math.PI * i) / sides;
      points.push(...middle.clone().addScaledVector(u, reach * Math.cos(angle)).addScaledVector(v, reach * Math.sin(angle)).toArray());
      depths.push(reach);
      edges.push(0);
      indices.push(0, 1 + i, 1 + ((i + 1) % sides));
    }
    return this.mesh(points, depths, edges, indices, reach);
  }

  dispose(): void {
    for (const child of this.group.children) if (child instanceof Mesh) child.geometry.dispose();
    for (const material of this.materials) material.dispose();
  }
}
