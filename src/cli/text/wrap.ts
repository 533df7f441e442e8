import { safe } from '../output/safe.ts';
import { unitsOf } from './ruler.ts';
import { first, fits, head } from './width.ts';

/** Foreign text as rows of at most `cells`; broken at blanks where it can be, with the indentation kept. */
export const wrap = (text: string, cells: number): string[] => wrapLines(text, cells).flat();

/** As `wrap`, the rows of each line of the text by themselves. */
export function wrapLines(text: string, cells: number): string[][] {
  const room = Math.max(1, cells);
  return safe(text)
    .replaceAll('\t', '  ')
    .split('\n')
    .map((line) => (fits(line, room) ? [line.trimEnd()] : wrapLine(line.trimEnd(), room)));
}

/** Never looks further than a row can be long: a command of 100 kB in one line is one of thousands of rows. */
function wrapLine(line: string, room: number): string[] {
  const blanks = /^ */.exec(line)?.[0].length ?? 0;
  const indent = ' '.repeat(Math.min(blanks, Math.floor(room / 2)));
  const lines: string[] = [];
  let lead = '';
  for (let at = 0; at < line.length; ) {
    const rest = lead + line.slice(at, at + unitsOf(room));
    const fitting = head(rest, room);
    // One that is wider than the room is shown all the same: the text has to go on.
    const part = fitting.length > lead.length ? fitting : lead + first(rest.slice(lead.length));
    if (part === rest) return [...lines, rest];
    const blank = rest[part.length] === ' ' ? part.length : part.lastIndexOf(' ');
    const cut = blank > indent.length ? blank : part.length;
    lines.push(rest.slice(0, cut).trimEnd());
    at += cut - lead.length;
    while (/\s/.test(line[at] ?? '')) at += 1;
    lead = indent.length + 1 < room ? indent : '';
  }
  return lines;
}
