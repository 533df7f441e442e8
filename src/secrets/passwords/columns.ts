// Passwords in a column of a table whose head says so.
import type { Place } from '../secret.ts';
import { isAssigned } from './assigned.ts';
import { separator } from './entries.ts';
import { isOtherMatter, passwordName } from './names.ts';
import { valueAt } from './value.ts';

interface Cell {
  readonly start: number;
  readonly text: string;
}

const longestHead = 60;

/** Values below a head such as `Password` in tables of Markdown. */
export function* columns(text: string): Generator<Place> {
  if (!text.includes('|') || !passwordName().test(text)) return;
  let names: number[] = [];
  let previous: { start: number; line: string } | undefined;
  for (const { start, line } of linesOf(text)) {
    if (previous && line.includes('-') && separator.test(line)) {
      const heads = previous.line.includes('|') ? cellsOf(previous.line) : [];
      names = heads.flatMap((head, at) => (isName(head.text) ? [at] : []));
    } else if (!line.includes('|')) names = [];
    else if (names.length > 0) {
      const cells = cellsOf(line);
      for (const at of names) {
        const cell = cells[at];
        const place = cell && valueIn(cell, start);
        if (place) yield place;
      }
    }
    previous = { start, line };
  }
}

const isName = (head: string): boolean =>
  head.length <= longestHead &&
  passwordName().test(head) &&
  !isOtherMatter(head.replace(passwordName(), ' '));

function valueIn({ start, text }: Cell, line: number): Place | undefined {
  const found = valueAt(text, true);
  if (!found || !isAssigned(found.value)) return undefined;
  const from = line + start + found.start;
  return { start: from, end: from + found.value.length, kind: 'password' };
}

function* linesOf(text: string): Generator<{ start: number; line: string }> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const next = end < 0 ? text.length : end;
    yield { start, line: text.slice(start, next).replace(/\r$/, '') };
    start = next + 1;
  }
}

/** What stands between bars; one behind a backslash is none. A row may begin with a bar or without. */
function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  const first = /^(?:>[ \t]|[ \t])*/.exec(line)?.[0].length ?? 0;
  let start = line.charAt(first) === '|' ? first + 1 : first;
  for (let at = start; at <= line.length; at += 1) {
    if (line.charAt(at) === '\\') at += 1;
    else if (at === line.length || line.charAt(at) === '|') {
      cells.push({ start, text: line.slice(start, at).trimEnd() });
      start = at + 1;
    }
  }
  return cells;
}
