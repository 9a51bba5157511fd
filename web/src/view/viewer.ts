/// The player: connects the page's controls with the show and its clock.
import { Stage } from '../stage';
import type { PageData } from './data';
import { listenToKeys, type Shortcut } from './keys';
import { updateLegend } from './legend';
import { element, made, toggleClass } from './page';
import { Plot } from './plots';
import { clockText, counted, quantity } from './scales';
import { Selection } from './selection';
import { Show, type ColourMode } from './show';
import { ThemeChoice } from './theme_choice';
import { Clock, momentAt } from './timeline';

const stabilityWords = { stable: 'stands', unstable: 'falls', undecided: 'undecided' } as const;
const kSwitches = ['arrows', 'chains', 'openings', 'joints', 'mechanism', 'frozen'] as const;
const kSpeeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export class Viewer {
  readonly stage: Stage;
  readonly show: Show;
  readonly clock: Clock;
  readonly selection: Selection;
  private readonly plots: Plot[] = [];
  private readonly theme: ThemeChoice;
  private readonly slider = element<HTMLInputElement>('time');
  private lastTick = 0;
  private ticking = 0;
  private legendPixels = 0;

  constructor(readonly data: PageData, private readonly film: boolean) {
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.stage = new Stage(element<HTMLCanvasElement>('stage'), {
      onTap: (body) => this.selection.select(body),
      onRender: () => this.legend(),
    });
    this.show = new Show(data, this.stage);
    const [begin, end] = this.show.interval;
    this.clock = new Clock(begin, end);
    toggleClass('space', this.inSpace);
    if (this.show.hasMechanism) this.clock.speed = 0.5;
    this.selection = new Selection(this.show, (body) => {
      this.stage.select(body);
      if (this.narrow && body >= 0) this.setPanel(false);
      this.refresh();
      if (this.narrow) this.arrange();
    });
    this.describe();
    this.makePlots();
    this.connectTransport();
    this.connectPanel();
    listenToKeys(this.shortcuts());
    this.theme = new ThemeChoice((theme) => {
      this.show.theme = theme;
      this.stage.setTheme(theme);
      this.legendPixels = 0;
      for (const plot of this.plots) plot.paint();
      this.refresh();
    });
    if (this.narrow) this.setPanel(false);
    if (this.narrow) this.setPlots(false);
    this.theme.apply();
    this.arrange();
    window.addEventListener('resize', () => this.arrange());
    // A mechanism is seen at once, at its full size; a motion begins at its beginning.
    this.seek(this.show.hasMechanism ? end : begin);
    if (!calm && !film && data.motion.frames > 1) this.togglePlay();
  }

  seek(time: number): void {
    this.clock.seek(time);
    this.refresh();
  }

  /// Draws at once: for films.
  showTime(time: number): void {
    this.clock.playing = false;
    this.seek(time);
    this.stage.renderNow();
  }

  private get narrow(): boolean {
    return window.innerWidth <= 720;
  }

  private get inSpace(): boolean {
    return this.data.header.dimension === 3;
  }

  private get isMotion(): boolean {
    return this.data.motion.frames > 1;
  }

  /// Everything that depends on the time or on a setting.
  private refresh(): void {
    const { time, begin, end } = this.clock;
    this.show.draw(time);
    this.slider.value = String(time);
    this.slider.setAttribute('aria-valuetext', this.isMotion ? `time ${clockText(time)}` : `${Math.round(100 * time)} %`);
    const clock = element('clock');
    clock.replaceChildren(
      ...(this.isMotion ? [clockText(time), made('small', ` / ${clockText(end)}`)] : [`${Math.round((100 * (time - begin)) / (end - begin || 1))} %`]));
    if (this.film) element('film-time').textContent = this.data.header.motion ? clockText(time) : '';
    for (const plot of this.plots) plot.show(time);
    this.selection.update();
    toggleClass('playing', this.clock.playing);
    element('play').setAttribute('aria-label', this.clock.playing ? 'Pause' : 'Play');
  }

  private tick(now: number): void {
    this.ticking = 0;
    // After a pause of the page itself, the motion does not jump.
    this.clock.advance(Math.min(0.1, (now - this.lastTick) / 1000));
    this.lastTick = now;
    this.refresh();
    if (this.clock.playing) this.ticking = requestAnimationFrame((next) => this.tick(next));
  }

  private togglePlay(): void {
    this.clock.toggle();
    this.lastTick = performance.now();
    if (this.clock.playing && !this.ticking) this.ticking = requestAnimationFrame((now) => this.tick(now));
    this.refresh();
  }

  private stepFrames(by: number): void {
    if (!this.isMotion) return this.seek(this.clock.time + 0.05 * by);
    const { times } = this.data.motion;
    const moment = momentAt(times, this.clock.time);
    const frame = by > 0 ? moment.before + by : (moment.share > 0 ? moment.before + 1 : moment.before) + by;
    this.clock.playing = false;
    this.seek(times[Math.min(times.length - 1, Math.max(0, frame))]);
  }

  private changeSpeed(by: number): void {
    const now = kSpeeds.indexOf(this.clock.speed);
    this.clock.speed = kSpeeds[Math.min(kSpeeds.length - 1, Math.max(0, now + by))];
    element<HTMLSelectElement>('speed').value = String(this.clock.speed);
  }

  private describe(): void {
    const { header, motion } = this.data;
    const name = header.name || 'Structure';
    element('name').textContent = name;
    document.title = `${name} · Collapse`;
    this.stage.canvas.setAttribute('aria-label', `Drawing of ${name}`);
    const facts: (Node | string)[] = [];
    const { verdict } = header;
    if (verdict) {
      facts.push(made('span', stabilityWords[verdict.stability], verdict.stability));
      if (verdict.stability === 'stable' && verdict.strength !== 'unknown') facts.push(verdict.strength === 'strong' ? ' strongly' : ' weakly');
      if (verdict.reason) facts.push(`: ${verdict.reason}`);
      facts.push(` · margin ${verdict.marginIsBound ? 'at least ' : ''}${quantity(verdict.margin, 2)} · `);
    }
    const bodies = header.bodies.length;
    if (bodies > 0) facts.push(counted(bodies, 'body', 'bodies'));
    if (header.framework) facts.push(`${bodies > 0 ? ' · ' : ''}${counted(header.framework.points.length, 'point', 'points')}, ${counted(header.framework.bars.length, 'bar', 'bars')}`);
    if (verdict) facts.push(` · ${counted(verdict.contacts.length, 'contact', 'contacts')}`);
    if (header.motion && motion.frames > 1) facts.push(` · ${counted(motion.frames, 'frame', 'frames')}${header.motion.finished ? '' : ' so far'}`);
    if (header.loads.length > 0) facts.push(` · under ${header.loads.join(', ')}`);
    element('facts').replaceChildren(...facts);
    toggleClass('still', this.clock.end === this.clock.begin);
    toggleClass('mechanism', !this.isMotion && this.show.hasMechanism);
    toggleClass('film', this.film);
    if (this.film) {
      const time = made('output');
      time.id = 'film-time';
      document.body.append(time);
    }
  }

  private makePlots(): void {
    if (!this.isMotion) return;
    const { times, energy, kinetic, contacts } = this.data.motion;
    const lowest = energy.reduce((least, total, i) => Math.min(least, total - kinetic[i]), Infinity);
    const seek = (time: number): void => {
      this.clock.playing = false;
      this.seek(time);
    };
    this.plots.push(
      new Plot(element('energy-plot'), element('energy-legend'), 'Energy', times,
        [{ label: 'Energy', colour: 'total', values: energy, base: lowest }, { label: 'Kinetic', colour: 'kinetic', values: kinetic }], seek),
      new Plot(element('contact-plot'), element('contact-legend'), 'Contacts', times, [{ label: 'Contacts', colour: 'contacts', values: contacts }], seek),
    );
  }

  private connectTransport(): void {
    this.slider.min = String(this.clock.begin);
    this.slider.max = String(this.clock.end);
    this.slider.addEventListener('input', () => {
      this.clock.playing = false;
      this.seek(Number(this.slider.value));
    });
    if (!this.isMotion) this.slider.setAttribute('aria-label', 'How far the mechanism has moved');
    element('play').addEventListener('click', () => this.togglePlay());
    element('back').addEventListener('click', () => this.stepFrames(-1));
    element('forth').addEventListener('click', () => this.stepFrames(1));
    const speed = element<HTMLSelectElement>('speed');
    speed.addEventListener('change', () => (this.clock.speed = Number(speed.value)));
    element('front').addEventListener('click', () => this.stage.front());
    element('tilt').addEventListener('click', () => this.tilt());
    element('side').addEventListener('click', () => this.stage.look(Math.PI / 2, 0));
    element('top').addEventListener('click', () => this.stage.look(0, Math.PI / 2));
    element('theme').addEventListener('click', () => this.theme.toggle());
    element('help-open').addEventListener('click', () => this.help());
    element('panel-open').addEventListener('click', () => this.setPanel(document.body.classList.contains('no-panel')));
  }

  private connectPanel(): void {
    const { options } = this.show;
    for (const name of kSwitches) {
      const box = element<HTMLInputElement>(name);
      box.checked = options[name];
      box.addEventListener('change', () => this.set(name, box.checked));
    }
    const plots = element<HTMLInputElement>('plots-on');
    plots.addEventListener('change', () => this.setPlots(plots.checked));
    const colour = element<HTMLSelectElement>('colour');
    colour.value = options.colour;
    colour.addEventListener('change', () => this.setColour(colour.value as ColourMode));
    const [scale, threshold] = [element<HTMLInputElement>('scale'), element<HTMLInputElement>('threshold')];
    const update = (): void => {
      options.scale = 2 ** Number(scale.value);
      options.threshold = Number(threshold.value) ** 2;
      element('scale-value').textContent = `${quantity(options.scale, 2)}×`;
      element('threshold-value').textContent = options.threshold > 0 ? quantity(options.threshold * this.show.reference, 2) : 'all';
      this.legendPixels = 0;
      this.refresh();
    };
    for (const input of [scale, threshold]) input.addEventListener('input', update);
    element('scale-value').textContent = '1×';
    element('threshold-value').textContent = 'all';
    const { header } = this.data;
    element('colour-controls').hidden = header.moving.length === 0;
    element('panel').hidden = header.moving.length === 0 && !this.isMotion;
    element('panel-open').hidden = element('panel').hidden;
    element('force-controls').hidden = !this.show.hasForces;
    element('mechanism-row').hidden = !this.show.hasMechanism;
    element('openings-row').hidden = !this.show.hasMechanism && !this.show.hasChanges;
    element('openings-label').textContent = this.show.hasMechanism ? 'What contacts do' : 'Opening contacts';
    element('joints-row').hidden = header.joints.length === 0;
    element('frozen-row').hidden = !this.show.hasFrozen;
    element('plots-row').hidden = !this.isMotion;
    element('show-controls').hidden = [...element('show-controls').querySelectorAll('label')].every((row) => row.hidden);
    for (const [value, useful] of [['force', this.show.hasForces], ['speed', this.isMotion], ['material', header.materials.length > 1]] as const) {
      const option = colour.querySelector<HTMLOptionElement>(`option[value="${value}"]`);
      if (option && !useful) option.remove();
    }
  }

  private set(name: (typeof kSwitches)[number], on: boolean): void {
    this.show.options[name] = on;
    element<HTMLInputElement>(name).checked = on;
    this.legendPixels = 0;
    this.refresh();
  }

  private setColour(mode: ColourMode): void {
    this.show.options.colour = mode;
    element<HTMLSelectElement>('colour').value = mode;
    this.legendPixels = 0;
    this.refresh();
  }

  private nextColour(): void {
    const values = [...element<HTMLSelectElement>('colour').options].map((option) => option.value as ColourMode);
    this.setColour(values[(values.indexOf(this.show.options.colour) + 1) % values.length]);
  }

  private setPanel(on: boolean): void {
    toggleClass('no-panel', !on);
    element('panel-open').setAttribute('aria-expanded', String(on));
    if (on && this.narrow) this.selection.select(-1);
    this.arrange();
  }

  private setPlots(on: boolean): void {
    toggleClass('no-plots', !on);
    element<HTMLInputElement>('plots-on').checked = on;
    this.arrange();
  }

  private tilt(): void {
    if (this.inSpace) return this.stage.home();
    Object.assign(this.stage.camera.place, { yaw: -0.5, pitch: 0.32 });
    this.stage.fit();
  }

  private help(): void {
    element<HTMLDialogElement>('help').showModal();
  }

  /// Keeps the structure clear of the controls.
  private arrange(): void {
    const { margins } = this.stage.camera;
    const narrow = this.narrow;
    const panel = !narrow && !this.film && !document.body.classList.contains('no-panel');
    const transport = this.film ? 0 : element('transport').offsetHeight;
    document.documentElement.style.setProperty('--bottom', `${transport > 0 ? transport + 12 : 4}px`);
    margins.top = narrow && !this.film ? 120 : 70;
    // On a phone, settings and numbers are sheets over the lower part of the picture.
    const sheet = narrow && !this.film ? Math.max(element('panel').offsetHeight, element('selection').offsetHeight) : 0;
    margins.bottom = transport + 56 + sheet;
    margins.left = 16;
    margins.right = panel ? 230 : 16;
    this.stage.refit();
    this.legendPixels = 0;
  }

  private legend(): void {
    const pixels = this.show.arrowLength * this.show.options.scale * this.stage.pixelsPerUnit;
    if (pixels === this.legendPixels) return;
    this.legendPixels = pixels;
    updateLegend(this.show, pixels);
  }

  private shortcuts(): Shortcut[] {
    const on = this.show.options;
    const key = (keys: string, shown: string[], about: string, run: (event: KeyboardEvent) => void): Shortcut =>
      ({ keys: keys === ' ' ? [' '] : keys.split(' '), shown, about, run });
    return [
      key(' ', ['Space'], 'play or pause', () => this.togglePlay()),
      key('ArrowLeft', ['←'], 'one frame back (Shift: ten)', (event) => this.stepFrames(event.shiftKey ? -10 : -1)),
      key('ArrowRight', ['→'], 'one frame forward (Shift: ten)', (event) => this.stepFrames(event.shiftKey ? 10 : 1)),
      key('Home', ['Home'], 'to the beginning', () => this.seek(this.clock.begin)),
      key('End', ['End'], 'to the end', () => this.seek(this.clock.end)),
      key(', <', [','], 'slower', () => this.changeSpeed(-1)),
      key('. >', ['.'], 'faster', () => this.changeSpeed(1)),
      key('l', ['L'], 'play over and over', () => (this.clock.loop = !this.clock.loop)),
      key('f', ['F'], 'force arrows', () => this.set('arrows', !on.arrows)),
      key('g', ['G'], 'force chains', () => this.set('chains', !on.chains)),
      key('o', ['O'], 'opening contacts', () => this.set('openings', !on.openings)),
      key('m', ['M'], 'mechanism', () => this.set('mechanism', !on.mechanism)),
      key('c', ['C'], 'next colouring', () => this.nextColour()),
      key('p', ['P'], 'plots', () => this.setPlots(document.body.classList.contains('no-plots'))),
      key('[ ]', ['[', ']'], 'previous or next body', (event) => this.selection.step(event.key === ']' ? 1 : -1)),
      key('2 0', ['2'], 'front view, everything in sight', () => this.stage.front()),
      key('3', ['3'], this.inSpace ? 'view from a corner, as at first' : 'tilted view', () => this.tilt()),
      ...(this.inSpace
        ? [key('4', ['4'], 'side view', () => this.stage.look(Math.PI / 2, 0)), key('5', ['5'], 'top view', () => this.stage.look(0, Math.PI / 2))]
        : []),
      key('+ =', ['+'], 'larger', () => this.stage.enlarge(1.25)),
      key('- _', ['−'], 'smaller', () => this.stage.enlarge(0.8)),
      key('t', ['T'], 'dark or light', () => this.theme.toggle()),
      key('s', ['S'], 'settings', () => this.setPanel(document.body.classList.contains('no-panel'))),
      key('? h', ['?'], 'this help', () => this.help()),
      key('Escape', ['Esc'], 'no selection', () => this.selection.select(-1)),
    ];
  }
}
