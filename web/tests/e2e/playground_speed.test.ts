/// How long a verdict takes while a brick of a tower of 100 is dragged: from the pointer's move to the answer on the
/// page. Printed, not judged: it depends on the machine.
import { it } from 'vitest';
import { launch } from './browser';
import { openPlayground, verdict } from './playground_page';

it('a tower of 100 bricks, dragged', async () => {
  const browser = await launch();
  const { page } = await openPlayground(browser);
  await verdict(page);
  await page.evaluate(() => window.collapsePlayground.openGallery('tower', { bricks: '100' }));
  await verdict(page);
  await page.waitForTimeout(3000);  // for the engine to be compiled well
  const times = await page.evaluate(async () => {
    const app = window.collapsePlayground;
    const card = document.querySelector<HTMLElement>('.verdict')!;
    const body = (JSON.parse(app.text) as { bodies: { position: [string, string] }[] }).bodies.length - 1;
    app.select(body);
    const found: number[] = [];
    for (let i = 0; i < 60; ++i) {
      app.moveSelected(i % 2 === 0 ? 1 : -1);
      await new Promise<void>((resolve) => {
        const poll = (): void => (app.waiting ? void setTimeout(poll, 0) : resolve());
        poll();
      });
      found.push(Number(card.dataset.milliseconds));
    }
    return found.sort((a, b) => a - b);
  });
  const at = (share: number): string => times[Math.floor(share * (times.length - 1))].toFixed(1);
  console.log(`verdict of 101 bodies while dragging: median ${at(0.5)} ms, 90 % within ${at(0.9)} ms, slowest ${at(1)} ms`);
  await browser.close();
}, 120_000);
