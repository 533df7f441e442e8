// The part of a hit that is worth its room. Pure.
import { placesOf, type Stems } from './stems.ts';

export interface Excerpt {
  /** 1-based, of its first line in the file. */
  line: number;
  text: string;
  /** The last heading of the text above the excerpt, if it does not begin with the text. */
  heading?: string;
}

/** Beyond this the text of a hit is cut to the lines that fit best, UTF-16 units. */
const longest = 560;

/**
 * The run of whole lines with the most of the words; a line that is too long is cut at its end.
 *
 * @param line of the first line of `text`
 * @param stems of the question
 */
export function excerptOf(text: string, line: number, stems: Stems): Excerpt {
  if (text.length <= longest) return { line, text };
  const lines = text.split('\n');
  const best = bestRun(lines, stems);
  const heading = best.from === 0 ? undefined : headingIn(lines.slice(0, best.from + 1));
  const shown = cut(lines.slice(best.from, best.to).join('\n'), stems);
  return { line: line + best.from, text: shown, ...(heading !== undefined && { heading }) };
}

const headingIn = (lines: readonly string[]): string | undefined =>
  lines.flatMap((each) => /^ {0,3}#{1,6}[ \t]+(.*\S)/.exec(each)?.[1] ?? []).at(-1);

interface Run {
  /** The first line, from 0. */
  from: number;
  /** Behind the last one. */
  to: number;
}

function bestRun(lines: readonly string[], stems: Stems): Run {
  const found = lines.map((each) => wordsIn(each, stems));
  const inRun = new Map<string, number>();
  let best = { from: 0, to: 1, words: -1 };
  let size = 0;
  let to = 0;
  for (let from = 0; from < lines.length; from += 1) {
    // One line at least, however long it is.
    while (to < lines.length && (to <= from || size + lengthOf(lines, to) <= longest)) {
      size += lengthOf(lines, to);
      for (const word of found[to] ?? []) inRun.set(word, (inRun.get(word) ?? 0) + 1);
      to += 1;
    }
    if (inRun.size > best.words) best = { from, to, words: inRun.size };
    size -= lengthOf(lines, from);
    for (const word of found[from] ?? []) leave(inRun, word);
  }
  return best;
}

function leave(counts: Map<string, number>, word: string): void {
  const left = (counts.get(word) ?? 0) - 1;
  if (left > 0) counts.set(word, left);
  else counts.delete(word);
}

const lengthOf = (lines: readonly string[], at: number): number => (lines[at]?.length ?? 0) + 1;

const wordsIn = (line: string, stems: Stems): string[] =>
  placesOf(line, stems).map(({ start, end }) => line.slice(start, end).toLowerCase().slice(0, 4));

/** One long line, around the first word that was looked for. */
function cut(text: string, stems: Stems): string {
  if (text.length <= longest) return text;
  const first = placesOf(text, stems)[0]?.start ?? 0;
  const from = Math.max(0, Math.min(first - longest / 4, text.length - longest));
  const part = text
    .slice(from, from + longest)
    .toWellFormed()
    .replaceAll('\ufffd', '');
  return `${from > 0 ? '… ' : ''}${part}${from + longest < text.length ? ' …' : ''}`;
}
