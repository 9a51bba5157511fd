/// npm run screenshots: makes the pictures of the documentation, docs/pictures/*.png, with the tool (COLLAPSE_TOOL)
/// and a browser (CHROMIUM); the playground has to be built (`./dev web`).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const tool = resolve(process.env.COLLAPSE_TOOL ?? '../build/release/collapse');
const out = resolve('../docs/pictures');
const folder = mkdtempSync(join(tmpdir(), 'collapse-pictures-'));
const collapse = (...args) => execFileSync(tool, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

collapse('gallery', 'diamond', '-o', 'diamond.json');
collapse('run', 'diamond.json', '-o', 'diamond.clps', '--until', '3');
collapse('view', 'diamond.clps', '-o', 'fall.html');
collapse('view', 'diamond.json', '-o', 'mechanism.html');
collapse('gallery', 'arch', '-o', 'arch.json');
collapse('view', 'arch.json', '-o', 'arch.html');
collapse('gallery', 'dome', '-o', 'dome.json');
collapse('view', 'dome.json', '-o', 'dome.html');
collapse('gallery', 'barrel-vault', '--thickness', '0.08', '-o', 'vault.json');
collapse('view', 'vault.json', '-o', 'vault.html');

const desktop = { width: 1200, height: 750 };
// Without controls, as in films.
const bare = { hash: '#film', viewport: { width: 920, height: 560 } };
const pictures = [
  { name: 'view-dark', page: 'fall.html', time: 0.9, viewport: desktop },
  { name: 'view-light', page: 'fall.html', time: 1.1, viewport: desktop, colorScheme: 'light', keys: ['3', 'f', 'g'] },
  { name: 'view-phone', page: 'fall.html', time: 1, viewport: { width: 390, height: 780 }, scale: 2 },
  { name: 'view-mechanism', page: 'mechanism.html', time: 1, viewport: desktop, colorScheme: 'light' },
  { name: 'view-arch', page: 'arch.html', time: 0, viewport: desktop },
  { name: 'space-dome', page: 'dome.html', time: 0, colorScheme: 'light', ...bare },
  { name: 'space-vault', page: 'vault.html', time: 1, ...bare },
];

mkdirSync(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
for (const { name, page: file, hash = '', time, viewport, colorScheme = 'dark', keys = [], scale = 1 } of pictures) {
  const page = await browser.newPage({ viewport, colorScheme, deviceScaleFactor: scale, reducedMotion: 'reduce' });
  await page.goto(`file://${join(folder, file)}${hash}`);
  await page.evaluate(() => window.collapseView.ready);
  for (const key of keys) await page.keyboard.press(key);
  await page.evaluate((t) => window.collapseView.showTime(t), time);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(out, `${name}.png`) });
  await page.close();
}

// The playground: a scene of the gallery, and what is done to it.
const selectAndDrag = async (page, body, dx, dy) => {
  const [from, to] = await page.evaluate(([index, x, y]) => {
    const app = window.collapsePlayground;
    app.select(index);
    const [cx, cy] = app.view.currentPoses.subarray(3 * index, 3 * index + 2);
    return [app.view.stage.toPixel(cx, cy), app.view.stage.toPixel(cx + x, cy + y)];
  }, [body, dx, dy]);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
};
const playgroundPictures = [
  { name: 'playground-falls', scene: 'diamond', viewport: desktop, colorScheme: 'light' },
  { name: 'playground-drag', scene: 'tower', options: { bricks: '8' }, viewport: desktop, colorScheme: 'light', drag: [8, 0.38, 0.02] },
  { name: 'playground-arch', scene: 'arch', viewport: desktop },
  { name: 'playground-phone', scene: 'wall', viewport: { width: 390, height: 780 }, scale: 2 },
];
for (const { name, scene, options = {}, viewport, colorScheme = 'dark', scale = 1, drag } of playgroundPictures) {
  const page = await browser.newPage({ viewport, colorScheme, deviceScaleFactor: scale, reducedMotion: 'reduce' });
  await page.goto(`file://${resolve('../build/web/playground.html')}`);
  await page.waitForSelector('body[data-ready]');
  await page.selectOption('#gallery', scene);
  for (const [option, value] of Object.entries(options)) {
    await page.fill(`.scene input[name=${option}]`, value);
    await page.press(`.scene input[name=${option}]`, 'Enter');
  }
  await page.waitForTimeout(2500);
  if (drag) await selectAndDrag(page, ...drag);
  await page.waitForFunction(() => !window.collapsePlayground.waiting);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(out, `${name}.png`) });
  await page.close();
}
await browser.close();
rmSync(folder, { recursive: true });
