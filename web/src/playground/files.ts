/// Scenes from and to files.
import { kMostBytes, Unreadable } from './document';

/// The size is looked at before anything is read.
export async function readFile(file: Blob): Promise<string> {
  if (file.size > kMostBytes) {
    throw new Unreadable(
      `The file has ${Math.round(file.size / (1 << 20))} MB; the playground opens up to ${kMostBytes >> 20} MB.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Unreadable('This is not a scene: the file is not text.');
  }
}

export function chooseFile(use: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.json,application/json';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) use(file);
  });
  input.click();
}

export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 60) || 'scene'}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/// Files that are dropped anywhere on the page.
export function onDrop(target: HTMLElement, use: (file: File) => void): void {
  target.addEventListener('dragover', (event) => {
    event.preventDefault();
    target.classList.add('dropping');
  });
  target.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) target.classList.remove('dropping');
  });
  target.addEventListener('drop', (event) => {
    event.preventDefault();
    target.classList.remove('dropping');
    const file = event.dataTransfer?.files[0];
    if (file) use(file);
  });
}
