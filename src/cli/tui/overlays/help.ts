import type { HelpGroup } from '../model/model.ts';
import { blank, fitLine, type Line, line, span } from '../text/line.ts';
import { keyRow } from './foot.ts';
import type { Sheet } from './sheet.ts';

const foot = keyRow(['↑↓', 'scroll'], ['Esc', 'close'], ['q', 'quit']);

/** Every key there is, in two columns where they fit. */
export function helpSheet(groups: readonly HelpGroup[], cells: number): Sheet {
  const blocks = groups.map(({ title, keys }): Line[] => [
    line(title, 'accent'),
    ...keys.map(({ show, words }): Line => [span(`  ${show.padEnd(14)}`, 'key'), span(words)]),
    blank,
  ]);
  const title: Line = [span('Keys', 'strong')];
  if (cells < 110) return { title, lines: blocks.flat().slice(0, -1), foot };
  const all = blocks.flat().length;
  const left: Line[] = [];
  const right: Line[] = [];
  for (const each of blocks) (left.length < all / 2 ? left : right).push(...each);
  const half = Math.floor((cells - 2) / 2);
  const lines = Array.from(
    { length: Math.max(left.length, right.length) - 1 },
    (_, row): Line => [...fitLine(left[row] ?? blank, half), ...(right[row] ?? blank)],
  );
  return { title, lines, foot };
}
