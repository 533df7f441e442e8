// Where a note's frontmatter ends. Only a line `---` begins one: `---js` is what some programs would run.
import { frontmatterSize } from './bounds.ts';

const begin = /^---[ \t]{0,100}$/;
const end = /^(?:---|\.\.\.)[ \t]{0,100}$/;

/**
 * How many lines the frontmatter has, with those around it; 0 without one.
 *
 * @param lines of the note
 */
export function frontmatterLines(lines: readonly string[]): number {
  if (!begin.test(lines[0] ?? '')) return 0;
  let units = 0;
  for (let at = 1; at < lines.length && at <= frontmatterSize.lines; at += 1) {
    const line = lines[at] ?? '';
    if (end.test(line)) return at + 1;
    units += line.length + 1;
    if (units > frontmatterSize.units) return 0;
  }
  return 0;
}
