/// Sizes that drawings are scaled by, and numbers as a reader wants them.

/// The value that a share of all values is below. Values that are not finite do not count.
export function quantile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).filter((value) => Number.isFinite(value)).sort();
  if (sorted.length === 0) return 0;
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/// At most so many values, evenly taken from all.
export function sample(values: ArrayLike<number>, most: number): number[] {
  const step = Math.max(1, Math.floor(values.length / most));
  const taken: number[] = [];
  for (let i = 0; i < values.length; i += step) taken.push(values[i]);
  return taken;
}

/// The largest 1, 2 or 5 times a power of ten that is at most `value`; 0 for zero.
export function roundBelow(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const digit of [5, 2, 1]) if (digit * power <= value * (1 + 1e-9)) return digit * power;
  return power;
}

/// Round values about `count` steps apart that cover an interval.
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low) || !Number.isFinite(high - low)) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const digits = rough / power;
  const step = power * (digits < 1.5 ? 1 : digits < 3 ? 2 : digits < 7 ? 5 : 10);
  const values: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) values.push(k * step + 0);
  return values;
}

/// Three digits or so, with a true minus sign; powers of ten where the number is very large or small.
export function quantity(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text =
    size >= 1e6 || size < 1e-3
      ? value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e')
      : String(Number(value.toPrecision(digits)));
  return text.replace(/-/g, '−');
}

/// A time with as many decimals as frames need.
export const clockText = (time: number): string => time.toFixed(2).replace('-', '−');

export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
