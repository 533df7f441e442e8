import { type Ruler, unitsOf } from './ruler.ts';

/**
 * Breaks a line wherever it is full: nothing is left out, not even a blank, so that it is read as it is.
 * @returns at least one row
 */
export function foldLine(line: string, cells: number, { head, first }: Ruler): string[] {
  const rows: string[] = [];
  const reach = unitsOf(cells);
  let from = 0;
  do {
    const rest = line.slice(from, from + reach);
    // A character that is wider than the room is shown all the same.
    const row = head(rest, cells) || first(rest);
    rows.push(row);
    from += row.length;
  } while (from < line.length);
  return rows;
}
