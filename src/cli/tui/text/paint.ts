// The edge to the terminal: tones become colours of the operator's own palette, and every text passes the gate.

import { safeRow } from '../../output/safe.ts';
import type { Line, Tone } from './line.ts';

type Paint = readonly [on: string, off: string];

const none: Paint = ['', ''];
const bold: Paint = ['\u001b[1m', '\u001b[22m'];
const dim: Paint = ['\u001b[2m', '\u001b[22m'];
const inverse: Paint = ['\u001b[7m', '\u001b[27m'];
const underline: Paint = ['\u001b[4m', '\u001b[24m'];
const colour = (code: number): Paint => [`\u001b[${code}m`, '\u001b[39m'];

const coloured: Record<Tone, Paint> = {
  plain: none,
  dim,
  strong: bold,
  accent: colour(36),
  good: colour(32),
  busy: colour(34),
  warn: colour(33),
  bad: colour(31),
  key: colour(36),
  tool: colour(35),
  found: ['\u001b[1;33m', '\u001b[22;39m'],
  alarm: ['\u001b[1;37;41m', '\u001b[22;39;49m'],
  chosen: ['\u001b[30;46m', '\u001b[39;49m'],
  marked: bold,
};

/** Without colour, weight carries the meaning; the words always do. */
const bare: Record<Tone, Paint> = {
  plain: none,
  dim: none,
  strong: bold,
  accent: bold,
  good: none,
  busy: none,
  warn: bold,
  bad: bold,
  key: underline,
  tool: none,
  found: bold,
  alarm: inverse,
  chosen: inverse,
  marked: bold,
};

export type Palette = 'coloured' | 'bare';

/** `NO_COLOR` set and not empty means no colour, whatever the terminal can do. */
export const paletteOf = (env: Readonly<Record<string, string | undefined>>): Palette =>
  env.NO_COLOR ? 'bare' : 'coloured';

const painted = { coloured: new WeakMap<Line, string>(), bare: new WeakMap<Line, string>() };

/** The row as it goes to the terminal, without the blanks at its end that nobody sees. */
export function paint(spans: Line, palette: Palette): string {
  const known = painted[palette].get(spans) ?? painting(spans, palette === 'coloured' ? coloured : bare);
  painted[palette].set(spans, known);
  return known;
}

function painting(spans: Line, table: Record<Tone, Paint>): string {
  let text = '';
  for (const piece of trimmed(spans)) {
    const [on, off] = table[piece.tone];
    text += on + gated(piece.text) + off;
  }
  return text;
}

function trimmed(spans: Line): Line {
  const end = spans.findLastIndex(({ text, tone }) => tone === 'chosen' || text.trimEnd() !== '');
  const last = spans[end];
  if (!last) return [];
  const kept = last.tone === 'chosen' ? last : { ...last, text: last.text.trimEnd() };
  return [...spans.slice(0, end), kept];
}

const plain = /^[\x20-\x7e]*$/;
/** Ours are made of plain characters; whatever else comes here has passed `safe` before, or does it now. */
const gated = (text: string): string => (plain.test(text) ? text : safeRow(text));
