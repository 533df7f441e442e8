// How many terminal cells text takes, and how it breaks into rows. Pure.

const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])$/u;

function cellsOf(char: string): number {
  if (zeroWidth.test(char)) return 0;
  return wide.test(char) ? 2 : 1;
}

/** Breaks one line into rows of at most `columns` cells; control characters become visible dots. */
export function wrap(line: string, columns: number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const raw of line) {
    const char = raw < ' ' || raw === '\x7f' ? '·' : raw;
    const cells = cellsOf(char);
    if (used + cells > columns) {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += char;
    used += cells;
  }
  return [...rows, row];
}

export function widthOf(text: string): number {
  return [...text].reduce((sum, char) => sum + cellsOf(char), 0);
}
