/// Light in space: a sun with soft shadows, and how far away what is seen is, for signs that shine through bodies.
import {
  DepthTexture, FloatType, LessEqualCompare, LinearFilter, Matrix4, NearestFilter, OrthographicCamera, Scene, UnsignedIntType, Vector2,
  Vector3, WebGLRenderTarget, type Camera, type IUniform, type PerspectiveCamera, type WebGLRenderer,
} from 'three';
import type { Box } from './types';

/// Towards the sun: from the left, above the shoulder of who looks at a scene as it is first shown.
const kSun = new Vector3(-0.42, -0.5, 0.95).normalize();
const kMapSize = 2048;

/// `sunlight` is 1 in the sun and 0 in the shadow, with a soft border; `daylight` the brightness of a surface.
export const lightShader = /* glsl */ `
uniform highp sampler2DShadow shadowMap;
uniform mat4 shadowMatrix;
uniform float shadowBias;
const vec3 sun = vec3(${kSun.toArray().map((x) => x.toFixed(6)).join(', ')});
float sunlight(vec3 p, vec3 n) {
  vec3 s = (shadowMatrix * vec4(p + shadowBias * (n + 0.6 * sun), 1.0)).xyz;
  if (any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 4; ++k) {
      sum += texture(shadowMap, vec3(s.xy + (vec2(float(i), float(k)) - 1.5) * ${(1.3 / kMapSize).toFixed(8)}, s.z));
    }
  }
  return sum / 16.0;
}
float daylight(vec3 p, vec3 n) {
  float facing = dot(n, sun);
  float direct = facing > 0.0 ? facing * sunlight(p, n) : 0.0;
  return 0.69 + 0.09 * n.z + 0.035 * n.x + 0.25 * direct;
}
`;

/// `veil` is how much of a sign is left that is so far from the eye: behind the surfaces of bodies it grows fainter.
export const veilShader = /* glsl */ `
uniform highp sampler2D eyeDepth;
uniform vec2 eyePixels;
uniform vec2 eyeRange;
uniform float veilLength;
float veil(float distance) {
  if (veilLength <= 0.0) return 1.0;
  float d = texture(eyeDepth, gl_FragCoord.xy / eyePixels).r;
  float seen = eyeRange.x * eyeRange.y / (eyeRange.y - d * (eyeRange.y - eyeRange.x));
  return 0.06 + 0.94 * exp(-max(0.0, distance - seen - 0.02 * veilLength) / veilLength);
}
`;

export class Lighting {
  readonly uniforms = {
    shadowMap: { value: null as DepthTexture | null },
    shadowMatrix: { value: new Matrix4() },
    shadowBias: { value: 0 },
  };
  /// Of layers of signs.
  readonly veil = {
    eyeDepth: { value: null as DepthTexture | null },
    eyePixels: { value: new Vector2(1, 1) },
    eyeRange: { value: new Vector2(1, 2) },
    /// 0: signs are seen through everything.
    veilLength: { value: 0 },
  } satisfies Record<string, IUniform>;
  /// What throws shadows and hides signs.
  readonly casters = new Scene();
  private readonly shadow: WebGLRenderTarget;
  private readonly eye: WebGLRenderTarget;
  private readonly sun = new OrthographicCamera();
  private stale = true;

  constructor() {
    const depth = new DepthTexture(kMapSize, kMapSize, FloatType);
    depth.compareFunction = LessEqualCompare;
    depth.minFilter = depth.magFilter = LinearFilter;
    this.shadow = new WebGLRenderTarget(kMapSize, kMapSize, { depthTexture: depth });
    this.uniforms.shadowMap.value = depth;
    const distance = new DepthTexture(1, 1, UnsignedIntType);
    distance.minFilter = distance.magFilter = NearestFilter;
    this.eye = new WebGLRenderTarget(1, 1, { depthTexture: distance });
    this.veil.eyeDepth.value = distance;
  }

  /// What the sun shines on, in local units.
  setExtent({ low, high }: Box): void {
    const radius = 0.6 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    const middle = new Vector3(...[0, 1, 2].map((i) => 0.5 * (low[i] + high[i])));
    Object.assign(this.sun, { left: -radius, right: radius, top: radius, bottom: -radius, near: 0, far: 4 * radius });
    this.sun.up.set(0, 0, 1);
    this.sun.position.copy(middle).addScaledVector(kSun, 2 * radius);
    this.sun.lookAt(middle);
    this.sun.updateMatrixWorld(true);
    this.sun.updateProjectionMatrix();
    const toUnit = new Matrix4().makeTranslation(0.5, 0.5, 0.5).multiply(new Matrix4().makeScale(0.5, 0.5, 0.5));
    this.uniforms.shadowMatrix.value.copy(toUnit.multiply(this.sun.projectionMatrix).multiply(this.sun.matrixWorldInverse));
    this.uniforms.shadowBias.value = (2.2 * 2 * radius) / kMapSize;
    this.stale = true;
  }

  /// After bodies have moved.
  moved(): void {
    this.stale = true;
  }

  /// Before the picture itself is drawn.
  prepare(renderer: WebGLRenderer, camera: Camera, width: number, height: number): void {
    if (this.stale) this.draw(renderer, this.shadow, this.sun);
    this.stale = false;
    if (this.eye.width !== width || this.eye.height !== height) this.eye.setSize(width, height);
    this.veil.eyePixels.value.set(width, height);
    const { near, far } = camera as PerspectiveCamera;
    this.veil.eyeRange.value.set(near, far);
    this.draw(renderer, this.eye, camera);
  }

  private draw(renderer: WebGLRenderer, target: WebGLRenderTarget, camera: Camera): void {
    renderer.setRenderTarget(target);
    renderer.clear();
    renderer.render(this.casters, camera);
    renderer.setRenderTarget(null);
  }

  dispose(): void {
    for (const target of [this.shadow, this.eye]) {
      target.depthTexture?.dispose();
      target.dispose();
    }
  }
}
