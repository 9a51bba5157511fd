/// The bodies: one mesh for all surfaces, but one for each shape that many bodies have; one for all edges. A texture poses them.
import {
  BufferGeometry, DoubleSide, Float32BufferAttribute, GLSL3, Group, InstancedBufferAttribute, InstancedBufferGeometry,
  Mesh as ThreeMesh, ShaderMaterial, Vector2, Vector3,
} from 'three';
import { lightShader, type Lighting } from './lighting';
import { addSlab, emptyMesh, type Mesh } from './outline';
import { ColourTexture, PoseTexture, poseShader } from './pose_texture';
import { addSolid, copyEdges, roundSolids } from './solids';
import type { Rgb, Theme } from './theme';
import type { Ghost, Local, StageGeometry } from './types';
import { inwards } from './walls';

const colour = (rgb: Rgb): Vector3 => new Vector3(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255);

/// The front of a slab shows its colour as it is; other sides are a little lighter or darker.
const surfaceVertex = /* glsl */ `
${poseShader}
uniform sampler2D colours;
in float body;
out vec4 tint;
out float light;
void main() {
  int i = int(body + 0.5);
  vec4 place = bodyPlace(i);
  vec4 turn = bodyTurn(i);
  tint = texelFetch(colours, texel(i), 0);
  vec3 n = turned(turn, normal);
  light = 0.80 + 0.20 * abs(n.z) + 0.10 * n.y - 0.04 * n.x;
  gl_Position = projectionMatrix * viewMatrix * vec4(place.xyz + turned(turn, position) * place.w, 1.0);
}`;

const surfaceFragment = /* glsl */ `
uniform float opacity;
uniform vec3 flatColour;
uniform float flatness;
uniform vec3 highlight;
in vec4 tint;
in float light;
out vec4 colour;
void main() {
  vec3 own = mix(tint.rgb, highlight, 0.28 * step(0.5, tint.a)) * light;
  colour = vec4(mix(own, flatColour, flatness), opacity);
}`;

/// In space: no place is seen of a wall that stands between the eye and what it holds.
const wallShader = /* glsl */ `
in vec3 inwards;
bool hides(vec4 place, vec4 turn) { return dot(turned(turn, inwards), cameraPosition - place.xyz) < 0.0; }
const vec4 nowhere = vec4(2.0, 2.0, 2.0, 1.0);
`;

/// In space surfaces are lit point by point. Where a round one turns away from the eye its rim is drawn like an edge.
const solidVertex = /* glsl */ `
${poseShader}
${wallShader}
uniform sampler2D colours;
in float body;
in float round;
out vec4 tint;
out vec3 at;
out vec3 facing;
out float rim;
void main() {
  int i = int(body + 0.5);
  vec4 place = bodyPlace(i);
  vec4 turn = bodyTurn(i);
  tint = texelFetch(colours, texel(i), 0);
  facing = turned(turn, normal);
  rim = round;
  at = place.xyz + turned(turn, position) * place.w;
  gl_Position = hides(place, turn) ? nowhere : projectionMatrix * viewMatrix * vec4(at, 1.0);
}`;

const solidFragment = /* glsl */ `
${lightShader}
uniform float opacity;
uniform vec3 highlight;
uniform vec3 outline;
uniform float outlineShare;
uniform float width;
in vec4 tint;
in vec3 at;
in vec3 facing;
in float rim;
out vec4 colour;
void main() {
  vec3 n = normalize(facing);
  vec3 own = mix(tint.rgb, highlight, 0.28 * step(0.5, tint.a)) * daylight(at, n);
  // The square falls to zero at an even rate over the last pixels before the rim.
  float away = dot(n, normalize(cameraPosition - at));
  float square = away * abs(away);
  float line = 1.0 - smoothstep(0.5 * width, 0.5 * width + 1.2, square / max(1e-6, fwidth(square)));
  vec3 dark = mix(mix(tint.rgb, outline, outlineShare), highlight, step(0.5, tint.a));
  colour = vec4(mix(own, dark, line * step(0.5, rim)), opacity);
}`;

