// Columns that fit: the least important ones go first when the room is small, the rest of it goes to those that grow.

import { clipMiddle, inCells, width } from '../../text/width.ts';
import { fitLine, type Line, type Span, span } from './line.ts';

export interface Column<R> {
  head: string;
  /** Least and greatest width, cells. */
  min: number;
  max: number;
  /** Columns with the highest number are left out first; 0 always stays. */
  rank: number;
  align?: 'left' | 'right';
  /** Takes whatever room is left. */
  grows?: true;
  /** Cut in the middle instead of at the end: both ends of a name tell. */
  middle?: true;
  cell(row: R): Span;
}

const gap = 2;

const needed = <R>(columns: readonly Column<R>[]): number =>
  columns.reduce((sum, { min }) => sum + min + gap, -gap);

function visible<R>(columns: readonly Column<R>[], cells: number): Column<R>[] {
  const left = [...columns];
  while (left.length > 1 && needed(left) > cells) {
    const worst = Math.max(...left.map(({ rank }) => rank));
    if (worst === 0) break;
    left.splice(
      left.findLastIndex(({ rank }) => rank === worst),
      1,
    );
  }
  return left;
}

/** Widths that the contents ask for, within the room, the first columns served first. */
function widths<R>(columns: readonly Column<R>[], cells: readonly Span[][], room: number): number[] {
  let spare = room - needed(columns);
  const sizes = columns.map(({ head, min, max }, at) => {
    const wanted = Math.max(width(head), ...cells.map((row) => width(row[at]?.text ?? '')));
    const given = Math.min(Math.max(0, Math.min(wanted, max) - min), Math.max(0, spare));
    spare -= given;
    return min + given;
  });
  return sizes.map((size, at) => (columns[at]?.grows ? size + Math.max(0, spare) : size));
}

/** @returns the header, and a line per row; every line is `cells` wide. */
export function table<R>(columns: readonly Column<R>[], rows: readonly R[], cells: number) {
  const shown = visible(columns, cells);
  const spans = rows.map((row) => shown.map((column) => column.cell(row)));
  const sizes = widths(shown, spans, cells);
  const lineOf = (row: readonly Span[]): Line =>
    fitLine(
      shown.flatMap(({ align, middle }, at) => {
        const size = sizes[at] ?? 0;
        const { text, tone } = row[at] ?? span('');
        const cut = middle ? clipMiddle(text, size) : text;
        return [span(inCells(cut, size, align), tone), span(at === shown.length - 1 ? '' : ' '.repeat(gap))];
      }),
      cells,
    );
  return { head: lineOf(shown.map(({ head }) => span(head, 'dim'))), lines: spans.map(lineOf) };
}
