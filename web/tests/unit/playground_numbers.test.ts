import { describe, expect, it } from 'vitest';
import { quoteLongNumbers, readDocument, Unreadable, writeDocument } from '../../src/playground/document';
import { Rational } from '../../src/playground/rational';

const parse = (text: string | number): Rational => {
  const value = Rational.parse(text);
  if (!value) throw new Error(`${text} is no number`);
  return value;
};

describe('exact numbers', () => {
  it('are read as written', () => {
    expect(parse('0.1').equals(Rational.of(1, 10))).toBe(true);
    expect(parse('-3.5e-2').equals(Rational.of(-7, 200))).toBe(true);
    expect(parse('4/8').equals(Rational.of(1, 2))).toBe(true);
    expect(parse(0.1).equals(Rational.of(1, 10))).toBe(true);
    expect(parse('1e3').equals(Rational.of(1000))).toBe(true);
  });

  it('refuse what the scene format refuses', () => {
    for (const text of ['', '1/0', '01', '1.', '.5', '+1', '1e', 'NaN', '1e301', ' 1', '1'.repeat(2000)]) {
      expect(Rational.parse(text), text).toBeUndefined();
    }
  });

  it('are written as the shortest thing that reads back the same', () => {
    expect(parse('1/4').written).toBe(0.25);
    expect(parse('-7/24').written).toBe('-7/24');
    expect(parse('3').written).toBe(3);
    expect(parse('0.000000001').written).toBe('0.000000001');
    for (const text of ['1/3', '0.1', '-12.5', '123456789/1000', '1/1024', '7/125']) {
      const value = parse(text);
      expect(parse(value.written).equals(value), text).toBe(true);
    }
  });

  it('give the nearest double, of long fractions too', () => {
    expect(parse('1/3').value).toBe(1 / 3);
    expect(Rational.of(10n ** 400n, 3n * 10n ** 400n).value).toBe(1 / 3);
    expect(Rational.of(1n, 10n ** 300n).value).toBeCloseTo(1e-300, 310);
    expect(Rational.ofDouble(0.1).value).toBe(0.1);
    expect(Rational.ofDouble(0.1).equals(parse('0.1'))).toBe(false);
  });

  it('have a square root only if it is rational', () => {
    expect(parse('25/16').root?.equals(parse('5/4'))).toBe(true);
    expect(parse('2').root).toBeUndefined();
  });
});

describe('documents', () => {
  it('keep numbers that doubles cannot hold, as text', () => {
    const text = '{"a": 0.1000000000000000055, "b": "x 1e999 \\" 2.50", "c": 1e400, "d": [1.50, -2]}';
    const json = JSON.parse(quoteLongNumbers(text)) as Record<string, unknown>;
    expect(json).toEqual({ a: '0.1000000000000000055', b: 'x 1e999 " 2.50', c: '1e400', d: ['1.50', -2] });
  });

  it('come back the same after writing and reading', () => {
    const text = '{"collapse":1,"dimension":2,"strange":{"x":[1,"1/3"]},"bodies":[{"name":"a","box":[1,"1/4"]}],"joints":[]}';
    const document = readDocument(text);
    expect(readDocument(writeDocument(document))).toEqual(document);
    expect(JSON.parse(writeDocument(document))).toEqual(JSON.parse(text));
  });

  it('refuse what is no scene, too large or too many', () => {
    for (const text of ['', 'null', '[]', '{"bodies":3}', '{"bodies":[1]}', '{"bodies":', '\u0000']) {
      expect(() => readDocument(text), text).toThrow(Unreadable);
    }
    expect(() => readDocument(' '.repeat(9 << 20))).toThrow(/larger than/);
    expect(() => readDocument(`{"bodies":[${'{},'.repeat(4000)}{}]}`)).toThrow(/4,001 bodies/);
  });
});
