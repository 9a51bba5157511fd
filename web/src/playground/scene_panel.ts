/// What belongs to the whole scene: which one, its options, and friction.
import type { GalleryEntry } from '../engine';
import { defaultFriction, type SceneDocument } from './document';
import { h } from './dom';
import { frictionField, type NumberField } from './fields';
import type { Rational } from './rational';

export interface ScenePanelCallbacks {
  gallery(name: string, options: Record<string, string>): void;
  empty(): void;
  friction(value: Rational, done: boolean): void;
}

const kEmpty = '';
const kOwn = '\n';

export class ScenePanel {
  private entries: readonly GalleryEntry[] = [];
  private readonly select = h('select', { id: 'gallery', 'aria-label': 'Scene' });
  private readonly about = h('p', { class: 'about' });
  private readonly options = h('div', { class: 'fields' });
  private readonly friction: NumberField;
  readonly element: HTMLElement;

  constructor(private readonly callbacks: ScenePanelCallbacks) {
    this.select.addEventListener('change', () => this.chosen());
    this.friction = frictionField('Friction of all', (value, done) => callbacks.friction(value, done));
    this.element = h('section', { class: 'card scene', 'aria-label': 'Scene' },
      h('label', { class: 'field wide', for: 'gallery' }, h('span', {}, 'Scene'), this.select),
      this.about, this.options, this.friction.element);
    this.setGallery([]);
  }

  setGallery(entries: readonly GalleryEntry[]): void {
    this.entries = entries;
    this.select.replaceChildren(
      h('option', { value: kOwn, disabled: true, hidden: true }, 'your own'),
      h('option', { value: kEmpty }, 'empty ground'),
      ...entries.map((entry) => h('option', { value: entry.name }, entry.name)));
  }

  /// The scene of that name is shown; `undefined`: one that is not from the gallery.
  showName(name: string | undefined): void {
    const entry = this.entries.find((candidate) => candidate.name === name);
    this.select.value = entry ? entry.name : name === kEmpty ? kEmpty : kOwn;
    this.about.textContent = entry?.about ?? '';
    this.options.replaceChildren(...(entry?.options ?? []).filter((option) => option.name !== 'friction').map((option) => {
      const input = h('input', {
        type: 'text', value: option.default, name: option.name, title: option.about, autocomplete: 'off', spellcheck: 'false',
        change: () => this.remake(),
      });
      return h('label', { class: 'field' }, h('span', { title: option.about }, option.name), input);
    }));
  }

  showDocument(document: SceneDocument): void {
    this.friction.show(defaultFriction(document));
  }

  /// As the fields have them.
  private given(): Record<string, string> {
    const inputs = [...this.options.querySelectorAll('input')];
    return Object.fromEntries(inputs.filter((input) => input.value !== input.defaultValue).map((input) => [input.name, input.value.trim()]));
  }

  private remake(): void {
    this.callbacks.gallery(this.select.value, this.given());
  }

  private chosen(): void {
    const name = this.select.value;
    this.showName(name);
    if (name === kEmpty) this.callbacks.empty();
    else this.callbacks.gallery(name, {});
  }
}
