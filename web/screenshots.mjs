/// npm run screenshots: makes the pictures of the documentation, docs/pictures/*.png, with the tool (COLLAPSE_TOOL)
/// and a browser (CHROMIUM).
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

const desktop = { width: 1200, height: 750 };
const pictures = [
  { name: 'view-dark', page: 'fall.html', time: 0.9, viewport: desktop },
  { name: 'view-light', page: 'fall.html', time: 1.1, viewport: desktop, colorScheme: 'light', keys: ['3', 'f', 'g'] },
  { name: 'view-phone', page: 'fall.html', time: 1, viewport: { width: 390, height: 780 }, scale: 2 },
  { name: 'view-mechanism', page: 'mechanism.html', time: 1, viewport: desktop, colorScheme: 'light' },
  { name: 'view-arch', page: 'arch.html', time: 0, viewport: desktop },
];

mkdirSync(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
for (const { name, page: file, time, viewport, colorScheme = 'dark', keys = [], scale = 1 } of pictures) {
  const page = await browser.newPage({ viewport, colorScheme, deviceScaleFactor: scale, reducedMotion: 'reduce' });
  await page.goto(`file://${join(folder, file)}`);
  await page.evaluate(() => window.collapseView.ready);
  for (const key of keys) await page.keyboard.press(key);
  await page.evaluate((t) => window.collapseView.showTime(t), time);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(out, `${name}.png`) });
  await page.close();
}
await browser.close();
rmSync(folder, { recursive: true });
