/// The page that `collapse view` writes. For films (`collapse export FILE -o FILM.mp4`) it can be driven from
/// outside: `collapseView.showTime(t)` draws the picture of a time and resolves when it is there; the address
/// ends in #film then, and the controls are left out.
import './style.css';
import { BadData, decode, unpack } from './decode';
import type { CollapseView } from './main_types';
import { element, showMessage } from './page';
import { Viewer } from './viewer';

async function start(view: CollapseView): Promise<void> {
  const source = element('data');
  const data = decode(await unpack(source.textContent ?? ''));
  source.textContent = '';  // the text is large, and nothing reads it again
  const viewer = new Viewer(data, location.hash === '#film');
  view.frames = data.motion.frames;
  view.duration = viewer.clock.end;
  view.viewer = viewer;
  view.showTime = (time) => {
    viewer.showTime(time);
    // The picture is on the screen after the next frame but one.
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
  };
  document.body.classList.remove('loading');
  viewer.stage.renderNow();
}

const view: CollapseView = {
  frames: 0,
  duration: 0,
  ready: Promise.resolve(),
  showTime: () => Promise.reject(new Error('not ready')),
};
window.collapseView = view;
view.ready = start(view);
view.ready.catch((error: unknown) => {
  document.body.classList.remove('loading');
  const webgl = error instanceof Error && /webgl/i.test(error.message);
  showMessage(
    error instanceof BadData ? error.message
    : webgl ? 'This browser cannot draw with WebGL, which this page needs.'
    : `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`);
});
