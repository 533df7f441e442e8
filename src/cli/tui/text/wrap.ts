import { safe } from '../../output/safe.ts';
import { graphemesOf, head, width } from './width.ts';

/** Foreign text as lines of at most `cells`; broken at blanks where it can be, with the indentation kept. */
export function wrap(text: string, cells: number): string[] {
  const room = Math.max(1, cells);
  return safe(text)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => (width(line) <= room ? [line.trimEnd()] : wrapLine(line, room)));
}

function wrapLine(line: string, room: number): string[] {
  const lead = /^ */.exec(line)?.[0].length ?? 0;
  const indent = ' '.repeat(Math.min(lead, Math.floor(room / 2)));
  const lines: string[] = [];
  let rest = line.trimEnd();
  while (width(rest) > room) {
    const part = head(rest, room) || (graphemesOf(rest)[0] ?? rest);
    const blank = rest[part.length] === ' ' ? part.length : part.lastIndexOf(' ');
    const cut = blank > indent.length ? blank : part.length;
    lines.push(rest.slice(0, cut).trimEnd());
    const next = rest.slice(cut).trimStart();
    rest = width(indent) + 1 < room ? indent + next : next;
  }
  return rest.trim() === '' ? lines : [...lines, rest];
}
