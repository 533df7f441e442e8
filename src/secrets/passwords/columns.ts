// Passwords in a column of a table whose head says so.
import type { Place } from '../secret.ts';
import { isAssigned } from './assigned.ts';
import { separator } from './entries.ts';
import { indentOf } from './lines.ts';
import { isOtherMatter, passwordName } from './names.ts';
import { valueAt } from './value.ts';

interface Cell {
  readonly start: number;
  readonly text: string;
}

const longestHead = 60;

/** Values below a head such as `Password` in tables of Markdown. */
export function* columns(text: string): Generator<Place> {
  /** Of each column, whether passwords are below its head. */
  let named: readonly boolean[] | undefined;
  let previous: string | undefined;
  let start = 0;
  for (const all of text.split('\n')) {
    const line = all.replace(/\r$/, '');
    if (previous !== undefined && separator.test(line)) {
      const heads = previous.includes('|') ? cellsOf(previous) : [];
      named = heads.map((head) => isName(head.text));
    } else if (!line.includes('|')) named = undefined;
    else if (named) {
      for (const [at, cell] of cellsOf(line).entries()) {
        const place = named[at] && valueIn(cell, start);
        if (place) yield place;
      }
    }
    previous = line;
    start += all.length + 1;
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

/** What stands between bars; one behind a backslash is none. A row may begin with a bar or without. */
function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  const first = indentOf(line);
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
