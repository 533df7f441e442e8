import { fits, head, width } from '../text/width.ts';
import { type Line, lineWidth, type Span, span } from '../tui/text/line.ts';

/** Breaks spans of text at blanks, each piece with its tone. A word that is longer than a row is broken where the row ends. */
export function wrapSpans(spans: readonly Span[], cells: number): Line[] {
  const lines: Span[][] = [[]];
  let used = 0;
  for (const word of wordsOf(spans)) {
    const size = lineWidth(word);
    const row = lines.at(-1) as Span[];
    if (used > 0 && used + 1 + size > cells) {
      lines.push([...word]);
      used = size;
    } else {
      if (used > 0) row.push(between(row.at(-1), word[0]));
      row.push(...word);
      used += size + (used > 0 ? 1 : 0);
    }
  }
  return lines.map(joined).flatMap((row) => broken(row, Math.max(1, cells)));
}

/** The blank between two words of one tone is of that tone, too. */
const between = (left: Span | undefined, right: Span | undefined): Span =>
  span(' ', left && left.tone === right?.tone ? left.tone : 'plain');

/** What stands between blanks, which may be of several tones. */
function wordsOf(spans: readonly Span[]): Line[] {
  const words: Span[][] = [[]];
  for (const { text, tone } of spans)
    for (const [at, part] of text.split(/\s/).entries()) {
      if (at > 0) words.push([]);
      if (part !== '') words.at(-1)?.push(span(part, tone));
    }
  return words.filter((word) => word.length > 0);
}

/** Neighbours of one tone are one piece. */
function joined(spans: readonly Span[]): Span[] {
  const pieces: Span[] = [];
  for (const { text, tone } of spans) {
    const last = pieces.at(-1);
    if (last?.tone === tone) last.text += text;
    else pieces.push({ text, tone });
  }
  return pieces;
}

/** A row that is one word and too long. */
function broken(row: Line, cells: number): Line[] {
  if (lineWidth(row) <= cells) return [row];
  const rows: Span[][] = [[]];
  let room = cells;
  for (const { text, tone } of row)
    for (let rest = text; rest !== ''; ) {
      const part = fits(rest, room) ? rest : head(rest, room);
      if (part === '' && room === cells) return [row];
      if (part !== '') rows.at(-1)?.push(span(part, tone));
      rest = rest.slice(part.length);
      room -= width(part);
      if (rest !== '') {
        rows.push([]);
        room = cells;
      }
    }
  return rows;
}
