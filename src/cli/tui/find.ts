// Looking for words in a transcript: which of its lines have them, and where.
import { type Line, lineText, type Span, type Tone } from './text/line.ts';

/** @returns what matches the words themselves, whatever the case of their letters; undefined for no words */
export function patternOf(words: string): RegExp | undefined {
  if (words === '') return undefined;
  return new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}

/** Lines stay as they are for as long as nothing changes in them: each is looked through once for the same words. */
const known = new WeakMap<Line, { words: string; has: boolean }>();

const ascii = /^[\x00-\x7f]*$/;

/** Plain letters need no pattern, which takes ten times as long. @param small the words in small letters, if plain */
const hasWords = (text: string, pattern: RegExp, small: string | undefined): boolean =>
  small !== undefined && ascii.test(text) ? text.toLowerCase().includes(small) : text.search(pattern) >= 0;

/** Indices of the lines that have the words, in their order. Linear in the length of the lines. */
export function linesWith(lines: readonly Line[], words: string): number[] {
  const pattern = patternOf(words);
  if (!pattern) return [];
  const small = ascii.test(words) ? words.toLowerCase() : undefined;
  const found: number[] = [];
  for (const [at, line] of lines.entries()) {
    const before = known.get(line);
    const has = before?.words === words ? before.has : hasWords(lineText(line), pattern, small);
    if (before?.words !== words) known.set(line, { words, has });
    if (has) found.push(at);
  }
  return found;
}

/** The line with the words in another tone, wherever its spans begin and end. */
export function highlighted(line: Line, words: string, tone: Tone): Line {
  const pattern = patternOf(words);
  if (!pattern) return line;
  const hits = Array.from(
    lineText(line).matchAll(pattern),
    ({ index, 0: hit }) => [index, index + hit.length] as const,
  );
  if (hits.length === 0) return line;
  const spans: Span[] = [];
  let at = 0;
  for (const span of line) {
    const end = at + span.text.length;
    let from = at;
    for (const [start, stop] of hits) {
      const [first, last] = [Math.max(start, from), Math.min(stop, end)];
      if (first >= last) continue;
      spans.push({ ...span, text: span.text.slice(from - at, first - at) });
      spans.push({ text: span.text.slice(first - at, last - at), tone });
      from = last;
    }
    spans.push({ ...span, text: span.text.slice(from - at) });
    at = end;
  }
  return spans.filter(({ text }) => text !== '');
}
