/// Colours of the drawing, dark and light, and the scales that numbers are drawn in.

export type ThemeName = 'dark' | 'light';
export type Rgb = readonly [number, number, number];

export interface Theme {
  background: Rgb;
  ground: Rgb;
  groundLine: Rgb;
  /// How much darker the ground is in the shadow, in space.
  shadow: number;
  fixed: Rgb;
  outline: Rgb;
  /// How much of `outline` mixes into a body's own colour for its edges.
  outlineShare: number;
  bar: Rgb;
  face: Rgb;
  ghost: Rgb;
  highlight: Rgb;
  opens: Rgb;
  closes: Rgb;
  quiet: Rgb;
  ink: Rgb;
  halo: Rgb;
  /// Tones of one stone: enough to tell neighbours apart.
  plain: readonly Rgb[];
  /// Calm tones that tell bodies and materials apart.
  bodies: readonly Rgb[];
  /// From no force to the largest.
  force: readonly Rgb[];
  /// From rest to the fastest.
  speed: readonly Rgb[];
}

const hex = (text: string): Rgb => {
  const value = parseInt(text.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};
const hexes = (text: string): Rgb[] => text.split(' ').map(hex);

export const themes: Record<ThemeName, Theme> = {
  dark: {
    background: hex('#12151a'),
    ground: hex('#20252c'),
    groundLine: hex('#6b7484'),
    shadow: 0.55,
    fixed: hex('#3a414c'),
    outline: hex('#0b0d10'),
    outlineShare: 0.72,
    bar: hex('#9aa6b8'),
    face: hex('#4a5a70'),
    ghost: hex('#ff7a6b'),
    highlight: hex('#ffffff'),
    opens: hex('#4cc3ff'),
    closes: hex('#ffd166'),
    quiet: hex('#8f9aab'),
    ink: hex('#e8ecf2'),
    halo: hex('#12151a'),
    plain: hexes('#8496a9 #8d9eaf #7a8da1 #93a1b0 #8091a3 #8a9cae #7689a0 #8f9bab'),
    bodies: hexes('#8ea7bf #c2a678 #8fb08a #a998c4 #c69092 #7fb3b0 #bdb573 #b0937d'),
    force: hexes('#ffe0a3 #ffb454 #ff7a45 #f0433c #c41f4e'),
    speed: hexes('#39414f #2f6d8c #2fa39a #8ccf6a #f7e45c'),
  },
  light: {
    background: hex('#fbfaf7'),
    ground: hex('#e6e4de'),
    groundLine: hex('#7a7d80'),
    shadow: 0.22,
    fixed: hex('#c9cbca'),
    outline: hex('#1d2530'),
    outlineShare: 0.55,
    bar: hex('#4f5b6b'),
    face: hex('#c3d2e2'),
    ghost: hex('#c8321f'),
    highlight: hex('#0b1220'),
    opens: hex('#0b6fc2'),
    closes: hex('#b67700'),
    quiet: hex('#7a8290'),
    ink: hex('#1f2630'),
    halo: hex('#ffffff'),
    plain: hexes('#d6e0ea #dce5ed #cfdae5 #e0e7ee #d3dde7 #d9e2eb #cbd7e3 #dde3ea'),
    bodies: hexes('#cddbe8 #ecdcb8 #c9dec2 #dccfe8 #eccfd0 #c2e0dd #ebe6ae #dfccbd'),
    force: hexes('#f9ae5e #ee7c38 #d54828 #a81c24 #62081c'),
    speed: hexes('#e6e9ec #a9d3d8 #4fa9b8 #2a6aa0 #3b2a72'),
  },
};

/// A point on a scale of colours, evenly spaced from 0 to 1.
export function onScale(scale: readonly Rgb[], share: number): Rgb {
  const t = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)) * (scale.length - 1);
  const i = Math.min(scale.length - 2, Math.floor(t));
  const f = t - i;
  const mix = (k: 0 | 1 | 2): number => Math.round(scale[i][k] + f * (scale[i + 1][k] - scale[i][k]));
  return [mix(0), mix(1), mix(2)];
}

export const css = (colour: Rgb): string => `rgb(${colour[0]} ${colour[1]} ${colour[2]})`;
