import { startEngine, kOutline } from '../engine';
const engine = startEngine({ onCheck: (ms) => document.body.append(` ${ms.toFixed(1)} `) });
document.body.append('start');
engine.gallery().then(async (scenes) => {
  document.body.append(scenes.map((s) => s.name).join(' '));
  for (let i = 0; i < 15; ++i) {
    const text = await engine.galleryScene('tower', { bricks: '100' });
    const check = await engine.check(text, i % 2 ? 2 : kOutline);
    document.body.append(check?.verdict ?? 'none');
  }
}, (error) => document.body.append(String(error)));
