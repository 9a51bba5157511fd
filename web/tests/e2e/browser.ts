/// Debian's Chromium without a screen, the tool, and pages opened from disk with the network cut off.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type {} from '../../src/view/main_types';

export const tool = resolve(process.env.COLLAPSE_TOOL ?? '../build/release/collapse');

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // Drawing in software; the sandbox does not work for root, and the pages are our own.
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
}

export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'collapse-web-'));

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string): string {
    writeFileSync(this.path(name), text);
    return this.path(name);
  }

  run(...args: string[]): string {
    return execFileSync(tool, args, { cwd: this.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /// The exit status, whatever it is.
  status(...args: string[]): number {
    return spawnSync(tool, args, { cwd: this.folder }).status ?? -1;
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true });
  }
}

export interface Opened {
  page: Page;
  /// All that the page asked for besides itself.
  requests: string[];
  /// Errors and refusals told on the console.
  complaints: string[];
  close(): Promise<void>;
}

/// Opens a file and waits until it is ready, or has given up.
export async function open(browser: Browser, file: string, options: BrowserContextOptions & { hash?: string } = {}): Promise<Opened> {
  const { hash = '', ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, reducedMotion: 'reduce', ...rest });
  await context.setOffline(true);
  const page = await context.newPage();
  const [requests, complaints]: [string[], string[]] = [[], []];
  const address = `file://${file}`;
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address) requests.push(request.url());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(address + hash);
  await page.evaluate(() => window.collapseView.ready.catch(() => undefined));
  return { page, requests, complaints, close: () => context.close() };
}

/// How many colours the picture of a page has; a blank one has few.
export const coloursOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { stage } = window.collapseView.viewer!;
    stage.renderNow();
    const bitmap = await createImageBitmap(stage.canvas);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set<number>();
    for (let i = 0; i < data.length; i += 16) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return seen.size;
  });

export const picture = async (page: Page): Promise<string> =>
  (await page.locator('#stage').screenshot()).toString('base64');
