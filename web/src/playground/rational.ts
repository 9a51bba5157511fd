/// Exact numbers, as the scene format has them: `0.25`, `"1/4"`, `-3.5e-2`.

const abs = (x: bigint): bigint => (x < 0n ? -x : x);

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [abs(a), abs(b)];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

const kNumber = /^(-?)(0|[1-9]\d*)(?:\/([1-9]\d*)|(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?)$/;
const kMostDigits = 1000;
const kLargestExponent = 300;

export class Rational {
  static readonly zero = new Rational(0n, 1n);
  static readonly one = new Rational(1n, 1n);

  /// In lowest terms, the denominator positive.
  private constructor(readonly top: bigint, readonly bottom: bigint) {}

  static of(top: bigint | number, bottom: bigint | number = 1n): Rational {
    let [p, q] = [BigInt(top), BigInt(bottom)];
    if (q === 0n) throw new RangeError('division by zero');
    if (q < 0n) [p, q] = [-p, -q];
    const common = gcd(p, q);
    return common > 1n ? new Rational(p / common, q / common) : new Rational(p, q);
  }

  /// A number as a scene writes it; nothing if it is none or beyond the format's limits.
  static parse(written: unknown): Rational | undefined {
    if (typeof written !== 'number' && typeof written !== 'string') return undefined;
    const text = String(written);
    if (text.length > kMostDigits + 10) return undefined;
    const match = kNumber.exec(text);
    if (!match) return undefined;
    const [, sign, whole, denominator, decimals = '', exponent = '0'] = match;
    if (Math.abs(Number(exponent)) > kLargestExponent) return undefined;
    const power = Number(exponent) - decimals.length;
    const digits = BigInt(sign + whole + decimals);
    if (denominator) return Rational.of(digits, BigInt(denominator));
    return power < 0 ? Rational.of(digits, 10n ** BigInt(-power)) : Rational.of(digits * 10n ** BigInt(power));
  }

  /// Exactly this double.
  static ofDouble(value: number): Rational {
    if (!Number.isFinite(value)) throw new RangeError('not a finite number');
    let [mantissa, exponent] = [value, 0];
    while (!Number.isInteger(mantissa)) {
      mantissa *= 2;
      ++exponent;
    }
    return Rational.of(BigInt(mantissa), 1n << BigInt(exponent));
  }

  /// The multiple of `unit` nearest to a double.
  static nearest(value: number, unit: Rational): Rational {
    return unit.times(Rational.of(BigInt(Math.round(value / unit.value))));
  }

  plus(other: Rational): Rational {
    return Rational.of(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }
  minus(other: Rational): Rational {
    return Rational.of(this.top * other.bottom - other.top * this.bottom, this.bottom * other.bottom);
  }
  times(other: Rational): Rational {
    return Rational.of(this.top * other.top, this.bottom * other.bottom);
  }
  over(other: Rational): Rational {
    return Rational.of(this.top * other.bottom, this.bottom * other.top);
  }
  get negative(): Rational {
    return new Rational(-this.top, this.bottom);
  }
  get half(): Rational {
    return Rational.of(this.top, 2n * this.bottom);
  }
  get sign(): number {
    return this.top > 0n ? 1 : this.top < 0n ? -1 : 0;
  }
  equals(other: Rational): boolean {
    return this.top === other.top && this.bottom === other.bottom;
  }
  below(other: Rational): boolean {
    return this.top * other.bottom < other.top * this.bottom;
  }

  /// The square root if it is rational.
  get root(): Rational | undefined {
    if (this.top < 0n) return undefined;
    const [p, q] = [wholeRoot(this.top), wholeRoot(this.bottom)];
    return p !== undefined && q !== undefined ? new Rational(p, q) : undefined;
  }

  /// The nearest double, or one beside it.
  get value(): number {
    const long = Math.max(this.top.toString(16).length, this.bottom.toString(16).length);
    if (long <= 13) return Number(this.top) / Number(this.bottom);
    // 70 bits more of the quotient than one needs.
    const shift = BigInt(Math.max(0, this.bottom.toString(2).length - abs(this.top).toString(2).length + 70));
    const scaled = Number((this.top << shift) / this.bottom);
    return Number(shift) > 1000 ? scaled / 2 ** 1000 / 2 ** (Number(shift) - 1000) : scaled / 2 ** Number(shift);
  }

  /// The shortest way to write it in a scene: a JSON number where that is exact, else a fraction.
  get written(): number | string {
    const decimal = this.decimal();
    if (decimal === undefined) return `${this.top}/${this.bottom}`;
    const number = Number(decimal);
    return String(number) === decimal ? number : decimal;
  }

  get text(): string {
    return String(this.written);
  }

  private decimal(): string | undefined {
    let rest = this.bottom;
    let [twos, fives] = [0, 0];
    for (; rest % 2n === 0n; rest /= 2n) ++twos;
    for (; rest % 5n === 0n; rest /= 5n) ++fives;
    const places = Math.max(twos, fives);
    if (rest !== 1n || places > 12) return undefined;
    const digits = ((abs(this.top) * 10n ** BigInt(places)) / this.bottom).toString().padStart(places + 1, '0');
    const whole = digits.slice(0, digits.length - places);
    const sign = this.top < 0n ? '-' : '';
    return places === 0 ? sign + whole : `${sign}${whole}.${digits.slice(digits.length - places)}`;
  }
}

function wholeRoot(x: bigint): bigint | undefined {
  if (x < 2n) return x;
  let root = 1n << BigInt((x.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + x / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  return root * root === x ? root : undefined;
}

/// A point or vector of exact numbers.
export interface Point {
  x: Rational;
  y: Rational;
}

export const point = (x: Rational, y: Rational): Point => ({ x, y });
export const add = (p: Point, q: Point): Point => point(p.x.plus(q.x), p.y.plus(q.y));
export const subtract = (p: Point, q: Point): Point => point(p.x.minus(q.x), p.y.minus(q.y));
export const scale = (p: Point, factor: Rational): Point => point(p.x.times(factor), p.y.times(factor));
export const dot = (p: Point, q: Point): Rational => p.x.times(q.x).plus(p.y.times(q.y));
export const cross = (p: Point, q: Point): Rational => p.x.times(q.y).minus(p.y.times(q.x));
/// A quarter turn to the left.
export const left = (p: Point): Point => point(p.y.negative, p.x);
export const origin: Point = point(Rational.zero, Rational.zero);

export function parsePoint(written: unknown): Point | undefined {
  if (!Array.isArray(written) || written.length !== 2) return undefined;
  const [x, y] = [Rational.parse(written[0]), Rational.parse(written[1])];
  return x && y ? point(x, y) : undefined;
}
