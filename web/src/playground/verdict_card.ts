/// Where the page says whether it stands. What it is about is in the data of the element too, for tests.
import { h } from './dom';
import type { Words } from './words';

export class VerdictCard {
  private readonly title = h('h2', {});
  private readonly lines = h('div', { class: 'lines' });
  readonly element = h('section', { class: 'card verdict', 'aria-label': 'Verdict', 'aria-live': 'polite' }, this.title, this.lines);

  show(words: Words, numbers: Record<string, number | string | undefined> = {}): void {
    this.element.dataset.state = words.state;
    for (const [key, value] of Object.entries(numbers)) {
      if (value === undefined) delete this.element.dataset[key];
      else this.element.dataset[key] = String(value);
    }
    this.title.textContent = words.title;
    this.lines.replaceChildren(...words.lines.filter((line) => line !== '').map((line) => h('p', {}, line)));
  }

}
