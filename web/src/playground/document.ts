/// The scene as it is edited: the JSON of a scene file, with what the playground does not know left as it is. Bodies
/// are never changed in place, so that an older document is still there to go back to.
import { Rational } from './rational';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Body = { [key: string]: Json };

export interface SceneDocument {
  readonly [key: string]: Json | readonly Body[];
  readonly bodies: readonly Body[];
}

/// More is for the command line.
export const kMostBytes = 8 * 1024 * 1024;
export const kMostBodies = 3000;

/// The file cannot be edited here; the message is for the user.
export class Unreadable extends Error {}

/// JSON with every number that a double would not give back as it is written put into quotes, which mean the same in a
/// scene.
export function quoteLongNumbers(text: string): string {
  let result = '';
  let done = 0;
  for (let i = 0; i < text.length; ) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      for (++i; i < text.length && text.charCodeAt(i) !== 34; ++i) if (text.charCodeAt(i) === 92) ++i;
      ++i;
    } else if (c === 45 || (c >= 48 && c <= 57)) {
      const begin = i;
      while (i < text.length && /[-+.eE\d]/.test(text[i])) ++i;
      const number = text.slice(begin, i);
      if (String(Number(number)) !== number) {
        result += `${text.slice(done, begin)}"${number}"`;
        done = i;
      }
    } else {
      ++i;
    }
  }
  return result + text.slice(done);
}

/// Only what editing needs is looked at; whether the scene can be used is for the engine to say.
export function readDocument(text: string): SceneDocument {
  if (text.length > kMostBytes) {
    throw new Unreadable(`The file is larger than ${kMostBytes >> 20} MB, the most that the playground opens.`);
  }
  let json: unknown;
  try {
    json = JSON.parse(quoteLongNumbers(text));
  } catch {
    throw new Unreadable('This is not a scene: the file is not JSON.');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new Unreadable('This is not a scene: the file holds no JSON object.');
  }
  const bodies = (json as { bodies?: unknown }).bodies ?? [];
  if (!Array.isArray(bodies) || bodies.some((body) => typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new Unreadable('This is not a scene: "bodies" is not a list of bodies.');
  }
  if (bodies.length > kMostBodies) {
    throw new Unreadable(
      `The scene has ${bodies.length.toLocaleString('en')} bodies; the playground takes up to ` +
        `${kMostBodies.toLocaleString('en')}. The command line has no such limit.`);
  }
  return { ...(json as object), bodies: bodies as Body[] };
}

const line = (value: Json): string => JSON.stringify(value);

/// One body a line, like the scenes of the gallery.
export function writeDocument(document: SceneDocument): string {
  const lists = ['bodies', 'joints', 'loads'];
  const members = Object.entries(document).map(([key, value]) => {
    if (!lists.includes(key) || !Array.isArray(value) || value.length === 0) return `  ${line(key)}: ${line(value as Json)}`;
    return `  ${line(key)}: [\n${value.map((item) => `    ${line(item as Json)}`).join(',\n')}\n  ]`;
  });
  return `{\n${members.join(',\n')}\n}\n`;
}

export const bodyName = (body: Body, index: number): string =>
  typeof body.name === 'string' ? body.name : `body ${index}`;

export function withBody(document: SceneDocument, index: number, body: Body): SceneDocument {
  return { ...document, bodies: document.bodies.map((old, i) => (i === index ? body : old)) };
}

/// At the end, under a name of its own.
export function addBody(document: SceneDocument, body: Body): SceneDocument {
  const names = new Set(document.bodies.map(bodyName));
  const stem = String(body.name ?? 'body').replace(/ \d+$/, '');
  let name = stem;
  for (let i = 2; names.has(name) || name === 'world'; ++i) name = `${stem} ${i}`;
  return { ...document, bodies: [...document.bodies, { name, ...without(body, 'name') }] };
}

export const without = (body: Body, ...keys: string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)));

/// With all joints, loads and exceptions that name it.
export function removeBody(document: SceneDocument, index: number): SceneDocument {
  const name = bodyName(document.bodies[index], index);
  // Names of bodies without one would move up: they get theirs now.
  const bodies = document.bodies
    .map((body, i) => (typeof body.name === 'string' ? body : { name: bodyName(body, i), ...body }))
    .filter((_, i) => i !== index);
  const names = (item: Json): boolean =>
    typeof item === 'object' && item !== null &&
    (Array.isArray(item) ? item.includes(name)
      : item.body === name || (Array.isArray(item.bodies) && item.bodies.includes(name)));
  const result: { [key: string]: Json | readonly Body[] } = { ...document, bodies };
  for (const key of ['joints', 'loads', 'ignore']) {
    const list = document[key];
    if (Array.isArray(list)) result[key] = (list as Json[]).filter((item) => !names(item));
  }
  return result as SceneDocument;
}

// --- friction ---------------------------------------------------------------------------------

type Materials = { [name: string]: Body };

const materialsOf = (document: SceneDocument): Materials => (document.materials as Materials | undefined) ?? {};
const materialOf = (body: Body): string => (typeof body.material === 'string' ? body.material : 'default');

export function frictionOf(document: SceneDocument, body: Body): string {
  return String(materialsOf(document)[materialOf(body)]?.friction ?? 0);
}

export const defaultFriction = (document: SceneDocument): string => String(materialsOf(document).default?.friction ?? 0);

/// Of all materials: what the slider for the whole scene sets.
export function withFriction(document: SceneDocument, friction: Rational): SceneDocument {
  const all = { default: {}, ...materialsOf(document) };
  const materials = Object.fromEntries(
    Object.entries(all).map(([name, material]) => [name, { ...material, friction: friction.written }]));
  return { ...document, materials };
}

/// Of one body: it gets a material of its own, like the one before but for friction.
export function withBodyFriction(document: SceneDocument, index: number, friction: Rational): SceneDocument {
  const body = document.bodies[index];
  const old = materialsOf(document)[materialOf(body)] ?? {};
  const base = materialOf(body).replace(/, friction .*$/, '');
  const name = `${base}, friction ${friction.text}`;
  const materials = { ...materialsOf(document), [name]: { ...old, friction: friction.written } };
  return withoutUnused(withBody({ ...document, materials }, index, { ...body, material: name }));
}

/// Materials that the playground made and nothing uses any more.
function withoutUnused(document: SceneDocument): SceneDocument {
  const used = new Set(document.bodies.map(materialOf));
  const materials = Object.fromEntries(
    Object.entries(materialsOf(document)).filter(([name]) => used.has(name) || !name.includes(', friction ')));
  return { ...document, materials };
}
