/// Elements without markup: whatever text a scene holds, it stays text.

type Attributes = { [name: string]: string | number | boolean | ((event: never) => void) | undefined };

function fill(element: Element, attributes: Attributes, children: readonly (Node | string)[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Node[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

/// Lines of a drawing of 24 by 24.
export const icon = (path: string): SVGElement =>
  svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, svg('path', { d: path }));

export const icons = {
  brick: 'M3 8h18v8H3z',
  polygon: 'M4 19 9 5l11 4-3 10z',
  disk: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  ground: 'M3 12h18M6 12l-3 5M11 12l-3 5M16 12l-3 5M21 12l-3 5',
  undo: 'M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6',
  redo: 'M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6',
  play: 'M7 4v16l13-8z',
  pause: 'M8 5v14M16 5v14',
  reset: 'M4 12a8 8 0 1 0 3-6M4 4v5h5',
  open: 'M4 7V5h6l2 2h8v12H4z',
  save: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  share: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4v16',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  copy: 'M8 8h12v12H8zM4 16V4h12',
  help: 'M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 18v.5',
};

/// A button with a picture and a name that screen readers say and a pointer shows.
export function button(name: string, picture: string, action: () => void, label = ''): HTMLButtonElement {
  const element = h('button', { type: 'button', 'aria-label': name, title: name, click: action }, icon(picture));
  if (label) element.append(h('span', {}, label));
  return element;
}
