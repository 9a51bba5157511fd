/// Grips of the selected body and lines that show what a dragged body was pulled to, drawn over the stage.
import { svg } from './dom';
import type { Grip } from './shapes';
import type { Guide } from './snapping';

export interface HandleCallbacks {
  toPixel(x: number, y: number): [number, number];
  begin(grip: Grip, event: PointerEvent): void;
}

export class Handles {
  readonly element = svg('svg', { class: 'handles', 'aria-hidden': 'true' });
  private grips: readonly Grip[] = [];
  private guides: readonly Guide[] = [];

  constructor(private readonly callbacks: HandleCallbacks, parent: HTMLElement) {
    parent.append(this.element);
  }

  show(grips: readonly Grip[], guides: readonly Guide[]): void {
    this.grips = grips;
    this.guides = guides;
    this.draw();
  }

  /// Again, after the camera has moved.
  draw(): void {
    const at = (p: readonly [number, number]): [number, number] => this.callbacks.toPixel(p[0], p[1]);
    const lines = this.guides.map(({ from, to }) => {
      const [[x1, y1], [x2, y2]] = [at(from), at(to)];
      return svg('line', { class: 'guide', x1, y1, x2, y2 });
    });
    const circles = this.grips.map((grip) => {
      const [cx, cy] = at(grip.at);
      const circle = svg('circle', {
        class: `grip ${grip.kind}`, cx, cy, r: grip.kind === 'turn' ? 7 : 6,
        pointerdown: (event: PointerEvent) => this.callbacks.begin(grip, event),
      });
      circle.append(svg('title', {}, document.createTextNode(grip.name)));
      return circle;
    });
    this.element.replaceChildren(...lines, ...circles);
  }
}
