// Looking for words in a transcript: in which of its rows they begin, and what of each row belongs to them.
import { type Line, lineText, type Span, type Tone } from '../text/line.ts';

/** What of a row was looked for, from and to in units of its text. */
interface Hit {
  from: number;
  to: number;
  /** Index of the row in which the words begin. */
  row: number;
}

/** Rows that go on with the text of the row above → where in them it does, behind marks and indentation. */
const goesOnAt = new WeakMap<Line, number>();

/** Rows of one line of text: what is looked for may begin in one and end in the next. @param lead width of their marks */
export function oneText(rows: readonly Line[], lead = 0): readonly Line[] {
  for (const row of rows.slice(1)) goesOnAt.set(row, lineText(row).slice(lead).search(/\S|$/) + lead);
  return rows;
}

/** @returns what matches the words themselves, whatever the case of their letters, also where a row ends in them */
function patternOf(words: string): RegExp {
  const signs = Array.from(words, (sign) =>
    sign === ' ' ? '[ \\n]' : sign.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'),
  );
  return new RegExp(signs.join('\\n?'), 'giu');
}

/** Rows stay as they are for as long as nothing changes in them: each is looked through once for the same words. */
const known = new WeakMap<Line, { words: string; hits: readonly Hit[][] }>();

const ascii = /^[\x00-\x7f]*$/;

/** For each of the rows of one text its hits, whose rows count from the first. */
function hitsIn(rows: readonly Line[], words: string, pattern: RegExp): readonly Hit[][] {
  const [first] = rows;
  if (!first) return [];
  const before = known.get(first);
  if (before?.words === words) return before.hits;
  const hits = look(rows, words, pattern);
  known.set(first, { words, hits });
  return hits;
}

const none: readonly Hit[][] = [];

function look(rows: readonly Line[], words: string, pattern: RegExp): readonly Hit[][] {
  const begins = rows.map((row) => goesOnAt.get(row) ?? 0);
  const parts = rows.map((row, at) => lineText(row).slice(begins[at]));
  const text = parts.join('\n');
  // Plain letters need no pattern, which takes ten times as long.
  const isPlain = rows.length === 1 && ascii.test(text) && ascii.test(words);
  if (isPlain && !text.toLowerCase().includes(words.toLowerCase())) return none;
  const hits = rows.map((): Hit[] => []);
  let row = 0;
  let start = 0;
  for (const { index, 0: found } of text.matchAll(pattern)) {
    while (index > start + (parts[row]?.length ?? 0)) start += (parts[row++]?.length ?? 0) + 1;
    const end = index + found.length;
    for (let at = row, from = start; at < rows.length && from < end; at += 1) {
      const size = parts[at]?.length ?? 0;
      const lead = begins[at] ?? 0;
      const hit = { from: lead + Math.max(0, index - from), to: lead + Math.min(size, end - from), row };
      if (hit.from < hit.to) hits[at]?.push(hit);
      from += size + 1;
    }
  }
  return hits;
}

/** Indices of the rows in which the words begin, in their order. Linear in the length of the rows. */
export function linesWith(lines: readonly Line[], words: string): number[] {
  if (words === '') return [];
  const pattern = patternOf(words);
  const found: number[] = [];
  for (let at = 0, end = 0; at < lines.length; at = end) {
    end = endOf(lines, at);
    for (const [row, hits] of hitsIn(lines.slice(at, end), words, pattern).entries()) {
      if (hits.some((hit) => hit.row === row)) found.push(at + row);
    }
  }
  return found;
}

/** What of the row was looked for. */
export function hitsAt(lines: readonly Line[], row: number, words: string): readonly Hit[] {
  if (words === '') return [];
  let at = row;
  while (at > 0 && goesOnAt.has(lines[at] ?? [])) at -= 1;
  const hits = hitsIn(lines.slice(at, endOf(lines, at)), words, patternOf(words))[row - at] ?? [];
  return hits.map((hit) => ({ ...hit, row: hit.row + at }));
}

/** Behind the last row of the text that begins there. */
function endOf(lines: readonly Line[], at: number): number {
  let end = at + 1;
  while (goesOnAt.has(lines[end] ?? [])) end += 1;
  return end;
}

/** The line with the hits in other tones, wherever its spans begin and end. */
export function highlighted(line: Line, hits: readonly Hit[], toneOf: (hit: Hit) => Tone): Line {
  if (hits.length === 0) return line;
  const spans: Span[] = [];
  let at = 0;
  for (const span of line) {
    const end = at + span.text.length;
    let from = at;
    for (const hit of hits) {
      const [first, last] = [Math.max(hit.from, from), Math.min(hit.to, end)];
      if (first >= last) continue;
      spans.push({ ...span, text: span.text.slice(from - at, first - at) });
      spans.push({ text: span.text.slice(first - at, last - at), tone: toneOf(hit) });
      from = last;
    }
    spans.push({ ...span, text: span.text.slice(from - at) });
    at = end;
  }
  return spans.filter(({ text }) => text !== '');
}
