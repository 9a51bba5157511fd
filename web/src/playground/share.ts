/// A link that holds the scene: `#scene=` and the text, deflated, in the letters of base64url.
import { kMostBytes, Unreadable } from './document';

const kKey = '#scene=';

async function through(bytes: Uint8Array, stream: TransformStream<Uint8Array, Uint8Array>, most: number): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>).getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    // A link of a kilobyte may unfold to a gigabyte.
    if (length > most) {
      void reader.cancel();
      throw new Unreadable('The scene in the link is too large.');
    }
    pieces.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

export async function toFragment(text: string): Promise<string> {
  const deflated = await through(new TextEncoder().encode(text), new CompressionStream('deflate') as never, Infinity);
  let binary = '';
  for (const byte of deflated) binary += String.fromCharCode(byte);
  return kKey + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/// The scene in the fragment of an address; nothing if it holds none. Throws Unreadable if it is damaged.
export async function fromFragment(fragment: string): Promise<string | undefined> {
  if (!fragment.startsWith(kKey)) return undefined;
  try {
    const base64 = fragment.slice(kKey.length).replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const text = await through(bytes, new DecompressionStream('deflate') as never, kMostBytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('The scene in the link is damaged: part of the link may be missing.');
  }
}
