/// Files that are broken or mean harm: a message, never a script, never a page that does not answer.
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch } from './browser';
import { openFile, openPlayground, sceneFile, verdict, type Playground } from './playground_page';

let browser: Browser;
let opened: Playground;
let page: Page;
const folder = mkdtempSync(join(tmpdir(), 'collapse-hostile-'));

beforeAll(async () => {
  browser = await launch();
  opened = await openPlayground(browser);
  page = opened.page;
  await verdict(page);
}, 90_000);
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const scene = (bodies: string, more = ''): string => `{"collapse":1,"dimension":2${more},"bodies":[${bodies}]}`;
const box = '{"name":"a","box":[1,1]}';

/// Opens it and waits for the message; the scene before must still be there, and the page must have kept answering.
async function refused(file: Parameters<typeof openFile>[1]): Promise<string> {
  const before = await page.evaluate(() => {
    const toast = document.querySelector<HTMLElement>('.toast')!;
    toast.hidden = true;
    toast.textContent = '';
    const beats = { last: performance.now(), longest: 0 };
    const beat = (): void => {
      const now = performance.now();
      beats.longest = Math.max(beats.longest, now - beats.last);
      beats.last = now;
      if (Object.hasOwn(window, 'beats')) requestAnimationFrame(beat);
    };
    Object.assign(window, { beats });
    requestAnimationFrame(beat);
    return window.collapsePlayground.text;
  });
  await openFile(page, file);
  await page.waitForFunction(() => !document.querySelector<HTMLElement>('.toast')!.hidden, undefined, { timeout: 45_000 });
  const longest = await page.evaluate(() => {
    const { longest: result } = (window as unknown as { beats: { longest: number } }).beats;
    delete (window as unknown as { beats?: unknown }).beats;
    return result;
  });
  expect(longest).toBeLessThan(5000);
  expect(await page.evaluate(() => window.collapsePlayground.text)).toBe(before);
  return page.$eval('.toast', (toast) => toast.textContent ?? '');
}

describe('what is refused', () => {
  const cases: [string, string, RegExp][] = [
    ['nothing', '', /not JSON/],
    ['half a file', scene(box).slice(0, 30), /not JSON/],
    ['another format', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', /not JSON/],
    ['a list', '[1, 2, 3]', /no JSON object/],
    ['an unknown key', scene('{"name":"a","bxo":[1,1]}'), /unknown key “bxo”/],
    ['a number beyond all bounds', scene('{"name":"a","box":[1e400,1]}'), /number '1e400', expected/],
    ['a number of a million digits', scene(`{"name":"a","box":[${'7'.repeat(1_000_000)},1]}`), /number '7{20,60}/],
    ['a fraction with zero below', scene('{"name":"a","box":["1/0",1]}'), /bodies\[0\]\.box/],
    ['lists without end', `${'['.repeat(500_000)}`, /Cannot be opened/],
    ['deep lists', `{"bodies":${'['.repeat(5000)}${']'.repeat(5000)}}`, /Cannot be/],
    ['a hundred thousand bodies', scene(Array.from({ length: 100_000 }, (_, i) => `{"name":"b${i}","box":[1,1],"position":[${2 * i},0]}`).join(',')), /100,000 bodies/],
    ['the key __proto__', scene(box, ',"__proto__":{"toString":1}'), /unknown key/],
    ['bytes that are no text', '\ufffe', /Cannot be/],
  ];
  for (const [name, text, message] of cases) {
    it(name, async () => {
      const path = join(folder, 'hostile.json');
      writeFileSync(path, text);
      expect(await refused(path)).toMatch(message);
    }, 90_000);
  }

  it('a file of 100 MB, before it is read', async () => {
    const path = join(folder, 'large.json');
    const file = openSync(path, 'w');
    ftruncateSync(file, 100 << 20);
    closeSync(file);
    expect(await refused(path)).toMatch(/100 MB/);
  });

  it('a damaged link', async () => {
    await page.evaluate(() => { location.hash = '#scene=AAAA%22%3E'; });
    await page.waitForFunction(() => /damaged/.test(document.querySelector('.toast')!.textContent ?? ''));
  });
});

describe('what is only strange', () => {
  it('script in names stays text', async () => {
    const name = '<img src=x onerror=window.hacked=1><script>window.hacked=1</script>';
    await openFile(page, sceneFile(JSON.stringify({
      collapse: 1, dimension: 2, name,
      bodies: [{ name, box: [1, 1] }, { name: `${name} 2`, box: [1, 1], position: [0.5, 0.5] }],
    })));
    await page.waitForFunction(() => window.collapsePlayground.name.startsWith('<img'));
    const said = await verdict(page);
    expect(said.state).toBe('overlap');
    expect(said.text).toContain('<img');
    await page.focus('canvas');
    await page.keyboard.press('Tab');
    expect(await page.$eval('.body h2', (title) => title.textContent)).toBe(name);
    expect(await page.evaluate(() => [document.querySelectorAll('img, script:not([type=module])').length, (window as { hacked?: number }).hacked])).toEqual([0, undefined]);
  });

  it('a scene that takes too long is stopped, and the page goes on', async () => {
    // A wall far beyond what a page should ask for, with friction.
    const many = Array.from({ length: 2900 }, (_, i) => {
      const [row, column] = [Math.floor(i / 54), i % 54];
      return `{"name":"b${i}","box":[1,0.25],"position":[${column + (row % 2) / 2},${0.25 * row + 0.125}]}`;
    }).join(',');
    const path = join(folder, 'wall.json');
    writeFileSync(path, scene(`{"name":"ground","plane":{"normal":[0,1]}},${many}`, ',"materials":{"default":{"friction":0.5}}'));
    await openFile(page, path);
    await page.waitForFunction(() => {
      const toast = document.querySelector<HTMLElement>('.toast')!;
      const card = document.querySelector<HTMLElement>('.verdict')!;
      return (!toast.hidden && /stopped|takes too long/i.test(toast.textContent ?? '')) || Number(card.dataset.bodies) > 2000;
    }, undefined, { timeout: 60_000 });
    await page.selectOption('#gallery', 'tower');
    await page.waitForFunction(() => /tower/.test(window.collapsePlayground.name), undefined, { timeout: 60_000 });
    expect((await verdict(page)).state).toBe('stable');
  }, 180_000);

  it('nothing of all this was an error of the page', () => {
    expect(opened.requests).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });
});
