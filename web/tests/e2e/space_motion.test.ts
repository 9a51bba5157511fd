/// Motions in space: their pages, and what `collapse export` makes of them.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../src/view/main_types';
import { coloursOf, launch, open, type Opened, picture, Workshop } from './browser';

let browser: Browser;
const shop = new Workshop();

/// A cube that falls on a corner of another one and tips over, and a ball that rolls.
const scene = JSON.stringify({
  collapse: 1, name: 'falling', dimension: 3, gravity: [0, 0, -10], materials: { default: { friction: '1/2' } },
  bodies: [
    { name: 'ground', plane: { normal: [0, 0, 1], offset: 0 } },
    { name: 'lower', box: [1, 1, 1], position: [0, 0, '1/2'] },
    { name: 'upper', box: [1, 1, 1], position: ['7/10', 0, 2] },
    { name: 'ball', sphere: '1/2', position: [-2, 0, '1/2'], velocity: [0, 1, 0] },
  ],
});

beforeAll(async () => {
  browser = await launch();
  shop.write('falling.json', scene);
  shop.run('run', 'falling.json', '-o', 'falling.clps', '--until', '1');
  shop.run('view', 'falling.clps', '-o', 'falling.html');
}, 240_000);

afterAll(async () => {
  await browser?.close();
  shop.dispose();
});

const show = (page: Page, time: number): Promise<void> => page.evaluate((t) => window.collapseView.showTime(t), time);
const poseOf = (page: Page, body: number): Promise<number[]> =>
  page.evaluate((i) => [...window.collapseView.viewer!.show.poses.slice(7 * i, 7 * i + 7)], body);

describe('the page of a motion in space', () => {
  let opened: Opened;
  let page: Page;
  beforeAll(async () => {
    opened = await open(browser, shop.path('falling.html'));
    page = opened.page;
  });
  afterAll(() => opened.close());

  it('opens without a word of complaint and is not blank', async () => {
    expect(opened.requests).toEqual([]);
    expect(opened.complaints).toEqual([]);
    expect(await page.textContent('#facts')).toBe('4 bodies · 61 frames');
    expect(await coloursOf(page)).toBeGreaterThan(100);
  });

  it('has every body where the table of the motion has it, between frames too', async () => {
    const rows = shop.run('export', 'falling.clps', '-o', '-').trim().split('\n').map((line) => line.split(','));
    const column = (name: string): number => rows[0].indexOf(name);
    const placeAt = (time: number, body: string): number[] => {
      const row = rows.slice(1).find((r) => Math.abs(Number(r[0]) - time) < 1e-6 && r[1] === body)!;
      return ['x', 'y', 'z'].map((name) => Number(row[column(name)]));
    };
    for (const frame of [0, 20, 59]) {
      await show(page, frame / 60);
      const here = placeAt(frame / 60, 'upper');
      (await poseOf(page, 2)).slice(0, 3).forEach((value, k) => expect(value).toBeCloseTo(here[k], 3));
      await show(page, (frame + 0.5) / 60);
      const next = placeAt((frame + 1) / 60, 'upper');
      (await poseOf(page, 2)).slice(0, 3).forEach((value, k) => expect(value).toBeCloseTo(0.5 * (here[k] + next[k]), 3));
    }
    expect(Math.hypot(...(await poseOf(page, 2)).slice(3))).toBeCloseTo(1, 9);
  }, 120_000);

  it('plays, and shows forces where bodies touch', async () => {
    await show(page, 0);
    const start = await picture(page);
    await show(page, 0.8);
    expect(await picture(page)).not.toBe(start);
    expect(await page.evaluate(() => window.collapseView.viewer!.stage.counts.arrows)).toBeGreaterThan(1);
    await page.getByRole('slider', { name: 'Time' }).fill('0.95');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(
      () => !window.collapseView.viewer!.clock.playing && window.collapseView.viewer!.clock.time === 1, undefined, { timeout: 120_000 });
  }, 180_000);

  it('turns with a drag and follows nothing', async () => {
    const place = (): Promise<{ yaw: number; target: number[] }> => page.evaluate(() => ({ ...window.collapseView.viewer!.stage.camera.place }));
    const before = await place();
    await page.mouse.move(300, 450);
    await page.mouse.down();
    await page.mouse.move(380, 460, { steps: 3 });
    await page.mouse.up();
    const turned = await place();
    expect(turned.yaw).toBeLessThan(before.yaw - 0.3);
    await show(page, 0.3);
    expect(await place()).toEqual(turned);
    await page.keyboard.press('3');
  });

  it('tells the numbers of a body that is clicked', async () => {
    await show(page, 0.5);
    const [x, y] = await page.evaluate(() => {
      const { stage, show } = window.collapseView.viewer!;
      return stage.toPixel(show.poses[21], show.poses[22], show.poses[23]);
    });
    await page.mouse.click(x, y);
    expect(await page.textContent('#selected-name')).toBe('ball');
    const numbers = await page.textContent('#selected-numbers');
    expect(numbers).toMatch(/Position.*, .*, .*Turned by.*°Velocity.*, .*, .*Speed.*Spin.*, .*, /);
    await page.keyboard.press('Escape');
    expect(opened.complaints).toEqual([]);
  });
});

describe('files of a motion in space', () => {
  const validator = createRequire(import.meta.url)('gltf-validator') as {
    validateBytes(bytes: Uint8Array): Promise<{ issues: { messages: unknown[] }; info: { animationCount: number } }>;
  };

  it('have animated glTF that the validator minds nothing of', async () => {
    shop.run('export', 'falling.clps', '-o', 'falling.glb');
    const report = await validator.validateBytes(new Uint8Array(readFileSync(shop.path('falling.glb'))));
    expect(report.issues.messages).toEqual([]);
    expect(report.info.animationCount).toBe(1);
  });

  it('have a series for ParaView', () => {
    shop.run('export', 'falling.clps', '-o', 'falling.pvd', '--frame-rate', '10');
    const collection = readFileSync(shop.path('falling.pvd'), 'utf8');
    expect(collection.match(/name="bodies"/g)).toHaveLength(11);
    expect(readdirSync(shop.path('falling_vtu'))).toHaveLength(22);
  });

  it('have pictures of a frame', () => {
    for (const time of ['0', '1']) shop.run('export', 'falling.clps', '-o', `at${time}.png`, '--width', '400', '--time', time);
    const [first, last] = ['at0.png', 'at1.png'].map((name) => readFileSync(shop.path(name)));
    expect([first.readUInt32BE(16), first.readUInt32BE(20)]).toEqual([400, 300]);
    expect(first.equals(last)).toBe(false);
  }, 120_000);

  it('have films', () => {
    shop.run('export', 'falling.clps', '-o', 'film.mp4', '--frame-rate', '5', '--width', '320', '--height', '240');
    const probe = JSON.parse(execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-of', 'json', '-show_entries',
      'stream=width,height,nb_read_frames', shop.path('film.mp4')], { encoding: 'utf8' }));
    expect(probe.streams[0]).toMatchObject({ width: 320, height: 240, nb_read_frames: '6' });
  }, 240_000);
});
