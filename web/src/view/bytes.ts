/// Numbers from bytes, as docs/view.md describes them.

/// What a reader is told who opens a damaged page.
export class BadData extends Error {}

export class Reader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  take(length: number): Uint8Array {
    if (length > this.left) this.cutOff();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  length(): number {
    this.take(4);
    return this.view.getUint32(this.at - 4, true);
  }

  real(): number {
    this.take(8);
    return this.view.getFloat64(this.at - 8, true);
  }

  /// Up to 2⁵³; without shifts, which have 32 bits only.
  count(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      if (this.at >= this.bytes.length) this.cutOff();
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
      if (scale > 2 ** 56) throw new BadData('The data in this page is damaged: a number is too long.');
    }
  }

  /// A count of things of which each takes at least one byte: so many must still be there.
  countOfThings(): number {
    const count = this.count();
    if (count > this.left) this.cutOff();
    return count;
  }

  whole(): number {
    const value = this.count();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  private cutOff(): never {
    throw new BadData('The data in this page is damaged or was cut off.');
  }
}

/// A typed array that grows.
export class Growing<A extends Float64Array | Uint32Array | Uint8Array> {
  length = 0;

  constructor(private array: A) {}

  push(value: number): void {
    if (this.length === this.array.length) {
      const larger = new (this.array.constructor as new (length: number) => A)(2 * this.length + 64);
      larger.set(this.array);
      this.array = larger;
    }
    this.array[this.length++] = value;
  }

  /// Of exactly the length.
  trimmed(): A {
    return this.array.slice(0, this.length) as A;
  }
}
