import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, tool } from './browser';
import { drag, openFile, openPlayground, pixel, sceneFile, sceneOf, verdict, type Playground } from './playground_page';

let browser: Browser;
let opened: Playground;
let page: Page;

beforeAll(async () => {
  browser = await launch();
  opened = await openPlayground(browser);
  page = opened.page;
}, 90_000);
afterAll(async () => {
  await browser?.close();
});

const ask = (...args: string[]): { verdict?: string; contacts?: unknown[]; scenes?: { name: string; dimension: number }[] } =>
  JSON.parse(spawnSync(tool, args, { encoding: 'utf8' }).stdout || '{}') as never;

/// Two bricks, the upper one shifted by so much; every time under another name.
let made = 0;
const bricks = (shift: string, height = 0.375): string => JSON.stringify({
  collapse: 1, dimension: 2, name: `two bricks, number ${++made}`, gravity: [0, -10], materials: { default: { friction: 0.5 } },
  bodies: [
    { name: 'ground', plane: { normal: [0, 1], offset: 0 } },
    { name: 'lower', box: [1, 0.25], position: [0, 0.125] },
    { name: 'upper', box: [1, 0.25], position: [shift, height] }],
});
const openScene = async (text: string): Promise<void> => {
  await openFile(page, sceneFile(text));
  await page.waitForFunction((name) => JSON.parse(window.collapsePlayground.text).name === name, JSON.parse(text).name as string);
  await verdict(page);
};

