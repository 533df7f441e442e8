/**
 * Breaks a line wherever it is full: nothing is left out, not even a blank, so that it is read as it is.
 *
 * @param head the longest beginning of a text in so many cells
 * @returns at least one row
 */
export function foldLine(
  line: string,
  cells: number,
  head: (text: string, cells: number) => string,
): string[] {
  const rows: string[] = [];
  // A row of so many cells has no more characters than that, but for marks and pairs.
  const reach = cells * 12;
  let from = 0;
  do {
    const rest = line.slice(from, from + reach);
    // A character that is wider than the room is shown all the same.
    const row = head(rest, cells) || [...rest][0] || '';
    rows.push(row);
    from += row.length;
  } while (from < line.length);
  return rows;
}
