import { type Ruler, unitsOf } from './ruler.ts';

/**
 * Breaks a line wherever it is full: nothing is left out, not even a blank, so that it is read as it is.
 * @returns at least one row
 */
export const foldLine = (line: string, cells: number, ruler: Ruler): string[] =>
  fold(line, cells, ruler, (row) => row);

/**
 * The same for prose: breaks behind a blank where one stands alone. Such a row is two cells short, any other one is full
 * but for half a wide character, so that it still shows where a blank was.
 */
export const foldProse = (line: string, cells: number, ruler: Ruler): string[] =>
  fold(line, cells, ruler, (row) => {
    const early = ruler.head(row, cells - 2);
    const blank = /^.*[^ ] (?=[^ ])/s.exec(row.slice(0, early.length + 2))?.[0];
    return blank !== undefined && blank.length - 1 <= early.length ? blank : row;
  });

function fold(line: string, cells: number, { head, first }: Ruler, end: (row: string) => string): string[] {
  const rows: string[] = [];
  const reach = unitsOf(cells);
  let from = 0;
  do {
    const rest = line.slice(from, from + reach);
    // A character that is wider than the room is shown all the same.
    const full = head(rest, cells) || first(rest);
    const row = from + full.length < line.length ? end(full) : full;
    rows.push(row);
    from += row.length;
  } while (from < line.length);
  return rows;
}
