import { describe, expect, it } from 'vitest';
import { BadData, decode, unpack } from '../../src/view/decode';
import { asText, Bytes, sampleBytes, sampleHeader } from './payload';

describe('unpack', () => {
  it('undoes base64 and zlib', async () => {
    const bytes = sampleBytes().bytes;
    expect(await unpack(`\n${asText(bytes)}\n`)).toEqual(bytes);
  });

  it.each([['', /no data/], ['§§§', /base64/], ['AAAA', /damaged/], [asText(sampleBytes().bytes).slice(0, 80), /damaged/]])(
    'says what is wrong with %j', async (text, message) => {
      await expect(unpack(text)).rejects.toThrow(message);
      await expect(unpack(text)).rejects.toThrow(BadData);
    });
});

describe('decode', () => {
  const { header, motion } = decode(sampleBytes().bytes);

  it('has the header and all frames', () => {
    expect(header.bodies.map((body) => body.name)).toEqual(['ground', 'table', 'brick']);
    expect(motion.frames).toBe(3);
    expect([...motion.times]).toEqual([0, 0.5, 1]);
    expect([...motion.energy]).toEqual([10, 9, 8]);
    expect([...motion.kinetic]).toEqual([0, 1, 2]);
    expect([...motion.contacts]).toEqual([0, 2, 2]);
  });

  it('adds differences up to where bodies are, and keeps fixed ones where they were', () => {
    const brick = (frame: number): number[] => [...motion.poses.slice(9 * frame + 6, 9 * frame + 9)];
    // The second frame is told as a difference to the first, the third as one to the straight line through both.
    expect(brick(0)).toEqual([1, 2, 0]);
    expect(brick(1)).toEqual([1.25, 1.5, 1]);
    expect(brick(2)).toEqual([1.75, 1, 2]);
    for (let frame = 0; frame < 3; ++frame) expect([...motion.poses.slice(9 * frame + 3, 9 * frame + 6)]).toEqual([7, 8, 0.5]);
  });

  it('has one force per touching pair', () => {
    const forces = motion.forces!;
    expect([...forces.first]).toEqual([0, 0, 1, 2]);
    expect([forces.a, forces.b, forces.base]).toEqual([[0], [2], [2]]);
    expect([...forces.points.slice(0, 2)]).toEqual([0.125, -0.5]);
    expect([...forces.points.slice(2)]).toEqual([0.125, -0.375]);
    expect(forces.vectors[0]).toBeCloseTo(0, 6);
    expect(forces.vectors[1]).toBeCloseTo(4, 6);
    expect(forces.vectors[2]).toBeCloseTo(2, 6);
    expect(forces.vectors[3]).toBeCloseTo(0, 6);
    expect(forces.largest).toBe(4);
  });

  it('has the contacts that open and close', () => {
    const changes = motion.changes!;
    expect([...changes.first]).toEqual([0, 0, 1, 3]);
    expect([...changes.closed]).toEqual([1, 0, 1]);
    expect([...changes.points]).toEqual([2, -1, 0.125, 0.25, 0.5, 0.75]);
  });

  it('reads numbers of more than 32 bits', () => {
    const bytes = new Bytes().header(sampleHeader({ hasForces: false }));
    bytes.real(0).real(0).real(0).count(0).whole(2 ** 48 + 1).whole(-(2 ** 48) - 3).whole(0);
    const poses = decode(bytes.bytes).motion.poses;
    expect([poses[6], poses[7]]).toEqual([0.25 * (2 ** 48 + 1), -0.25 * (2 ** 48 + 3)]);
  });

  it('shows a scene without frames at its start', () => {
    const scene = decode(new Bytes().header(sampleHeader({ motion: undefined, hasForces: false })).bytes);
    expect(scene.motion.frames).toBe(1);
    expect([...scene.motion.poses]).toEqual([0, 0, 0, 7, 8, 0.5, 1, 2, 0]);
  });

  it('gives an answer or BadData for data cut off anywhere', () => {
    const whole = sampleBytes().bytes;
    const complete = new Set<number>();
    for (let length = 0; length < whole.length; ++length) {
      try {
        complete.add(decode(whole.slice(0, length)).motion.frames);
      } catch (error) {
        expect(error).toBeInstanceOf(BadData);
      }
    }
    expect([...complete]).toEqual([1, 2]);  // where a frame ends
  });

  it('gives an answer or BadData whatever byte is changed', () => {
    const whole = sampleBytes().bytes;
    for (let at = 0; at < whole.length; ++at) {
      for (const value of [0, 127, 255]) {
        const changed = whole.slice();
        changed[at] = value;
        try {
          decode(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(BadData);
        }
      }
    }
  });

  it.each([
    [{ version: 2 }, /version is 2/], [{ dimension: 4 }, /plane/], [{ dimension: 3 }, /place/], [{ dimension: 3, motion: undefined }, /place/], [{ bodies: 7 }, /bodies/], [{ moving: [9] }, /no such body/],
    [{ quanta: { length: 0, angle: 1, point: 1 } }, /units/], [{ bodies: [{ name: 'x', material: 0 }], moving: [] }, /place/],
  ])('refuses a header with %j', (changes, message) => {
    expect(() => decode(new Bytes().header(sampleHeader(changes)).bytes)).toThrow(message);
  });
});
