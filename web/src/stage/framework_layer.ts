/// A framework: faces as filled polygons, bars as lines, points as marks.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, GLSL3, Group, Mesh, ShaderMaterial, Vector3 } from 'three';
import { LineLayer, MarkLayer } from './sign_layers';
import type { Theme } from './theme';
import { Mark, type Local, type StageFramework } from './types';

const vertexShader = 'void main() { gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0); }';
const fragmentShader = 'uniform vec3 face; out vec4 colour; void main() { colour = vec4(face, 0.85); }';

/// With more points than this, only the fixed ones are marked.
const kMarkedPoints = 400;

export class FrameworkLayer {
  readonly group = new Group();
  readonly bars = new LineLayer(4);
  readonly points = new MarkLayer(5);
  private readonly faces: Mesh<BufferGeometry, ShaderMaterial>;

  constructor(private readonly framework: StageFramework) {
    const geometry = new BufferGeometry();
    const positions = new BufferAttribute(new Float32Array(3 * framework.fixed.length), 3);
    positions.setUsage(DynamicDrawUsage);
    geometry.setAttribute('position', positions);
    const indices: number[] = [];
    for (const face of framework.faces) {
      for (let i = 1; i + 1 < face.length; ++i) indices.push(face[0], face[i], face[i + 1]);
    }
    geometry.setIndex(indices);
    const material = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader, fragmentShader, side: DoubleSide, transparent: true, depthWrite: false,
      uniforms: { face: { value: new Vector3() } },
    });
    this.faces = new Mesh(geometry, material);
    this.faces.frustumCulled = false;
    this.faces.renderOrder = 3;
    this.group.add(this.faces, this.bars.mesh, this.points.mesh);
  }

  /// Three numbers per point.
  set(points: Float64Array, local: Local): void {
    const { origin, unit } = local;
    const { fixed, bars } = this.framework;
    const positions = this.faces.geometry.getAttribute('position') as BufferAttribute;
    for (let i = 0; i < fixed.length; ++i) {
      positions.setXYZ(
        i, (points[3 * i] - origin[0]) / unit, (points[3 * i + 1] - origin[1]) / unit, (points[3 * i + 2] - origin[2]) / unit);
    }
    positions.needsUpdate = true;
    const [from, to] = [new Float64Array(3 * bars.length), new Float64Array(3 * bars.length)];
    bars.forEach(([p, q], i) => {
      from.set(points.subarray(3 * p, 3 * p + 3), 3 * i);
      to.set(points.subarray(3 * q, 3 * q + 3), 3 * i);
    });
    const count = bars.length;
    this.bars.set(
      { count, from, to, widths: new Float32Array(count).fill(3), shares: new Float32Array(count).fill(-1) }, local, 0);
    const marked = fixed.map((_, i) => i).filter((i) => fixed[i] || fixed.length <= kMarkedPoints);
    const at = new Float64Array(3 * marked.length);
    const kinds = new Uint8Array(marked.length);
    marked.forEach((p, i) => {
      at.set(points.subarray(3 * p, 3 * p + 3), 3 * i);
      kinds[i] = fixed[p] ? Mark.fixedPoint : Mark.point;
    });
    this.points.set({ count: marked.length, points: at, kinds, strengths: new Float32Array(marked.length).fill(1) }, local, 0);
  }

  setTheme(theme: Theme): void {
    this.faces.material.uniforms.face.value = new Vector3(...theme.face).divideScalar(255);
    this.bars.setTheme(theme);
    this.points.setTheme(theme);
  }

  setResolution(width: number, height: number, pixelRatio: number): void {
    this.bars.setResolution(width, height, pixelRatio);
    this.points.setResolution(width, height, pixelRatio);
  }

  dispose(): void {
    this.faces.geometry.dispose();
    this.faces.material.dispose();
    this.bars.dispose();
    this.points.dispose();
  }
}
