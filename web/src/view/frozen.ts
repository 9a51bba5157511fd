/// Which bodies are frozen at a frame: from the frames where they froze or thawed.
import type { Freezes } from './data';

export class Frozen {
  /// Of each body, at `frame`.
  readonly now: Uint8Array;
  private frame = -1;

  constructor(private readonly freezes: Freezes, bodies: number) {
    this.now = new Uint8Array(bodies);
  }

  get everAny(): boolean {
    return this.freezes.bodies.length > 0;
  }

  get count(): number {
    return this.now.reduce((sum, frozen) => sum + frozen, 0);
  }

  /// True if it is not as it was. Each change undoes itself, so that one gets back the same way.
  goTo(frame: number): boolean {
    const { first, bodies } = this.freezes;
    const [low, high] = [Math.min(frame, this.frame) + 1, Math.max(frame, this.frame) + 1];
    this.frame = frame;
    for (let i = first[low]; i < first[high]; ++i) this.now[bodies[i]] ^= 1;
    return first[high] > first[low];
  }
}
