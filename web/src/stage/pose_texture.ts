/// Poses of all bodies as a texture that vertex shaders look them up in: a frame with a thousand bodies is
/// one upload and one draw call, whatever their shapes.
import { DataTexture, FloatType, NearestFilter, RGBAFormat, UnsignedByteType } from 'three';
import type { Dimension, Local } from './types';

/// Texels in a row.
const kWidth = 512;

/// For vertex shaders: where a point of a body is, and how a direction is turned. Bodies without a pose get
/// a position that no triangle survives.
export const poseShader = /* glsl */ `
uniform highp sampler2D poses;
ivec2 texel(int i) { return ivec2(i % ${kWidth}, i / ${kWidth}); }
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
vec4 bodyPlace(int body) { return texelFetch(poses, texel(2 * body), 0); }
vec4 bodyTurn(int body) { return texelFetch(poses, texel(2 * body + 1), 0); }
`;

export class PoseTexture {
  readonly texture: DataTexture;
  private readonly data: Float32Array;

  constructor(readonly count: number) {
    const rows = Math.max(1, Math.ceil((2 * count) / kWidth));
    this.data = new Float32Array(4 * kWidth * rows);
    this.texture = new DataTexture(this.data, kWidth, rows, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
  }

  /// Poses as in Stage.setPoses.
  set(poses: Float64Array, dimension: Dimension, { origin, unit }: Local): void {
    const data = this.data;
    for (let i = 0; i < this.count; ++i) {
      const to = 8 * i;
      if (dimension === 2) {
        const from = 3 * i;
        data[to] = (poses[from] - origin[0]) / unit;
        data[to + 1] = (poses[from + 1] - origin[1]) / unit;
        data[to + 2] = 0;
        data[to + 6] = Math.sin(0.5 * poses[from + 2]);
        data[to + 7] = Math.cos(0.5 * poses[from + 2]);
        data[to + 3] = Number.isFinite(poses[from] + poses[from + 1] + poses[from + 2]) ? 1 : 0;
      } else {
        const from = 7 * i;
        for (let k = 0; k < 3; ++k) data[to + k] = (poses[from + k] - origin[k]) / unit;
        for (let k = 0; k < 4; ++k) data[to + 4 + k] = poses[from + 3 + k];
        data[to + 3] = Number.isFinite(poses[from]) ? 1 : 0;
      }
      if (data[to + 3] === 0) data.fill(0, to, to + 8);
    }
    this.texture.needsUpdate = true;
  }

  dispose(): void {
    this.texture.dispose();
  }
}

/// One colour per body. The fourth number is for the layer: 1 marks the selected body.
export class ColourTexture {
  readonly texture: DataTexture;
  readonly data: Uint8Array;

  constructor(count: number) {
    const rows = Math.max(1, Math.ceil((2 * count) / kWidth));
    this.data = new Uint8Array(4 * kWidth * rows).fill(200);
    this.texture = new DataTexture(this.data, kWidth, rows, RGBAFormat, UnsignedByteType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.texture.needsUpdate = true;
  }

  set(body: number, colour: readonly [number, number, number], selected: boolean): void {
    this.data.set([...colour, selected ? 255 : 0], 4 * body);
    this.texture.needsUpdate = true;
  }

  dispose(): void {
    this.texture.dispose();
  }
}
