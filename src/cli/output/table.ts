import type { Ruler } from '../text/ruler.ts';
import { safeLine } from './safe.ts';

/** Left-aligned columns, two blanks apart, a header in capitals; no frame, so that it can be cut and grepped. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { width, inCells }: Ruler,
): string {
  const cells = [head.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(safeLine))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ''))));
  return cells
    .map((row) =>
      row
        .map((cell, column) => inCells(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
