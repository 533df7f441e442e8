// A list of sessions as cells: what is shown of each, cut to the width that its column gets.
import type { SessionRow } from '../../domain/views/session/session-row.ts';
import { safeLine } from '../output/safe.ts';
import { columnWidths, fittingColumns, tightWidths } from '../text/fit-columns.ts';
import { type Ruler, rulerFor } from '../text/ruler.ts';
import { columnsWithout, type Listed, type NamedColumn } from './columns.ts';
import { sessionName, sessionNames } from './names.ts';
import { sorted } from './order.ts';

export interface SessionCells {
  columns: readonly NamedColumn[];
  sizes: readonly number[];
  /** Per session, a text per column; none is wider than its column. */
  rows: readonly (readonly string[])[];
}

/** What a list of sessions says before anything is cut: a list of texts per column, one of each session. */
interface Told {
  columns: readonly NamedColumn[];
  list: readonly Listed[];
  texts: readonly (readonly string[])[];
}

/** @param cells of a row; undefined: nothing is left out */
function told(every: readonly NamedColumn[], list: readonly Listed[], cells: number | undefined): Told {
  const columns = cells === undefined ? every : fittingColumns(every, cells);
  const texts = columns.map((column) => {
    const text = (cells === undefined && column.whole) || column.value;
    return list.map((each) => safeLine(text(each)));
  });
  return { columns, list, texts };
}

/** @param lead cells in front of the first column's texts, within it */
function fitted(
  { columns, list, texts }: Told,
  cells: number | undefined,
  ruler: Ruler,
  widths: typeof columnWidths,
  lead: Partial<Record<NamedColumn['name'], number>> = {},
): SessionCells {
  const wanted = columns.map(
    ({ title, name }, at) =>
      Math.max(title.length, ...(texts[at] ?? []).map((text) => ruler.width(text))) + (lead[name] ?? 0),
  );
  const rowsOf = (columnTexts: readonly (readonly string[])[]) =>
    list.map((_, row) => columnTexts.map((column) => column[row] ?? ''));
  if (cells === undefined) return { columns, sizes: wanted, rows: rowsOf(texts) };
  const sizes = widths(columns, wanted, cells);
  const cut = columns.map(({ name }, at) => {
    const size = (sizes[at] ?? 0) - (lead[name] ?? 0);
    if (name === 'session')
      return sessionNames(
        list.map(({ row }) => row),
        size,
        ruler,
      );
    return (texts[at] ?? []).map((text) => ruler.clip(text, size));
  });
  return { columns, sizes, rows: rowsOf(cut) };
}

/**
 * @param cells of a row; undefined: nothing is left out and nothing is cut
 * @param lead cells in front of the first column's texts, within it
 */
export const sessionCells = (
  every: readonly NamedColumn[],
  list: readonly Listed[],
  cells: number | undefined,
  ruler: Ruler,
  lead?: Partial<Record<NamedColumn['name'], number>>,
): SessionCells => fitted(told(every, list, cells), cells, ruler, columnWidths, lead);

/** As lines of text: a header in capitals, two blanks apart, no frame, so that it can be cut and grepped. */
export const sessionLines = (
  every: readonly NamedColumn[],
  list: readonly Listed[],
  cells: number | undefined,
  ruler: Ruler,
): string[] => linesOf(sessionCells(every, list, cells, ruler), ruler);

function linesOf({ columns, sizes, rows }: SessionCells, ruler: Ruler): string[] {
  return [columns.map(({ title }) => title), ...rows].map((row) =>
    row
      .map((text, at) => ruler.inCells(text, sizes[at] ?? 0, columns[at]?.align))
      .join('  ')
      .trimEnd(),
  );
}

const psColumns = columnsWithout('chat', 'cost', 'tokens');
/** Where somebody asks what it costs, that is not what a small terminal leaves out. */
const costColumns = columnsWithout('chat').map((column) =>
  column.name === 'cost' || column.name === 'tokens'
    ? { ...column, min: 8, rank: 0, value: column.whole ?? column.value }
    : column,
);

/**
 * The lines of `ps`. They are here because each further file that it loads costs it half a millisecond.
 * @param cells of a terminal; undefined: nothing is left out, nothing is cut, and each session has its whole key
 */
export async function psLines(
  rows: readonly SessionRow[],
  cells: number | undefined,
  withCost: boolean,
): Promise<string[]> {
  const isOne = rows.every(({ node }) => node === undefined);
  const columns = (withCost ? costColumns : psColumns).filter(({ name }) => !isOne || name !== 'node');
  const now = Date.now();
  const list = sorted(rows, 'attention', (row) => row).map(
    (row): Listed => ({ row, now, name: cells === undefined ? keyText(row) : sessionName(row) }),
  );
  const said = told(columns, list, cells);
  const ruler = await rulerFor(said.texts.flat());
  return linesOf(fitted(said, cells, ruler, tightWidths), ruler);
}

const keyText = ({ key, label, guessed }: SessionRow): string =>
  `${key}${label ? ` (${label})` : ''}${guessed ? ' (guessed)' : ''}`;
