// What stands on the screen, and where. Pure.

import { type Mode, modeLabel } from '../permission/permission-rules.ts';
import { widthOf, wrap } from './cells.ts';
import { type Drawing, drawings } from './drawings.ts';
import { type Box, emptyBox } from './input-box.ts';

export interface View {
  /** Finished lines, only ever appended to. */
  log: string[];
  /** Prompts that wait for the running turn. */
  queued: string[];
  box: Box;
  working: boolean;
  /** A dialog's lines; it stands in the place of the prompt. */
  dialog: string[] | undefined;
  mode: Mode;
  /** False until the prompt row may be drawn. */
  ready: boolean;
}

export const emptyView: View = {
  log: [],
  queued: [],
  box: emptyBox,
  working: false,
  dialog: undefined,
  mode: 'default',
  ready: false,
};

/** The part below the log: queue, spinner, prompt and footer, or a dialog. */
export interface Bottom {
  rows: string[];
  /** Row within `rows` and column, both from 0; undefined hides the cursor. */
  cursor: { row: number; column: number } | undefined;
}

/** The most rows of the prompt that are shown; older ones scroll out. */
const maxBoxRows = 8;

/** Lays the bottom part out for a terminal of `columns`. */
export function layOutBottom(view: View, columns: number, drawing = drawings.usual): Bottom {
  const rule = '─'.repeat(columns);
  if (view.dialog) {
    const rows = view.dialog.flatMap((line) => (line === '─' ? [rule] : wrap(line, columns)));
    return { rows, cursor: undefined };
  }
  if (!view.ready) return { rows: [], cursor: undefined };
  const queued = view.queued.flatMap((text) => [...wrap(`${drawing.mark} ${text}`, columns), '  ⎿  Queued']);
  const spinner = view.working ? ['✻ Working…'] : [];
  const notice = view.box.notice ? wrap(view.box.notice, columns) : [];
  const typed = boxRows(view, columns, drawing);
  const above = [...queued, ...spinner, ...(drawing.atTop ? [] : ['']), ...notice, ...drawing.above(columns)];
  const { first } = drawing;
  const column = widthOf(view.box.text === '' || drawing.isHidden ? first : (typed.at(-1) ?? '')) % columns;
  const { right } = drawing;
  const boxed = right === '' ? typed : typed.map((row) => `${row}${' '.repeat(room(row, columns))}${right}`);
  return {
    rows: [...above, ...boxed, ...drawing.below(columns), footer(view)],
    cursor: { row: above.length + typed.length - 1, column },
  };
}

/** Breaks log lines into rows. */
export function layOutLog(lines: string[], columns: number, { mark } = drawings.usual): string[] {
  return lines.flatMap((line) => wrap(line.replace(/^❯/, mark), columns));
}

function boxRows({ box, queued }: View, columns: number, drawing: Drawing): string[] {
  const { first, more, right, isHidden } = drawing;
  // Dim, so that a placeholder is not taken for a draft.
  if (box.text === '' && queued.length > 0)
    return [`${first}${dim}Press up to edit queued messages${bright}`];
  const text = isHidden ? '' : box.text;
  const rows = text.split('\n').flatMap((line) => wrap(line, columns - widthOf(first) - right.length));
  return rows.slice(-maxBoxRows).map((row, at) => `${at === 0 ? first : more}${row}`);
}

const dim = '\x1b[2m';
const bright = '\x1b[22m';

/** Columns between a row of the box and its right side. */
function room(row: string, columns: number): number {
  const visible = row.replaceAll(dim, '').replaceAll(bright, '');
  return Math.max(0, columns - widthOf(visible) - 1);
}

function footer({ mode, working, box }: View): string {
  const hint = working ? ' · esc to interrupt' : box.text === '' ? ' · ? for shortcuts' : '';
  return `  ${modeLabel(mode)}${hint}`;
}
