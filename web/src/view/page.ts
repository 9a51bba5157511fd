/// The page's elements. All that comes from a file is written with textContent.

export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element "${id}"`);
  return found as T;
}

/// A new element with text.
export function made(tag: string, text = '', className = ''): HTMLElement {
  const node = document.createElement(tag);
  node.textContent = text;
  if (className) node.className = className;
  return node;
}

export function toggleClass(name: string, on: boolean): void {
  document.body.classList.toggle(name, on);
}

/// Instead of everything else.
export function showMessage(text: string): void {
  const box = element('message');
  box.textContent = text;
  box.hidden = false;
}
