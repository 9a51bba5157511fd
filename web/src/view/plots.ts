/// Curves over time under the drawing. Each is painted once per size; only the cursor moves.
import { momentAt } from './timeline';
import { quantity, ticks } from './scales';

export interface Curve {
  label: string;
  /// Name of a CSS variable.
  colour: string;
  values: Float64Array;
  /// Taken from the values where they are drawn: energies are known up to a constant only.
  base?: number;
}

/// The interval that all curves fit in. Flat ones lie in its middle.
export function valueRange(curves: readonly Curve[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { values, base = 0 } of curves) {
    for (const absolute of values) {
      const value = absolute - base;
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (!(low <= high)) return [0, 1];
  const room = high > low ? 0.06 * (high - low) : Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

/// For each of `columns` pixels, the least and largest value in it: no peak is lost, however many frames there are.
export function envelope(times: Float64Array, values: Float64Array, columns: number): { low: Float64Array; high: Float64Array } {
  const [low, high] = [new Float64Array(columns).fill(NaN), new Float64Array(columns).fill(NaN)];
  const [begin, end] = [times[0], times[times.length - 1]];
  const column = (time: number): number =>
    end > begin ? Math.min(columns - 1, Math.max(0, Math.floor(((time - begin) / (end - begin)) * columns))) : 0;
  const put = (c: number, value: number): void => {
    if (!Number.isFinite(value)) return;
    low[c] = low[c] < value ? low[c] : value;
    high[c] = high[c] > value ? high[c] : value;
  };
  for (let i = 0; i < times.length; ++i) {
    const to = column(times[i]);
    put(to, values[i]);
    if (i === 0) continue;
    const from = column(times[i - 1]);
    for (let c = from + 1; c < to; ++c) put(c, values[i - 1] + ((c - from) / (to - from)) * (values[i] - values[i - 1]));
  }
  return { low, high };
}

export class Plot {
  private readonly canvas = document.createElement('canvas');
  private readonly cursor = document.createElement('div');
  private readonly numbers: HTMLElement[] = [];
  private readonly range: [number, number];

  constructor(
    root: HTMLElement, legend: HTMLElement, title: string, private readonly times: Float64Array, private readonly curves: readonly Curve[],
    onSeek: (time: number) => void,
  ) {
    this.range = valueRange(curves);
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `${title} over time`);
    this.cursor.className = 'cursor';
    for (const curve of curves) {
      const [label, number] = [document.createElement('span'), document.createElement('output')];
      label.className = `key key-${curve.colour}`;
      label.textContent = curve.label;
      legend.append(label, number);
      this.numbers.push(number);
    }
    root.append(this.canvas, this.cursor);
    const seek = (event: PointerEvent): void => {
      const box = this.canvas.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      onSeek(times[0] + share * (times[times.length - 1] - times[0]));
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) seek(event);
    });
    new ResizeObserver(() => this.paint()).observe(this.canvas);
  }

  show(time: number): void {
    const [begin, end] = [this.times[0], this.times[this.times.length - 1]];
    const share = end > begin ? (time - begin) / (end - begin) : 0;
    this.cursor.style.left = `calc(var(--thumb) / 2 + ${share} * (100% - var(--thumb)))`;
    const moment = momentAt(this.times, time);
    this.curves.forEach(({ values }, i) => {
      this.numbers[i].textContent = quantity(values[moment.share < 0.5 ? moment.before : moment.after]);
    });
  }

  /// Again, with the colours of the present theme.
  paint(): void {
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const [width, height] = [Math.round(this.canvas.clientWidth * ratio), Math.round(this.canvas.clientHeight * ratio)];
    if (width < 2 || height < 2) return;
    this.canvas.width = width;
    this.canvas.height = height;
    const context = this.canvas.getContext('2d');
    if (!context) return;
    const style = getComputedStyle(document.documentElement);
    const [low, high] = this.range;
    const y = (value: number): number => height - ((value - low) / (high - low)) * height;
    context.fillStyle = style.getPropertyValue('--faint');
    for (const value of ticks(low, high, 3)) context.fillRect(0, Math.round(y(value)), width, Math.max(1, ratio / 2));
    for (const curve of this.curves) {
      const base = curve.base ?? 0;
      const columns = envelope(this.times, curve.values, width);
      context.fillStyle = style.getPropertyValue(`--${curve.colour}`);
      const line = 1.4 * ratio;
      let [lastLow, lastHigh] = [NaN, NaN];
      for (let x = 0; x < width; ++x) {
        let [top, bottom] = [y(columns.high[x] - base), y(columns.low[x] - base)];
        if (Number.isNaN(top)) continue;
        if (top > lastLow) top = lastLow;  // joins on to the column before
        if (bottom < lastHigh) bottom = lastHigh;
        context.fillRect(x, top - line / 2, 1, bottom - top + line);
        [lastHigh, lastLow] = [y(columns.high[x] - base), y(columns.low[x] - base)];
      }
    }
  }
}
