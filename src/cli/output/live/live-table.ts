// The lower part of a terminal that always shows how things are; lines of what happens scroll away above it.
import type { AskRow } from '../../../domain/views/session/ask-row.ts';
import type { SessionRow } from '../../../domain/views/session/session-row.ts';
import { sessionLines } from '../../sessions/cells.ts';
import { columnsWithout } from '../../sessions/columns.ts';
import { sessionName } from '../../sessions/names.ts';
import { sorted } from '../../sessions/order.ts';
import { clip, first, head, ruler } from '../../text/width.ts';
import { safe, safeLine, safeRow } from '../safe.ts';

export interface LiveView {
  /** First line: where the bridge is and how it is. */
  title: string;
  rows: readonly SessionRow[];
  asks: readonly AskRow[];
}

/** Most lines of the table, whatever the height: what happens has to be seen, too. */
const mostLines = 16;

/** The lines for a terminal of this size: never higher than `rows - 1`, so that nothing scrolls by itself. */
export function liveLines(view: LiveView, size: { cols: number; rows: number }, now: number): string[] {
  const room = Math.max(1, Math.min(size.rows - 1, mostLines));
  const asks = view.asks.map(
    ({ code, tool, session }) =>
      `waits for you: synthesis approve ${code} (or deny ${code}) | ${safeLine(tool)} in ${safeLine(session)}`,
  );
  const sessions =
    view.rows.length === 0 ? ['No sessions yet: the first message of a conversation opens one.'] : [];
  const all = view.rows.length === 0 ? [] : tableLines(view.rows, size.cols - 1, now);
  const left = Math.max(1, room - 1 - Math.min(asks.length, 3));
  const shown =
    all.length > left ? [...all.slice(0, left - 1), `… ${all.length - left + 1} more: synthesis ps`] : all;
  const lines = [safeLine(view.title), ...sessions, ...shown, ...asks.slice(0, 3)];
  return lines.slice(0, room).map((line) => clip(line, size.cols - 1));
}

const columns = columnsWithout('id', 'node', 'chat', 'pid', 'claude', 'model', 'tokens');

function tableLines(rows: readonly SessionRow[], cells: number, now: number): string[] {
  const list = sorted(rows, 'attention', (row) => row);
  return sessionLines(
    columns,
    list.map((row) => ({ row, now, name: sessionName(row) })),
    cells,
    ruler,
  );
}

const wrapping = '\u001b[?7h';
const cutting = '\u001b[?7l';
const begin = `\u001b[?2026h${cutting}`;
const end = `${wrapping}\u001b[?2026l`;
const row = (text: string): string => `\r${text}\n`;

/** Rows that a line takes which was drawn in one row of a wider terminal: one that is made narrower breaks it. */
function rowsOf(line: string, cells: number): number {
  let rows = 0;
  for (let rest = line; rest !== '' || rows === 0; rows += 1) {
    rest = rest.slice((head(rest, cells) || first(rest)).length);
  }
  return rows;
}

/**
 * Draws in one write: the old lines are overwritten, not cleared first, so nothing flickers. Its own lines never wrap.
 * What is said does, as in any other terminal: it may be longer than a row, and all of it matters. Both pass the gate here.
 */
export class LiveTable {
  readonly #write: (text: string) => void;
  readonly #columns: () => number;
  #lines: string[] = [];
  #next: string[] = [];
  /** Of the terminal when the lines were drawn. */
  #drawnIn = 0;

  /** @param columns how wide the terminal is now */
  constructor(write: (text: string) => void, columns: () => number) {
    this.#write = write;
    this.#columns = columns;
  }

  /** A line that stays: it goes above the table. */
  say(text: string): void {
    this.#draw(safe(text));
  }

  show(given: readonly string[]): void {
    const lines = given.map(safeRow);
    this.#next = lines;
    if (lines.join('\n') !== this.#lines.join('\n')) this.#draw('');
  }

  /** Takes the table away; what was said stays. */
  close(): void {
    this.#next = [];
    this.#draw('');
  }

  #draw(said: string): void {
    const columns = this.#columns();
    const drawn = this.#lines.map((line) => head(line, this.#drawnIn));
    const high = drawn.reduce((sum, line) => sum + rowsOf(line, columns), 0);
    // A key that the terminal echoes, such as Ctrl-C, has moved the cursor to the right.
    const up = high > 0 ? `\r\u001b[${high}A` : '';
    const above = said === '' ? '' : `\u001b[J${wrapping}${said.split('\n').map(row).join('')}${cutting}`;
    const table = this.#next.map((line) => row(`\u001b[K${line}`)).join('');
    this.#write(`${begin}${up}${above}${table}\u001b[J${end}`);
    this.#lines = this.#next;
    this.#drawnIn = columns;
  }
}
