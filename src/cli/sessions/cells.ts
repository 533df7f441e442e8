// A list of sessions as cells: what is shown of each, cut to the width that its column gets.
import { safeLine } from '../output/safe.ts';
import { columnWidths, fittingColumns } from '../text/fit-columns.ts';
import type { Ruler } from '../text/ruler.ts';
import type { Listed, NamedColumn } from './columns.ts';
import { sessionNames } from './names.ts';

export interface SessionCells {
  columns: readonly NamedColumn[];
  sizes: readonly number[];
  /** Per session, a text per column; none is wider than its column. */
  rows: readonly (readonly string[])[];
}

/**
 * @param cells of a row; undefined: nothing is left out and nothing is cut
 * @param lead cells in front of the first column's texts, within it
 */
export function sessionCells(
  every: readonly NamedColumn[],
  list: readonly Listed[],
  cells: number | undefined,
  ruler: Ruler,
  lead: Partial<Record<NamedColumn['name'], number>> = {},
): SessionCells {
  const columns = cells === undefined ? every : fittingColumns(every, cells);
  const texts = columns.map((column) => {
    const told = (cells === undefined && column.whole) || column.value;
    return list.map((each) => safeLine(told(each)));
  });
  const wanted = columns.map(
    ({ title, name }, at) =>
      Math.max(title.length, ...(texts[at] ?? []).map((text) => ruler.width(text))) + (lead[name] ?? 0),
  );
  const sizes = cells === undefined ? wanted : columnWidths(columns, wanted, cells);
  const cut = columns.map(({ name }, at) => {
    const size = (sizes[at] ?? 0) - (lead[name] ?? 0);
    if (name === 'session' && cells !== undefined)
      return sessionNames(
        list.map(({ row }) => row),
        size,
        ruler,
      );
    return (texts[at] ?? []).map((text) => ruler.clip(text, size));
  });
  return { columns, sizes, rows: list.map((_, row) => cut.map((texts) => texts[row] ?? '')) };
}

/** As lines of text: a header in capitals, two blanks apart, no frame, so that it can be cut and grepped. */
export function sessionLines(
  every: readonly NamedColumn[],
  list: readonly Listed[],
  cells: number | undefined,
  ruler: Ruler,
): string[] {
  const { columns, sizes, rows } = sessionCells(every, list, cells, ruler);
  return [columns.map(({ title }) => title), ...rows].map((row) =>
    row
      .map((text, at) => ruler.inCells(text, sizes[at] ?? 0, columns[at]?.align))
      .join('  ')
      .trimEnd(),
  );
}
