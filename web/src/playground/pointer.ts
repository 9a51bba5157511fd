/// A pointer that is down, until it is up again. However often it moves, `move` is called once per picture.

const kStill = 3;  // pixels within which a press is not a drag

export interface PointerCallbacks {
  move(event: PointerEvent): void;
  end(): void;
}

export function followPointer(element: HTMLElement, down: PointerEvent, callbacks: PointerCallbacks): void {
  const stop = new AbortController();
  let latest: PointerEvent | undefined;
  let frame = 0;
  const listen = (type: 'pointermove' | 'pointerup' | 'pointercancel', use: (event: PointerEvent) => void): void =>
    element.addEventListener(type, (event) => { if (event.pointerId === down.pointerId) use(event); }, { signal: stop.signal });
  const end = (event: PointerEvent): void => {
    stop.abort();
    cancelAnimationFrame(frame);
    if (frame && latest && event.type === 'pointerup') callbacks.move(latest);
    callbacks.end();
  };
  element.setPointerCapture(down.pointerId);
  listen('pointermove', (event) => {
    if (!latest && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < kStill) return;
    latest = event;
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      if (latest) callbacks.move(latest);
    });
  });
  listen('pointerup', end);
  listen('pointercancel', end);
}
