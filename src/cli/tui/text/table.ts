// Columns that fit, in tones.
import { type ColumnSize, columnGap, columnWidths, fittingColumns } from '../../text/fit-columns.ts';

import { clipMiddle, inCells, width } from '../../text/width.ts';
import { fitLine, type Line, type Span, span } from './line.ts';

export interface Column<R> extends ColumnSize {
  head: string;
  align?: 'left' | 'right';
  /** Cut in the middle instead of at the end: both ends of a name tell. */
  middle?: true;
  cell(row: R): Span;
}

/** @returns the header, and a line per row; every line is `cells` wide. */
export function table<R>(columns: readonly Column<R>[], rows: readonly R[], cells: number) {
  const shown = fittingColumns(columns, cells);
  const spans = rows.map((row) => shown.map((column) => column.cell(row)));
  const wanted = shown.map(({ head }, at) =>
    Math.max(width(head), ...spans.map((row) => width(row[at]?.text ?? ''))),
  );
  const sizes = columnWidths(shown, wanted, cells);
  const lineOf = (row: readonly Span[]): Line =>
    fitLine(
      shown.flatMap(({ align, middle }, at) => {
        const size = sizes[at] ?? 0;
        const { text, tone } = row[at] ?? span('');
        const cut = middle ? clipMiddle(text, size) : text;
        return [
          span(inCells(cut, size, align), tone),
          span(at === shown.length - 1 ? '' : ' '.repeat(columnGap)),
        ];
      }),
      cells,
    );
  return { head: lineOf(shown.map(({ head }) => span(head, 'dim'))), lines: spans.map(lineOf) };
}
