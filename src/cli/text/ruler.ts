// What is cut to fit is cut here, between graphemes and with `…` where something is missing. How wide a text is, and what
// its graphemes are, is given: most commands need not know every sign there is.
import { isNarrow, sureWidth } from './sure.ts';

export interface Measure {
  /** Cells that a text without control characters takes. */
  width(text: string): number;
  /** What a person calls one character each. */
  graphemesOf(text: string): Iterable<string>;
  /** Where the grapheme begins that the UTF-16 unit at `at` belongs to. */
  startOf(text: string, at: number): number;
}

/** Most UTF-16 units that `safe` leaves in one cell: a letter with four marks, each a pair. */
const mostUnits = 10;

/** UTF-16 units of safe text that surely fill more than `cells`: nobody has to look further. */
export const unitsOf = (cells: number): number => (Math.max(0, cells) + 1) * mostUnits;

export type Ruler = ReturnType<typeof rulerWith>;

export function rulerWith({ width, graphemesOf, startOf }: Measure) {
  /** Whether safe text is no wider than `cells`. What is far too long is not measured, which is slow. */
  const fits = (text: string, cells: number): boolean =>
    text.length <= unitsOf(cells) && width(text) <= cells;

  /** The first grapheme, however wide; '' of nothing. */
  function first(text: string): string {
    for (const each of graphemesOf(text)) return each;
    return '';
  }

  /** The longest beginning that fits into `cells`. */
  function head(text: string, cells: number): string {
    let used = 0;
    let length = 0;
    for (const each of graphemesOf(text)) {
      used += width(each);
      if (used > cells) break;
      length += each.length;
    }
    return text.slice(0, length);
  }

  /** The longest end that fits into `cells`. */
  function tail(text: string, cells: number): string {
    const from = Math.max(0, text.length - unitsOf(cells));
    const end = text.slice(startOf(text, from));
    const sizes = Array.from(graphemesOf(end), (each) => ({ cells: width(each), units: each.length }));
    let used = 0;
    let length = 0;
    for (const size of sizes.reverse()) {
      used += size.cells;
      if (used > cells) break;
      length += size.units;
    }
    return length === 0 ? '' : text.slice(-length);
  }

  /** Cut at the end with `…` when it is too wide. */
  function clip(text: string, cells: number): string {
    if (fits(text, cells)) return text;
    return cells <= 0 ? '' : `${head(text, cells - 1)}…`;
  }

  /** Cut at the start with `…`: the end of a name is what tells it from others. */
  function clipStart(text: string, cells: number): string {
    if (fits(text, cells)) return text;
    return cells <= 0 ? '' : `…${tail(text, cells - 1)}`;
  }

  /** Cut in the middle: names differ at both ends. */
  function clipMiddle(text: string, cells: number): string {
    if (fits(text, cells)) return text;
    if (cells < 5) return clip(text, cells);
    const end = Math.floor((cells - 1) / 2);
    return `${head(text, cells - 1 - end)}…${tail(text, end)}`;
  }

  /** Exactly `cells` wide. */
  function inCells(text: string, cells: number, align: 'left' | 'right' = 'left'): string {
    const cut = clip(text, cells);
    const blanks = ' '.repeat(Math.max(0, cells - width(cut)));
    return align === 'left' ? cut + blanks : blanks + cut;
  }

  return { width, fits, first, head, tail, clip, clipStart, clipMiddle, inCells };
}

/** For texts in which every character is known, and a grapheme of its own. */
const sureRuler = (width: Measure['width']): Ruler =>
  rulerWith({ width, graphemesOf: (text) => text, startOf: (_, at) => at });

/** A ruler for these texts and their parts. The one that knows every sign is loaded only where it is needed. */
export async function rulerFor(texts: readonly string[]): Promise<Ruler> {
  // All of them at once: what looks at each by itself is compiled first, which a short list does not pay back.
  const all = texts.join(' ');
  if (isNarrow(all)) return sureRuler((text) => text.length);
  if (sureWidth(all) !== undefined) return sureRuler((text) => sureWidth(text) ?? text.length);
  return (await import('./width.ts')).ruler;
}
