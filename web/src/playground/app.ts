/// The playground: the document, what is selected, and what happens when something changes.
import { kOutline, kQuick, type Check, type Engine } from '../engine';
import { BodyPanel } from './body_panel';
import { addBody, readDocument, removeBody, withBody, withBodyFriction, withFriction, writeDocument, type Body, type SceneDocument } from './document';
import { h } from './dom';
import { besides, dragBody, dragGrip, dropped, gridOf, nudged, type Drag, type Scale } from './dragging';
import { angleOf, boundsOf, figureOf } from './geometry';
import { Handles } from './handles';
import { History } from './history';
import { Player } from './player';
import { followPointer } from './pointer';
import { point, Rational } from './rational';
import { ScenePanel } from './scene_panel';
import { SceneView } from './scene_view';
import { emptyScene, gripsOf, newBody, roundLength, turnedTo, type Kind } from './shapes';
import type { Guide } from './snapping';
import { VerdictCard } from './verdict_card';
import { wordsFor, wordsOfError, type Words } from './words';

interface Change {
  /// Shapes changed, not only places.
  reshapes?: boolean;
  /// Goes on: leave out what takes long.
  quick?: boolean;
  /// Show all of the scene.
  fit?: boolean;
}

export class App {
  readonly verdict = new VerdictCard();
  readonly bodyPanel: BodyPanel;
  readonly scenePanel: ScenePanel;
  readonly player: Player;
  readonly view: SceneView;
  readonly toast = h('div', { class: 'toast', role: 'status', 'aria-live': 'polite', hidden: true });
  private readonly history = new History<SceneDocument>(emptyScene);
  private readonly handles: Handles;
  private document: SceneDocument = emptyScene;
  private selected = -1;
  private drag: { drag: Drag; moved: boolean } | undefined;
  private guides: readonly Guide[] = [];
  /// What the engine's next outline is for.
  private pending: { outline: boolean; fit: boolean } = { outline: true, fit: true };
  private checks = 0;
  private unanswered = 0;
  private toastTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly engine: Engine, private readonly parent: HTMLElement, canvas: HTMLCanvasElement,
    theme: 'dark' | 'light', private readonly onState: () => void) {
    this.view = new SceneView(canvas, {
      theme,
      claim: (event) => this.grab(event),
      onTap: (body) => this.select(body),
      onRender: () => this.handles?.draw(),
    });
    this.handles = new Handles({
      toPixel: (x, y) => this.view.stage.toPixel(x, y),
      begin: (grip, event) => {
        event.preventDefault();
        this.begin(dragGrip(this.document, this.selected, grip, this.scale()), event);
      },
    }, parent);
    this.bodyPanel = new BodyPanel({
      change: (body) => this.changeSelected(body),
      friction: (value, done) => this.setFriction(withBodyFriction(this.history.current, this.selected, value), done),
      remove: () => this.remove(),
      duplicate: () => this.duplicate(),
    });
    this.scenePanel = new ScenePanel({
      gallery: (name, options) => void this.openGallery(name, options),
      empty: () => this.open(emptyScene),
      friction: (value, done) => this.setFriction(withFriction(this.history.current, value), done),
    });
    this.player = new Player(engine, {
      frame: (frame) => {
        this.view.showFrame(frame);
        this.verdict.show({ state: 'waiting', title: frame.account.resting ? 'At rest' : 'Moving', lines: [`${frame.account.time.toFixed(2)} s`] },
          { time: frame.account.time });
      },
      changed: (trouble) => {
        if (trouble) this.say(wordsOfError(trouble));
        if (this.player.state === 'off') this.changed({ reshapes: true });
        this.select(this.selected);
        this.onState();
      },
    });
  }

  // --- the document ---------------------------------------------------------------------------

  get text(): string {
    return writeDocument(this.history.current);
  }
  get name(): string {
    return typeof this.document.name === 'string' ? this.document.name : '';
  }
  get canUndo(): boolean {
    return this.history.canUndo;
  }
  get canRedo(): boolean {
    return this.history.canRedo;
  }
  get editing(): boolean {
    return this.player.state === 'off';
  }

  /// A scene that takes the place of the one before, if the engine can use it. Going back is possible.
  async openText(text: string): Promise<void> {
    try {
      const document = readDocument(text);
      await this.engine.check(text, kQuick);
      this.open(document);
      this.scenePanel.showName(undefined);
    } catch (error) {
      this.refuse(error);
    }
  }

  async openGallery(name: string, options: Record<string, string>): Promise<void> {
    try {
      const document = readDocument(await this.engine.galleryScene(name, options));
      this.open(document);
    } catch (error) {
      this.refuse(error);
    }
  }

  open(document: SceneDocument): void {
    if (!this.editing) this.player.stop();
    this.history.push(document);
    this.document = document;
    this.selected = -1;
    this.changed({ reshapes: true, fit: true });
  }

  /// The scene that the page begins with: there is nothing before it.
  forgetPast(): void {
    this.history.reset(this.document);
    this.onState();
  }

  undo(): void {
    this.goTo(this.history.undo());
  }
  redo(): void {
    this.goTo(this.history.redo());
  }

  private goTo(document: SceneDocument): void {
    if (!this.editing) this.player.stop();
    this.document = document;
    if (this.selected >= document.bodies.length) this.selected = -1;
    this.changed({ reshapes: true });
  }

  /// A finished change.
  private commit(document: SceneDocument, change: Change = {}): void {
    this.history.push(document);
    this.document = document;
    this.changed(change);
  }

  /// Shows the document and asks whether it stands.
  private changed(change: Change): void {
    this.pending.outline ||= change.reshapes ?? false;
    this.pending.fit ||= change.fit ?? false;
    if (!this.pending.outline) this.view.placeAs(this.document);
    this.showPanels();
    this.onState();
    void this.check(change.quick ?? false);
  }

  private async check(quick: boolean): Promise<void> {
    const document = this.document;
    const wishes = (this.pending.outline ? kOutline : 0) + (quick ? kQuick : 0);
    const began = performance.now();
    ++this.unanswered;
    try {
      const check = await this.engine.check(writeDocument(document), wishes);
      if (!check || !this.editing) return;
      this.show(check, document);
      this.verdict.show(wordsFor(check), {
        checks: ++this.checks, bodies: check.bodies, contacts: check.contacts?.length ?? 0,
        arrows: this.view.stage.counts.arrows, milliseconds: (performance.now() - began).toFixed(1), quick: String(quick),
      });
    } catch (error) {
      if (document === this.document) this.say(wordsOfError(error));
    } finally {
      --this.unanswered;
    }
  }

  /// Whether the engine still owes an answer about the scene.
  get waiting(): boolean {
    return this.unanswered > 0;
  }

  private show(check: Check, document: SceneDocument): void {
    if (check.outline) {
      const latest = document === this.document;
      this.view.setOutline(check.outline, this.pending.fit);
      this.view.stage.select(this.selected);
      if (latest) this.pending = { outline: false, fit: false };
      else if (document.bodies.length === this.document.bodies.length) this.view.placeAs(this.document);
    }
    this.view.showCheck(check);
    this.showPanels();
  }

  // --- words ----------------------------------------------------------------------------------

  private say(words: Words): void {
    this.verdict.show(words, { quick: undefined, contacts: undefined });
    this.view.clearSigns();
  }

  /// What was to be opened stays out; the scene before stays.
  refuse(error: unknown): void {
    const { title, lines } = wordsOfError(error);
    this.tell(`${title}. ${lines.join(' ')}`, 9000);
  }

  tell(text: string, milliseconds = 3500): void {
    clearTimeout(this.toastTimer);
    this.toast.textContent = text.length > 400 ? `${text.slice(0, 399)}…` : text;
    this.toast.hidden = false;
    this.toastTimer = setTimeout(() => { this.toast.hidden = true; }, milliseconds);
  }

  private showPanels(): void {
    this.bodyPanel.show(this.document, this.editing ? this.selected : -1);
    this.scenePanel.showDocument(this.document);
    const body = this.document.bodies[this.selected];
    const grips = body && this.editing ? gripsOf(body, 34 * this.scale().perPixel) : [];
    this.handles.show(grips, this.guides);
  }

  // --- editing --------------------------------------------------------------------------------

  select(index: number): void {
    this.selected = index;
    this.view.stage.select(this.editing ? index : -1);
    this.showPanels();
  }

  /// False if there is no next one: then nothing is selected, and the keyboard goes on to the next control.
  selectNext(step: 1 | -1): boolean {
    const count = this.document.bodies.length;
    const next = this.selected < 0 && step < 0 ? count - 1 : this.selected + step;
    const found = this.editing && next >= 0 && next < count;
    this.select(found ? next : -1);
    return found;
  }

  /// In the middle of what is seen, on top of what is there.
  add(kind: Kind): void {
    if (!this.editing) this.player.stop();
    const { camera } = this.view.stage;
    const unit = roundLength(1.2 * this.view.typicalSize);
    const [x] = this.view.stage.toWorld((camera.margins.left + camera.width - camera.margins.right) / 2, camera.height / 2);
    const boxes = this.document.bodies.flatMap((body) => boundsOf(figureOf(body)) ?? []);
    const below = boxes.filter(({ low, high }) => low[0] < x + unit.value && high[0] > x - unit.value);
    const top = Math.max(0, ...below.map(({ high }) => high[1]));
    const grid = gridOf(this.scale());
    const at = point(Rational.nearest(x, grid), Rational.nearest(top + 0.3 * unit.value, grid));
    const body = newBody(kind, unit, at);
    const document = addBody(this.document, body.plane ? body : dropped(this.document, body, unit.value));
    this.selected = document.bodies.length - 1;
    this.commit(document, { reshapes: true });
  }

  /// The ground, if there is none; else a fixed block.
  addFixed(): void {
    this.add(this.document.bodies.some((body) => body.plane !== undefined) ? 'block' : 'ground');
  }

  remove(): void {
    if (!this.document.bodies[this.selected] || !this.editing) return;
    const document = removeBody(this.document, this.selected);
    this.selected = -1;
    this.commit(document, { reshapes: true });
  }

  duplicate(): void {
    const body = this.document.bodies[this.selected];
    if (!body || body.plane !== undefined || !this.editing) return;
    const document = addBody(this.document, besides(body));
    this.selected = document.bodies.length - 1;
    this.commit(document, { reshapes: true });
  }

  /// As in the middle of a drag: by so many steps of the grid to the right, without an end.
  moveSelected(steps: number): void {
    this.document = nudged(this.document, this.selected, steps, 0, gridOf(this.scale()));
    this.changed({ quick: true });
  }

  nudge(dx: number, dy: number, far: boolean): void {
    const body = this.document.bodies[this.selected];
    if (!body || body.plane !== undefined || !this.editing) return;
    this.commit(nudged(this.document, this.selected, dx, dy, gridOf(this.scale()).times(Rational.of(far ? 10 : 1))));
  }

  turn(degrees: number): void {
    const body = this.document.bodies[this.selected];
    if (!body || body.plane !== undefined || !this.editing) return;
    this.changeSelected(turnedTo(body, Math.round(angleOf(body)) + degrees));
  }

  private changeSelected(body: Body): void {
    if (this.document.bodies[this.selected]) this.commit(withBody(this.document, this.selected, body), { reshapes: true });
  }

  private setFriction(document: SceneDocument, done: boolean): void {
    if (done) {
      this.commit(document);
    } else {
      this.document = document;
      this.changed({ quick: true });
    }
  }

  // --- dragging -------------------------------------------------------------------------------

  private scale(): Scale {
    return { perPixel: 1 / this.view.stage.pixelsPerUnit };
  }

  /// The pointer goes down on the stage: a body under it is taken, anything else moves the camera.
  private grab(event: PointerEvent): boolean {
    if (!this.editing || event.button !== 0 || event.shiftKey) return false;
    const box = this.view.stage.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const index = this.view.stage.pick(x, y);
    const body = this.document.bodies[index];
    if (!body || body.plane !== undefined || this.pending.outline) return false;
    this.select(index);
    this.begin(dragBody(this.document, index, this.view.stage.toWorld(x, y), this.scale()), event);
    return true;
  }

  private begin(drag: Drag, event: PointerEvent): void {
    this.drag = { drag, moved: false };
    this.parent.classList.add('dragging');
    followPointer(this.parent, event, { move: (latest) => this.follow(latest), end: () => this.finish() });
  }

  private follow(event: PointerEvent): void {
    const box = this.view.stage.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const result = this.drag?.drag.to(this.view.stage.toWorld(x, y), event.altKey);
    if (!this.drag || !result) return;
    this.drag.moved = true;
    this.document = result.document;
    this.guides = result.guides;
    this.changed({ quick: true, reshapes: this.drag.drag.reshapes });
  }

  private finish(): void {
    const moved = this.drag?.moved;
    const reshapes = this.drag?.drag.reshapes;
    this.drag = undefined;
    this.guides = [];
    this.parent.classList.remove('dragging');
    if (moved) this.commit(this.document, { reshapes });
    else this.showPanels();
  }

  // --- playing --------------------------------------------------------------------------------

  playOrPause(): void {
    if (this.player.state === 'playing') this.player.pause();
    else if (this.player.state === 'paused') this.player.resume();
    else if (this.player.state === 'ended') this.player.stop();
    else void this.player.start(writeDocument(this.document));
  }

  reset(): void {
    if (!this.editing) this.player.stop();
    else this.select(-1);
  }
}
