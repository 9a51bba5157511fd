/// Undo and redo: documents are values, so that going back is taking an older one.

export class History<T> {
  private readonly past: T[] = [];
  private future: T[] = [];

  constructor(private now: T, private readonly most = 200) {}

  get current(): T {
    return this.now;
  }
  get canUndo(): boolean {
    return this.past.length > 0;
  }
  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /// A new state; what was undone before is gone.
  push(next: T): void {
    if (next === this.now) return;
    this.past.push(this.now);
    if (this.past.length > this.most) this.past.shift();
    this.future = [];
    this.now = next;
  }

  undo(): T {
    if (this.past.length > 0) {
      this.future.push(this.now);
      this.now = this.past.pop()!;
    }
    return this.now;
  }

  redo(): T {
    if (this.future.length > 0) {
      this.past.push(this.now);
      this.now = this.future.pop()!;
    }
    return this.now;
  }

  /// Nothing to go back to.
  reset(state: T): void {
    this.past.length = 0;
    this.future = [];
    this.now = state;
  }
}
