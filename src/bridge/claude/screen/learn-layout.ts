// Learns how a prompt box is drawn from what the screen shows while a mark is typed into it. Pure.
import type { BoxLayout, Frame } from './box-layout.ts';

/** What the screen showed: one word in the box, and then a second one on a line of its own. */
export interface MarkedScreens {
  one: readonly string[];
  two: readonly string[];
  first: string;
  second: string;
}

export interface Spot {
  row: number;
  column: number;
}

/** Every place where a word stands. */
export function spotsOf(rows: readonly string[], word: string): Spot[] {
  return rows.flatMap((text, row) =>
    [...text.matchAll(new RegExp(word, 'g'))].map(({ index }) => ({ row, column: index })),
  );
}

/** @returns undefined when the marks do not tell where a box begins and ends */
export function learnLayout({ one, two, first, second }: MarkedScreens): BoxLayout | undefined {
  const alone = onlySpot(one, first);
  const upper = onlySpot(two, first);
  const lower = onlySpot(two, second);
  if (!alone || !upper || !lower || lower.row !== upper.row + 1 || alone.column !== upper.column)
    return undefined;
  const lead = leftOf(two, upper);
  if (lead !== leftOf(one, alone)) return undefined;
  const under = two.slice(lower.row + 1);
  const above = frameOf(two[upper.row - 1]);
  const below = frameOf(under[0]);
  // Without any of it the box could be anywhere.
  if (lead.trim() === '' && !(above && below)) return undefined;
  const start = above ? upper.row - 1 : upper.row;
  return {
    lead,
    more: leftOf(two, lower),
    right: rightOf(two[upper.row], first),
    above,
    below,
    rest: under.filter((row) => row.trim() !== '').length,
    top: two.slice(0, start).some((row) => row.trim() !== '') ? undefined : upper.row,
  };
}

function onlySpot(rows: readonly string[], word: string): Spot | undefined {
  const [spot, other] = spotsOf(rows, word);
  return other === undefined ? spot : undefined;
}

const leftOf = (rows: readonly string[], { row, column }: Spot): string =>
  (rows[row] ?? '').slice(0, column).replaceAll('\u00a0', ' ');

const rightOf = (row = '', word: string): string => row.slice(row.indexOf(word) + word.length).trim();

/** Ten of one character that nobody writes text with, at most a corner and blanks before them. */
const framed = /^(\s*[^\p{L}\p{N}\s]?)(([^\p{L}\p{N}\s])\3{9})/u;

function frameOf(row = ''): Frame | undefined {
  const [, head, , fill] = framed.exec(row) ?? [];
  if (head === undefined || fill === undefined) return undefined;
  return { head: head.trimEnd() === fill ? head.slice(0, -1) : head, fill };
}
