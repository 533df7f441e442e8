// What can be told from the screen, per Claude Code 2.1.329. Everything that depends on its looks is here and in
// dialog-table.ts; of a release that draws its prompt box otherwise it is learned (box-layout.ts). Answers never come from
// the screen.
import { type BoxLayout, findLearned, learnedText } from './box-layout.ts';

export interface ScreenView {
  /** The text in the prompt box, '' when empty; undefined when no box is drawn (a dialog, or not started yet). */
  box: string | undefined;
  /** The text in the box while that takes commands for a shell, and no messages. */
  shell: string | undefined;
  /** The last thing above the box says that the turn was interrupted. */
  interrupted: boolean;
  /** Claude Code says that it listens to our channel. */
  channelRegistered: boolean;
  /** Claude Code says why it does not. */
  channelRefused: string | undefined;
}

export type TitleState = 'working' | 'idle' | 'unknown';

/** `◐ …`, `◑ …` while a turn runs; `✳ …` when idle and while a permission dialog waits. */
export function titleState(title: string): TitleState {
  if (/^[◐◑◒◓⠁-⣿]/u.test(title)) return 'working';
  return title.startsWith('✳') ? 'idle' : 'unknown';
}

/**
 * A rule of the prompt box; `─── ↑ 166 more ───` when the text in it is longer than the box. It starts in the first
 * column: everything that people or Claude write is indented, so no text can draw one.
 */
const rule = /^[─━]{3}(?:[─━]{7,}| [↑↓] \d+ more [─━]{3,})/;
export const isRule = (row: string): boolean => rule.test(row);

const scrolled = /^[─━]{3} ↑ \d+ more/;

/** Two wordings of the start screen, as users report them for older and newer versions. */
const registered = {
  head: /Listening for channel messages from:|Channels \(experimental\) messages from/,
  ours: /\b(?:server:synthesis\b|plugin:)/,
};

function isRegistered(row: string): boolean {
  const at = row.search(registered.head);
  return at !== -1 && registered.ours.test(row.slice(at));
}

/**
 * @param rows visible rows
 * @param bright the same rows without dim text, so that a placeholder does not count as typed
 * @param layout how the box was found to be drawn; the usual way is looked for first
 * @param typed what was typed last: a long text is known by its end where its beginning is cut off
 */
export function readScreen(
  rows: readonly string[],
  bright: readonly string[],
  layout?: BoxLayout,
  typed?: string,
): ScreenView {
  const found = findBox(rows) ?? findCut(rows, typed);
  const text = found && boxText(bright, found);
  const box = found?.isShell ? undefined : found;
  return {
    shell: found?.isShell ? text : undefined,
    ...(found || !layout
      ? { box: box && text, interrupted: isInterrupted(rows, box?.top) }
      : readLearned(rows, bright, layout)),
    channelRegistered: rows.some(isRegistered),
    channelRefused: refused.exec(rows.join('\n'))?.[0],
  };
}

function readLearned(
  rows: readonly string[],
  bright: readonly string[],
  layout: BoxLayout,
): Pick<ScreenView, 'box' | 'interrupted'> {
  const box = findLearned(rows, layout);
  if (!box) return { box: undefined, interrupted: false };
  // With a box at the top, what is said stands below.
  const isTop = rows.slice(0, box.top).every((row) => row.trim() === '');
  const said = isTop ? rows.slice(box.end + 1) : rows.slice(0, box.top);
  return { box: learnedText(bright, box, layout), interrupted: interruptedLast(said, layout.lead.trim()) };
}

interface Box {
  /** Row of the upper rule. */
  top: number;
  /** Row of the lower rule. */
  bottom: number;
  isShell: boolean;
}

/** Stands below the box then, also when that shows the end of a long text (measured on 2.1.332). */
const shellMode = /^\s*! for shell mode/;

/** Why Claude Code does not listen to a channel it was started with; texts of its program, version 2.1.329. */
const refused = new RegExp(
  [
    'Channels are not currently available',
    'not on the approved channels allowlist',
    "not on your org's approved channels list",
    'blocked by org policy',
    'Inbound messages will be silently dropped',
    "waiting for your organization's policy",
    'Messages are dropped until it loads',
    'not available on third-party providers',
    'plugin not installed',
  ].join('|'),
);

/** The prompt box is the lowest pair of rules with `❯` right below the upper one, or `!` where it is a shell's. */
function findBox(rows: readonly string[]): Box | undefined {
  for (let bottom = rows.length - 1; bottom > 1; bottom -= 1) {
    if (!rule.test(rows[bottom] ?? '')) continue;
    for (let top = bottom - 1; top >= 0; top -= 1) {
      if (!rule.test(rows[top] ?? '')) continue;
      // A scrolled box shows the end of its text, without the `❯` of its first row.
      const isBox = scrolled.test(rows[top] ?? '') || /^[❯!]/.test(rows[top + 1] ?? '');
      const isShell = /^!/.test(rows[top + 1] ?? '') || shellMode.test(rows[bottom + 1] ?? '');
      return isBox ? { top, bottom, isShell } : undefined;
    }
    return undefined;
  }
  return undefined;
}

/**
 * A box with a long text that has lost its first row and the rule above: right behind a start it may be a row too high for
 * the screen, until the next key (seen on 2.1.332). Nothing but what was typed fills the screen then.
 */
function findCut(rows: readonly string[], typed = ''): Box | undefined {
  const bottom = rows.findLastIndex(isRule);
  if (bottom < rows.length / 2) return undefined;
  const shown = bare(rows.slice(0, bottom).join(''));
  return shown !== '' && bare(typed).endsWith(shown) ? { top: -1, bottom, isShell: false } : undefined;
}

/** The box wraps lines. */
const bare = (text: string): string => text.replace(/\s+/g, '');

function boxText(bright: readonly string[], { top, bottom }: Box): string {
  return bright
    .slice(top + 1, bottom)
    .map((row, index) => (index === 0 ? row.replace(/^\s*❯|^!/, '') : row))
    .map((row) => row.replaceAll('\u00a0', ' ').trim())
    .join('\n')
    .trim();
}

const isInterrupted = (rows: readonly string[], top: number | undefined): boolean =>
  top !== undefined && interruptedLast(rows.slice(0, Math.max(0, top)), '❯');

/** Looks at the last block above the box only: an older interruption stays on the screen. @param mark of a prompt */
function interruptedLast(said: readonly string[], mark: string): boolean {
  const last = said.filter((row) => row.trim() !== '').slice(-4);
  const at = last.findLastIndex((row) => /⎿\s+Interrupted\b/.test(row));
  // A newer prompt stands below that of an older turn.
  const isPrompt = (row: string) => /^\s*❯ /.test(row) || (mark !== '' && row.trim().startsWith(`${mark} `));
  return at >= 0 && !last.slice(at + 1).some(isPrompt);
}

/** The lowest non-empty rows, for an error message. @param count at most this many */
export function screenTail(rows: readonly string[], count = 12): string {
  const filled = rows.map((row) => row.trimEnd()).filter((row) => row.trim() !== '' && !rule.test(row));
  return filled.slice(-count).join('\n');
}
