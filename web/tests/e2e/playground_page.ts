/// The playground in a browser: opened from disk, with the network cut off.
import { resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type {} from '../../src/playground/main_types';

export const playground = resolve(process.env.COLLAPSE_PLAYGROUND ?? '../build/web/playground.html');

export interface Playground {
  page: Page;
  /// All that the page asked for besides itself and what it holds.
  requests: string[];
  complaints: string[];
  close(): Promise<void>;
}

export async function openPlayground(browser: Browser, hash = '', options: BrowserContextOptions = {}): Promise<Playground> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  await context.setOffline(true);
  const page = await context.newPage();
  const [requests, complaints]: [string[], string[]] = [[], []];
  const address = `file://${playground}`;
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address && !/^(blob|data):/.test(request.url())) requests.push(request.url());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(address + hash);
  await page.waitForSelector('body[data-ready]', { timeout: 60_000 });
  return { page, requests, complaints, close: () => context.close() };
}

/// What the card says, once the engine has answered for the last time.
export async function verdict(page: Page): Promise<{ state: string; title: string; text: string; contacts: number; checks: number }> {
  await page.waitForFunction(() => {
    const card = document.querySelector<HTMLElement>('.verdict')!;
    return !window.collapsePlayground.waiting && card.dataset.quick !== 'true' && card.dataset.state !== 'waiting';
  }, undefined, { timeout: 60_000 });
  return page.$eval('.verdict', (card) => {
    const { state = '', contacts, checks } = (card as HTMLElement).dataset;
    const title = card.querySelector('h2')!.textContent ?? '';
    return { state, title, text: card.textContent ?? '', contacts: Number(contacts), checks: Number(checks) };
  });
}

/// The scene as it would be saved.
export const sceneOf = async (page: Page): Promise<{ name: string; bodies: { name: string; position?: unknown[] }[] }> =>
  JSON.parse(await page.evaluate(() => window.collapsePlayground.text)) as never;

/// Opens a scene by the dialog that the button brings up; `path` or bytes.
export async function openFile(page: Page, file: string | { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('button[aria-label^="Open"]')]);
  await chooser.setFiles(file);
}

export const sceneFile = (text: string): { name: string; mimeType: string; buffer: Buffer } =>
  ({ name: 'scene.json', mimeType: 'application/json', buffer: Buffer.from(text) });

/// Where a world point is on the page.
export const pixel = (page: Page, x: number, y: number): Promise<[number, number]> =>
  page.evaluate(([wx, wy]) => window.collapsePlayground.view.stage.toPixel(wx, wy), [x, y]);

/// Drags from one world point to another, in steps; `hold` runs before the button is released.
export async function drag(page: Page, from: [number, number], to: [number, number], hold?: () => Promise<void>): Promise<void> {
  const [a, b] = [await pixel(page, ...from), await pixel(page, ...to)];
  await page.mouse.move(...a);
  await page.mouse.down();
  await page.mouse.move(...b, { steps: 12 });
  await hold?.();
  await page.mouse.up();
}
