/// Inputs for exact numbers: whatever a scene may hold, `0.25` or `1/4`.
import { h } from './dom';
import { Rational } from './rational';

export interface NumberField {
  element: HTMLLabelElement;
  show(written: string): void;
}

let count = 0;

/// `use` gets what was typed once it is a number that `fits`; until then the field says that it is not.
export function numberField(label: string, use: (value: Rational) => void, fits: (value: Rational) => boolean = () => true): NumberField {
  const id = `field-${++count}`;
  const input = h('input', { id, type: 'text', inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false' });
  let shown = '';
  input.addEventListener('change', () => {
    const text = input.value.trim().replace(',', '.').replace('−', '-');
    const value = Rational.parse(text);
    const good = value !== undefined && fits(value);
    input.setAttribute('aria-invalid', String(!good));
    if (good && text !== shown) use(value);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.value = shown;
      input.blur();
    }
  });
  return {
    element: h('label', { class: 'field', for: id }, h('span', {}, label), input),
    show: (written) => {
      shown = written;
      input.setAttribute('aria-invalid', 'false');
      if (document.activeElement !== input || input.value !== written) input.value = written;
    },
  };
}

/// A slider with the number beside it, for friction: 0 to 1 by hand, any number by typing.
export function frictionField(label: string, use: (value: Rational, done: boolean) => void): NumberField {
  const slider = h('input', { type: 'range', min: 0, max: 1, step: 0.05, 'aria-label': `${label}, slider` });
  const number = numberField(label, (value) => use(value, true), (value) => value.sign >= 0);
  const sliderValue = (): Rational => Rational.parse(slider.value) ?? Rational.zero;
  slider.addEventListener('input', () => use(sliderValue(), false));
  slider.addEventListener('change', () => use(sliderValue(), true));
  number.element.classList.add('wide');
  number.element.append(slider);
  return {
    element: number.element,
    show: (written) => {
      number.show(written);
      slider.value = String(Rational.parse(written)?.value ?? 0);
    },
  };
}