describe('the page', () => {
  it('opens from disk without the network and asks for nothing', async () => {
    expect((await verdict(page)).state).toBe('unstable');
    expect(opened.requests).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  it('names every control', async () => {
    const nameless = await page.$$eval('button, input, select, canvas', (elements) =>
      elements.filter((e) => !(e.getAttribute('aria-label') || e.textContent?.trim() || (e as HTMLInputElement).labels?.length)).map((e) => e.outerHTML));
    expect(nameless).toEqual([]);
  });
});

describe('verdicts', () => {
  it('are those of the command line on the scenes of the gallery', async () => {
    const planar = ask('gallery', '--json').scenes!.filter((scene) => scene.dimension === 2);
    const names = planar.map((scene) => scene.name);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const scene = spawnSync(tool, ['gallery', name], { encoding: 'utf8' }).stdout;
      const check = spawnSync(tool, ['check', '-', '--json'], { input: scene, encoding: 'utf8' });
      await page.selectOption('#gallery', name);
      await page.waitForFunction((title) => JSON.parse(window.collapsePlayground.text).name === title, (JSON.parse(scene) as { name: string }).name);
      const said = await verdict(page);
      if (check.status === 2) {
        expect(said.state, name).toBe('unasked');  // frameworks
        continue;
      }
      const expected = JSON.parse(check.stdout) as { verdict: string; contacts: unknown[] };
      expect({ name, state: said.state, contacts: said.contacts }).toEqual({ name, state: expected.verdict, contacts: expected.contacts.length });
    }
  }, 120_000);
});

describe('dragging', () => {
  it('changes the verdict while the button is still down', async () => {
    await openScene(bricks('1/4'));
    const before = await verdict(page);
    expect(before.state).toBe('stable');
    await drag(page, [0.25, 0.375], [0.75, 0.375], async () => {
      await page.waitForFunction(() => document.querySelector<HTMLElement>('.verdict')!.dataset.state === 'unstable');
      expect(await page.$eval('.verdict', (card) => (card as HTMLElement).dataset.quick)).toBe('true');
    });
    const after = await verdict(page);
    expect(after.state).toBe('unstable');
    expect(after.checks - before.checks).toBeGreaterThan(2);
    await page.keyboard.press('Control+z');
    expect((await verdict(page)).state).toBe('stable');
    await page.keyboard.press('Control+Shift+z');
    expect((await verdict(page)).state).toBe('unstable');
  });

  it('snaps to exact contacts', async () => {
    await openScene(bricks('3'));
    await drag(page, [3, 0.375], [0.211, 0.391]);
    const { bodies } = await sceneOf(page);
    expect(bodies[2].position![1]).toBe(0.375);
    expect((await verdict(page)).contacts).toBe(4);
  });

  it('says calmly that bodies overlap, and which', async () => {
    await openScene(bricks('1/4'));
    await drag(page, [0.25, 0.375], [0.1, 0.2]);
    const said = await verdict(page);
    expect(said.state).toBe('overlap');
    expect(said.text).toContain('“lower” and “upper” overlap by');
    expect(await page.$eval('.toast', (toast) => (toast as HTMLElement).hidden)).toBe(true);
  });

  it('works by keyboard: select, move, turn, add, duplicate, delete', async () => {
    await openScene(bricks('1/4'));
    await page.focus('canvas');
    for (let i = 0; i < 3; ++i) await page.keyboard.press('Tab');
    const positionOf = async (index: number): Promise<unknown> => (await sceneOf(page)).bodies[index].position;
    const [x] = (await positionOf(2)) as [string];
    await page.keyboard.press('ArrowRight');
    expect(await positionOf(2)).not.toEqual([x, 0.375]);
    expect(((await positionOf(2)) as unknown[])[1]).toBe(0.375);
    await page.keyboard.press('Control+d');
    expect((await sceneOf(page)).bodies.map((body) => body.name)).toEqual(['ground', 'lower', 'upper', 'upper 2']);
    await page.keyboard.press('Delete');
    await page.keyboard.press('b');
    await page.keyboard.press('p');
    await page.keyboard.press('d');
    await page.keyboard.press('g');
    expect((await sceneOf(page)).bodies.map((body) => body.name)).toEqual(['ground', 'lower', 'upper', 'brick', 'polygon', 'disk', 'block']);
    expect(['refused', 'trouble']).not.toContain((await verdict(page)).state);
  });
});

describe('on a phone', () => {
  it('bodies are dragged by touch, and nothing is wider than the screen', async () => {
    const phone = await openPlayground(browser, '', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
    const there = phone.page;
    await there.evaluate((text) => window.collapsePlayground.openText(text), bricks('1/4'));
    expect((await verdict(there)).state).toBe('stable');
    const [from, to] = [await pixel(there, 0.25, 0.375), await pixel(there, 0.75, 0.375)];
    const session = await there.context().newCDPSession(there);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number): Promise<unknown> =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    await touch('touchStart', ...from);
    for (let i = 1; i <= 6; ++i) await touch('touchMove', from[0] + (i / 6) * (to[0] - from[0]), from[1]);
    await touch('touchEnd', 0, 0);
    await there.waitForFunction(() => (JSON.parse(window.collapsePlayground.text) as { bodies: { position: unknown[] }[] }).bodies[2].position[0] !== '1/4');
    expect((await verdict(there)).state).toBe('unstable');
    expect(await there.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await phone.close();
  });
});

describe('playing', () => {
  it('moves bodies, pauses, and goes back to the start', async () => {
    await openScene(bricks('3/4', 40));  // falls for longer than a busy machine takes to press a key
    const poses = (): Promise<number[]> => page.evaluate(() => [...window.collapsePlayground.view.currentPoses]);
    const start = await poses();
    await page.focus('canvas');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.collapsePlayground.player.time > 0.1);
    await page.keyboard.press('Space');
    expect(await page.evaluate(() => window.collapsePlayground.player.state)).toBe('paused');
    const fallen = await poses();
    expect(fallen[7]).toBeLessThan(start[7] - 0.01);  // the upper brick's height
    await page.keyboard.press('Escape');
    expect((await verdict(page)).state).toBe('unstable');
    expect(await poses()).toEqual(start);
  });

  it('comes to rest at once where everything stands', async () => {
    await openScene(bricks('1/4'));
    await page.click('button[aria-label^="Play"]');
    await page.waitForFunction(() => window.collapsePlayground.player.state === 'ended');
    await page.keyboard.press('Escape');
  });
});

describe('files and links', () => {
  it('a saved scene opens again, the same', async () => {
    const scene = bricks('1/3');
    await openScene(scene);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('button[aria-label^="Save"]')]);
    expect(download.suggestedFilename()).toBe(`two-bricks-number-${made}.json`);
    const text = readFileSync(await download.path(), 'utf8');
    expect(JSON.parse(text)).toEqual(JSON.parse(scene));
    await page.selectOption('#gallery', 'arch');
    await verdict(page);
    await openScene(text);
    expect(await page.evaluate(() => window.collapsePlayground.text)).toBe(text);
  });

  it('a link holds the scene', async () => {
    await openScene(bricks('2/5'));
    const before = await page.evaluate(() => window.collapsePlayground.text);
    await page.click('button[aria-label^="Share"]');
    await page.waitForFunction(() => location.hash.startsWith('#scene='));
    const other = await openPlayground(browser, await page.evaluate(() => location.hash));
    expect(await other.page.evaluate(() => window.collapsePlayground.text)).toBe(before);
    expect((await verdict(other.page)).state).toBe('stable');
    await other.close();
  });
});
