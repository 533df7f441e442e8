import type { SessionRow } from '../../domain/views/session-row.ts';
import { rulerFor } from '../text/ruler.ts';
import { sessionLines } from './cells.ts';
import { columnsWithout, type Listed } from './columns.ts';
import { sessionName } from './names.ts';
import { sorted } from './order.ts';

const columns = columnsWithout('chat', 'tokens');
/** Where somebody asks what it costs, that is not what a small terminal leaves out. */
const withCosts = columnsWithout('chat').map((column) =>
  column.name === 'cost' || column.name === 'tokens'
    ? { ...column, min: 8, rank: 0, value: column.whole ?? column.value }
    : column,
);

/** @param cells of a terminal; undefined: nothing is left out, nothing is cut, and each session has its whole key */
export async function psLines(
  rows: readonly SessionRow[],
  cells: number | undefined,
  withCost: boolean,
): Promise<string[]> {
  const shown = withCost ? withCosts : columns;
  const now = Date.now();
  const list = sorted(rows, 'attention', (row) => row).map(
    (row): Listed => ({ row, now, name: cells === undefined ? keyText(row) : sessionName(row) }),
  );
  const texts = list.flatMap((each) => shown.map(({ value }) => value(each)));
  return sessionLines(shown, list, cells, await rulerFor(texts));
}

const keyText = ({ key, guessed }: SessionRow): string => (guessed ? `${key} (guessed)` : key);
