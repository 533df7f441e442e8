import stringWidth from 'string-width';

const ascii = /^[\x20-\x7e]*$/;
/** One cell a character, for sure: what we draw ourselves, Latin, Greek and Cyrillic letters. Measuring is slow. */
const narrow =
  /^[\x20-\x7e\u00a1-\u00ac\u00af-\u02ff\u0391-\u03ff\u0400-\u0482\u048a-\u04ff─│▸●◆▲◇○✓✗·…❯▍←→↑↓–—‘’“”⟦⟧]*$/;
/** Two cells a character, for sure: Chinese, Japanese and Korean letters. */
const wide = /^[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+$/;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cells that a text without control characters takes. */
export function width(text: string): number {
  if (narrow.test(text)) return text.length;
  return wide.test(text) ? text.length * 2 : stringWidth(text);
}

/** Most UTF-16 units that `safe` leaves in one cell: a letter with four marks, each a pair. */
const mostUnits = 10;

/** UTF-16 units of safe text that surely fill more than `cells`: nobody has to look further. */
export const unitsOf = (cells: number): number => (Math.max(0, cells) + 1) * mostUnits;

/** Whether safe text is no wider than `cells`. What is far too long is not measured, which is slow. */
export const fits = (text: string, cells: number): boolean =>
  text.length <= unitsOf(cells) && width(text) <= cells;

/** What a person calls one character. */
export const graphemesOf = (text: string): string[] =>
  ascii.test(text) ? [...text] : Array.from(graphemes.segment(text), ({ segment }) => segment);

/** The longest beginning that fits into `cells`. */
export function head(text: string, cells: number): string {
  if (narrow.test(text)) return text.slice(0, Math.max(0, cells));
  let used = 0;
  let taken = '';
  for (const { segment } of graphemes.segment(text)) {
    used += width(segment);
    if (used > cells) break;
    taken += segment;
  }
  return taken;
}

/** The longest end that fits into `cells`. */
export function tail(text: string, cells: number): string {
  if (narrow.test(text)) return cells <= 0 ? '' : text.slice(-cells);
  let used = 0;
  let taken = '';
  for (const segment of graphemesOf(text.slice(-unitsOf(cells))).reverse()) {
    used += width(segment);
    if (used > cells) break;
    taken = segment + taken;
  }
  return taken;
}

/** Cut at the end with `…` when it is too wide. */
export function clip(text: string, cells: number): string {
  if (fits(text, cells)) return text;
  return cells <= 0 ? '' : `${head(text, cells - 1)}…`;
}

/** Cut at the start with `…`: the end of a name is what tells it from others. */
export const clipStart = (text: string, cells: number): string =>
  fits(text, cells) ? text : `…${tail(text, cells - 1)}`;

/** Cut in the middle: names differ at both ends. */
export function clipMiddle(text: string, cells: number): string {
  if (fits(text, cells)) return text;
  if (cells < 5) return clip(text, cells);
  const end = Math.floor((cells - 1) / 2);
  return `${head(text, cells - 1 - end)}…${tail(text, end)}`;
}

/** Exactly `cells` wide. */
export function inCells(text: string, cells: number, align: 'left' | 'right' = 'left'): string {
  const cut = clip(text, cells);
  const blanks = ' '.repeat(Math.max(0, cells - width(cut)));
  return align === 'left' ? cut + blanks : blanks + cut;
}
