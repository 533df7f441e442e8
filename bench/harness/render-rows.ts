import { table } from '../../src/cli/output/table.ts';
import { ruler } from '../../src/cli/text/width.ts';
import type { Row } from './row.ts';

const measured = (value: number | undefined, unit = 'ms') =>
  value === undefined ? '-' : `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ${unit}`;
const times = (value: number | undefined) => (value === undefined ? '-' : `${value.toFixed(2)}x`);

const goalOf = ({ atMost, most, unit }: Row) =>
  atMost === undefined ? '-' : `<= ${atMost}x${most === undefined ? '' : `, ${most} ${unit ?? 'ms'}`}`;

/** A table for people; sentences of rows that did not pass stand below it. */
export function renderRows(rows: readonly Row[]): string {
  const head = ['#', 'what', 'synthesis', 'reference', 'ratio', 'goal', 'verdict', 'compared with'];
  const cells = rows.map((row) => [
    row.id,
    row.what,
    measured(row.subject, row.unit),
    measured(row.reference, row.unit),
    times(row.ratio),
    goalOf(row),
    row.verdict,
    row.against,
  ]);
  const notes = rows.flatMap(({ id, note }) => (note ? [`${id}: ${note}`] : []));
  return [table(head, cells, ruler), ...notes].join('\n');
}
