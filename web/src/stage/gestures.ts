/// Mouse, pen and touch on the canvas. From the front, dragging moves the picture; once it is tilted (and in
/// space), dragging turns it. The right button, or Shift, does the other of the two. Two fingers move and
/// enlarge, the wheel enlarges, a double click shows everything.
import type { StageCamera } from './camera';

export interface GestureCallbacks {
  changed(): void;
  /// A short press without movement.
  tap(x: number, y: number): void;
  hover?(x: number, y: number): void;
  /// Asked when a drag begins: `true` leaves the pointer to the caller, who then handles its events itself.
  claim?(event: PointerEvent): boolean;
}

const kTapDistance = 6;

export class Gestures {
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private travelled = 0;
  private several = false;
  private readonly stop = new AbortController();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly camera: StageCamera,
    private readonly callbacks: GestureCallbacks,
  ) {
    const listen = <K extends keyof HTMLElementEventMap>(
      type: K, handler: (event: HTMLElementEventMap[K]) => void, passive = true,
    ): void => canvas.addEventListener(type, handler, { signal: this.stop.signal, passive });
    canvas.style.touchAction = 'none';
    listen('pointerdown', (event) => this.down(event));
    listen('pointermove', (event) => this.move(event));
    listen('pointerup', (event) => this.up(event));
    listen('pointercancel', (event) => this.pointers.delete(event.pointerId));
    listen('wheel', (event) => this.wheel(event), false);
    listen('contextmenu', (event) => event.preventDefault(), false);
    listen('dblclick', () => {
      camera.fit();
      callbacks.changed();
    });
  }

  dispose(): void {
    this.stop.abort();
  }

  private at(event: { clientX: number; clientY: number }): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private down(event: PointerEvent): void {
    if (this.pointers.size === 0 && this.callbacks.claim?.(event)) return;
    this.canvas.setPointerCapture(event.pointerId);
    if (this.pointers.size === 0) {
      this.travelled = 0;
      this.several = false;
    } else {
      this.several = true;
    }
    this.pointers.set(event.pointerId, this.at(event));
  }

  private move(event: PointerEvent): void {
    const now = this.at(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (this.pointers.size === 0) this.callbacks.hover?.(now.x, now.y);
      return;
    }
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    this.travelled += Math.abs(dx) + Math.abs(dy);
    if (this.pointers.size === 1) {
      if (this.travelled < kTapDistance && event.pointerType !== 'mouse') return;
      const other = event.shiftKey || (event.buttons & 2) !== 0 || (event.buttons & 4) !== 0;
      if (this.camera.tilted !== other) this.camera.orbit(dx, dy);
      else this.camera.pan(dx, dy);
      this.pointers.set(event.pointerId, now);
    } else {
      const partner = [...this.pointers.entries()].find(([id]) => id !== event.pointerId)?.[1] ?? before;
      const distance = (p: { x: number; y: number }): number => Math.hypot(p.x - partner.x, p.y - partner.y);
      const factor = distance(now) / Math.max(1, distance(before));
      this.camera.pan(dx / 2, dy / 2);
      this.camera.zoom(factor, 0.5 * (now.x + partner.x), 0.5 * (now.y + partner.y));
      this.pointers.set(event.pointerId, now);
    }
    this.callbacks.changed();
  }

  private up(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.pointers.size === 0 && !this.several && this.travelled < kTapDistance && event.button === 0) {
      const { x, y } = this.at(event);
      this.callbacks.tap(x, y);
    }
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.at(event);
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1;
    this.camera.zoom(Math.exp(-Math.max(-240, Math.min(240, event.deltaY * lines)) * 0.0022), x, y);
    this.callbacks.changed();
  }
}
