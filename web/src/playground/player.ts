/// Plays a scene: asks the engine for steps at the pace of the clock, and goes slower where the engine is slower.
import type { Engine, MotionFrame } from '../engine';

export interface PlayerCallbacks {
  frame(frame: MotionFrame): void;
  /// Playing, paused, or nothing to play; `trouble` is a message for the user.
  changed(trouble?: Error): void;
}

export type PlayerState = 'off' | 'playing' | 'paused' | 'ended';

/// No more steps at a time, however late it is: then the motion is slow, but smooth.
const kMostSteps = 4;

export class Player {
  state: PlayerState = 'off';
  time = 0;
  /// The last frame came to rest.
  resting = false;
  private step = 1 / 60;
  private due = 0;
  private before = 0;
  private waiting = false;
  private generation = 0;

  constructor(private readonly engine: Engine, private readonly callbacks: PlayerCallbacks) {}

  async start(text: string): Promise<void> {
    const generation = ++this.generation;
    this.state = 'playing';
    this.time = 0;
    this.callbacks.changed();
    try {
      const frame = await this.engine.beginMotion(text);
      if (generation !== this.generation) return;
      this.step = frame.account.step;
      this.due = 0;
      this.before = performance.now();
      this.callbacks.frame(frame);
      this.tick(generation);
    } catch (error) {
      this.fail(error, generation);
    }
  }

  pause(): void {
    if (this.state === 'playing') this.state = 'paused';
    this.callbacks.changed();
  }

  resume(): void {
    if (this.state !== 'paused') return;
    this.state = 'playing';
    this.before = performance.now();
    this.callbacks.changed();
    this.tick(this.generation);
  }

  stop(): void {
    ++this.generation;
    this.state = 'off';
    this.time = 0;
    this.callbacks.changed();
  }

  /// One step, while paused.
  async single(): Promise<void> {
    if (this.state === 'paused') await this.advance(1, this.generation);
  }

  private tick(generation: number): void {
    requestAnimationFrame((now) => {
      if (generation !== this.generation || this.state !== 'playing') return;
      this.due = Math.min(kMostSteps, this.due + (now - this.before) / 1000 / this.step);
      this.before = now;
      if (!this.waiting && this.due >= 1) {
        const count = Math.floor(this.due);
        this.due -= count;
        void this.advance(count, generation);
      }
      this.tick(generation);
    });
  }

  private async advance(count: number, generation: number): Promise<void> {
    this.waiting = true;
    try {
      const frame = await this.engine.stepMotion(count);
      if (generation !== this.generation) return;
      this.time = frame.account.time;
      this.resting = frame.account.resting;
      this.callbacks.frame(frame);
      if (this.resting) {
        this.state = 'ended';
        this.callbacks.changed();
      }
    } catch (error) {
      this.fail(error, generation);
    } finally {
      this.waiting = false;
    }
  }

  private fail(error: unknown, generation: number): void {
    if (generation !== this.generation) return;
    ++this.generation;
    this.state = 'off';
    this.callbacks.changed(error as Error);
  }
}
