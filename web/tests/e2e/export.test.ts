/// What `collapse export` writes for other programs, judged by those: glTF by Khronos' validator, films by ffprobe.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { Workshop } from './browser';

interface Report {
  issues: { numErrors: number; numWarnings: number; messages: { code: string; message: string; pointer: string }[] };
  info: { animationCount: number; totalTriangleCount: number };
}
const validator = createRequire(import.meta.url)('gltf-validator') as {
  validateBytes(bytes: Uint8Array): Promise<Report>;
};

const shop = new Workshop();
afterAll(() => shop.dispose());

async function validated(file: string): Promise<Report> {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(shop.path(file))));
  expect(report.issues.messages).toEqual([]);
  expect(report.issues.numErrors + report.issues.numWarnings).toBe(0);
  return report;
}

describe('glTF', () => {
  const scenes = ['diamond', 'arch', 'cylinders', 'gate', 'harmonic', 'lattice', 'linkage', 'links', 'pile', 'truss', 'wedge'];
  it.each(scenes)('of %s, at rest and in motion, has nothing that the validator minds', async (scene) => {
    shop.run('gallery', scene, '-o', 'scene.json');
    shop.run('export', 'scene.json', '-o', 'rest.glb');
    const rest = await validated('rest.glb');
    expect(rest.info.animationCount).toBe(0);
    expect(rest.info.totalTriangleCount).toBeGreaterThan(0);
    shop.run('run', 'scene.json', '-o', 'motion.clps', '--until', '1/2', '--force');
    shop.run('export', 'motion.clps', '-o', 'motion.glb');
    await validated('motion.glb');
  });

  it('is animated where something falls', async () => {
    shop.run('gallery', 'diamond', '-o', 'scene.json');
    shop.run('run', 'scene.json', '-o', 'falls.clps', '--until', '1');
    shop.run('export', 'falls.clps', '-o', 'falls.glb', '--frame-rate', '20');
    expect((await validated('falls.glb')).info.animationCount).toBe(1);
  });
});

describe('a film', () => {
  it('has the size, the frames and the length that were asked for, and leaves nothing behind', () => {
    shop.run('gallery', 'diamond', '-o', 'scene.json');
    shop.run('run', 'scene.json', '-o', 'film.clps', '--until', '1');
    const leftovers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('collapse-film-'));
    const before = leftovers();
    shop.run('export', 'film.clps', '-o', 'film.mp4', '--frame-rate', '10', '--speed', '0.5', '--width', '480', '--height', '320');
    expect(leftovers()).toEqual(before);
    const probe = JSON.parse(execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-of', 'json', '-show_entries',
      'stream=codec_name,pix_fmt,width,height,nb_read_frames,duration', shop.path('film.mp4')], { encoding: 'utf8' }));
    const [stream] = probe.streams;
    expect(stream).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', width: 480, height: 320, nb_read_frames: '21' });
    expect(Number(stream.duration)).toBeCloseTo(2.1, 3);
    // It moves: the first frame and the last differ.
    const picture = (at: string): string => execFileSync('ffmpeg', ['-v', 'error', '-ss', at, '-i', shop.path('film.mp4'),
      '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'], { maxBuffer: 1 << 24 }).toString('base64');
    expect(picture('0')).not.toBe(picture('1.9'));
  }, 240_000);
});