/// Where surfaces are, without colour.
const depthVertex = /* glsl */ `
${poseShader}
${wallShader}
in float body;
void main() {
  int i = int(body + 0.5);
  vec4 place = bodyPlace(i);
  vec4 turn = bodyTurn(i);
  vec3 at = place.xyz + turned(turn, position) * place.w;
  gl_Position = hides(place, turn) ? nowhere : projectionMatrix * viewMatrix * vec4(at, 1.0);
}`;
const depthFragment = 'out vec4 colour; void main() { colour = vec4(1.0); }';

/// Every edge is a rectangle of constant width on the screen.
const edgeVertex = /* glsl */ `
${poseShader}
uniform sampler2D colours;
uniform vec2 resolution;
uniform float width;
uniform float pull;
in vec3 from;
in vec3 to;
in float body;
in float strength;
out vec4 tint;
out float stress;
void main() {
  int i = int(body + 0.5);
  vec4 place = bodyPlace(i);
  vec4 turn = bodyTurn(i);
  tint = texelFetch(colours, texel(i), 0);
  stress = strength;
  float w = width * (1.0 + 1.3 * step(0.5, tint.a));
  // With perspective, nearer to the eye is at the same place of the picture: edges do not sink into their faces.
  vec4 viewA = viewMatrix * vec4(place.xyz + turned(turn, from) * place.w, 1.0);
  vec4 viewB = viewMatrix * vec4(place.xyz + turned(turn, to) * place.w, 1.0);
  vec4 a = projectionMatrix * vec4(viewA.xyz * pull, 1.0);
  vec4 b = projectionMatrix * vec4(viewB.xyz * pull, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * resolution;
  float l = length(along);
  along = l > 1e-6 ? along / l : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  vec4 end = position.x < 0.0 ? a : b;
  vec2 shift = (position.x * along * 0.5 + position.y * across * 0.5) * 2.0 * w / resolution;
  gl_Position = end + vec4(shift * end.w, -2e-6 * end.w * (1.0 + 4.0 * step(0.5, tint.a)), 0.0);
  if (place.w == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const edgeFragment = /* glsl */ `
