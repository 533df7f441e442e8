// Where text is typed: the message to Claude, the reason of a no, an answer to a question, the search.
import { never } from '../../../base/never.ts';
import { safe, safeLine } from '../../output/safe.ts';
import { duration } from '../../sessions/words.ts';
import { foldLine } from '../../text/fold-line.ts';
import { clipMiddle, ruler, width } from '../../text/width.ts';
import { textOf } from '../model/editor.ts';
import type { Model, Pane, Prompt } from '../model/model.ts';
import { keyRow } from '../overlays/foot.ts';
import { fitLine, type Line, span } from '../text/line.ts';
import { rule } from './rule.ts';

/** Most rows of typed text that are shown at once. */
const mostRows = 6;

const filtered: Record<Pane, string> = {
  sessions: 'sessions',
  transcript: 'lines',
  frames: 'frames',
  asks: 'requests',
};

const title = (prompt: Prompt, now: number): string => {
  switch (prompt.name) {
    case 'message':
      return `Message to ${clipMiddle(safeLine(prompt.session), 40)}`;
    case 'reason':
      return `Deny ${prompt.code}: why? (Claude is told; may be empty)`;
    case 'answer':
      return `Answer ${prompt.code}: a number, several as 1,3, or words`;
    case 'code':
      return `Code from your app${prompt.why === undefined ? '' : `: ${prompt.why}`}`;
    case 'key':
      return `${prompt.isTouch ? 'Touch your key…' : 'Signing with your SSH key…'} (${duration(Math.max(0, prompt.until - now))} left)`;
    case 'find':
      return 'Search in this transcript';
    case 'filter':
      return `Show only ${filtered[prompt.pane]} with`;
    default:
      return never(prompt);
  }
};

interface Typed {
  rows: string[];
  row: number;
  column: number;
}

/** The text as rows, and the cursor in them. */
function typed({ editor }: Prompt, cells: number): Typed {
  const room = Math.max(4, cells - 3);
  const rows = folded(textOf(editor), room);
  const before = folded(editor.before, room);
  const last = before.at(-1) ?? '';
  return { rows, row: before.length - 1, column: width(last) };
}

/** Typed text keeps its blanks, so that the cursor stands where they are. */
const folded = (text: string, room: number): string[] =>
  safe(text)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => foldLine(line, room, ruler));

const shownRows = ({ rows }: Typed, most: number): number => Math.min(rows.length, most);

const most = (model: Model): number => Math.max(1, Math.min(mostRows, Math.floor(model.size.rows / 4)));

/** Height of the prompt, its title row included; 0 without one. */
export function promptRows(model: Model, cells: number): number {
  const { prompt } = model.ui;
  return prompt ? 1 + shownRows(typed(prompt, cells), most(model)) : 0;
}

export interface PromptPane {
  lines: Line[];
  /** From the pane's top left. */
  cursor: { x: number; y: number };
}

const ends: Record<Prompt['name'], readonly [key: string, words: string][]> = {
  message: [
    ['Enter', 'send'],
    ['^J', 'new line'],
  ],
  answer: [['^Y', 'answer']],
  code: [['Enter', 'prove']],
  key: [],
  reason: [['Enter', 'done']],
  find: [['Enter', 'done']],
  filter: [['Enter', 'done']],
};

export function promptPane(model: Model, prompt: Prompt, cells: number): PromptPane {
  const text = typed(prompt, cells);
  const height = shownRows(text, most(model));
  const top = Math.max(0, Math.min(text.row - height + 1, text.rows.length - height));
  const first = Math.min(top, text.row);
  const rows = text.rows.slice(first, first + height).map((row, index): Line => {
    const mark = first + index === 0 ? '❯ ' : '  ';
    return fitLine([span(mark, 'accent'), span(row)], cells);
  });
  const head = rule(
    [span(title(prompt, model.now), 'strong')],
    keyRow(...ends[prompt.name], ['Esc', 'close']),
    true,
    cells,
  );
  return { lines: [head, ...rows], cursor: { x: 2 + text.column, y: 1 + text.row - first } };
}
