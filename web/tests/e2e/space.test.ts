/// Pages, pictures and files of scenes in space.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../src/view/main_types';
import { coloursOf, launch, open, type Opened, picture, Workshop } from './browser';

let browser: Browser;
const shop = new Workshop();

const scene = (bodies: unknown[]): string => JSON.stringify({
  collapse: 1, name: 'in space', dimension: 3, gravity: [0, 0, -10], materials: { default: { friction: '1/2' } },
  bodies: [{ name: 'ground', plane: { normal: [0, 0, 1], offset: 0 } }, ...bodies],
});
const stack = [
  { name: 'lower', box: [2, 2, 1], position: [0, 0, '1/2'] },
  { name: 'ell', position: [-1, -1, 1], parts: [{ box: [2, 2, 1], position: [1, 1, '1/2'] }, { box: [1, 2, 1], position: ['1/2', 1, '3/2'] }] },
];

beforeAll(async () => {
  browser = await launch();
  shop.write('stands.json', scene(stack));
  shop.write('falls.json', scene([stack[0], { name: 'upper', box: [2, 2, 1], position: ['5/4', 0, '3/2'] }]));
  shop.run('view', 'stands.json', '-o', 'stands.html');
  shop.run('view', 'falls.json', '-o', 'falls.html');
}, 120_000);

afterAll(async () => {
  await browser?.close();
  shop.dispose();
});

const place = (page: Page): Promise<{ yaw: number; pitch: number; height: number; target: number[] }> =>
  page.evaluate(() => ({ ...window.collapseView.viewer!.stage.camera.place }));
const pixelOf = (page: Page, body: number): Promise<[number, number]> =>
  page.evaluate((i) => {
    const { stage, show } = window.collapseView.viewer!;
    return stage.toPixel(show.poses[7 * i], show.poses[7 * i + 1], show.poses[7 * i + 2]);
  }, body);

describe('a structure in space that stands', () => {
  let opened: Opened;
  let page: Page;
  beforeAll(async () => {
    opened = await open(browser, shop.path('stands.html'));
    page = opened.page;
  });
  afterAll(() => opened.close());

  it('opens without a word of complaint and is not blank', async () => {
    expect(opened.requests).toEqual([]);
    expect(opened.complaints).toEqual([]);
    expect(await page.textContent('#facts')).toMatch(/^stands.* · margin .* · 3 bodies · 8 contacts$/);
    expect(await coloursOf(page)).toBeGreaterThan(100);
  });

  it('has an arrow at every contact with force', async () => {
    const { contacts } = JSON.parse(shop.run('check', 'stands.json', '--json')) as { contacts: { force: number[] }[] };
    const sizes = contacts.map((c) => Math.hypot(...c.force));
    const loaded = sizes.filter((size) => size > 1e-9 * Math.max(...sizes)).length;
    expect(await page.evaluate(() => window.collapseView.viewer!.stage.counts.arrows)).toBe(loaded);
  });

  it('turns with a drag, moves with Shift, and comes back', async () => {
    const [start, before] = [await place(page), await picture(page)];
    const drag = async (): Promise<void> => {
      await page.mouse.move(300, 500);
      await page.mouse.down();
      await page.mouse.move(380, 520, { steps: 3 });
      await page.mouse.up();
    };
    await drag();
    const turned = await place(page);
    expect(turned.yaw).toBeLessThan(start.yaw - 0.3);
    expect(turned.pitch).toBeGreaterThan(start.pitch + 0.05);
    expect(turned.target).toEqual(start.target);
    expect(await picture(page)).not.toBe(before);
    await page.keyboard.down('Shift');
    await drag();
    await page.keyboard.up('Shift');
    expect((await place(page)).yaw).toBe(turned.yaw);
    expect((await place(page)).target).not.toEqual(start.target);
    await page.keyboard.press('3');
    expect((await place(page)).yaw).toBe(start.yaw);
    expect((await place(page)).height).toBeCloseTo(start.height, 9);
  });

  it('is seen from the front, the side and above', async () => {
    await page.getByRole('button', { name: 'Top view' }).click();
    expect((await place(page)).pitch).toBeCloseTo(Math.PI / 2, 9);
    await page.getByRole('button', { name: 'Side view' }).click();
    expect((await place(page)).yaw).toBeCloseTo(Math.PI / 2, 9);
    await page.getByRole('button', { name: 'Front view' }).click();
    expect(await place(page)).toMatchObject({ yaw: 0, pitch: 0 });
    await page.keyboard.press('3');
  });

  it('tells the numbers of a body that is clicked', async () => {
    const [x, y] = await pixelOf(page, 2);
    await page.mouse.click(x, y);
    expect(await page.textContent('#selected-name')).toBe('ell');
    expect(await page.textContent('#selected-numbers')).toMatch(/Mass6Position.*, .*, .*Turned by0°/);
    expect(await page.locator('#selected-forces li').count()).toBeGreaterThan(2);
    await page.mouse.click(30, 600);
    expect(await page.textContent('#selected-name')).toBe('ground');
    await page.keyboard.press('Escape');
  });

  it('still has nothing to complain of', () => expect(opened.complaints).toEqual([]));
});

describe('a structure in space that falls', () => {
  it('plays its mechanism with the bodies themselves', async () => {
    const { page, close, complaints } = await open(browser, shop.path('falls.html'), { viewport: { width: 740, height: 420 } });
    expect(await page.textContent('#facts')).toMatch(/^falls/);
    const full = await picture(page);
    const slider = page.getByRole('slider', { name: 'How far the mechanism has moved' });
    await slider.fill('0.3');
    const less = await picture(page);
    expect(less).not.toBe(full);
    // A frame takes seconds where software draws on a busy machine, and time goes on by at most a twentieth in each.
    await slider.fill('0.8');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(
      () => !window.collapseView.viewer!.clock.playing && window.collapseView.viewer!.clock.time === 1, undefined, { timeout: 120_000 });
    expect(await picture(page)).not.toBe(less);
    expect(complaints).toEqual([]);
    await close();
  }, 180_000);
});

describe('files of a scene in space', () => {
  const validator = createRequire(import.meta.url)('gltf-validator') as {
    validateBytes(bytes: Uint8Array): Promise<{ issues: { messages: unknown[] }; info: { totalTriangleCount: number } }>;
  };

  it('have glTF that the validator minds nothing of', async () => {
    shop.write('all.json', scene([...stack, { name: 'ball', sphere: 1, position: [4, 0, 1] }, { name: 'drum', cylinder: [1, 2], position: [0, 4, 1] }]));
    for (const name of ['stands', 'falls', 'all']) {
      shop.run('export', `${name}.json`, '-o', `${name}.glb`);
      const report = await validator.validateBytes(new Uint8Array(readFileSync(shop.path(`${name}.glb`))));
      expect(report.issues.messages).toEqual([]);
      expect(report.info.totalTriangleCount).toBeGreaterThan(12);
    }
  });

  it('have pictures of the size that was asked for', () => {
    shop.run('export', 'stands.json', '-o', 'stands.png', '--width', '640');
    const bytes = readFileSync(shop.path('stands.png'));
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([640, 480]);
    expect(bytes.length).toBeGreaterThan(20_000);
  });
});
