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

/** `3s`, `12m`, `5h`, `2d`: how long ago an ISO time was. */
export function ago(iso: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
