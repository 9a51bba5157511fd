/// The playground's page.
import type {} from './main_types';
import { startEngine } from '../engine';
import { ThemeChoice } from '../view/theme_choice';
import { App } from './app';
import { button, h, icon, icons } from './dom';
import { chooseFile, onDrop, readFile, saveFile } from './files';
import { fromFragment, toFragment } from './share';
import './style.css';

const themeChoice = new ThemeChoice((theme) => app.view.setTheme(theme));
document.documentElement.dataset.theme = themeChoice.theme;

const canvas = h('canvas', { tabindex: 0, 'aria-label': 'The scene. Arrow keys move the selected body; question mark lists all keys.' });
const stageBox = h('div', { class: 'stage' }, canvas);
document.body.append(stageBox);

const engine = startEngine();
const app: App = new App(engine, stageBox, canvas, themeChoice.theme, () => showState());

const undo = button('Undo (Ctrl+Z)', icons.undo, () => app.undo());
const redo = button('Redo (Ctrl+Shift+Z)', icons.redo, () => app.redo());
const play = button('Play (Space)', icons.play, () => app.playOrPause(), 'Play');
play.classList.add('primary');
const reset = button('Back to the start (Esc)', icons.reset, () => app.reset(), 'Reset');
const help = h('dialog', { 'aria-label': 'Keys' });

const kKeys: [string, string][] = [
  ['drag', 'move a body; it snaps to touch others exactly'], ['Alt + drag', 'without snapping'],
  ['arrows', 'move by a step of the grid, with Shift by ten'], ['R, Shift+R', 'turn by 15°'],
  ['Tab, Shift+Tab on the scene', 'select the next or previous body'], ['B, P, D, G', 'add a brick, polygon, disk, fixed ground'],
  ['Del', 'delete'], ['Ctrl+D', 'duplicate'], ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'],
  ['Space', 'play or pause'], ['Esc', 'back to the start, or select nothing'], ['F', 'show all'],
  ['Ctrl+O, Ctrl+S', 'open, save'],
];
help.append(
  h('h2', {}, 'Keys'),
  h('dl', {}, ...kKeys.flatMap(([key, what]) => [h('dt', {}, key), h('dd', {}, what)])),
  h('form', { method: 'dialog' }, h('button', {}, 'Close')));

async function share(): Promise<void> {
  const fragment = await toFragment(app.text);
  const link = location.href.replace(/#.*$/, '') + fragment;
  history.replaceState(null, '', fragment);
  try {
    await navigator.clipboard.writeText(link);
    app.tell('The link is in the clipboard. It holds the whole scene.');
  } catch {
    app.tell('The address of this page is now a link that holds the scene.');
  }
}

const openFile = (file: Blob): void => void readFile(file).then((text) => app.openText(text), (error: unknown) => app.refuse(error));

document.body.append(
  h('header', { class: 'bar top' },
    h('h1', {}, 'Collapse'),
    h('nav', { class: 'group', 'aria-label': 'File' },
      button('Open a scene file (Ctrl+O)', icons.open, () => chooseFile(openFile), 'Open'),
      button('Save the scene (Ctrl+S)', icons.save, () => saveFile(app.name, app.text), 'Save'),
      button('Share as a link', icons.share, () => void share(), 'Share'))),
  h('div', { class: 'bar tools', role: 'toolbar', 'aria-label': 'Add', 'aria-orientation': 'vertical' },
    button('Add a brick (B)', icons.brick, () => app.add('brick')),
    button('Add a polygon (P)', icons.polygon, () => app.add('polygon')),
    button('Add a disk (D)', icons.disk, () => app.add('disk')),
    button('Add fixed ground (G)', icons.ground, () => app.addFixed()),
    h('hr', {}),
    undo, redo,
    h('hr', {}),
    button('Show all (F)', icons.fit, () => app.view.fit()),
    button('Dark or light', icons.theme, () => themeChoice.toggle()),
    button('Keys (?)', icons.help, () => help.showModal())),
  h('aside', { class: 'panel' }, app.verdict.element, app.bodyPanel.element, app.scenePanel.element),
  h('div', { class: 'bar bottom', role: 'toolbar', 'aria-label': 'Motion' }, play, reset),
  app.toast, help);

function showState(): void {
  const { state } = app.player;
  undo.disabled = !app.canUndo;
  redo.disabled = !app.canRedo;
  reset.hidden = state === 'off';
  const [name, picture] = state === 'playing' ? ['Pause', icons.pause] : state === 'ended' ? ['Again', icons.reset] : ['Play', icons.play];
  play.replaceChildren(icon(picture), h('span', {}, name));
  play.setAttribute('aria-label', `${name} (Space)`);
  document.body.dataset.player = state;
}

function margins(): void {
  const narrow = innerWidth < 720;
  app.view.stage.camera.margins = narrow
    ? { left: 56, right: 8, top: 56, bottom: 0.42 * innerHeight }
    : { left: 72, right: 312, top: 64, bottom: 76 };
}
window.addEventListener('resize', margins);
margins();

// --- keys -------------------------------------------------------------------------------------

const kCommands: Record<string, (event: KeyboardEvent) => void> = {
  arrowleft: (e) => app.nudge(-1, 0, e.shiftKey),
  arrowright: (e) => app.nudge(1, 0, e.shiftKey),
  arrowup: (e) => app.nudge(0, 1, e.shiftKey),
  arrowdown: (e) => app.nudge(0, -1, e.shiftKey),
  delete: () => app.remove(),
  backspace: () => app.remove(),
  r: (e) => app.turn(e.shiftKey ? -15 : 15),
  b: () => app.add('brick'),
  p: () => app.add('polygon'),
  d: () => app.add('disk'),
  g: () => app.addFixed(),
  f: () => app.view.fit(),
  ' ': () => app.playOrPause(),
  escape: () => app.reset(),
  '?': () => help.showModal(),
};
const kControlCommands: Record<string, (event: KeyboardEvent) => void> = {
  z: (e) => (e.shiftKey ? app.redo() : app.undo()),
  y: () => app.redo(),
  d: () => app.duplicate(),
  o: () => chooseFile(openFile),
  s: () => saveFile(app.name, app.text),
};

window.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  if (target.closest('input, select, dialog')) return;
  if (event.key === 'Tab' && target === canvas) {
    if (app.selectNext(event.shiftKey ? -1 : 1)) event.preventDefault();
    return;
  }
  if (event.key === ' ' && target.closest('button')) return;
  const command = (event.ctrlKey || event.metaKey ? kControlCommands : kCommands)[event.key.toLowerCase()];
  if (!command || event.altKey) return;
  event.preventDefault();
  command(event);
});

// --- the first scene --------------------------------------------------------------------------

onDrop(document.body, openFile);

async function openFragment(): Promise<boolean> {
  try {
    const text = await fromFragment(location.hash);
    if (text !== undefined) await app.openText(text);
    return text !== undefined;
  } catch (error) {
    app.refuse(error);
    return false;
  }
}
window.addEventListener('hashchange', () => void openFragment());

app.verdict.show({ state: 'waiting', title: 'Starting…', lines: [] });
showState();
try {
  const gallery = await engine.gallery();
  app.scenePanel.setGallery(gallery);
  if (!(await openFragment())) {
    const first = gallery.find((entry) => entry.name === 'diamond') ?? gallery[0];
    await app.openGallery(first.name, {});
    app.scenePanel.showName(first.name);
  }
  app.forgetPast();
} catch (error) {
  app.refuse(error);
}
document.body.dataset.ready = 'true';
window.collapsePlayground = app;
