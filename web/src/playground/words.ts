/// Answers and refusals in words for people.
import { EngineTrouble, Refused } from '../engine/engine';
import type { Check } from '../engine/answers';
import { Unreadable } from './document';

const percent = (share: number): string => `${(100 * share).toPrecision(2).replace(/\.0+$/, '')} %`;
const quoted = (name: string): string => `“${name.length > 40 ? `${name.slice(0, 39)}…` : name}”`;

export interface Words {
  state: 'stable' | 'unstable' | 'undecided' | 'overlap' | 'unasked' | 'refused' | 'trouble' | 'waiting';
  title: string;
  lines: string[];
}

function marginLine(check: Check): string[] {
  const margin = check.margin ?? 0;
  if (check.verdict === 'unstable') return [`Begins to fall at ${percent(-margin)} of free fall.`];
  if (margin >= 1) return ['Stands however little of its contacts is left.'];
  if (check.margin_is_bound) return [];
  return [`Margin ${percent(margin)}: so much of every contact and of friction may be lost.`];
}

function remarks(check: Check): string[] {
  const lines: string[] = [];
  const [miss] = check.near_misses ?? [];
  if (miss) lines.push(`${quoted(miss.a)} and ${quoted(miss.b)} only just miss each other.`);
  const loose = check.isolated ?? [];
  if (loose.length > 0) {
    lines.push(`${quoted(loose[0])}${loose.length > 1 ? ` and ${loose.length - 1} more` : ''} ` +
      `${loose.length > 1 ? 'touch' : 'touches'} nothing.`);
  }
  return lines;
}

export function wordsFor(check: Check): Words {
  if (check.overlap) return { state: 'overlap', title: 'Overlap', lines: [sentence(check.overlap.found)] };
  if (check.unasked) return { state: 'unasked', title: 'Press play', lines: [sentence(check.unasked)] };
  const contacts = `${check.contacts?.length ?? 0} contacts`;
  switch (check.verdict) {
    case 'stable':
      return { state: 'stable', title: 'Stands', lines: [...marginLine(check), ...remarks(check), contacts] };
    case 'unstable': {
      const moving = (check.mechanism ?? []).filter((m) => Math.hypot(...m.velocity) > 1e-6).length;
      const who = `${moving} ${moving === 1 ? 'body begins' : 'bodies begin'} to move`;
      return { state: 'unstable', title: 'Falls', lines: [...marginLine(check), ...remarks(check), `${who}, ${contacts}`] };
    }
    default:
      return { state: 'undecided', title: 'Too close to call', lines: [sentence((check.reason ?? '').replace(/^too close to call: /, '')), ...remarks(check)] };
  }
}

/// With the quotation marks of the page.
const asQuoted = (text: string): string => text.replace(/"([^"]*)"/g, '“$1”').trim();

const sentence = (text: string): string => {
  const plain = asQuoted(text);
  return plain === '' ? '' : `${plain[0].toUpperCase()}${plain.slice(1)}${/[.!?]$/.test(plain) ? '' : '.'}`;
};

export function wordsOfError(error: unknown): Words {
  if (error instanceof Refused) return { state: 'refused', title: 'Cannot be used', lines: [asQuoted(error.message)] };
  if (error instanceof EngineTrouble) return { state: 'trouble', title: 'Stopped', lines: [sentence(error.message)] };
  if (error instanceof Unreadable) return { state: 'refused', title: 'Cannot be opened', lines: [error.message] };
  return { state: 'trouble', title: 'Something went wrong', lines: [error instanceof Error ? error.message : String(error)] };
}
