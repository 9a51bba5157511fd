import { readFileSync, statSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../src/view/main_types';
import { coloursOf, launch, open, picture, Workshop, type Opened } from './browser';

let browser: Browser;
const shop = new Workshop();

/// What the stage draws at present.
const counts = (page: Page): Promise<{ bodies: number; arrows: number; chains: number; marks: number }> =>
  page.evaluate(() => window.collapseView.viewer!.stage.counts);
const time = (page: Page): Promise<number> => page.evaluate(() => window.collapseView.viewer!.clock.time);

beforeAll(async () => {
  browser = await launch();
  shop.run('gallery', 'diamond', '-o', 'falls.json');
  shop.run('gallery', 'diamond', '--rows', '4', '-o', 'stands.json');
  shop.run('run', 'falls.json', '-o', 'falls.clps', '--until', '2');
  shop.run('export', 'falls.clps', '-o', 'falls.csv', '--contacts', 'forces.csv');
  shop.run('view', 'falls.clps', '-o', 'motion.html');
  shop.run('view', 'falls.json', '-o', 'falls.html');
  shop.run('view', 'stands.json', '-o', 'stands.html');
}, 120_000);

afterAll(async () => {
  await browser?.close();
  shop.dispose();
});

describe('a motion', () => {
  let opened: Opened;
  let page: Page;
  beforeAll(async () => {
    opened = await open(browser, shop.path('motion.html'));
    page = opened.page;
  });
  afterAll(() => opened.close());

  it('opens from disk without the network and asks for nothing else', () => {
    expect(opened.requests).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  it('shows all bodies and frames', async () => {
    expect((await counts(page)).bodies).toBe(26);
    expect(await page.evaluate(() => [window.collapseView.frames, window.collapseView.duration])).toEqual([121, 2]);
    expect(await page.textContent('#name')).toBe('diamond, 5 rows');
    expect(await page.textContent('#facts')).toBe('26 bodies · 121 frames');
    expect(await coloursOf(page)).toBeGreaterThan(20);
  });

  it('has every body where the tool says it is, to within the page\'s steps', async () => {
    const rows = readFileSync(shop.path('falls.csv'), 'utf8').trim().split('\n').slice(1).map((line) => line.split(','));
    const { names, poses, bodies } = await page.evaluate(() => {
      const { header, motion } = window.collapseView.viewer!.data;
      return { names: header.bodies.map((b) => b.name), poses: [...motion.poses], bodies: header.bodies.length };
    });
    let compared = 0;
    for (const [at, name, x, y, angle] of rows) {
      const frame = Math.round(Number(at) * 60);
      const base = 3 * (frame * bodies + names.indexOf(name));
      expect(Math.abs(poses[base] - Number(x))).toBeLessThan(2 ** -15);
      expect(Math.abs(poses[base + 1] - Number(y))).toBeLessThan(2 ** -15);
      expect(Math.abs(poses[base + 2] - Number(angle))).toBeLessThan(2 ** -16);
      ++compared;
    }
    expect(compared).toBe(121 * 25);
  });

  it('has an arrow per touching pair, with the sum of the tool\'s forces', async () => {
    const rows = readFileSync(shop.path('forces.csv'), 'utf8').trim().split('\n').slice(1).map((line) => line.split(','));
    for (const frame of [1, 60, 110]) {
      await page.evaluate((t) => window.collapseView.showTime(t), frame / 60);
      const sums = new Map<string, [number, number]>();
      for (const [at, a, b, , , , , fx, fy] of rows) {
        if (Math.round(Number(at) * 60) !== frame) continue;
        const sum = sums.get(`${a}|${b}`) ?? [0, 0];
        sums.set(`${a}|${b}`, [sum[0] + Number(fx), sum[1] + Number(fy)]);
      }
      expect(sums.size).toBeGreaterThan(10);
      expect((await counts(page)).arrows).toBe(sums.size);
      const shown = await page.evaluate(() => {
        const { show, data } = window.collapseView.viewer!;
        return show.forces.map((f) => ({ pair: `${data.header.bodies[f.a].name}|${data.header.bodies[f.b].name}`, fx: f.force[0], fy: f.force[1] }));
      });
      for (const { pair, fx, fy } of shown) {
        const [x, y] = sums.get(pair)!;
        expect(Math.hypot(fx - x, fy - y)).toBeLessThan(0.003 * Math.hypot(x, y));
      }
    }
  });

  it('plays, pauses, steps and scrubs', async () => {
    await page.evaluate(() => window.collapseView.showTime(0));
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(() => window.collapseView.viewer!.clock.time > 0.1);
    await page.getByRole('button', { name: 'Pause' }).click();
    const paused = await time(page);
    await page.waitForTimeout(150);
    expect(await time(page)).toBe(paused);
    await page.evaluate(() => window.collapseView.showTime(0.5));
    await page.getByRole('button', { name: 'One frame forward' }).click();
    expect(await time(page)).toBeCloseTo(0.5 + 1 / 60, 9);
    await page.getByRole('button', { name: 'One frame back' }).click();
    await page.getByRole('button', { name: 'One frame back' }).click();
    expect(await time(page)).toBeCloseTo(0.5 - 1 / 60, 9);
    const before = await picture(page);
    await page.getByRole('slider', { name: 'Time' }).fill('1.5');
    expect(await time(page)).toBe(1.5);
    expect(await picture(page)).not.toBe(before);
    expect(await page.textContent('#clock')).toBe('1.50 / 2.00');
  });

  it('stops at its end', async () => {
    await page.evaluate(() => window.collapseView.showTime(1.95));
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(() => !window.collapseView.viewer!.clock.playing);
    expect(await time(page)).toBe(2);
  });

  it('obeys the keyboard', async () => {
    await page.locator('#stage').focus();
    await page.keyboard.press('Home');
    expect(await time(page)).toBe(0);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    expect(await time(page)).toBeCloseTo(11 / 60, 9);
    await page.keyboard.press('f');
    expect((await counts(page)).arrows).toBe(0);
    await page.keyboard.press('f');
    await page.keyboard.press('g');
    expect((await counts(page)).chains).toBeGreaterThan(20);
    await page.keyboard.press('g');
    await page.keyboard.press('.');
    expect(await page.inputValue('#speed')).toBe('2');
    await page.keyboard.press(',');
    await page.keyboard.press('?');
    expect(await page.locator('#help').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.locator('#help').isVisible()).toBe(false);
    const theme = await page.getAttribute('html', 'data-theme');
    await page.keyboard.press('t');
    expect(await page.getAttribute('html', 'data-theme')).not.toBe(theme);
    await page.keyboard.press('t');
  });

  it('hides small forces and scales the rest', async () => {
    await page.evaluate(() => window.collapseView.showTime(0.5));
    const all = (await counts(page)).arrows;
    await page.getByRole('slider', { name: 'Smallest force shown' }).fill('0.6');
    const fewer = (await counts(page)).arrows;
    expect(fewer).toBeLessThan(all);
    expect(fewer).toBeGreaterThan(0);
    await page.getByRole('slider', { name: 'Smallest force shown' }).fill('0');
    const before = await picture(page);
    await page.getByRole('slider', { name: 'Scale of forces' }).fill('1');
    expect(await picture(page)).not.toBe(before);
    await page.getByRole('slider', { name: 'Scale of forces' }).fill('0');
  });

  it('colours bodies by force and by speed', async () => {
    const seen = new Set([await picture(page)]);
    for (const mode of ['body', 'force', 'speed']) {
      await page.getByRole('combobox', { name: 'Colour of bodies' }).selectOption(mode);
      seen.add(await picture(page));
    }
    expect(seen.size).toBe(4);
    await page.getByRole('combobox', { name: 'Colour of bodies' }).selectOption('plain');
  });

  it('tells the numbers of a body that is clicked', async () => {
    await page.keyboard.press('2');
    const at = await page.evaluate(() => {
      const { stage, show, data } = window.collapseView.viewer!;
      const i = data.header.bodies.findIndex((b) => b.name === 'brick 1.1');
      return stage.toPixel(show.poses[3 * i], show.poses[3 * i + 1]);
    });
    await page.mouse.click(at[0], at[1]);
    expect(await page.textContent('#selected-name')).toBe('brick 1.1');
    expect(await page.textContent('#selected-numbers')).toMatch(/Mass0\.25Position.*Velocity/);
    expect(await page.locator('#selected-forces li').count()).toBeGreaterThan(1);
    await page.locator('#stage').focus();
    await page.keyboard.press(']');
    expect(await page.textContent('#selected-name')).not.toBe('brick 1.1');
    await page.keyboard.press('Escape');
    expect(await page.locator('#selection').isVisible()).toBe(false);
  });

  it('moves, turns and enlarges', async () => {
    const place = (): Promise<{ height: number; yaw: number; target: number[] }> =>
      page.evaluate(() => ({ ...window.collapseView.viewer!.stage.camera.place }));
    const start = await place();
    await page.mouse.move(400, 200);
    await page.mouse.wheel(0, -300);
    await page.waitForTimeout(50);
    expect((await place()).height).toBeLessThan(start.height);
    await page.mouse.down();
    await page.mouse.move(450, 230);
    await page.mouse.up();
    expect((await place()).target).not.toEqual(start.target);
    await page.keyboard.press('3');
    expect((await place()).yaw).not.toBe(0);
    await page.keyboard.press('2');
    expect((await place()).yaw).toBe(0);
    expect((await place()).height).toBeCloseTo(start.height, 9);
  });

  it('names all its controls', async () => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select')]
        .filter((node) => !node.getAttribute('aria-label') && !node.closest('label')?.textContent?.trim() && !node.textContent?.trim())
        .map((node) => node.outerHTML));
    expect(nameless).toEqual([]);
  });

  it('still asks for nothing', () => {
    expect(opened.requests).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });
});

describe('a scene', () => {
  it('that stands shows an arrow at every contact with force', async () => {
    const { contacts } = JSON.parse(shop.run('check', 'stands.json', '--json')) as { contacts: { force: number[] }[] };
    const { page, close, requests } = await open(browser, shop.path('stands.html'));
    const sizes = contacts.map((c) => Math.hypot(...c.force));
    const loaded = sizes.filter((size) => size > 1e-9 * Math.max(...sizes)).length;
    expect((await counts(page)).arrows).toBe(loaded);
    expect(await page.textContent('#facts')).toMatch(/^stands strongly · margin 0\.05\d* · 17 bodies · 68 contacts$/);
    expect(await page.locator('#transport').isVisible()).toBe(false);
    expect(requests).toEqual([]);
    await close();
  });

  it('that falls shows its mechanism and what its contacts do', async () => {
    const { page, close } = await open(browser, shop.path('falls.html'));
    expect(await page.textContent('#facts')).toMatch(/^falls · margin −0\.41/);
    expect((await counts(page)).marks).toBe(114);
    const full = await picture(page);
    await page.getByRole('slider', { name: 'How far the mechanism has moved' }).fill('0.3');
    const less = await picture(page);
    expect(less).not.toBe(full);
    await page.getByRole('checkbox', { name: 'Mechanism' }).uncheck();
    expect(await picture(page)).not.toBe(less);
    await close();
  });
});

describe('settings of the reader', () => {
  it('follow the system: dark, light, no motion', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      const { page, close } = await open(browser, shop.path('motion.html'), { colorScheme });
      expect(await page.getAttribute('html', 'data-theme')).toBe(colorScheme);
      expect(await page.evaluate(() => window.collapseView.viewer!.clock.playing)).toBe(false);
      await close();
    }
    const { page, close } = await open(browser, shop.path('motion.html'), { reducedMotion: 'no-preference' });
    expect(await page.evaluate(() => window.collapseView.viewer!.clock.playing)).toBe(true);
    await close();
  });

  it('fit on a phone, and work by touch', async () => {
    const { page, close } = await open(browser, shop.path('motion.html'), { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const outside = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select')]
        .map((node) => ({ id: node.id, box: node.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.left < 0 || box.right > innerWidth || box.bottom > innerHeight || box.top < 0))
        .map(({ id }) => id));
    expect(outside).toEqual([]);
    const at = await page.evaluate(() => {
      const { stage, show } = window.collapseView.viewer!;
      return stage.toPixel(show.poses[3], show.poses[4]);
    });
    await page.touchscreen.tap(at[0], at[1]);
    expect(await page.locator('#selection').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Settings' }).tap();
    expect(await page.getByRole('checkbox', { name: 'Chains' }).isVisible()).toBe(true);
    await close();
  });

  it('leave the controls out of films', async () => {
    const { page, close } = await open(browser, shop.path('motion.html'), { hash: '#film' });
    await page.evaluate(() => window.collapseView.showTime(1));
    for (const id of ['transport', 'panel', 'selection']) expect(await page.locator(`#${id}`).isVisible()).toBe(false);
    expect(await page.textContent('#film-time')).toBe('1.00');
    expect(await page.locator('#name').isVisible()).toBe(true);
    await close();
  });
});

describe('hostile files', () => {
  const names = [
    '</script><script>window.hacked=1</script>', '<img src=x onerror="window.hacked=2">', '"><svg onload=window.hacked=3>',
    "javascript:window.hacked=4", '<!--<script>window.hacked=5//', '\u202e&lt;b&gt;',
  ];
  const scene = (): string =>
    JSON.stringify({
      collapse: 1, name: names[0], dimension: 2,
      materials: { [names[1]]: { friction: 0.5 } },
      bodies: [
        { name: names[2], plane: { normal: [0, 1] } },
        ...names.filter((_, i) => i !== 2).map((name, i) => ({ name, material: names[1], box: [1, 1], position: [3 * i, 0.5] })),
      ],
      loads: [{ name: names[4], acceleration: [0, -1] }],
    });

  it('are shown as text and run nothing', async () => {
    shop.write('hostile.json', scene());
    shop.run('run', 'hostile.json', '-o', 'hostile.clps', '--until', '0.1');
    shop.run('view', 'hostile.clps', '-o', 'hostile-motion.html');
    shop.run('view', 'hostile.json', '-o', 'hostile.html', '--load', names[4]);
    for (const file of ['hostile.html', 'hostile-motion.html']) {
      const { page, requests, complaints, close } = await open(browser, shop.path(file));
      expect(await page.textContent('#name')).toBe(names[0]);
      for (let i = 0; i < names.length; ++i) {
        await page.locator('#stage').focus();
        await page.keyboard.press(']');
        expect(names).toContain(await page.textContent('#selected-name'));
      }
      expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined();
      expect(await page.locator('img').count()).toBe(0);
      expect(requests).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    }
  });

  it('cannot run what they might smuggle in: the policy forbids it', async () => {
    const { page, complaints, close } = await open(browser, shop.path('stands.html'));
    const failures: (string | undefined)[] = [];
    page.on('requestfailed', (request) => failures.push(request.failure()?.errorText));
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.hacked = 6';
      document.body.append(script);
      const image = document.createElement('img');
      image.setAttribute('onerror', 'window.hacked = 7');
      image.src = 'https://example.org/x.png';
      document.body.append(image);
      void fetch('https://example.org/').catch(() => undefined);
    });
    await page.waitForTimeout(200);
    expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined();
    // The script, the handler, the picture and the connection: each is refused, some with two messages.
    expect(complaints.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(4);
    for (const failure of failures) expect(failure).toBe('csp');
    await close();
  });

  it.each([
    ['cut off', (data: string) => data.slice(0, data.length >> 1)],
    ['not base64', (data: string) => `!${data.slice(1)}`],
    ['with a byte changed', (data: string) => `${data.slice(0, 40)}${data[40] === 'A' ? 'B' : 'A'}${data.slice(41)}`],
    ['empty', () => ''],
  ])('%s give a message', async (_, change) => {
    const whole = readFileSync(shop.path('motion.html'), 'utf8');
    const broken = whole.replace(/(id="data">)([A-Za-z0-9+/=]+)/, (_all, head: string, data: string) => head + change(data));
    expect(broken).not.toBe(whole);
    const { page, close } = await open(browser, shop.write('broken.html', broken));
    expect(await page.getByRole('alert').isVisible()).toBe(true);
    expect(await page.textContent('#message')).toMatch(/data in this page is damaged|no data/);
    await close();
  });
});

it('a page of 25 bricks over 10 s is small', () => {
  shop.run('run', 'falls.json', '-o', 'long.clps', '--until', '10');
  shop.run('view', 'long.clps', '-o', 'long.html');
  expect(statSync(shop.path('long.html')).size).toBeLessThan(1_500_000);
}, 120_000);