uniform float opacity;
uniform vec3 flatColour;
uniform float flatness;
uniform vec3 outline;
uniform float outlineShare;
uniform vec3 highlight;
in vec4 tint;
in float stress;
out vec4 colour;
void main() {
  vec3 own = mix(mix(tint.rgb, outline, outlineShare * stress), highlight, step(0.5, tint.a) * stress);
  colour = vec4(mix(own, flatColour, flatness), opacity * mix(1.0, stress, flatness));
}`;

/// Of the bodies that the mesh tells, or of those that are given, all of the same shape.
function surfaceGeometry(mesh: Mesh, alike?: readonly number[]): BufferGeometry {
  const geometry = alike ? Object.assign(new InstancedBufferGeometry(), { instanceCount: alike.length }) : new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(mesh.positions, 3));
  geometry.setAttribute('normal', new Float32BufferAttribute(mesh.normals, 3));
  geometry.setAttribute('body', alike ? new InstancedBufferAttribute(Float32Array.from(alike), 1) : new Float32BufferAttribute(mesh.bodies, 1));
  if (!alike) geometry.setAttribute('inwards', new Float32BufferAttribute(new Float32Array(mesh.positions.length), 3));
  if (mesh.round.length > 0) geometry.setAttribute('round', new Float32BufferAttribute(mesh.round, 1));
  geometry.setIndex(mesh.indices);
  return geometry;
}

/// The corners of a rectangle, from −1 to 1.
export function rectangles(): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

function edgeGeometry(mesh: Mesh): InstancedBufferGeometry {
  const geometry = rectangles();
  const count = mesh.edgeBodies.length;
  const [from, to] = [new Float32Array(3 * count), new Float32Array(3 * count)];
  for (let i = 0; i < count; ++i) {
    for (let k = 0; k < 3; ++k) {
      from[3 * i + k] = mesh.edges[6 * i + k];
      to[3 * i + k] = mesh.edges[6 * i + 3 + k];
    }
  }
  geometry.setAttribute('from', new InstancedBufferAttribute(from, 3));
  geometry.setAttribute('to', new InstancedBufferAttribute(to, 3));
  geometry.setAttribute('body', new InstancedBufferAttribute(new Float32Array(mesh.edgeBodies), 1));
  const strengths = Float32Array.from({ length: count }, (_, i) => mesh.edgeStrengths[i] ?? 1);
  geometry.setAttribute('strength', new InstancedBufferAttribute(strengths, 1));
  geometry.instanceCount = count;
  return geometry;
}

/// A shape that more bodies have is stored once.
const kManyAlike = 16;

/// What all bodies are drawn with: edges all together.
export function bodyGeometries(geometry: StageGeometry, depth: number): { surfaces: BufferGeometry[]; edges: InstancedBufferGeometry } {
  const mesh = emptyMesh();
  const surfaces: BufferGeometry[] = [];
  const round = geometry.dimension === 3 ? geometry.bodies.reduce((sum, body) => sum + roundSolids(body.shape), 0) : 0;
  const alike = new Map<string, number[]>();
  geometry.bodies.forEach(({ shape }, i) => {
    if (shape.plane) return;
    if (geometry.dimension === 2) return addSlab(mesh, i, shape, depth);
    const key = JSON.stringify(shape);
    const known = alike.get(key);
    if (known) known.push(i);
    else alike.set(key, [i]);
  });
  for (const bodies of alike.values()) {
    const { shape } = geometry.bodies[bodies[0]];
    if (bodies.length <= kManyAlike) {
      for (const i of bodies) addSolid(mesh, i, shape, round);
      continue;
    }
    const one = emptyMesh();
    addSolid(one, bodies[0], shape, round);
    surfaces.push(surfaceGeometry(one, bodies));
    for (const i of bodies) copyEdges(one, i, mesh);
  }
  if (mesh.bodies.length > 0) surfaces.push(surfaceGeometry(mesh));
  return { surfaces, edges: edgeGeometry(mesh) };
}

/// Surfaces and edges under one set of poses.
interface Cast {
  poses: PoseTexture;
  surfaces: Group;
  surfaceMaterial: ShaderMaterial;
  edges: ThreeMesh<BufferGeometry, ShaderMaterial>;
}

export class BodyLayer {
  readonly group = new Group();
  readonly colours: ColourTexture;
  private readonly surfaceGeometries: BufferGeometry[];
  private readonly edgeGeometry: InstancedBufferGeometry;
  private readonly main: Cast;
  private readonly ghosts: Cast[] = [];
  private theme: Theme;
  /// See `inwards`.
  walls?: Float32Array;
  private resolution = new Vector2(1, 1);
  private pixelRatio = 1;
  private lineScale = 1;
  private caster?: { surfaces: Group; material: ShaderMaterial };

  /// The geometry in local units.
  constructor(private readonly geometry: StageGeometry, depth: number, theme: Theme, private readonly lighting?: Lighting) {
    this.theme = theme;
    const { surfaces, edges } = bodyGeometries(geometry, depth);
    this.surfaceGeometries = surfaces;
    this.edgeGeometry = edges;
    this.colours = new ColourTexture(geometry.bodies.length);
    this.main = this.makeCast(0);
    if (lighting) this.addCaster(lighting);
  }

  private addCaster(lighting: Lighting): void {
    const material = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: depthVertex, fragmentShader: depthFragment, side: DoubleSide,
      uniforms: { poses: { value: this.main.poses.texture } },
    });
    this.caster = { surfaces: this.surfacesOf(material, 0), material };
    lighting.casters.add(this.caster.surfaces);
  }

  private surfacesOf(material: ShaderMaterial, order: number): Group {
    const group = new Group();
    for (const geometry of this.surfaceGeometries) {
      const mesh = new ThreeMesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      group.add(mesh);
    }
    return group;
  }

  setPoses(poses: Float64Array, local: Local): void {
    if (!this.walls && this.geometry.dimension === 3) this.walls = this.findWalls(poses);
    this.main.poses.set(poses, this.geometry.dimension, local);
    this.lighting?.moved();
  }

  private findWalls(poses: Float64Array): Float32Array {
    const walls = inwards(this.geometry, poses);
    for (const { attributes } of this.surfaceGeometries) {
      if (!attributes.inwards) continue;
      for (let v = 0; v < attributes.body.count; ++v) {
        const wall = 3 * attributes.body.getX(v);
        attributes.inwards.setXYZ(v, walls[wall], walls[wall + 1], walls[wall + 2]);
      }
      attributes.inwards.needsUpdate = true;
    }
    return walls;
  }

  setGhosts(ghosts: readonly Ghost[], local: Local): void {
    while (this.ghosts.length < ghosts.length) this.ghosts.push(this.makeCast(1 + this.ghosts.length));
    this.ghosts.forEach((cast, i) => {
      const ghost = ghosts[i];
      cast.surfaces.visible = cast.edges.visible = ghost !== undefined;
      if (!ghost) return;
      // In space a ghost is an outline: surfaces would lie upon each other.
      cast.surfaces.visible = this.geometry.dimension === 2;
      cast.poses.set(ghost.poses, this.geometry.dimension, local);
      cast.surfaceMaterial.uniforms.opacity.value = 0.09 * ghost.opacity;
      cast.edges.material.uniforms.opacity.value = 0.95 * ghost.opacity;
    });
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    for (const cast of [this.main, ...this.ghosts]) this.applyTheme(cast);
  }

  setResolution(width: number, height: number, pixelRatio: number): void {
    this.resolution.set(width, height);
    this.pixelRatio = pixelRatio;
    for (const cast of [this.main, ...this.ghosts]) this.applyTheme(cast);
  }

  private makeCast(ghost: number): Cast {
    const poses = new PoseTexture(this.geometry.bodies.length);
    const isGhost = ghost > 0;
    const inSpace = this.geometry.dimension === 3;
    const uniforms = {
      poses: { value: poses.texture },
      colours: { value: this.colours.texture },
      resolution: { value: this.resolution },
      width: { value: 1 },
      pull: { value: inSpace ? 1 - 1e-3 : 1 },
      flatness: { value: isGhost ? 1 : 0 },
      flatColour: { value: new Vector3() },
      highlight: { value: new Vector3() },
      outline: { value: new Vector3() },
      outlineShare: { value: 0.5 },
    };
    const material = (vertexShader: string, fragmentShader: string): ShaderMaterial =>
      new ShaderMaterial({
        glslVersion: GLSL3, vertexShader, fragmentShader, side: DoubleSide,
        transparent: isGhost, depthWrite: !isGhost, depthTest: !isGhost || inSpace,
        uniforms: { ...uniforms, ...this.lighting?.uniforms, opacity: { value: 1 } },
      });
    const surfaceMaterial = inSpace && !isGhost ? material(solidVertex, solidFragment) : material(surfaceVertex, surfaceFragment);
    const cast = {
      poses,
      surfaces: this.surfacesOf(surfaceMaterial, isGhost ? 10 : 1),
      surfaceMaterial,
      edges: new ThreeMesh<BufferGeometry, ShaderMaterial>(this.edgeGeometry, material(edgeVertex, edgeFragment)),
    };
    cast.edges.frustumCulled = false;
    cast.edges.renderOrder = isGhost ? 11 : 2;
    this.applyTheme(cast);
    this.group.add(cast.surfaces, cast.edges);
    return cast;
  }

  private applyTheme(cast: Cast): void {
    for (const { uniforms } of [cast.surfaceMaterial, cast.edges.material]) {
      uniforms.flatColour.value = colour(this.theme.ghost);
      uniforms.highlight.value = colour(this.theme.highlight);
      uniforms.outline.value = colour(this.theme.outline);
      uniforms.outlineShare.value = this.theme.outlineShare;
      uniforms.width.value = 1.25 * this.pixelRatio * this.lineScale;
    }
  }

  /// 1, or less where bodies are small on the screen.
  setLineScale(scale: number): void {
    if (scale === this.lineScale) return;
    this.lineScale = scale;
    for (const cast of [this.main, ...this.ghosts]) this.applyTheme(cast);
  }

  dispose(): void {
    for (const geometry of this.surfaceGeometries) geometry.dispose();
    this.edgeGeometry.dispose();
    this.colours.dispose();
    this.caster?.surfaces.removeFromParent();
    this.caster?.material.dispose();
    for (const cast of [this.main, ...this.ghosts]) {
      cast.poses.dispose();
      cast.surfaceMaterial.dispose();
      cast.edges.material.dispose();
    }
  }
}
