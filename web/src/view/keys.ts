/// Keyboard shortcuts and the page of help that lists them.
import { element, made } from './page';

export interface Shortcut {
  keys: string[];
  /// How the help names the keys.
  shown: string[];
  about: string;
  run(event: KeyboardEvent): void;
}

/// Keys belong to a control that uses them itself.
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (target instanceof HTMLDialogElement || (target instanceof Element && target.closest('dialog'))) return true;
  if (target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) {
    const arrows = event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End';
    return target.type === 'range' ? arrows && target.id !== 'time' : event.key === ' ';
  }
  return target instanceof HTMLButtonElement && (event.key === ' ' || event.key === 'Enter');
}

export function listenToKeys(shortcuts: readonly Shortcut[]): void {
  document.addEventListener('keydown', (event) => {
    if (isTaken(event)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = shortcuts.find((shortcut) => shortcut.keys.includes(key));
    if (!found) return;
    event.preventDefault();
    found.run(event);
  });
  element('keys').replaceChildren(
    ...shortcuts.filter(({ shown }) => shown.length > 0).flatMap(({ shown, about }) => {
      const keys = made('dt');
      keys.append(...shown.map((text) => made('kbd', text)));
      return [keys, made('dd', about)];
    }),
  );
}
