import { expect, it } from 'vitest';
import { onScale, themes } from '../../src/stage/theme';
import { envelope, valueRange } from '../../src/view/plots';
import { counted, quantile, quantity, roundBelow, sample, ticks } from '../../src/view/scales';

it('finds quantiles, leaving out what is not a number', () => {
  expect(quantile([5, 1, NaN, 3, Infinity, 2, 4], 0.5)).toBe(3);
  expect(quantile([], 0.5)).toBe(0);
  expect(quantile([7], 0.99)).toBe(7);
});

it('samples evenly', () => {
  expect(sample([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 4)).toEqual([0, 2, 4, 6, 8]);
  expect(sample([1, 2], 10)).toEqual([1, 2]);
});

it.each([[7, 5], [5, 5], [4.9, 2], [1, 1], [0.03, 0.02], [0, 0], [-1, 0], [NaN, 0], [2e9, 2e9]])('rounds %d down to %d', (value, below) => {
  expect(roundBelow(value)).toBeCloseTo(below, 12);
});

it('has round ticks within the interval', () => {
  expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticks(-0.3, 0.31, 3).map((t) => Math.round(10 * t) / 10 + 0)).toEqual([-0.2, 0, 0.2]);
  expect(ticks(3, 3, 4)).toEqual([3]);
});

it.each([[0, '0'], [1234.5, '1230'], [-0.25, '−0.25'], [1.23456e-5, '1.23e−5'], [2e7, '2e7'], [NaN, '–'], [Infinity, '–'], [1e-25, '1e−25']])(
  'writes %d as %s', (value, text) => {
    expect(quantity(value)).toBe(text);
  });

it('counts', () => {
  expect([counted(1, 'body', 'bodies'), counted(2, 'body', 'bodies')]).toEqual(['1 body', '2 bodies']);
});

it('mixes colours of a scale', () => {
  const scale = [[0, 0, 0], [100, 200, 40]] as const;
  expect(onScale(scale, 0.5)).toEqual([50, 100, 20]);
  expect(onScale(scale, -3)).toEqual([0, 0, 0]);
  expect(onScale(scale, 7)).toEqual([100, 200, 40]);
  expect(onScale(scale, NaN)).toEqual([0, 0, 0]);
  for (const theme of Object.values(themes)) expect(theme.force).toHaveLength(5);  // as the shaders want it
});

it('makes room for all curves of a plot', () => {
  const curve = (values: number[], base?: number): Parameters<typeof valueRange>[0][number] =>
    ({ label: '', colour: '', values: Float64Array.from(values), base });
  const [low, high] = valueRange([curve([0, 4]), curve([12, 10], 10)]);
  expect(low).toBeCloseTo(-0.24);
  expect(high).toBeCloseTo(4.24);
  expect(valueRange([curve([5])])).toEqual([4.5, 5.5]);
  expect(valueRange([curve([NaN])])).toEqual([0, 1]);
});

it('keeps peaks of curves with more frames than pixels', () => {
  const times = Float64Array.from({ length: 1000 }, (_, i) => i);
  const values = new Float64Array(1000);
  values[503] = 9;
  const { low, high } = envelope(times, values, 10);
  expect(high[5]).toBe(9);
  expect(low[5]).toBe(0);
  expect(high[4]).toBe(0);
});

it('joins frames that are many pixels apart', () => {
  const { low, high } = envelope(Float64Array.from([0, 1]), Float64Array.from([0, 10]), 11);
  expect(high[5]).toBeCloseTo(5);
  expect(low.some(Number.isNaN)).toBe(false);
});
