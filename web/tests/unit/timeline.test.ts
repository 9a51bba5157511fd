import { describe, expect, it } from 'vitest';
import { decode } from '../../src/view/decode';
import { Clock, interpolate, momentAt, nearestFrame, velocityOf } from '../../src/view/timeline';
import { sampleBytes } from './payload';

const times = Float64Array.from([0, 0.5, 1, 4]);

describe('momentAt', () => {
  it.each([[-1, 0, 0, 0], [0, 0, 0, 0], [0.25, 0, 1, 0.5], [0.5, 1, 2, 0], [2.5, 2, 3, 0.5], [4, 3, 3, 0], [9, 3, 3, 0], [NaN, 0, 0, 0]])(
    'finds %d', (time, before, after, share) => {
      expect(momentAt(times, time)).toEqual({ before, after, share });
    });

  it('knows the nearest frame', () => {
    expect([0.2, 0.3, 0.99, 5].map((time) => nearestFrame(momentAt(times, time)))).toEqual([0, 1, 2, 3]);
  });

  it('takes a single frame as it is', () => {
    expect(momentAt(Float64Array.of(3), 7)).toEqual({ before: 0, after: 0, share: 0 });
  });
});

it('interpolates between frames', () => {
  const out = new Float64Array(2);
  interpolate(Float64Array.from([0, 10, 4, 20, 8, 40]), 2, { before: 1, after: 2, share: 0.25 }, out);
  expect([...out]).toEqual([5, 25]);
});

it('takes velocities from the frame before, and at the start from the scene', () => {
  const { motion } = decode(sampleBytes().bytes);
  expect(velocityOf(motion, 2, 2)).toEqual({ velocity: [1, -1, 0], spin: [0, 0, 2] });
  expect(velocityOf(motion, 0, 2)).toEqual({ velocity: [0.5, -1, 0], spin: [0, 0, 2] });
  expect(velocityOf(motion, 0, 2, [3, 4, 5])).toEqual({ velocity: [3, 4, 0], spin: [0, 0, 5] });
  expect(velocityOf(motion, 1, 1)).toEqual({ velocity: [0, 0, 0], spin: [0, 0, 0] });
});

describe('Clock', () => {
  it('plays at its speed and stops at the end', () => {
    const clock = new Clock(0, 2);
    clock.advance(1);
    expect(clock.time).toBe(0);
    clock.toggle();
    clock.speed = 0.5;
    clock.advance(1);
    expect(clock.time).toBe(0.5);
    clock.advance(9);
    expect([clock.time, clock.playing]).toEqual([2, false]);
    clock.toggle();
    expect([clock.time, clock.playing]).toEqual([0, true]);
  });

  it('starts over if told to, and keeps within its interval', () => {
    const clock = new Clock(1, 2);
    clock.loop = true;
    clock.toggle();
    clock.advance(5);
    expect([clock.time, clock.playing]).toEqual([1, true]);
    clock.seek(99);
    expect(clock.time).toBe(2);
    clock.seek(-99);
    expect(clock.time).toBe(1);
  });

  it('does not play what has no length', () => {
    const clock = new Clock(0, 0);
    clock.toggle();
    expect(clock.playing).toBe(false);
  });
});
