// How many cells a text takes on a terminal. By ranges, not by package: `ps` has no time to load one, and a table that
// is off by a cell for a rare sign is still a table. What was `safe` before has no controls and no joiners.

const ascii = /^[\x20-\x7e]*$/;
const twoCells =
  /[\u1100-\u115f\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u2614\u2615\u26a1\u26d4\u2705\u274c\u274e\u2753-\u2757\u2795-\u2797\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
const noCell = /\p{M}/gu;

/** Cells of one line of safe text. */
export function cellsOf(text: string): number {
  if (ascii.test(text)) return text.length;
  const bare = text.replace(noCell, '');
  return [...bare].length + (bare.match(twoCells)?.length ?? 0);
}

/** The text with blanks up to `cells`. */
export const padCells = (text: string, cells: number): string =>
  text + ' '.repeat(Math.max(0, cells - cellsOf(text)));

/** Its longest beginning in at most `cells`, with `…` when something is missing. */
export function cutCells(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  return cells <= 0 ? '' : `${beginning([...text], cells - 1)}…`;
}

/** Both ends of a text in at most `cells`: names differ at both. */
export function cutMiddle(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  const end = Math.floor((cells - 1) / 2);
  if (end < 2) return cutCells(text, cells);
  const last = [...beginning([...text].reverse(), end)].reverse().join('');
  return `${beginning([...text], cells - 1 - end)}…${last}`;
}

/** Its longest beginning in at most `cells`. */
export const headCells = (text: string, cells: number): string => beginning([...text], cells);

function beginning(characters: readonly string[], cells: number): string {
  let used = 0;
  let taken = '';
  for (const character of characters) {
    used += cellsOf(character);
    if (used > cells) break;
    taken += character;
  }
  return taken;
}
